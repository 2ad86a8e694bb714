"""Commands in order: token, key, `If-Match`, rules; and a repeated one gets its first answer."""

from collections.abc import Callable

import pytest

from tests.e2e.client import Answer, Door, Player
from tests.e2e.tables import Table, seated, select

REPLAYED = "idempotency-replayed"


@pytest.fixture
def table(door: Door) -> Table:
    """Return two players of Turncoat, who can go on selecting for ever."""
    return seated(door, "turncoat", 2, settings={"restart": 0})


def square(table: Table, number: int = 0) -> dict[str, str]:
    """Return a selection that the layout allows."""
    moves = table.red.gets(f"/v1/rooms/{table.room}/legal-moves").body["legal_moves"]
    found: dict[str, str] = moves[number]
    return found


def still(answer: Answer) -> dict[str, object]:
    """Return an answer without the time at which it was given."""
    return {**answer.body, "view": {**answer.body["view"], "server_time": ""}}


def test_a_repeated_command_gets_its_first_answer(table: Table) -> None:
    """Version, events, and the view as of that version, though the room has gone on since."""
    first = table.red.plays(table.room, square(table, 3), key="k")
    assert REPLAYED not in first.headers
    table.yellow.plays(table.room, square(table, 4))
    table.red.plays(table.room, square(table, 5))
    again = table.red.plays(table.room, square(table, 3), key="k")
    assert again.headers[REPLAYED] == "true"
    assert still(again) == still(first)
    assert again.etag == first.etag
    assert table.red.sees(table.room).body["version"] == first.body["version"] + 2


def test_the_body_is_the_same_when_it_decodes_to_the_same(table: Table) -> None:
    """Spaces, the order of fields and what has a default don't matter."""
    address = f"/v1/rooms/{table.room}/commands"
    headers = {"idempotency-key": "k", "content-type": "application/json; charset=utf-8"}
    at = square(table)["at"]
    plain = f'{{"type":"play","move":{{"type":"select","at":"{at}"}}}}'
    spelled = f'\n{{ "move": {{"at":"{at}", "type":"sel\\u0065ct"}}, "seat": null, "type": "play" }}'
    first, again = (table.red.sends("POST", address, headers, content=text) for text in (plain, spelled))
    assert (first.status, again.status) == (200, 200)
    assert again.headers[REPLAYED] == "true"


def test_a_key_with_another_body_is_refused(table: Table) -> None:
    """422 `key_reused`, and nothing happens."""
    first = table.red.plays(table.room, square(table, 0), key="k")
    refused = table.red.plays(table.room, square(table, 1), key="k")
    assert (refused.status, refused.code) == (422, "key_reused")
    assert table.red.sees(table.room).etag == first.etag


def test_a_key_belongs_to_one_player_in_one_room(door: Door, table: Table) -> None:
    """Others may use the same one for whatever they want."""
    other = seated(door, "turncoat", 2)
    answers = [
        table.red.plays(table.room, square(table, 0), key="k"),
        table.yellow.plays(table.room, square(table, 1), key="k"),
        other.red.plays(other.room, square(other, 2), key="k"),
    ]
    assert all(answer.status == 200 and REPLAYED not in answer.headers for answer in answers)


def test_refusals_and_dry_runs_are_not_remembered(ada: Player) -> None:
    """The key is still new afterwards."""
    room = ada.opens("morris", seats=[None, None]).body["room"]
    assert ada.asks(room, "ready", key="k").code == "not_seated"
    ada.asks(room, "take_seat", seat=0)
    assert ada.asks(room, "ready", key="k", if_match=1).status == 412
    assert ada.asks(room, "ready", key="k", dry_run=True).status == 200
    accepted = ada.asks(room, "ready", key="k")
    assert accepted.status == 200
    assert REPLAYED not in accepted.headers


def test_the_token_is_looked_at_before_the_key(table: Table, stranger: Player, cyd: Player) -> None:
    """A repetition by somebody else is not a repetition."""
    move = square(table)
    assert table.red.plays(table.room, move, key="k").status == 200
    assert stranger.plays(table.room, move, key="k").status == 401
    assert cyd.plays(table.room, move, key="k").code == "not_a_member"


def test_the_key_is_looked_at_before_if_match(table: Table) -> None:
    """A repetition is answered even when its tag is stale by now; a reused key is refused as such."""
    tag = table.red.sees(table.room).etag
    first = table.red.plays(table.room, square(table, 0), key="k", if_match=tag)
    assert first.status == 200
    again = table.red.plays(table.room, square(table, 0), key="k", if_match=tag)
    assert (again.status, again.headers[REPLAYED]) == (200, "true")
    assert table.red.plays(table.room, square(table, 1), key="k", if_match=tag).code == "key_reused"


def test_if_match_is_looked_at_before_the_rules(table: Table) -> None:
    """A stale tag is 412 though the move would be illegal; a fresh one lets the rules speak."""
    stale, tag = '"nowhere.1"', table.red.sees(table.room).etag
    illegal = {"type": "commit"}
    assert table.red.plays(table.room, illegal, if_match=stale).code == "version_mismatch"
    assert table.red.plays(table.room, illegal, if_match=tag).code == "nothing_selected"


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
    table: Table, form: Callable[[str, int], str], status: int
) -> None:
    """412 tells the version at which the room is."""
    view = table.red.sees(table.room).body
    answer = table.red.plays(table.room, square(table), if_match=form(view["epoch"], view["version"]))
    assert answer.status == status
    if status == 412:
        assert (answer.code, answer.body["version"]) == ("version_mismatch", view["version"])


def test_the_last_256_keys_are_kept_through_the_start_of_a_match(table: Table) -> None:
    """The oldest of them was given in another match."""
    moves = [square(table, number) for number in range(32)]
    first = table.red.plays(table.room, moves[0], key="oldest")
    with table.red.follows(table.room, state=False) as feed:
        for number in range(1, 254):
            assert "result" in feed.commands(table.room, {"type": "play", "move": moves[number % 32]}, key=str(number))
        feed.commands(table.room, {"type": "resign"}, key="resign")
    assert table.red.sees(table.room).body["match"]["number"] == 2
    assert table.red.plays(table.room, square(table), key="newest").status == 200
    again = table.red.plays(table.room, moves[0], key="oldest")
    assert still(again) == still(first)
    assert again.body["view"]["match"]["number"] == 1


def test_a_repetition_finds_its_answer_though_the_room_is_closed_or_left(ada: Player, bob: Player) -> None:
    """As does the command that did it."""
    room = ada.opens("morris").body["room"]
    bob.asks(room, "join", key="join")
    left = bob.asks(room, "leave", key="leave")
    assert still(bob.asks(room, "leave", key="leave")) == still(left)
    assert bob.asks(room, "join", key="join").headers[REPLAYED] == "true"
    closed = ada.asks(room, "close", key="close")
    again = ada.asks(room, "close", key="close")
    assert still(again) == still(closed)


def test_a_repeated_close_does_not_close_the_next_room_of_the_name(ada: Player) -> None:
    """However late the repetition comes."""
    room = ada.opens("morris").body["room"]
    ada.asks(room, "close", key="close")
    ada.opens("morris", name=room)
    assert ada.asks(room, "close", key="close").headers[REPLAYED] == "true"
    assert ada.sees(room).status == 200


@pytest.mark.parametrize("key", ["", "x" * 129])
def test_a_key_has_1_to_128_characters(table: Table, key: str) -> None:
    """Anything else is 422."""
    assert table.red.plays(table.room, square(table), key=key).status == 422
    assert table.red.plays(table.room, square(table), key="x" * 128).status == 200


def test_a_dry_run_tells_what_would_happen_and_changes_nothing(table: Table) -> None:
    """Accepted or refused like the command itself; own secrets are shown to their owner."""
    before = table.red.sees(table.room)
    foretold = table.red.plays(table.room, square(table), dry_run=True)
    assert (foretold.status, foretold.etag) == (200, before.etag)
    [event] = foretold.body["events"]
    assert (event["type"], event["at"], event["version"]) == (
        "selected",
        square(table)["at"],
        before.body["version"] + 1,
    )
    assert foretold.body["version"] == before.body["version"]
    assert table.red.plays(table.room, {"type": "commit"}, dry_run=True).code == "nothing_selected"
    assert table.red.plays(table.room, square(table), dry_run=True, if_match=1).status == 412
    assert table.red.plays(table.room, select(0) | {"at": "z9"}, dry_run=True).status == 422
    assert table.red.sees(table.room).etag == before.etag
    assert table.red.gets(f"/v1/rooms/{table.room}/events").body["version"] == before.body["version"]


def test_a_dry_run_stops_before_a_reveal(table: Table) -> None:
    """What the opponent selected would be seen by the second commit; so it ends with `unknown`."""
    table.yellow.plays(table.room, square(table, 9))
    table.yellow.plays(table.room, {"type": "commit"})
    table.red.plays(table.room, square(table, 8))
    foretold = table.red.plays(table.room, {"type": "commit"}, dry_run=True)
    assert [event["type"] for event in foretold.body["events"]] == ["committed", "unknown"]
    assert foretold.body["events"][1] == {"type": "unknown"}
    assert foretold.body["view"]["match"]["state"]["round"] == 1


@pytest.mark.parametrize("kind", ["resign", "close"])
def test_a_dry_run_never_shows_a_seed(table: Table, kind: str) -> None:
    """Neither that of a match that would end, nor of one that would begin."""
    foretold = table.red.asks(table.room, kind, dry_run=True)
    assert foretold.status == 200
    assert foretold.body["events"][-1] == {"type": "unknown"}
    seed = table.red.asks(table.room, kind).body["events"]
    [ended] = [event for event in seed if event["type"] == "match_ended"]
    assert b'"seed":' not in foretold.content
    assert ended["seed"].encode() not in foretold.content


def test_a_dry_run_stops_before_a_draw_of_chance(ada: Player) -> None:
    """The layout is not drawn before the match, nor the die rolled before the turn."""
    seats, hot = ["me", "me"], {"hot_seat": True, "restart": None}
    room = ada.opens("rainbow", seats=seats, settings=hot, options={"dice": True}).body["room"]
    move = ada.sees(room).body["match"]["legal_moves"][0]
    foretold = ada.plays(room, move, dry_run=True).body["events"]
    assert [event["type"] for event in foretold] == ["placed", "unknown"]
    assert "rolled" in [event["type"] for event in ada.plays(room, move).body["events"]]
    ada.asks(room, "resign")
    foretold = ada.asks(room, "ready", dry_run=True).body["events"]
    assert [event["type"] for event in foretold] == ["player_readied", "unknown"]


def test_dry_run_is_true_or_false(table: Table) -> None:
    """Anything else is 422 and nothing happens; `false` is a real run."""
    address = f"/v1/rooms/{table.room}/commands"
    body = {"type": "play", "move": square(table)}
    assert table.red.posts(address, body, dry_run="maybe").status == 422
    before = table.red.sees(table.room).body["version"]
    assert table.red.posts(address, body, dry_run="false").body["version"] == before + 1
