"""Own feeds and seeks in both libraries, against a real service with a worker."""

import asyncio
from collections.abc import Iterator
from typing import Any
from unittest.mock import AsyncMock

import httpx
import msgspec
import pytest
from turnstream_client import Client, EventsMissedError, OwnFeed, RefusedError, Search
from turnstream_client.frames import PlayerSnapshot, PlayerUpdate
from turnstream_client.schema import (
    JoinCommand,
    MorrisOpenRoomRequest,
    OfferDrawCommand,
    OwnSeek,
    PerMoveClock,
    ResignCommand,
    SeekMatchedEvent,
    SeekRequest,
    WithdrawCommand,
)

from tests.clients.cutting_proxy import CuttingProxy
from tests.clients.node import needs_node
from tests.clients.test_javascript import PROGRAMS, printed, start
from tests.clients.test_python import FULL, QUICK, guest
from tests.e2e.processes import ApiProcess, ServiceProcess, run_processes
from tests.store_server import StoreServer
from tests.waiting import PAUSE

CUTS = [15, pytest.param(300, marks=[pytest.mark.soak, pytest.mark.timeout(900)])]
Stored = list[tuple[int, str]]

BEHIND = 2
"""How many events the play is ahead of a feed: so few that one connection can bring them, which is soon cut."""


@pytest.fixture(scope="module")
def url(shared_server: StoreServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Return the address of a service with a worker, which delivers events and opens rooms for seeks."""
    shared_server.execute("FLUSHDB")
    folder = tmp_path_factory.mktemp("service")
    api = ApiProcess(shared_server.url, folder / "api")
    worker = ServiceProcess("service worker", shared_server.url, folder / "worker")
    with run_processes(api, worker):
        yield api.url


async def play_until(enough: asyncio.Event, received: Stored, ada: Client, ben: Client) -> None:
    """Play a match in which Ben offers a draw and withdraws the offer, again and again; resign at the end.

    He waits until Ada's feed has received his earlier offers, because only the latest 1,000 events are kept for it.
    """
    opened = await ada.open_room(MorrisOpenRoomRequest(settings=FULL))
    await ben.send(opened.room, JoinCommand())
    offers = 0
    while not enough.is_set():
        offers += 1
        await ben.send(opened.room, OfferDrawCommand())
        await ben.send(opened.room, WithdrawCommand(offers))
        while sum(kind == "offer_received" for _, kind in received) < offers - BEHIND and not enough.is_set():  # noqa: ASYNC110 - no event is set for it
            await asyncio.sleep(PAUSE)
    await ben.send(opened.room, ResignCommand())


async def stored(url: str, client: Client) -> Stored:
    """Return the player's own events as the service has them."""
    events: Stored = []
    async with httpx.AsyncClient(headers={"Authorization": f"Bearer {client.token}"}) as http:
        after: int | None = 0
        while after is not None:
            page = (await http.get(f"{url}/v1/players/me/events?since={after}")).json()
            events += [(event["version"], event["type"]) for event in page["events"]]
            after = page["next"]
    return events


async def record(feed: OwnFeed, received: Stored) -> None:
    """Record the events of a feed until a match is over."""
    async for event in feed.events():
        received.append((event.version, event.type))
        if event.type == "match_finished":
            break


async def record_printed(process: asyncio.subprocess.Process, received: Stored) -> None:
    """Record the events that a program prints, each in a line of its own, until it ends."""
    assert process.stdout is not None
    async for line in process.stdout:
        received.append(msgspec.json.decode(line, type=tuple[int, str]))
    assert await process.wait() == 0


@pytest.mark.parametrize("cuts", CUTS)
async def test_cut_connections_lose_and_double_no_own_events(url: str, cuts: int) -> None:
    """In Python: the same events in the same order as the service has them."""
    async with CuttingProxy(cuts, most=1_500, seed=cuts).serve(url) as proxy, await guest(url, "Ada") as ada:
        mine, events = Client(proxy.url, ada.token, retries=QUICK), Stored()
        async with await guest(url, "Ben") as ben, mine, mine.follow_me() as feed:
            assert (feed.rooms, feed.version) == ((), 0)
            await asyncio.gather(record(feed, events), play_until(proxy.enough, events, ada, ben))
        assert events == await stored(url, ada)
    assert proxy.cuts >= cuts
    assert len(events) > 3


@needs_node
@pytest.mark.parametrize("cuts", CUTS)
async def test_cut_connections_lose_and_double_no_own_events_in_javascript(url: str, cuts: int) -> None:
    """Likewise."""
    async with CuttingProxy(cuts, most=1_500, seed=cuts).serve(url) as proxy, await guest(url, "Ada") as ada:
        process = await start(PROGRAMS / "own_feed.js", proxy.url, str(ada.token))
        assert process.stdout is not None
        assert await process.stdout.readline() == b'"following"\n'
        events = Stored()
        async with await guest(url, "Ben") as ben:
            await asyncio.gather(record_printed(process, events), play_until(proxy.enough, events, ada, ben))
        assert events == await stored(url, ada)
    assert proxy.cuts >= cuts
    assert len(events) > 3


async def find_match(client: Client, request: SeekRequest) -> str:
    """Look for other players, be ready when they are found, and return the room in which the match began."""
    async with client.find_matches(request) as matches:
        async for matched in matches:
            async with client.follow(matched.room) as room:
                await room.ready()
                async for view in room.views():
                    if view.match is not None:
                        return matched.room
    raise AssertionError("a search has no end")


async def test_players_find_each_other(url: str) -> None:
    """Both are ready in the room that was opened for them. A search that is over leaves no seek behind."""
    async with await guest(url, "Ada") as ada, await guest(url, "Ben") as ben, await guest(url, "Cyd") as cyd:
        wish = SeekRequest("morris", clock=PerMoveClock(77_000))
        rooms = await asyncio.gather(find_match(ada, wish), find_match(ben, wish))
        assert len(set(rooms)) == 1
        waiting = asyncio.ensure_future(find_match(cyd, wish))
        while not (await cyd.own_seeks()).seeks:
            pass
        assert [(seek.nickname, seek.game) for seek in (await ada.open_seeks("morris")).seeks] == [("Cyd", "morris")]
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
        assert (await cyd.own_seeks()).seeks == []
        taken = await ada.make_seek(SeekRequest("turncoat", clock=PerMoveClock(79_000)))
        assert (await ada.open_seeks("turncoat", limit=1)).total >= 1
        assert (await cyd.accept_seek(taken.id)).paired
        await cyd.withdraw_seek("no-such-seek")


@needs_node
async def test_players_find_each_other_in_javascript(url: str) -> None:
    """Likewise, and what cannot be sought is refused."""
    done = await printed(await start(PROGRAMS / "find_match.js", url))
    assert done == {"rooms": 1, "playing": True, "left": [True, 0], "open": ["Cyd"], "paired": True, "refused": "unfit"}


def own_event(kind: str, version: int, **fields: Any) -> PlayerUpdate:
    """Return a frame with an event of a seek."""
    event = {"type": kind, "version": version, "time": "2026-01-01T00:00:00Z", "game": "morris", "seek": "s1", **fields}
    return PlayerUpdate(version, "mark", [msgspec.Raw(msgspec.json.encode(event))])


def matched(version: int, room: str) -> PlayerUpdate:
    """Return a frame that says that players were found."""
    return own_event("seek_matched", version, room=room, epoch="e", seat=0, deadline="2026-01-01T00:00:20Z")


async def test_a_search_goes_on_when_another_player_does_not_appear(monkeypatch: pytest.MonkeyPatch) -> None:
    """The seek is made again, also under its old id; a room that no longer waits is left out."""
    feed = OwnFeed("http://127.0.0.1:9", token="t", retries=QUICK)  # noqa: S106 - not one that guards anything
    monkeypatch.setattr(feed._feed, "open", AsyncMock())
    made = [msgspec.convert(SEEK, OwnSeek, strict=False)] * 3
    make, withdraw = AsyncMock(side_effect=made), AsyncMock()
    async with Search(SeekRequest("morris"), feed, make, withdraw) as search:
        rooms = aiter(search)
        found = asyncio.ensure_future(anext(rooms))
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        feed.receive(matched(1, "closed-soon"))
        assert (await found).room == "closed-soon"
        for frame in (own_event("seek_resumed", 2), matched(3, "missed"), own_event("seek_resumed", 4)):
            feed.receive(frame)
        again = asyncio.ensure_future(anext(rooms))
        while make.await_count < 2:  # noqa: ASYNC110 - the mock sets no event
            await asyncio.sleep(0)
        feed.receive(matched(5, "friday-night"))
        event: SeekMatchedEvent = await again
        assert event.room == "friday-night"
        feed.receive(PlayerSnapshot(9, "mark", "trimmed", ()))
        with pytest.raises(EventsMissedError, match="trimmed"):
            await anext(rooms)
    withdraw.assert_awaited_once_with("s1")


SEEK: dict[str, Any] = {
    "id": "s1",
    "game": "morris",
    "options": {},
    "clock": None,
    "seat": None,
    "rated": False,
    "paired": False,
    "made": "2026-01-01T00:00:00Z",
    "rating_range": None,
    "bots": False,
    "expires": "2026-01-01T00:01:00Z",
}


async def test_what_cannot_be_sought_is_refused(url: str) -> None:
    """With the code of the refusal; also who is unknown."""
    async with await guest(url, "Ada") as ada:
        with pytest.raises(RefusedError, match="unfit"):
            await find_match(ada, SeekRequest("morris", rated=True))
    async with Client(url, retries=QUICK) as nobody:
        with pytest.raises(RefusedError, match="unauthenticated"):
            async with nobody.follow_me():
                pytest.fail("there is no player")
