"""The fixtures of the tests that kill processes, for the tests of what operators do."""

from tests.e2e.conftest import stack, start_api, start_worker

__all__ = ["stack", "start_api", "start_worker"]
