"""Erasure over HTTP: who may ask for it, and what others see."""

import time

from tests.e2e.client import PATIENCE, ApiClient, Player
from tests.store_server import StoreServer

ERASED = "Erased player"


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
    deadline = time.monotonic() + PATIENCE
    while left := [text for text in texts if is_stored(store, text)]:
        assert time.monotonic() < deadline, left
        time.sleep(0.2)


def is_stored(store: StoreServer, text: str) -> bool:
    """Return whether a text is anywhere in a store."""
    return any(text.encode() in content(store, key) for key in store.execute("KEYS", "*"))


def content(store: StoreServer, key: bytes) -> bytes:
    """Return what a key of a store has."""
    match store.execute("TYPE", key):
        case b"none" | "none":  # it has expired meanwhile
            return b""
        case b"stream" | "stream":
            return repr(store.execute("XRANGE", key, "-", "+")).encode()
        case b"hash" | "hash":
            return repr(store.execute("HGETALL", key)).encode()
        case b"string" | "string":
            return bytes(store.execute("GET", key))
        case b"zset" | "zset":
            return repr(store.execute("ZRANGE", key, 0, -1)).encode()
        case b"set" | "set":
            return repr(store.execute("SMEMBERS", key)).encode()
    raise NotImplementedError(store.execute("TYPE", key))
