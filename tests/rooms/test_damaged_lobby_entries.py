"""Lobby entries whose bytes are damaged in the store. They have no digest, because events can recreate them."""

import msgspec
import pytest

from service.rooms.feeds import lobby_cache
from service.rooms.feeds.lobby import Lobby
from service.store.contract import NOT_BEGUN, Batch, LobbyRow
from service.store.redis.keys import Keys
from service.store.redis.store import RedisStore
from service.store.stream_keys import member
from tests.rooms.processes import NOON, run_pending
from tests.rooms.test_lobby import CountingStore, NoChat, entry_of, room
from tests.store.conftest import entries_after
from tests.store_server import StoreServer


@pytest.mark.parametrize("damage", [(b'"Room"', b'"Ro\xefm"'), (b'"opened":', b'"opened":999999999999'), (b"}", b"")])
@pytest.mark.parametrize("most", [1, 100])
async def test_a_damaged_entry_hides_its_own_room_only(
    monkeypatch: pytest.MonkeyPatch, damage: tuple[bytes, bytes], most: int
) -> None:
    """Whether it is cached or read from the store page by page; the room's next entry shows it again."""
    store = CountingStore()
    monkeypatch.setattr(lobby_cache, "CACHED_ROOMS", most)
    monkeypatch.setattr(lobby_cache, "PAGE", most)
    for number in range(6):
        store.show(number)
    original = store._lobby[room(3)]
    store._lobby[room(3)] = LobbyRow(original.opened, original.data.replace(*damage))
    lobby = Lobby(store, NoChat(), lambda: NOON)
    assert [card.room for card in (await lobby.page(None, 10)).entries] == [f"room-{n}" for n in (5, 4, 2, 1, 0)]
    store.show(3)
    await run_pending()
    assert [card.room for card in (await lobby.page(None, 10)).entries] == [f"room-{n}" for n in (5, 4, 3, 2, 1, 0)]


async def test_a_missing_entry_hides_no_other_room(store_server: StoreServer, redis_store: RedisStore) -> None:
    """The order of the lobby and its entries are two keys, and a changed bit may make them differ."""
    for number in range(3):
        card = entry_of(number)
        shown = LobbyRow(card.opened, msgspec.json.encode(card))
        await redis_store.append(
            room(number), NOT_BEGUN, Batch(name="claim", entries=entries_after(NOT_BEGUN, "opened"), lobby=shown)
        )
    key = room(1)
    assert store_server.execute("HDEL", Keys(16).partition_of(key.name).lobby_entries, member(key)) == 1
    page = await Lobby(redis_store, NoChat(), lambda: NOON).page(None, 10)
    assert [card.room for card in page.entries] == ["room-2", "room-0"]
