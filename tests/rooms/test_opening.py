"""Opening rooms: one open room per name, one room per key."""

import asyncio
import random

import pytest

from service.domain.game import MOST_TURNS
from service.domain.ids import Player, RoomName
from service.domain.room.model import commands
from service.domain.room.model.settings import OpenRoom, RequestedSettings
from service.domain.validation import Invalid
from service.rooms.commands.requests import CommandRequest, CommandResult
from service.store.contract import OutcomeUnknown
from service.streams.errors import ServiceError
from tests.rooms.processes import ANNA, BEN, FRIDAY, Process, fold_stored, keyed

NAMED = OpenRoom("morris", "Friday Night")
GENERATED = OpenRoom("morris")


async def open_room(process: Process, opening: OpenRoom, by: Player = ANNA, key: str | None = None) -> CommandResult:
    """Open a room."""
    return await process.rooms.open(opening, by, keyed(key, opening))


async def lobby_names(process: Process) -> list[str]:
    """Return the names of the rooms in the lobby."""
    return sorted(key.name for key, _ in (await process.store.lobby(None, 100)).entries)


async def test_an_open_room_is_found_by_its_folded_name(process: Process) -> None:
    """Every process finds it, and its title is as typed."""
    result = await open_room(process, NAMED)
    assert result.room.table.title == "Friday Night"
    for where in (process, process.start_another()):
        assert (await where.rooms.read(FRIDAY, None)).state == result.room
    assert result.room == await fold_stored(process.store, result.room.table.key)


async def test_a_name_is_taken_while_its_room_is_open(process: Process) -> None:
    """It is free when the room is closed; the next one has another epoch."""
    first = await open_room(process, NAMED)
    with pytest.raises(ServiceError, match="name_taken"):
        await open_room(process.start_another(), OpenRoom("ternio", "friday NIGHT"), BEN)
    await process.execute(ANNA, commands.Close())
    second = await open_room(process.start_another(), NAMED, BEN)
    assert second.room.table.key != first.room.table.key
    assert (await process.rooms.read(FRIDAY, None)).state == second.room


async def test_an_unknown_name_is_not_found(process: Process) -> None:
    """Nor is that of a closed room."""
    await open_room(process, NAMED)
    await process.execute(ANNA, commands.Close())
    for name in (FRIDAY, RoomName("never-opened")):
        for where in (process, process.start_another()):
            with pytest.raises(ServiceError, match="no_such_room"):
                await where.rooms.read(name, None)


async def test_a_room_closed_by_another_process_is_noticed(process: Process) -> None:
    """A process that has it cached finds the next room of the name."""
    await open_room(process, NAMED)
    other = process.start_another()
    await other.rooms.read(FRIDAY, None)
    await process.execute(ANNA, commands.Close())
    second = await open_room(process, NAMED, BEN)
    assert (await other.rooms.read(FRIDAY, None)).state == second.room


async def test_names_are_generated_where_none_is_given(process: Process) -> None:
    """Each room gets a different one."""
    names = [(await open_room(process, GENERATED)).room.table.key.name for _ in range(5)]
    assert len(set(names)) == 5


@pytest.mark.parametrize("opening", [NAMED, GENERATED], ids=["named", "generated"])
async def test_a_key_opens_one_room(process: Process, opening: OpenRoom) -> None:
    """A repetition gets the first result, in every process and after any other events."""
    first = await open_room(process, opening, key="k1")
    live = await process.core.repository.by_name(first.room.table.key.name)
    await process.rooms.execute(live, CommandRequest(commands.Join(), BEN))
    for where in (process, process.start_another()):
        repeated = await open_room(where, opening, key="k1")
        assert repeated.replayed
        assert repeated.room == first.room
        assert list(repeated.recorded) == list(first.recorded)
    assert len(await lobby_names(process)) == 1


@pytest.mark.parametrize("other", [OpenRoom("ternio", "Friday Night"), OpenRoom("morris", "Saturday"), GENERATED])
async def test_a_key_belongs_to_one_opening(process: Process, other: OpenRoom) -> None:
    """Another game, another name or none with the same key is refused."""
    await open_room(process, NAMED, key="k1")
    with pytest.raises(ServiceError, match="key_reused"):
        await open_room(process.start_another(), other, key="k1")


async def test_each_player_has_their_own_keys(process: Process) -> None:
    """Ben's first request is no repetition of Anna's."""
    await open_room(process, GENERATED, ANNA, "k1")
    assert not (await open_room(process, GENERATED, BEN, "k1")).replayed
    assert len(await lobby_names(process)) == 2


async def test_a_room_closed_since_is_not_opened_again(process: Process) -> None:
    """The result is the first one, although its name may be another room's by then."""
    first = await open_room(process, NAMED, key="k1")
    await process.execute(ANNA, commands.Close())
    await open_room(process, NAMED, BEN)
    repeated = await open_room(process.start_another(), NAMED, key="k1")
    assert repeated.replayed
    assert repeated.room == first.room


@pytest.mark.parametrize("opening", [NAMED, GENERATED], ids=["named", "generated"])
async def test_an_opening_whose_reply_was_lost_is_found_again(process: Process, opening: OpenRoom) -> None:
    """The store had opened the room before the outage."""
    process.store.failing["append"] = OutcomeUnknown()
    with pytest.raises(OutcomeUnknown):
        await open_room(process, opening, key="k1")
    repeated = await open_room(process, opening, key="k1")
    assert repeated.replayed
    assert len(await lobby_names(process)) == 1


@pytest.mark.parametrize("opening", [NAMED, GENERATED], ids=["named", "generated"])
@pytest.mark.parametrize("seed", range(4))
async def test_a_key_sent_twice_at_once_opens_one_room(process: Process, opening: OpenRoom, seed: int) -> None:
    """A client that repeats before the first response gets the same room."""
    other = process.start_another()
    process.store.dice = other.store.dice = random.Random(seed)  # noqa: S311 - how slow replies are
    results = await asyncio.gather(*(open_room(where, opening, key="k1") for where in (process, other, process)))
    assert {result.room.table.key for result in results} == {results[0].room.table.key}
    assert sorted(result.replayed for result in results) == [False, True, True]
    assert len(await lobby_names(process)) == 1


async def test_one_of_two_concurrent_openings_gets_the_name(process: Process) -> None:
    """The other opening is refused."""
    other = process.start_another()
    openings = (open_room(process, NAMED, ANNA), open_room(other, NAMED, BEN))
    results = await asyncio.gather(*openings, return_exceptions=True)
    assert sorted(type(result).__name__ for result in results) == ["CommandResult", "ServiceError"]


async def test_one_request_opens_a_match_against_oneself(process: Process) -> None:
    """With all seats one's own the match begins at once."""
    opening = OpenRoom("triboard", settings=RequestedSettings(hot_seat=True), seats=("me", "me", "me"))
    result = await open_room(process, opening)
    assert result.room.table.status == "playing"
    assert result.room == await fold_stored(process.store, result.room.table.key)


async def test_an_unlisted_room_is_not_in_the_lobby(process: Process) -> None:
    """It is found by its name only; a closed one is not listed either."""
    await process.open(visibility="unlisted")
    assert await lobby_names(process) == []
    await open_room(process, GENERATED)
    assert len(await lobby_names(process)) == 1
    assert (await process.rooms.read(FRIDAY, None)).state.table.key.name == FRIDAY


@pytest.mark.parametrize("limit", [MOST_TURNS + 1, 2**53, 10**4298])
async def test_a_number_of_turns_has_a_bound(process: Process, limit: int) -> None:
    """A number that no match reaches is refused, when a room is opened and when it is configured."""
    with pytest.raises(Invalid, match=str(MOST_TURNS)) as refused:
        await open_room(process, OpenRoom("morris", "Friday Night", {"quiet_limit": limit}))
    assert refused.value.pointer == "/options/quiet_limit"
    await open_room(process, OpenRoom("morris", "Friday Night", {"quiet_limit": MOST_TURNS}))
    with pytest.raises(Invalid, match=str(MOST_TURNS)):
        await process.execute(ANNA, commands.Configure(options={"quiet_limit": limit}))
