"""Notable matches: which ones can be, what is found about them, and that each board is that of a slow recount."""

import random
from collections.abc import Sequence
from typing import Any

import msgspec
import pytest

from service.contests.notable import FACTS, Found, board_of, end_of, facts_of
from service.domain.catalog import GAMES
from service.domain.game import Seat
from service.domain.ids import DAY, Millis, Player, RoomName, Version
from service.domain.notation.positions import PlyPosition
from service.domain.room.model import commands
from service.domain.room.model.events import Result
from service.domain.room.model.settings import OpenRoom, RequestedSettings
from service.rooms.commands.requests import CommandRequest
from service.rooms.service import RoomCore, RoomService
from service.store.contract import StoreUnavailable
from service.store.integrity import BrokenHistory
from service.store.projections.player_matches import FirstMatches
from service.streams.errors import ServiceError
from tests.rooms.processes import ANNA, BEN, NOON, Process


def positions(*values: tuple[int, ...]) -> list[PlyPosition]:
    """Return the positions of a match in which the seats had these values."""
    return [PlyPosition(Version(1), (), each, None) for each in values]


def result(*places: int) -> Result:
    """Return the result with these places."""
    return Result("most_discs", places, None, tuple(Seat(seat) for seat, place in enumerate(places) if place == 1))


@pytest.mark.parametrize(
    ("places", "values", "expected"),
    [
        ((1, 2), [(4, 4), (1, 9), (7, 5)], [("longest", 2), ("shortest_win", 2), ("comeback", 8)]),
        ((2, 1), [(4, 4), (1, 9), (5, 7)], [("longest", 2), ("shortest_win", 2)]),
        ((1, 2, 3), [(3, 3, 3), (1, 2, 6), (9, 0, 0)], [("longest", 2), ("shortest_win", 2), ("comeback", 5)]),
        ((1, 1), [(4, 4), (1, 9)], [("longest", 1)]),
        ((1, 2), [(), ()], [("longest", 1), ("shortest_win", 1)]),
    ],
)
def test_what_is_found(places: Sequence[int], values: list[tuple[int, ...]], expected: list[tuple[str, int]]) -> None:
    """The winner's largest deficit is a comeback; a draw has only a length; a game may measure nothing."""
    assert list(facts_of(result(*places), positions(*values))) == [Found(*each) for each in expected]  # type: ignore[arg-type]  # facts


def test_periods_are_days_and_weeks_in_utc() -> None:
    """A week begins on Monday; its board can be deleted a week after it has ended."""
    monday = Millis(1_699_833_600_000)  # 2023-11-13
    for time in (monday, Millis(monday + 7 * DAY - 1)):
        assert board_of("longest", "week", time) == board_of("longest", "week", monday)
        assert end_of("week", time) == monday + 14 * DAY
    assert board_of("longest", "week", Millis(monday - 1)) != board_of("longest", "week", monday)
    assert board_of("longest", "day", Millis(monday - 1)) != board_of("longest", "day", monday)
    assert (end_of("day", monday), end_of("all", monday)) == (monday + 8 * DAY, None)


async def play_random(
    core: RoomCore, rooms: RoomService, name: str, chance: random.Random, *players: Player, **settings: Any
) -> str:
    """Play a match of Tic-Tac-Rainbow with random moves to its end by the rules, and return its id."""
    options = settings.pop("options", {})
    chosen = RequestedSettings(**{"start": "full", "restart": None, **settings})
    await rooms.open(OpenRoom("rainbow", name, options, settings=chosen), players[0])
    live = await core.repository.by_name(RoomName(name))
    await rooms.execute(live, CommandRequest(commands.Join(), players[1]))
    by_id = {player.id: player for player in players}
    while (match := live.state.playing) is not None:
        [seat] = match.game.to_move(match.state)
        move = chance.choice(list(match.game.legal_moves(match.state, seat)))
        holder = match.players[seat]
        assert holder is not None
        await rooms.execute(live, CommandRequest(commands.Play(msgspec.to_builtins(move)), by_id[holder]))
    assert live.state.match is not None
    return live.state.match.id


async def boards(process: Process) -> dict[tuple[str, str], list[tuple[str, int]]]:
    """Return the matches and values of all boards that have any."""
    found: dict[tuple[str, str], list[tuple[str, int]]] = {}
    for match in await process.notable.best(list(GAMES), 10):
        found.setdefault((match.fact, match.period), []).append((match.entry.id, match.value))
    return found


async def test_each_board_is_that_of_a_recount(process: Process, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also if workers are killed; matches for members, with other options, and those given up are left out."""
    chance, expected = random.Random(7), dict[str, int]()  # noqa: S311 - a test's
    kinds: list[dict[str, Any]] = [{}, {}, {"spectators": False}, {"options": {"grid": "hex"}}, {}]
    for number, settings in enumerate(kinds):
        match = await play_random(process.core, process.rooms, f"room-{number}", chance, ANNA, BEN, **settings)
        if not settings:
            live = await process.core.repository.by_name(RoomName(f"room-{number}"))
            assert live.state.match is not None
            expected[match] = len(live.state.match.turns)
        with monkeypatch.context() as patched:
            patched.setattr(process.store.outbox, "delete", killed)
            with pytest.raises(StoreUnavailable):
                await process.deliver()
    await process.start_match(ANNA, BEN)
    await process.execute(ANNA, commands.Resign())
    await process.deliver()
    found = await boards(process)
    shortest = sorted(expected.items(), key=lambda each: (each[1], each[0]))
    longest = sorted(expected.items(), key=lambda each: (-each[1], each[0]))
    for period in ("day", "week", "all"):
        assert found["longest", period] == longest
        assert found["shortest_win", period] == shortest
        assert {match for match, _ in found.get(("comeback", period), [])} <= expected.keys()
    assert {fact for fact, _ in found} <= set(FACTS)
    process.clock.time = Millis(NOON + 30 * DAY)
    assert {period for _, period in await boards(process)} == {"all"}
    await process.notable.discard_all()
    assert await boards(process) == {}


async def test_a_damaged_match_does_not_stop_an_outbox(process: Process, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is left out, and everything else is delivered and deleted from the outbox."""
    chance = random.Random(3)  # noqa: S311 - a test's
    await play_random(process.core, process.rooms, "room-1", chance, ANNA, BEN)
    with monkeypatch.context() as patched:
        patched.setattr(process.store, "matches", broken)
        await process.deliver()
    assert await process.store.outbox.pending(0, 100) == []
    assert await boards(process) == {}
    assert await process.store.player_matches.first(ANNA.id) == FirstMatches(NOON, NOON)


async def test_an_event_of_a_newer_release_waits_in_the_outbox(
    process: Process, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As for other receivers: a worker of that release delivers it later."""
    chance = random.Random(3)  # noqa: S311 - a test's
    match = await play_random(process.core, process.rooms, "room-1", chance, ANNA, BEN)
    with monkeypatch.context() as patched:
        patched.setattr(process.rooms, "by_key", newer)
        with pytest.raises(ServiceError, match="newer_events"):
            await process.deliver()
    assert await process.store.outbox.pending(0, 100)
    await process.deliver()
    assert (await boards(process))["longest", "all"][0][0] == match


async def newer(*_: object) -> None:
    """Fail like the repository for an event that only a newer release can read."""
    raise ServiceError("newer_events")


async def broken(*_: object) -> None:
    """Fail like the store for an entry with an invalid MAC."""
    raise BrokenHistory("its MAC does not match")


async def killed(*_: object) -> None:
    """Fail like the store of a worker that was killed."""
    raise StoreUnavailable
