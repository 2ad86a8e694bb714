"""How often something happens, counted at every move: a counter without locks."""

from collections import defaultdict
from collections.abc import Iterator

from prometheus_client import REGISTRY
from prometheus_client.core import CounterMetricFamily
from prometheus_client.registry import Collector


class Counts(Collector):
    """Counts by labels; counted by one thread only, which is the event loop's, and read by any."""

    def __init__(self, name: str, documentation: str, labels: tuple[str, ...]) -> None:
        """Be served under this name, with a number for each combination of labels that came up."""
        self._name = name
        self._documentation = documentation
        self._labelnames = labels
        self._counts: defaultdict[tuple[str, ...], int] = defaultdict(int)
        REGISTRY.register(self)

    def count(self, *labels: str) -> None:
        """Count one more."""
        self._counts[labels] += 1

    def collect(self) -> Iterator[CounterMetricFamily]:
        """Yield the numbers as Prometheus has them."""
        family = CounterMetricFamily(self._name, self._documentation, labels=self._labelnames)
        for labels, number in list(self._counts.items()):
            family.add_metric(labels, number)
        yield family
