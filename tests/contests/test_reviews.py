"""Reviews: who may ask for how many, what is computed once, and what an analysis has from them."""

import asyncio
from typing import Any

import pytest

from service.bots.fair_queue import Requester
from service.bots.messages import BotRequest
from service.contests import notable
from service.contests import reviews as analyses
from service.contests.reviews import PER_PLAYER, Analyses, MatchAnalysis
from service.domain.game import Evaluated, Seat
from service.domain.ids import Millis, Player, RoomName
from service.domain.room.model.commands import Play, PlayerCommand, RequestNew, Resign
from service.domain.room.model.settings import OpenRoom, RequestedSettings
from service.rooms.commands.requests import CommandRequest
from service.rooms.match_index import MatchEntry
from service.rooms.repository import LoadedRoom
from service.rooms.service import RoomService
from service.store.stream_keys import REVIEWS, KindKey
from service.streams.errors import ServiceError
from service.workers.worker import MOST_REVIEWS
from tests.rooms.processes import ANNA, BEN, CLARA, Clock, Process
from tests.workers.fake_engine import RandomEngine, reviews_of, worker_of

FRIDAY = RoomName("friday-night")
PLACED = ("a1", "d1", "g1")


class PreparedEngine(RandomEngine):
    """An engine whose evaluations are prepared by the number of men on the board; it waits for its gate."""

    def __init__(self, *evaluated: Evaluated | None) -> None:
        """Evaluate these positions, in the order of their men, and all others evenly; the gate is open."""
        super().__init__()
        self._evaluated = dict(enumerate(evaluated))
        self.gate = asyncio.Event()
        self.gate.set()

    async def evaluate(self, request: BotRequest, requester: Requester) -> Evaluated | None:
        """Return what is prepared."""
        even = await super().evaluate(request, requester)
        await self.gate.wait()
        return self._evaluated.get(men_of(request), even)


def men_of(request: BotRequest) -> int:
    """Return how many men are on the board."""
    return sum(spots.bit_count() for spots in request.known.men)


async def finished(process: Process, name: RoomName = FRIDAY) -> tuple[LoadedRoom, MatchEntry]:
    """Play a match of three moves and a drop-out, which white wins."""
    settings = RequestedSettings(hot_seat=True, restart=None)
    await process.rooms.open(OpenRoom("morris", name, settings=settings, seats=("me", "me")), ANNA)
    live = await process.core.repository.by_name(name)
    moves: list[PlayerCommand] = [Play({"type": "place", "at": at}) for at in PLACED]
    for command in (*moves, Resign(Seat(1))):
        await process.rooms.execute(live, CommandRequest(command, ANNA))
    (entry,) = await process.rooms.matches(live, [1])
    return live, entry


async def reviewed(process: Process, engine: RandomEngine, by: Player = ANNA) -> MatchAnalysis:
    """Play a match, have it reviewed by a worker, and return its analysis."""
    live, entry = await finished(process)
    found = Analyses(process.rooms, reviews_of(process, engine))
    assert (await found.request_review(entry, by)).status == "waiting"
    await reviews_of(process.start_another(), engine).proceed(KindKey(REVIEWS, entry.id))
    return await found.analyse(live, entry)


async def test_each_position_is_evaluated_once_for_everybody() -> None:
    """By a worker, in the owner's share of time; requests after the first compute nothing, also those of others."""
    process, engine = Process(Clock()), PreparedEngine()
    analysis = await reviewed(process, engine)
    assert [men_of(request) for request in engine.requests] == [0, 1, 2, 3]
    assert set(engine.requesters) == {Requester(ANNA.id, human=False)}
    assert [position.chances for position in analysis.positions] == [(50, 50)] * 4 + [(100, 0)]
    live = await process.core.repository.by_name(FRIDAY)
    (entry,) = await process.rooms.matches(live, [1])
    for player in (ANNA, BEN):
        other = process.start_another()
        assert (await reviews_of(other, engine).request(entry, player)).status == "done"
        assert "append" not in other.store.requests
        await reviews_of(other, engine).proceed(KindKey(REVIEWS, entry.id))
    assert len(engine.requests) == 4


async def test_an_analysis_says_how_many_plies_are_evaluated() -> None:
    """While the review is waited for, in every process; afterwards there is nothing to say."""
    process, engine = Process(Clock()), PreparedEngine()
    live, entry = await finished(process)
    found = Analyses(process.rooms, reviews_of(process, engine))
    assert (await found.analyse(live, entry)).evaluated is None
    await found.request_review(entry, ANNA)
    seen = []

    async def look(request: BotRequest, requester: Requester) -> Evaluated | None:
        seen.append((await found.analyse(live, entry)).evaluated)
        return await PreparedEngine.evaluate(engine, request, requester)

    engine.evaluate = look  # type: ignore[method-assign]  # looks at the analysis first
    await reviews_of(process.start_another(), engine).proceed(KindKey(REVIEWS, entry.id))
    assert seen == [0, 0, 1, 2]
    assert (await found.analyse(live, entry)).evaluated is None


async def test_two_who_ask_at_the_same_time_get_one_review() -> None:
    """Each in another process, before a worker has begun."""
    process, engine = Process(Clock()), PreparedEngine()
    _, entry = await finished(process)
    both = [reviews_of(process.start_another(), engine), reviews_of(process.start_another(), engine)]
    found = await asyncio.gather(both[0].request(entry, ANNA), both[1].request(entry, BEN))
    assert [review.status for review in found] == ["waiting", "waiting"]
    assert len({review.by for review in found}) == 1


async def test_a_player_waits_for_a_limited_number() -> None:
    """Others have their own; when one is done, another can be requested."""
    process, engine = Process(Clock()), PreparedEngine()
    entries = [(await finished(process, RoomName(f"room-{number}")))[1] for number in range(PER_PLAYER + 1)]
    *first, last = entries
    reviews = reviews_of(process, engine)
    for _ in range(2):
        for entry in first:
            assert (await reviews.request(entry, ANNA)).status == "waiting"
    with pytest.raises(ServiceError) as refused:
        await reviews.request(last, ANNA)
    assert refused.value.problem.code == "too_many_reviews"
    assert (await reviews.request(last, BEN)).status == "waiting"
    await reviews.proceed(KindKey(REVIEWS, first[0].id))
    _, more = await finished(process, RoomName("one-more"))
    assert (await reviews.request(more, ANNA)).status == "waiting"


async def test_a_worker_reviews_a_few_matches_at_a_time() -> None:
    """The others wait, and bots go on playing; in the end all are done."""
    process, engine = Process(Clock()), PreparedEngine()
    entries = [(await finished(process, RoomName(f"room-{number}")))[1] for number in range(MOST_REVIEWS + 2)]
    reviews = reviews_of(process, engine)
    for number, entry in enumerate(entries):
        await reviews.request(entry, (ANNA, BEN, CLARA)[number % 3])
    engine.gate.clear()
    stop, worker = asyncio.Event(), worker_of(process.start_another(), engine)
    running = asyncio.create_task(worker.run(stop))
    await asyncio.sleep(0.2)
    assert len(engine.requests) == MOST_REVIEWS
    engine.gate.set()
    for _ in range(100):
        process.clock.time = Millis(process.clock.time + 100)
        await asyncio.sleep(0.02)
        if [(await reviews.find(entry.id)).status for entry in entries] == ["done"] * len(entries):
            break
    stop.set()
    await running
    assert [(await reviews.find(entry.id)).status for entry in entries] == ["done"] * len(entries)
    assert len(engine.requests) == 4 * len(entries)


async def test_moves_are_marked_by_what_they_lost() -> None:
    """The best move, the chances, and the move that turned the match."""
    white, black = Seat(0), Seat(1)
    evaluated: list[Evaluated] = [
        ((50, 50), ((white, "d6"),), ((white, 9),)),
        ((41, 59), ((black, "d6"),), ((black, 34),)),
        ((75, 25), ((white, "g1"),), ((white, 0),)),
        ((75, 25), ((black, "a7"),), ()),
    ]
    analysis = await reviewed(Process(Clock()), PreparedEngine(*evaluated))
    played = [move for position in analysis.positions for move in position.played]
    assert [(move.lost, move.mark) for move in played] == [(9, None), (34, "blunder"), (0, None), (None, None)]
    best = [position.best and position.best[0].notation for position in analysis.positions]
    assert best == ["d6", "d6", "g1", "a7", ()]
    assert [position.chances for position in analysis.positions] == [*(each[0] for each in evaluated), (100, 0)]
    assert (analysis.review, analysis.turning_point) == ("done", 1)


@pytest.mark.parametrize(("lost", "mark"), [(9, None), (10, "inaccuracy"), (20, "mistake"), (29, "mistake")])
async def test_the_marks_follow_from_the_loss(lost: int, mark: str | None) -> None:
    """From 10, 20 and 30 percent on."""
    analysis = await reviewed(Process(Clock()), PreparedEngine(((50, 50), (), ((Seat(0), lost),))))
    assert analysis.positions[0].played[0].mark == mark


async def test_a_position_that_could_not_be_evaluated_is_left_out() -> None:
    """The others have their evaluations."""
    analysis = await reviewed(Process(Clock()), PreparedEngine(((50, 50), (), ()), None))
    assert [position.chances for position in analysis.positions] == [(50, 50), None, (50, 50), (50, 50), (100, 0)]
    assert analysis.turning_point is None


async def test_a_match_that_cannot_be_read_has_no_review() -> None:
    """It can be requested again."""
    process, engine = Process(Clock()), PreparedEngine()
    live, entry = await finished(process)
    reviews = reviews_of(process.start_another(), engine)
    await reviews.request(entry, ANNA)
    await process.rooms.execute(live, CommandRequest(RequestNew(), ANNA))
    await process.store.worker_store.trim(live.key)
    await reviews.proceed(KindKey(REVIEWS, entry.id))
    assert (await reviews.find(entry.id)).status == "none"
    assert engine.requests == []
    assert (await reviews.request(entry, ANNA)).status == "waiting"


async def test_what_is_kept_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """By the number of positions; the latest matches are kept."""
    monkeypatch.setattr(analyses, "KEPT_POSITIONS", 7)
    process = Process(Clock())
    folded: list[MatchEntry] = []
    positions_of = notable.positions_of

    async def counted(rooms: RoomService, live: LoadedRoom, entry: MatchEntry) -> Any:
        folded.append(entry)
        return await positions_of(rooms, live, entry)

    monkeypatch.setattr("service.contests.reviews.positions_of", counted)
    found = Analyses(process.rooms, reviews_of(process, PreparedEngine()))
    one, other = await finished(process), await finished(process, RoomName("saturday"))
    for live, entry in (one, one, other, other, one):
        await found.analyse(live, entry)
    assert [entry.id for entry in folded] == [one[1].id, other[1].id, one[1].id]
