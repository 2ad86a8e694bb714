"""An API process over a store of its own, from the end-to-end tests."""

from tests.e2e.conftest import stack, start_api

__all__ = ["stack", "start_api"]
