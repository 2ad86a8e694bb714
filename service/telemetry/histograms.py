"""A Prometheus histogram without locks, cheap enough to observe every move."""

from bisect import bisect_left
from collections.abc import Iterator
from itertools import accumulate

from prometheus_client import REGISTRY
from prometheus_client.core import HistogramMetricFamily
from prometheus_client.registry import Collector
from prometheus_client.utils import floatToGoString


class SecondsHistogram(Collector):
    """A histogram of durations, observed by the event loop's thread only and read by any thread.

    The library's own histogram takes a lock twice per observation, and a move has several.
    """

    def __init__(self, name: str, documentation: str, bounds: tuple[float, ...]) -> None:
        """Register under this name with these upper bounds in seconds, ascending."""
        self._name = name
        self._documentation = documentation
        self._bounds = bounds
        self._counts = [0] * (len(bounds) + 1)
        self._sum = 0.0
        REGISTRY.register(self)

    def observe(self, seconds: float) -> None:
        """Count a duration."""
        self._counts[bisect_left(self._bounds, seconds)] += 1
        self._sum += seconds

    def collect(self) -> Iterator[HistogramMetricFamily]:
        """Yield the histogram for Prometheus, in which each bucket includes all lower ones."""
        bounds = [floatToGoString(bound) for bound in (*self._bounds, float("inf"))]  # type: ignore[no-untyped-call]  # the library doesn't say
        buckets = list(zip(bounds, accumulate(self._counts), strict=True))
        family = HistogramMetricFamily(self._name, self._documentation)
        family.add_metric([], buckets, self._sum)
        yield family
