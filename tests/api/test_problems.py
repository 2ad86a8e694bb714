"""Refusals: always a problem with a stable code, never a 500 for anything a client can send."""

import pytest

from tests.e2e.client import ApiClient, Player, Response
from tests.e2e.seated_rooms import SeatedRoom, seat_players

JSON = {"content-type": "application/json"}


@pytest.fixture
def seated(client: ApiClient) -> SeatedRoom:
    """Return two players of Nine Men's Morris."""
    return seat_players(client, "morris", 2)


def check_problem(answer: Response, status: int, code: str) -> None:
    """Check a problem: RFC 9457 with a stable code, a title and a detail."""
    assert (answer.status, answer.code) == (status, code)
    assert answer.headers["content-type"] == "application/problem+json"
    assert {"type", "title", "status", "code", "detail"} <= set(answer.body)
    assert answer.body["status"] == status
    assert answer.body["detail"]


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"nonsense",
        b'{"type": "ready"} x',
        b'{"type": "ready", "salt": "\xff"}',
        b"\xff\xfe{\x00}\x00",
        b"\xef\xbb\xbf{",
        b'{"type": "ready", "salt": "\\ud800"}',
        b'{"type": "play", "move": ' + b"[" * 20_000 + b"]" * 20_000 + b"}",
        b'{"type": "play", "move": ' + b'{"":' * 12_000 + b"1" + b"}" * 12_000 + b"}",
        b'{"type": "play", "move": {"at": 1e999}}',
        b'{"type": "ready", "salt": NaN}',
        b'{"type": "ready", "type": "ready"}',
        b'{"type": "play", "move": {"type": "place", "at": "a1", "\\u0061t": "a4"}}',
        b'{"type": "fly", "far": 1, "far": 1}',
        b'{"type": "take_seat", "seat": 9007199254740992}',
        b'{"type": "take_seat", "seat": -9007199254740992}',
        b'{"type": "play", "move": {"type": "place", "at": 1e16}}',
        b'{"type": "play", "move": {"at":\n-1.0E99}}',
        b'{"type": "play", "move": {"at": [0,-9007199254740993]}}',
        b'{"type": "play", "move": {"at": [9007199254740993.0]}}',
        b'{"type": "answer", "accept": true, "offer": ' + b"9" * 5_000 + b"}",
    ],
)
def test_invalid_or_ambiguous_json_and_large_numbers_are_400(seated: SeatedRoom, content: bytes) -> None:
    """`malformed`, whatever command it would have been; how deep is too deep depends on Python."""
    answer = seated.red.send("POST", f"/v1/rooms/{seated.room}/commands", JSON, content=content)
    check_problem(answer, 400, "malformed")


@pytest.mark.parametrize(
    ("content", "detail"),
    [
        (b'{"type": "take_seat", "seat": 1e400}', "Number out of range"),
        (b"[" * 10_000, "JSON is nested too deeply"),
    ],
)
def test_malformed_json_is_described_in_words(seated: SeatedRoom, content: bytes, detail: str) -> None:
    """Without the decoder's own notation."""
    answer = seated.red.send("POST", f"/v1/rooms/{seated.room}/commands", JSON, content=content)
    assert answer.body["detail"] == detail


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({}, None),
        ([], None),
        ("ready", None),
        (True, None),
        ({"type": "fly"}, "/type"),
        ({"type": 1}, "/type"),
        ({"type": "ready", "salty": "x"}, "/salty"),
        ({"type": "ready", "salt": "x" * 129}, "/salt"),
        ({"type": "take_seat"}, None),
        ({"type": "take_seat", "seat": "0"}, "/seat"),
        ({"type": "take_seat", "seat": -1}, "/seat"),
        ({"type": "take_seat", "seat": 1.5}, "/seat"),
        ({"type": "assign_seats", "seats": [1]}, "/seats/0"),
        ({"type": "play", "move": "a1"}, "/move"),
        ({"type": "play", "move": {}}, "/move"),
        ({"type": "play", "move": {"type": "jump"}}, "/move/type"),
        ({"type": "play", "move": {"type": "place", "at": "z9"}}, "/move/at"),
        ({"type": "play", "move": {"type": "place", "at": "a1\n"}}, "/move/at"),
        ({"type": "play", "move": {"type": "place", "at": "a1", "extra": 1}}, "/move/extra"),
        ({"type": "proceed"}, "/type"),
    ],
)
def test_json_that_does_not_fit_is_422_and_says_where(seated: SeatedRoom, body: object, pointer: str | None) -> None:
    """The pointer names what doesn't fit; without one it is the whole body."""
    answer = seated.red.post(f"/v1/rooms/{seated.room}/commands", body)
    check_problem(answer, 422, "unfit")
    assert answer.body.get("pointer", "") == (pointer or "")


@pytest.mark.parametrize("offer", [2**53 - 1, 10**15])
def test_the_largest_integer_of_json_is_read(seated: SeatedRoom, offer: int) -> None:
    """So is text that looks like two equal names or a large number."""
    check_problem(seated.red.command(seated.room, "answer", offer=offer, accept=True), 409, "no_such_offer")
    salt = '"a":1,"a":' + "9" * 20 + "e99"
    assert seated.red.command(seated.room, "ready", salt=salt).code == "salt_too_early"


@pytest.mark.parametrize(
    ("path", "parameter"),
    [
        ("/v1/games?page=2", "page"),
        ("/v1/rooms?limit=2&limit=3", "limit"),
        ("/v1/rooms?game=chess", "game"),
        ("/v1/rooms?cursor=x", "cursor"),
        ("/v1/rooms/{room}?version=3", "version"),
        ("/v1/rooms/{room}?at=x", "at"),
        ("/v1/rooms/{room}/events?since=9007199254740992", "since"),
    ],
)
def test_an_invalid_or_unknown_parameter_is_422(seated: SeatedRoom, path: str, parameter: str) -> None:
    """It is named as a parameter, for it has no place in a body."""
    answer = seated.red.get(path.format(room=seated.room))
    check_problem(answer, 422, "unfit")
    assert (answer.body["parameter"], "pointer" in answer.body) == (parameter, False)


def test_a_command_with_an_unknown_parameter_is_not_executed(seated: SeatedRoom) -> None:
    """Nor is one with a misspelt `dry_run`."""
    answer = seated.red.post(f"/v1/rooms/{seated.room}/commands?dryrun=true", {"type": "resign"})
    check_problem(answer, 422, "unfit")
    assert seated.red.read_room(seated.room).body["status"] == "playing"


def test_a_page_may_be_opened_with_any_parameter(anonymous: Player) -> None:
    """Links to pages often have parameters that the service does not know."""
    assert anonymous.get("/?from=elsewhere").status == 200


@pytest.mark.parametrize(
    ("body", "detail"),
    [
        ([], "Expected `object`, got `array`"),
        ({"type": 1}, "Expected `str`, got `int`"),
        ({"type": None}, "Expected `str`, got `null`"),
        ({"type": "take_seat", "seat": "0"}, "Expected `int`, got `str`"),
        ({"type": "play", "move": {"type": 5, "at": "a1"}}, "Expected `str`, got `int`"),
        ({"type": "play", "move": {"type": "place", "at": 5}}, "Expected `str`, got `int`"),
    ],
)
def test_a_value_of_another_type_is_named_with_its_type(seated: SeatedRoom, body: object, detail: str) -> None:
    """The problem names the expected type and the type that was sent."""
    answer = seated.red.post(f"/v1/rooms/{seated.room}/commands", body)
    check_problem(answer, 422, "unfit")
    assert answer.body["detail"] == detail


def test_a_refused_move_has_version_and_legal_moves(seated: SeatedRoom) -> None:
    """Of the caller's seat, so that a client needs no further request."""
    assert seated.red.play(seated.room, {"type": "place", "at": "a1"}).status == 200
    again = seated.red.play(seated.room, {"type": "place", "at": "a4"})
    check_problem(again, 409, "not_your_turn")
    assert (again.body["version"], again.body["legal_moves"]) == (seated.red.read_room(seated.room).body["version"], [])
    occupied = seated.yellow.play(seated.room, {"type": "place", "at": "a1"})
    assert occupied.status == 409
    assert occupied.body["legal_moves"] == seated.yellow.read_room(seated.room).body["match"]["legal_moves"]
    assert len(occupied.body["legal_moves"]) == 23


def test_a_command_without_a_valid_token_is_rejected(seated: SeatedRoom, anonymous: Player) -> None:
    """The response is 401 and says how to authenticate."""
    refused = anonymous.command(seated.room, "ready")
    check_problem(refused, 401, "unauthenticated")
    assert refused.headers["www-authenticate"] == "Bearer"


@pytest.mark.parametrize(
    ("path", "code"),
    [
        ("/v1/rooms/no-such-room-here", "no_such_room"),
        ("/v1/rooms/x", "no_such_room"),
        ("/v1/rooms/%ff%fe", "no_such_room"),
        ("/v1/rooms/%00", "no_such_room"),
        ("/v1/rooms/a%2fb", ""),
        ("/v1/rooms/no-such-room-here/events", "no_such_room"),
        ("/v1/rooms/no-such-room-here/legal-moves", "no_such_room"),
        ("/v1/rooms/no-such-room-here/matches", "no_such_room"),
        ("/v1/rooms/no-such-room-here/board.svg", "no_such_room"),
        ("/v1/games/chess", "no_such_game"),
        ("/v1/matches/x.y.1", "no_such_match"),
        ("/v1/nothing", "not_found"),
        ("/v2/rooms", "not_found"),
    ],
)
def test_an_unknown_path_is_404(anonymous: Player, path: str, code: str) -> None:
    """The code of the problem says what was not found."""
    answer = anonymous.get(path)
    check_problem(answer, 404, code or answer.code)


@pytest.mark.parametrize(
    ("method", "path", "allowed"),
    [("DELETE", "/v1/rooms", "POST"), ("PUT", "/v1/rooms/abc", "GET"), ("GET", "/v1/players", "POST")],
)
def test_a_method_that_an_address_does_not_know_is_405(anonymous: Player, method: str, path: str, allowed: str) -> None:
    """With the methods that it does know."""
    answer = anonymous.send(method, path)
    check_problem(answer, 405, "method_not_allowed")
    assert allowed in answer.headers["allow"]


@pytest.mark.parametrize("path", ["/v1/rooms", "/v1/games", "/v1/games/morris", "/v1/codes", "/v1/rooms/{room}"])
def test_an_unavailable_media_type_is_406(seated: SeatedRoom, path: str) -> None:
    """This applies if `Accept` allows only that media type."""
    answer = seated.red.get(path.replace("{room}", seated.room), {"accept": "image/png"})
    check_problem(answer, 406, "not_acceptable")
    assert seated.red.get(path.replace("{room}", seated.room), {"accept": "text/html, */*;q=0.1"}).status == 200


def test_a_body_that_is_too_large_is_413(seated: SeatedRoom) -> None:
    """Whether it says its length or not."""
    address, large = f"/v1/rooms/{seated.room}/commands", b'{"type": "ready", "salt": "' + b"x" * 70_000 + b'"}'
    check_problem(seated.red.send("POST", address, JSON, content=large), 413, "body_too_large")
    check_problem(
        seated.red.send("POST", address, JSON, content=iter([large[:40_000], large[40_000:]])), 413, "body_too_large"
    )


@pytest.mark.parametrize("content_type", ["text/plain", "application/x-www-form-urlencoded", "application/xml", "json"])
def test_a_body_that_is_not_called_json_is_415(seated: SeatedRoom, content_type: str) -> None:
    """A body that is valid JSON is rejected as well."""
    headers = {"content-type": content_type}
    answer = seated.red.send("POST", f"/v1/rooms/{seated.room}/commands", headers, content=b'{"type": "ready"}')
    check_problem(answer, 415, "unsupported_media_type")


def test_every_refusal_code_has_a_meaning(anonymous: Player) -> None:
    """`GET /v1/codes` lists them with their status."""
    codes = {entry["code"]: entry for entry in anonymous.get("/v1/codes").body["codes"]}
    assert codes["captures_nothing"]["status"] == codes["name_taken"]["status"] == 409
    assert all(entry["meaning"] for entry in codes.values())


def test_the_catalogue_has_all_that_a_client_needs(anonymous: Player) -> None:
    """Five games; each page with rules, seats, schemas and geometry."""
    games = anonymous.get("/v1/games").body["games"]
    assert {game["slug"] for game in games} >= {"morris", "rainbow", "ternio", "triboard", "turncoat"}
    for game in games:
        page = anonymous.get(f"/v1/games/{game['slug']}").body
        assert page["rules_version"] == game["rules_version"]
        assert page["geometry"]["cells"]
        assert page["options"]
        assert page["moves"]
    rainbow = anonymous.get("/v1/games/rainbow").body
    assert [len(count["seats"]) for count in rainbow["seats"]] == [2, 3]
    forms = {str(form["options"].get("grid")): form["geometry"] for form in rainbow["geometries"]}
    assert {grid: form["kind"] for grid, form in forms.items()} == {"None": "grid", "hex": "hexagons"}
    assert forms["None"] == rainbow["geometry"]
    assert [len(form["lines"]) for form in forms.values()] == [36, 29]


def test_an_origin_learns_what_it_may_read(anonymous: Player) -> None:
    """Any origin by default, with the headers that clients rely on, and never with credentials."""
    answer = anonymous.get("/v1/games", {"origin": "https://example.org"})
    assert answer.headers["access-control-allow-origin"] == "*"
    exposed = {name.strip().lower() for name in answer.headers["access-control-expose-headers"].split(",")}
    assert exposed == {
        "etag",
        "link",
        "location",
        "retry-after",
        "ratelimit",
        "ratelimit-policy",
        "idempotency-replayed",
        "preference-applied",
        "x-request-id",
    }
    assert "access-control-allow-credentials" not in answer.headers
    headers = {
        "origin": "https://example.org",
        "access-control-request-method": "POST",
        "access-control-request-headers": "authorization,idempotency-key,if-match,content-type",
    }
    allowed = anonymous.send("OPTIONS", "/v1/rooms", headers)
    assert allowed.status == 204
    assert "POST" in allowed.headers["access-control-allow-methods"]
