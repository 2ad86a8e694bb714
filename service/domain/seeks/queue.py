"""The open seeks, indexed so that ten thousand of them cost little, and which of them are compatible."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, combinations, islice
from math import inf
from random import Random

import msgspec

from service.domain.catalog import GAMES
from service.domain.ids import Millis, PlayerId
from service.domain.room.model.clock import Clock, NoClock
from service.domain.seeks.model import FoundMatches, GivenOptions, Misses, Pairing, PairingId, Seek, SeekId

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
            same = by_wish[wish_of(seek)]
            by_wish[wish_of(seek)] = {seek_id: other for seek_id, other in same.items() if seek_id != seek.id}
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


MOST_CANDIDATES = 200
"""How many compatible seeks are considered; the number of combinations for a game of three grows with its square."""


WIDENING_STEP = Millis(2_000)
"""The steps in which ranges of ratings widen; all of them at the same time."""

DOUBLED_AFTER = Millis(10_000)
"""After how much waiting a range of ratings is twice as wide as at first, and three times after twice as much."""

Blocks = Mapping[PlayerId, Collection[PlayerId]]
"""Whom each player has blocked."""


class UnknownBlocks(Exception):  # noqa: N818 - a question, not an error
    """The blocks of these players, who could be paired, are not known."""

    def __init__(self, players: frozenset[PlayerId]) -> None:
        super().__init__(*players)
        self.players = players


def may_meet(one: Seek, other: Seek, blocks: Blocks) -> bool:
    """Return whether neither player of two seeks has blocked the other."""
    return other.player not in blocks[one.player] and one.player not in blocks[other.player]


def range_at(seek: Seek, now: Millis) -> float:
    """Return by how many points the ratings of others may differ from that of a seek's player."""
    if seek.rating_range is None:
        return inf
    steps = now // WIDENING_STEP - seek.made // WIDENING_STEP
    return seek.rating_range * (1 + steps * WIDENING_STEP / DOUBLED_AFTER)


def are_close(one: Seek, other: Seek, now: Millis) -> bool:
    """Return whether the ratings of two seeks differ by no more than both allow; an unknown rating is in no range."""
    if one.rating_range is None and other.rating_range is None:
        return True
    if one.rating is None or other.rating is None:
        return False
    return abs(one.rating - other.rating) <= min(range_at(one, now), range_at(other, now))


def agree(one: Seek, other: Seek, now: Millis) -> bool:
    """Return whether two seeks can be in one match: what one player insists on is the other's wish, or left open."""
    return (
        one.game == other.game
        and one.rated == other.rated
        and one.player != other.player
        and (one.clock is None or other.clock is None or one.clock == other.clock)
        and (one.seat is None or one.seat != other.seat)
        and all(other.options.get(name, value) == value for name, value in one.options.items())
        and (one.bots or not other.bot)
        and (other.bots or not one.bot)
        and are_close(one, other, now)
    )


def find_group(newest: Seek, waiting: Iterable[Seek], blocks: Blocks, now: Millis) -> tuple[Seek, ...] | None:
    """Return a seek with others that fill its match, None if there are not enough; `waiting` has the oldest first.

    Players of whom one has blocked the other are not put in one match. Raises `UnknownBlocks`.
    """
    agreeing = list(islice((seek for seek in waiting if agree(newest, seek, now)), MOST_CANDIDATES))
    if unknown := {seek.player for seek in (newest, *agreeing) if agreeing} - blocks.keys():
        raise UnknownBlocks(frozenset(unknown))
    candidates = [seek for seek in agreeing if may_meet(newest, seek, blocks)]
    for seek in candidates:
        if is_complete((newest, seek)):
            return newest, seek
    for pair in combinations(candidates, 2):
        if agree(*pair, now) and may_meet(*pair, blocks) and is_complete((newest, *pair)):
            return newest, *pair
    return None


def is_complete(group: Sequence[Seek]) -> bool:
    """Return whether a group fills all seats of its game under its options, and its wishes for seats exist."""
    seats = seat_count(group[0].game, merged_options(group))
    wishes = [seek.seat for seek in group if seek.seat is not None]
    has_clock = agreed_clock(group).runs or not group[0].rated
    return len(group) == seats and all(wish < seats for wish in wishes) and has_clock


def seat_count(game: str, options: GivenOptions) -> int:
    """Return how many seats a game has under these options."""
    rules = GAMES[game]
    return len(rules.seats(msgspec.convert(options, rules.options)))


def merged_options(group: Sequence[Seek]) -> GivenOptions:
    """Return what the players of a group insist on."""
    return {name: value for seek in group for name, value in seek.options.items()}


def clock_of(group: Sequence[Seek]) -> Clock | None:
    """Return the clock that a group insists on, None if nobody does."""
    return next((seek.clock for seek in group if seek.clock is not None), None)


def agreed_clock(group: Sequence[Seek]) -> Clock:
    """Return the clock of the match of a group."""
    return clock_of(group) or NoClock()


def by_seat(group: Sequence[Seek], seed: bytes) -> tuple[Seek, ...]:
    """Return a complete group in the order of the seats: by wish, and the others at random."""
    seats: list[Seek | None] = [None] * len(group)
    free = [seek for seek in group if seek.seat is None]
    for seek in group:
        if seek.seat is not None:
            seats[seek.seat] = seek
    Random(seed).shuffle(free)  # noqa: S311 - it decides nothing of the match but who begins
    return tuple(seek or free.pop() for seek in seats)
