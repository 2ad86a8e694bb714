"""Opening rooms: one name, one live room; one key, one room."""

import asyncio
import random

import pytest

from service.domain.room.model import commands
from service.domain.room.model.commands import OpenRoom
from service.domain.room.model.ids import RoomName
from service.domain.room.model.settings import RequestedSettings
from service.rooms.commands.requests import CommandRequest, CommandResult
from service.rooms.errors import ServiceError
from service.rooms.loading.idempotency import idempotency_stamp
from service.rooms.player import Player
from service.store.contract import OutcomeUnknown
from tests.rooms.processes import ANNA, BEN, FRIDAY, Process, stored

NAMED = OpenRoom("morris", "Friday Night")
MADE_UP = OpenRoom("morris")


async def opened(process: Process, asked: OpenRoom, by: Player = ANNA, key: str | None = None) -> CommandResult:
    """Open a room."""
    return await process.rooms.open(asked, by, idempotency_stamp(key, asked))


async def rooms_in(process: Process) -> list[str]:
    """Return the names of the rooms in the lobby."""
    return sorted(key.name for key, _ in (await process.line.lobby(None, 100)).cards)


async def test_an_open_room_is_found_by_its_folded_name(process: Process) -> None:
    """In this process and in any other, with what was typed as its title."""
    answer = await opened(process, NAMED)
    assert answer.room.table.title == "Friday Night"
    for where in (process, process.another()):
        assert (await where.rooms.read(FRIDAY, None)).room == answer.room
    assert answer.room == await stored(process.line, answer.room.table.key)


async def test_a_name_is_taken_while_its_room_is_live(process: Process) -> None:
    """And free again when the room is closed; the next one has another epoch."""
    first = await opened(process, NAMED)
    with pytest.raises(ServiceError, match="name_taken"):
        await opened(process.another(), OpenRoom("ternio", "friday NIGHT"), BEN)
    await process.does(ANNA, commands.Close())
    second = await opened(process.another(), NAMED, BEN)
    assert second.room.table.key != first.room.table.key
    assert (await process.rooms.read(FRIDAY, None)).room == second.room


async def test_an_unknown_name_is_no_room(process: Process) -> None:
    """Nor is that of a closed one."""
    await opened(process, NAMED)
    await process.does(ANNA, commands.Close())
    for name in (FRIDAY, RoomName("never-opened")):
        for where in (process, process.another()):
            with pytest.raises(ServiceError, match="no_such_room"):
                await where.rooms.read(name, None)


async def test_a_room_closed_elsewhere_is_noticed(process: Process) -> None:
    """A process that holds it finds the next room of the name."""
    await opened(process, NAMED)
    other = process.another()
    await other.rooms.read(FRIDAY, None)
    await process.does(ANNA, commands.Close())
    second = await opened(process, NAMED, BEN)
    assert (await other.rooms.read(FRIDAY, None)).room == second.room


async def test_names_are_made_up_where_none_is_given(process: Process) -> None:
    """Another one for each room."""
    names = [(await opened(process, MADE_UP)).room.table.key.name for _ in range(5)]
    assert len(set(names)) == 5


@pytest.mark.parametrize("asked", [NAMED, MADE_UP], ids=["named", "made up"])
async def test_a_key_opens_one_room(process: Process, asked: OpenRoom) -> None:
    """Sent again it gets its first answer, in every process and whatever happened in the room since."""
    first = await opened(process, asked, key="k1")
    live = await process.core.repository.by_name(first.room.table.key.name)
    await process.rooms.execute(live, CommandRequest(commands.Join(), BEN))
    for where in (process, process.another()):
        again = await opened(where, asked, key="k1")
        assert again.replayed
        assert again.room == first.room
        assert list(again.recorded) == list(first.recorded)
    assert len(await rooms_in(process)) == 1


@pytest.mark.parametrize("other", [OpenRoom("ternio", "Friday Night"), OpenRoom("morris", "Saturday"), MADE_UP])
async def test_a_key_means_one_request_for_a_room(process: Process, other: OpenRoom) -> None:
    """Another game, name or none at all under the same key is refused."""
    await opened(process, NAMED, key="k1")
    with pytest.raises(ServiceError, match="key_reused"):
        await opened(process.another(), other, key="k1")


async def test_keys_are_each_players_own(process: Process) -> None:
    """Ben's first request is no repetition of Anna's."""
    await opened(process, MADE_UP, ANNA, "k1")
    assert not (await opened(process, MADE_UP, BEN, "k1")).replayed
    assert len(await rooms_in(process)) == 2


async def test_a_room_closed_since_is_not_opened_again(process: Process) -> None:
    """The answer is the first one, though its name may be another room's by now."""
    first = await opened(process, NAMED, key="k1")
    await process.does(ANNA, commands.Close())
    await opened(process, NAMED, BEN)
    again = await opened(process.another(), NAMED, key="k1")
    assert again.replayed
    assert again.room == first.room


@pytest.mark.parametrize("asked", [NAMED, MADE_UP], ids=["named", "made up"])
async def test_an_opening_whose_answer_was_lost_is_found_again(process: Process, asked: OpenRoom) -> None:
    """The store had opened the room and then went away."""
    process.line.failing["open"] = OutcomeUnknown()
    with pytest.raises(OutcomeUnknown):
        await opened(process, asked, key="k1")
    again = await opened(process, asked, key="k1")
    assert again.replayed
    assert len(await rooms_in(process)) == 1


@pytest.mark.parametrize("asked", [NAMED, MADE_UP], ids=["named", "made up"])
@pytest.mark.parametrize("seed", range(4))
async def test_a_key_sent_twice_at_once_opens_one_room(process: Process, asked: OpenRoom, seed: int) -> None:
    """A client that repeats before the first answer has come gets the same room."""
    other = process.another()
    process.line.dice = other.line.dice = random.Random(seed)  # noqa: S311 - how slow answers are
    answers = await asyncio.gather(*(opened(where, asked, key="k1") for where in (process, other, process)))
    assert {answer.room.table.key for answer in answers} == {answers[0].room.table.key}
    assert sorted(answer.replayed for answer in answers) == [False, True, True]
    assert len(await rooms_in(process)) == 1


async def test_of_two_who_want_a_name_at_once_one_gets_it(process: Process) -> None:
    """The other is told so."""
    other = process.another()
    asked = (opened(process, NAMED, ANNA), opened(other, NAMED, BEN))
    answers = await asyncio.gather(*asked, return_exceptions=True)
    assert sorted(type(answer).__name__ for answer in answers) == ["CommandResult", "ServiceError"]


async def test_one_request_opens_a_match_against_oneself(process: Process) -> None:
    """With all seats one's own the match begins at once."""
    asked = OpenRoom("triboard", settings=RequestedSettings(hot_seat=True), seats=("me", "me", "me"))
    answer = await opened(process, asked)
    assert answer.room.table.status == "playing"
    assert answer.room == await stored(process.line, answer.room.table.key)


async def test_an_unlisted_room_stays_out_of_the_lobby(process: Process) -> None:
    """It is found by its name only, and so does a closed one."""
    await process.open(visibility="unlisted")
    assert await rooms_in(process) == []
    await opened(process, MADE_UP)
    assert len(await rooms_in(process)) == 1
    assert (await process.rooms.read(FRIDAY, None)).room.table.key.name == FRIDAY
