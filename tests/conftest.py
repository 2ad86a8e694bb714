"""What every test may ask for."""

from tests.store_server import own_server, pytest_report_header, redis_store, shared_server, store_server

__all__ = ["own_server", "pytest_report_header", "redis_store", "shared_server", "store_server"]
