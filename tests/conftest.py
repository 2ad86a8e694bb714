"""Fixtures that every test can use, and the order in which several processes run the tests."""

import gc
from collections import Counter, defaultdict
from collections.abc import Callable, Generator, Iterator
from functools import partial
from pathlib import Path

import hypothesis
import pytest
import structlog

from tests.store_server import own_server, pytest_report_header, redis_store, shared_server, store_server

# The rest is as hypothesis has it, with the same examples every time where `CI` is set.
hypothesis.settings.register_profile(
    "any speed", deadline=None, suppress_health_check=[hypothesis.HealthCheck.too_slow]
)
hypothesis.settings.load_profile("any speed")

pytest.register_assert_rewrite("tests.api", "tests.compose", "tests.deploy", "tests.e2e", "tests.laws", "tests.web")

__all__ = ["own_server", "pytest_report_header", "redis_store", "shared_server", "store_server"]


@pytest.fixture(autouse=True)
def own_logging(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Undo what a program configures that runs in this process: later tests find what is logged with `capture_logs`."""
    monkeypatch.setattr(structlog, "configure", partial(uncached, structlog.configure))
    yield
    structlog.reset_defaults()


def uncached(configure: Callable[..., None], **settings: object) -> None:
    """Configure structlog without loggers that keep their first configuration."""
    configure(**{**settings, "cache_logger_on_first_use": False})


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Collect the tests without searching what they consist of for garbage, now and while they run: they all stay."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Reject two tests with the same id, of which pytest-xdist would run only the first, and mix its processes' files.

    So tests that wait, as those of `e2e` and `web` do, run beside tests that compute.
    """
    repeated = [name for name, count in Counter(item.nodeid for item in items).items() if count > 1]
    if repeated:
        raise pytest.UsageError(f"several tests have the id of {', '.join(repeated)}")
    if hasattr(config, "workerinput"):
        positions = mixed([item.path for item in items])
        items.sort(key=lambda item: positions[item.path])


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Show why a test was run again, also if it then passed."""
    for report in terminalreporter.stats.get("rerun", []):
        terminalreporter.section(f"first run of {report.nodeid}")
        terminalreporter.write_line(report.longreprtext)


def mixed(paths: list[Path]) -> dict[Path, tuple[float, Path]]:
    """Return what to sort files by, so that those of each folder are spread evenly over the whole run."""
    folders = defaultdict[Path, list[Path]](list)
    for path in dict.fromkeys(paths):
        folders[path.parent].append(path)
    return {
        path: ((number + 0.5) / len(files), path) for files in folders.values() for number, path in enumerate(files)
    }
