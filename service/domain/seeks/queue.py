"""The open seeks, ordered and indexed so that ten thousand of them cost little."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain

import msgspec

from service.domain.ids import Millis, PlayerId
from service.domain.room.model.clock import Clock
from service.domain.seeks.model import FoundMatches, Misses, Pairing, PairingId, Seek, SeekId

Wish = tuple[str, bool, Clock | None]
"""The game, whether it is rated, and the clock: compatible seeks have the same, except for an open clock."""


def wish_of(seek: Seek) -> Wish:
    """Return the wish by which a seek is found."""
    return seek.game, seek.rated, seek.clock


@dataclass(frozen=True, eq=False)
class Queue(Mapping[SeekId, Seek]):
    """Open seeks by id, the oldest first. It is never changed: changes return another queue."""

    by_id: dict[SeekId, Seek] = field(default_factory=dict)
    by_player: dict[PlayerId, tuple[SeekId, ...]] = field(default_factory=dict)
    by_wish: dict[Wish, dict[SeekId, Seek]] = field(default_factory=dict)

    def __getitem__(self, seek_id: SeekId) -> Seek:
        """Return a seek. Raises `KeyError`."""
        return self.by_id[seek_id]

    def __iter__(self) -> Iterator[SeekId]:
        """Iterate over the ids, the oldest seek's first."""
        return iter(self.by_id)

    def __len__(self) -> int:
        """Return how many seeks are open."""
        return len(self.by_id)

    def of(self, player: PlayerId) -> list[Seek]:
        """Return the seeks of a player, the oldest first."""
        return [self.by_id[seek_id] for seek_id in self.by_player.get(player, ())]

    def candidates(self, seek: Seek) -> Iterable[Seek]:
        """Return the seeks with a game, rating and clock compatible with a seek's, the oldest first for each clock."""
        game, rated, clock = wish_of(seek)
        if clock is not None:
            same, without = self.by_wish.get((game, rated, clock), {}), self.by_wish.get((game, rated, None), {})
            return sorted(chain(same.values(), without.values()), key=lambda other: (other.made, other.id))
        return [other for other in self.by_id.values() if other.game == game and other.rated == rated]

    def with_seek(self, seek: Seek) -> "Queue":
        """Return the queue with one more seek, which is the latest, or with a renewed one, which keeps its place."""
        wish = wish_of(seek)
        by_id, by_player, by_wish = self.by_id.copy(), self.by_player, self.by_wish.copy()
        by_id[seek.id] = seek
        by_wish[wish] = {**self.by_wish.get(wish, {}), seek.id: seek}
        if seek.id not in self.by_id:
            by_player = by_player.copy()
            by_player[seek.player] = (*by_player.get(seek.player, ()), seek.id)
        return Queue(by_id, by_player, by_wish)

    def without(self, ended: Collection[SeekId]) -> "Queue":
        """Return the queue without some seeks."""
        by_id, by_player, by_wish = self.by_id.copy(), self.by_player.copy(), self.by_wish.copy()
        for seek in [by_id.pop(seek_id) for seek_id in ended if seek_id in by_id]:
            by_player[seek.player] = tuple(seek_id for seek_id in by_player[seek.player] if seek_id != seek.id)
            by_wish[wish_of(seek)] = without_key(by_wish[wish_of(seek)], seek.id)
            if not by_player[seek.player]:
                del by_player[seek.player]
            if not by_wish[wish_of(seek)]:
                del by_wish[wish_of(seek)]
        return Queue(by_id, by_player, by_wish)


def queue_of(seeks: Iterable[Seek]) -> Queue:
    """Return a queue of seeks in any order."""
    queue = Queue()
    for seek in sorted(seeks, key=lambda seek: (seek.made, seek.id)):
        queue.by_id[seek.id] = seek
        queue.by_player[seek.player] = (*queue.by_player.get(seek.player, ()), seek.id)
        queue.by_wish.setdefault(wish_of(seek), {})[seek.id] = seek
    return queue


def without_key(seeks: dict[SeekId, Seek], ended: SeekId) -> dict[SeekId, Seek]:
    """Return seeks without one."""
    return {seek_id: seek for seek_id, seek in seeks.items() if seek_id != ended}


class Seeks(msgspec.Struct, frozen=True):
    """The state of the stream: all open seeks and pairings."""

    seeks: Queue = Queue()
    """The open seeks, the oldest first."""
    pairings: dict[PairingId, Pairing] = {}
    """The pairings whose players have not all appeared yet."""
    misses: dict[PlayerId, Misses] = {}
    widened: Millis = Millis(0)
    """When the ranges of ratings were compared last."""
    found: dict[PlayerId, FoundMatches] = {}
    """The latest matches that were found for players, up to `IN_A_ROW` each; forgotten after an hour without one."""
