"""Fixtures that every test can use."""

from collections import Counter

import pytest

from tests.store_server import own_server, pytest_report_header, redis_store, shared_server, store_server

__all__ = ["own_server", "pytest_report_header", "redis_store", "shared_server", "store_server"]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Reject two tests with the same id: pytest-xdist would run only the first of them."""
    repeated = [name for name, count in Counter(item.nodeid for item in items).items() if count > 1]
    if repeated:
        raise pytest.UsageError(f"several tests have the id of {', '.join(repeated)}")
