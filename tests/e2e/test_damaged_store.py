"""Damage in every key of a store: no route answers 500, and what is damaged is never shown as truth."""

import random
import time
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

import httpx
import pytest
import redis

from service.store.player_names import UNREADABLE
from tests.e2e.api_reads import Reading, api_client, read
from tests.e2e.client import connect_to
from tests.e2e.processes import ApiProcess, ServiceProcess, run_processes
from tests.e2e.recording_clients import Guest
from tests.e2e.test_ratings_crash import RatedPair
from tests.store_server import StoreServer, new_server, run_server

Key = bytes

Reads = dict[tuple[str, str], Reading]
"""Answers by path and viewer."""

DERIVED = {"standings", "places", "everybody", "rated", "points", "played", "results"}
"""The kinds of the keys with what is derived from events."""


class Lived(NamedTuple):
    """A store in which two players have played a rated match, and how it is read."""

    server: StoreServer
    content: dict[Key, bytes]
    """Its keys, as the store dumps them."""
    players: tuple[Guest, ...]
    room: str
    paths: tuple[str, ...]
    matches: tuple[str, ...]

    def put_back(self) -> None:
        """Restore the store as it was."""
        with redis.Redis.from_url(self.server.url) as client, client.pipeline(transaction=False) as pipeline:
            pipeline.flushall()
            for key, dump in self.content.items():
                pipeline.restore(key, 0, dump)
            pipeline.execute()

    async def read(self, *viewers: Guest | None) -> Reads:
        """Return what a new API process answers to these viewers."""
        async with api_client(self.server.url) as http:
            return {
                (path, each.id if each else ""): await read(http, path, each) for path in self.paths for each in viewers
            }

    async def write(self) -> list[httpx.Response]:
        """Return what a new API process answers to commands."""
        async with api_client(self.server.url) as http:
            commands = f"/v1/rooms/{self.room}/commands"
            return [
                await http.post(path, json=body, headers=self.players[0].headers)
                for path, body in (
                    (commands, {"type": "ready"}),
                    (commands, {"type": "leave"}),
                    (f"/v1/rooms/{self.room}/chat", {"text": "hello"}),
                    ("/v1/lobby/chat", {"text": "hello"}),
                    ("/v1/rooms", {"game": "morris", "nickname": "Another"}),
                    ("/v1/players/me/challenges", {"to": self.players[1].id, "game": "morris"}),
                    ("/v1/seeks", {"game": "morris"}),
                    ("/v1/players/me/tokens", {"label": "bot", "scopes": ["read"]}),
                )
            ]


def paths_of(pair: RatedPair, match: str, version: int) -> Iterator[str]:
    """Yield the addresses of everything that is stored about a room, a match of it, and its players."""
    room = f"/v1/rooms/{pair.room}"
    yield from (room, f"{room}?at=2", f"{room}/legal-moves", f"{room}/board.svg", f"{room}/events?limit=1000")
    yield from (f"{room}/matches", f"{room}/chat", f"{room}/invitations", f"{room}/events?since={version - 1}")
    yield from (f"/v1/matches/{match}", f"/v1/matches/{match}/export", f"/v1/matches/{match}/ratings")
    yield from ("/v1/matches/notable", "/v1/rooms", "/v1/lobby/chat", "/v1/tv", "/v1/ratings", "/v1/bots", "/v1/seeks")
    yield from ("/v1/ratings/morris/blitz", "/v1/ratings/morris/blitz/entries", "/v1/tournaments")
    for player, other in ((pair.winner, pair.loser), (pair.loser, pair.winner)):
        of = f"/v1/players/{player.id}"
        yield from (of, f"{of}/matches", f"{of}/matches?limit=1", f"{of}/against/{other.id}", f"{of}/ratings")
        yield f"{of}/ratings/morris/blitz"
        yield f"/v1/ratings/morris/blitz?around={player.id}"
    own = "/v1/players/me"
    yield from (own, *(f"{own}/{part}" for part in ("tokens", "blocks", "events", "seeks", "challenges", "webhooks")))


@pytest.fixture(scope="module")
def lived(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lived]:
    """Return such a store."""
    logs = tmp_path_factory.mktemp("damaged") / "log"
    with run_server(new_server()) as server:
        api, worker = ApiProcess(server.url, logs), ServiceProcess("service worker", server.url, logs)
        with run_processes(api, worker), connect_to(api.url) as client:
            pair = RatedPair(client, 1)
            pair.resign()
            matches, deadline = f"/v1/players/{pair.winner.id}/matches", time.monotonic() + 60
            rated = f"/v1/players/{pair.loser.id}/ratings/morris/blitz"
            while not (client.anonymous().get(matches).body["matches"] and client.anonymous().get(rated).status == 200):
                assert time.monotonic() < deadline
            for player in (pair.winner, pair.loser):
                assert player.post(f"/v1/rooms/{pair.room}/chat", {"text": "well played"}).status < 300
            view = client.anonymous().read_room(pair.room).body
            [match, *_] = [each["id"] for each in client.anonymous().get(matches).body["matches"]]
            guests = tuple(Guest(each.id, str(each.token)) for each in (pair.winner, pair.loser))
        keys = server.execute("KEYS", "*")
        content = {key: dump for key in keys if (dump := server.execute("DUMP", key)) is not None}
        yield Lived(server, content, guests, pair.room, tuple(paths_of(pair, match, view["version"])), (match,))


def kind_of(key: Key) -> str:
    """Return the kind of a key."""
    return key.rpartition(b"}:")[2].partition(b":")[0].decode()


def retype(server: StoreServer, key: Key) -> None:
    """Give a key a value of another type."""
    is_text = server.execute("TYPE", key) == b"string"
    server.execute("DEL", key)
    server.execute(*(("RPUSH", key, "item") if is_text else ("SET", key, "text")))


async def test_a_key_of_another_type_causes_no_500(lived: Lived) -> None:
    """One of each kind, in any route or command: what needs the key is refused as damaged."""
    lived.put_back()
    player = lived.players[0]
    expected, faults, refusals = await lived.read(player), list[str](), Counter[str]()
    assert {reading.status for reading in expected.values()} <= {200, 401, 403, 404}, expected
    for key in {kind_of(key): key for key in sorted(lived.content)}.values():
        retype(lived.server, key)
        found = await lived.read(player)
        wrong = {read: answer for read, answer in found.items() if answer.status >= 500 and answer.status != 503}
        faults += [f"{key!r}: {path} {answer}" for (path, _), answer in wrong.items()]
        refusals[kind_of(key)] += sum(answer.code == "history_damaged" for answer in found.values())
        for response in await lived.write():
            if response.status_code >= 500 and response.status_code != 503:
                faults.append(f"{key!r}: {response.request.method} {response.request.url.path} {response.text}")
        lived.put_back()
    assert not faults, "\n".join(sorted(set(faults)))
    assert refusals["room"]


def values_of(server: StoreServer, key: Key) -> list[tuple[bytes, ...]]:
    """Return the values of a hash, each with its field, the members of a sorted set with their scores, or a text."""
    match server.execute("TYPE", key):
        case b"hash":
            found = server.execute("HGETALL", key)
            return list(zip(found[::2], found[1::2], strict=True))
        case b"zset":
            found = server.execute("ZRANGE", key, 0, -1, "WITHSCORES")
            return list(zip(found[::2], found[1::2], strict=True))
    return [(server.execute("GET", key),)]


def with_value(server: StoreServer, key: Key, value: tuple[bytes, ...], changed: bytes) -> None:
    """Change a value, or a member, which keeps its score."""
    match server.execute("TYPE", key):
        case b"hash":
            server.execute("HSET", key, value[0], changed)
        case b"zset":
            server.execute("ZREM", key, value[0])
            server.execute("ZADD", key, value[1], changed)
        case _:
            server.execute("SET", key, changed)


def flipped(chance: random.Random, value: bytes) -> bytes:
    """Return a value with one bit changed."""
    changed = bytearray(value)
    changed[chance.randrange(len(value))] ^= 1 << chance.randrange(8)
    return bytes(changed)


def differences(found: Reads, expected: Reads) -> list[str]:
    """Return the reads with another answer than expected."""
    return [f"{read}: {found[read]}, not {expected[read]}" for read in found if found[read] != expected[read]]


async def test_a_flipped_bit_in_what_is_derived_is_never_seen(lived: Lived) -> None:
    """In a leaderboard, a rating's history, the index of a player's matches or its results: it is derived again."""
    lived.put_back()
    expected, chance, faults = await lived.read(None), random.Random(30), list[str]()  # noqa: S311 - places in values
    for key in sorted(lived.content):
        if kind_of(key) not in DERIVED:
            continue
        for value in values_of(lived.server, key):
            content = value[0] if kind_of(key) in {"played", "places", "everybody", "projected"} else value[1]
            changed = flipped(chance, content)
            with_value(lived.server, key, value, changed)
            faults += [f"{key!r} {changed!r} {each}" for each in differences(await lived.read(None), expected)]
            lived.put_back()
    assert not faults, "\n".join(faults)


async def test_an_edit_of_what_is_derived_is_never_seen(lived: Lived) -> None:
    """A better rating, another place, more wins, a match of another result, an entry of another match."""
    lived.put_back()
    expected, faults = await lived.read(None), list[str]()
    board = next(key for key in lived.content if kind_of(key) == "standings")
    tag, winner = board.partition(b":")[0], lived.players[0].id
    [row] = lived.server.execute("HMGET", board, winner)
    own = {kind_of(key): key for key in lived.content if key.endswith(winner.encode())}
    [(played, ended)] = values_of(lived.server, own["played"])
    edits: list[tuple[str | bytes | int, ...]] = [
        ("HSET", board, winner, row.replace(b"[1", b"[2", 1)),
        ("HSET", board, lived.players[1].id, row),
        ("ZADD", tag + b":places:morris.blitz:2", -300_000, winner),
        ("ZADD", tag + b":everybody:morris.blitz:2", -300_000, winner),
        ("HSET", tag + b":rated:morris.blitz:2", next(iter(lived.matches)), 9),
        ("HSET", own["results"], "morris", "50 0 0 50 0 0"),
        ("HDEL", own["results"], "morris"),
        ("ZADD", own["played"], ended, played.replace(b'"won"', b'"lost"')),
        ("ZADD", own["played"], int(ended) + 1, played),
    ]
    for edit in edits:
        lived.server.execute(*edit)
        faults += [f"{edit} {each}" for each in differences(await lived.read(None), expected)]
        lived.put_back()
    assert not faults, "\n".join(faults)


async def test_a_changed_nickname_is_never_seen(lived: Lived) -> None:
    """Whichever bit is flipped, and for an edit: a placeholder is shown, and everything else is as before."""
    lived.put_back()
    expected, chance, faults = await lived.read(None), random.Random(31), list[str]()  # noqa: S311 - places in values
    [key] = [key for key in lived.content if kind_of(key) == "names" and key.endswith(lived.players[0].id.encode())]
    [(number, name)] = values_of(lived.server, key)
    for changed in (b"Another 1", b"\xff", *(flipped(chance, name) for _ in range(4))):
        lived.server.execute("HSET", key, number, changed)
        found = await lived.read(None)
        assert any(UNREADABLE in answer.content for answer in found.values())
        restored = {
            read: answer._replace(content=answer.content.replace(UNREADABLE, name.decode()))
            for read, answer in found.items()
            if "board.svg" not in read[0]  # whose texts are placed by their widths
        }
        faults += [f"{changed!r} {each}" for each in differences(restored, expected)]
        lived.put_back()
    assert not faults, "\n".join(faults)
