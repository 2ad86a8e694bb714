"""The fixtures of the end-to-end tests, for the tests of logs, metrics and traces."""

from tests.e2e.conftest import stack, start_api, start_worker

__all__ = ["stack", "start_api", "start_worker"]
