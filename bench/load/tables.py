"""Rooms with players who know their next moves: opened over the API, then played match after match."""

import http.client
import itertools
import secrets
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from typing import Any

import msgspec

from bench.load.play import Line
from service.domain.catalog import GAMES

START = b'{"type":"start"}'
"""Begins the next match; the creator, who holds seat 0, sends it."""

PLAIN: Mapping[str, Any] = {}
"""No other settings of a room."""


class Command(msgspec.Struct, frozen=True):
    """What a seat sends next."""

    seat: int
    body: bytes


class Table(msgspec.Struct, frozen=True):
    """A room, its players' tokens by seat, and all that will be commanded there, in order."""

    room: str
    tokens: tuple[str, ...]
    commands: Iterator[Command]

    @property
    def path(self) -> str:
        """Where its commands are posted."""
        return f"/v1/rooms/{self.room}/commands"


def scripts(lines: Sequence[Line]) -> list[list[Command]]:
    """Return matches as commands."""
    return [
        [Command(turn.seat, b'{"type":"play","move":%b}' % msgspec.json.encode(turn.move)) for turn in line.turns]
        for line in lines
    ]


def endless(matches: Sequence[Sequence[Command]], first: int, *, started: bool) -> Iterator[Command]:
    """Return the commands of one match after another, each begun by a `start` if that is `started` by hand."""
    beginning = [Command(0, START)] if started else []
    for number in itertools.count(first):
        yield from beginning
        yield from matches[number % len(matches)]


def peer_tables(count: int, matches: Sequence[Sequence[Command]]) -> list[Table]:
    """Return tables for the peer, who takes any room and any token."""
    token = "t1." + "x" * 60
    return [Table(f"bench-{number}", (token,) * 8, endless(matches, number, started=False)) for number in range(count)]


def open_tables(
    port: int, game: str, count: int, matches: Sequence[Sequence[Command]], more: Mapping[str, Any] = PLAIN
) -> list[Table]:
    """Open rooms with `more` settings, whose seats are all taken, each by another player."""
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=10)) as service:
        return [open_table(service, game, endless(matches, number, started=True), more) for number in range(count)]


def open_table(
    service: http.client.HTTPConnection, game: str, commands: Iterator[Command], more: Mapping[str, Any]
) -> Table:
    """Open one room with `more` settings; its creator starts each match."""
    name = f"bench-{secrets.token_hex(6)}"
    settings = {"start": "creator", "restart": None, **more}
    opened = post_json(service, "/v1/rooms", {"game": game, "name": name, "nickname": "Player 0", "settings": settings})
    tokens = [str(opened["token"])]
    catalogued = GAMES[game]
    for seat in range(1, len(catalogued.seats(catalogued.options()))):
        tokens.append(str(post_json(service, "/v1/players", {"nickname": f"Player {seat}"})["token"]))
        post_json(service, f"/v1/rooms/{name}/commands", {"type": "join"}, tokens[-1])
    return Table(name, tuple(tokens), commands)


def post_json(service: http.client.HTTPConnection, path: str, body: dict[str, Any], token: str = "") -> dict[str, Any]:
    """Post something that has to succeed and return the answer."""
    headers = {"content-type": "application/json", **({"authorization": f"Bearer {token}"} if token else {})}
    service.request("POST", path, msgspec.json.encode(body), headers)
    answer = service.getresponse()
    data = answer.read()
    if answer.status not in {200, 201}:
        raise RuntimeError(f"POST {path}: {answer.status} {data.decode()}")
    return msgspec.json.decode(data, type=dict[str, Any])
