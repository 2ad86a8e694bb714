"""Recordings of releases, committed for ever: what a release left in its store, and what its API showed of it.

`NAME.jsonl.xz` is the store: one JSON array per line, a command that writes it again, with bytes as Latin-1.
`NAME.views.xz` is JSON: the players' tokens, the ids of everything else, and each response by path and viewer.
"""

import lzma
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import redis

from tests.e2e.client import ApiClient, Json, Player, Response
from tests.store_server import StoreServer

FOLDER = Path(__file__).parents[1] / "store/releases"
OF_THE_MOMENT = frozenset({"server_time", "presence", "watchers", "remaining"})
"""Fields that differ from one response to the next."""

StoreCommand = list[bytes]


class Recording(msgspec.Struct, frozen=True):
    """What the API of a release showed."""

    tokens: dict[str, str]
    """By the names of the scenario; for operators and for nobody as well."""
    names: dict[str, str]
    """Ids of players, rooms, matches, tournaments, and the like, by the names of the scenario."""
    webhooks_at: int
    """The port of the endpoint to which webhooks are sent."""
    views: dict[str, dict[str, Any]]
    """The responses by path and viewer."""


def names() -> list[str]:
    """Return the names of all recordings."""
    return sorted(path.name.removesuffix(".jsonl.xz") for path in FOLDER.glob("*.jsonl.xz"))


def write(name: str, store: Iterable[StoreCommand], recording: Recording) -> None:
    """Write a recording, which must not exist."""
    lines = [msgspec.json.encode([part.decode("latin-1") for part in command]) for command in store]
    with (FOLDER / f"{name}.jsonl.xz").open("xb") as file:
        file.write(lzma.compress(b"\n".join(lines), preset=9))
    with (FOLDER / f"{name}.views.xz").open("xb") as file:
        file.write(lzma.compress(msgspec.json.encode(recording), preset=9))


def recorded(name: str) -> Recording:
    """Return what the API of a release showed."""
    return msgspec.json.decode(lzma.decompress((FOLDER / f"{name}.views.xz").read_bytes()), type=Recording)


def stored(name: str) -> list[StoreCommand]:
    """Return the commands that write what a release left."""
    lines = lzma.decompress((FOLDER / f"{name}.jsonl.xz").read_bytes()).splitlines()
    return [[part.encode("latin-1") for part in msgspec.json.decode(line, type=list[str])] for line in lines]


def put_back(commands: Iterable[StoreCommand], server: StoreServer) -> None:
    """Write what a release left into an empty store, whose service then continues at the time of the recording."""
    with redis.Redis.from_url(server.url) as client, client.pipeline(transaction=False) as pipeline:
        for command in commands:
            pipeline.execute_command(*command)
        pipeline.execute()
        seconds, micros = client.time()
        now = seconds * 1000 + micros // 1000
        latest = int(client.hget("{p00}:clock", "latest") or now)
        client.hset("{p00}:clock", mapping={"correction": latest - now, "wall": now})


def dump(server: StoreServer) -> Iterator[StoreCommand]:
    """Return the commands that write a store's contents again."""
    with redis.Redis.from_url(server.url) as client:
        for key in sorted(client.keys()):
            yield from dump_key(client, key)
            if (left := client.pttl(key)) > 0:
                yield [b"PEXPIRE", key, b"%d" % left]


def dump_key(client: Any, key: bytes) -> Iterator[StoreCommand]:
    """Return the commands that write a key again."""
    match client.type(key):
        case b"string":
            yield [b"SET", key, client.get(key) or b""]
        case b"hash":
            yield [b"HSET", key, *(part for pair in client.hgetall(key).items() for part in pair)]
        case b"list":
            yield [b"RPUSH", key, *client.lrange(key, 0, -1)]
        case b"zset":
            scores = client.zrange(key, 0, -1, withscores=True)
            yield [b"ZADD", key, *(part for member, score in scores for part in (b"%.17g" % score, member))]
        case b"stream":
            for entry_id, fields in client.xrange(key):
                yield [b"XADD", key, entry_id, *(part for pair in fields.items() for part in pair)]
        case other:
            raise NotImplementedError(f"{key!r} is a {other!r}")


def views(client: ApiClient, tokens: dict[str, str], things: dict[str, str]) -> dict[str, dict[str, Any]]:
    """Return everything that the API shows, by path and viewer."""
    viewers = {viewer: Player(client, token or None) for viewer, token in tokens.items()}
    return {path: {name: shown(viewers[name].get(path)) for name in seen_by} for path, seen_by in paths(things, tokens)}


def shown(response: Response) -> Json:
    """Return a response without what depends on the moment; of a problem only its code, not its words."""
    body = response.content.decode() if response.body is None else without_moment(response.body)
    if isinstance(body, dict) and "rooms" in body:  # the operators' list is in the order of the store's hashes
        body["rooms"].sort(key=str)
    return {"status": response.status, "body": response.code or body}


def without_moment(value: Any) -> Any:
    """Return JSON without the fields that depend on the moment."""
    if isinstance(value, dict):
        return {name: without_moment(each) for name, each in value.items() if name not in OF_THE_MOMENT}
    return [without_moment(each) for each in value] if isinstance(value, list) else value


SOME = ("", "anna", "clara")
"""Viewers who read what is for everybody: a stranger, a player who takes part in most of it, and one who does not."""

OWN = ("", "/tokens", "/blocks", "/events?limit=1000", "/seeks", "/challenges", "/webhooks")
SHARED = ("rooms", "seeks", "bots", "lobby/chat", "tournaments", "ratings", "matches/notable", "tv")
OF_THING: dict[str, tuple[str, tuple[str, ...], tuple[str, ...]]] = {
    "match": ("/v1/matches/{}", ("", "/export", "/ratings"), ("",)),
    "tournament": ("/v1/tournaments/{}", ("", "/standings", "/tables?limit=100"), SOME),
    "webhook": ("/v1/players/me/webhooks/{}", ("",), SOME),
    "invitation": ("/v1/invitations/{}", ("",), ("", "dora")),
    "player": ("/v1/players/{}", ("", "/matches", "/ratings", "/ratings/morris/rapid"), ("", "anna")),
}
"""By the first word of a name: the path of such a thing, what can be added to it, and who reads it."""


def paths(names: dict[str, str], tokens: dict[str, str]) -> Iterator[tuple[str, Iterable[str]]]:
    """Yield every path with the viewers who read it."""
    yield from ((f"/v1/players/me{own}", tokens) for own in OWN)
    yield from ((f"/v1/{path}", SOME) for path in SHARED)
    yield from ((f"/v1/ratings/morris/rapid{part}", [""]) for part in ("", "/entries"))
    yield from ((f"/v1/admin/{path}", ["operator", "anna"]) for path in ("rooms?all=true", "log"))
    yield "/v1/rooms/morris?at=9", SOME
    for name, value in names.items():
        word = name.split()[0]
        if word == "room":
            yield from room_paths(value)
        elif word in OF_THING:
            path, parts, viewers = OF_THING[word]
            yield from ((path.format(value) + part, viewers) for part in parts)


def room_paths(room: str) -> Iterator[tuple[str, Iterable[str]]]:
    """Yield every path of a room with the viewers who read it."""
    yield f"/v1/rooms/{room}", [*SOME, "ben"]
    for part in ("/events?limit=1000", "/legal-moves", "/matches", "/chat", "/invitations"):
        yield f"/v1/rooms/{room}{part}", SOME
    yield f"/v1/admin/rooms/{room}", ["operator"]
