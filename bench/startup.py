"""What `turnstream up` costs: the CPU time until it is ready, and its memory and CPU time while nobody plays."""

import http.client
import os
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager

import msgspec

from bench.load.senders import MeasurementFailed
from bench.machine import cpu_seconds, cpu_since_start, family, proportional_memory
from bench.processes import HERE, LEAVE_WITHIN, READY_WITHIN, Code, free_port

Say = Callable[[str], None]


class Plan(msgspec.Struct, frozen=True):
    """How often and how long."""

    rounds: int = 7
    settle: float = 65.0
    """Seconds after the start in which nothing is measured: a worker rests after a minute without work."""
    rest: float = 10.0
    """Seconds of a measurement at rest."""


QUICK = Plan(rounds=1, settle=0.5, rest=0.5)


class Rest(msgspec.Struct, frozen=True):
    """What all processes take while nothing happens."""

    memory: int
    """Bytes, shared ones counted once (PSS)."""
    cpu: float
    """The part of one core."""


class Startup(msgspec.Struct, frozen=True):
    """What was measured, once a round."""

    cpu: tuple[float, ...]
    """Seconds of CPU time of all processes until `/health/ready` answered 200."""
    rests: tuple[Rest, ...]


def run(plan: Plan, say: Say, code: Code = HERE) -> Startup:
    """Start it a few times, then let it rest and look a few times."""
    cpu = []
    for number in range(plan.rounds):
        with up(code) as pid:
            cpu.append(sum(cpu_since_start(each) for each in family(pid)))
        say(f"round {number + 1}/{plan.rounds}  {cpu[-1]:.2f} s of CPU time until the first 200")
    return Startup(tuple(cpu), resting(plan, say, code))


def resting(plan: Plan, say: Say, code: Code = HERE) -> tuple[Rest, ...]:
    """Look a few times at one that was started once."""
    rests = []
    with up(code) as pid:
        time.sleep(plan.settle)
        for number in range(plan.rounds):
            processes = family(pid)
            used = sum(map(cpu_seconds, processes))
            time.sleep(plan.rest)
            took = sum(map(cpu_seconds, processes)) - used
            rests.append(Rest(sum(map(proportional_memory, processes)), took / plan.rest))
            mega = rests[-1].memory / 2**20
            say(f"round {number + 1}/{plan.rounds}  at rest {mega:.0f} MB and {rests[-1].cpu:.2%} of a core")
    return tuple(rests)


@contextmanager
def up(code: Code) -> Iterator[int]:
    """Run `turnstream up` of a work tree on an empty folder, and yield its process id when it is ready."""
    port = free_port()
    with tempfile.TemporaryDirectory(prefix="turnstream-bench-") as folder:
        inherited = {name: value for name, value in os.environ.items() if not name.startswith("TURNSTREAM_")}
        own = {"TURNSTREAM_PORT": str(port), "TURNSTREAM_DATA": f"{folder}/data", "TURNSTREAM_LOG_LEVEL": "error"}
        process = subprocess.Popen(
            [code.python, "-P", "-m", "service", "up"],
            cwd=code.root,
            env={**inherited, "PYTHONPATH": str(code.root), **own},
            stdout=subprocess.DEVNULL,
        )
        try:
            await_ready(process, port)
            yield process.pid
        finally:
            process.send_signal(signal.SIGINT)
            process.wait(LEAVE_WITHIN * 3)


def await_ready(process: "subprocess.Popen[bytes]", port: int) -> None:
    """Return when the service is ready. Raises `MeasurementFailed`."""
    deadline = time.monotonic() + READY_WITHIN
    while time.monotonic() < deadline and process.poll() is None:
        with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=2)) as connection:
            try:
                connection.request("GET", "/health/ready")
                if connection.getresponse().status == http.HTTPStatus.OK:
                    return
            except OSError:
                pass
        time.sleep(0.02)
    raise MeasurementFailed("`turnstream up` did not get ready")
