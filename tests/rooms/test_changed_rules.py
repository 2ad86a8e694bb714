"""A release with other rules for a game: matches that began under the old ones end, and stay what they were."""

from collections.abc import AsyncIterator
from dataclasses import replace

import pytest

from service.domain.catalog import GAMES
from service.domain.room.due import due
from service.domain.room.model import commands
from service.domain.room.model.ids import Version
from service.ops.exports.verify import verify_room
from service.rooms.commands.requests import CommandRequest
from service.rooms.errors import ServiceError
from service.rooms.loading.snapshots import state_type, types_of
from service.rooms.player import Player
from tests.rooms.processes import ANNA, BEN, CLARA, FRIDAY, Process, folds, place


@pytest.fixture
async def later(process: Process, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Process]:
    """Play the beginning of a match, and return a process of a release with other rules over the same store."""
    await process.match(ANNA, BEN, restart=None)
    await process.moves(ANNA, "a1")
    await process.rooms.close()
    types_of.cache_clear()
    monkeypatch.setitem(GAMES, "morris", replace(GAMES["morris"], rules_version=2))
    yield process.another()
    types_of.cache_clear()
    state_type.cache_clear()


async def last_events(process: Process, count: int) -> list[str]:
    """Return the types of a room's latest events."""
    live = await process.friday()
    history = await process.rooms.history(live, Version(live.head.version - count))
    return [type(recorded.event).__name__ for recorded in history]


async def test_such_a_match_can_be_read(later: Process) -> None:
    """As it was left."""
    room = await later.fresh()
    assert room.playing
    assert room == (await folds(later.line, room.table.key))[-1]


async def test_it_ends_before_anybody_moves(later: Process) -> None:
    """It counts for nobody; the move is refused, as no match is played any more."""
    with pytest.raises(ServiceError, match="not_playing"):
        await later.moves(BEN, "d1")
    room = await later.fresh()
    assert room.match
    assert room.match.result
    assert (room.match.result.reason, room.match.result.places) == ("rules_changed", ())
    assert await last_events(later, 2) == ["Placed", "MatchEnded"]


async def test_a_dry_run_says_the_same_and_changes_nothing(later: Process) -> None:
    """The match is still there."""
    with pytest.raises(ServiceError, match="not_playing"):
        await later.rooms.dry_run(FRIDAY, CommandRequest(place("d1"), BEN))
    assert (await later.fresh()).playing


async def test_what_else_is_asked_for_is_done(later: Process) -> None:
    """Behind the end, which is the house's."""
    await later.does(CLARA, commands.Join(role="spectator"))
    assert await last_events(later, 2) == ["MatchEnded", "PlayerJoined"]
    history = await later.rooms.history(await later.friday(), Version((await later.friday()).head.version - 2))
    assert [recorded.by for recorded in history] == [None, CLARA.id]


async def test_a_worker_ends_it_when_it_comes_by(later: Process) -> None:
    """It is due at once."""
    live = await later.friday()
    owed = due(live.room)
    assert owed
    assert (owed.why, owed.at) == ("rules", live.room.time)
    assert await later.rooms.proceed(live.key)
    assert not live.room.playing


async def test_the_next_match_is_played_by_the_new_rules(later: Process) -> None:
    """And goes on from there; both are intact in the store."""
    for player in (ANNA, BEN):
        await later.does(player, commands.Ready())
    room = await later.fresh()
    assert room.playing
    assert room.playing.rules_version == 2
    await later.moves(room_mover(room.table.seats[0]), "a1")
    await later.rooms.close()
    assert (await verify_room(later.line, room.table.key)).matches == 2


def room_mover(player: str | None) -> Player:
    """Return who begins."""
    return ANNA if player == ANNA.id else BEN


async def test_matches_that_ended_before_are_left_alone(process: Process, monkeypatch: pytest.MonkeyPatch) -> None:
    """Their results stand."""
    live = await process.match(ANNA, BEN, restart=None)
    await process.does(ANNA, commands.Resign())
    monkeypatch.setitem(GAMES, "morris", replace(GAMES["morris"], rules_version=2))
    other = process.another()
    await other.does(CLARA, commands.Join(role="spectator"))
    room = await other.fresh()
    assert room.match
    assert room.match.result
    assert room.match.result.reason == "resigned"
    assert (await verify_room(other.line, live.key)).matches == 1
