"""The only write path: a command is stored once, in the room's order, whatever else writes at the same time."""

import asyncio
import random
from collections.abc import Awaitable
from functools import partial

import pytest
from msgspec.structs import replace

from service.domain.game import Seat
from service.domain.room.model import commands
from service.domain.room.model.ids import Epoch, RoomKey
from service.domain.validation import Invalid
from service.rooms.commands.due_set import TRIES
from service.rooms.commands.requests import CommandRequest, CommandResult
from service.rooms.errors import ServiceError
from service.rooms.loading.idempotency import idempotency_stamp
from service.rooms.player import Player
from service.store.contract import OutcomeUnknown, StoreUnavailable
from tests.rooms.processes import ANNA, BEN, CLARA, DORA, FRIDAY, Process, place, settle, stored


async def refused(answer: Awaitable[CommandResult], code: str) -> ServiceError:
    """Return the refusal that a command met, which carries this code."""
    with pytest.raises(ServiceError) as failure:
        await answer
    assert failure.value.problem.code == code
    return failure.value


async def test_what_was_answered_is_what_is_stored(process: Process) -> None:
    """Events, versions and the room after them."""
    live = await process.match(ANNA, BEN)
    answer = await process.moves(ANNA, "a1")
    assert [recorded.event.at for recorded in answer.recorded] == ["a1"]  # type: ignore[attr-defined]  # a placing
    assert answer.room == live.room == await stored(process.line, live.key)
    assert not answer.replayed


async def test_a_command_sent_again_is_answered_again(process: Process) -> None:
    """With its first answer, whatever happened since, and nothing is written."""
    live = await process.match(ANNA, BEN)
    first = await process.moves(ANNA, "a1", "k1")
    await process.moves(BEN, "a4", "k1")
    again = await process.moves(ANNA, "a1", "k1")
    assert again == CommandResult(first.room, first.recorded, replayed=True)
    assert live.head.version == first.room.version + 1


async def test_a_repetition_is_known_in_every_process(process: Process) -> None:
    """In one that has loaded the room since, and in one whose copy is from before."""
    await process.match(ANNA, BEN)
    behind = process.another()
    await behind.friday()
    first = await process.moves(ANNA, "a1", "k1")
    for other in (behind, process.another()):
        again = await other.moves(ANNA, "a1", "k1")
        assert again.replayed
        assert again.room == first.room
        assert list(again.recorded) == list(first.recorded)


async def test_a_key_means_one_command(process: Process) -> None:
    """Another body under it is refused, by whoever knows the key; keys are each player's own."""
    await process.match(ANNA, BEN)
    await process.moves(ANNA, "a1", "k1")
    await refused(process.moves(ANNA, "d1", "k1"), "key_reused")
    await refused(process.another().moves(ANNA, "d1", "k1"), "key_reused")
    assert not (await process.moves(BEN, "d1", "k1")).replayed


async def test_a_refusal_is_not_remembered(process: Process) -> None:
    """The same key may be used when the command has become possible."""
    await process.match(ANNA, BEN)
    await refused(process.moves(BEN, "a1", "k1"), "not_your_turn")
    await process.moves(ANNA, "d1")
    assert not (await process.moves(BEN, "a1", "k1")).replayed


async def test_a_command_is_decided_anew_when_another_process_was_faster(process: Process) -> None:
    """Its copy was from before the other's move; both are stored, one after the other."""
    await process.match(ANNA, BEN)
    other = process.another()
    await other.friday()
    await process.does(CLARA, commands.Join(role="spectator"))
    answer = await other.moves(ANNA, "a1")
    assert answer.room == await process.fresh() == await stored(process.line, answer.room.table.key)
    assert CLARA.id in answer.room.table.members


async def test_a_command_that_an_old_copy_refuses_is_looked_at_again(process: Process) -> None:
    """In the other process it is still Anna's turn; in truth it is Ben's."""
    await process.match(ANNA, BEN)
    other = process.another()
    await other.friday()
    await process.moves(ANNA, "a1")
    assert not (await other.moves(BEN, "d1")).replayed


async def test_a_refusal_tells_where_the_room_stands_in_truth(process: Process) -> None:
    """And what the caller could play now."""
    await process.match(ANNA, BEN)
    other = process.another()
    await other.friday()
    await process.moves(ANNA, "a1")
    problem = (await refused(other.moves(BEN, "a1"), "occupied")).problem
    assert problem.version == (await process.friday()).head.version
    assert problem.params == {"at": "a1"}
    assert problem.legal_moves is not None
    assert len(problem.legal_moves) == 23
    out_of_turn = (await refused(other.moves(ANNA, "d1"), "not_your_turn")).problem
    assert out_of_turn.legal_moves == []


async def test_who_insists_on_a_version_is_refused_at_another(process: Process) -> None:
    """A copy from before is no reason; the version in the store is."""
    await process.match(ANNA, BEN)
    other = process.another()
    behind = (await other.friday()).head.version
    await process.does(CLARA, commands.Join(role="spectator"))
    problem = (await refused(other.moves(ANNA, "a1", if_version=behind), "version_mismatch")).problem
    assert (problem.status, problem.version) == (412, behind + 1)
    await other.moves(ANNA, "a1", "k1", if_version=behind + 1)
    assert (await other.moves(ANNA, "a1", "k1", if_version=behind + 1)).replayed


async def test_who_insists_on_a_version_of_another_room_is_refused(process: Process) -> None:
    """The name may have been opened anew in between."""
    live = await process.match(ANNA, BEN)
    await refused(process.moves(ANNA, "a1", if_epoch=Epoch("another")), "version_mismatch")
    await process.moves(ANNA, "a1", if_epoch=live.key.epoch)


async def test_a_move_that_is_none_does_not_fit(process: Process) -> None:
    """It is not refused but invalid, and nothing is written."""
    live = await process.match(ANNA, BEN)
    head = live.head
    with pytest.raises(Invalid):
        await process.moves(ANNA, "z9")
    assert live.head == head


async def test_a_room_to_which_others_always_write_first_is_busy(process: Process) -> None:
    """After so many tries the command is given up, with nothing written."""
    live = await process.match(ANNA, BEN)
    playing, other = live.room.match, process.another()
    come, go = (partial(other.does, CLARA, command) for command in (commands.Join(role="spectator"), commands.Leave()))
    process.line.faster = [come, go] * (TRIES // 2)
    problem = (await refused(process.moves(ANNA, "a1"), "busy")).problem
    assert problem.retry_after
    assert (await process.fresh()).match == playing
    await process.moves(ANNA, "a1")
    assert (await process.fresh()) == await stored(process.line, live.key)


async def test_a_dry_run_writes_nothing(process: Process) -> None:
    """It tells the events that would come, on the newest state, and keeps no key."""
    live = await process.match(ANNA, BEN)
    other = process.another()
    await other.friday()
    await process.moves(ANNA, "a1")
    request = CommandRequest(place("d1"), BEN)
    foretold = await other.rooms.dry_run(FRIDAY, request)
    assert [recorded.event.at for recorded in foretold.recorded] == ["d1"]  # type: ignore[attr-defined]  # a placing
    assert (await process.fresh()) == live.room
    await refused(other.rooms.dry_run(FRIDAY, CommandRequest(place("d1"), ANNA)), "not_your_turn")


@pytest.mark.parametrize("seed", range(4))
async def test_a_key_sent_twice_at_once_is_one_command(process: Process, seed: int) -> None:
    """To one process or to two, however slow the store's answers are."""
    await process.match(ANNA, BEN)
    other = process.another()
    process.line.dice = other.line.dice = random.Random(seed)  # noqa: S311 - how slow answers are
    answers = await asyncio.gather(*(where.moves(ANNA, "a1", "k1") for where in (process, other, process, other)))
    assert sorted(answer.replayed for answer in answers) == [False, True, True, True]
    assert {answer.room.version for answer in answers} == {(await process.fresh()).version}


@pytest.mark.parametrize("seed", range(4))
async def test_many_writers_at_once_leave_one_history(process: Process, seed: int) -> None:
    """Two processes, four players, every answer slow: each accepted command stands in the stream once, in order."""
    live = await process.open("ternio", hot_seat=True)
    opening, other = live.head.version, process.another()
    process.line.dice = other.line.dice = random.Random(seed)  # noqa: S311 - how slow answers are
    dice = random.Random(seed)  # noqa: S311 - who does what
    wishes = (commands.Join(), commands.Leave(), commands.Ready("salt"), commands.Unready(), commands.TakeSeat(Seat(2)))
    asked = [(dice.choice((process, other)), dice.choice((BEN, CLARA)), dice.choice(wishes)) for _ in range(60)]
    answers = await asyncio.gather(
        *(where.does(who, what, f"k{n}") for n, (where, who, what) in enumerate(asked)), return_exceptions=True
    )
    versions = [
        recorded.version for answer in answers if isinstance(answer, CommandResult) for recorded in answer.recorded
    ]
    assert all(isinstance(answer, CommandResult | ServiceError) for answer in answers)
    truth = await stored(process.line, live.key)
    assert await process.fresh() == await other.fresh() == truth
    assert sorted(versions) == list(range(opening + 1, truth.version + 1))


async def test_after_a_store_that_went_away_the_same_key_finds_the_answer(process: Process) -> None:
    """The move was written but its answer was lost; sent again, it is told and not made twice."""
    live = await process.match(ANNA, BEN)
    process.line.failing["append"] = OutcomeUnknown()
    with pytest.raises(OutcomeUnknown):
        await process.moves(ANNA, "a1", "k1")
    again = await process.moves(ANNA, "a1", "k1")
    assert again.replayed
    assert live.room == await stored(process.line, live.key)


async def test_a_command_that_was_written_is_not_told_as_refused(process: Process) -> None:
    """The store goes away after the answer, when the process looks for what others wrote meanwhile."""
    await process.match(ANNA, BEN)
    other = process.another()
    await process.rooms._subscriptions._attach(await process.friday())
    held = process.line.hold("append")
    moving = asyncio.create_task(process.moves(ANNA, "a1"))
    await held.reached.wait()
    await other.moves(BEN, "d1")
    await settle()
    process.line.failing["read"] = StoreUnavailable()
    held.release()
    assert not (await moving).replayed
    await settle()
    assert process.line.failing == {}


async def test_a_repetition_whose_events_are_damaged_is_refused_and_the_room_goes_on(process: Process) -> None:
    """Its result is read without the room's lock, which reading damaged events takes to look for a replaced history."""
    live = await process.match(ANNA, BEN)
    await process.moves(ANNA, "a1", "k1")
    for count in range(80):
        await process.does(DORA, commands.Leave() if count % 2 else commands.Join(role="spectator"))
    entries = process.line._streams[live.key].entries
    entries[5] = replace(entries[5], digest=bytes(len(entries[5].digest)))
    async with asyncio.timeout(5):
        with pytest.raises(ServiceError, match="history_damaged"):
            await process.moves(ANNA, "a1", "k1")
        await process.moves(BEN, "d1")


async def test_closing_and_leaving_can_be_repeated(process: Process) -> None:
    """Though the room is closed by then, or the player gone."""
    await process.open()
    first = await process.rooms.command(FRIDAY, CommandRequest(commands.Join(role="spectator"), BEN))
    assert BEN.id in first.room.table.members
    for by, command in ((BEN, commands.Leave()), (ANNA, commands.Close())):
        left = await process.rooms.command(FRIDAY, keyed(by, command))
        for where in (process, process.another()):
            again = await where.rooms.command(FRIDAY, keyed(by, command))
            assert again.replayed
            assert again.room == left.room


async def test_a_note_of_a_room_that_never_was_stops_nobody(process: Process) -> None:
    """The player once tried to open a room of this name while the store was away."""
    await process.line.remember_room(ANNA.id, RoomKey(FRIDAY, Epoch("neverwas")))
    live = await process.match(ANNA, BEN)
    answer = await process.rooms.command(FRIDAY, keyed(ANNA, commands.Leave()))
    assert answer.room == live.room
    assert not answer.replayed


def keyed(by: Player, command: commands.Leave | commands.Close) -> CommandRequest:
    """Return a command with a key that tells it from others."""
    return CommandRequest(command, by, idempotency_stamp(type(command).__name__, command))
