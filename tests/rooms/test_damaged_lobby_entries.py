"""Cards of the lobby whose bytes are damaged in the store. No digest covers them: events make them again."""

import msgspec
import pytest

from service.rooms.feeds import lobby_cache
from service.rooms.feeds.lobby import Lobby
from service.store.contract import NOT_BEGUN, Batch, LobbyCard
from service.store.lobby_order import member
from service.store.redis.keys import Keys
from service.store.redis.store import RedisStore
from tests.rooms.processes import settle
from tests.rooms.test_lobby import CountingStore, Silence, card_of, room
from tests.store.conftest import happened
from tests.store_server import StoreServer


@pytest.mark.parametrize("damage", [(b'"Room"', b'"Ro\xefm"'), (b'"opened":', b'"opened":999999999999'), (b"}", b"")])
@pytest.mark.parametrize("most", [1, 100])
async def test_a_damaged_card_hides_its_own_room_only(
    monkeypatch: pytest.MonkeyPatch, damage: tuple[bytes, bytes], most: int
) -> None:
    """Whether it is held in memory or read from the store page by page; the room's next card shows it again."""
    store = CountingStore()
    monkeypatch.setattr(lobby_cache, "MOST", most)
    monkeypatch.setattr(lobby_cache, "AT_ONCE", most)
    for number in range(6):
        store.show(number)
    kept = store._lobby[room(3)]
    store._lobby[room(3)] = LobbyCard(kept.opened, kept.data.replace(*damage))
    lobby = Lobby(store, Silence())
    assert [card.room for card in (await lobby.page(None, 10)).cards] == [f"room-{n}" for n in (5, 4, 2, 1, 0)]
    store.show(3)
    await settle()
    assert [card.room for card in (await lobby.page(None, 10)).cards] == [f"room-{n}" for n in (5, 4, 3, 2, 1, 0)]


async def test_a_room_without_its_card_hides_no_other(store_server: StoreServer, redis_store: RedisStore) -> None:
    """The lobby's order and the cards are two keys, and a changed bit may part them."""
    for number in range(3):
        card = card_of(number)
        shown = LobbyCard(card.opened, msgspec.json.encode(card))
        await redis_store.open(room(number), Batch(happened(NOT_BEGUN, "opened"), lobby=shown))
    key = room(1)
    assert store_server.execute("HDEL", Keys(16).partition_of(key.name).cards, member(key)) == 1
    page = await Lobby(redis_store, Silence()).page(None, 10)
    assert [card.room for card in page.cards] == ["room-2", "room-0"]
