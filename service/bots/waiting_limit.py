"""A bound on how many requests one owner, and all owners together, may wait for at a time."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from service.bots.requests import EngineUnavailable
from service.streams.errors import ServiceError


class WaitingLimit:
    """Counts requests while their owners wait for them."""

    def __init__(self, code: str, each: int, total: int) -> None:
        """Allow each owner and all together this many; others are refused with this code."""
        self._code, self._each, self._total = code, each, total
        self._waiting: Counter[str] = Counter()

    @contextmanager
    def hold(self, owner: str) -> Iterator[None]:
        """Count a request while its owner waits for it. Raises `ServiceError`, also if no bot process is available."""
        if self._waiting[owner] >= self._each or self._waiting.total() >= self._total:
            raise ServiceError(self._code)
        self._waiting[owner] += 1
        try:
            yield
        except EngineUnavailable:
            raise ServiceError(self._code) from None
        finally:
            self._waiting[owner] -= 1
            if not self._waiting[owner]:
                del self._waiting[owner]
