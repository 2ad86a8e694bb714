"""What this process is doing right now, so that every log line can say it."""

import re
import secrets
from collections.abc import Callable, Mapping
from contextvars import ContextVar
from functools import cached_property
from itertools import count

import msgspec
from structlog.typing import EventDict, WrappedLogger

from service.telemetry.tracing import Ids

REQUEST_ID = re.compile(rb"[A-Za-z0-9._-]{1,64}")
TRACE_PARENT = re.compile(rb"00-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}")
"""The W3C's header: version, trace, span, flags."""


class Detail:
    """Whether the log wants a line for each command; asked at every one, so it has to cost nothing."""

    on = False


DETAIL = Detail()

PROCESS = secrets.token_hex(4)
NUMBERS = count(1)


def is_here() -> bool:
    """Return that a client has not hung up, where nobody can say."""
    return False


class Doing(msgspec.Struct, dict=True):
    """The request at hand; its headers are looked into when somebody asks."""

    headers: Mapping[bytes, bytes]
    is_gone: Callable[[], bool] = is_here
    """Whether its client has hung up."""

    @cached_property
    def request(self) -> str:
        """The request's id: the caller's `X-Request-Id` where that is plain."""
        named = self.headers.get(b"x-request-id")
        return named.decode() if named and REQUEST_ID.fullmatch(named) else f"{PROCESS}-{next(NUMBERS)}"

    @cached_property
    def trace(self) -> Ids | None:
        """The caller's own trace, where `traceparent` names one."""
        parent = self.headers.get(b"traceparent")
        return traced(parent) if parent else None


CURRENT: "ContextVar[Doing | None]" = ContextVar("doing", default=None)


def begin(headers: Mapping[bytes, bytes], is_gone: Callable[[], bool] = is_here) -> None:
    """Begin a request."""
    CURRENT.set(Doing(headers, is_gone))


def has_gone() -> bool:
    """Return whether whoever sent the request at hand has hung up."""
    doing = CURRENT.get()
    return doing is not None and doing.is_gone()


def traced(parent: bytes) -> Ids | None:
    """Return the caller's trace as `traceparent` names it, None where it isn't readable."""
    named = TRACE_PARENT.fullmatch(parent)
    return named and Ids(int(named[1], 16), int(named[2], 16))


def current() -> Doing | None:
    """Return what is being done, None outside of any request."""
    return CURRENT.get()


def request_id() -> str:
    """Return the id of the request at hand, nothing outside of any."""
    doing = CURRENT.get()
    return doing.request if doing else ""


def with_doing(_logger: WrappedLogger, _method: str, event: EventDict) -> EventDict:
    """Add what is being done to a log line; what the line says itself counts more."""
    doing = CURRENT.get()
    if doing is None:
        return event
    if doing.trace is not None:
        event.setdefault("trace_id", f"{doing.trace.trace:032x}")
    event.setdefault("request", doing.request)
    return event
