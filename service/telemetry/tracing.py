"""OpenTelemetry traces, where the operator names a collector; without one nothing here costs anything.

The span of a command that was stored has ids that follow from the room and the version that it led to. So whoever acts
on a room later, such as a worker, links to the span of the command that caused it without being told: the ids are known
from the room. A caller's own trace (`traceparent`) is linked too, not continued, for anybody may send one. What the
store took of a command is a span within the command's.
"""

import hashlib
import time
from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from opentelemetry.context import Context
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import SpanExporter

Attributes = Mapping[str, str | int]


class Ids(NamedTuple):
    """A span's place: its trace and itself, as numbers."""

    trace: int
    span: int


class Span(NamedTuple):
    """What is told of something that is over; moments in nanoseconds since 1970."""

    name: str
    ids: Ids
    links: tuple[Ids, ...]
    began: int
    ended: int
    attributes: Attributes
    whole: Ids | None = None
    """The span that this one is a part of."""


class Tracing:
    """Where spans go. Begins switched off."""

    def __init__(self) -> None:
        """Tell nobody."""
        self.on = False
        self._provider: TracerProvider | None = None
        self._next = Ids(0, 0)

    def start(self, exporter: "SpanExporter", service: str) -> None:
        """Tell this exporter from now on, in the name of a service."""
        from opentelemetry.sdk.resources import Resource  # noqa: PLC0415 - an extra that need not be installed
        from opentelemetry.sdk.trace import TracerProvider  # noqa: PLC0415 - the same
        from opentelemetry.sdk.trace.export import BatchSpanProcessor  # noqa: PLC0415 - the same
        from opentelemetry.sdk.trace.id_generator import IdGenerator  # noqa: PLC0415 - the same

        tracing = self

        class GivenIds(IdGenerator):
            """Gives each span the ids that it was told with."""

            def generate_trace_id(self) -> int:
                """Return the trace of the span that is being told."""
                return tracing._next.trace

            def generate_span_id(self) -> int:
                """Return the span that is being told."""
                return tracing._next.span

        self._provider = TracerProvider(
            resource=Resource.create({"service.name": service}), id_generator=GivenIds(), shutdown_on_exit=False
        )
        self._provider.add_span_processor(BatchSpanProcessor(exporter))
        self.on = True

    def tell(self, span: Span) -> None:
        """Tell of something that is over."""
        from opentelemetry.trace import Link, SpanContext  # noqa: PLC0415 - as in start

        if self._provider is None:
            return
        links = [Link(SpanContext(ids.trace, ids.span, is_remote=True)) for ids in span.links]
        self._next = span.ids
        told = self._provider.get_tracer("turnstream").start_span(
            span.name, within(span.whole), links=links, start_time=span.began, attributes=span.attributes
        )
        told.end(span.ended)

    def stop(self) -> None:
        """Send what still waits, then tell nobody any more."""
        self.on = False
        if self._provider is not None:
            self._provider.shutdown()
            self._provider = None


TRACING = Tracing()
"""This process's traces."""


def within(whole: Ids | None) -> "Context":
    """Return what makes a span a part of another one, or of none."""
    from opentelemetry.context import Context  # noqa: PLC0415 - as in start
    from opentelemetry.trace import NonRecordingSpan, SpanContext, TraceFlags, set_span_in_context  # noqa: PLC0415 - as in start

    if whole is None:
        return Context()
    place = SpanContext(whole.trace, whole.span, is_remote=False, trace_flags=TraceFlags(TraceFlags.SAMPLED))
    return set_span_in_context(NonRecordingSpan(place), Context())


def tell_append(room: str, epoch: str, version: int, seconds: float) -> None:
    """Tell how long the store took to keep the command that led to this version, as a part of the command's span."""
    whole, ended = ids_of(room, epoch, version), time.time_ns()
    part = hashlib.blake2b(whole.span.to_bytes(8, "big"), digest_size=8, person=b"append").digest()
    ids = Ids(whole.trace, int.from_bytes(part, "big"))
    told: Attributes = {"room": room, "version": version}
    TRACING.tell(Span("append", ids, (), ended - int(seconds * 1e9), ended, told, whole))


def ids_of(room: str, epoch: str, version: int) -> Ids:
    """Return the ids of the span of the command that led to this version of a room."""
    digest = hashlib.blake2b(f"{room}:{epoch}:{version}".encode(), digest_size=24, person=b"traces").digest()
    return Ids(int.from_bytes(digest[:16], "big"), int.from_bytes(digest[16:], "big"))


def start_sending(url: str, service: str) -> None:
    """Send spans to a collector by OTLP over HTTP. Raises `ImportError` where the extra `otel` isn't installed."""
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter  # noqa: PLC0415 - as in start

    TRACING.start(OTLPSpanExporter(endpoint=url), service)
