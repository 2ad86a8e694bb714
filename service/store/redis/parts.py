"""What the parts of the store in Redis have in common."""

from service.store.protection import Protection
from service.store.redis.client.cluster import Cluster
from service.store.redis.keys import Keys


class StorePart:
    """A part of the store: it sends its commands to the cluster, under the names of the keys."""

    def __init__(self, cluster: Cluster, keys: Keys) -> None:
        self._cluster, self._keys = cluster, keys


class ProtectedPart(StorePart):
    """A part whose values are protected: each has a MAC, which is made and checked here."""

    def __init__(self, cluster: Cluster, keys: Keys, protection: Protection) -> None:
        super().__init__(cluster, keys)
        self._protection = protection
