"""The write path: a command is stored once, in the room's order, with any number of concurrent writers."""

import asyncio
import random
from collections.abc import Awaitable
from functools import partial

import pytest
from msgspec.structs import replace

from service.domain.game import Seat
from service.domain.ids import Epoch, Player, RoomKey
from service.domain.room.model import commands
from service.domain.validation import Invalid
from service.rooms.commands.requests import CommandRequest, CommandResult, with_fingerprint
from service.store.contract import OutcomeUnknown, StoreUnavailable
from service.streams.errors import ServiceError
from service.streams.processor import TRIES
from tests.rooms.processes import ANNA, BEN, CLARA, DORA, FRIDAY, Process, fold_stored, place, run_pending
from tests.waiting import PATIENCE


async def refusal_of(result: Awaitable[CommandResult], code: str) -> ServiceError:
    """Return the refusal of a command, which must have this code."""
    with pytest.raises(ServiceError) as failure:
        await result
    assert failure.value.problem.code == code
    return failure.value


async def test_the_result_is_what_is_stored(process: Process) -> None:
    """Events, versions and the room after them."""
    live = await process.start_match(ANNA, BEN)
    result = await process.place_man(ANNA, "a1")
    assert [recorded.event.at for recorded in result.recorded] == ["a1"]  # type: ignore[attr-defined]  # a placing
    assert result.room == live.state == await fold_stored(process.store, live.key)
    assert not result.replayed


async def test_a_repeated_command_gets_the_first_result(process: Process) -> None:
    """Whatever events followed since, and nothing is written."""
    live = await process.start_match(ANNA, BEN)
    first = await process.place_man(ANNA, "a1", "k1")
    await process.place_man(BEN, "a4", "k1")
    repeated = await process.place_man(ANNA, "a1", "k1")
    assert repeated == CommandResult(first.room, first.recorded, replayed=True)
    assert live.head.version == first.room.version + 1


async def test_a_repetition_is_recognised_in_every_process(process: Process) -> None:
    """In one that has loaded the room since, and in one with an older copy."""
    await process.start_match(ANNA, BEN)
    outdated = process.start_another()
    await outdated.cached_room()
    first = await process.place_man(ANNA, "a1", "k1")
    for other in (outdated, process.start_another()):
        repeated = await other.place_man(ANNA, "a1", "k1")
        assert repeated.replayed
        assert repeated.room == first.room
        assert list(repeated.recorded) == list(first.recorded)


async def test_a_key_belongs_to_one_command(process: Process) -> None:
    """Another body with it is refused wherever the key is known; each player has their own keys."""
    await process.start_match(ANNA, BEN)
    await process.place_man(ANNA, "a1", "k1")
    await refusal_of(process.place_man(ANNA, "d1", "k1"), "key_reused")
    await refusal_of(process.start_another().place_man(ANNA, "d1", "k1"), "key_reused")
    assert not (await process.place_man(BEN, "d1", "k1")).replayed


async def test_a_refusal_is_not_remembered(process: Process) -> None:
    """The same key may be used when the command has become possible."""
    await process.start_match(ANNA, BEN)
    await refusal_of(process.place_man(BEN, "a1", "k1"), "not_your_turn")
    await process.place_man(ANNA, "d1")
    assert not (await process.place_man(BEN, "a1", "k1")).replayed


async def test_a_command_is_decided_again_when_another_process_was_faster(process: Process) -> None:
    """Its copy was from before the other's move; both are stored, one after the other."""
    await process.start_match(ANNA, BEN)
    other = process.start_another()
    await other.cached_room()
    await process.execute(CLARA, commands.Join(role="spectator"))
    result = await other.place_man(ANNA, "a1")
    assert result.room == await process.stored_room() == await fold_stored(process.store, result.room.table.key)
    assert CLARA.id in result.room.table.members


async def test_a_refusal_from_an_old_copy_is_checked_again(process: Process) -> None:
    """In the other process it is still Anna's turn; in the store it is Ben's."""
    await process.start_match(ANNA, BEN)
    other = process.start_another()
    await other.cached_room()
    await process.place_man(ANNA, "a1")
    assert not (await other.place_man(BEN, "d1")).replayed


async def test_a_refusal_has_the_rooms_current_version(process: Process) -> None:
    """It also has the legal moves of the caller."""
    await process.start_match(ANNA, BEN)
    other = process.start_another()
    await other.cached_room()
    await process.place_man(ANNA, "a1")
    problem = (await refusal_of(other.place_man(BEN, "a1"), "occupied")).problem
    assert problem.version == (await process.cached_room()).head.version
    assert problem.params == {"at": "a1"}
    assert problem.legal_moves is not None
    assert len(problem.legal_moves) == 23
    out_of_turn = (await refusal_of(other.place_man(ANNA, "d1"), "not_your_turn")).problem
    assert out_of_turn.legal_moves == []


async def test_a_command_with_another_version_is_refused(process: Process) -> None:
    """An old copy alone is no reason; the version in the store is."""
    await process.start_match(ANNA, BEN)
    other = process.start_another()
    outdated = (await other.cached_room()).head.version
    await process.execute(CLARA, commands.Join(role="spectator"))
    problem = (await refusal_of(other.place_man(ANNA, "a1", if_version=outdated), "version_mismatch")).problem
    assert (problem.status, problem.version) == (412, outdated + 1)
    await other.place_man(ANNA, "a1", "k1", if_version=outdated + 1)
    assert (await other.place_man(ANNA, "a1", "k1", if_version=outdated + 1)).replayed


async def test_a_command_with_a_version_of_another_room_is_refused(process: Process) -> None:
    """The name may have been opened again in between."""
    live = await process.start_match(ANNA, BEN)
    await refusal_of(process.place_man(ANNA, "a1", if_epoch=Epoch("another")), "version_mismatch")
    await process.place_man(ANNA, "a1", if_epoch=live.key.epoch)


async def test_a_malformed_move_is_invalid(process: Process) -> None:
    """It is not rejected by the rules but invalid, and nothing is written."""
    live = await process.start_match(ANNA, BEN)
    head = live.head
    with pytest.raises(Invalid):
        await process.place_man(ANNA, "z9")
    assert live.head == head


async def test_a_room_to_which_others_always_write_first_is_busy(process: Process) -> None:
    """After a number of attempts the command fails, with nothing written."""
    live = await process.start_match(ANNA, BEN)
    playing, other = live.state.match, process.start_another()
    come, go = (
        partial(other.execute, CLARA, command) for command in (commands.Join(role="spectator"), commands.Leave())
    )
    process.store.before_append = [come, go] * (TRIES // 2)
    problem = (await refusal_of(process.place_man(ANNA, "a1"), "busy")).problem
    assert problem.retry_after
    assert (await process.stored_room()).match == playing
    await process.place_man(ANNA, "a1")
    assert (await process.stored_room()) == await fold_stored(process.store, live.key)


async def test_a_dry_run_writes_nothing(process: Process) -> None:
    """It returns the events that would follow, from the newest state, and remembers no key."""
    live = await process.start_match(ANNA, BEN)
    other = process.start_another()
    await other.cached_room()
    await process.place_man(ANNA, "a1")
    request = CommandRequest(place("d1"), BEN)
    foretold = await other.rooms.dry_run(FRIDAY, request)
    assert [recorded.event.at for recorded in foretold.recorded] == ["d1"]  # type: ignore[attr-defined]  # a placing
    assert (await process.stored_room()) == live.state
    await refusal_of(other.rooms.dry_run(FRIDAY, CommandRequest(place("d1"), ANNA)), "not_your_turn")


@pytest.mark.parametrize("seed", range(4))
async def test_a_key_sent_twice_at_once_is_one_command(process: Process, seed: int) -> None:
    """This is so in one process and in two, with any delays of the store."""
    await process.start_match(ANNA, BEN)
    other = process.start_another()
    process.store.dice = other.store.dice = random.Random(seed)  # noqa: S311 - how slow replies are
    results = await asyncio.gather(*(where.place_man(ANNA, "a1", "k1") for where in (process, other, process, other)))
    assert sorted(result.replayed for result in results) == [False, True, True, True]
    assert {result.room.version for result in results} == {(await process.stored_room()).version}


@pytest.mark.parametrize("seed", range(4))
async def test_many_concurrent_writers_leave_one_history(process: Process, seed: int) -> None:
    """Two processes, four players, delayed replies: each accepted command is in the stream once, in order."""
    live = await process.open("ternio", hot_seat=True)
    opening, other = live.head.version, process.start_another()
    process.store.dice = other.store.dice = random.Random(seed)  # noqa: S311 - how slow replies are
    dice = random.Random(seed)  # noqa: S311 - who does what
    wishes = (commands.Join(), commands.Leave(), commands.Ready("salt"), commands.Unready(), commands.TakeSeat(Seat(2)))
    plan = [(dice.choice((process, other)), dice.choice((BEN, CLARA)), dice.choice(wishes)) for _ in range(60)]
    results = await asyncio.gather(
        *(where.execute(who, what, f"k{n}") for n, (where, who, what) in enumerate(plan)), return_exceptions=True
    )
    versions = [
        recorded.version for result in results if isinstance(result, CommandResult) for recorded in result.recorded
    ]
    assert all(isinstance(result, CommandResult | ServiceError) for result in results)
    truth = await fold_stored(process.store, live.key)
    assert await process.stored_room() == await other.stored_room() == truth
    assert sorted(versions) == list(range(opening + 1, truth.version + 1))


async def test_a_repeated_key_finds_the_result_after_an_outage(process: Process) -> None:
    """The move was written but the reply was lost; the repetition returns it and does not make it twice."""
    live = await process.start_match(ANNA, BEN)
    process.store.failing["append"] = OutcomeUnknown()
    with pytest.raises(OutcomeUnknown):
        await process.place_man(ANNA, "a1", "k1")
    repeated = await process.place_man(ANNA, "a1", "k1")
    assert repeated.replayed
    assert live.state == await fold_stored(process.store, live.key)


async def test_a_command_that_was_written_is_not_refused(process: Process) -> None:
    """The store becomes unavailable after the append, when the process reads what others wrote meanwhile."""
    await process.start_match(ANNA, BEN)
    other = process.start_another()
    await process.rooms._subscriptions._attach(await process.cached_room())
    held = process.store.hold("append")
    moving = asyncio.create_task(process.place_man(ANNA, "a1"))
    await held.reached.wait()
    await other.place_man(BEN, "d1")
    await run_pending()
    process.store.failing["read"] = StoreUnavailable()
    held.release()
    assert not (await moving).replayed
    await run_pending()
    assert process.store.failing == {}


async def test_a_repetition_with_damaged_events_is_refused_and_the_room_continues(process: Process) -> None:
    """Its result is read without the room's lock, which reading damaged events takes to look for a replaced history."""
    live = await process.start_match(ANNA, BEN)
    await process.place_man(ANNA, "a1", "k1")
    for count in range(80):
        await process.execute(DORA, commands.Leave() if count % 2 else commands.Join(role="spectator"))
    entries = process.store._streams[live.key].entries
    entries[5] = replace(entries[5], digest=bytes(len(entries[5].digest)))
    async with asyncio.timeout(PATIENCE):
        with pytest.raises(ServiceError, match="history_damaged"):
            await process.place_man(ANNA, "a1", "k1")
        await process.place_man(BEN, "d1")


async def test_closing_and_leaving_can_be_repeated(process: Process) -> None:
    """Although the room is closed by then, or the player has left."""
    await process.open()
    first = await process.rooms.command(FRIDAY, CommandRequest(commands.Join(role="spectator"), BEN))
    assert BEN.id in first.room.table.members
    for by, command in ((BEN, commands.Leave()), (ANNA, commands.Close())):
        left = await process.rooms.command(FRIDAY, with_key(by, command))
        for where in (process, process.start_another()):
            repeated = await where.rooms.command(FRIDAY, with_key(by, command))
            assert repeated.replayed
            assert repeated.room == left.room


async def test_a_leftover_name_of_a_failed_opening_blocks_nobody(process: Process) -> None:
    """The player once tried to open a room of this name while the store was unavailable."""
    await process.store.remember_room(ANNA.id, RoomKey(FRIDAY, Epoch("neverwas")))
    live = await process.start_match(ANNA, BEN)
    result = await process.rooms.command(FRIDAY, with_key(ANNA, commands.Leave()))
    assert result.room == live.state
    assert not result.replayed


def with_key(by: Player, command: commands.Leave | commands.Close) -> CommandRequest:
    """Return a command with a key of its own."""
    return CommandRequest(command, by, with_fingerprint(type(command).__name__, command))
