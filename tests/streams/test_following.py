"""Followed streams: what another process writes is known here, whenever its notification comes."""

from typing import Any

from service.people.account_service import NewToken
from service.people.known_tokens import account_key
from tests.rooms.processes import ANNA, Clock, Process, run_pending

ANYTHING = NewToken("bot", ("read",))


async def test_an_append_that_is_announced_during_a_sync_is_read() -> None:
    """The reply that the sync waits for is older than the append."""
    here = Process(Clock())
    there = here.start_another()
    await there.accounts.load(ANNA.id)
    reply = there.store.hold("read")
    first = await here.accounts.make_token(ANNA.id, ANYTHING)
    await reply.reached.wait()
    await here.accounts.revoke_token(ANNA.id, first.id)
    second = await here.accounts.make_token(ANNA.id, ANYTHING)
    await run_pending()
    reply.release()
    await run_pending()
    assert there.accounts.token(ANNA.id, first.id) is None
    assert there.accounts.token(ANNA.id, second.id) == second


async def test_notifications_that_are_known_already_cost_no_request() -> None:
    """Those of a process's own appends, and repeated ones."""
    here = Process(Clock())
    await here.accounts.load(ANNA.id)
    await here.accounts.make_token(ANNA.id, ANYTHING)
    await run_pending()
    here.store.requests.clear()
    key = account_key(ANNA.id)
    [head] = await here.store.heads([key])
    assert head is not None
    on_append: Any = here.store._subscriptions[key]
    here.store._notify(key, head.version, on_append)
    await run_pending()
    assert here.store.requests == ["heads"]
