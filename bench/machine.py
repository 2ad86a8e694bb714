"""The machine that is measured on: its cores, the processor time of its processes, and what a reader has to know."""

import os
import platform
import resource
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from statistics import median, quantiles

import msgspec

PACKAGES = ("litestar", "uvicorn", "uvloop", "httptools", "picows", "websockets", "redis", "msgspec")
BUILD = "the system's" if sys.base_prefix == "/usr" else "not the system's"
"""Whose build of Python this is; others differ by 10 to 15 %."""

TICKS = os.sysconf("SC_CLK_TCK")
PRIORITY = -10
SOCKETS = 16_384
"""How many files a process may need to have open."""


def cores() -> tuple[int, int]:
    """Return the server's core and the load's; they are the same one on a machine that has no other."""
    usable = sorted(USABLE)
    return usable[0], usable[1 % len(usable)]


USABLE = os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else {0}


@contextmanager
def on_core(core: int) -> Iterator[None]:
    """Run on one core, with all processes started here, where the system supports it."""
    if not hasattr(os, "sched_setaffinity"):
        yield
        return
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {core})
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def allow_sockets() -> None:
    """Let this process and those it starts open enough sockets."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft < SOCKETS:
        wanted = SOCKETS if hard == resource.RLIM_INFINITY else min(SOCKETS, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def raise_priority() -> str:
    """Run before other programs, as do the processes that are started from now on; returns whether that was allowed."""
    try:
        os.setpriority(os.PRIO_PROCESS, 0, PRIORITY)
    except OSError:
        return "as usual; a higher one was not permitted"
    return f"{PRIORITY} (nice)"


def cpu_seconds(pid: int) -> float:
    """Return the processor time that a process's threads have used, user and system, by the kernel's scheduler."""
    return sum(int(file.read_text().split()[0]) for file in Path(f"/proc/{pid}/task").glob("*/schedstat")) / 1e9


def resident_bytes(pid: int) -> int:
    """Return the resident memory of a process."""
    status = Path(f"/proc/{pid}/status").read_text()
    return int(next(line for line in status.splitlines() if line.startswith("VmRSS:")).split()[1]) * 1024


def cpu_since_start(pid: int) -> float:
    """Return the processor time of a process and of its children that have ended, in hundredths of a second."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return sum(map(int, fields[11:15])) / TICKS


def family(pid: int) -> list[int]:
    """Return a process and all that it and its children have started and that still run."""
    found = [pid]
    for tasks in Path(f"/proc/{pid}/task").glob("*/children"):
        for child in tasks.read_text().split():
            found += family(int(child))
    return found


def proportional_memory(pid: int) -> int:
    """Return a process's memory in bytes, what it shares divided among those who share it (PSS)."""
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("Pss:")) * 1024


class Noise(msgspec.Struct, frozen=True):
    """How evenly this machine computes: the same work again and again, as it would be measured."""

    cpu: float
    """The upper quartile of the CPU time by the lower one, less 1."""
    waiting: float
    """The part of the time in which the work did not get a processor."""

    @property
    def words(self) -> str:
        """What a reader has to know."""
        return f"the same work varies by {self.cpu:.0%} in CPU time and waits {self.waiting:.0%} of the time"


def noise(times: int = 60) -> Noise:
    """Compute the same thing so many times, some milliseconds each."""
    cpu, began, used = [], time.perf_counter(), time.process_time()
    for _ in range(times):
        before = time.process_time()
        sum(number * number for number in range(100_000))
        cpu.append(time.process_time() - before)
    passed, used = time.perf_counter() - began, time.process_time() - used
    low, _, high = quantiles(cpu, n=4)
    return Noise(high / low - 1, max(0.0, 1 - used / passed))


def fsync_micros() -> float:
    """Return how long it takes here to make 4 KB last, in microseconds; the middle of 30 attempts."""
    times = []
    with tempfile.TemporaryFile() as file:
        for _ in range(30):
            file.write(b"x" * 4096)
            file.flush()
            before = time.perf_counter()
            os.fsync(file.fileno())
            times.append((time.perf_counter() - before) * 1e6)
    return median(times)


def processor() -> str:
    """Return the processor's name."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.machine()


def facts() -> list[tuple[str, str]]:
    """Return what a reader has to know about the machine and the programs that were measured."""
    load = ", ".join(f"{value:.2f}" for value in os.getloadavg())
    versions = ", ".join(f"{name} {version(name)}" for name in PACKAGES)
    return [
        ("date", f"{datetime.now(UTC):%Y-%m-%d %H:%M} UTC"),
        ("machine", f"{processor()}, {len(USABLE)} cores, {platform.system()} {platform.release()}"),
        ("load before the run", f"{load} (1, 5 and 15 minutes)"),
        ("Python", f"{platform.python_implementation()} {sys.version.replace(chr(10), ' ')}, {BUILD}"),
        ("packages", versions),
    ]
