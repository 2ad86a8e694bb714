"""Limits: their size, their refusals, and that everything else still works."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed

from service.api.http.peers import address_group
from service.api.limits import ConnectionLimit, RateLimiter
from service.runtime.settings import Settings
from service.streams.errors import ServiceError
from tests.api.limit_coverage import CODES_RECEIVED, LIMITS_SET, reaches
from tests.api.test_player_matches import play
from tests.api.tournaments import tournament_request
from tests.e2e.client import ApiClient, Player, Response, connect_to, open_room_socket, open_shared_socket
from tests.e2e.processes import ApiProcess, run_processes
from tests.e2e.seated_rooms import seat_players, select

TOO_MANY_SOCKETS, FLOODED = 4204, 4205


class Watch:
    """A clock that a test moves on."""

    def __init__(self) -> None:
        """Begin somewhere."""
        self.now = 1000.0

    def __call__(self) -> float:
        """Return the time."""
        return self.now


def test_a_limiter_lets_so_many_through_at_once_and_then_one_after_another() -> None:
    """Each for themselves; unused requests accumulate with time, up to the limit."""
    watch = Watch()
    limiter = RateLimiter(2, 5, watch)
    for _ in range(3):
        assert [limiter.try_take("anna") for _ in range(5)] == [0.0] * 5
        assert limiter.try_take("anna") == pytest.approx(0.5)
        assert limiter.try_take("ben") == 0.0
        watch.now += 0.5
        assert limiter.try_take("anna") == 0.0
        with pytest.raises(ServiceError) as refused:
            limiter.take("anna")
        assert (refused.value.problem.status, refused.value.problem.retry_after) == (429, 1)
        watch.now += 1000


def test_a_limiter_forgets_the_quiet_ones() -> None:
    """So that it doesn't grow with everyone who ever came."""
    watch = Watch()
    limiter = RateLimiter(1, 2, watch)
    for number in range(30_000):
        limiter.take(number)
        watch.now += 0.01
    assert len(limiter._used_until) < 20_000
    assert [limiter.try_take("anna"), limiter.try_take("anna"), limiter.try_take("anna") > 0] == [0.0, 0.0, True]


def test_zero_is_no_limit() -> None:
    """This applies to rates and to numbers of connections."""
    limiter, connections = RateLimiter(0, 0, Watch()), ConnectionLimit(0)
    with ExitStack() as stack:
        for _ in range(1000):
            limiter.take("anna")
            stack.enter_context(connections.hold("anna"))


def test_a_connection_limit_admits_another_when_one_has_closed() -> None:
    """Each client has its own count."""
    connections = ConnectionLimit(2)
    with connections.hold("anna"):
        with connections.hold("anna"), connections.hold("ben"), pytest.raises(ServiceError), connections.hold("anna"):
            pass
        with connections.hold("anna"):
            assert connections.is_full("anna")
    assert not connections._counts


@pytest.mark.parametrize(
    ("address", "counted"),
    [
        ("9.9.9.9", "9.9.9.9"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::9", "2001:db8:1:2::/64"),
        ("::ffff:9.9.9.9", "9.9.9.9"),
        ("unix", "unix"),
        ("x" * 1000, "x" * 64),
    ],
)
def test_an_address_is_counted_by_who_can_have_it(address: str, counted: str) -> None:
    """An IPv6 subscriber has a whole network."""
    assert address_group(address) == counted


@contextmanager
def limited(place: tuple[str, Path], **limits: str) -> Iterator[ApiClient]:
    """Run one more API process, with these limits."""
    store, log = place
    known = Settings.__struct_fields__
    settings = {f"limit_{name}" if f"limit_{name}" in known else name: most for name, most in limits.items()}
    LIMITS_SET.update(settings)
    api = ApiProcess(store, log, "service api", **settings)
    with run_processes(api), connect_to(api.url) as client:
        yield client


def is_limited(answer: Response, code: str) -> bool:
    """Return whether a response is this 429 with the time of a retry."""
    assert (answer.status, answer.code) == (429, code)
    CODES_RECEIVED.add((code, answer.body.get("params", {}).get("limit", "")))
    assert int(answer.headers["retry-after"]) == answer.body["retry_after"] >= 1
    return True


@reaches(limit_commands="rate_limited")
def test_commands_have_a_limiter(store_and_log: tuple[str, Path]) -> None:
    """It counts commands by POST and by socket, and dry runs; other players and reading are not limited by it."""
    with limited(store_and_log, commands="2") as client:
        seated = seat_players(client, "turncoat", 2)
        first = [seated.red.play(seated.room, select(number), dry_run=number % 2 == 0).status for number in range(4)]
        assert set(first) <= {200, 409}
        with seated.red.subscribe(seated.room) as feed:
            problems = [feed.command(seated.room, {"type": "unready"}).get("problem", {}) for _ in range(30)]
            refused = next(problem for problem in problems if problem.get("code") == "rate_limited")
        assert (refused["code"], refused["status"], refused["retry_after"]) == ("rate_limited", 429, 1)
        assert is_limited(seated.red.command(seated.room, "unready", dry_run=True), "rate_limited")
        assert is_limited(seated.red.command(seated.room, "unready"), "rate_limited")
        assert seated.red.read_room(seated.room).status == 200
        assert seated.yellow.play(seated.room, select(1), dry_run=True).status in {200, 409}


@reaches(limit_reads="rate_limited", limit_reads_address="rate_limited")
def test_reads_have_a_limiter_by_player_and_by_address(store_and_log: tuple[str, Path]) -> None:
    """For all reads of all routes; expensive ones count as several, and health is never refused."""
    dear = "/v1/matches/friday-night.a.1/export"
    with limited(store_and_log, reads="1") as client:
        ada, bob = client.guest("Ada"), client.guest("Bob")
        room = ada.open_room("morris").body["room"]
        assert ada.get(dear, at=1, limit=1000).status == 422  # counts as thirty reads, though it is refused
        answer = ada.read_room(room)
        assert is_limited(answer, "rate_limited")
        assert answer.body["params"] == {"limit": "reads", "quota": 4, "seconds": 4}
        assert answer.headers["ratelimit"] == f'"reads";r=0;t={answer.body["retry_after"]}'
        stream = {"accept": "text/event-stream"}
        for path in ("", "/events", "/legal-moves", "/board.svg", "/matches", "/chat", "/feed"):
            answer = ada.get(f"/v1/rooms/{room}{path}", stream if path == "/feed" else {}, at=1, limit=900)
            assert is_limited(answer, "rate_limited"), path
        for path in ("/v1/rooms", "/v1/players/me", "/v1/games", "/docs", dear):
            assert is_limited(ada.get(path), "rate_limited"), path
        cyd = client.guest("Cyd")
        assert cyd.get("/openapi.json").status == 200
        assert is_limited(cyd.get("/v1/games"), "rate_limited")  # the document counts as five reads
        cyd = client.guest("Cyd")
        assert cyd.get("/v1/games").status == 200
        assert is_limited(cyd.get("/v1/ratings"), "rate_limited")  # counts as eleven reads
        assert ada.send("HEAD", f"/v1/rooms/{room}").status == 429
        page = ada.get(f"/v1/rooms/{room}", {"origin": "https://play.example"})
        assert is_limited(page, "rate_limited")
        assert page.headers["access-control-allow-origin"]
        assert bob.read_room(room).status == 200
        assert ada.command(room, "ready").status == 200
        assert ada.get("/health/ready").status == 200
    with limited(store_and_log, reads="1", reads_address="15") as client:
        ada = client.guest("Ada")
        while ada.get("/v1/games").status == 200:
            pass
        assert "rate_limited" in {ada.get("/v1/games").code for _ in range(60)}
        assert client.anonymous().get("/v1/games").status == 200, (
            "a refused read does not use up the address's allowance"
        )
    with limited(store_and_log, reads_address="1", trusted_proxies="127.0.0.1") as client:
        here = {"x-forwarded-for": "9.9.9.9"}
        assert client.anonymous().get(dear, here, at=1, limit=1000).status == 422
        assert is_limited(client.anonymous().get("/v1/games", here), "rate_limited")
        assert is_limited(client.guest("Ada").get("/v1/rooms", here, limit=1000), "rate_limited")
        assert client.anonymous().get("/v1/games", {"x-forwarded-for": "8.8.8.8"}).status == 200
        with open_shared_socket(client.url, additional_headers=here) as feed:
            assert feed.close_code() == FLOODED


def test_frames_that_read_have_the_limiter_of_reads(store_and_log: tuple[str, Path]) -> None:
    """A subscription and a ping are answered by an error then, and the socket stays."""
    with limited(store_and_log, reads="1") as client:
        ada = client.guest("Ada")
        room = ada.open_room("morris").body["room"]
        with ada.subscribe(room, state=False) as feed:
            feed.until(lambda frame: frame["type"] == "caught_up")
            for _ in range(40):
                feed.send(type="ping")
            for _ in range(3):
                feed.send(type="subscribe", room=room)
            feed.send(type="command", id=1, room=room, command={"type": "ready"})
            frames = feed.until(lambda frame: frame["type"] == "reply")
        codes = [frame["problem"]["code"] for frame in frames if frame["type"] == "error"]
        assert set(codes) == {"rate_limited"}
        assert len(codes) > 20
        assert frames[-1]["result"]


def test_a_flood_of_frames_closes_the_socket(store_and_log: tuple[str, Path]) -> None:
    """It counts frames of every kind, and the close code is its own."""
    with limited(store_and_log, commands="1") as client, open_shared_socket(client.url) as feed:
        with suppress(ConnectionClosed):  # it may come while there is more to send
            for _ in range(60):
                feed.send(type="ping")
        assert feed.close_code() == FLOODED


@reaches(limit_lines="rate_limited")
def test_chat_has_a_limiter(store_and_log: tuple[str, Path]) -> None:
    """In rooms and the lobby together; others can still chat."""
    with limited(store_and_log, lines="6") as client:
        ada, bob = client.guest("Ada"), client.guest("Bob")
        room = ada.open_room("morris").body["room"]
        answers = [ada.post(f"/v1/rooms/{room}/chat", {"text": "hello"}) for _ in range(10)]
        assert {answer.status for answer in answers} == {201}
        assert is_limited(ada.post(f"/v1/rooms/{room}/chat", {"text": "hello"}), "rate_limited")
        assert is_limited(ada.post("/v1/lobby/chat", {"text": "hello"}), "rate_limited")
        assert bob.post("/v1/lobby/chat", {"text": "hello"}).status == 201


@reaches(limit_hints="rate_limited")
def test_hints_have_a_limiter(store_and_log: tuple[str, Path]) -> None:
    """Each player has their own."""
    with limited(store_and_log, hints="3") as client:
        ada, bob = client.guest("Ada"), client.guest("Bob")
        rooms = [player.open_room("morris", seats=["me", {"bot": "easy"}]).body["room"] for player in (ada, bob)]
        assert [ada.get(f"/v1/rooms/{rooms[0]}/hint").status for _ in range(3)] == [200] * 3
        assert is_limited(ada.get(f"/v1/rooms/{rooms[0]}/hint"), "rate_limited")
        assert bob.get(f"/v1/rooms/{rooms[1]}/hint").status == 200


@reaches(limit_tournaments="rate_limited")
def test_tournaments_have_a_limiter(store_and_log: tuple[str, Path]) -> None:
    """Per address, for all players together."""
    with limited(store_and_log, tournaments="1") as client:
        ada, bob = client.guest("Ada"), client.guest("Bob")
        assert ada.post("/v1/tournaments", tournament_request(game="chess")).code == "unfit", "and not counted"
        request, key = tournament_request(), {"idempotency-key": "friday"}
        assert ada.post("/v1/tournaments", request, key).status == 201
        assert ada.post("/v1/tournaments", request, key).status == 201, "a repetition is not counted"
        assert is_limited(bob.post("/v1/tournaments", tournament_request()), "rate_limited")


@reaches(limit_challenges="rate_limited")
def test_challenges_have_a_limiter(store_and_log: tuple[str, Path]) -> None:
    """Also those that make no sense; answers have that of commands."""
    with limited(store_and_log, challenges="2") as client:
        ada, bob = client.guest("Ada"), client.guest("Bob")
        challenge = {"game": "morris", "opponents": [bob.id]}
        assert ada.post("/v1/challenges", {}).code == "unfit"
        made = ada.post("/v1/challenges", challenge).body["id"]
        assert is_limited(ada.post("/v1/challenges", challenge), "rate_limited")
        assert bob.post(f"/v1/challenges/{made}/decline", {}).status == 204
        assert bob.post("/v1/challenges", {**challenge, "opponents": [ada.id]}).status == 201


@reaches(limit_reviews="rate_limited")
def test_reviews_have_a_limiter(store_and_log: tuple[str, Path]) -> None:
    """Each player has their own; those who only read are not counted."""
    with limited(store_and_log, reviews="2") as client:
        ada, bob = client.guest("Ada"), client.guest("Bob")
        opened = ada.open_room("morris", seats=["me", "me"], settings={"hot_seat": True}).body
        assert ada.command(opened["room"], "resign", seat=0).status == 200
        path = f"/v1/matches/{opened['view']['match']['id']}"
        assert [ada.post(f"{path}/review", {}).status for _ in range(2)] == [200] * 2
        assert is_limited(ada.post(f"{path}/review", {}), "rate_limited")
        assert ada.get(f"{path}/analysis").status == 200
        assert bob.post(f"{path}/review", {}).status == 200


@reaches(limit_reports="rate_limited")
def test_reports_have_a_limiter(store_and_log: tuple[str, Path]) -> None:
    """Of each address, so that nobody pushes the reports of others out of the queue by being many guests."""
    with limited(store_and_log, reports="2") as client:
        ada, bob, cyd = (client.guest(name) for name in ("Ada", "Bob", "Cyd"))
        for player in (ada, bob, cyd):
            assert player.open_room("morris").status == 201
        about = [{"player": player.id, "reason": "insults"} for player in (bob, cyd)]
        assert [ada.post("/v1/reports", report).status for report in about] == [204] * 2
        assert is_limited(ada.post("/v1/reports", about[0]), "rate_limited")
        assert is_limited(bob.post("/v1/reports", about[1]), "rate_limited")


@reaches(limit_exports="too_many_exports")
def test_exports_have_a_limiter(client: ApiClient, store_and_log: tuple[str, Path]) -> None:
    """It is free again when an export has ended, also by its client; meanwhile there are pages, and those of others."""
    ada, bob = client.guest("Ada"), client.guest("Bob")
    for _ in range(8):
        play(ada, bob)
    path, lines = f"/v1/players/{ada.id}/matches", {"accept": "application/x-ndjson"}
    with limited(store_and_log, exports="1", reads="10") as slow:
        reader, other = Player(slow, ada.token), Player(slow, bob.token)
        text = {"accept": "text/plain", "authorization": f"Bearer {ada.token}"}
        with slow.http.stream("GET", path, headers=text) as export:
            parts = export.iter_bytes()  # without a name it would end, and the response with it
            assert next(parts).startswith(b"turnstream match 1\n")  # the others follow at ten reads each
            assert is_limited(reader.get(path, lines), "too_many_exports")
            assert (reader.get(path).status, other.get(path, lines).status) == (200, 200)
        while reader.get(path, lines).code == "too_many_exports":
            pass


@reaches(limit_guests="rate_limited")
def test_guests_of_one_address_have_a_limiter(store_and_log: tuple[str, Path]) -> None:
    """It also counts guests who are created together with a room."""
    with limited(store_and_log, guests="3") as client:
        anonymous = client.anonymous()
        assert [anonymous.post("/v1/players", {"nickname": "Ada"}).status for _ in range(2)] == [201] * 2
        assert anonymous.open_room("morris", nickname="Ada").status == 201
        assert is_limited(anonymous.post("/v1/players", {"nickname": "Ada"}), "rate_limited")
        assert is_limited(anonymous.open_room("morris", nickname="Ada"), "rate_limited")


@reaches(limit_openings="rate_limited")
def test_new_rooms_of_one_address_have_a_limiter(store_and_log: tuple[str, Path]) -> None:
    """For all players together; neither a refusal nor a repetition counts, and other addresses have their own."""
    with limited(store_and_log, openings="2", trusted_proxies="127.0.0.1") as client:
        ada, here = client.guest("Ada"), {"x-forwarded-for": "9.9.9.9"}
        morris = {"game": "morris"}
        assert ada.post("/v1/rooms", {"game": "chess"}, here).code == "unfit"
        opened = [ada.post("/v1/rooms", morris, {**here, "idempotency-key": "k"}) for _ in range(2)]
        assert [answer.status for answer in opened] == [201, 201]
        assert opened[0].body["room"] == opened[1].body["room"]
        assert '"openings";q=2;w=60' in opened[0].headers["ratelimit-policy"]
        assert client.anonymous().post("/v1/rooms", {**morris, "nickname": "Bob"}, here).status == 201
        assert is_limited(ada.post("/v1/rooms", morris, here), "rate_limited")
        assert is_limited(ada.post("/v1/seeks", morris, here), "rate_limited")
        assert is_limited(ada.post("/v1/challenges/any.one/accept", {}, here), "rate_limited")
        assert ada.post("/v1/rooms", morris, {"x-forwarded-for": "8.8.8.8"}).status == 201


@reaches(limit_rooms="too_many_rooms")
def test_a_player_is_in_so_many_rooms(store_and_log: tuple[str, Path]) -> None:
    """Opened or joined; leaving one makes room, and repeating an old command is no new room."""
    with limited(store_and_log, rooms="2") as client:
        ada, bob = client.guest("Ada"), client.guest("Bob")
        others = [bob.open_room("morris").body["room"] for _ in range(2)]
        own = ada.open_room("morris").body["room"]
        assert ada.command(others[0], "join", key="k").status == 200
        assert is_limited(ada.open_room("morris"), "too_many_rooms")
        assert is_limited(ada.command(others[1], "join"), "too_many_rooms")
        assert ada.command(others[0], "join", key="k").headers["idempotency-replayed"] == "true"
        ada.command(own, "leave")
        assert ada.command(others[1], "join").status == 200


@reaches(limit_members="room_crowded")
def test_a_room_takes_in_so_many_people(store_and_log: tuple[str, Path]) -> None:
    """Spectators who join included; others may still watch, and a private room reveals nothing."""
    with limited(store_and_log, members="1") as client:
        ada, bob = client.guest("Ada"), client.guest("Bob")
        room = ada.open_room("morris").body["room"]
        assert is_limited(bob.spectate(room), "room_crowded")
        with bob.subscribe(room) as feed:
            feed.until(lambda frame: frame["type"] == "caught_up")
            refused = feed.command(room, {"type": "join"})["problem"]
        assert refused["code"] == "room_crowded"
        private = ada.open_room("morris", settings={"visibility": "private", "password": "sesame"}).body["room"]
        assert bob.command(private, "join").code == "no_such_room"


@reaches(limit_watchers="too_many_watchers")
def test_the_number_of_subscribers_of_a_room_is_limited(store_and_log: tuple[str, Path]) -> None:
    """Sockets and streams are counted together."""
    with limited(store_and_log, watchers="1") as client:
        ada = client.guest("Ada")
        room = ada.open_room("morris").body["room"]
        with ada.subscribe(room) as feed:
            feed.until(lambda frame: frame["type"] == "caught_up")
            with ada.subscribe(room) as other:
                assert other.next("error")["problem"]["code"] == "too_many_watchers"
            stream = ada.get(f"/v1/rooms/{room}/feed", {"accept": "text/event-stream"})
            assert is_limited(stream, "too_many_watchers")
            feed.send(type="subscribe", room=room)
            feed.until(lambda frame: frame["type"] == "caught_up")


@reaches(limit_sockets_address="too_many_sockets")
def test_an_address_has_so_many_sockets(store_and_log: tuple[str, Path]) -> None:
    """Streams included; one that closes makes room."""
    with limited(store_and_log, sockets_address="2") as client:
        ada = client.guest("Ada")
        room = ada.open_room("morris").body["room"]
        with open_room_socket(client.url, room):
            with open_shared_socket(client.url), open_room_socket(client.url, room) as third:
                assert third.close_code() == TOO_MANY_SOCKETS
            with open_room_socket(client.url, room) as feed:
                stream = ada.get(f"/v1/rooms/{room}/feed", {"accept": "text/event-stream"})
                assert is_limited(stream, "too_many_sockets")
                feed.send(type="ping")
                feed.next("pong")


@reaches(limit_sockets_player="too_many_sockets")
def test_the_number_of_sockets_of_a_player_is_limited(store_and_log: tuple[str, Path]) -> None:
    """A socket counts from the moment at which it has a token."""
    with limited(store_and_log, sockets_player="1") as client:
        ada, bob = client.guest("Ada"), client.guest("Bob")
        room = ada.open_room("morris").body["room"]
        with ada.subscribe(room) as feed:
            feed.until(lambda frame: frame["type"] == "caught_up")
            feed.send(type="subscribe", room=room, token=ada.token)
            feed.until(lambda frame: frame["type"] == "caught_up")
            with ada.subscribe(room) as second:
                assert second.close_code() == TOO_MANY_SOCKETS
            stream = ada.get(f"/v1/rooms/{room}/feed", {"accept": "text/event-stream"})
            assert is_limited(stream, "too_many_sockets")
            with bob.subscribe(room) as other:
                other.until(lambda frame: frame["type"] == "caught_up")
