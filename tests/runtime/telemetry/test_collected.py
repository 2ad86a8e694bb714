"""The spans that a collector receives from a real API process and a real worker."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

from service.runtime.tracing import SpanIds, command_span_ids
from tests.e2e.client import Feed
from tests.e2e.conftest import StartApi
from tests.e2e.processes import ServiceProcess, run_processes
from tests.store_server import StoreServer


class Collector(ThreadingHTTPServer):
    """Receives spans by OTLP over HTTP, and stores them with the names of their services."""

    def __init__(self) -> None:
        """Listen on a free port."""
        super().__init__(("127.0.0.1", 0), Delivery)
        self.spans: list[tuple[str, Any]] = []

    @property
    def url(self) -> str:
        """The URL for spans."""
        return f"http://127.0.0.1:{self.server_address[1]}/v1/traces"

    def named(self, name: str) -> tuple[str, Any]:
        """Return the only span of this name, and its process."""
        [found] = [(service, span) for service, span in self.spans if span.name == name]
        return found


class Delivery(BaseHTTPRequestHandler):
    """The delivery of some spans."""

    server: Collector

    def do_POST(self) -> None:
        """Store the spans."""
        request = ExportTraceServiceRequest.FromString(self.rfile.read(int(self.headers["content-length"])))
        for resource in request.resource_spans:
            [service] = [it.value.string_value for it in resource.resource.attributes if it.key == "service.name"]
            self.server.spans += [(service, span) for scope in resource.scope_spans for span in scope.spans]
        self.send_response(200)
        self.end_headers()

    def log_message(self, *_args: object) -> None:
        """Log nothing."""


@contextmanager
def collecting() -> Iterator[Collector]:
    """Run a collector."""
    with Collector() as collector:
        thread = threading.Thread(target=collector.serve_forever)
        thread.start()
        try:
            yield collector
        finally:
            collector.shutdown()
            thread.join()


def place(span: Any) -> SpanIds:
    """Return a span's trace and itself."""
    return SpanIds(int.from_bytes(span.trace_id, "big"), int.from_bytes(span.span_id, "big"))


def attributes_of(span: Any) -> dict[str, Any]:
    """Return a span's attributes."""
    return {each.key: getattr(each.value, each.value.WhichOneof("value")) for each in span.attributes}


def until_version(feed: Feed, version: int) -> None:
    """Read until the room has this version."""
    feed.until(lambda frame: frame["type"] == "update" and frame["version"] >= version)


def test_a_workers_span_is_linked_to_the_command_that_caused_it_and_an_append_is_within_its_command(
    own_server: StoreServer, start_api: StartApi, tmp_path: Path
) -> None:
    """The bot moves in another process, which receives nothing of the command's span."""
    with collecting() as collector:
        api, client = start_api(traces=collector.url)
        worker = ServiceProcess("service worker", own_server.url, tmp_path / "log", traces=collector.url, thinkers="1")
        with run_processes(worker):
            ada = client.guest("Ada")
            settings = {"bot_pause": 0, "visibility": "unlisted"}
            opened = ada.open_room("morris", seats=["me", {"bot": "easy"}], settings=settings).body
            room, epoch = opened["room"], ada.read_room(opened["room"]).body["epoch"]
            with ada.subscribe(room) as feed:
                feed.until(lambda frame: frame["type"] == "caught_up")
                played = ada.play(room, {"type": "place", "at": "a1"}).body
                until_version(feed, played["version"] + 1)
        api.stop()
        assert worker.exit_code == api.exit_code == 0
        opening, played_span, bot_span = (collector.named(f"{kind} morris") for kind in ("open", "play", "play_for"))
        assert [service for service, _ in (opening, played_span, bot_span)] == ["turnstream-api"] * 2 + [
            "turnstream-worker"
        ]
        assert place(played_span[1]) == command_span_ids(room, epoch, played["version"])
        assert [place(link) for link in bot_span[1].links] == [place(played_span[1])]
        answered = {span.name: attributes_of(span) for _, span in collector.spans if span.name.startswith("POST ")}
        assert {name: found["http.response.status_code"] for name, found in answered.items()} == {
            "POST /v1/players": 201,
            "POST /v1/rooms": 201,
            "POST /v1/rooms/{room}/commands": 200,
        }
        appends = {
            (service, it.trace_id, it.parent_span_id): it for service, it in collector.spans if it.name == "append"
        }
        for service, whole in (opening, played_span, bot_span):
            part = appends[service, whole.trace_id, whole.span_id]
            took = part.end_time_unix_nano - part.start_time_unix_nano
            assert 0 < took <= whole.end_time_unix_nano - whole.start_time_unix_nano
        assert len({it.span_id for _, it in collector.spans}) == len(collector.spans)


def test_the_standard_variables_name_collector_and_service(
    start_api: StartApi, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without a setting; the path is added to the endpoint, as their specification says."""
    with collecting() as collector:
        monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", collector.url.removesuffix("/v1/traces"))
        monkeypatch.setenv("OTEL_SERVICE_NAME", "games")
        api, client = start_api()
        client.guest("Ada").open_room("morris")
        api.stop()
        assert api.exit_code == 0
        assert collector.named("open morris")[0] == "games"
