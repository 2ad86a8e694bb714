"""The machine that is measured on: its cores, the processor time of its processes, and what a reader has to know."""

import os
import platform
import resource
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from statistics import median

PACKAGES = ("litestar", "uvicorn", "uvloop", "httptools", "picows", "websockets", "redis", "msgspec")
TICKS = os.sysconf("SC_CLK_TCK")
SOCKETS = 16_384
"""How many files a process may need to have open."""


def cores() -> tuple[int, int]:
    """Return the server's core and the load's; they are the same one on a machine that has no other."""
    usable = sorted(USABLE)
    return usable[0], usable[1 % len(usable)]


USABLE = os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else {0}


@contextmanager
def on_core(core: int) -> Iterator[None]:
    """Run on one core, and start processes that will, where the system can be told so."""
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


def cpu_seconds(pid: int) -> float:
    """Return the processor time that a process has used, user and system; needs Linux."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


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
        ("Python", f"{platform.python_implementation()} {platform.python_version()}"),
        ("packages", versions),
    ]
