"""`turnstream ratings verify`: each entry of a list is checked against its match, and its figures are recomputed."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime
from itertools import chain
from pathlib import Path
from typing import NamedTuple

import msgspec

from service.contests.leaderboards import PAGE, ratings_key, row_of, stretch_of
from service.contests.plackett_luce import compute
from service.domain.ids import Millis, PlayerId, RoomKey, Version
from service.domain.ratings import model
from service.domain.ratings.decide import rating_before, reason_not_rated
from service.domain.ratings.kind import RATINGS
from service.domain.ratings.model import ListId, RatedSeat, SeatResult, parse_list
from service.domain.ratings.state import RatingList, evolve
from service.domain.room.model.events import Result
from service.domain.streams import Record
from service.rooms.match_index import ENTRY, room_of_match
from service.store.contract import Store, StoreDamaged
from service.store.integrity import BrokenHistory
from service.store.projections.leaderboards import points_in, with_point
from service.streams.errors import ServiceError
from service.streams.repository import StreamRepository


class PlayedMatch(NamedTuple):
    """A match with which an entry of a rating list is compared."""

    game: str
    players: tuple[PlayerId | None, ...]
    result: Result | None
    ended: Millis | None


class FirstLine(msgspec.Struct, frozen=True, tag="match_started", tag_field="type"):
    """The first line of a match's file."""

    game: str
    seats: tuple[PlayerId | None, ...]


class LastLine(msgspec.Struct, frozen=True, tag="match_ended", tag_field="type"):
    """The last line of a match's file."""

    result: Result
    time: datetime


def archived_match(folder: Path, key: RoomKey, number: int) -> PlayedMatch | str | None:
    """Return a match from the archive, what is wrong with its file, or None if there is none."""
    file = folder / f"{key.name}.{key.epoch}" / f"{number}.ndjson"
    try:
        lines = file.read_bytes().splitlines()
    except FileNotFoundError:
        return None
    try:
        first = msgspec.json.decode(lines[0], type=FirstLine)
        last = msgspec.json.decode(lines[-1], type=LastLine)
        return PlayedMatch(first.game, first.seats, last.result, Millis(round(last.time.timestamp() * 1000)))
    except (msgspec.DecodeError, ValueError, IndexError) as wrong:
        return f"{file}: {wrong}"


TOLERANCE = 1
"""By how many hundredths of a point a figure may differ from what this processor computes."""


REBUILD = "`turnstream ratings rebuild`"
"""What repairs a leaderboard."""


class Verified(NamedTuple):
    """The counts of a verified list."""

    entries: int
    players: int
    problems: int


class ListVerifier:
    """Verifies one list: its entries in their order, then its leaderboard."""

    def __init__(
        self,
        store: Store,
        name: ListId,
        archive: Path,
        report: Callable[[str], None],
        progress: Callable[[int], None],
        *,
        is_complete: bool = True,
    ) -> None:
        """Call `report` with each problem, and `progress` with how many more entries were checked.

        With `is_complete`, it is a problem if a match is gone.
        """
        self._store = store
        self._name = name
        self._archive = archive
        self._report = report
        self._progress = progress
        self._is_complete = is_complete
        self._repository: StreamRepository[RatingList] = StreamRepository(store, RATINGS, size=1)
        self._reader = self._repository.reader
        self._state = RatingList(name)
        self._versions: dict[str, Version] = {}
        """The versions of the matches that were rated."""
        self._points: dict[PlayerId, bytes] = {}
        """The points of the board, computed from the entries."""
        self._problems = 0

    async def verify(self) -> Verified:
        """Check everything that can be read. Raises `StoreUnavailable`."""
        until = Version(0)
        try:
            until = await self._check_entries()
            await self._check_board(until)
        except StoreDamaged as found:
            self._note("the leaderboard", [f"not what was stored: {found}; {REBUILD}"])
        except ServiceError as unreadable:
            self._note("the entries", [f"they cannot be read: {unreadable.problem.detail}"])
        return Verified(until, len(self._state.players), self._problems)

    async def _check_entries(self) -> Version:
        """Check all entries, and return the version of the last one.

        Raises `ServiceError` (`history_damaged`, `newer_events`).
        """
        stream = await self._repository.current(ratings_key(self._name))
        since, until = Version(0), stream.head.version
        while since < until:
            records = await self._reader.records(stream, since, min(PAGE, until - since))
            matches = await asyncio.gather(*(self._match_of(record) for record in records))
            for record, match in zip(records, matches, strict=True):
                await self._check(record, match)
            for added in stretch_of(records).points:
                self._points[added.player] = with_point(self._points.get(added.player), added)
            since = records[-1].version
            self._progress(len(records))
        return until

    async def _check(self, record: Record, match: PlayedMatch | str | None) -> None:
        match record.event:
            case model.MatchRated() as rated:
                found = entry_problems(self._state, rated)
                found += match_problems(rated, match) if match is not None or self._is_complete else []
                self._versions[rated.match] = record.version
            case model.RatingVoided() as voided:
                found = [] if await self._is_known(voided) else ["it voids what was not rated, or twice"]
            case _:
                found = ["it is not an event of ratings"]
        self._note(f"version {record.version}", found)
        self._state = evolve(self._state, record)

    async def _is_known(self, voided: model.RatingVoided) -> bool:
        """Return whether the seats of a voided match are those with which it was rated, and it was not voided yet."""
        version = self._versions.get(voided.match)
        if version is None or voided.match in self._state.voided:
            return False
        stream = await self._repository.get(ratings_key(self._name))
        [rated] = await self._reader.records(stream, Version(version - 1), 1)
        return isinstance(rated.event, model.MatchRated) and rated.event.seats == voided.seats

    async def _match_of(self, record: Record) -> PlayedMatch | str | None:
        """Return the match of an entry from its room or the archive; why it is damaged, or None if it is gone.

        None also for an entry without a match.
        """
        if not isinstance(record.event, model.MatchRated):
            return None
        key, number = room_of_match(record.event.match)
        try:
            [entry] = await self._store.matches(key, [number])
        except BrokenHistory as broken:
            return str(broken)
        if entry is None:
            return await asyncio.to_thread(archived_match, self._archive, key, number)
        known = ENTRY.decode(entry)
        return PlayedMatch(known.game, known.players, known.result, known.ended)

    async def _check_board(self, until: Version) -> None:
        """Compare the leaderboard with the entries, unless a match was rated meanwhile."""
        boards = self._store.leaderboards
        version = await boards.version(self._name)
        if version != until:
            latest = (await self._repository.current(ratings_key(self._name))).head.version
            if not until <= version <= latest and not await self._is_new(version):
                self._note("the leaderboard", [f"it ends at version {version} of {until}; {REBUILD}"])
            return
        problems = await self._value_problems() or await self._place_problems()
        if await boards.version(self._name) == until:
            self._note("the leaderboard", problems)

    async def _is_new(self, version: Version) -> bool:
        """Return whether a leaderboard of a version was not built yet, which is done when it is read."""
        rows = await self._store.leaderboards.rows(self._name, [PlayerId(player) for player in self._state.players])
        return version == 0 and not any(rows)

    async def _value_problems(self) -> list[str]:
        """Return which rows, points and places of matches are not those that follow from the entries."""
        boards, name, state = self._store.leaderboards, self._name, self._state
        rows = [row_of(PlayerId(player), standing) for player, standing in state.players.items()]
        found = list[str]()
        for at in range(0, len(rows), PAGE):
            checks = list[Awaitable[list[str]]]()
            for player, data, *_ in rows[at : at + PAGE]:
                points = points_in(self._points.get(player))
                checks.append(problems_of(f"the points of {player}", boards.points(name, player), points))
                checks.append(problems_of(f"the row of {player}", boards.rows(name, [player]), [data]))
            found += chain.from_iterable(await asyncio.gather(*checks))
        matches = list(self._versions.items())
        for at in range(0, len(matches), PAGE):
            part = matches[at : at + PAGE]
            checks = [problems_of(f"the entry of {match}", boards.match(name, match), where) for match, where in part]
            found += chain.from_iterable(await asyncio.gather(*checks))
        return found

    async def _place_problems(self) -> list[str]:
        """Compare the two orders: who is in it, with which rating, and where."""
        rows = [row_of(PlayerId(player), standing) for player, standing in self._state.players.items()]
        for everybody in (False, True):
            found = list[tuple[float, PlayerId]]()
            while page := await self._store.leaderboards.page(self._name, len(found), PAGE, everybody=everybody):
                found += [(-placed.score, placed.player) for placed in page]
            expected = [row for row in rows if row.score is not None and (everybody or row.has_place)]
            if found != sorted((-(row.score or 0), row.player) for row in expected):
                return [f"the places differ; {REBUILD}"]
        return []

    def _note(self, where: str, problems: Sequence[str]) -> None:
        self._problems += len(problems)
        for problem in problems:
            self._report(f"{self._name} {where}: {problem}")


async def problems_of(what: str, read: Awaitable[object], expected: object) -> list[str]:
    """Return what is wrong with a value of a leaderboard."""
    try:
        stored = await read
    except StoreDamaged:
        return [f"{what}: not what was stored; {REBUILD}"]
    return [] if stored == expected else [f"{what}: not what follows from the entries; {REBUILD}"]


def entry_problems(state: RatingList, rated: model.MatchRated) -> list[str]:
    """Return what is wrong with an entry after the entries before it."""
    seats = tuple(SeatResult(seat.player, seat.place, seat.bot, seat.program) for seat in rated.seats)
    ended = model.RatedMatchEnded(rated.match, rated.ended, seats, rated.members_only)
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


def match_problems(rated: model.MatchRated, played: PlayedMatch | str | None) -> list[str]:
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
