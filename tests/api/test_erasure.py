"""Erasure over HTTP: who may ask for it, and what others see."""

import contextlib

import redis

from tests.e2e.client import ApiClient, Player
from tests.store_server import StoreServer
from tests.waiting import wait_for

ERASED = "Erased player"

READS = {
    b"stream": ("XRANGE", "-", "+"),
    b"hash": ("HGETALL",),
    b"string": ("GET",),
    b"zset": ("ZRANGE", 0, -1),
    b"set": ("SMEMBERS",),
}
"""By the type of a key: the command that reads it, and what follows the key."""


def names_in(player: Player, room: str) -> list[str]:
    """Return the nicknames of a room's members."""
    return [member["nickname"] for member in player.read_room(room).body["players"]]


def test_only_the_own_id_is_erased(ada: Player, bob: Player) -> None:
    """Named in the path, because it cannot be undone."""
    for other in (bob.id, "p-nobody"):
        refused = ada.send("DELETE", f"/v1/players/{other}")
        assert (refused.status, refused.code) == (403, "not_you")
    assert bob.get("/v1/players/me").status == 200


def test_an_erased_player_is_gone(client: ApiClient, rooms_store: StoreServer) -> None:
    """From rooms, chats and indexes, for those who watch and those who come later; the match stays."""
    ada, bob = client.guest("Ada of erasure"), client.guest("Bob")
    room = ada.open_room("morris", seats=["me", None], settings={"start": "full"}).body["room"]
    assert bob.command(room, "join").status == 200
    assert ada.post(f"/v1/rooms/{room}/chat", {"text": "remember me"}).status == 201
    assert ada.post("/v1/lobby/chat", {"text": "me, too"}).status == 201
    phone = ada.post("/v1/players/me/tokens", {"name": "phone", "scopes": ["read", "account"]}).body["token"]
    with bob.subscribe(room) as watching, ada.subscribe(room) as own:
        watching.until(lambda frame: frame["type"] == "caught_up")
        assert Player(client, phone).send("DELETE", f"/v1/players/{ada.id}").status == 204
        assert own.close_code() == 4100
        shown = watching.until(lambda frame: frame["type"] == "snapshot")[-1]
        assert "Ada of erasure" not in str(shown)
    for token in (ada.token, phone):
        assert Player(client, token).get("/v1/players/me").status in {401, 403}
    assert names_in(bob, room) == ["Bob"]
    [match] = bob.get(f"/v1/rooms/{room}/matches").body["matches"]
    assert [seat["nickname"] for seat in match["players"]] == [ERASED, "Bob"]
    for chat in (f"/v1/rooms/{room}/chat", "/v1/lobby/chat"):
        [line] = [one for one in bob.get(chat).body["lines"] if one["player"]["id"] == ada.id]
        assert (line["player"]["nickname"], line["text"]) == (ERASED, "")
    events = bob.get(f"/v1/rooms/{room}/events").body["events"]
    joined = [event for event in events if event["type"] == "player_joined"]
    assert [event["nickname"] for event in joined] == [ERASED, "Bob"]
    wait_until_gone(rooms_store, "Ada of erasure", "remember me", "me, too")


def wait_until_gone(store: StoreServer, *texts: str) -> None:
    """Wait until a worker has deleted these texts from the whole store."""
    wait_for(lambda: not stored_of(store, texts), lambda: stored_of(store, texts))


def stored_of(store: StoreServer, texts: tuple[str, ...]) -> list[str]:
    """Return those of some texts that are anywhere in a store."""
    with contextlib.closing(redis.Redis.from_url(store.url, protocol=2)) as connection:
        stored = "".join(content(connection, key) for key in connection.scan_iter(count=1000))
    return [text for text in texts if text in stored]


def content(connection: "redis.Redis", key: bytes) -> str:
    """Return what a key of a store has."""
    kind = connection.type(key)
    assert isinstance(kind, bytes)
    if kind == b"none":  # it has expired meanwhile
        return ""
    return repr(connection.execute_command(*READS[kind][:1], key, *READS[kind][1:]))  # type: ignore[no-untyped-call]  # redis-py doesn't say
