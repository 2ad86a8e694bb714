"""The order of checks of a command: token, key, `If-Match`, rules; and a repeated one gets its first response."""

from collections.abc import Callable

import pytest

from tests.e2e.client import ApiClient, Player, Response
from tests.e2e.seated_rooms import SeatedRoom, seat_players, select

REPLAYED = "idempotency-replayed"


@pytest.fixture
def seated(client: ApiClient) -> SeatedRoom:
    """Return two players of Turncoat, who can go on selecting for ever."""
    return seat_players(client, "turncoat", 2, settings={"restart": 0})


def square(seated: SeatedRoom, number: int = 0) -> dict[str, str]:
    """Return a selection that the layout allows."""
    moves = seated.red.get(f"/v1/rooms/{seated.room}/legal-moves").body["legal_moves"]
    found: dict[str, str] = moves[number]
    return found


def still(answer: Response) -> dict[str, object]:
    """Return an answer without the time at which it was given."""
    return {**answer.body, "view": {**answer.body["view"], "server_time": ""}}


def test_a_repeated_command_gets_its_first_answer(seated: SeatedRoom) -> None:
    """Version, events, and the view as of that version, although the room has changed since."""
    first = seated.red.play(seated.room, square(seated, 3), key="k")
    assert REPLAYED not in first.headers
    seated.yellow.play(seated.room, square(seated, 4))
    seated.red.play(seated.room, square(seated, 5))
    again = seated.red.play(seated.room, square(seated, 3), key="k")
    assert again.headers[REPLAYED] == "true"
    assert still(again) == still(first)
    assert again.etag == first.etag
    assert seated.red.read_room(seated.room).body["version"] == first.body["version"] + 2


def test_the_body_is_the_same_when_it_decodes_to_the_same(seated: SeatedRoom) -> None:
    """Spaces, the order of fields and what has a default don't matter."""
    address = f"/v1/rooms/{seated.room}/commands"
    headers = {"idempotency-key": "k", "content-type": "application/json; charset=utf-8"}
    at = square(seated)["at"]
    plain = f'{{"type":"play","move":{{"type":"select","at":"{at}"}}}}'
    spelled = f'\n{{ "move": {{"at":"{at}", "type":"sel\\u0065ct"}}, "seat": null, "type": "play" }}'
    first, again = (seated.red.send("POST", address, headers, content=text) for text in (plain, spelled))
    assert (first.status, again.status) == (200, 200)
    assert again.headers[REPLAYED] == "true"


def test_a_key_with_another_body_is_refused(seated: SeatedRoom) -> None:
    """The problem is 422 `key_reused`, and nothing is executed."""
    first = seated.red.play(seated.room, square(seated, 0), key="k")
    refused = seated.red.play(seated.room, square(seated, 1), key="k")
    assert (refused.status, refused.code) == (422, "key_reused")
    assert seated.red.read_room(seated.room).etag == first.etag


def test_a_key_belongs_to_one_player_in_one_room(client: ApiClient, seated: SeatedRoom) -> None:
    """Others may use the same key for other commands."""
    other = seat_players(client, "turncoat", 2)
    answers = [
        seated.red.play(seated.room, square(seated, 0), key="k"),
        seated.yellow.play(seated.room, square(seated, 1), key="k"),
        other.red.play(other.room, square(other, 2), key="k"),
    ]
    assert all(answer.status == 200 and REPLAYED not in answer.headers for answer in answers)


def test_refusals_and_dry_runs_are_not_remembered(ada: Player) -> None:
    """The key can still be used for another command."""
    room = ada.open_room("morris", seats=[None, None]).body["room"]
    assert ada.command(room, "ready", key="k").code == "not_seated"
    ada.command(room, "take_seat", seat=0)
    assert ada.command(room, "ready", key="k", if_match=1).status == 412
    assert ada.command(room, "ready", key="k", dry_run=True).status == 200
    accepted = ada.command(room, "ready", key="k")
    assert accepted.status == 200
    assert REPLAYED not in accepted.headers


def test_the_token_is_looked_at_before_the_key(seated: SeatedRoom, anonymous: Player, cyd: Player) -> None:
    """A repetition by somebody else is not a repetition."""
    move = square(seated)
    assert seated.red.play(seated.room, move, key="k").status == 200
    assert anonymous.play(seated.room, move, key="k").status == 401
    assert cyd.play(seated.room, move, key="k").code == "not_a_member"


def test_the_key_is_looked_at_before_if_match(seated: SeatedRoom) -> None:
    """A repetition is answered even when its tag is stale by now; a reused key is refused as such."""
    tag = seated.red.read_room(seated.room).etag
    first = seated.red.play(seated.room, square(seated, 0), key="k", if_match=tag)
    assert first.status == 200
    again = seated.red.play(seated.room, square(seated, 0), key="k", if_match=tag)
    assert (again.status, again.headers[REPLAYED]) == (200, "true")
    assert seated.red.play(seated.room, square(seated, 1), key="k", if_match=tag).code == "key_reused"


def test_if_match_is_looked_at_before_the_rules(seated: SeatedRoom) -> None:
    """A stale tag is 412 even for an illegal move; with a fresh one the rules decide."""
    stale, tag = '"nowhere.1"', seated.red.read_room(seated.room).etag
    illegal = {"type": "commit"}
    assert seated.red.play(seated.room, illegal, if_match=stale).code == "version_mismatch"
    assert seated.red.play(seated.room, illegal, if_match=tag).code == "nothing_selected"


@pytest.mark.parametrize(
    ("form", "status"),
    [
        (lambda epoch, version: f'"{epoch}.{version}"', 200),
        (lambda _epoch, version: f"{version}", 200),
        (lambda _epoch, version: f'"{version}"', 200),
        (lambda _epoch, _version: "*", 200),
        (lambda epoch, version: f'"{epoch}.{version - 1}"', 412),
        (lambda epoch, version: f'"{epoch}.{version + 1}"', 412),
        (lambda _epoch, version: f"{version - 1}", 412),
        (lambda _epoch, version: f'"aaaaaaaa.{version}"', 412),
        (lambda _epoch, _version: '"nonsense"', 412),
        (lambda _epoch, _version: "99999999999999999999999", 412),
        (lambda _epoch, _version: "-1", 412),
    ],
)
def test_if_match_takes_the_etag_or_the_bare_version(
    seated: SeatedRoom, form: Callable[[str, int], str], status: int
) -> None:
    """A response with 412 has the room's version."""
    view = seated.red.read_room(seated.room).body
    answer = seated.red.play(seated.room, square(seated), if_match=form(view["epoch"], view["version"]))
    assert answer.status == status
    if status == 412:
        assert (answer.code, answer.body["version"]) == ("version_mismatch", view["version"])


def test_the_last_256_keys_are_kept_through_the_start_of_a_match(seated: SeatedRoom) -> None:
    """The oldest of these keys was used in the match before."""
    moves = [square(seated, number) for number in range(32)]
    first = seated.red.play(seated.room, moves[0], key="oldest")
    with seated.red.subscribe(seated.room, state=False) as feed:
        for number in range(1, 254):
            assert "result" in feed.command(seated.room, {"type": "play", "move": moves[number % 32]}, key=str(number))
        feed.command(seated.room, {"type": "request_new"}, key="new")
    assert seated.yellow.command(seated.room, "request_new").body["view"]["match"]["number"] == 2
    assert seated.red.play(seated.room, square(seated), key="newest").status == 200
    again = seated.red.play(seated.room, moves[0], key="oldest")
    assert still(again) == still(first)
    assert again.body["view"]["match"]["number"] == 1


def test_a_repetition_finds_its_answer_though_the_room_is_closed_or_left(ada: Player, bob: Player) -> None:
    """So does a repetition of the command that closed or left it."""
    room = ada.open_room("morris").body["room"]
    bob.command(room, "join", key="join")
    left = bob.command(room, "leave", key="leave")
    assert still(bob.command(room, "leave", key="leave")) == still(left)
    assert bob.command(room, "join", key="join").headers[REPLAYED] == "true"
    closed = ada.command(room, "close", key="close")
    again = ada.command(room, "close", key="close")
    assert still(again) == still(closed)


def test_a_repeated_close_does_not_close_the_next_room_of_the_name(ada: Player) -> None:
    """This is so however late the repetition arrives."""
    room = ada.open_room("morris").body["room"]
    ada.command(room, "close", key="close")
    ada.open_room("morris", name=room)
    assert ada.command(room, "close", key="close").headers[REPLAYED] == "true"
    assert ada.read_room(room).status == 200


@pytest.mark.parametrize("key", ["", "x" * 129])
def test_a_key_has_1_to_128_characters(seated: SeatedRoom, key: str) -> None:
    """Any other key is answered with 422."""
    assert seated.red.play(seated.room, square(seated), key=key).status == 422
    assert seated.red.play(seated.room, square(seated), key="x" * 128).status == 200


def test_a_dry_run_returns_the_result_and_changes_nothing(seated: SeatedRoom) -> None:
    """Accepted or refused like the command itself; own secrets are shown to their owner."""
    before = seated.red.read_room(seated.room)
    foretold = seated.red.play(seated.room, square(seated), dry_run=True)
    assert (foretold.status, foretold.etag) == (200, before.etag)
    [event] = foretold.body["events"]
    assert (event["type"], event["at"], event["version"]) == (
        "selected",
        square(seated)["at"],
        before.body["version"] + 1,
    )
    assert foretold.body["version"] == before.body["version"]
    assert seated.red.play(seated.room, {"type": "commit"}, dry_run=True).code == "nothing_selected"
    assert seated.red.play(seated.room, square(seated), dry_run=True, if_match=1).status == 412
    assert seated.red.play(seated.room, select(0) | {"at": "z9"}, dry_run=True).status == 422
    assert seated.red.read_room(seated.room).etag == before.etag
    assert seated.red.get(f"/v1/rooms/{seated.room}/events").body["version"] == before.body["version"]


def test_a_dry_run_stops_before_a_reveal(seated: SeatedRoom) -> None:
    """What the opponent selected would be seen by the second commit; so it ends with `unknown`."""
    seated.yellow.play(seated.room, square(seated, 9))
    seated.yellow.play(seated.room, {"type": "commit"})
    seated.red.play(seated.room, square(seated, 8))
    foretold = seated.red.play(seated.room, {"type": "commit"}, dry_run=True)
    assert [event["type"] for event in foretold.body["events"]] == ["committed", "unknown"]
    assert foretold.body["events"][1] == {"type": "unknown"}
    assert foretold.body["view"]["match"]["state"]["round"] == 1


@pytest.mark.parametrize("kind", ["resign", "close"])
def test_a_dry_run_never_shows_a_seed(seated: SeatedRoom, kind: str) -> None:
    """Neither that of a match that would end, nor of one that would begin."""
    foretold = seated.red.command(seated.room, kind, dry_run=True)
    assert foretold.status == 200
    assert foretold.body["events"][-1] == {"type": "unknown"}
    seed = seated.red.command(seated.room, kind).body["events"]
    [ended] = [event for event in seed if event["type"] == "match_ended"]
    assert b'"seed":' not in foretold.content
    assert ended["seed"].encode() not in foretold.content


def test_a_dry_run_stops_before_a_draw_of_chance(ada: Player) -> None:
    """The layout is not drawn before the match, nor the die rolled before the turn."""
    seats, hot = ["me", "me"], {"hot_seat": True, "restart": None}
    room = ada.open_room("rainbow", seats=seats, settings=hot, options={"dice": True}).body["room"]
    move = ada.read_room(room).body["match"]["legal_moves"][0]
    foretold = ada.play(room, move, dry_run=True).body["events"]
    assert [event["type"] for event in foretold] == ["placed", "unknown"]
    assert "rolled" in [event["type"] for event in ada.play(room, move).body["events"]]
    ada.command(room, "resign")
    foretold = ada.command(room, "ready", dry_run=True).body["events"]
    assert [event["type"] for event in foretold] == ["player_readied", "unknown"]


def test_dry_run_is_true_or_false(seated: SeatedRoom) -> None:
    """Anything else is 422 and nothing happens; `false` is a real run."""
    address = f"/v1/rooms/{seated.room}/commands"
    body = {"type": "play", "move": square(seated)}
    assert seated.red.post(address, body, dry_run="maybe").status == 422
    before = seated.red.read_room(seated.room).body["version"]
    assert seated.red.post(address, body, dry_run="false").body["version"] == before + 1


@pytest.mark.parametrize("query", [{}, {"dry_run": "false"}])
@pytest.mark.parametrize("preference", ["return=minimal", "wait=5, Return = Minimal; q=1"])
def test_the_view_is_left_out_on_request(seated: SeatedRoom, preference: str, query: dict[str, str]) -> None:
    """`Prefer: return=minimal` (RFC 7240), on the short way of a plain command and on the long one."""
    path, command = f"/v1/rooms/{seated.room}/commands", {"type": "play", "move": square(seated)}
    answer = seated.red.post(path, command, {"prefer": preference}, **query)
    assert set(answer.body) == {"version", "events"}
    assert answer.headers["preference-applied"] == "return=minimal"


def test_another_preference_changes_nothing(seated: SeatedRoom) -> None:
    """What is not supported is ignored, and nothing is said to be applied."""
    path, command = f"/v1/rooms/{seated.room}/commands", {"type": "play", "move": square(seated)}
    answer = seated.red.post(path, command, {"prefer": "return=representation, x-return=minimal"})
    assert answer.body["view"]["version"] == answer.body["version"]
    assert "preference-applied" not in answer.headers


@pytest.mark.parametrize("path", ["/v1/rooms/{room}/chat", "/v1/lobby/chat"])
def test_a_repeated_line_of_chat_is_said_once(ada: Player, bob: Player, path: str) -> None:
    """The answer is the same line; another body under its key is refused, and another player's key is another one."""
    room = ada.open_room("ternio").body["room"]
    bob.command(room, "join")
    address, key = path.format(room=room), {"idempotency-key": f"line-{room}"}
    first, again = (ada.post(address, {"text": "hello"}, key) for _ in range(2))
    assert (first.status, again.status) == (201, 201)
    assert again.body == first.body
    assert "idempotency-replayed" not in first.headers
    assert again.headers["idempotency-replayed"] == "true"
    other = ada.post(address, {"text": "goodbye"}, key)
    assert (other.status, other.code) == (422, "key_reused")
    assert bob.post(address, {"text": "hello"}, key).body["id"] != first.body["id"]
    lines = ada.get(address).body["lines"]
    assert [line["text"] for line in lines if line["player"]["id"] == ada.id].count("hello") == 1 or "lobby" in path


def test_a_repeated_ready_in_chat_is_one_command(ada: Player) -> None:
    """The key of the chat line is also that of the command."""
    room = ada.open_room("ternio").body["room"]
    key = {"idempotency-key": "ready-1"}
    first = ada.post(f"/v1/rooms/{room}/chat", {"text": "/ready"}, key)
    version = ada.read_room(room).body["version"]
    assert ada.post(f"/v1/rooms/{room}/chat", {"text": "/ready"}, key).body == first.body
    assert ada.read_room(room).body["version"] == version


@pytest.mark.parametrize(
    ("path", "body"),
    [("/v1/players", {"nickname": "Ada"}), ("/v1/rooms", {"game": "ternio", "nickname": "Ada"})],
)
def test_a_key_is_refused_where_the_answer_has_a_token(anonymous: Player, path: str, body: dict[str, str]) -> None:
    """Another client that repeated the request would get it."""
    refused = anonymous.post(path, body, {"idempotency-key": "guest-1"})
    assert (refused.status, refused.code) == (422, "key_not_supported")
    assert anonymous.post(path, body).status == 201
