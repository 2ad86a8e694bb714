"""The fair queue: who has used least is next, and requests get less time the more of them wait."""

import asyncio

import pytest

from service.bots.fair_queue import LONGEST_WAIT, REMEMBERED, SHORTEST, FairQueue, Requester
from service.bots.pool import BotPool

ADA, BOB, CYD = (Requester(name, human=True) for name in ("ada", "bob", "cyd"))


def waiting_requests(*requests: tuple[str, Requester, float], processes: int = 1) -> FairQueue[str]:
    """Return waiting requests in this order."""
    turns: FairQueue[str] = FairQueue(processes)
    for request, requester, seconds in requests:
        turns.add(request, requester, seconds)
    return turns


def turn_order(turns: FairQueue[str]) -> list[str]:
    """Return the requests in the order of their turns."""
    found = []
    while (turn := turns.next()) is not None:
        found.append(turn[0])
    return found


def test_owners_take_turns() -> None:
    """In any order of arrival and for any number of waiting requests."""
    ada = [(f"ada {number}", ADA, 1.0) for number in range(150)]
    turns = waiting_requests(*ada, ("bob", BOB, 1.0), ("cyd", CYD, 1.0))
    assert turn_order(turns)[:5] == ["ada 0", "bob", "cyd", "ada 1", "ada 2"]


def test_an_owner_who_comes_back_comes_last() -> None:
    """Repeated requests do not give more turns."""
    turns = waiting_requests(("ada 0", ADA, 1.0), ("bob 0", BOB, 1.0), ("ada 1", ADA, 1.0))
    turn_order = []
    for number in range(1, 5):
        turn = turns.next()
        assert turn is not None
        turn_order.append(turn[0])
        turns.add(f"bob {number}", BOB, 1.0)
    assert turn_order == ["ada 0", "bob 0", "ada 1", "bob 1"]


@pytest.mark.parametrize("served", [1, 75, 149, 150, 400])
def test_who_asks_seldom_does_not_wait_for_the_turns_of_many_guests(served: int) -> None:
    """One player with 150 rooms of as many guests, which ask again at once, delays nobody by more than one turn."""
    guests = [Requester(f"guest {number}", human=True) for number in range(150)]
    turns = waiting_requests(*((guest.owner, guest, 1.0) for guest in guests))
    for _ in range(200 + served):
        turn = turns.next()
        assert turn is not None
        turns.add(turn[0], Requester(turn[0], human=True), 1.0)
    turns.add("bob", BOB, 1.0)
    assert turn_order(turns)[0] == "bob"


def test_the_use_of_owners_who_left_is_forgotten() -> None:
    """So that the queue does not grow with everybody who ever asked."""
    turns: FairQueue[str] = FairQueue(1)
    for number in range(REMEMBERED + 10):
        turns.add("move", Requester(str(number), human=True), 0.1)
        assert turns.next() is not None
    assert len(turns._marks) <= REMEMBERED


def test_humans_come_first_then_short_requests() -> None:
    """Among the requests of one owner; of equal ones the longest waiting."""
    alone = ADA._replace(human=False)
    turns = waiting_requests(("bots", alone, 0.05), ("hard", ADA, 1.0), ("easy 0", ADA, 0.05), ("easy 1", ADA, 0.05))
    assert turn_order(turns) == ["easy 0", "easy 1", "hard", "bots"]


@pytest.mark.parametrize("processes", [1, 2, 8])
@pytest.mark.parametrize("owners", [1, 3, 20])
@pytest.mark.parametrize("each", [1, 2, 10])
def test_all_waiting_requests_start_in_time(owners: int, each: int, processes: int) -> None:
    """If all wait at the same time, the last one starts after two seconds, unless each has the minimum of time."""
    requesters = [Requester(str(owner), human=True) for owner in range(owners)] * each
    turns = waiting_requests(*((str(n), requester, 1.0) for n, requester in enumerate(requesters)), processes=processes)
    given = []
    while (turn := turns.next()) is not None:
        given.append(turn[1])
    assert given[0] <= max(SHORTEST, LONGEST_WAIT * processes / (owners * each))
    assert all(SHORTEST <= seconds <= 1.0 for seconds in given)
    assert given[-1] == 1.0


def test_a_share_does_not_depend_on_the_requests_of_others() -> None:
    """Ada's 150 requests get little time; Bob's one request gets as much as if Ada had one."""
    turns = waiting_requests(*((f"ada {number}", ADA, 1.0) for number in range(150)), ("bob", BOB, 1.0))
    given = dict(turn for turn in (turns.next(), turns.next()) if turn is not None)
    assert given["ada 0"] == SHORTEST
    assert given["bob"] == LONGEST_WAIT / 2


def test_a_human_does_not_wait_for_bots_among_themselves() -> None:
    """Their requests do not reduce the time of those for humans."""
    alone = ADA._replace(human=False)
    turns = waiting_requests(*((f"bots {number}", alone, 1.0) for number in range(50)), ("human", ADA, 1.0))
    assert turns.next() == ("human", 1.0)


def test_a_cancelled_request_has_no_turn() -> None:
    """And does not reduce the time of others."""
    turns = waiting_requests(("ada 0", ADA, 1.0), ("bob", BOB, 1.0), ("ada 1", ADA, 1.0))
    turns.remove("ada 0", ADA)
    turns.remove("bob", BOB)
    turns.remove("bob", BOB)
    assert turn_order(turns) == ["ada 1"]
    assert turns.next() is None


async def test_a_process_is_free_again_however_a_request_ends() -> None:
    """Also if the waiting caller is cancelled, before its turn or at the same moment."""
    pool = BotPool(1)
    assert await pool._wait_for_process(1.0, ADA) == 1.0
    gone, served = (asyncio.create_task(pool._wait_for_process(1.0, requester)) for requester in (ADA, BOB))
    await asyncio.sleep(0)
    gone.cancel()
    await asyncio.gather(gone, return_exceptions=True)
    pool._release_process()
    served.cancel()
    await asyncio.gather(served, return_exceptions=True)
    assert await pool._wait_for_process(1.0, CYD) == 1.0
