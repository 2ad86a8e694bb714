"""The laws of event streams: true of every kind of them, whichever call to the store fails, and whatever gets lost.

Everything happens in virtual time, and every failure follows from a seed: a test that fails names the seed, and
`TURNSTREAM_TEST_SEED` repeats it.
"""

import asyncio
import os
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from functools import partial
from typing import Any

import msgspec
import pytest

from service.contests.tournament_feed import TournamentFeeds
from service.domain.ids import Version
from service.domain.players.kind import PLAYERS, PlayerState
from service.domain.streams import Change, Stored
from service.domain.tournaments.kind import TOURNAMENTS
from service.domain.tournaments.model import TournamentId
from service.domain.tournaments.state import Tournament
from service.people.player_service import PlayerFeeds
from service.programs.ops.exports.streams import KINDS
from service.rooms.feeds.frames import OutgoingFrame
from service.rooms.service import RoomCore, RoomService
from service.runtime.environment import HashedNames
from service.store.contract import StoreUnavailable
from service.streams.errors import ServiceError
from service.streams.heartbeat import CURRENT_FOR
from service.streams.loaded import LoadedStream
from service.streams.repository import StreamRepository
from service.streams.subscribers import PATIENCE
from tests.contests.tournaments.test_tournament_service import Screen
from tests.rooms.processes import ANNA, MARK_KEY
from tests.streams import virtual_time
from tests.streams.examples import CREATED
from tests.streams.scene import TICK, Scene

ONLY = os.environ.get("TURNSTREAM_TEST_SEED")
SEEDS = [int(ONLY)] if ONLY else range(100)
MORE = range(100, 10_000)


class Changes:
    """A listener that checks that it gets each version once and in order, unless the stream is loaded again."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self.version = Version(0)

    def add(self, stream: LoadedStream[Any], history: Sequence[Stored]) -> None:
        """Take the events that were folded."""
        versions = [stored.recorded.version for stored in history]
        assert versions == list(range(self.version + 1, self.version + 1 + len(versions)))
        self.version = versions[-1] if versions else stream.head.version


Law = Callable[[int], Coroutine[Any, Any, None]]


def check(law: Law, seeds: Sequence[int]) -> None:
    """Check a law with each seed."""
    for seed in seeds:
        try:
            virtual_time.run(law(seed))
        except BaseException:
            print(f"TURNSTREAM_TEST_SEED={seed}")  # noqa: T201 - to repeat it
            raise


async def obey(kind: str, seed: int) -> None:
    """Check the laws of a followed stream: exactly once, event by event, in time, and never wrongly called current."""
    scene, changes = Scene(kind, seed), Changes()
    repository: StreamRepository[Any] = StreamRepository(scene.third, KINDS[kind], 10, scene.heartbeat)
    repository.on_change = changes.add
    followed = await repository.follow(scene.key)

    async def watch() -> None:
        while True:
            moment = asyncio.get_running_loop().time() - CURRENT_FOR - TICK
            assert not repository.is_current(followed) or followed.head.version >= scene.version_at(moment)
            await asyncio.sleep(TICK)

    async with scene.running(watch()):
        await scene.write_everything()
        assert repository.is_current(followed)
    fresh = await scene.loaded_anew()
    assert (followed.head, followed.state) == (fresh.head, fresh.state)
    assert changes.version == fresh.head.version
    await scene.check_outcomes(fresh)


class Client:
    """A client of a feed that resumes when it is refused; `follow` subscribes a new subscriber."""

    def __init__(self, follow: Callable[["Client"], Awaitable[None]]) -> None:
        """Begin without a subscription."""
        self._follow = follow
        self._refused = asyncio.Event()
        self.frames: list[dict[str, Any]] = []

    def offer(self, frame: OutgoingFrame) -> None:
        """Record a frame."""
        self.frames.append(msgspec.json.decode(frame.json))

    def refuse(self, refusal: ServiceError) -> None:
        """Resume."""
        assert refusal.problem.code == "store_unavailable"
        self._refused.set()

    async def run(self) -> None:
        """Subscribe, and again whenever that fails or ends."""
        while True:
            self._refused.clear()
            try:
                await self._follow(self)
                await self._refused.wait()
            except StoreUnavailable:
                await asyncio.sleep(0.3)

    @property
    def version(self) -> int:
        """The version of the latest frame."""
        return int(self.frames[-1]["version"])

    def check_own_feed(self) -> None:
        """Check that each version came once and in order, or in a snapshot."""
        at = 0
        for frame in self.frames:
            match frame["type"]:
                case "player_snapshot":
                    at = frame["version"]
                case "player_update":
                    versions = [event["version"] for event in frame["events"]]
                    assert versions == list(range(at + 1, frame["version"] + 1))
                    at = frame["version"]
                case "player_caught_up":
                    assert at == frame["version"]

    def view(self) -> Any:
        """Return the view that follows from the frames of a tournament's feed."""
        screen = Screen()
        for frame in self.frames:
            screen.apply(frame)
        return screen.view


async def follow_players(seed: int) -> None:
    """Check that clients of an own feed get everything once and in order."""
    scene = Scene("player", seed, leap=0)
    repository: StreamRepository[PlayerState] = StreamRepository(scene.third, PLAYERS, 10, scene.heartbeat)
    rooms = RoomService(RoomCore(scene.third, scene.clock, MARK_KEY), HashedNames())
    feeds = PlayerFeeds(repository, MARK_KEY, rooms)

    async def follow(client: Client) -> None:
        marked = [frame for frame in client.frames if frame["type"] in {"player_update", "player_snapshot"}]
        since, mark = (Version(marked[-1]["version"]), marked[-1]["mark"]) if marked else (None, None)
        await feeds.follow(ANNA.id, client, since, mark)

    clients = [Client(follow) for _ in range(3)]
    async with scene.running(*(client.run() for client in clients)):
        await scene.write_everything(lambda: feeds.resync(ANNA.id, scene.dice.choice(clients)))
        await asyncio.sleep(PATIENCE)
    for client in clients:
        client.check_own_feed()
        assert client.version == scene.stored_version()


async def follow_tournament(seed: int) -> None:
    """Check that clients of a tournament see what it is."""
    scene = Scene("tournaments", seed, leap=0)
    await scene.writers[0].execute(scene.key, lambda _state, _now: [Change(CREATED)])
    repository: StreamRepository[Tournament] = StreamRepository(scene.third, TOURNAMENTS, 10, scene.heartbeat)
    feeds, tournament = TournamentFeeds(repository), TournamentId(scene.key.id)
    clients = [Client(lambda client: feeds.follow(tournament, client)) for _ in range(3)]
    async with scene.running(*(client.run() for client in clients)):
        await scene.write_everything(lambda: feeds.resync(tournament, scene.dice.choice(clients)))
        await asyncio.sleep(PATIENCE)
        fresh = await scene.loaded_anew()
        shown = msgspec.json.decode(msgspec.json.encode(await feeds.view(fresh.state, fresh.head.version)))
    assert [client.view() for client in clients] == [shown] * len(clients)


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_streams_obey_their_laws(kind: str) -> None:
    """Whatever fails, and whatever gets lost."""
    check(partial(obey, kind), SEEDS)


@pytest.mark.parametrize("law", [follow_players, follow_tournament])
def test_no_subscriber_is_left_behind(law: Law) -> None:
    """Whatever fails, while it is brought up to date, too."""
    check(law, SEEDS)


@pytest.mark.soak
@pytest.mark.parametrize("law", [*(partial(obey, kind) for kind in sorted(KINDS)), follow_players, follow_tournament])
def test_laws_hold_for_long(law: Law) -> None:
    """With many more seeds."""
    check(law, MORE)
