"""Rooms in which all seats are taken, and moves without end."""

from typing import NamedTuple

from tests.e2e.client import ApiClient, Json, Player, fresh_name

LETTERS, ROWS = "abcdefgh", "12345678"


class SeatedRoom(NamedTuple):
    """A room whose match is running, and its players by seat."""

    room: str
    players: tuple[Player, ...]

    @property
    def red(self) -> Player:
        """The player on seat 0."""
        return self.players[0]

    @property
    def yellow(self) -> Player:
        """The player on seat 1."""
        return self.players[1]


def seat_players(
    client: ApiClient, game: str, seats: int, settings: Json | None = None, options: Json | None = None
) -> SeatedRoom:
    """Open a room and fill its seats, which starts its match."""
    players = tuple(client.guest(f"Player {number}") for number in range(seats))
    room, opened = fresh_name(), {"start": "full", **(settings or {})}
    assert players[0].open_room(game, name=room, settings=opened, options=options or {}).status == 201
    for player in players[1:]:
        assert player.command(room, "join").status == 200
    return SeatedRoom(room, players)


def select(number: int) -> Json:
    """Return one of 64 selections of Turncoat."""
    return {"type": "select", "at": LETTERS[number % 8] + ROWS[number // 8 % 8]}


def legal_selections(seated: SeatedRoom) -> list[Json]:
    """Return the selections that red may make."""
    moves: list[Json] = seated.red.read_room(seated.room).body["match"]["legal_moves"]
    return [move for move in moves if move["type"] == "select"]
