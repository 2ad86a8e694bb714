"""A socket: its commands, their order, and the reasons for closing it."""

import asyncio
import time
from functools import partial
from pathlib import Path
from typing import Any

import jsonpatch
import pytest

from service.api.http.callers import Callers, Connections
from service.api.http.context import AppContext
from service.api.http.peers import peer_of
from service.api.http.tokens import Tokens
from service.api.limits import ClientLimits
from service.api.shutdown import GracefulShutdown
from service.api.websocket import session
from service.bots.hints import Hints
from service.bots.pool import BotPool
from service.bots.requests import evaluate_position
from service.contests.notable import NotableService
from service.contests.pairing.process import PairingProcess
from service.contests.rating_service import RatingService
from service.contests.reviews import Analyses, Reviews
from service.contests.tournament_service import TournamentService
from service.contests.tv import TvService
from service.people.account_service import AccountService
from service.people.erasure import ErasureService, PlayerServices
from service.people.matchmaking.blocks import Asking
from service.people.matchmaking.service import Matchmaking
from service.people.player_matches.service import PlayerMatchService
from service.people.player_service import PlayerService
from service.people.webhooks.messages import SecretKeys
from service.people.webhooks.service import WebhookService
from service.rooms.access.audit_log import AuditLog, Moderation, ModerationFollower
from service.rooms.access.directory import Directory
from service.rooms.access.reports import Reports
from service.rooms.service import RoomCore, RoomService
from service.rooms.social.feeds import SocialFeeds
from service.runtime.environment import HashedNames, SystemEnvironment, new_player, new_webhook
from service.runtime.settings import Settings
from service.store.side_channels import ProcessId
from service.store.watch.service_clock import ServiceClock
from service.streams.heartbeat import Heartbeat
from tests.e2e.client import ApiClient, Feed, Json, Player, connect_to, open_room_socket, without_time_and_presence
from tests.e2e.processes import ApiProcess, run_processes
from tests.e2e.seated_rooms import SeatedRoom, seat_players
from tests.memory_store.store import MemoryStore
from tests.store_server import StoreServer

RESUME, AUTHENTICATE, STAY_AWAY = range(4000, 4100), range(4100, 4200), range(4200, 4300)
TOO_BIG = 1009


@pytest.fixture
def seated(client: ApiClient) -> SeatedRoom:
    """Return two players of Turncoat."""
    return seat_players(client, "turncoat", 2, settings={"restart": None})


def caught_up(feed: Feed) -> None:
    """Read up to where the feed is live."""
    feed.until(lambda frame: frame["type"] == "caught_up")


def play(seated: SeatedRoom, number: int = 0) -> Json:
    """Return a command that red may give."""
    moves = seated.red.get(f"/v1/rooms/{seated.room}/legal-moves").body["legal_moves"]
    return {"type": "play", "move": moves[number]}


def test_a_command_is_replied_to_as_over_http(seated: SeatedRoom) -> None:
    """With the result under the client's own id; the view comes with the update, as after any other command."""
    with seated.red.subscribe(seated.room) as feed:
        caught_up(feed)
        for number, command_id in enumerate((7, "seven")):
            feed.send(type="command", id=command_id, room=seated.room, command=play(seated, number))
            frames = {frame["type"]: frame for frame in (feed.next(), feed.next())}
            assert frames["reply"]["id"] == command_id
            result = frames["reply"]["result"]
            assert set(result) == {"version", "events"}
            assert (result["version"], result["events"]) == (frames["update"]["version"], frames["update"]["events"])
            assert "problem" not in frames["reply"]


def test_a_follower_gets_the_view_in_the_reply_on_request(seated: SeatedRoom) -> None:
    """With `view: true`, as a client needs it that waits for its replies only."""
    with seated.red.subscribe(seated.room) as feed:
        caught_up(feed)
        feed.send(type="command", id=1, room=seated.room, command=play(seated), view=True)
        frames = {frame["type"]: frame for frame in (feed.next(), feed.next())}
        replied, updated = frames["reply"]["result"]["view"], frames["update"]["view"]
        assert without_time_and_presence(replied) == without_time_and_presence(updated)


def test_a_view_is_kept_by_patches_on_request(seated: SeatedRoom) -> None:
    """With `state: "patch"` the first frame has the view, and later ones have its changes."""
    with seated.red.subscribe(seated.room, state="patch") as feed:
        view = feed.until(lambda frame: frame["type"] == "snapshot")[-1]["view"]
        caught_up(feed)
        seated.red.play(seated.room, play(seated)["move"])
        update = feed.update()
        assert "view" not in update
        assert update["from"] == view["version"]
        patched = jsonpatch.apply_patch(view, update["patch"])
        current = seated.red.read_room(seated.room).body
        assert without_time_and_presence(patched) == without_time_and_presence(current)


def test_a_socket_that_does_not_follow_the_room_gets_the_view_in_the_reply(seated: SeatedRoom) -> None:
    """No update would bring it; also after the socket has stopped following."""
    with seated.red.subscribe(seated.room) as feed:
        caught_up(feed)
        feed.send(type="unsubscribe", room=seated.room)
        result = feed.command(seated.room, play(seated))["result"]
        assert result["view"]["version"] == result["version"]


def test_a_refused_command_is_replied_to_with_the_problem(seated: SeatedRoom) -> None:
    """The same as over HTTP; pointers begin at the frame."""
    with seated.red.subscribe(seated.room) as feed:
        refused = feed.command(seated.room, {"type": "play", "move": {"type": "commit"}})["problem"]
        over_http = seated.red.play(seated.room, {"type": "commit"}).body
        assert refused == over_http
        misfit = feed.command(seated.room, {"type": "play", "move": {"type": "select", "at": "z9"}})["problem"]
        assert (misfit["status"], misfit["pointer"]) == (422, "/command/move/at")
        unknown = feed.command(seated.room, {"type": "fly"})["problem"]
        assert (unknown["status"], unknown["pointer"]) == (422, "/command/type")
        assert feed.command("no-such-room", {"type": "ready"})["problem"]["code"] == "no_such_room"


def test_an_invalid_frame_is_replied_to_under_its_id(seated: SeatedRoom) -> None:
    """If it is JSON with a valid id; else the answer is an error."""
    with seated.red.subscribe(seated.room) as feed:
        caught_up(feed)
        feed.send(type="subscribe", room=seated.room, seat=99, id="s")
        refused = feed.next("reply")
        assert (refused["id"], refused["problem"]["pointer"]) == ("s", "/seat")
        feed.send(type="command", id=7, room=seated.room)
        assert feed.next("reply")["id"] == 7
        for invalid in ({"id": 1.5}, {"id": 2**60}, {"id": "x" * 129}, {"id": None}, {}):
            feed.send(type="fly", **invalid)
            assert feed.next("error")["problem"]["status"] in {400, 422}


def test_keys_are_the_same_over_sockets_and_http(seated: SeatedRoom) -> None:
    """A command sent over one and repeated over the other gets its first answer."""
    command = play(seated, 5)
    with seated.red.subscribe(seated.room) as feed:
        first = feed.command(seated.room, command, key="k")
        assert "replayed" not in first
        again = feed.command(seated.room, command, key="k")
        assert again["replayed"] is True
        assert again["result"]["events"] == first["result"]["events"]
        http = seated.red.play(seated.room, command["move"], key="k")
        assert http.headers["idempotency-replayed"] == "true"
        assert http.body["events"] == first["result"]["events"]
        assert feed.command(seated.room, play(seated, 6), key="k")["problem"]["code"] == "key_reused"


def test_a_command_may_insist_on_a_version(seated: SeatedRoom) -> None:
    """`if_version` has the effect of `If-Match`."""
    version = seated.red.read_room(seated.room).body["version"]
    with seated.red.subscribe(seated.room) as feed:
        refused = feed.command(seated.room, play(seated), if_version=version - 1)["problem"]
        assert (refused["status"], refused["code"], refused["version"]) == (412, "version_mismatch", version)
        assert "result" in feed.command(seated.room, play(seated), if_version=version)


def test_without_a_token_nothing_is_commanded(client: ApiClient, seated: SeatedRoom, anonymous: Player) -> None:
    """A spectator only reads; a token in the address is ignored."""
    for room in (seated.room, f"{seated.room}/feed?token={seated.red.token}&x="):
        with open_room_socket(client.url, room) as feed:
            feed.send(type="subscribe", room=seated.room)
            assert feed.until(lambda frame: frame["type"] == "snapshot")[-1]["view"]["match"]["legal_moves"] == []
            assert feed.command(seated.room, play(seated))["problem"]["code"] == "unauthenticated"
    assert anonymous.read_room(seated.room).body["match"]["state"]["selected"] == {"red": False, "yellow": False}


def test_a_bad_token_closes_the_socket(client: ApiClient, seated: SeatedRoom) -> None:
    """The client has to authenticate again."""
    with open_room_socket(client.url, seated.room) as feed:
        feed.send(type="subscribe", room=seated.room, token="t1.p-nobody.QWRh.AAAA")  # noqa: S106 - an invalid token
        assert feed.close_code() in AUTHENTICATE


def test_a_socket_speaks_for_one_player(seated: SeatedRoom) -> None:
    """Another player's token closes it; the same one may be sent again."""
    with seated.red.subscribe(seated.room) as feed:
        feed.send(type="subscribe", room=seated.room, token=seated.red.token)
        caught_up(feed)
        feed.send(type="subscribe", room=seated.room, token=seated.yellow.token)
        assert feed.close_code() in AUTHENTICATE


def test_a_room_s_socket_is_for_that_room(ada: Player, seated: SeatedRoom) -> None:
    """Another one is an error frame, for a command a problem; the socket stays open."""
    other = ada.open_room("morris").body["room"]
    with seated.red.subscribe(seated.room) as feed:
        caught_up(feed)
        for room in (other, "no-such-room", "!"):
            feed.send(type="subscribe", room=room)
            error = feed.next("error")
            assert (error["room"], error["problem"]["code"]) == (room, "no_such_room")
        assert feed.command(other, {"type": "ready"})["problem"]["code"] == "no_such_room"
        feed.send(type="ping")
        assert feed.next() == {"type": "pong"}


def test_a_room_that_is_not_there_is_an_error_frame(client: ApiClient) -> None:
    """And the socket stays open, for the room may be opened yet."""
    with open_room_socket(client.url, "nobody-home") as feed:
        feed.send(type="subscribe", room="nobody-home")
        assert feed.next("error")["problem"]["code"] == "no_such_room"
        feed.send(type="ping")
        feed.next("pong")


def test_a_name_that_no_room_can_have_closes_the_socket_for_good(client: ApiClient) -> None:
    """The close code says that it is useless to connect again."""
    with open_room_socket(client.url, "x") as feed:
        assert feed.close_code() in STAY_AWAY


@pytest.mark.parametrize(
    "frame",
    [
        "",
        "{",
        "[]",
        "null",
        '{"type":"fly"}',
        '{"type":"subscribe"}',
        '{"type":"ping","x":1}',
        "[" * 5000,
        b"\xff",
        "\0",
    ],
)
def test_an_unreadable_frame_gets_an_error_frame(client: ApiClient, seated: SeatedRoom, frame: str | bytes) -> None:
    """The socket stays open."""
    with open_room_socket(client.url, seated.room) as feed:
        feed.connection.send(frame)
        assert feed.next("error")["problem"]["status"] in {400, 422}
        feed.send(type="ping")
        feed.next("pong")


def test_too_many_unreadable_frames_close_the_socket_for_good(client: ApiClient, seated: SeatedRoom) -> None:
    """The first ones get an error frame each; then the close code is 4201."""
    with open_room_socket(client.url, seated.room) as feed:
        for _ in range(session.STRIKES + 1):
            feed.connection.send("nonsense")
        assert feed.next("error")
        assert feed.close_code() == 4201


def test_a_frame_that_is_too_big_closes_the_socket(client: ApiClient, seated: SeatedRoom) -> None:
    """With 1009, after which it must not be repeated; a large one below the limit is read."""
    with open_room_socket(client.url, seated.room) as feed:
        feed.send(type="ping", padding="x" * 60_000)
        feed.next("error")
        feed.send(type="ping", padding="x" * 70_000)
        assert feed.close_code() == TOO_BIG


def test_an_idle_room_beats(rooms_store: StoreServer, logs: Path, seated: SeatedRoom) -> None:
    """A heartbeat has the room's version and the time."""
    api = ApiProcess(rooms_store.url, logs, heartbeat="0.1")
    with run_processes(api), connect_to(api.url) as client, seated.red.via(client).subscribe(seated.room) as feed:
        caught_up(feed)
        frames = [feed.frame() for _ in range(4)]
        beats = [frame for frame in frames if frame["type"] == "heartbeat"][:3]
        assert {frame["type"] for frame in frames} <= {"heartbeat", "presence"}
        version = seated.red.read_room(seated.room).body["version"]
        assert [(beat["room"], beat["version"]) for beat in beats] == [(seated.room, version)] * 3
        assert beats[0]["server_time"] < beats[1]["server_time"] < beats[2]["server_time"]


class Silent:
    """A socket whose peer says nothing."""

    is_clear = True

    def __init__(self) -> None:
        """Have been sent nothing."""
        self.sent: list[Any] = []

    async def receive(self) -> Any:
        """Wait for ever."""
        await asyncio.Event().wait()

    async def send(self, message: Any) -> None:
        """Note a message."""
        self.sent.append(message)

    def write(self, frame: bytes) -> None:
        """Note a frame."""
        self.sent.append(frame)

    async def cleared(self) -> None:
        """Keep up."""

    def leave(self) -> None:
        """Stay."""


async def test_a_socket_that_says_nothing_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    """With 4200, ten seconds after it was opened without a message; the clock of this test runs faster."""
    assert session.FIRST_FRAME_SECONDS == 10
    monkeypatch.setattr(session, "FIRST_FRAME_SECONDS", 0.01)
    environment = SystemEnvironment(ServiceClock())
    core = RoomCore(MemoryStore(), environment, b"marks")
    heartbeat = Heartbeat(core.repository.store)
    accounts = AccountService(heartbeat, environment, new_player, [b"codes"])
    social = SocialFeeds(core.processor, core.hub, ProcessId("one"), accounts)
    rooms = RoomService(core, HashedNames(), social)
    players = PlayerService(heartbeat, environment.now, b"marks", rooms)
    webhooks = WebhookService(core.repository.store, environment, players, SecretKeys([b"webhooks"]), new_webhook)
    callers = Callers(Tokens(b"tokens"), accounts, Moderation(), Connections(environment.now))
    ratings = RatingService(core.repository.store, environment.now)
    matches = PlayerMatchService(core.repository.store, rooms, accounts.is_erased, ratings.state_in)
    asking = Asking(players.can_be_asked, accounts, matches.have_met)
    matchmaking = Matchmaking(core.repository.store, environment, rooms, asking, ratings.points, new_player)
    store = core.repository.store
    tournaments = TournamentService(heartbeat, environment, rooms, ratings.points, PairingProcess().pair, new_player)
    services = PlayerServices(accounts, players, matchmaking, webhooks, matches, tournaments)
    log, bots = AuditLog(core.repository.store), BotPool()
    reviews = Reviews(store, rooms, partial(evaluate_position, bots), environment.now)
    hints, analyses = (
        Hints(rooms, bots, b"hints"),
        Analyses(rooms, reviews),
    )
    gate = ClientLimits(Settings(), time.monotonic)
    context = AppContext(
        *(
            rooms,
            players,
            webhooks,
            accounts,
            matchmaking,
            ratings,
            NotableService(store, rooms, environment.now),
            matches,
            TvService(store, social.lobby, ratings, environment.now),
            tournaments,
            ErasureService(store, rooms, services, ModerationFollower(store, Moderation())).erase,
            Tokens(b"tokens"),
            callers,
            new_player,
            environment.now,
            ("*",),
            GracefulShutdown(),
            social,
            log,
        ),
        *(Reports(store), Directory(store), hints, analyses, gate),
    )

    peer = Silent()
    await session.Session(context, peer, peer_of({"client": None, "headers": []}), None).run()
    assert [(message["type"], message["code"]) for message in peer.sent] == [("websocket.close", 4200)]
