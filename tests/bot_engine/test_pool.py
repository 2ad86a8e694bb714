"""The thinking processes: every request gets a good move, however busy the machine and whichever process fails."""

import asyncio
import dataclasses
import os
import signal
import time
from collections.abc import AsyncIterator, Iterator
from functools import cache, reduce
from itertools import count
from pathlib import Path
from typing import Any, Literal

import msgspec
import pytest
import structlog

from service.bot_engine import pool as pool_module
from service.bot_engine.fair_queue import Requester
from service.bot_engine.fork_server import accepts_draw
from service.bot_engine.hints import SECONDS, Hints
from service.bot_engine.messages import BotRequest
from service.bot_engine.pool import BotPool
from service.bot_engine.requests import EngineUnavailable
from service.domain.catalog import GAMES
from service.domain.game import Budget, Level, Seat
from service.domain.room.model.commands import OpenRoom, Play
from service.domain.room.model.settings import RequestedSettings
from service.rooms.loading.room import LoadedRoom
from tests.laws.play import play
from tests.rooms.processes import ANNA, Clock, Process
from tests.workers.failing_bots import Misfit

pytestmark = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="processes are looked at in /proc")

SEED = bytes(range(32))
ADA = Requester("ada", human=True)


@pytest.fixture(autouse=True)
def misfits_known(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let thinking processes find the positions at which bots go wrong."""
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[2]))


@pytest.fixture(autouse=True)
def logged() -> Iterator[list[dict[str, object]]]:
    """Return what is logged."""
    with structlog.testing.capture_logs() as entries:
        yield entries  # type: ignore[misc]  # dictionaries


@pytest.fixture
async def pool() -> AsyncIterator[BotPool]:
    """Return a pool of two processes that have answered once."""
    async with BotPool(2).running() as running:
        await running.move(request(seconds=5.0), ADA)
        await until(lambda: len(processes()) == 2)
        yield running


def request(game: str = "morris", known: Any = None, seconds: float = 0.2, level: Level = "easy") -> BotRequest:
    """Return a request about the beginning of a match."""
    rules = GAMES[game]
    position = known or play(rules, rules.options(), 2, longest=0).last
    return BotRequest(game, position, rules.to_move(position)[0], level, SEED, seconds)


async def move_of(pool: BotPool, bot_request: BotRequest) -> dict[str, Any]:
    """Return the answer to a request of Ada's."""
    return await pool.move(bot_request, ADA)


def misfit(how: str, seconds: float = 0.2) -> BotRequest:
    """Return a request at which a bot goes wrong."""
    bot_request = request()
    return bot_request._replace(known=Misfit(bot_request.known, how), seconds=seconds)


def is_legal(bot_request: BotRequest, move: dict[str, Any]) -> bool:
    """Return whether a reply is one of the legal moves."""
    return move in [
        msgspec.to_builtins(each) for each in GAMES[bot_request.game].legal_moves(bot_request.known, bot_request.seat)
    ]


def children_of(parent: int) -> list[int]:
    """Return the processes that a process has started and that still run."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            fields = (folder / "stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[1]) == parent and fields[0] != "Z":
            found.append(int(folder.name))
    return found


def processes() -> list[int]:
    """Return the thinking processes of this test."""
    [fork_server] = nurseries()
    return children_of(fork_server)


def nurseries() -> list[int]:
    """Return the nurseries of this test."""
    own = children_of(os.getpid())
    return [each for each in own if b"service.bot_engine.fork_server" in Path(f"/proc/{each}/cmdline").read_bytes()]


async def until(holds: Any) -> None:
    """Wait for what other processes do."""
    async with asyncio.timeout(30):
        while not holds():  # noqa: ASYNC110 - other processes set no event here
            await asyncio.sleep(0.01)


async def test_processes_start_at_the_first_request() -> None:
    """A service without bots has none, which would take the memory of the games' tables."""
    async with BotPool(1).running() as pool:
        assert nurseries() == []
        assert is_legal(request(), await move_of(pool, request(seconds=5.0)))
        assert len(processes()) == 1
    assert nurseries() == []


@pytest.mark.parametrize("game", GAMES)
async def test_a_request_gets_a_legal_move(pool: BotPool, game: str) -> None:
    """At each level, the same for the same seed where the number of positions decides."""
    for level in GAMES[game].levels:
        bot_request = request(game, level=level)
        assert is_legal(bot_request, await move_of(pool, bot_request))


@pytest.mark.parametrize("game", GAMES)
async def test_a_draw_is_judged_as_the_game_judges_it(pool: BotPool, game: str) -> None:
    """At the beginning of a match, by an easy bot, which looks no farther than its level does."""
    bot_request = request(game)._replace(subject="draw", seconds=5.0)
    accepts = GAMES[game].accepts_draw
    assert accepts is not None
    expected = accepts(bot_request.known, bot_request.seat, Budget(bot_request.level))
    assert await pool.accepts_draw(bot_request, ADA) is expected


def test_bots_of_a_game_that_judges_no_draws_decline(monkeypatch: pytest.MonkeyPatch) -> None:
    """A draw is no present."""
    monkeypatch.setitem(GAMES, "morris", dataclasses.replace(GAMES["morris"], accepts_draw=None))
    assert accepts_draw(request()) is False


async def test_a_bot_that_fails_declines_a_draw(pool: BotPool, logged: list[dict[str, object]]) -> None:
    """Twice, so that nothing is left but to decline; an operator hears of it."""
    assert await pool.accepts_draw(misfit("fail")._replace(subject="draw"), ADA) is False
    assert [entry["event"] for entry in logged] == ["bot_failed"] * 2


async def test_where_a_process_fails_another_one_judges_the_draw(pool: BotPool, tmp_path: Path) -> None:
    """The answer is a bot's own: the one that is to move can win, and declines."""
    bot_request = trapped("die", tmp_path / "gone-wrong")._replace(subject="draw")
    assert await pool.accepts_draw(bot_request, ADA) is False
    assert await pool.accepts_draw(bot_request._replace(seat=Seat(1 - bot_request.seat)), ADA) is True


async def test_the_processes_never_run_the_code_of_the_current_directory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, logged: list[dict[str, object]]
) -> None:
    """A folder `service` there is somebody else's."""
    package = tmp_path / "service"
    package.mkdir()
    (package / "__init__.py").write_text("raise SystemExit('the code of the current directory was run')\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("PYTHONSAFEPATH", raising=False)
    async with BotPool(1).running() as running:
        assert is_legal(request(), await running.move(request(seconds=5.0), ADA))
    assert logged == []


async def test_many_requests_are_answered_at_the_same_time(pool: BotPool) -> None:
    """Each with its own move, in whatever order the answers come."""
    rules = GAMES["ternio"]
    steps = [step for step in play(rules, rules.options(), 4).turns if step.seat is not None]
    requests = [request("ternio", step.before)._replace(seat=Seat(step.seat or 0)) for step in steps]
    moves = await asyncio.gather(*(move_of(pool, each) for each in requests))
    assert all(is_legal(each, move) for each, move in zip(requests, moves, strict=True))


@cache
def winnable() -> Any:
    """Return a position of Rainbow in which few of many moves win at once."""
    rules = GAMES["rainbow"]
    for seed in count():
        for step in play(rules, rules.options(), seed).turns:
            if step.seat is not None and 0 < len(winners(step.before, step.seat)) * 5 < len(legal(step.before)):
                return step.before
    raise AssertionError


def legal(position: Any) -> list[Any]:
    """Return the legal moves at a position of Rainbow."""
    rules = GAMES["rainbow"]
    return list(rules.legal_moves(position, rules.to_move(position)[0]))


def winners(position: Any, seat: int) -> list[dict[str, Any]]:
    """Return those that win at once."""
    rules, found = GAMES["rainbow"], []
    for move in legal(position):
        after = reduce(rules.evolve, rules.decide(position, Seat(seat), move), position)
        outcome = rules.outcome(after)
        if outcome is not None and outcome.winners == (seat,):
            found.append(msgspec.to_builtins(move))
    return found


def sharp(seconds: float = 0.2) -> BotRequest:
    """Return a request to a hard bot that any bot answers with a win, and chance hardly ever does."""
    return request("rainbow", winnable(), seconds, "hard")


def wins(bot_request: BotRequest, move: dict[str, Any]) -> bool:
    """Return whether a reply wins."""
    return move in winners(winnable(), bot_request.seat)


def trapped(how: str, once: Path) -> BotRequest:
    """Return the same request, at which the first process goes wrong."""
    return sharp()._replace(known=Misfit(winnable(), how, once=once))


def is_stopped(process: int) -> bool:
    """Return whether a process is stopped."""
    return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] == "T"


async def test_a_process_that_gets_no_time_from_the_machine_still_gives_its_own_move(
    tmp_path: Path, logged: list[dict[str, object]]
) -> None:
    """It is stopped until long after its time; it is not killed, and its move is the bot's best one."""
    async with BotPool(1).running() as pool:
        await move_of(pool, request(seconds=5.0))
        bot_request = trapped("stop", tmp_path / "stopped")
        answer = asyncio.create_task(move_of(pool, bot_request))
        await until(lambda: [process for process in processes() if is_stopped(process)])
        [process] = processes()
        over = time.monotonic() + 5 * bot_request.seconds
        await until(lambda: time.monotonic() > over)
        os.kill(process, signal.SIGCONT)
        assert wins(bot_request, await answer)
        assert processes() == [process]
    assert logged == []


async def test_a_hint_is_good_however_little_time_the_machine_has() -> None:
    """Anna can win; the process that thinks for her is stopped until long after its time."""
    process = Process(Clock())
    seats: tuple[Literal["me"], ...] = ("me", "me")
    settings = RequestedSettings(hot_seat=True, hints="on")
    await process.rooms.open(OpenRoom("rainbow", "Friday Night", settings=settings, seats=seats), ANNA)
    live = await process.cached_room()
    async with BotPool(1).running() as pool:
        await move_of(pool, request(seconds=5.0))
        while not (won := winners(state_of(live), GAMES["rainbow"].to_move(state_of(live))[0])):
            move = msgspec.to_builtins(legal(state_of(live))[0])
            await process.execute(ANNA, Play(move))
        [stopped] = processes()
        os.kill(stopped, signal.SIGSTOP)
        hint = asyncio.create_task(Hints(process.rooms, pool, SEED).hint(live, ANNA, None))
        over = time.monotonic() + 3 * SECONDS
        await until(lambda: time.monotonic() > over)
        os.kill(stopped, signal.SIGCONT)
        assert (await hint).move in won


def state_of(live: LoadedRoom) -> Any:
    """Return the position of the running match."""
    assert live.room.playing is not None
    return live.room.playing.state


async def test_a_bot_whose_time_is_up_when_it_begins_compares_the_moves() -> None:
    """Whatever the order in which chance puts them, it sees the win."""
    async with BotPool(1).running() as pool:
        for number in range(10):
            bot_request = sharp(seconds=0.0)._replace(seed=bytes([number]) * 32)
            assert wins(bot_request, await move_of(pool, bot_request))


@pytest.mark.parametrize("how", ["loop", "sleep", "stop", "die", "fail"])
async def test_where_a_process_fails_another_one_compares_the_moves(
    pool: BotPool, how: str, tmp_path: Path, logged: list[dict[str, object]]
) -> None:
    """An operator hears of it, and there are as many processes as before."""
    bot_request = trapped(how, tmp_path / "gone-wrong")._replace(patience=2.0)
    for number in range(3):
        (tmp_path / "gone-wrong").unlink(missing_ok=True)
        assert wins(bot_request, await move_of(pool, bot_request._replace(seed=bytes([number]) * 32)))
    assert [entry["event"] for entry in logged] == ["bot_failed"] * 3
    assert ("ZeroDivisionError" in str(logged[0]["failure"])) == (how == "fail")
    await until(lambda: len(processes()) == 2)


@pytest.mark.parametrize("how", ["die", "fail"])
async def test_a_bot_that_fails_twice_at_a_position_plays_any_legal_move(
    pool: BotPool, how: str, logged: list[dict[str, object]]
) -> None:
    """It is broken, and the match must go on."""
    bot_request = misfit(how)
    assert is_legal(bot_request._replace(known=request().known), await move_of(pool, bot_request))
    assert [entry["event"] for entry in logged] == ["bot_failed"] * 2
    await until(lambda: len(processes()) == 2)
    assert is_legal(request(), await move_of(pool, request(seconds=2.0)))
    assert len(logged) == 2


async def test_a_runaway_is_ended_even_if_nobody_waits(pool: BotPool) -> None:
    """Its own timer does it, when it has used much more of the processor's time than it was given."""
    before = set(processes())
    answers = [asyncio.create_task(move_of(pool, misfit("loop"))) for _ in before]
    await until(lambda: len(pool._pending) == 2 and all(pending.process.done() for pending in pool._pending.values()))
    for answer in answers:
        answer.cancel()
    await until(lambda: not before & set(processes()) and len(processes()) == 2)


async def test_a_request_that_no_process_takes_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """The caller can repeat the request later; nothing is played at random."""
    async with BotPool(1).running() as pool:
        await move_of(pool, request(seconds=5.0))
        monkeypatch.setattr(pool_module, "START_WITHIN", 0.2)
        [process] = processes()
        os.kill(process, signal.SIGSTOP)
        with pytest.raises(EngineUnavailable):
            await move_of(pool, request())
        os.kill(process, signal.SIGCONT)


async def test_a_killed_process_costs_one_move_at_most(pool: BotPool) -> None:
    """The others go on, and another one takes its place."""
    before = processes()
    os.kill(before[0], signal.SIGKILL)
    requests = [request(seconds=2.0) for _ in range(8)]
    moves = await asyncio.gather(*(move_of(pool, each) for each in requests))
    assert all(is_legal(each, move) for each, move in zip(requests, moves, strict=True))
    await until(lambda: len(processes()) == 2 and before[0] not in processes())


async def test_a_killed_fork_server_is_started_again(pool: BotPool) -> None:
    """Moves are made all the time."""
    [fork_server] = nurseries()
    orphans = processes()
    os.kill(fork_server, signal.SIGKILL)
    assert is_legal(request(), await move_of(pool, request(seconds=2.0)))
    await until(lambda: nurseries() not in ([], [fork_server]) and len(processes()) == 2)
    assert is_legal(request(), await move_of(pool, request(seconds=2.0)))
    await until(lambda: not any(Path(f"/proc/{orphan}").exists() for orphan in orphans))


async def test_what_is_said_to_all_processes_is_the_workers_to_answer(pool: BotPool) -> None:
    """If a terminal or an init signals the whole process group, the pool runs until its worker has finished."""
    before = [*nurseries(), *processes()]
    for number in (signal.SIGINT, signal.SIGTERM):
        for process in before:
            os.kill(process, number)
    assert is_legal(request(), await move_of(pool, request(seconds=2.0)))
    assert set(before) <= {*nurseries(), *processes()}


async def test_nothing_is_left_behind() -> None:
    """When the worker stops, so does the fork server, and with it all that it started."""
    async with BotPool(2).running() as pool:
        await move_of(pool, request(seconds=5.0))
        started = [*nurseries(), *processes()]
    await until(lambda: not any(Path(f"/proc/{each}").exists() for each in started))


async def test_a_thinking_process_is_small_and_there_at_once(pool: BotPool) -> None:
    """It shares the games with its fork_server; what it has of its own is a few megabytes."""
    own = [private_kilobytes(process) for process in processes()]
    assert max(own) < 12_000, own
    [fork_server] = nurseries()
    assert private_kilobytes(fork_server) < 60_000
    del pool


def private_kilobytes(process: int) -> int:
    """Return how much memory only this process uses."""
    lines = Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()
    return sum(int(line.split()[1]) for line in lines if line.startswith(("Private_Clean", "Private_Dirty")))
