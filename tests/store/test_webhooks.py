"""The contract of the store, for every kind of store: when webhooks are due."""

from msgspec import UNSET, UnsetType

from service.domain.ids import Millis, PlayerId, Version
from service.store.contract import NOT_BEGUN, Batch, Head, Store
from service.store.stream_keys import KindKey, webhooks_key
from service.streams.processor import WAKES_LATER
from service.workers.claims import LEASE as LONGEST_CLAIM
from tests.store.conftest import Stores, append_events, end_of, entries_after

OWNER = PlayerId("p-anna")
ANNA, HOOKS = KindKey("player", OWNER), webhooks_key(OWNER)
NEVER, NOW, LEASE, LATER = Millis(0), Millis(10_000), Millis(500), Millis(90_000)


async def append(
    store: Store,
    key: KindKey,
    after: Head = NOT_BEGUN,
    due: Millis | UnsetType | None = UNSET,
    wakes: Millis = NEVER,
) -> Head:
    """Append an event, and return the new head."""
    entries = entries_after(after, "happened")
    await store.append(key, after, Batch(entries, due=due, wakes=wakes))
    return end_of(entries)


async def claimed(store: Store, now: int = NOW) -> bool:
    """Claim Anna's webhooks, and return whether they were due; nothing else is."""
    keys = await store.claim_due(Millis(now), LEASE, 10, webhooks=True)
    assert keys in ([], [HOOKS])
    return bool(keys)


async def test_workers_do_not_claim_webhooks(stores: Stores) -> None:
    """And who sends to webhooks claims nothing else."""
    await append(stores.store, HOOKS, due=Millis(1))
    entries = entries_after(NOT_BEGUN, "happened")
    await stores.store.append(KindKey("seeks"), NOT_BEGUN, Batch(entries, due=Millis(1)))
    assert await stores.other.claim_due(NOW, LEASE, 10) == [KindKey("seeks")]
    assert await stores.other.claim_due(NOW, LEASE, 10, webhooks=True) == [HOOKS]
    assert not await claimed(stores.store)
    end = Millis(NOW + LEASE)
    assert await stores.other.worker_store.extend_claim(HOOKS, end, Millis(end + 100))
    assert not await claimed(stores.store, end + 99)
    assert await claimed(stores.store, end + 100)


async def test_an_event_of_their_owner_makes_webhooks_due(stores: Stores) -> None:
    """At once, unless they are due soon: they may be claimed."""
    await append(stores.store, HOOKS, due=LATER)
    head = await append(stores.store, ANNA)
    assert not await claimed(stores.other)
    head = await append(stores.store, ANNA, head, wakes=LATER)
    assert not await claimed(stores.other)
    await append(stores.store, ANNA, head, wakes=Millis(LATER - 1))
    assert await claimed(stores.other, 0)


async def test_players_without_webhooks_have_none_that_are_due(stores: Stores) -> None:
    """An event adds nothing to the due set."""
    await append(stores.store, ANNA, wakes=NOW)
    assert not await claimed(stores.other, LATER)


async def test_webhooks_are_settled_unless_there_is_news(stores: Stores) -> None:
    """Of them or of their owner, from another process: then they are due at once."""
    mine = await append(stores.store, HOOKS, due=NOW)
    assert await claimed(stores.store)
    await stores.store.settle_webhooks(HOOKS, mine.version, Version(0), LATER)
    assert not await claimed(stores.store, LATER - 1)
    owners = await append_events(stores.other, ANNA, NOT_BEGUN, "news")
    await stores.store.settle_webhooks(HOOKS, mine.version, Version(0), LATER)
    assert await claimed(stores.store, 0)
    later = await append(stores.other, HOOKS, mine)
    await stores.store.settle_webhooks(HOOKS, mine.version, owners.version, LATER)
    assert await claimed(stores.store, 0)
    await stores.store.settle_webhooks(HOOKS, later.version, owners.version, None)
    assert not await claimed(stores.store, LATER)


async def test_a_deletion_of_all_removes_webhooks_from_the_due_set(stores: Stores) -> None:
    """By the append itself."""
    head = await append(stores.store, HOOKS, due=NOW)
    await append(stores.store, HOOKS, head, due=None)
    assert not await claimed(stores.store, LATER)


def test_a_claim_is_shorter_than_what_is_near() -> None:
    """So an event does not end the claim of the process that is sending."""
    assert LONGEST_CLAIM < WAKES_LATER
