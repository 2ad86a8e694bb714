"""The pairing process: the same pairing every time, a limit of time, and a child that comes and goes."""

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from service.contests.pairing.process import NARROWEST, PairingFailed, PairingProcess
from service.domain.ids import PlayerId
from service.domain.tournaments.pairings import Entrant, Format, PairingRequest, check
from tests.contests.tournaments.pairing.simulated import Seats, paired

HANGS = f"""
import sys
from service.contests.pairing import child
def slow(request, window, *, strict):
    while window > {NARROWEST}:
        pass
    return compute(request, window, strict=strict)
compute, child.compute = child.compute, slow
child.main(["600", sys.argv[-1]])
"""
"""A child that finishes only what is to be paired in the narrowest window."""

DIES_ONCE = """
import pathlib, sys
from service.contests.pairing import child
if not pathlib.Path(sys.argv[1]).exists():
    pathlib.Path(sys.argv[1]).touch()
    child.answer_requests = lambda *_: sys.exit(1)
child.main(["600", sys.argv[-1]])
"""
"""A child that dies at its first task."""

RAISES = """
import sys
from service.contests.pairing import child
def fail(request, window, *, strict):
    raise ZeroDivisionError("planted")
child.compute = fail
child.main(["600", sys.argv[-1]])
"""
"""A child with a bug."""


def request_of(size: int, tournament: Format = "swiss", seats: Seats = 2) -> PairingRequest:
    """Return a request of players who have the same rating, so that lots decide."""
    players = tuple(Entrant(PlayerId(f"p-{number}"), number // 10, 1500) for number in range(size))
    return PairingRequest(tournament, seats, 1, "seed", players)


@asynccontextmanager
async def running(limit: float = 60, idle: float = 60, *program: str) -> AsyncIterator[PairingProcess]:
    """Yield a pairing process, of another program if one is given, and close it."""
    process = PairingProcess(limit, idle, [sys.executable, "-c", *program] if program else None)
    try:
        yield process
    finally:
        await process.close()


def is_alive(process: int | None) -> bool:
    """Return whether a child is alive. Its parent waits for it before it forgets it, so its id is gone, too."""
    assert process is not None
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.mark.parametrize(("tournament", "seats"), [("swiss", 2), ("swiss", 3), ("arena", 2), ("arena", 3)])
async def test_the_same_request_has_the_same_pairing(
    tournament: Format, seats: Seats, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In other processes, with other hashes of texts."""
    request, found = request_of(40, tournament, seats), []
    for seed in ("1", "2"):
        monkeypatch.setenv("PYTHONHASHSEED", seed)
        async with running() as process:
            found.append(await process.pair(request))
    check(request, found[0])
    assert found == [paired(request)] * 2


async def test_a_computation_that_takes_too_long_is_killed() -> None:
    """The round is then paired in a narrower window, by another child."""
    async with running(4, 60, HANGS) as process:
        request = request_of(30)
        asked = asyncio.create_task(process.pair(request))
        children = set[int]()
        while not asked.done():
            children |= {process.process_id} if process.process_id else set()
            await asyncio.wait([asked], timeout=0.01)
        check(request, await asked)
        [killed] = children - {process.process_id}
        assert not is_alive(killed)


async def test_a_task_that_is_given_up_leaves_no_answer_behind() -> None:
    """The next request has its own."""
    async with running() as process:
        first = asyncio.create_task(process.pair(request_of(300)))
        while process.process_id is None:  # noqa: ASYNC110 - the child starts within the call
            await asyncio.sleep(0)
        given_up = process.process_id
        first.cancel()
        await asyncio.wait([first])
        assert not is_alive(given_up)
        assert await process.pair(request_of(8)) == paired(request_of(8))


async def test_a_child_that_dies_is_replaced(tmp_path: Path) -> None:
    """While it works, and between two requests."""
    async with running(60, 60, DIES_ONCE, str(tmp_path / "died")) as process:
        assert await process.pair(request_of(8)) == paired(request_of(8))
        assert process.process_id is not None
        os.kill(process.process_id, signal.SIGKILL)
        assert await process.pair(request_of(6)) == paired(request_of(6))


async def test_a_computation_that_fails_is_reported() -> None:
    """With its traceback, and without another attempt."""
    async with running(60, 60, RAISES) as process:
        with pytest.raises(PairingFailed, match="planted"):
            await process.pair(request_of(4))


async def test_requests_wait_for_each_other() -> None:
    """Each gets its own answer."""
    async with running() as process:
        requests = [request_of(size) for size in (5, 12, 9)]
        assert await asyncio.gather(*map(process.pair, requests)) == [paired(request) for request in requests]


async def test_an_idle_child_is_ended() -> None:
    """And started again for the next request."""
    async with running(60, 0.01) as process:
        await process.pair(request_of(4))
        while process.process_id is not None:  # noqa: ASYNC110 - nothing else announces the end
            await asyncio.sleep(0.01)
        await process.pair(request_of(4))


async def test_the_loop_goes_on_while_players_are_paired() -> None:
    """Other tasks have their turns hundreds of times."""
    async with running() as process:
        asked, turns = asyncio.create_task(process.pair(request_of(150))), 0
        while not asked.done():
            turns += 1
            await asyncio.wait([asked], timeout=0.001)
        assert turns > 20
