"""The metrics: events are counted, no one is named, and counting is cheap."""

import contextlib
import http.client
import re
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest
from prometheus_client import REGISTRY, generate_latest
from prometheus_client.parser import text_string_to_metric_families

from service.runtime import metrics, metrics_server
from service.runtime.metrics import LabelledCounter, SecondsHistogram
from service.runtime.settings import release
from tests.e2e.client import ApiClient, fresh_name
from tests.e2e.conftest import StartApi
from tests.e2e.processes import ServiceProcess, run_processes
from tests.e2e.seated_rooms import seat_players
from tests.store_server import StoreServer, free_port
from tests.waiting import PATIENCE, wait_for

LABELS = {"route", "method", "status", "type", "result", "code", "got", "kind", "node", "folder", "le", "version"}
"""All labels; none names a room or a player."""
OF_PYTHON = ("python_", "process_")


def samples(text: str) -> dict[str, float]:
    """Return every sample of an exposition by its name and labels."""
    return {
        sample.name + "".join(f" {label}={value}" for label, value in sorted(sample.labels.items())): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def metrics_of(client: ApiClient) -> dict[str, float]:
    """Return the metrics of a process."""
    return samples(client.anonymous().get("/metrics").content.decode())


def test_commands_problems_and_subscribers_are_counted(start_api: StartApi) -> None:
    """Commands by type and result, problems by code, subscribers by kind, and the duration of appends."""
    _, client = start_api()
    room, (red, _) = seat_players(client, "morris", 2)
    assert red.play(room, {"type": "place", "at": "a1"}, key="k").status == 200
    assert red.play(room, {"type": "place", "at": "a1"}, key="k").status == 200
    assert red.play(room, {"type": "place", "at": "a1"}).status == 409
    with red.subscribe(room, since=1) as feed:
        feed.until(lambda frame: frame["type"] == "caught_up")
        feed.command(room, {"type": "resign"})
        found = metrics_of(client)
    assert found["turnstream_commands_total result=accepted type=play"] == 1
    assert found["turnstream_commands_total result=repeated type=play"] == 1
    assert found["turnstream_commands_total result=refused type=play"] == 1
    assert found["turnstream_commands_total result=accepted type=resign"] == 1
    assert found["turnstream_problems_total code=not_your_turn"] == 1
    assert found["turnstream_followers kind=socket"] == 1
    assert found["turnstream_resumes_total got=events"] == 1
    assert found["turnstream_event_age_seconds_count"] >= 1
    assert found["turnstream_append_seconds_count"] == found["turnstream_append_seconds_bucket le=+Inf"] >= 4
    assert found["turnstream_rooms_in_memory"] == 1
    assert found["turnstream_store_memory_bytes node=0"] > 100_000
    assert found["turnstream_store_writes_ok node=0"] == 1
    assert found["turnstream_queued_frames"] == found["turnstream_longest_queue"] == 0


def test_answers_are_counted_by_route_method_and_class_of_status(start_api: StartApi) -> None:
    """Commands, whichever code answers them, and what is no route; a client cannot choose a label."""
    api, client = start_api()
    room, (red, _) = seat_players(client, "morris", 2)
    plain = red.play(room, {"type": "place", "at": "a1"})
    by_litestar = red.post(f"/v1/rooms/{room}/commands", {"type": "resign"}, {"origin": "https://play.example"})
    again = red.play(room, {"type": "place", "at": "d1"})
    assert [answer.status for answer in (plain, by_litestar, again)] == [200, 200, 409]
    red.read_room(room)
    red.send("HEAD", f"/v1/rooms/{room}")
    client.anonymous().get(f"/v1/rooms/{fresh_name()}")
    for method, path in (("GET", f"/v1/{fresh_name()}"), ("BREW", "/v1/games"), ("GET", "//")):
        with contextlib.closing(http.client.HTTPConnection("127.0.0.1", api.port, timeout=PATIENCE)) as connection:
            connection.request(method, path)
            assert connection.getresponse().status >= 400
    prefix = "turnstream_http_requests_total "
    found = {name.removeprefix(prefix): value for name, value in metrics_of(client).items() if name.startswith(prefix)}
    assert room not in str(found)
    commands = {name: value for name, value in found.items() if name.endswith("commands status=2xx")}
    assert commands == {"method=POST route=/v1/rooms/{room}/commands status=2xx": 3}  # the third one joined
    assert found["method=POST route=/v1/rooms/{room}/commands status=4xx"] == 1
    assert found["method=GET route=/v1/rooms/{room} status=2xx"] == 1
    assert found["method=HEAD route=/v1/rooms/{room} status=2xx"] == 1
    assert found["method=GET route=/v1/rooms/{room} status=4xx"] == 1
    assert found["method=GET route=other status=4xx"] == 2


def test_counters_have_no_second_series(start_api: StartApi) -> None:
    """The library adds the time of creation to each by default."""
    _, client = start_api()
    assert [name for name in metrics_of(client) if "_created" in name] == []


def test_metrics_name_no_room_and_no_player(start_api: StartApi) -> None:
    """Neither a label nor a value is a room's name or a player's id, and all labels are known."""
    _, client = start_api()
    room, (red, _) = seat_players(client, "morris", 2)
    answer = client.anonymous().get("/metrics")
    assert answer.headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8"
    text = answer.content.decode()
    assert room not in text
    assert red.id not in text
    ours = [line for line in text.splitlines() if not line.startswith(("#", *OF_PYTHON))]
    assert {label for line in ours for label in re.findall(r'(\w+)="', line)} <= LABELS


def test_a_worker_serves_its_metrics_on_a_port_of_its_own(
    own_server: StoreServer, start_api: StartApi, tmp_path: Path
) -> None:
    """Including the delay of scheduled actions."""
    port = free_port()
    worker = ServiceProcess("service worker", own_server.url, tmp_path / "worker.log", metrics_port=str(port))
    _, client = start_api()
    with run_processes(worker):
        room, (red, _) = seat_players(client, "morris", 2, settings={"restart": 100})
        red.command(room, "resign")
        wait_for(lambda: red.read_room(room).body["match"]["number"] != 1)
        with urlopen(f"http://127.0.0.1:{port}/metrics", timeout=PATIENCE) as answer:
            found = samples(answer.read().decode())
    assert found["turnstream_commands_total result=accepted type=proceed"] == 1
    assert found["turnstream_due_lateness_seconds_count"] == 1
    assert 0 <= found["turnstream_due_lateness_seconds_sum"] < 15


def test_an_api_process_can_serve_its_metrics_on_a_port_of_its_own(start_api: StartApi) -> None:
    """Then its main port has none, however the path is spelled; without the setting it has them."""
    metrics_port = free_port()
    api, client = start_api(metrics_port=str(metrics_port))
    with urlopen(f"http://127.0.0.1:{metrics_port}/metrics", timeout=PATIENCE) as answer:
        assert "turnstream_rooms_in_memory" in samples(answer.read().decode())
    assert {status_of(api.port, path) for path in SPELLINGS} == {404}
    assert client.anonymous().send("HEAD", "/metrics").status == 404
    assert client.anonymous().get("/health/ready").status == 200
    api, _ = start_api()
    assert status_of(api.port, "/metrics") == 200


SPELLINGS = ("/metrics", "/metrics/", "//metrics", "/%6detrics", "/./metrics", "/metrics?", "/metrics/.", "/%2Fmetrics")


def status_of(port: int, path: str) -> int:
    """Return the status of a path that is sent exactly as spelled."""
    with contextlib.closing(http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)) as connection:
        connection.request("GET", path)
        return connection.getresponse().status


def test_a_log_line_names_request_command_room_seat_and_trace(start_api: StartApi) -> None:
    """A valid id of the caller is in every log line of its request; an invalid one is not."""
    api, client = start_api(log_level="debug")
    room, (red, _) = seat_players(client, "morris", 2)
    move = {"type": "play", "move": {"type": "place", "at": "a1"}}
    trace = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
    red.post(f"/v1/rooms/{room}/commands", move, {"x-request-id": "my-request", "traceparent": trace})
    red.post(f"/v1/rooms/{fresh_name()}/commands", move, {"x-request-id": 'not "plain"'})
    lines = [line for line in api.log.read_text().splitlines() if '"my-request"' in line]
    assert len(lines) == 1
    assert '"command": "play"' in lines[0]
    assert f'"room": "{room}"' in lines[0]
    assert '"seat": 0' in lines[0]
    assert '"trace_id": "0af7651916cd43dd8448eb211c80319c"' in lines[0]
    assert "plain" not in api.log.read_text()


def test_a_counter_counts_by_labels() -> None:
    """A combination that was never counted is missing."""
    counter = LabelledCounter("tests_requests", "The requests of a test.", ("type", "result"))
    try:
        for labels in [("play", "accepted"), ("play", "refused"), ("play", "accepted")]:
            counter.count(*labels)
        [family] = counter.collect()
        exposed = samples(generate_latest(REGISTRY).decode())
    finally:
        REGISTRY.unregister(counter)
    assert (family.name, family.type) == ("tests_requests", "counter")
    assert {name: value for name, value in exposed.items() if name.startswith("tests_requests")} == {
        "tests_requests_total result=accepted type=play": 2,
        "tests_requests_total result=refused type=play": 1,
    }


def test_seconds_are_counted_up_to_their_bounds() -> None:
    """A bound belongs to the values below it; a value above all bounds counts in the last bucket only."""
    waited = SecondsHistogram("tests_waited_seconds", "How long a test waited.", bounds=(0.1, 1.0))
    try:
        for seconds in (0.05, 0.1, 0.5, 7.0):
            waited.observe(seconds)
        [family] = waited.collect()
        exposed = {(sample.name, sample.labels.get("le")): sample.value for sample in family.samples}
    finally:
        REGISTRY.unregister(waited)
    assert {bound: exposed["tests_waited_seconds_bucket", bound] for bound in ("0.1", "1.0", "+Inf")} == {
        "0.1": 2,
        "1.0": 3,
        "+Inf": 4,
    }
    assert exposed["tests_waited_seconds_count", None] == 4
    assert exposed["tests_waited_seconds_sum", None] == pytest.approx(7.65)


def test_a_health_check_on_the_metrics_port_renders_no_metrics(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is requested every few seconds; other paths don't exist."""
    port = free_port()
    server = metrics_server.serve("127.0.0.1", port)
    try:
        with urlopen(f"http://127.0.0.1:{port}/metrics", timeout=PATIENCE) as answer:
            assert b"turnstream_build_info" in answer.read()
        monkeypatch.setattr(metrics, "text", lambda: pytest.fail("the metrics were rendered"))
        with urlopen(f"http://127.0.0.1:{port}/health/live", timeout=PATIENCE) as answer:
            assert (answer.status, answer.read()) == (200, b'{"status":"live","version":"%s"}' % release().encode())
        with pytest.raises(HTTPError, match="404"):
            urlopen(f"http://127.0.0.1:{port}/", timeout=PATIENCE)
    finally:
        server.shutdown()
        server.server_close()
