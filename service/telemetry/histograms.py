"""How long something takes, counted at every move: a histogram without locks."""

from bisect import bisect_left
from collections.abc import Iterator
from itertools import accumulate

from prometheus_client import REGISTRY
from prometheus_client.core import HistogramMetricFamily
from prometheus_client.registry import Collector
from prometheus_client.utils import floatToGoString


class Seconds(Collector):
    """Counts seconds by upper bounds; observed by one thread only, which is the event loop's, and read by any.

    The library's own histogram takes a lock twice for each observation, and a move has several.
    """

    def __init__(self, name: str, documentation: str, bounds: tuple[float, ...]) -> None:
        """Be served under this name with what lies up to each of these bounds, ascending, and beyond."""
        self._name = name
        self._documentation = documentation
        self._bounds = bounds
        self._counts = [0] * (len(bounds) + 1)
        self._sum = 0.0
        REGISTRY.register(self)

    def observe(self, seconds: float) -> None:
        """Count one more."""
        self._counts[bisect_left(self._bounds, seconds)] += 1
        self._sum += seconds

    def collect(self) -> Iterator[HistogramMetricFamily]:
        """Yield the histogram as Prometheus has it: each bucket counts all that lies below it, too."""
        bounds = [floatToGoString(bound) for bound in (*self._bounds, float("inf"))]  # type: ignore[no-untyped-call]  # the library doesn't say
        buckets = list(zip(bounds, accumulate(self._counts), strict=True))
        family = HistogramMetricFamily(self._name, self._documentation)
        family.add_metric([], buckets, self._sum)
        yield family
