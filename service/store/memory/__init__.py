"""The event store in the memory of one process: the contract in its plainest form, for tests."""
