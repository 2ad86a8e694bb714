"""The running service of the API's tests, for the pages that it serves to people."""

from tests.api.conftest import ada, bob, cyd, door, logs, rooms_store, stranger

__all__ = ["ada", "bob", "cyd", "door", "logs", "rooms_store", "stranger"]
