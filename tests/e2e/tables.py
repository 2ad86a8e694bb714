"""Tables that tests play at: rooms with everyone seated, and moves without end."""

from typing import NamedTuple

from tests.e2e.client import Door, Json, Player, fresh_name

LETTERS, ROWS = "abcdefgh", "12345678"


class Table(NamedTuple):
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


def seated(door: Door, game: str, seats: int, settings: Json | None = None, options: Json | None = None) -> Table:
    """Open a room, fill its seats and so begin its match."""
    players = tuple(door.guest(f"Player {number}") for number in range(seats))
    room, opened = fresh_name(), {"start": "full", **(settings or {})}
    assert players[0].opens(game, name=room, settings=opened, options=options or {}).status == 201
    for player in players[1:]:
        assert player.asks(room, "join").status == 200
    return Table(room, players)


def select(number: int) -> Json:
    """Return one of 64 selections of Turncoat."""
    return {"type": "select", "at": LETTERS[number % 8] + ROWS[number // 8 % 8]}


def discs(table: Table) -> list[Json]:
    """Return the selections that the boards allow `red`."""
    moves: list[Json] = table.red.sees(table.room).body["match"]["legal_moves"]
    return [move for move in moves if move["type"] == "select"]
