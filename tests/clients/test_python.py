"""The Python library against a real service: matches, cut connections, refusals, clocks."""

import asyncio
import contextlib
import os
import re
import shutil
import subprocess
import sys
import venv
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from typing import Any
from unittest.mock import AsyncMock

import httpx
import pytest
from msgspec.structs import replace
from turnstream_client import Client, Lobby, RefusedError, Retries, Room, TurnstreamError, UnreachableError
from turnstream_client.schema import (
    AcceptInvitation,
    AnyMove,
    BotSeat,
    CloseCommand,
    InviteCommand,
    JoinCommand,
    MorrisOpenRoomRequest,
    OpenRoomRequest,
    PlayCommand,
    RainbowOpenRoomRequest,
    ReadyCommand,
    RequestedSettings,
    ResignCommand,
    RoomView,
    TernioOpenRoomRequest,
    TriboardOpenRoomRequest,
    TurncoatMatchView,
    TurncoatOpenRoomRequest,
    TurncoatRequestedOptions,
    TurncoatRoomView,
    TurncoatSelectMove,
)

from tests.clients.cutting_proxy import CuttingProxy

ROOT = Path(__file__).parents[2]
QUICK = Retries(first=0.01, longest=0.05, patience=60.0)
FULL = RequestedSettings(start="full", restart=None)
REQUESTS: list[OpenRoomRequest] = [
    TernioOpenRoomRequest(settings=FULL),
    TriboardOpenRoomRequest(settings=FULL),
    MorrisOpenRoomRequest(settings=FULL),
    TurncoatOpenRoomRequest(settings=FULL, options=TurncoatRequestedOptions(round_limit=3)),
    RainbowOpenRoomRequest(settings=FULL),
]


async def guest(url: str, nickname: str, retries: Retries = QUICK) -> Client:
    """Return a client that is a new guest."""
    client = Client(url, retries=retries)
    await client.create_guest(nickname)
    return client


async def stored(url: str, client: Client, room: str) -> list[dict[str, Any]]:
    """Return all events of a room as the service has them, for this player."""
    events: list[dict[str, Any]] = []
    async with httpx.AsyncClient(headers={"Authorization": f"Bearer {client.token}"}) as http:
        while True:
            page = (await http.get(f"{url}/v1/rooms/{room}/events?since={len(events)}&limit=1000")).json()
            events += page["events"]
            if page["next"] is None:
                return events


def at_rest(view: RoomView) -> RoomView:
    """Return a view without what changes although nothing happens in the room."""
    players = [replace(player, presence=None) for player in view.players]
    return replace(view, players=players, watchers=None, server_time=datetime.fromtimestamp(0, UTC))


async def play_to_the_end(client: Client, name: str, chance: Random) -> None:
    """Play any legal move until the match is over; the view kept by patches is the one sent in full."""
    async with client.follow(name) as room:
        async for view in room.views():
            if view.match is not None and view.match.status == "finished":
                assert at_rest(view) == at_rest(await client.view(name))
                return
            if view.match is not None and room.is_to_move:
                commits: list[AnyMove] = [move for move in view.match.legal_moves if move.type == "commit"]
                with contextlib.suppress(
                    RefusedError
                ):  # in Turncoat, the other side may have ended the round meanwhile
                    await room.play(chance.choice(commits or view.match.legal_moves))


@pytest.mark.parametrize("request_", REQUESTS, ids=lambda request: request.game)
async def test_a_match_of_every_game(url: str, request_: OpenRoomRequest) -> None:
    """Each seat follows and moves by a client of its own."""
    async with await guest(url, "Ada") as ada:
        opened = await ada.open_room(request_)
        clients = [ada, *[await guest(url, f"Guest {number}") for number in range(1, len(opened.view.seats))]]
        for client in clients[1:]:
            await client.send(opened.room, JoinCommand())
        await asyncio.gather(
            *(play_to_the_end(client, opened.room, Random(number)) for number, client in enumerate(clients))
        )
        view = await ada.view(opened.room)
        for client in clients[1:]:
            await client.close()
    assert view.match is not None
    assert view.match.result is not None
    assert view.game == request_.game


async def select_until(enough: asyncio.Event, room: Room, chance: Random) -> dict[int, str]:
    """Select one square of Turncoat after the other, and return them by the version that each command got."""
    selected: dict[int, str] = {}
    while not enough.is_set():
        assert isinstance(room.match, TurncoatMatchView)
        at = chance.choice([move.at for move in room.match.legal_moves if isinstance(move, TurncoatSelectMove)])
        version = await room.play(TurncoatSelectMove(at))
        assert room.view.version >= version
        selected[version] = at
    return selected


async def select_by_requests_until(enough: asyncio.Event, client: Client, room: Room, chance: Random) -> dict[int, str]:
    """Do the same by requests."""
    selected: dict[int, str] = {}
    while not enough.is_set():
        assert isinstance(room.match, TurncoatMatchView)
        at = chance.choice([move.at for move in room.match.legal_moves if isinstance(move, TurncoatSelectMove)])
        selected[await client.send(room.name, PlayCommand(TurncoatSelectMove(at)))] = at
    return selected


async def record(room: Room, until: str) -> list[tuple[int, str]]:
    """Return the events that a room yields, up to one of a type."""
    events = []
    async for event in room.events():
        events.append((event.version, event.type))
        if event.type == until:
            break
    return events


@pytest.mark.parametrize("cuts", [20, pytest.param(1000, marks=[pytest.mark.soak, pytest.mark.timeout(900)])])
async def test_cut_connections_lose_and_double_nothing(url: str, cuts: int) -> None:
    """No gap, no version twice, no command executed twice, whenever a connection breaks."""
    async with CuttingProxy(cuts, most=12_000, seed=cuts).serve(url) as proxy, await guest(url, "Ada") as ada:
        opened = await ada.open_room(TurncoatOpenRoomRequest(settings=FULL))
        async with await guest(proxy.url, "Ben") as ben:
            await ben.send(opened.room, JoinCommand())
            mine = Client(proxy.url, ada.token, retries=QUICK)
            async with mine, mine.follow(opened.room) as room, ben.follow(opened.room) as bens:
                first, recording = room.version, asyncio.create_task(record(room, "match_ended"))
                by_socket, by_request = await asyncio.gather(
                    select_until(proxy.enough, room, Random(1)),
                    select_by_requests_until(proxy.enough, ben, bens, Random(2)),
                )
                await room.send(ResignCommand())
                events = await recording
        history = {ada: await stored(url, ada, opened.room), ben: await stored(url, ben, opened.room)}
    assert proxy.cuts >= cuts
    assert events == [(event["version"], event["type"]) for event in history[ada][first:]]
    for client, selected in ((ada, by_socket), (ben, by_request)):
        known = {event["version"]: event["at"] for event in history[client] if "at" in event}
        assert known == selected


async def test_one_player_sees_several_seats_in_turn(url: str) -> None:
    """Each selection only for its seat, and every event once."""
    async with await guest(url, "Ada") as ada:
        hot_seat = RequestedSettings(start="full", hot_seat=True)
        opened = await ada.open_room(TurncoatOpenRoomRequest(seats=["me", "me"], settings=hot_seat))
        async with ada.follow(opened.room, seat=0) as room:
            first, events = room.version, room.events()
            selections = [await select(room, 0)]
            await room.view_as(1)
            async for _ in room.views():
                if selection(room) is None:
                    break
            selections.append(await select(room, 1))
            versions = [(await anext(events)).version - first for _ in range(room.version - first)]
    assert None not in selections
    assert versions == [1, 2]


def selection(room: Room) -> str | None:
    """Return the selection that the present seat may know."""
    assert isinstance(room.view, TurncoatRoomView)
    assert room.view.match is not None
    return room.view.match.state.own_selection


async def select(room: Room, seat: int) -> str | None:
    """Select a square for a seat, and return what its view shows."""
    assert room.match is not None
    await room.play(next(move for move in room.match.legal_moves if move.type == "select"), seat=seat)
    return selection(room)


async def test_the_lobby_is_followed(url: str) -> None:
    """Its rooms as they open and close, also after a lost connection; of one game, if asked."""
    async with CuttingProxy(0, most=1, seed=1).serve(url) as proxy, await guest(url, "Ada") as ada:
        client = Client(proxy.url, retries=QUICK)
        async with client, client.follow_lobby() as lobby, client.follow_lobby("turncoat") as other:
            statuses: list[str] = []
            lobby.subscribe(lambda _: statuses.append(lobby.status))
            opened = await ada.open_room(MorrisOpenRoomRequest())
            await until_listed(lobby, opened.room, is_listed=True)
            async with client.follow_lobby(joinable=True) as joinable:
                await until_listed(joinable, opened.room, is_listed=True)
            proxy.cut()
            await ada.send(opened.room, CloseCommand())
            await until_listed(lobby, opened.room, is_listed=False)
            assert "reconnecting" in statuses
            assert opened.room not in [room.room for room in other.rooms]
        assert lobby.status == "closed"
        with pytest.raises(TurnstreamError, match="has ended"):
            await anext(lobby.lines())


async def until_listed(lobby: Lobby, name: str, *, is_listed: bool) -> None:
    """Wait until the lobby lists a room, or no longer."""
    async for rooms in lobby.changes():
        if (name in [room.room for room in rooms]) == is_listed:
            return


async def test_lines_of_a_chat_arrive(url: str) -> None:
    """In the room and in the lobby; earlier ones are read."""
    async with await guest(url, "Ada") as ada, await guest(url, "Ben") as ben:
        opened = await ada.open_room(MorrisOpenRoomRequest())
        async with ada.follow(opened.room) as room, ada.follow_lobby() as lobby:
            heard = room.lines(), lobby.lines()
            said = await ada.say(opened.room, "hello"), await ben.say(None, "good evening")
            assert [await anext(lines) for lines in heard] == list(said)
            await ada.send(opened.room, CloseCommand())
            assert [line async for line in heard[0]] == []
    assert [line.text for line in said] == ["hello", "good evening"]
    async with await guest(url, "Cyd") as cyd:
        assert said[1] in (await cyd.chat(None)).lines
        later = await cyd.say(None, "good morning")
        assert (await cyd.chat(None, since=said[1].id)).lines == [later]


async def test_the_lobby_and_own_rooms_are_one_chat(url: str) -> None:
    """Their lines in one order, as pages and as they arrive, also after a lost connection."""
    async with CuttingProxy(0, most=1, seed=1).serve(url) as proxy, await guest(url, "Ada") as ada:
        opened = await ada.open_room(MorrisOpenRoomRequest())
        await ada.say(opened.room, "first")
        client = Client(proxy.url, token=ada.token, retries=QUICK)
        async with client, client.follow_chat() as chat, client.follow_chat(opened.room) as room:
            proxy.cut()
            said = await ada.say(None, "second"), await ada.say(opened.room, "third")
            async for lines in chat.changes():
                if lines[-2:] == list(said):
                    break
            async for lines in room.changes():
                if [line.text for line in lines] == ["first", "third"]:
                    break
        assert (await ada.chat_view()).lines[-3:] == [room.lines[0], *said]
        assert (said[1].room, (await ada.chat_view("lobby")).lines[-1]) == (opened.room, said[0])


async def test_a_listener_is_called_after_the_view_has_changed(url: str) -> None:
    """Until it is removed; its faults do not end the feed."""
    async with await guest(url, "Ada") as ada:
        opened = await ada.open_room(MorrisOpenRoomRequest(seats=["me", BotSeat("easy")]))
        async with ada.follow(opened.room) as room:
            seen: list[int] = []
            end = room.subscribe(lambda _: seen.append(room.version))
            room.subscribe(lambda _: 1 // 0)
            assert await room.send(ResignCommand()) == seen[-1]
            end()
            count = len(seen)
            assert [each.room for each in (await ada.me()).rooms] == [opened.room]
            await room.send(CloseCommand())
        assert len(seen) == count
        assert {game.slug for game in (await ada.games()).games} == {request.game for request in REQUESTS}
        assert (await ada.game("morris")).title == "Nine Men's Morris"


async def test_a_refusal_has_its_code(url: str) -> None:
    """As an exception, over HTTP and over the socket."""
    async with await guest(url, "Ada") as ada:
        with pytest.raises(RefusedError, match="no_such_room") as refused:
            await ada.send("no-such-room", ReadyCommand())
        assert (refused.value.code, refused.value.status) == ("no_such_room", 404)
        opened = await ada.open_room(MorrisOpenRoomRequest())
        async with ada.join(opened.room) as room:
            await room.ready()
            with pytest.raises(RefusedError) as refused:
                await room.send(JoinCommand())
        assert (refused.value.code, refused.value.status) == ("already_joined", 409)


async def test_a_client_may_become_another_guest(url: str) -> None:
    """And is then somebody else."""
    async with await guest(url, "Ada") as client:
        first = await client.player()
        await client.create_guest("Ben")
        assert await client.player() != first


async def test_a_room_that_does_not_exist_is_not_followed(url: str) -> None:
    """The block is not entered."""
    async with Client(url, retries=QUICK) as client:
        with pytest.raises(RefusedError, match="no_such_room"):
            async with client.follow("no-such-room"):
                pytest.fail("there is no such room")


async def test_nothing_waits_for_a_room_behind_its_block(url: str) -> None:
    """Neither what waited in another task, nor what begins to wait then."""
    async with await guest(url, "Ada") as ada:
        opened = await ada.open_room(MorrisOpenRoomRequest())
        async with ada.follow(opened.room) as room:
            waiting = asyncio.ensure_future(anext(room.events()))
            await asyncio.sleep(0)
        for events in (waiting, anext(room.events())):
            with pytest.raises(TurnstreamError, match="has ended"):
                await events
        with pytest.raises(TurnstreamError, match="has ended"):
            await room.ready()


async def test_a_bad_token_ends_the_following(url: str) -> None:
    """With the code of the refusal."""
    async with Client(url, "not-a-token", retries=QUICK) as client:
        with pytest.raises(RefusedError) as refused:
            async with client.follow("any-room"):
                pytest.fail("this token is of nobody")
    assert refused.value.status == 401


async def test_without_a_server_patience_ends() -> None:
    """For requests and for rooms."""
    client = Client("http://127.0.0.1:9", retries=Retries(first=0.01, patience=0.05))
    async with client:
        with pytest.raises(UnreachableError):
            await client.rooms()
        with pytest.raises(UnreachableError):
            async with client.follow("any-room"):
                pytest.fail("nobody listens there")


README = (ROOT / "clients/python/README.md").read_text()
PRINTED = "http://127.0.0.1:8000"


async def test_the_readmes_bot_plays_as_printed(url: str, tmp_path: Path) -> None:
    """In ten lines, and it ends when the room closes."""
    [bot, *_] = re.findall(r"^```python\n(.*?)^```", README, re.MULTILINE | re.DOTALL)
    assert len([line for line in bot.splitlines() if line.strip()]) == 10
    (tmp_path / "bot.py").write_text(bot.replace(PRINTED, url))
    async with await guest(url, "Ada") as ada:
        opened = await ada.open_room(MorrisOpenRoomRequest(name="Friday Night", settings=FULL))
        environment = {**os.environ, "PYTHONPATH": str(ROOT / "clients/python")}
        process = await asyncio.create_subprocess_exec(sys.executable, tmp_path / "bot.py", env=environment)
        await play_to_the_end(ada, opened.room, Random(1))
        await ada.send(opened.room, CloseCommand())
        assert await process.wait() == 0


@pytest.mark.soak
def test_the_package_installs_from_its_file(tmp_path: Path) -> None:
    """Into a clean environment, with its types."""
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check"]
    source = shutil.copytree(ROOT / "clients/python", tmp_path / "source")
    subprocess.run([*pip, "wheel", "--no-deps", "--wheel-dir", tmp_path, source], check=True)
    [wheel] = tmp_path.glob("turnstream_client-*.whl")
    venv.create(tmp_path / "venv", with_pip=True)
    python = tmp_path / "venv/bin/python"
    subprocess.run([python, "-m", "pip", "install", wheel], check=True)
    program = "import turnstream_client as t, importlib.resources as r; assert (r.files(t) / 'py.typed').is_file()"
    subprocess.run([python, "-I", "-c", program], check=True, cwd=tmp_path)


async def test_players_are_invited(url: str) -> None:
    """Into a private room, as a new guest."""
    private = RequestedSettings(visibility="private", password="open sesame")  # noqa: S106 - a test's
    async with await guest(url, "Ada") as ada, Client(url) as bob, Client(url) as eve:
        room = (await ada.open_room(TernioOpenRoomRequest(settings=private))).room
        made = await ada.invite(room, InviteCommand(uses=2))
        view = await bob.invitation(made.code)
        assert (view.host, view.game, view.room, view.uses_left) == ("Ada", "ternio", None, 2)
        await eve.decline_invitation(made.code, "Eve")
        assert await bob.accept_invitation(made.code, AcceptInvitation(nickname="Bob", seat=2)) == room
        assert (await bob.view(room)).seats[2].player == await bob.player()
        [listed] = (await ada.invitations(room)).invitations
        assert (listed.code, listed.used, listed.declined) == (made.code, 1, 1)
        waiting = (await ada.open_room(TernioOpenRoomRequest())).room
        lobbies = [await bob.rooms(joinable=True), await bob.rooms(live=True)]
        assert [waiting in {entry.room for entry in lobby.rooms} for lobby in lobbies] == [True, False]


async def test_a_match_that_is_over_can_be_reviewed(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its positions from all pages, and one of them; somebody has to ask for what bots find out about them."""
    async with await guest(url, "Ada") as ada:
        settings = RequestedSettings(hot_seat=True, restart=None)
        opened = await ada.open_room(MorrisOpenRoomRequest(settings=settings, seats=["me", "me"]))
        await ada.send(opened.room, ResignCommand(seat=1))
        view = await ada.view(opened.room)
        assert view.match is not None
        whole = await ada.analysis(view.match.id)
        assert [position.values for position in whole.positions] == [[9, 9], [9, 9]]
        [position] = (await ada.analysis(view.match.id, 0)).positions
        assert (position.ply, position.best, whole.review) == (0, None, "none")
        assert (await ada.request_review(view.match.id)).status in {"waiting", "done"}
        get = AsyncMock(side_effect=[replace(whole, next=1000), whole])
        monkeypatch.setattr(ada, "get", get)
        assert (await ada.analysis(view.match.id)).positions == whole.positions * 2
        assert [call.args[2] for call in get.await_args_list] == [None, {"cursor": "1000"}]
