"""Bots in rooms: their requests and replies, each of which takes effect once."""

import asyncio
from collections.abc import Iterator
from typing import Any, Literal

import msgspec
import pytest
import structlog

from service.bots.fair_queue import Requester
from service.bots.messages import BotRequest, Choice
from service.domain.catalog import GAMES
from service.domain.game import Seat
from service.domain.ids import Millis, Version
from service.domain.room.model import commands
from service.domain.room.model.clock import PerMove
from service.domain.room.model.settings import BotSeat, OpenRoom, RequestedSettings
from service.domain.room.model.state import Match
from service.domain.room.subjects.bots import bot_moves
from service.rooms.repository import LoadedRoom
from service.rooms.social.lease import Timing
from service.store.side_channels import ProcessId
from service.workers import loop
from service.workers.bots import Bots
from tests.rooms.processes import (
    ANNA,
    CLARA,
    FRIDAY,
    NOON,
    Clock,
    Process,
    RecordingSubscriber,
    fold_versions,
    subscribe,
)
from tests.waiting import wait_until
from tests.workers.fake_engine import KEY, RandomEngine, worker_of


@pytest.fixture(autouse=True)
def log_lines(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[dict[str, object]]]:
    """Return the log lines, and make pauses take no time."""
    monkeypatch.setattr(loop, "PAUSE", 0.0001)
    with structlog.testing.capture_logs() as entries:
        yield entries  # type: ignore[misc]  # dictionaries


async def solo(process: Process, game: str = "morris", *seats: Any, **settings: Any) -> LoadedRoom:
    """Open a room in which Anna plays against bots, or watches."""
    count = len(GAMES[game].seats(GAMES[game].options()))
    wished = seats or ("me", *[BotSeat("easy")] * (count - 1))
    opening = OpenRoom(game, "Friday Night", settings=RequestedSettings(**{"bot_pause": 0, **settings}), seats=wished)
    await process.rooms.open(opening, ANNA)
    return await process.core.repository.by_name(FRIDAY)


def place(at: str) -> commands.Play:
    """Return the command that places a piece."""
    return commands.Play({"type": "place", "at": at})


def match_of(live: LoadedRoom) -> Match:
    """Return the match of a room."""
    assert live.state.match is not None
    return live.state.match


async def run_worker(process: Process, engine: RandomEngine, version: int) -> None:
    """Run a worker until the room has a version."""
    stop = asyncio.Event()
    running = asyncio.create_task(worker_of(process, engine).run(stop))

    async def is_there() -> bool:
        return (await process.stored_room()).version >= version

    await wait_until(is_there)
    stop.set()
    await running


async def test_a_bot_answers() -> None:
    """Once, with its own player id."""
    process, engine = Process(Clock()), RandomEngine()
    live = await solo(process)
    await process.execute(ANNA, place("a1"))
    await run_worker(process.start_another(), engine, live.state.version + 1)
    room = await process.stored_room()
    assert room.version == live.state.version
    assert live.recent[-1].recorded.by == "bot-1"
    assert len(engine.requests) == 1


@pytest.mark.parametrize("game", GAMES)
async def test_bots_play_whole_matches_of_every_game(game: str) -> None:
    """Only bots play, one match of each game after another, as somebody watches; every version occurs once."""
    process = Process(Clock())
    process.with_social(ProcessId("here"), Timing(pause=0.0))
    seats = [BotSeat("easy")] * len(GAMES[game].seats(GAMES[game].options()))
    live = await solo(process, game, *seats, restart=0)
    await subscribe(process, RecordingSubscriber())
    await run_worker(process.start_another(), RandomEngine(), 60)
    versions = [room.version for room in await fold_versions(process.store, live.key)]
    assert versions == list(range(1, (await process.stored_room()).version + 1))


async def test_a_request_to_a_bot_has_only_the_knowledge_of_its_seat() -> None:
    """Whatever Anna selects in Turncoat, the request is the same, and so is the answer."""
    requests = []
    for square in ("a1", "h8"):
        process, engine = Process(Clock()), RandomEngine()
        live = await solo(process, "turncoat", bot_pause=1)
        await process.execute(ANNA, commands.Play({"type": "select", "at": square}))
        process.clock.time = Millis(NOON + 1)
        await run_worker(process, engine, live.state.version + 1)
        first = engine.requests[0]
        requests.append((first.known, first.seat, first.level))
    assert requests[0] == requests[1]


async def test_two_workers_that_request_the_same_move_make_it_once() -> None:
    """The second result is dropped, and so is one for a match that is over."""
    process = Process(Clock())
    live = await solo(process)
    await process.execute(ANNA, place("a1"))
    version = live.state.version
    others = [process.start_another() for _ in range(3)]
    rooms = [await other.rooms.by_key((await other.cached_room()).key) for other in others]
    bots = [Bots(other.rooms, RandomEngine(), KEY) for other in others]
    await asyncio.gather(*(bot.play(room) for bot, room in zip(bots, rooms, strict=True)))
    assert (await process.stored_room()).version == version + 1


class InterruptedEngine(RandomEngine):
    """An engine that runs a command while it computes a move."""

    def __init__(self, process: Process, command: commands.PlayerCommand, by: Any = ANNA) -> None:
        """Take the command that is executed in between."""
        super().__init__()
        self._process = process
        self._command: commands.PlayerCommand | None = command
        self._by = by

    async def move(self, request: BotRequest, requester: Requester) -> dict[str, Any]:
        """Return a random legal move, after the command."""
        if self._command is not None:
            command, self._command = self._command, None
            await self._process.execute(self._by, command)
        return await super().move(request, requester)


async def test_a_move_for_a_match_that_has_ended_is_dropped(log_lines: list[dict[str, object]]) -> None:
    """Anna resigned meanwhile: no move is made and no failure is logged."""
    process = Process(Clock())
    live = await solo(process)
    await process.execute(ANNA, place("a1"))
    await Bots(process.rooms, InterruptedEngine(process, commands.Resign()), KEY).play(live)
    assert live.state.table.status == "finished"
    assert log_lines == []


async def test_a_move_is_made_despite_unrelated_events() -> None:
    """Clara joined as a spectator meanwhile."""
    process = Process(Clock())
    live = await solo(process)
    await process.execute(ANNA, place("a1"))
    await Bots(process.rooms, InterruptedEngine(process, commands.Join("spectator"), CLARA), KEY).play(live)
    assert live.recent[-1].recorded.by == "bot-1"


class IllegalEngine(RandomEngine):
    """An engine with a bug: its first move is illegal."""

    async def move(self, request: BotRequest, requester: Requester) -> dict[str, Any]:
        """Return a move that the rules reject."""
        await super().move(request, requester)
        return {"type": "remove", "at": "a1"}


async def test_an_illegal_move_of_a_bot_is_replaced(log_lines: list[dict[str, object]]) -> None:
    """A legal move is played in its place, and the failure is logged for the operator."""
    process = Process(Clock())
    live = await solo(process)
    await process.execute(ANNA, place("a1"))
    version = live.state.version
    await Bots(process.rooms, IllegalEngine(), KEY).play(live)
    assert live.state.version == version + 1
    assert [entry["event"] for entry in log_lines] == ["bot_move_refused"]


async def test_a_bot_has_random_numbers_of_its_own() -> None:
    """The same for the same turn, others for the next one, and never derived from the match's seed."""
    seeds = []
    for _ in range(2):
        process, engine = Process(Clock()), RandomEngine()
        live = await solo(process, "morris", BotSeat("easy"), BotSeat("easy"))
        await run_worker(process, engine, live.state.version + 3)
        seeds.append([request.seed for request in engine.requests[:3]])
        assert match_of(live).seed not in seeds[-1]
    assert len(set(seeds[0])) == 3
    assert len(seeds[0][0]) == 32


async def test_a_move_is_made_for_a_player_out_of_time() -> None:
    """As a system command, without a player; then it is the next player's turn."""
    process, engine = Process(Clock()), RandomEngine()
    await process.start_match(ANNA, CLARA, clock=PerMove(Millis(1000)), on_timeout="bot_move")
    live = await process.cached_room()
    version = live.state.version
    process.clock.time = Millis(NOON + 2000)
    await run_worker(process, engine, version + 2)
    assert [type(stored.recorded.event).__name__ for stored in live.since(Version(version)) or []] == [
        "TimeRanOut",
        "Placed",
    ]
    assert live.recent[-1].recorded.by is None
    assert bot_moves(live.state) == []


class DecliningEngine(RandomEngine):
    """An engine whose bots decline every draw."""

    async def accepts_draw(self, request: BotRequest, requester: Requester) -> bool:
        """Decline."""
        return not await super().accepts_draw(request, requester)


def happened_since(live: LoadedRoom, version: Version) -> list[tuple[str, str | None]]:
    """Return the types of the events since a version, each with its player."""
    stored = live.since(version) or []
    return [(type(each.recorded.event).__name__, each.recorded.by) for each in stored]


async def test_a_bot_answers_a_draw_offer() -> None:
    """The request has its level and seat, and the accepted offer ends the match."""
    process, engine = Process(Clock()), RandomEngine()
    live = await solo(process)
    await process.execute(ANNA, commands.OfferDraw())
    version = live.state.version
    await run_worker(process.start_another(), engine, version + 3)
    await process.stored_room()
    ending = ["OfferAccepted", "OfferClosed", "MatchEnded"]
    assert happened_since(live, version) == [(kind, "bot-1") for kind in ending]
    assert [(request.subject, request.seat, request.level) for request in engine.requests] == [("draw", 1, "easy")]


async def test_a_bot_that_has_to_move_answers_first() -> None:
    """And then moves, because a move would end the offer."""
    process, engine = Process(Clock()), DecliningEngine()
    live = await solo(process)
    await process.execute(ANNA, place("a1"))
    await process.execute(ANNA, commands.OfferDraw())
    version = live.state.version
    await run_worker(process.start_another(), engine, version + 2)
    await process.stored_room()
    assert happened_since(live, version) == [("OfferClosed", "bot-1"), ("Placed", "bot-1")]
    assert [request.subject for request in engine.requests] == ["draw", "choice"]


async def test_the_first_bot_that_declines_ends_the_offer(log_lines: list[dict[str, object]]) -> None:
    """The other bot's answer is too late, and no failure is logged."""
    process = Process(Clock())
    live = await solo(process, "ternio")
    await process.execute(ANNA, commands.OfferDraw())
    version = live.state.version
    await Bots(process.rooms, DecliningEngine(), KEY).play(live)
    assert [kind for kind, _ in happened_since(live, version)] == ["OfferClosed"]
    assert log_lines == []


async def test_a_bot_evaluates_a_draw_with_the_knowledge_of_its_seat() -> None:
    """Whatever Anna has selected in Turncoat, the request is the same."""
    requests = []
    for square in ("a1", "h8"):
        process, engine = Process(Clock()), RandomEngine()
        live = await solo(process, "turncoat", bot_pause=1)
        await process.execute(ANNA, commands.Play({"type": "select", "at": square}))
        await process.execute(ANNA, commands.OfferDraw())
        await run_worker(process, engine, live.state.version + 3)
        requests.append([each._replace(seed=b"") for each in engine.requests])
    assert requests[0] == requests[1]


class DecidedEngine(RandomEngine):
    """An engine whose choices are hard, and whose bots end the match in one way."""

    def __init__(self, hard: float = 0.0, ending: Literal["resign", "offer_draw"] | None = None) -> None:
        """Choose so."""
        super().__init__()
        self._hard, self._ending = hard, ending

    async def choose(self, request: BotRequest, requester: Requester) -> Choice:
        """Return a random legal move, and what the test wishes."""
        return Choice(await self.move(request, requester), self._hard, self._ending)


@pytest.mark.parametrize(
    ("game", "hard", "seconds"),
    [("morris", 0.0, 0.0), ("morris", 0.375, 0.6), ("morris", 1.0, 1.6), ("turncoat", 1.0, 0.64)],
)
async def test_a_bot_waits_longer_with_a_hard_choice(game: str, hard: float, seconds: float) -> None:
    """From the time on at which an easy move is due; in a game with secrets always equally long."""
    process, waits = Process(Clock()), list[float]()
    live = await solo(process, game, bot_pause=1000)
    if game == "morris":
        await process.execute(ANNA, place("a1"))
    process.clock.time = Millis(NOON + 400)

    async def sleep(time: float) -> None:
        waits.append(round(time, 3))

    version = live.state.version
    await Bots(process.rooms, DecidedEngine(hard), KEY, sleep).play(live)
    assert live.state.version == version + 1
    assert waits == [seconds]


async def test_a_bot_moves_and_then_offers_a_draw() -> None:
    """In this order, because a move would end the offer."""
    process = Process(Clock())
    live = await solo(process)
    await process.execute(ANNA, place("a1"))
    version = live.state.version
    await Bots(process.rooms, DecidedEngine(ending="offer_draw"), KEY).play(live)
    assert happened_since(live, version) == [("Placed", "bot-1"), ("OfferMade", "bot-1")]


async def test_a_bot_resigns_instead_of_its_move() -> None:
    """And so ends the match."""
    process = Process(Clock())
    live = await solo(process)
    await process.execute(ANNA, place("a1"))
    version = live.state.version
    await Bots(process.rooms, DecidedEngine(ending="resign"), KEY).play(live)
    assert [kind for kind, _ in happened_since(live, version)] == ["Dropped", "MatchEnded"]


async def test_a_request_has_the_turns_by_which_a_bot_may_resign() -> None:
    """From its third turn on, and only with the setting and above the weakest level."""
    for bot, resigns in ((BotSeat("hard"), True), (BotSeat("easy"), False)):
        process, engine = Process(Clock()), RandomEngine()
        live = await solo(process, "morris", "me", bot)
        for number in (0, 5, 10):
            legal = list(live.state.game.legal_moves(match_of(live).state, Seat(0)))
            await process.execute(ANNA, commands.Play(msgspec.to_builtins(legal[number])))
            while bot_moves(live.state):
                await Bots(process.rooms, engine, KEY).play(live)
        counts = [len(request.resigns_after) for request in engine.requests]
        assert counts[:3] == ([0, 0, 2] if resigns else [0, 0, 0])


class EndlessEngine(RandomEngine):
    """An engine that never answers."""

    async def move(self, request: BotRequest, requester: Requester) -> dict[str, Any]:
        """Wait for ever."""
        self.requests.append(request)
        self.requesters.append(requester)
        await asyncio.Event().wait()
        raise AssertionError


async def test_a_worker_that_shuts_down_hands_its_rooms_to_another_at_once() -> None:
    """It cancels its request and hands back its claim: the other worker claims the room before the lease ends."""
    process, engine = Process(Clock()), EndlessEngine()
    live = await solo(process)
    await process.execute(ANNA, place("a1"))
    stop = asyncio.Event()
    leaving = asyncio.create_task(worker_of(process.start_another(), engine).run(stop))
    await wait_until(lambda: bool(engine.requests))
    assert await process.store.claim_due(process.clock.now(), Millis(1), 10) == []
    stop.set()
    await leaving
    await run_worker(process.start_another(), RandomEngine(), live.state.version + 1)
    assert (await process.stored_room()).version == live.state.version
    assert live.recent[-1].recorded.by == "bot-1"
