"""`turnstream up` with real processes: a small server as the API, a real store, real signals."""

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path

import msgspec
import pytest

from service.programs import embedded_store, restarts, supervisor
from service.programs.embedded_store import is_free, server_binary
from service.programs.supervisor import UpPlan, requests_to_stop, run_up
from tests.waiting import PATIENCE

pytestmark = pytest.mark.skipif(server_binary() is None, reason="no store server on this machine")

API = """
import http.server, os, signal, sys
import redis
from redis.backoff import NoBackoff
from redis.retry import Retry
from service.programs.supervisor import leave_with_parent

store = redis.Redis.from_url(os.environ["TURNSTREAM_REDIS_URL"], retry=Retry(NoBackoff(), 0))

def read():
    try:
        return store.get("room") or b"lost"
    except redis.RedisError:
        return b"away"

class Answers(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(int(os.environ.get("READY_STATUS", "200")))
        self.end_headers()
        self.wfile.write(str(os.getpid()).encode())
        if self.path == "/die":
            os.kill(os.getpid(), signal.SIGKILL)
        if self.path == "/write":
            store.set("room", "kept")
        if self.path == "/read":
            self.wfile.write(read())
    def log_message(self, *_):
        pass

def leave(*_):
    os.write(1, b"api leaves\\n")
    os._exit(0)

signal.signal(signal.SIGTERM, leave)
leave_with_parent()
http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Answers).serve_forever()
"""

WORKER = """
import os, signal
from service.programs.supervisor import leave_with_parent

def leave(*_):
    os.write(1, b"worker leaves\\n")
    os._exit(0)

signal.signal(signal.SIGTERM, leave)
leave_with_parent()
os.write(1, b"worker works\\n")
while True:
    signal.pause()
"""

STUBBORN = """
import os, signal
signal.signal(signal.SIGTERM, lambda *_: os.write(1, b"worker refuses\\n"))
os.write(1, b"worker works\\n")
while True:
    signal.pause()
"""

FORK_SERVER = """
import sys
from service.runtime.fork_server import forked

given = forked(int(sys.argv[1]))
if given is not None:
    sys.argv = list(given.arguments)
    exec(given.arguments[0], {})
"""

UP = """
import signal, sys
import msgspec
from service.programs.supervisor import UpPlan, run_up
signal.signal(signal.SIGHUP, signal.SIG_DFL)  # the tests themselves may run under nohup
sys.exit(run_up(msgspec.json.decode(sys.argv[1], type=UpPlan, dec_hook=lambda kind, text: kind(text))))
"""


class UpProcess:
    """A process with `run_up`, and the lines of its output."""

    def __init__(self, plan: UpPlan) -> None:
        """Start the process."""
        self.plan = plan
        command = [sys.executable, "-c", UP, msgspec.json.encode(plan, enc_hook=str).decode()]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.lines: list[str] = []

    def wait_for_lines(self, *lines: str) -> None:
        """Read the output until it has each of these lines, in any order."""
        assert self.process.stdout is not None
        awaited = set(lines)
        while awaited:
            line = self.process.stdout.readline()
            assert line, f"it ended without {awaited}: {self.lines}"
            self.lines.append(line.rstrip())
            awaited.discard(line.rstrip())

    def get(self, path: str) -> str:
        """Return the API's response."""
        connection = HTTPConnection("127.0.0.1", self.plan.port, timeout=PATIENCE)
        connection.request("GET", path)
        answer = connection.getresponse().read().decode()
        connection.close()
        return answer

    def end(self) -> int:
        """Read to the end and return the exit code."""
        assert self.process.stdout is not None
        self.lines += self.process.stdout.read().splitlines()
        return self.process.wait()


@contextmanager
def up(plan: UpPlan) -> Iterator[UpProcess]:
    """Run the plan in a process of its own; at the end, it and its children are gone."""
    running = UpProcess(plan)
    with running.process:
        try:
            yield running
        finally:
            running.process.send_signal(signal.SIGINT)
            running.process.send_signal(signal.SIGTERM)


@pytest.fixture
def plan(tmp_path: Path) -> UpPlan:
    """Return a plan with an API and a worker on a free port."""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port: int = probe.getsockname()[1]
    return UpPlan(
        data=tmp_path / "data",
        host="127.0.0.1",
        port=port,
        metrics_ports=(),
        fork_server=(sys.executable, "-c", FORK_SERVER),
        children=(("api", (API, str(port))), ("worker", (WORKER,))),
        environment={},
        examples=("curl an-example",),
    )


def assert_nothing_is_left(plan: UpPlan) -> None:
    """Nothing listens on the port, and the data folder is not locked."""
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", plan.port))
    assert is_free(plan.data / "store.lock")
    assert is_free(plan.data / "up.lock")


def test_the_banner_has_the_address_and_commands_to_try(plan: UpPlan) -> None:
    """It is printed when the service is ready, not before."""
    with up(plan) as running:
        running.wait_for_lines("Turnstream is up.", "    curl an-example")
        assert f"  Play      http://127.0.0.1:{plan.port}/" in running.lines
        assert f"  API docs  http://127.0.0.1:{plan.port}/docs" in running.lines


@pytest.mark.parametrize("request_to_stop", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_stops_all_processes_in_order_with_exit_code_0(plan: UpPlan, request_to_stop: signal.Signals) -> None:
    """The API drains while the worker still runs; the store is stopped last."""
    with up(plan) as running:
        running.wait_for_lines("Turnstream is up.", "worker works")
        running.process.send_signal(request_to_stop)
        assert running.end() == 0
    assert running.lines[-4:] == [
        "Stopping. Press Ctrl-C again to stop immediately.",
        "api leaves",
        "worker leaves",
        "Stopped.",
    ]
    assert_nothing_is_left(plan)


def test_under_nohup_the_end_of_the_terminal_is_ignored() -> None:
    """With nohup it has to outlive the terminal."""
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with requests_to_stop() as requests:
            signal.raise_signal(signal.SIGHUP)
            assert requests.count == 0
    finally:
        signal.signal(signal.SIGHUP, before)


def test_rooms_are_there_at_the_next_start(plan: UpPlan) -> None:
    """The children find the store by their environment, and the store its folder."""
    with up(plan) as running:
        running.wait_for_lines("Turnstream is up.")
        running.get("/write")
        running.process.send_signal(signal.SIGINT)
        assert running.end() == 0
    with up(plan) as running:
        running.wait_for_lines("Turnstream is up.")
        assert running.get("/read").endswith("kept")


def test_when_the_parent_is_killed_the_children_exit_and_the_next_start_has_the_data(plan: UpPlan) -> None:
    """Kill -9 closes the lifeline; the store that still runs is stopped by the next start."""
    with up(plan) as running:
        running.wait_for_lines("Turnstream is up.", "worker works")
        running.get("/write")
        running.process.kill()
        running.wait_for_lines("api leaves", "worker leaves")
    with up(plan) as running:
        running.wait_for_lines("Stopping the store that an earlier start left running.", "Turnstream is up.")
        assert running.get("/read").endswith("kept")
        running.process.send_signal(signal.SIGINT)
        assert running.end() == 0
    assert_nothing_is_left(plan)


def test_a_child_that_dies_is_restarted_and_reported_in_one_line(plan: UpPlan) -> None:
    """The others continue."""
    with up(plan) as running:
        running.wait_for_lines("Turnstream is up.", "worker works")
        before = running.get("/who")
        running.get("/die")
        running.wait_for_lines("api was ended by SIGKILL; starting it again in 0.5 s.")
        while (after := get_until_answered(running)) == before:
            pass
        running.process.send_signal(signal.SIGINT)
        assert running.end() == 0
    assert running.lines.count("worker works") == 1
    assert after != before


def get_until_answered(running: UpProcess) -> str:
    """Repeat the request until the API answers again."""
    while True:
        try:
            return running.get("/who")
        except ConnectionError:
            continue


def test_a_fork_server_that_dies_is_restarted_with_its_children(plan: UpPlan) -> None:
    """No one would be notified of their end, so they are killed."""
    with up(plan) as running:
        running.wait_for_lines("Turnstream is up.", "worker works")
        before = int(running.get("/who"))
        os.kill(parent_of(before), signal.SIGKILL)
        running.wait_for_lines("fork server was ended by SIGKILL; starting it again in 0.5 s.", "worker works")
        while (after := int(get_until_answered(running))) == before:
            pass
        assert parent_of(after) != parent_of(os.getpid())
        running.process.send_signal(signal.SIGINT)
        assert running.end() == 0
    assert_nothing_is_left(plan)


def parent_of(process: int) -> int:
    """Return the parent of a process."""
    return int(Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[1])


def test_processes_share_what_the_fork_server_has_imported_and_nothing_else(plan: UpPlan) -> None:
    """Each leads its own session, has an empty standard input, and the default signal handlers."""
    seen = "import os, signal, sys; print(os.getsid(0) == os.getpid(), repr(sys.stdin.read()), "
    seen += "*(signal.getsignal(end).name for end in (signal.SIGTERM, signal.SIGCHLD)), flush=True); signal.pause()"
    children = (plan.children[0], ("worker", (seen,)))
    with up(msgspec.structs.replace(plan, children=children)) as running:
        running.wait_for_lines("True '' SIG_DFL SIG_DFL")


def test_the_supervisor_imports_nothing_of_the_service_that_it_starts() -> None:
    """That would need the memory of another process, and a second of CPU time at each start."""
    up = "service.__main__, service.programs.standalone_program"
    program = f"import sys; own = {{*sys.modules}}; import {up}; print(*{{*sys.modules}} - own)"
    loaded = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout.split()
    packages = {name.partition(".")[0] for name in loaded} - sys.stdlib_module_names
    assert {name for name in packages if not name.startswith("_")} <= {
        "service",
        "msgspec",
        "hiredis",
        "typing_extensions",
    }
    assert not {"service.wiring", "service.serving", "service.rooms", "service.api", "asyncio"} & set(loaded)


def test_what_serves_does_not_import_what_only_the_pairing_process_needs() -> None:
    """Each process would need 11 MB more, and a tenth of a second at its start."""
    program = "import sys, service.serving; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout.split()
    assert "service.contests.pairing.process" in loaded
    assert "networkx" not in loaded


def test_a_store_that_dies_is_restarted_with_its_data(plan: UpPlan) -> None:
    """The service continues."""
    with up(plan) as running:
        running.wait_for_lines("Turnstream is up.")
        running.get("/write")
        os.kill(int((plan.data / "store.pid").read_text()), signal.SIGKILL)
        running.wait_for_lines(
            f"store was ended by SIGKILL, see {plan.data.resolve()}/store.log; starting it again in 0.5 s."
        )
        while not (answer := running.get("/read")).endswith("kept"):
            assert answer.endswith("away")
        running.process.send_signal(signal.SIGINT)
        assert running.end() == 0
    assert_nothing_is_left(plan)


def test_a_child_that_always_dies_young_ends_the_service(
    plan: UpPlan, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """It is restarted with growing pauses; then the service ends with the reason and an exit code other than 0."""
    monkeypatch.setattr(restarts, "YOUNG_DEATHS", 2)
    children = (plan.children[0], ("worker", ("raise SystemExit(3)",)))
    assert run_up(msgspec.structs.replace(plan, children=children)) == 1
    printed = capfd.readouterr()
    assert "worker exited with code 3; starting it again in 0.5 s.\n" in printed.out
    assert "turnstream: worker exited with code 3 soon after its start, 2 times in a row." in printed.err
    assert_nothing_is_left(plan)


def test_a_service_that_never_gets_ready_is_ended(plan: UpPlan, capfd: pytest.CaptureFixture[str]) -> None:
    """With any other status than 200 it is not ready."""
    unready = msgspec.structs.replace(plan, environment={"READY_STATUS": "503"}, ready_within=1.0)
    assert run_up(unready) == 1
    assert "/health/ready did not return 200 within 1 s." in capfd.readouterr().err
    assert_nothing_is_left(plan)


def test_a_child_that_does_not_exit_is_killed(plan: UpPlan) -> None:
    """After the grace time."""
    children = (plan.children[0], ("worker", (STUBBORN,)))
    with up(msgspec.structs.replace(plan, children=children, grace=0.3)) as running:
        running.wait_for_lines("Turnstream is up.", "worker works")
        running.process.send_signal(signal.SIGTERM)
        assert running.end() == 0
    assert "worker did not exit in time and was killed." in running.lines
    assert_nothing_is_left(plan)


def test_a_second_control_c_does_not_wait(plan: UpPlan) -> None:
    """Only the store is still stopped in the regular way."""
    children = (plan.children[0], ("worker", (STUBBORN,)))
    with up(msgspec.structs.replace(plan, children=children, grace=100_000.0)) as running:
        running.wait_for_lines("Turnstream is up.", "worker works")
        running.process.send_signal(signal.SIGINT)
        running.wait_for_lines("worker refuses")
        running.process.send_signal(signal.SIGINT)
        assert running.end() == 0
    assert_nothing_is_left(plan)


@pytest.mark.parametrize("port", ["port", "metrics"])
def test_a_taken_port_is_reported_before_anything_is_started(
    port: str, plan: UpPlan, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """And nothing is created on the disk."""
    monkeypatch.setattr(supervisor, "PORT_PATIENCE", 0.0)
    with socket.create_server(("127.0.0.1", 0)) as server:
        taken = server.getsockname()[1]
        refused = {"port": taken} if port == "port" else {"metrics_ports": (taken,)}
        assert run_up(msgspec.structs.replace(plan, **refused)) == 1
    assert f"turnstream: Port {taken} on 127.0.0.1 is in use" in capfd.readouterr().err
    assert not plan.data.exists()


def test_a_second_up_on_one_folder_is_refused(plan: UpPlan, capfd: pytest.CaptureFixture[str]) -> None:
    """Even on another port; the first one continues."""
    with embedded_store_of(plan.data):
        assert run_up(plan) == 1
    assert f"is in use by process {os.getpid()}" in capfd.readouterr().err


@contextmanager
def embedded_store_of(data: Path) -> Iterator[None]:
    """Run a store on the data folder."""
    store = embedded_store.start(data)
    yield
    store.stop()


def test_a_folder_that_cannot_be_created_is_reported(plan: UpPlan, capfd: pytest.CaptureFixture[str]) -> None:
    """No traceback."""
    plan.data.write_text("a file is in the way")
    assert run_up(plan) == 1
    assert "turnstream: File exists: " in capfd.readouterr().err


@pytest.mark.parametrize(
    ("host", "authority"),
    [
        ("127.0.0.1", "127.0.0.1:8000"),
        ("0.0.0.0", "127.0.0.1:8000"),  # noqa: S104 - a value to translate, nothing listens
        ("::", "[::1]:8000"),
        ("games.example", "games.example:8000"),
    ],
)
def test_the_printed_address_can_be_opened(plan: UpPlan, host: str, authority: str) -> None:
    """A browser cannot open the address for all interfaces."""
    assert msgspec.structs.replace(plan, host=host, port=8000).authority == authority
