"""Which tokens are accepted, and that the others are counted with the reason."""

import gc
import sys
from collections.abc import Callable

import pytest
from prometheus_client import REGISTRY

from service.api.http.callers import Callers, Connections
from service.api.http.tokens import Tokens
from service.domain.ids import Millis
from service.people.account_service import NewToken
from service.rooms.access.audit_log import Moderation
from service.streams.errors import ServiceError
from tests.rooms.processes import ANNA, Clock, Process


def counted(reason: str) -> float:
    """Return how many tokens were refused for a reason."""
    return REGISTRY.get_sample_value("turnstream_tokens_refused_total", {"reason": reason}) or 0.0


def appended(event: str) -> float:
    """Return how many events of a type accounts have got."""
    labels = {"stream": "account", "event": event}
    return REGISTRY.get_sample_value("turnstream_stream_events_total", labels) or 0.0


async def test_tokens_that_are_made_revoked_and_refused_are_counted() -> None:
    """A token of nobody is invalid, one that was revoked or has expired has ended, a guest's can be replaced."""
    process = Process(Clock())
    tokens, accounts = Tokens(b"tokens"), process.accounts
    callers = Callers(tokens, accounts, Moderation(), Connections(process.clock.now))
    before = {event: appended(event) for event in ("token_made", "token_revoked")}
    short = await accounts.make_token(ANNA.id, NewToken("short", ("read",), Millis(process.clock.time + 1000)))
    revoked = await accounts.make_token(ANNA.id, NewToken("phone", ("read",)))
    await accounts.load(ANNA.id)
    guest, ended = tokens.signed(ANNA).encode(), tokens.named(ANNA, revoked.id).encode()
    expired = tokens.named(ANNA, short.id).encode()
    for accepted in (guest, ended, expired):
        assert callers.of_token(accepted).player.id == ANNA.id
    caller = callers.of_token(ended)
    await accounts.revoke_token(ANNA.id, revoked.id)
    process.clock.time = Millis(process.clock.time + 1000)
    await accounts.replaced.record(ANNA.id)
    check_refused("ended", lambda: callers.of_token(ended))
    check_refused("ended", lambda: callers.check(caller))
    check_refused("ended", lambda: callers.of_token(expired))
    check_refused("replaced", lambda: callers.of_token(guest))
    check_refused("invalid", lambda: callers.of_token(b"t1.nobody"))
    assert {event: appended(event) - count for event, count in before.items()} == {"token_made": 2, "token_revoked": 1}


def test_a_token_that_is_too_long_is_not_kept() -> None:
    """A client cannot fill the memory with invalid tokens."""
    process = Process(Clock())
    callers = Callers(Tokens(b"tokens"), process.accounts, Moderation(), Connections(process.clock.now))
    token = b"g." + b"a" * 60_000
    before = sys.getrefcount(token)
    check_refused("invalid", lambda: callers.of_token(token))
    gc.collect()  # the exception and its traceback
    assert sys.getrefcount(token) == before


def check_refused(reason: str, use: Callable[[], object]) -> None:
    """Check that a token is refused and counted."""
    before = counted(reason)
    with pytest.raises(ServiceError, match="unauthenticated"):
        use()
    assert counted(reason) == before + 1
