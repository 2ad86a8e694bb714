"""The bot processes: every request gets a good move, even on a busy machine and if a process fails."""

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

from service.bots import pool as pool_module
from service.bots.fair_queue import Requester
from service.bots.hints import SECONDS, Hints
from service.bots.messages import BotRequest
from service.bots.pool import BotPool
from service.bots.process import accepts_draw
from service.bots.requests import EngineUnavailable
from service.domain.catalog import GAMES
from service.domain.game import Budget, Level, Seat
from service.domain.room.model.commands import Play
from service.domain.room.model.settings import OpenRoom, RequestedSettings
from service.rooms.repository import LoadedRoom
from tests.laws.play import play
from tests.rooms.processes import ANNA, Clock, Process
from tests.waiting import wait_until
from tests.workers.failing_bots import FailingPosition

pytestmark = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="processes are looked at in /proc")

SEED = bytes(range(32))
ADA = Requester("ada", human=True)


@pytest.fixture(autouse=True)
def failing_positions_importable(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let bot processes import the positions at which bots fail."""
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[2]))


@pytest.fixture(autouse=True)
def log_lines() -> Iterator[list[dict[str, object]]]:
    """Return the log lines."""
    with structlog.testing.capture_logs() as entries:
        yield entries  # type: ignore[misc]  # dictionaries


@pytest.fixture
async def pool() -> AsyncIterator[BotPool]:
    """Return a pool of two processes that have answered once."""
    async with BotPool(2).running() as running:
        await running.move(request(seconds=5.0), ADA)
        await wait_until(lambda: len(processes()) == 2)
        yield running


def request(game: str = "morris", known: Any = None, seconds: float = 0.2, level: Level = "easy") -> BotRequest:
    """Return a request at the beginning of a match."""
    rules = GAMES[game]
    position = known or play(rules, rules.options(), 2, longest=0).last
    return BotRequest(game, position, rules.to_move(position)[0], level, SEED, seconds)


async def move_of(pool: BotPool, bot_request: BotRequest) -> dict[str, Any]:
    """Return the answer to a request of Ada's."""
    return await pool.move(bot_request, ADA)


def failing_request(how: str, seconds: float = 0.2) -> BotRequest:
    """Return a request at which a bot fails."""
    bot_request = request()
    return bot_request._replace(known=FailingPosition(bot_request.known, how), seconds=seconds)


def is_legal(bot_request: BotRequest, move: dict[str, Any]) -> bool:
    """Return whether a reply is one of the legal moves."""
    return move in [
        msgspec.to_builtins(each) for each in GAMES[bot_request.game].legal_moves(bot_request.known, bot_request.seat)
    ]


def children_of(parent: int) -> list[int]:
    """Return the running children of a process."""
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
    """Return the bot processes of this test."""
    [fork_server] = fork_servers()
    return children_of(fork_server)


def fork_servers() -> list[int]:
    """Return the fork servers of this test."""
    return [each for each in children_of(os.getpid()) if b"service.bots.process" in command_line(each)]


def command_line(process: int) -> bytes:
    """Return the command line of a process, b"" for one that has ended."""
    try:
        return Path(f"/proc/{process}/cmdline").read_bytes()
    except OSError:
        return b""


async def test_processes_start_at_the_first_request() -> None:
    """A service without bots has none, so it needs no memory for the games' tables."""
    async with BotPool(1).running() as pool:
        assert fork_servers() == []
        assert is_legal(request(), await move_of(pool, request(seconds=5.0)))
        assert len(processes()) == 1
    assert fork_servers() == []


@pytest.mark.parametrize("game", GAMES)
async def test_a_request_gets_a_legal_move(pool: BotPool, game: str) -> None:
    """At each level; with a limit by positions, the same for the same seed."""
    for level in GAMES[game].levels:
        bot_request = request(game, level=level)
        assert is_legal(bot_request, await move_of(pool, bot_request))


@pytest.mark.parametrize("game", [game for game in GAMES if GAMES[game].accepts_draw])
async def test_a_draw_offer_is_decided_by_the_games_bot(pool: BotPool, game: str) -> None:
    """At the beginning of a match, by an easy bot, which searches no deeper than its level."""
    bot_request = request(game)._replace(subject="draw", seconds=5.0)
    accepts = GAMES[game].accepts_draw
    assert accepts is not None
    expected = accepts(bot_request.known, bot_request.seat, Budget(bot_request.level))
    assert await pool.accepts_draw(bot_request, ADA) is expected


def test_bots_of_a_game_that_does_not_evaluate_draws_decline(monkeypatch: pytest.MonkeyPatch) -> None:
    """A draw must not be a gift."""
    monkeypatch.setitem(GAMES, "morris", dataclasses.replace(GAMES["morris"], accepts_draw=None))
    assert accepts_draw(request()) is False


async def test_a_bot_that_fails_declines_a_draw(pool: BotPool, log_lines: list[dict[str, object]]) -> None:
    """It fails twice and then declines; the failure is logged for operators."""
    assert await pool.accepts_draw(failing_request("fail")._replace(subject="draw"), ADA) is False
    assert [entry["event"] for entry in log_lines] == ["bot_failed"] * 2


async def test_if_a_process_fails_another_one_decides_the_draw_offer(pool: BotPool, tmp_path: Path) -> None:
    """The bot itself decides: it is to move and can win, so it declines."""
    bot_request = failing_once("die", tmp_path / "gone-wrong")._replace(subject="draw")
    assert await pool.accepts_draw(bot_request, ADA) is False
    assert await pool.accepts_draw(bot_request._replace(seat=Seat(1 - bot_request.seat)), ADA) is True


async def test_the_processes_never_run_the_code_of_the_current_directory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, log_lines: list[dict[str, object]]
) -> None:
    """A folder `service` there is not the service."""
    package = tmp_path / "service"
    package.mkdir()
    (package / "__init__.py").write_text("raise SystemExit('the code of the current directory was run')\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("PYTHONSAFEPATH", raising=False)
    async with BotPool(1).running() as running:
        assert is_legal(request(), await running.move(request(seconds=5.0), ADA))
    assert log_lines == []


async def test_many_requests_are_answered_at_the_same_time(pool: BotPool) -> None:
    """Each gets its own move, in any order of the results."""
    rules = GAMES["ternio"]
    steps = [step for step in play(rules, rules.options(), 4).turns if step.seat is not None]
    requests = [request("ternio", step.before)._replace(seat=Seat(step.seat or 0)) for step in steps]
    moves = await asyncio.gather(*(move_of(pool, each) for each in requests))
    assert all(is_legal(each, move) for each, move in zip(requests, moves, strict=True))


@cache
def winnable() -> Any:
    """Return a position of Rainbow in which few of many moves win immediately."""
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
    """Return the moves that win immediately."""
    rules, found = GAMES["rainbow"], []
    for move in legal(position):
        after = reduce(rules.evolve, rules.decide(position, Seat(seat), move), position)
        outcome = rules.outcome(after)
        if outcome is not None and outcome.winners == (seat,):
            found.append(msgspec.to_builtins(move))
    return found


def winnable_request(seconds: float = 0.2) -> BotRequest:
    """Return a request that every bot answers with a win, and a random move almost never does."""
    return request("rainbow", winnable(), seconds, "hard")


def wins(bot_request: BotRequest, move: dict[str, Any]) -> bool:
    """Return whether a reply wins."""
    return move in winners(winnable(), bot_request.seat)


def failing_once(how: str, once: Path) -> BotRequest:
    """Return the same request, at which only the first process fails."""
    return winnable_request()._replace(known=FailingPosition(winnable(), how, once=once))


def is_stopped(process: int) -> bool:
    """Return whether a process is stopped."""
    return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] == "T"


async def test_a_process_without_cpu_time_still_returns_its_own_move(
    tmp_path: Path, log_lines: list[dict[str, object]]
) -> None:
    """It is stopped until long after its time. It is not killed, and its move is the bot's best one."""
    async with BotPool(1).running() as pool:
        await move_of(pool, request(seconds=5.0))
        bot_request = failing_once("stop", tmp_path / "stopped")
        answer = asyncio.create_task(move_of(pool, bot_request))
        await wait_until(lambda: [process for process in processes() if is_stopped(process)])
        [process] = processes()
        over = time.monotonic() + 5 * bot_request.seconds
        await wait_until(lambda: time.monotonic() > over)
        os.kill(process, signal.SIGCONT)
        assert wins(bot_request, await answer)
        assert processes() == [process]
    assert log_lines == []


async def test_a_hint_is_good_on_a_busy_machine() -> None:
    """Anna can win; the process that computes her hint is stopped until long after its time."""
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
        await wait_until(lambda: time.monotonic() > over)
        os.kill(stopped, signal.SIGCONT)
        assert (await hint).move in won


def state_of(live: LoadedRoom) -> Any:
    """Return the position of the running match."""
    assert live.state.playing is not None
    return live.state.playing.state


async def test_a_bot_without_any_time_compares_the_moves() -> None:
    """It finds the win, in any random order of the moves."""
    async with BotPool(1).running() as pool:
        for number in range(10):
            bot_request = winnable_request(seconds=0.0)._replace(seed=bytes([number]) * 32)
            assert wins(bot_request, await move_of(pool, bot_request))


@pytest.mark.parametrize(("how", "times"), [("loop", 1), ("sleep", 1), ("stop", 1), ("die", 3), ("fail", 3)])
async def test_if_a_process_fails_another_one_compares_the_moves(
    pool: BotPool, how: str, times: int, tmp_path: Path, log_lines: list[dict[str, object]]
) -> None:
    """The failure is logged, and there are as many processes as before. The first three are noticed after a wait."""
    bot_request = failing_once(how, tmp_path / "gone-wrong")._replace(patience=2.0)
    for number in range(times):
        (tmp_path / "gone-wrong").unlink(missing_ok=True)
        assert wins(bot_request, await move_of(pool, bot_request._replace(seed=bytes([number]) * 32)))
    assert [entry["event"] for entry in log_lines] == ["bot_failed"] * times
    assert ("ZeroDivisionError" in str(log_lines[0]["failure"])) == (how == "fail")
    await wait_until(lambda: len(processes()) == 2)


@pytest.mark.parametrize("how", ["die", "fail"])
async def test_a_bot_that_fails_twice_at_a_position_plays_a_random_legal_move(
    pool: BotPool, how: str, log_lines: list[dict[str, object]]
) -> None:
    """The bot has a bug, and the match must continue."""
    bot_request = failing_request(how)
    assert is_legal(bot_request._replace(known=request().known), await move_of(pool, bot_request))
    assert [entry["event"] for entry in log_lines] == ["bot_failed"] * 2
    await wait_until(lambda: len(processes()) == 2)
    assert is_legal(request(), await move_of(pool, request(seconds=2.0)))
    assert len(log_lines) == 2


async def test_an_endless_search_is_killed_even_if_nobody_waits(pool: BotPool) -> None:
    """Another process takes its place at once."""
    before = set(processes())
    answers = [asyncio.create_task(move_of(pool, failing_request("loop"))) for _ in before]
    await wait_until(lambda: all(cpu_ticks(process) > 1 for process in before))
    for answer in answers:
        answer.cancel()
    await wait_until(lambda: not before & set(processes()) and len(processes()) == 2)


async def test_a_request_that_no_process_takes_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """The caller can repeat the request later; no random move is played, and the process is replaced."""
    async with BotPool(1).running() as pool:
        await move_of(pool, request(seconds=5.0))
        monkeypatch.setattr(pool_module, "START_WITHIN", 0.2)
        [process] = processes()
        os.kill(process, signal.SIGSTOP)
        with pytest.raises(EngineUnavailable):
            await move_of(pool, request())
        await wait_until(lambda: len(processes()) == 1 and process not in processes())


async def test_a_killed_process_costs_one_move_at_most(pool: BotPool) -> None:
    """The other processes continue, and a new one replaces it."""
    before = processes()
    os.kill(before[0], signal.SIGKILL)
    requests = [request(seconds=2.0) for _ in range(8)]
    moves = await asyncio.gather(*(move_of(pool, each) for each in requests))
    assert all(is_legal(each, move) for each, move in zip(requests, moves, strict=True))
    await wait_until(lambda: len(processes()) == 2 and before[0] not in processes())


async def test_a_killed_fork_server_is_restarted(pool: BotPool) -> None:
    """Moves are made throughout."""
    [fork_server] = fork_servers()
    orphans = processes()
    os.kill(fork_server, signal.SIGKILL)
    assert is_legal(request(), await move_of(pool, request(seconds=2.0)))
    await wait_until(lambda: fork_servers() not in ([], [fork_server]) and len(processes()) == 2)
    assert is_legal(request(), await move_of(pool, request(seconds=2.0)))
    await wait_until(lambda: not any(Path(f"/proc/{orphan}").exists() for orphan in orphans))


async def test_a_signal_to_the_process_group_is_handled_by_the_worker(pool: BotPool) -> None:
    """If a terminal or an init system signals the process group, the pool runs until its worker has finished."""
    before = [*fork_servers(), *processes()]
    for number in (signal.SIGINT, signal.SIGTERM):
        for process in before:
            os.kill(process, number)
    assert is_legal(request(), await move_of(pool, request(seconds=2.0)))
    assert set(before) <= {*fork_servers(), *processes()}


async def test_nothing_is_left_behind() -> None:
    """When the worker stops, so do the fork server and its processes."""
    async with BotPool(2).running() as pool:
        await move_of(pool, request(seconds=5.0))
        started = [*fork_servers(), *processes()]
    await wait_until(lambda: not any(Path(f"/proc/{each}").exists() for each in started))


async def test_a_fork_server_that_does_not_exit_is_killed() -> None:
    """It is suspended, as if the machine were too busy to run it."""
    async with BotPool(1).running() as pool:
        await move_of(pool, request(seconds=5.0))
        [fork_server] = fork_servers()
        os.kill(fork_server, signal.SIGSTOP)
    assert fork_servers() == []


async def test_a_bot_process_is_small_and_starts_quickly(pool: BotPool) -> None:
    """It shares the games with its fork server and has only a few megabytes of its own."""
    own = [private_kilobytes(process) for process in processes()]
    assert max(own) < 12_000, own
    [fork_server] = fork_servers()
    assert private_kilobytes(fork_server) < 60_000
    del pool


def cpu_ticks(process: int) -> int:
    """Return how much CPU time a process has used since it was forked."""
    return int(Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[11])


def private_kilobytes(process: int) -> int:
    """Return how much memory this process does not share."""
    lines = Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()
    return sum(int(line.split()[1]) for line in lines if line.startswith(("Private_Clean", "Private_Dirty")))


async def test_a_choice_comes_back_from_its_process(pool: BotPool) -> None:
    """With a legal move, how hard it was, and no end of the match; of a bot that failed twice, a legal move only."""
    asked = request(level="hard")._replace(subject="choice")
    chosen = await pool.choose(asked, ADA)
    assert is_legal(asked, chosen.move)
    assert chosen.ending is None
    assert 0 < chosen.hard <= 1
    failing = failing_request("fail")._replace(subject="choice")
    assert (await pool.choose(failing, ADA)).hard == 0
