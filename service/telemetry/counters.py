"""A Prometheus counter without locks, cheap enough to count every move."""

from collections import defaultdict
from collections.abc import Iterator

from prometheus_client import REGISTRY
from prometheus_client.core import CounterMetricFamily
from prometheus_client.registry import Collector


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
        """Count one more."""
        self._counts[labels] += 1

    def collect(self) -> Iterator[CounterMetricFamily]:
        """Yield the values for Prometheus."""
        family = CounterMetricFamily(self._name, self._documentation, labels=self._labelnames)
        for labels, number in list(self._counts.items()):
            family.add_metric(labels, number)
        yield family
