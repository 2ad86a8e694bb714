"""The request that is being processed, so that log lines can name it."""

import os
import re
from collections.abc import Callable, Mapping
from contextvars import ContextVar

import msgspec
from structlog.typing import EventDict, WrappedLogger

from service.runtime.tracing import SpanIds

REQUEST_ID = re.compile(rb"[A-Za-z0-9._-]{1,64}")
TRACE_PARENT = re.compile(rb"00-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}")
"""The W3C header `traceparent`: version, trace, span, flags."""


class Switch:
    """Whether something is logged; read for every command, so reading it must be cheap."""

    on = False


COMMAND_LOGGING, ACCESS_LOG = Switch(), Switch()
"""Whether each command, and each request over HTTP, has a line."""


def new_request_id() -> str:
    """Return a random id for a request that has none."""
    return os.urandom(8).hex()


class CurrentRequest(msgspec.Struct):
    """The current request; its headers are parsed only when needed."""

    headers: Mapping[bytes, bytes]
    is_gone: Callable[[], bool] = lambda: False
    """Returns whether its client has disconnected."""
    _id: str = ""

    @property
    def request(self) -> str:
        """The request's id: the client's `X-Request-Id` if it is well-formed, else a generated one."""
        if not self._id:
            named = self.headers.get(b"x-request-id")
            self._id = named.decode() if named and REQUEST_ID.fullmatch(named) else new_request_id()
        return self._id

    @property
    def trace(self) -> SpanIds | None:
        """The client's own trace, if `traceparent` names one."""
        parent = self.headers.get(b"traceparent")
        return parse_traceparent(parent) if parent else None


CURRENT: "ContextVar[CurrentRequest | None]" = ContextVar("doing", default=None)


def begin(headers: Mapping[bytes, bytes], is_gone: Callable[[], bool] = lambda: False) -> None:
    """Set the current request."""
    CURRENT.set(CurrentRequest(headers, is_gone))


def is_client_gone() -> bool:
    """Return whether the client of the current request has disconnected."""
    doing = CURRENT.get()
    return doing is not None and doing.is_gone()


def parse_traceparent(parent: bytes) -> SpanIds | None:
    """Return the span named by `traceparent`, None if it is malformed."""
    named = TRACE_PARENT.fullmatch(parent)
    return named and SpanIds(int(named[1], 16), int(named[2], 16))


def caller_trace() -> tuple[SpanIds, ...]:
    """Return the trace of the current request's client, which a span links to; none without one."""
    doing = CURRENT.get()
    return () if doing is None or doing.trace is None else (doing.trace,)


def request_id() -> str:
    """Return the id of the current request, `""` outside of one."""
    doing = CURRENT.get()
    return doing.request if doing else ""


def add_request(_logger: WrappedLogger, _method: str, event: EventDict) -> EventDict:
    """Add the current request to a log entry, without replacing fields that it has."""
    doing = CURRENT.get()
    if doing is None:
        return event
    if doing.trace is not None:
        event.setdefault("trace_id", f"{doing.trace.trace:032x}")
    event.setdefault("request", doing.request)
    return event
