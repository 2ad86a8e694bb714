"""`turnstream ratings verify`: each entry of a list is checked against its match, and its figures are recomputed."""

import asyncio
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from service.domain.ratings.classes import ListId, parse_list
from service.domain.ratings.decide import rating_before, reason_not_rated
from service.domain.ratings.kind import RATINGS
from service.domain.ratings.model import MatchRated, RatedMatchEnded, RatedSeat, RatingVoided, SeatResult
from service.domain.ratings.state import RatingList, evolve
from service.domain.room.model.ids import PlayerId, Version
from service.domain.streams import Record
from service.ratings.archived_matches import PlayedMatch, archived_match
from service.ratings.board import PAGE, ratings_key, row_of, stretch_of
from service.ratings.plackett_luce import compute
from service.ratings.service import MATCH, place_of_match
from service.store.contract import Store
from service.store.integrity import BrokenHistory
from service.store.projections.leaderboards import points_in, with_point
from service.streams.reader import StreamReader
from service.streams.repository import StreamRepository

TOLERANCE = 1
"""By how many hundredths of a point a figure may differ from what this processor computes."""


class Verified(NamedTuple):
    """The counts of a verified list."""

    entries: int
    players: int
    problems: int


class ListVerifier:
    """Verifies one list: its entries in their order, then its leaderboard."""

    def __init__(
        self, store: Store, name: ListId, archive: Path, report: Callable[[str], None], progress: Callable[[int], None]
    ) -> None:
        """Call `report` with each problem, and `progress` with how many more entries were checked."""
        self._store = store
        self._name = name
        self._archive = archive
        self._report = report
        self._progress = progress
        self._repository: StreamRepository[RatingList] = StreamRepository(store, RATINGS, size=1)
        self._reader = StreamReader(self._repository)
        self._state = RatingList(name)
        self._versions: dict[str, Version] = {}
        """The versions of the matches that were rated."""
        self._points: dict[PlayerId, bytes] = {}
        """The points of the board, computed from the entries."""
        self._problems = 0

    async def verify(self) -> Verified:
        """Check everything. Raises `StoreUnavailable`, and `ServiceError` (`history_damaged`, `newer_events`)."""
        stream = await self._repository.current(ratings_key(self._name))
        since, until = Version(0), stream.head.version
        while since < until:
            records = await self._reader.page(stream, since, min(PAGE, until - since))
            matches = await asyncio.gather(*(self._match_of(record) for record in records))
            for record, match in zip(records, matches, strict=True):
                await self._check(record, match)
            for added in stretch_of(records).points:
                self._points[added.player] = with_point(self._points.get(added.player), added)
            since = records[-1].version
            self._progress(len(records))
        await self._check_board(until)
        return Verified(until, len(self._state.players), self._problems)

    async def _check(self, record: Record, match: PlayedMatch | str | None) -> None:
        match record.event:
            case MatchRated() as rated:
                found = [*entry_problems(self._state, rated), *match_problems(rated, match)]
                self._versions[rated.match] = record.version
            case RatingVoided() as voided:
                found = [] if await self._is_known(voided) else ["it voids what was not rated, or twice"]
            case _:
                found = ["it is not an event of ratings"]
        self._note(f"version {record.version}", found)
        self._state = evolve(self._state, record)

    async def _is_known(self, voided: RatingVoided) -> bool:
        """Return whether the seats of a voided match are those with which it was rated, and it was not voided yet."""
        version = self._versions.get(voided.match)
        if version is None or voided.match in self._state.voided:
            return False
        stream = await self._repository.get(ratings_key(self._name))
        [rated] = await self._reader.page(stream, Version(version - 1), 1)
        return isinstance(rated.event, MatchRated) and rated.event.seats == voided.seats

    async def _match_of(self, record: Record) -> PlayedMatch | str | None:
        """Return the match of an entry from its room or the archive; why it is damaged, or None if it is gone.

        None also for an entry without a match.
        """
        if not isinstance(record.event, MatchRated):
            return None
        key, number = place_of_match(record.event.match)
        try:
            [entry] = await self._store.matches(key, [number])
        except BrokenHistory as broken:
            return str(broken)
        if entry is None:
            return await asyncio.to_thread(archived_match, self._archive, key, number)
        known = MATCH.decode(entry)
        return PlayedMatch(known.game, known.players, known.result, known.ended)

    async def _check_board(self, until: Version) -> None:
        """Compare the leaderboard with the ratings, unless it is ahead of them because a match was rated meanwhile."""
        boards = self._store.leaderboards
        version = await boards.version(self._name)
        if version < until:
            self._note("the leaderboard", [f"it ends at version {version} of {until}; `turnstream ratings rebuild`"])
        if version != until:
            return
        for player in map(PlayerId, self._state.players):
            if await boards.points(self._name, player) != points_in(self._points.get(player)):
                self._note("the leaderboard", [f"the points of {player} differ; `turnstream ratings rebuild`"])
        await self._check_places(until)
        players = [PlayerId(player) for player in self._state.players]
        for at in range(0, len(players), PAGE):
            part = players[at : at + PAGE]
            rows = await boards.rows(self._name, part)
            for player, row in zip(part, rows, strict=True):
                expected = row_of(self._state, player, self._state.players[player])
                if row != expected.data:
                    self._note("the leaderboard", [f"the row of {player} differs; `turnstream ratings rebuild`"])

    async def _check_places(self, until: Version) -> None:
        """Compare the places: who has one, and in which order."""
        boards, found = self._store.leaderboards, list[PlayerId]()
        while page := await boards.page(self._name, len(found), PAGE):
            found += [player for player, _ in page]
        rows = [row_of(self._state, PlayerId(player), standing) for player, standing in self._state.players.items()]
        ranked = sorted((-row.score, row.player) for row in rows if row.score is not None)
        if await boards.version(self._name) == until and found != [player for _, player in ranked]:
            self._note("the leaderboard", ["the places differ; `turnstream ratings rebuild`"])

    def _note(self, where: str, problems: Sequence[str]) -> None:
        self._problems += len(problems)
        for problem in problems:
            self._report(f"{self._name} {where}: {problem}")


def entry_problems(state: RatingList, rated: MatchRated) -> list[str]:
    """Return what is wrong with an entry after the entries before it."""
    ended = ended_of(rated)
    why = reason_not_rated(state, ended)
    found = [] if why in {None, "unknown_bot"} else [f"{rated.match} must not be rated: {why}"]
    found += [
        f"{seat.player} had another rating before it"
        for seat, result in zip(rated.seats, ended.seats, strict=True)
        if seat.bot is None and seat.before != rating_before(state, result)
    ]
    computed = compute(rated.parameters, [seat.before for seat in rated.seats], [seat.place for seat in rated.seats])
    for seat, figures in zip(rated.seats, computed, strict=True):
        value, deviation = (seat.before.value, seat.before.deviation) if seat.bot else [each * 100 for each in figures]
        if max(abs(seat.after.value - value), abs(seat.after.deviation - deviation)) > TOLERANCE:
            found.append(f"{seat.player} has {seat.after}, computed are {value:.0f} and {deviation:.0f}")
    return found


def ended_of(rated: MatchRated) -> RatedMatchEnded:
    """Return the end of a match from its entry."""
    seats = tuple(SeatResult(seat.player, seat.place, seat.bot) for seat in rated.seats)
    return RatedMatchEnded(rated.match, rated.ended, seats, rated.members_only)


def match_problems(rated: MatchRated, played: PlayedMatch | str | None) -> list[str]:
    """Return in what an entry differs from its match."""
    if played is None:
        return [f"{rated.match} is neither in the store nor in the archive"]
    if isinstance(played, str):
        return [f"{rated.match} is damaged: {played}"]
    places = played.result.places if played.result else ()
    found = []
    if played.players != tuple(seat.player for seat in rated.seats):
        found.append(f"{rated.match} had other players")
    if places != tuple(seat.place for seat in rated.seats) and not is_given_up(rated.seats):
        found.append(f"{rated.match} had the places {places}")
    if played.ended != rated.ended:
        found.append(f"{rated.match} ended at another time")
    return found


def is_given_up(seats: Sequence[RatedSeat]) -> bool:
    """Return whether the person of a match against bots is last, as one who gave up, whatever the result was."""
    return any(seat.bot for seat in seats) and all(
        seat.place == (len(seats) if seat.bot is None else 1) for seat in seats
    )


def check_name(name: str) -> ListId:
    """Return a list by its name. Raises `LookupError` for what is not a list."""
    try:
        parse_list(ListId(name))
    except ValueError as wrong:
        raise LookupError(str(wrong)) from None
    return ListId(name)
