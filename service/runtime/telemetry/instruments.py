"""A counter and a histogram for Prometheus without locks, cheap enough for every move."""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator
from itertools import accumulate

from prometheus_client import REGISTRY
from prometheus_client.core import CounterMetricFamily, HistogramMetricFamily
from prometheus_client.registry import Collector
from prometheus_client.utils import floatToGoString


class LabelledCounter(Collector):
    """A counter with labels, incremented by the event loop's thread only and read by any thread."""

    def __init__(self, name: str, documentation: str, labels: tuple[str, ...]) -> None:
        """Register under this name, with one value per combination of labels that occurs."""
        self._name = name
        self._documentation = documentation
        self._labelnames = labels
        self._counts: defaultdict[tuple[str, ...], int] = defaultdict(int)
        REGISTRY.register(self)

    def count(self, *labels: str) -> None:
        """Increment the counter."""
        self._counts[labels] += 1

    def collect(self) -> Iterator[CounterMetricFamily]:
        """Yield the values for Prometheus."""
        family = CounterMetricFamily(self._name, self._documentation, labels=self._labelnames)
        for labels, number in list(self._counts.items()):
            family.add_metric(labels, number)
        yield family


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
        bounds = [floatToGoString(bound) for bound in (*self._bounds, float("inf"))]  # type: ignore[no-untyped-call]  # not typed in the library
        buckets = list(zip(bounds, accumulate(self._counts), strict=True))
        family = HistogramMetricFamily(self._name, self._documentation)
        family.add_metric([], buckets, self._sum)
        yield family
