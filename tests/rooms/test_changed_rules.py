"""A release with other rules for a game: matches under the old rules are ended, and their history stays unchanged."""

from collections.abc import AsyncIterator
from dataclasses import replace

import pytest

from service.domain.catalog import GAMES
from service.domain.ids import Player, Version
from service.domain.room.due import due
from service.domain.room.model import commands
from service.programs.ops.exports.verify import verify_room
from service.rooms.commands.requests import CommandRequest
from service.rooms.kind import state_type
from service.streams.errors import ServiceError
from tests.rooms.processes import ANNA, BEN, CLARA, FRIDAY, Process, fold_versions, place


@pytest.fixture
async def later(process: Process, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Process]:
    """Play the beginning of a match, and return a process of a release with other rules over the same store."""
    await process.start_match(ANNA, BEN, restart=None)
    await process.place_man(ANNA, "a1")
    await process.rooms.close()
    monkeypatch.setitem(GAMES, "morris", replace(GAMES["morris"], rules_version=2))
    yield process.start_another()
    state_type.cache_clear()


async def last_events(process: Process, count: int) -> list[str]:
    """Return the types of a room's latest events."""
    live = await process.cached_room()
    history = await process.rooms.history(live, Version(live.head.version - count))
    return [type(recorded.event).__name__ for recorded in history]


async def test_a_match_under_old_rules_can_be_read(later: Process) -> None:
    """It is shown as it was played."""
    room = await later.stored_room()
    assert room.playing
    assert room == (await fold_versions(later.store, room.table.key))[-1]


async def test_it_ends_before_the_next_move(later: Process) -> None:
    """It has no result; the move is rejected, because no match is running."""
    with pytest.raises(ServiceError, match="not_playing"):
        await later.place_man(BEN, "d1")
    room = await later.stored_room()
    assert room.match
    assert room.match.result
    assert (room.match.result.reason, room.match.result.places) == ("rules_changed", ())
    assert await last_events(later, 2) == ["Placed", "MatchEnded"]


async def test_a_dry_run_has_the_same_outcome_and_changes_nothing(later: Process) -> None:
    """The match is still there."""
    with pytest.raises(ServiceError, match="not_playing"):
        await later.rooms.dry_run(FRIDAY, CommandRequest(place("d1"), BEN))
    assert (await later.stored_room()).playing


async def test_other_commands_are_executed(later: Process) -> None:
    """After the end of the match, which is the service's."""
    await later.execute(CLARA, commands.Join(role="spectator"))
    assert await last_events(later, 2) == ["MatchEnded", "PlayerJoined"]
    history = await later.rooms.history(
        await later.cached_room(), Version((await later.cached_room()).head.version - 2)
    )
    assert [recorded.by for recorded in history] == [None, CLARA.id]


async def test_a_worker_ends_it(later: Process) -> None:
    """It is due at once."""
    live = await later.cached_room()
    owed = due(live.state)
    assert owed
    assert (owed.why, owed.at) == ("rules", live.state.time)
    assert await later.rooms.proceed(live.key)
    assert not live.state.playing


async def test_the_next_match_is_played_by_the_new_rules(later: Process) -> None:
    """Both matches are intact in the store."""
    for player in (ANNA, BEN):
        await later.execute(player, commands.Ready(), all_present=True)
    room = await later.stored_room()
    assert room.playing
    assert room.playing.rules_version == 2
    await later.place_man(random_first_player(room.table.seats[0]), "a1")
    await later.rooms.close()
    assert (await verify_room(later.store, room.table.key)).matches == 2


def random_first_player(player: str | None) -> Player:
    """Return the first player."""
    return ANNA if player == ANNA.id else BEN


async def test_matches_that_ended_before_are_not_changed(process: Process, monkeypatch: pytest.MonkeyPatch) -> None:
    """They keep their results."""
    live = await process.start_match(ANNA, BEN, restart=None)
    await process.execute(ANNA, commands.Resign())
    monkeypatch.setitem(GAMES, "morris", replace(GAMES["morris"], rules_version=2))
    other = process.start_another()
    await other.execute(CLARA, commands.Join(role="spectator"))
    room = await other.stored_room()
    assert room.match
    assert room.match.result
    assert room.match.result.reason == "resigned"
    assert (await verify_room(other.store, live.key)).matches == 1
