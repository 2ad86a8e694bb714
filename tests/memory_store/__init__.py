"""The event store in the memory of one process: the simplest implementation of the contract, for tests."""
