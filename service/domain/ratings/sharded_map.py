"""An immutable map with many keys; a changed copy shares nearly everything with the original."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Generic, TypeVar
from zlib import crc32

V = TypeVar("V")

SHARDS = 256


class ShardedMap(Mapping[str, V], Generic[V]):
    """A map of text to values. A change copies one of its 256 parts."""

    __slots__ = ("_length", "_shards")

    def __init__(self, items: Mapping[str, V] | Iterable[tuple[str, V]] = ()) -> None:
        shards: list[dict[str, V]] = [{} for _ in range(SHARDS)]
        for key, value in dict(items).items():
            shards[shard_of(key)][key] = value
        self._shards = tuple(shards)
        self._length = sum(map(len, shards))

    def __getitem__(self, key: str) -> V:
        """Return a value. Raises `KeyError`."""
        return self._shards[shard_of(key)][key]

    def __iter__(self) -> Iterator[str]:
        """Iterate over the keys, in an order that depends only on the changes."""
        for shard in self._shards:
            yield from shard

    def __len__(self) -> int:
        """Return the number of keys."""
        return self._length

    def with_item(self, key: str, value: V) -> "ShardedMap[V]":
        """Return the map with another value of one key."""
        number = shard_of(key)
        changed: ShardedMap[V] = ShardedMap.__new__(ShardedMap)
        shards = self._shards
        changed._length = self._length + (key not in shards[number])
        changed._shards = (*shards[:number], {**shards[number], key: value}, *shards[number + 1 :])
        return changed


def shard_of(key: str) -> int:
    """Return the number of the part that has a key; the same in every process."""
    return crc32(key.encode()) % SHARDS
