"""Whether the matches of a player count for ratings, and why not."""

from collections.abc import Awaitable, Callable, Sequence
from itertools import combinations
from typing import Literal

from service.domain.ids import DAY, Millis, PlayerId
from service.domain.ratings.decide import MOST_MEETINGS
from service.domain.ratings.model import ListId, MatchId, list_id
from service.domain.ratings.state import DAYS_KEPT, day_of
from service.rooms.match_index import PlayedMatch

NotRated = Literal["voided", "aborted", "no_result", "casual", "bot", "pair_limit", "pending", "too_late"]
"""Why a match does not count for ratings, the first reason that applies.

An operator voided it; fewer than two players had moved; it has no result for the player; it was not played for a
rating; it was played against bots of the service, and not as the list `bots` requires; two of its players had met too
often that day; it is being played, or its end has not reached the list yet; it did not reach the list in time.
"""

KEPT = 1000
"""Of how many days of two players it is remembered that no more of their matches are rated."""

StateIn = Callable[[ListId, MatchId, PlayerId], Awaitable[str | None]]
"""Returns whether a match of a player counts in a list, or was voided there; None if the list does not have it."""

MatchesOn = Callable[[PlayerId, int], Awaitable[Sequence[PlayedMatch]]]
"""Returns the matches of a player that ended on a day; see `day_of`."""


class RatedMatches:
    """Finds out whether matches count."""

    def __init__(self, state_in: StateIn, matches_on: MatchesOn, now: Callable[[], Millis]) -> None:
        self._state_in = state_in
        self._matches_on = matches_on
        self._now = now
        self._most_meetings = set[tuple[PlayerId, PlayerId, int, tuple[ListId, ...]]]()
        """The players who have met as often on a day, in some lists, as matches between them are rated."""

    async def counts(self, player: PlayerId, played: PlayedMatch) -> bool:
        """Return whether a match of a player counts for ratings."""
        return await self._state(player, played) == "counted"

    async def why_not(self, player: PlayerId, played: PlayedMatch) -> NotRated | None:
        """Return why a match of a player does not count for ratings; None if it does."""
        state = await self._state(player, played)
        if state is not None:
            return None if state == "counted" else "voided"
        if played.kind.aborted:
            return "aborted"
        if not played.place:
            return "no_result"
        if not played.kind.rated:
            return "casual" if played.opponents else "bot"
        for one, other in combinations((player, *played.opponents), 2):
            if await self._have_met_too_often(one, other, played):
                return "pair_limit"
        return "pending" if self._now() < played.ended + DAYS_KEPT * DAY else "too_late"

    async def _state(self, player: PlayerId, played: PlayedMatch) -> str | None:
        for name in lists_of(played):
            if (state := await self._state_in(name, played.id, player)) is not None:
                return state
        return None

    async def _have_met_too_often(self, one: PlayerId, other: PlayerId, played: PlayedMatch) -> bool:
        """Return whether no more matches of two players are rated on the day of a match, in its list."""
        day, lists = day_of(played.ended), lists_of(played)
        meetings = one, other, day, lists
        if meetings not in self._most_meetings:
            met = [each for each in await self._matches_on(one, day) if other in each.opponents]
            states = [await self._state(one, each) for each in met if lists_of(each) == lists]
            if len(states) - states.count(None) < MOST_MEETINGS:
                return False
            if len(self._most_meetings) == KEPT:
                self._most_meetings.clear()
            self._most_meetings.add(meetings)
        return True


def lists_of(played: PlayedMatch) -> tuple[ListId, ...]:
    """Return the lists in which a match of a player can count."""
    kind = played.kind
    if kind.time_class is None or kind.aborted:
        return ()
    bots = list_id(played.game, "bots")
    if kind.rated:
        return list_id(played.game, kind.time_class), bots
    return () if played.opponents else (bots,)
