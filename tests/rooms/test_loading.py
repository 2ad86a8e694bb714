"""Loading: whatever a process holds is what the stream tells, from snapshots or from the beginning."""

import asyncio
import random

import msgspec
import pytest

from service.domain.catalog import GAMES
from service.domain.game import Seat
from service.domain.room.model import commands
from service.domain.room.model.commands import OpenRoom
from service.domain.room.model.ids import RoomKey, RoomName, Version
from service.domain.room.model.state import Room
from service.rooms.errors import ServiceError
from service.rooms.loading.idempotency import KEPT
from service.rooms.loading.loader import load_room
from service.rooms.loading.repository import RoomLock
from service.rooms.loading.room import RECENT, LoadedRoom
from service.rooms.player import Player
from tests.rooms.processes import ANNA, BEN, CLARA, FRIDAY, Process, Screen, folds, lose_tail, settle, stored

PLAYERS = (ANNA, BEN, CLARA)


async def plays_through(process: Process, game: str, matches: int, **settings: object) -> RoomKey:
    """Play some matches at random to their end or for sixty moves, then resign; return the room's key."""
    players = PLAYERS[: len(GAMES[game].seats(GAMES[game].options()))]
    live = await process.match(*players, game=game, restart=0, **settings)
    dice = random.Random(game)  # noqa: S311 - seeded play
    for number in range(1, matches + 1):
        for _ in range(60):
            if live.room.table.matches == number and live.room.playing:
                await moves_at_random(process, live.room, dice)
        while live.room.table.matches == number and live.room.playing:
            await resigns(process, live.room)
    return live.key


async def moves_at_random(process: Process, room: Room, dice: random.Random) -> None:
    """Let a seat that is awaited move."""
    match = room.playing
    assert match is not None
    seat = dice.choice(room.game.to_move(match.state))
    move = dice.choice(list(room.game.legal_moves(match.state, seat))[-20:])
    await process.does(holder(room, seat), commands.Play(msgspec.to_builtins(move)), key=str(room.version))


async def resigns(process: Process, room: Room) -> None:
    """Let the first seat that still plays resign."""
    match = room.playing
    assert match is not None
    seat = next(seat for seat in range(3) if seat not in match.dropped)
    await process.does(holder(room, seat), commands.Resign())


def holder(room: Room, seat: int) -> Player:
    """Return who holds a seat."""
    return next(player for player in PLAYERS if player.id == room.table.seats[seat])


@pytest.mark.parametrize("game", GAMES)
async def test_a_room_loaded_from_its_snapshot_is_the_room(process: Process, game: str) -> None:
    """After each of three matches, seats rotating, another process loads what the events tell."""
    for matches in (1, 2, 3):
        fresh = Process(process.clock)
        key = await plays_through(fresh, game, matches, seats_next="rotate")
        await fresh.rooms.close()
        snapshot = await fresh.line.snapshot(key)
        assert snapshot is not None
        truth = await stored(fresh.line, key)
        assert (await load_room(fresh.line, key)).room == truth
        assert (await fresh.another().fresh()) == truth == (await fresh.fresh())


@pytest.mark.parametrize("game", GAMES)
async def test_the_room_at_every_version_is_the_fold_up_to_it(process: Process, game: str) -> None:
    """Whether a snapshot lies shortly before or not."""
    key = await plays_through(process, game, 2)
    await process.rooms.close()
    live = await process.another().core.repository.by_key(key)
    for version, room in enumerate(await folds(process.line, key), 1):
        assert await process.rooms.at(live, Version(version)) == room


async def test_there_is_no_room_at_a_version_that_never_was(process: Process) -> None:
    """Neither before the first event nor behind the last."""
    live = await process.open()
    for version in (-1, 0, live.head.version + 1, 10**9):
        with pytest.raises(ServiceError, match="no_such_version"):
            await process.rooms.at(live, Version(version))


async def test_history_is_the_same_from_memory_and_from_the_store(process: Process) -> None:
    """From any version on, in pages of any size."""
    key = await plays_through(process, "morris", 2)
    await process.rooms.close()
    near, far = await process.core.repository.by_key(key), await process.another().core.repository.by_key(key)
    assert near.since(Version(near.head.version - RECENT)) is not None
    assert near.since(Version(0)) is None
    for after in range(0, near.head.version + 2, 7):
        for limit in (None, 1, 10):
            told = await process.rooms.history(near, Version(after), limit)
            assert list(told) == list(await process.rooms.history(far, Version(after), limit))
            assert [recorded.version for recorded in told] == list(range(after + 1, near.head.version + 1))[:limit]


async def test_a_long_history_is_not_all_at_hand(process: Process) -> None:
    """The oldest events fall out of memory and are read from the store."""
    live = await process.open()
    for _ in range(RECENT // 2):
        await process.does(BEN, commands.Join(role="spectator"))
        await process.does(BEN, commands.Leave())
    assert live.since(Version(0)) is None
    assert len(await process.rooms.history(live, Version(0))) == live.head.version > RECENT


async def test_receipts_outlast_the_start_of_a_match(process: Process) -> None:
    """The one of the opening, of the command that began the match, and those of others."""
    await process.open(start="full", key="opening")
    await process.does(BEN, commands.Join(role="spectator"), "joined")
    await process.does(BEN, commands.TakeSeat(Seat(1)), "seated")
    await process.rooms.close()
    for where in (process, process.another()):
        live = await where.friday()
        assert live.room.playing
        assert live.idempotency.get(ANNA.id, "opening")
        assert (await where.does(BEN, commands.Join(role="spectator"), "joined")).replayed
        assert (await where.does(BEN, commands.TakeSeat(Seat(1)), "seated")).replayed


async def test_the_256th_last_key_is_still_known(process: Process) -> None:
    """Exactly as promised, whatever others sent since, after a snapshot too; a key before it is new again."""
    await process.match(ANNA, BEN, start="creator")
    for count in range(-1, KEPT):
        await process.does(
            ANNA, commands.Unready() if count % 2 else commands.Ready(), f"k{count}"
        ) if count >= 0 else None
        await process.does(BEN, commands.Ready() if count % 2 else commands.Unready(), f"k{count}")
    await process.does(ANNA, commands.Start())
    await process.rooms.close()
    for where in (process, process.another()):
        assert (await where.does(ANNA, commands.Ready(), "k0")).replayed


async def test_a_lost_tail_is_noticed(process: Process) -> None:
    """The room goes on from what is left, and who watches gets a snapshot of it."""
    live = await process.match(ANNA, BEN)
    screen = Screen()
    await process.rooms.subscribe(live, screen, None, None)
    await process.moves(ANNA, "a1")
    lose_tail(process.line, live.key, 1)
    assert await process.fresh() == await stored(process.line, live.key)
    assert screen.frames[-1]["type"] == "snapshot"
    assert screen.frames[-1]["reason"] == "history_changed"
    await process.moves(ANNA, "d1")
    assert screen.without_gap_or_double(0) == live.head.version


async def test_a_lost_tail_that_was_written_over_is_noticed(process: Process) -> None:
    """The version is the same by now, the digest is not."""
    live = await process.match(ANNA, BEN)
    other = process.another()
    await process.moves(ANNA, "a1")
    lose_tail(process.line, live.key, 1)
    await other.moves(ANNA, "d1")
    await process.moves(BEN, "a1")
    assert live.room == await other.fresh() == await stored(process.line, live.key)


async def test_a_command_after_a_lost_tail_is_judged_by_what_is_left(process: Process) -> None:
    """A key whose command was lost is no repetition any more."""
    live = await process.match(ANNA, BEN)
    await process.moves(ANNA, "a1", "k1")
    lose_tail(process.line, live.key, 1)
    await process.fresh()
    assert not (await process.moves(ANNA, "a1", "k1")).replayed


async def test_a_room_that_was_lost_altogether_is_no_room(process: Process) -> None:
    """As if it had never been."""
    live = await process.open()
    del process.line._streams[live.key], process.line._names[live.key.name]
    with pytest.raises(ServiceError, match="no_such_room"):
        await process.rooms.read(FRIDAY, None)
    assert await process.rooms.find(live.key) is None
    await process.open()


async def test_a_room_asked_for_by_many_is_loaded_once(process: Process) -> None:
    """And all of them hold the same one."""
    live = await process.open()
    other = process.another()
    held = other.line.hold("read")
    asking = [asyncio.create_task(other.core.repository.by_key(live.key)) for _ in range(5)]
    await held.reached.wait()
    asking[0].cancel()
    held.release()
    found = await asyncio.gather(*asking[1:])
    assert len({id(room) for room in found}) == 1
    assert other.line.questions.count("read") == 1


async def test_the_rooms_longest_unused_are_put_away(process: Process) -> None:
    """But never one that somebody watches; and whatever was put away is found again."""
    small = process.another(size=3)
    for name in ("one", "two", "three"):
        await small.rooms.open(OpenRoom("morris", name), ANNA)
    one, two, three = [await small.core.repository.by_name(RoomName(name)) for name in ("one", "two", "three")]
    await small.rooms.subscribe(one, Screen(), None, None)
    await small.core.repository.by_key(two.key)
    for name in ("four", "five"):
        await small.rooms.open(OpenRoom("morris", name), ANNA)
    assert [small.core.repository.cached(live.key) for live in (one, two, three)] == [one, None, None]
    again = await small.core.repository.by_key(two.key)
    assert again is not two
    assert again.room == two.room


async def test_a_followed_room_is_put_away_in_its_turn_when_nobody_follows_it_any_more(process: Process) -> None:
    """It was kept while it was followed, though the memory was full."""
    small = process.another(size=2)
    lives = [await opened(small, name) for name in ("one", "two", "three")]
    screens = [Screen(), Screen()]
    for live, screen in zip(lives[1:], screens, strict=True):
        await small.rooms.subscribe(live, screen, None, None)
    four = await opened(small, "four")
    assert small.core.repository.count() == 3
    for live, screen in zip(lives[1:], screens, strict=True):
        small.rooms.unsubscribe(live, screen)
    await settle()
    assert small.core.repository.count() == 2
    assert small.core.repository.cached(four.key) is None


async def test_a_room_at_work_is_not_put_away(process: Process) -> None:
    """It counts as used now; the next one goes."""
    small = process.another(size=2)
    one, two = [await opened(small, name) for name in ("one", "two")]
    async with RoomLock(small.core.repository, one):
        three = await opened(small, "three")
    assert [small.core.repository.cached(live.key) for live in (one, two, three)] == [one, None, three]


async def test_putting_a_room_away_looks_at_few_others(process: Process, monkeypatch: pytest.MonkeyPatch) -> None:
    """However many there are, followed or not."""
    small = process.another(size=200)
    for number in range(250):
        live = await opened(small, f"room-{number}")
        if number < 100:
            await small.rooms.subscribe(live, Screen(), None, None)
    looks, is_locked = 0, asyncio.Lock.locked

    def locked(lock: asyncio.Lock) -> bool:
        nonlocal looks
        looks += 1
        return is_locked(lock)

    monkeypatch.setattr(asyncio.Lock, "locked", locked)
    for number in range(50):
        await opened(small, f"another-{number}")
    assert small.core.repository.count() == 200
    assert looks < 50 * 5


async def opened(process: Process, name: str) -> LoadedRoom:
    """Open a room of this name and return it."""
    await process.rooms.open(OpenRoom("morris", name), ANNA)
    return await process.core.repository.by_name(RoomName(name))
