"""Traces: a span for each command, linked to its caller; system commands are linked to their cause."""

from collections.abc import Iterator

import pytest
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from service.domain.ids import Millis
from service.domain.room.model import commands
from service.runtime import current_operation
from service.runtime.tracing import TRACING, command_span_ids
from tests.rooms.processes import ANNA, BEN, Clock, Process

CALLER = b"00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"


@pytest.fixture
def exporter() -> Iterator[InMemorySpanExporter]:
    """Collect this process's spans."""
    exporter = InMemorySpanExporter()
    TRACING.start(exporter, "tests")
    yield exporter
    TRACING.stop()


async def test_a_stored_command_has_a_span_with_a_derived_id(exporter: InMemorySpanExporter) -> None:
    """Derived from the room and the version; the caller's trace is linked."""
    process = Process(Clock())
    live = await process.start_match(ANNA, BEN)
    current_operation.begin({b"traceparent": CALLER})
    await process.place_man(ANNA, "a1")
    TRACING.stop()
    [*_, span] = exporter.get_finished_spans()
    assert span.name == "play morris"
    assert (span.context.trace_id, span.context.span_id) == command_span_ids(
        live.key.name, live.key.epoch, live.head.version
    )
    assert [f"{link.context.trace_id:032x}" for link in span.links] == ["0af7651916cd43dd8448eb211c80319c"]
    assert (span.end_time or 0) >= (span.start_time or 0) > 0


async def test_a_workers_command_is_linked_to_the_command_that_caused_it(exporter: InMemorySpanExporter) -> None:
    """In another process, which knows only that the room is due."""
    process = Process(Clock())
    live = await process.start_match(ANNA, BEN, restart=1000)
    await process.execute(ANNA, commands.Resign())
    cause = command_span_ids(live.key.name, live.key.epoch, live.head.version)
    process.clock.time = Millis(process.clock.time + 1000)
    await process.start_another().rooms.proceed(live.key)
    TRACING.stop()
    resigned, proceeded = exporter.get_finished_spans()[-2:]
    assert (resigned.name, proceeded.name) == ("resign morris", "proceed morris")
    assert (resigned.context.trace_id, resigned.context.span_id) == cause
    assert [(link.context.trace_id, link.context.span_id) for link in proceeded.links] == [cause]


async def test_a_refused_command_has_a_span_with_its_code(exporter: InMemorySpanExporter) -> None:
    """It is linked to the caller's trace; no other span has its ids, because it led to no version."""
    process = Process(Clock())
    live = await process.start_match(ANNA, BEN)
    current_operation.begin({b"traceparent": CALLER})
    with pytest.raises(Exception, match="not_your_turn"):
        await process.place_man(BEN, "a1")
    TRACING.stop()
    [*others, span] = exporter.get_finished_spans()
    assert span.name == "play morris"
    expected = {"room": live.key.name, "game": "morris", "version": live.head.version, "error.type": "not_your_turn"}
    assert span.attributes == expected
    assert [f"{link.context.trace_id:032x}" for link in span.links] == ["0af7651916cd43dd8448eb211c80319c"]
    assert span.context.span_id not in {other.context.span_id for other in others}
