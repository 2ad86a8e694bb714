"""OpenTelemetry traces, if the operator has configured a collector; without cost otherwise.

The ids of a command's span are derived from the room and the version that it led to. So a process that acts on a room
later, such as a worker, can link to the span of the command that caused it. A client's own trace (`traceparent`) is
linked but not continued, because any client may send one. The store's part of a command is a child span.
"""

import hashlib
import os
import time
from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from opentelemetry.context import Context
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import SpanExporter

ENDPOINTS = ("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT")
"""The standard variables that name a collector; the library reads them, and the other variables of OpenTelemetry."""

Attributes = Mapping[str, str | int]


class SpanIds(NamedTuple):
    """The ids of a trace and of a span in it."""

    trace: int
    span: int


class Span(NamedTuple):
    """A finished span; times in nanoseconds since 1970."""

    name: str
    ids: SpanIds
    links: tuple[SpanIds, ...]
    began: int
    ended: int
    attributes: Attributes
    parent: SpanIds | None = None
    """The parent span, if any."""


class Tracing:
    """Exports spans; switched off at first."""

    def __init__(self) -> None:
        """Export nothing yet."""
        self.on = False
        self._provider: TracerProvider | None = None
        self._next = SpanIds(0, 0)

    def start(self, exporter: "SpanExporter", service: str) -> None:
        """Start to send spans to this exporter, under a service name."""
        from opentelemetry.sdk.resources import Resource  # noqa: PLC0415 - an extra that need not be installed
        from opentelemetry.sdk.trace import TracerProvider  # noqa: PLC0415 - the same
        from opentelemetry.sdk.trace.export import BatchSpanProcessor  # noqa: PLC0415 - the same
        from opentelemetry.sdk.trace.id_generator import IdGenerator  # noqa: PLC0415 - the same

        tracing = self

        class GivenIds(IdGenerator):
            """Gives each span the ids that were chosen for it."""

            def generate_trace_id(self) -> int:
                """Return the trace id of the span being recorded."""
                return tracing._next.trace

            def generate_span_id(self) -> int:
                """Return the id of the span being recorded."""
                return tracing._next.span

        self._provider = TracerProvider(
            resource=Resource.create({"service.name": os.environ.get("OTEL_SERVICE_NAME", service)}),
            id_generator=GivenIds(),
            shutdown_on_exit=False,
        )
        self._provider.add_span_processor(BatchSpanProcessor(exporter))
        self.on = True

    def record(self, span: Span) -> None:
        """Record a finished span."""
        from opentelemetry.trace import Link, SpanContext  # noqa: PLC0415 - as in start

        if self._provider is None:
            return
        links = [Link(SpanContext(ids.trace, ids.span, is_remote=True)) for ids in span.links]
        self._next = span.ids
        recorded = self._provider.get_tracer("turnstream").start_span(
            span.name, parent_context(span.parent), links=links, start_time=span.began, attributes=span.attributes
        )
        recorded.end(span.ended)

    def stop(self) -> None:
        """Export pending spans, then switch off."""
        self.on = False
        if self._provider is not None:
            self._provider.shutdown()
            self._provider = None


TRACING = Tracing()
"""This process's traces."""


def parent_context(parent: SpanIds | None) -> "Context":
    """Return the OpenTelemetry context of a parent span, an empty one without a parent."""
    from opentelemetry.context import Context  # noqa: PLC0415 - as in start
    from opentelemetry.trace import NonRecordingSpan, SpanContext, TraceFlags, set_span_in_context  # noqa: PLC0415 - as in start

    if parent is None:
        return Context()
    place = SpanContext(parent.trace, parent.span, is_remote=False, trace_flags=TraceFlags(TraceFlags.SAMPLED))
    return set_span_in_context(NonRecordingSpan(place), Context())


def record_append(room: str, epoch: str, version: int, seconds: float) -> None:
    """Record how long the store took for the append that led to this version, as a child of the command's span."""
    parent, ended = command_span_ids(room, epoch, version), time.time_ns()
    part = hashlib.blake2b(parent.span.to_bytes(8, "big"), digest_size=8, person=b"append").digest()
    ids = SpanIds(parent.trace, int.from_bytes(part, "big"))
    attributes: Attributes = {"room": room, "version": version}
    TRACING.record(Span("append", ids, (), ended - int(seconds * 1e9), ended, attributes, parent))


def new_span_ids() -> SpanIds:
    """Return random ids, for a span that nobody has to find."""
    return SpanIds(int.from_bytes(os.urandom(16), "big"), int.from_bytes(os.urandom(8), "big"))


def command_span_ids(room: str, epoch: str, version: int) -> SpanIds:
    """Return the ids of the span of the command that led to this version of a room."""
    digest = hashlib.blake2b(f"{room}:{epoch}:{version}".encode(), digest_size=24, person=b"traces").digest()
    return SpanIds(int.from_bytes(digest[:16], "big"), int.from_bytes(digest[16:], "big"))


def start_export(url: str, service: str) -> None:
    """Send spans to a collector by OTLP over HTTP, if there is a URL or one of `ENDPOINTS`.

    Raises `ImportError` without the extra `otel`.
    """
    if not (url or any(map(os.environ.get, ENDPOINTS))):
        return
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter  # noqa: PLC0415 - as in start

    TRACING.start(OTLPSpanExporter(endpoint=url or None), service)
