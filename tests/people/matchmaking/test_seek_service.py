"""Seeks: the rooms that workers open for players who were paired, and what becomes of them."""

import asyncio
import random

import pytest

from service.domain.game import Rejected
from service.domain.ids import Millis, Player, PlayerId, RoomName
from service.domain.room.model import commands
from service.domain.room.model.clock import PerMove
from service.domain.room.model.settings import OpenRoom
from service.domain.room.model.state import Room
from service.domain.seeks.decide import AFTER_SOCKET, LIFETIME, TIME_TO_APPEAR, SeekRequest
from service.domain.seeks.evolve import PAUSE
from service.domain.seeks.model import Pairing
from service.people.matchmaking.seeks import KEY, SeekService
from service.rooms.access.policy import EntryLimits
from service.rooms.commands.requests import CommandRequest
from service.rooms.service import RoomService
from service.runtime.environment import HashedNames
from service.store.contract import OutcomeUnknown, StoreFailed, StoreUnavailable
from service.store.stream_keys import KindKey
from tests.contests.ratings.matches import match_won_by
from tests.rooms.processes import ANNA, BEN, CLARA, IDS, NOON, Process

MORRIS = SeekRequest("morris")
TERNIO = SeekRequest("ternio")


async def pair(process: Process, *players: Player, request: SeekRequest = MORRIS) -> Pairing:
    """Let players seek the same, and return their pairing with its room."""
    for player in players:
        await process.seeks.seek(request, player)
    await process.seeks.proceed()
    return await pairing_of(process, players[0])


async def pairing_of(process: Process, player: Player) -> Pairing:
    """Return the pairing that waits for a player."""
    _, pairing = await process.seeks.of(player.id)
    assert pairing is not None
    return pairing


async def room_of(process: Process, pairing: Pairing) -> Room:
    """Return the room of a pairing."""
    assert pairing.room is not None
    return (await process.rooms.named(pairing.room)).state


async def get_ready(process: Process, room: RoomName | None, *players: Player) -> None:
    """Let players be ready in their room."""
    assert room is not None
    for player in players:
        await process.rooms.command(room, CommandRequest(commands.Ready(), player))


async def let_time_pass(process: Process, millis: int = TIME_TO_APPEAR) -> None:
    """Let time pass, and a worker do what is due then."""
    process.clock.time = Millis(process.clock.time + millis)
    await process.seeks.proceed()


async def notices(process: Process, player: Player) -> list[str]:
    """Return what a player's own feed has about seeks."""
    await process.deliver()
    page = await process.players.page(player.id, None, 100)
    kinds = [type(record.event).__name__ for record in page.records]
    return [kind for kind in kinds if kind.startswith("Seek")]


async def test_a_room_is_opened_for_players_who_agree(process: Process) -> None:
    """Both have their seat there, and their own feeds say where it is."""
    pairing = await pair(process, ANNA, BEN, request=SeekRequest("morris", clock=PerMove(Millis(60_000))))
    room = await room_of(process, pairing)
    assert room.table.seats == pairing.players
    assert room.table.settings.clock == PerMove(Millis(60_000))
    assert room.table.status == "open"
    assert pairing.deadline == NOON + TIME_TO_APPEAR
    for player in (ANNA, BEN):
        assert await notices(process, player) == ["SeekMatched"]


async def test_the_match_begins_when_all_are_ready(process: Process) -> None:
    """Then the pairing ends, and the players can seek again."""
    pairing = await pair(process, ANNA, BEN)
    await get_ready(process, pairing.room, ANNA, BEN)
    assert (await room_of(process, pairing)).table.status == "playing"
    await let_time_pass(process)
    assert await process.seeks.of(ANNA.id) == ([], None)
    assert not (await process.seeks.seek(MORRIS, ANNA)).is_paired


async def test_who_plays_can_seek_again_at_once(process: Process) -> None:
    """Before the deadline of the pairing; the other player is not missed because of that."""
    pairing = await pair(process, ANNA, BEN)
    with pytest.raises(Rejected, match="already_paired"):
        await process.seeks.seek(MORRIS, ANNA)
    await get_ready(process, pairing.room, ANNA, BEN)
    assert not (await process.seeks.seek(MORRIS, ANNA)).is_paired
    assert await process.seeks.of(BEN.id) == ([], None)
    await let_time_pass(process)
    assert (await room_of(process, pairing)).table.status == "playing"
    assert await notices(process, BEN) == ["SeekMatched"]


async def found_match(process: Process, *, moves: bool = False) -> None:
    """Let a match be found for Anna and Ben that Anna resigns, after both have moved or before."""
    pairing = await pair(process, ANNA, BEN)
    await get_ready(process, pairing.room, ANNA, BEN)
    assert pairing.room is not None
    if moves:
        await process.move_each(
            *sorted((ANNA, BEN), key=lambda each: pairing.players.index(each.id)), room=pairing.room
        )
    await process.rooms.command(pairing.room, CommandRequest(commands.Resign(), ANNA))


async def test_who_aborts_three_found_matches_in_a_row_pauses(process: Process) -> None:
    """The other player does not, nor does anybody whose matches had begun in earnest."""
    await found_match(process)
    await found_match(process)
    await found_match(process, moves=True)
    for _ in range(3):
        await found_match(process)
    with pytest.raises(Rejected, match="seeking_paused"):
        await process.seeks.seek(MORRIS, ANNA)
    [waiting] = [(await process.seeks.seek(MORRIS, BEN)).seek]
    with pytest.raises(Rejected, match="seeking_paused"):
        await process.seeks.accept(waiting.id, ANNA)
    process.clock.time = Millis(process.clock.time + PAUSE)
    await process.seeks.seek(MORRIS, ANNA)
    await found_match(process)
    with pytest.raises(Rejected, match="seeking_paused"):
        await process.seeks.seek(MORRIS, ANNA)


async def test_three_players_get_one_room(process: Process) -> None:
    """In a game of three."""
    pairing = await pair(process, ANNA, BEN, CLARA, request=TERNIO)
    await get_ready(process, pairing.room, ANNA, BEN, CLARA)
    assert (await room_of(process, pairing)).table.status == "playing"


async def test_who_does_not_appear_loses_the_place(process: Process) -> None:
    """After 20 seconds the room closes; the other one waits again where she was, and is matched with the next one."""
    pairing = await pair(process, ANNA, BEN)
    assert pairing.room is not None
    await get_ready(process, pairing.room, ANNA)
    await let_time_pass(process, TIME_TO_APPEAR - 1)
    assert (await room_of(process, pairing)).table.status == "open"
    await let_time_pass(process, 1)
    assert await process.store.open_epoch(pairing.room) is None
    [again], none = await process.seeks.of(ANNA.id)
    assert (again.made, none) == (NOON, None)
    assert await process.seeks.of(BEN.id) == ([], None)
    assert await notices(process, ANNA) == ["SeekMatched", "SeekResumed"]
    assert await notices(process, BEN) == ["SeekMatched", "SeekDropped"]
    assert (await process.seeks.seek(MORRIS, CLARA)).is_paired


async def test_who_leaves_declines_the_match(process: Process) -> None:
    """At once: the room closes, and the other one waits again, ready or not; the creator's leaving is no exception."""
    for leaver, other in ((BEN, ANNA), (ANNA, BEN)):
        pairing = await pair(process, ANNA, BEN)
        assert (pairing.room, pairing.epoch) != (None, None)
        room = await room_of(process, pairing)
        await process.rooms.command(room.table.key.name, CommandRequest(commands.Leave(), leaver))
        await process.seeks.decline(leaver.id, room.table.key)
        assert await process.store.open_epoch(room.table.key.name) is None
        assert await process.seeks.of(leaver.id) == ([], None)
        [again], none = await process.seeks.of(other.id)
        assert none is None
        assert (await notices(process, other))[-1] == "SeekResumed"
        assert (await notices(process, leaver))[-1] == "SeekDropped"
        await process.seeks.withdraw(again.id, other.id)


async def test_who_leaves_after_the_match_has_begun_declines_nothing(process: Process) -> None:
    """And neither does somebody who leaves another room."""
    pairing = await pair(process, ANNA, BEN)
    other = (await process.rooms.open(OpenRoom("morris"), ANNA)).room.table.key
    await process.seeks.decline(ANNA.id, other)
    assert await pairing_of(process, ANNA) == pairing
    await get_ready(process, pairing.room, ANNA, BEN)
    room = await room_of(process, pairing)
    await process.rooms.command(room.table.key.name, CommandRequest(commands.Leave(), BEN))
    await process.seeks.decline(BEN.id, room.table.key)
    assert await process.store.open_epoch(room.table.key.name) == room.table.key.epoch


async def test_a_seek_that_waits_again_finds_who_came_meanwhile(process: Process) -> None:
    """Without another request of anybody."""
    pairing = await pair(process, ANNA, BEN)
    await process.seeks.seek(MORRIS, CLARA)
    await get_ready(process, pairing.room, ANNA)
    await let_time_pass(process)
    assert set((await pairing_of(process, ANNA)).players) == {ANNA.id, CLARA.id}


async def test_a_worker_that_is_killed_opens_no_second_room(process: Process) -> None:
    """It had opened the room and not recorded it; another worker finds the same room."""
    for player in (ANNA, BEN):
        await process.seeks.seek(MORRIS, player)
    process.store.failing["append"] = StoreUnavailable("killed")
    with pytest.raises(StoreUnavailable):
        await process.seeks.proceed()
    other = process.start_another()
    await other.seeks.proceed()
    pairing = await pairing_of(process, ANNA)
    assert (await room_of(other, pairing)).table.seats == pairing.players
    assert len((await process.store.admin_store.rooms()).items) == 1


async def test_processes_pair_players_together(process: Process) -> None:
    """Each seek is matched once, whichever process it comes to."""
    here, there = process, process.start_another()
    for each in (here, there):
        each.store.dice = random.Random(3)  # noqa: S311 - the order of replies
    players = [Player(PlayerId(f"p-{number}"), f"Player {number}") for number in range(20)]
    await asyncio.gather(
        *((here, there)[number % 2].seeks.seek(MORRIS, player) for number, player in enumerate(players))
    )
    await asyncio.gather(here.seeks.proceed(), there.seeks.proceed())
    pairings = [await pairing_of(here, player) for player in players]
    assert len({pairing.id for pairing in pairings}) == 10
    assert len((await process.store.admin_store.rooms()).items) == 10
    assert await here.seeks.open_seeks() == []


async def test_a_player_who_cannot_enter_is_left_out(process: Process) -> None:
    """The other one waits again; nobody waits for a room that cannot be."""
    rooms = RoomService(process.core, HashedNames(), limits=EntryLimits(rooms=1))
    rating_of, new_id = process.ratings.points, lambda: f"id{next(IDS)}"
    seeks = SeekService(process.store, process.clock, rooms, process.accounts, rating_of, new_id)
    await process.open(by=BEN)
    for player in (ANNA, BEN):
        await seeks.seek(MORRIS, player)
    await seeks.proceed()
    assert await seeks.of(BEN.id) == ([], None)
    assert [seek.player for seek in await seeks.open_seeks()] == [ANNA.id]
    assert await notices(process, BEN) == ["SeekDropped"]


async def test_players_with_the_same_nickname_get_a_room(process: Process) -> None:
    """One of them under a changed nickname, which still has at most 24 characters."""
    twin = Player(PlayerId("p-twin"), "x" * 24)
    same = Player(PlayerId("p-same"), "x" * 24)
    pairing = await pair(process, twin, same)
    names = [member.nickname for member in (await room_of(process, pairing)).table.members.values()]
    assert len(set(names)) == 2


async def test_seeks_end_when_they_are_not_renewed(process: Process) -> None:
    """A worker ends them in time."""
    await process.seeks.seek(MORRIS, ANNA)
    assert process.store._due[KindKey("seeks")] == NOON + LIFETIME
    await let_time_pass(process, LIFETIME)
    assert await process.seeks.open_seeks() == []
    assert await notices(process, ANNA) == ["SeekDropped"]


async def test_a_withdrawn_seek_is_matched_with_nobody(process: Process) -> None:
    """Only its own player can withdraw it."""
    made = await process.seeks.seek(MORRIS, ANNA)
    with pytest.raises(Rejected, match="no_such_seek"):
        await process.seeks.withdraw(made.seek.id, BEN.id)
    await process.seeks.withdraw(made.seek.id, ANNA.id)
    assert not (await process.seeks.seek(MORRIS, BEN)).is_paired


async def test_a_held_seek_lasts_as_long_as_its_socket(process: Process) -> None:
    """It is renewed with all others by one event; when its socket closes it ends after five seconds."""
    held = process.matchmaking.held_seeks
    seeks = [(await process.seeks.seek(MORRIS, ANNA)).seek, (await process.seeks.seek(TERNIO, BEN)).seek]
    for seek in seeks:
        held.hold(seek.id)
    for _ in range(5):
        await let_time_pass(process, LIFETIME // 2)
        await held.renew()
    assert len(await process.seeks.open_seeks()) == 2
    held.release([seeks[0].id])
    await held.close()
    await let_time_pass(process, AFTER_SOCKET - 1)
    assert len(await process.seeks.open_seeks()) == 2
    await let_time_pass(process, 1)
    assert [seek.id for seek in await process.seeks.open_seeks()] == [seeks[1].id]
    assert await notices(process, ANNA) == ["SeekDropped"]


async def test_a_held_seek_is_renewed_while_it_waits_in_a_pairing(process: Process) -> None:
    """So that it continues when the other player does not appear; without a socket it ends meanwhile."""
    seek = (await process.seeks.seek(MORRIS, ANNA)).seek
    process.matchmaking.held_seeks.hold(seek.id)
    await let_time_pass(process, LIFETIME - 1)
    pairing = await pair(process, BEN)
    await get_ready(process, pairing.room, ANNA)
    await process.matchmaking.held_seeks.renew()
    await let_time_pass(process)
    assert [waiting.id for waiting in await process.seeks.open_seeks()] == [seek.id]
    await let_time_pass(process, 1)
    assert [waiting.id for waiting in await process.seeks.open_seeks()] == [seek.id]


@pytest.mark.parametrize("failure", [StoreUnavailable, OutcomeUnknown])
async def test_a_renewal_that_fails_is_repeated(process: Process, failure: type[StoreFailed]) -> None:
    """The store could not be reached, or did not answer; nothing is raised, and the next renewal has all seeks."""
    held, seek = process.matchmaking.held_seeks, (await process.seeks.seek(MORRIS, ANNA)).seek
    held.hold(seek.id)
    process.store.failing["append"] = failure("gone")
    process.clock.time = Millis(NOON + 1)
    await held.renew()
    process.store.failing.clear()
    await held.renew()
    await let_time_pass(process, LIFETIME - 1)
    assert [waiting.id for waiting in await process.seeks.open_seeks()] == [seek.id]


async def test_blocked_players_are_not_paired(process: Process) -> None:
    """Nor by another process, nor when they wait again after a pairing failed."""
    other = process.start_another()
    await other.accounts.block(BEN.id, ANNA.id)
    for player in (ANNA, BEN):
        assert not (await process.seeks.seek(MORRIS, player)).is_paired
        process.clock.time = Millis(process.clock.time + 1)
    assert (await process.seeks.seek(MORRIS, CLARA)).is_paired
    await process.seeks.proceed()
    pairing = await pairing_of(process, CLARA)
    assert set(pairing.players) == {ANNA.id, CLARA.id}
    await get_ready(process, pairing.room, ANNA)
    await let_time_pass(process)
    assert [seek.player for seek in await process.seeks.open_seeks()] == [ANNA.id, BEN.id]
    await other.accounts.unblock(BEN.id, ANNA.id)
    assert (await process.seeks.seek(MORRIS, BEN)).is_paired


async def test_a_seek_that_two_sockets_hold_lasts_as_long_as_both(process: Process) -> None:
    """As of a player with two tabs who looks for the same in both."""
    held, seek = process.matchmaking.held_seeks, (await process.seeks.seek(MORRIS, ANNA)).seek
    for _ in range(2):
        held.hold(seek.id)
    held.release([seek.id])
    await held.close()
    await let_time_pass(process, AFTER_SOCKET)
    assert [waiting.id for waiting in await process.seeks.open_seeks()] == [seek.id]
    held.release([seek.id])
    await held.close()
    await let_time_pass(process, AFTER_SOCKET)
    assert await process.seeks.open_seeks() == []


async def test_a_seek_that_has_ended_is_no_longer_held(process: Process) -> None:
    """What a socket makes and withdraws again and again does not add up."""
    held = process.matchmaking.held_seeks
    ended = [(await process.seeks.seek(request, ANNA)).seek.id for request in (MORRIS, TERNIO)]
    for seek_id in ended:
        held.hold(seek_id)
        await process.seeks.withdraw(seek_id, ANNA.id)
    last = (await process.seeks.seek(MORRIS, ANNA)).seek
    held.hold(last.id)
    await held.renew()
    assert list(held._held) == [last.id]
    held.release(ended)
    await held.close()
    assert [waiting.id for waiting in await process.seeks.open_seeks()] == [last.id]


async def test_ranges_of_ratings_widen_until_players_agree(process: Process) -> None:
    """A worker pairs them, with the ratings that they have in the list of the game and the clock."""
    clock = PerMove(Millis(10_000))
    await process.ratings.receive({"morris.blitz": [match_won_by(ANNA, BEN, 1)]})
    request = SeekRequest("morris", clock=clock, rated=True, rating_range=150)
    anna = await process.seeks.seek(request, ANNA)
    ben = await process.seeks.seek(request, BEN)
    assert (anna.seek.rating, ben.seek.rating, ben.is_paired) == (1617, 1383, False)
    await process.seeks.proceed()
    assert (await process.seeks.of(ANNA.id))[1] is None
    process.clock.time = Millis(process.clock.time + 10_000)
    assert process.store._due[KEY] <= process.clock.time
    await process.seeks.proceed()
    assert {player.id for player in (ANNA, BEN)} == set((await pairing_of(process, ANNA)).players)
    assert process.store._due[KEY] > process.clock.time


async def test_a_declared_bot_seeks_with_its_rating_in_the_list_of_bots(process: Process) -> None:
    """Its matches count there, and no longer in the list of the clock."""
    bot, clock = Player(ANNA.id, ANNA.nickname, bot=True), PerMove(Millis(10_000))
    await process.ratings.receive({"morris.blitz": [match_won_by(ANNA, BEN, 1)]})
    await process.ratings.receive({"morris.bots": [match_won_by(BEN, ANNA, 2)]})
    made = [await process.seeks.seek(SeekRequest("morris", clock=clock), player) for player in (bot, BEN)]
    assert [each.seek.rating for each in made] == [1383, 1383]
