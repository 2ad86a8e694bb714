"""Rounds at tables of three: built greedily, then improved by exchanging players to get fewer repeats."""

from collections.abc import Iterator, Sequence
from itertools import combinations
from random import Random

from service.contests.pairing.matching import by_seat, lots_of
from service.contests.pairing.swiss import standing_order
from service.domain.tournaments.pairings import Entrant, Pairing, PairingRequest, has_repeats, playing

REPEAT = 10**7
"""The cost of two players who meet again; it grows with the square of their earlier matches."""

NEVER = 10**15
"""The cost of a bye for a player who may not have it, and of no bye for a player who must have it."""

CANDIDATES = 12
"""From how many players with similar scores the opponents of a player are chosen at first."""

EXCHANGES = 3
"""How many random exchanges there are before another attempt."""

EFFORT = 1_000
"""How many players all attempts together handle while some players still meet again."""

ATTEMPTS = 10
"""The minimum number of attempts."""


def pair_threes(request: PairingRequest) -> Pairing:
    """Return a round with few repeats; in a Swiss system, players with similar scores meet."""
    lots = lots_of(request)
    order = standing_order(list(playing(request).values()), lots)
    draft = Draft(order, by_score=request.format == "swiss")
    draft.improve()
    best, cost = draft.groups_now(), draft.total()
    for _ in range(max(ATTEMPTS, EFFORT // max(1, len(order)))):
        if cost % NEVER < REPEAT:
            break
        draft.shuffle(lots)
        draft.improve()
        if (now := draft.total()) < cost:
            best, cost = draft.groups_now(), now
        else:
            draft.restore(best)
    tables = tuple(by_seat([order[player] for player in table], lots) for table in best[:-1])
    byes = tuple(order[player].player for player in best[-1])
    return Pairing(tables, byes, has_repeats(tables, {entrant.player: entrant for entrant in order}))


class Draft:
    """A round that is being improved: tables of three, then the players with a bye."""

    def __init__(self, order: Sequence[Entrant], *, by_score: bool) -> None:
        self._costs = [list(meeting_costs(entrant, order, by_score=by_score)) for entrant in order]
        self._bye_costs = list(bye_costs(order, by_score=by_score))
        cheapest = sorted(range(len(order)), key=lambda player: (self._bye_costs[player], -player))
        byes = sorted(cheapest[: len(order) % 3])
        self._groups = [*self._greedy_tables([player for player in range(len(order)) if player not in byes]), byes]
        self._where = [0] * len(order)
        self.restore(self._groups)

    def _greedy_tables(self, players: Sequence[int]) -> Iterator[list[int]]:
        """Yield tables, each with the first player who has none and two of the next ones."""
        free = list(players)
        while free:
            one = free.pop(0)
            near = free[:CANDIDATES]
            _, two, three = min((self._cost_of((one, *two)), *two) for two in combinations(near, 2))
            free.remove(two)
            free.remove(three)
            yield [one, two, three]

    def _cost_of(self, table: Sequence[int]) -> int:
        """Return the cost of a table."""
        return sum(self._costs[one][other] for one, other in combinations(table, 2))

    def total(self) -> int:
        """Return the cost of the round."""
        tables, byes = self._groups[:-1], self._groups[-1]
        return sum(map(self._cost_of, tables)) + sum(self._bye_costs[player] for player in byes)

    def groups_now(self) -> list[list[int]]:
        """Return the tables and the byes."""
        return [list(group) for group in self._groups]

    def restore(self, groups: Sequence[Sequence[int]]) -> None:
        """Return to an earlier state."""
        self._groups = [list(group) for group in groups]
        for number, group in enumerate(self._groups):
            for player in group:
                self._where[player] = number

    def _share(self, player: int, group: int, without: int) -> int:
        """Return the costs of a player in a group, in place of another player."""
        if group == len(self._groups) - 1:
            return self._bye_costs[player]
        row = self._costs[player]
        return sum([row[other] for other in self._groups[group] if other != without])

    def _gain(self, one: int, other: int) -> int:
        """Return by how much the exchange of two players reduces the cost."""
        here, there = self._where[one], self._where[other]
        before = self._share(one, here, one) + self._share(other, there, other)
        return before - self._share(one, there, other) - self._share(other, here, one)

    def _exchange(self, one: int, other: int) -> None:
        """Exchange two players."""
        here, there = self._where[one], self._where[other]
        self._groups[here][self._groups[here].index(one)] = other
        self._groups[there][self._groups[there].index(other)] = one
        self._where[one], self._where[other] = there, here

    def improve(self) -> None:
        """Exchange players while that reduces the cost, starting with players who meet again."""
        size = len(self._where)
        waiting = dict.fromkeys(
            sorted(range(size), key=lambda player: -self._share(player, self._where[player], player))
        )
        while waiting:
            player = next(iter(waiting))
            del waiting[player]
            here = self._where[player]
            others = range(size) if self._share(player, here, player) >= REPEAT else self._near(player)
            gains = [(self._gain(player, other), -other) for other in others if self._where[other] != here]
            gain, other = max(gains, default=(0, 0))
            if gain > 0:
                self._exchange(player, -other)
                changed = (*self._groups[here], *self._groups[self._where[player]])
                waiting.update(dict.fromkeys(changed))

    def _near(self, player: int) -> range:
        """Return the players with whom an exchange may lead to closer scores."""
        return range(max(0, player - CANDIDATES), min(len(self._where), player + CANDIDATES + 1))

    def shuffle(self, lots: Random) -> None:
        """Exchange a few players at random."""
        size = len(self._where)
        for _ in range(EXCHANGES):
            one, other = int(lots.random() * size), int(lots.random() * size)
            if self._where[one] != self._where[other]:
                self._exchange(one, other)


def meeting_costs(entrant: Entrant, order: Sequence[Entrant], *, by_score: bool) -> Iterator[int]:
    """Yield the cost of a match between a player and each player in an order."""
    for other in order:
        score = (entrant.points - other.points) ** 2 if by_score else 0
        yield REPEAT * entrant.opponents.count(other.player) ** 2 + score


def bye_costs(order: Sequence[Entrant], *, by_score: bool) -> Iterator[int]:
    """Yield the cost of a bye for each player in an order: players with the fewest byes must have it."""
    byes = sorted(entrant.byes for entrant in order)
    most = byes[len(order) % 3 - 1] if len(order) % 3 else 0
    lowest = min((entrant.points for entrant in order if entrant.byes <= most), default=0)
    for entrant in order:
        score = (entrant.points - lowest) ** 2 if by_score else 0
        yield score + NEVER * ((entrant.byes > most) - (entrant.byes < most))
