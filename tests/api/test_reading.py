"""Looking: now, back to any version, at legal moves, at the history, at matches."""

import json

import pytest

from tests.e2e.client import Answer, Door, Json, Player, told, without_moment
from tests.e2e.tables import Table, seated

Memory = dict[tuple[str, int], Json]


@pytest.fixture
def table(door: Door) -> Table:
    """Return two players of Turncoat."""
    return seated(door, "turncoat", 2, settings={"restart": None}, options={"round_limit": 2})


def play_rounds(table: Table, rounds: int) -> None:
    """Play whole rounds of Turncoat."""
    for number in range(rounds):
        for player in table.players:
            moves = player.gets(f"/v1/rooms/{table.room}/legal-moves").body["legal_moves"]
            player.plays(table.room, moves[number])
            player.plays(table.room, {"type": "commit"})


def test_every_version_looks_the_same_later_as_it_did_live(table: Table, stranger: Player) -> None:
    """To each seat and to a spectator, hidden selections included."""
    readers = {"red": table.red, "yellow": table.yellow, "public": stranger}
    began = table.red.sees(table.room).body["version"]
    with (
        table.red.follows(table.room) as red,
        table.yellow.follows(table.room) as yellow,
        stranger.follows(table.room) as public,
    ):
        play_rounds(table, 2)
        live = {
            (name, frame["version"]): without_moment(frame["view"])
            for name, feed in (("red", red), ("yellow", yellow), ("public", public))
            for frame in feed.until(told("match_ended"))
            if frame["type"] in {"snapshot", "update"}
        }
    assert len(live) == 3 * 9
    later = {(name, version): without_moment(readers[name].sees(table.room, at=version).body) for name, version in live}
    assert later == live
    assert min(version for _, version in live) == began


def test_every_version_can_be_looked_back_to(table: Table) -> None:
    """From the first event on, also those in the middle of a command; past the end is 404, before it 422."""
    play_rounds(table, 1)
    last = table.red.sees(table.room).body["version"]
    for version in range(1, last + 1):
        past = table.red.sees(table.room, at=version)
        assert (past.body["version"], past.etag) == (version, f'"{past.body["epoch"]}.{version}"')
    refused = table.red.sees(table.room, at=last + 1)
    assert (refused.status, refused.code, refused.body["version"]) == (404, "no_such_version", last)
    for at in ("0", "-1", "x", "1.5", "1e3", "9" * 30):
        assert table.red.sees(table.room, at=at).body["pointer"] == "?at"


def test_another_seat_than_ones_own_is_403_on_every_route(table: Table, stranger: Player) -> None:
    """And so is any seat for a spectator."""
    match = table.red.sees(table.room).body["match"]["id"]
    paths = [f"/v1/rooms/{table.room}{rest}" for rest in ("", "/legal-moves", "/events", "/feed", "/board.svg")]
    paths += [f"/v1/matches/{match}", f"/v1/matches/{match}/export"]
    for path in paths:
        for reader in (table.red, stranger):
            accept = {"accept": "text/event-stream"} if path.endswith("feed") else None
            refused = reader.gets(path, accept, seat=1)
            assert (refused.status, refused.code) == (403, "not_your_seat"), path


def test_a_holder_of_several_seats_gets_the_public_view_unless_they_say_which(ada: Player) -> None:
    """Then that seat's."""
    room = ada.opens("turncoat", seats=["me", "me"], settings={"hot_seat": True}).body["room"]
    assert ada.sees(room).body["match"]["legal_moves"] == []
    move = ada.sees(room, seat=1).body["match"]["legal_moves"][0]
    ada.plays(room, move, seat=1)
    seen = [ada.sees(room, **query).body["match"]["state"]["own_selection"] for query in ({}, {"seat": 0}, {"seat": 1})]
    assert seen == [None, None, move["at"]]


def test_an_unchanged_room_is_304(table: Table) -> None:
    """With the tag and without a body; a changed one is told."""
    tag = table.red.sees(table.room).etag
    same = table.red.gets(f"/v1/rooms/{table.room}", {"if-none-match": tag})
    assert (same.status, same.content, same.etag) == (304, b"", tag)
    either = table.red.gets(f"/v1/rooms/{table.room}", {"if-none-match": f'"other.1", W/{tag}'})
    assert either.status == 304
    script = table.red.gets(f"/v1/rooms/{table.room}", {"if-none-match": tag, "accept-language": "*"})
    assert script.status == 304
    browser = table.red.gets(f"/v1/rooms/{table.room}", {"if-none-match": tag, "accept-language": "en"})
    assert browser.status == 200  # its cache has no idea whose view it kept
    play_rounds(table, 1)
    assert table.red.gets(f"/v1/rooms/{table.room}", {"if-none-match": tag}).status == 200


def test_the_history_comes_by_page(table: Table) -> None:
    """Versions go on without a gap; `next` is the cursor until the end is reached."""
    play_rounds(table, 2)
    last = table.red.sees(table.room).body["version"]
    events: list[Json] = []
    since: int | None = 0
    while since is not None:
        page = table.red.gets(f"/v1/rooms/{table.room}/events", since=since, limit=4).body
        assert page["version"] == last
        assert len(page["events"]) <= 4
        events, since = events + page["events"], page["next"]
    assert [event["version"] for event in events] == list(range(1, last + 1))
    assert {"version", "type", "time"} <= set.intersection(*map(set, events))
    whole = table.red.gets(f"/v1/rooms/{table.room}/events", limit=1000).body
    assert (whole["events"], whole["next"]) == (events, None)
    assert table.red.gets(f"/v1/rooms/{table.room}/events", since=last).body["events"] == []
    for query in ({"limit": 0}, {"limit": 1001}, {"since": "x"}, {"since": -1}):
        assert table.red.gets(f"/v1/rooms/{table.room}/events", **query).status == 422


def lines(answer: Answer) -> list[Json]:
    """Return the values of an answer of one line each."""
    assert answer.headers["content-type"] == "application/x-ndjson"
    assert answer.content.endswith(b"\n")
    return [json.loads(line) for line in answer.content.splitlines()]


def test_the_history_comes_as_lines_to_who_accepts_lines(table: Table) -> None:
    """The same events."""
    play_rounds(table, 1)
    address = f"/v1/rooms/{table.room}/events"
    answer = table.yellow.gets(address, {"accept": "application/x-ndjson"}, since=3)
    page = table.yellow.gets(address, since=3)
    assert (lines(answer), answer.etag) == (page.body["events"], page.etag)


@pytest.mark.parametrize(
    ("accept", "served"),
    [
        ("", "application/json"),
        ("*/*", "application/json"),
        ("application/*;q=0.1", "application/json"),
        ("application/x-ndjson, */*", "application/x-ndjson"),
        ("application/json;q=0.2, application/x-ndjson; q=0.3", "application/x-ndjson"),
        ("application/json;q=0.0, */*;q=0.5", "application/x-ndjson"),
        ("Application/X-NDJSON;q=1.000, application/json", "application/json"),
        ("application/*;q=0, application/x-ndjson", "application/x-ndjson"),
        ("text/html, */*;q=0", "application/problem+json"),
    ],
)
def test_who_accepts_several_media_types_gets_the_one_that_is_liked_best(
    table: Table, accept: str, served: str
) -> None:
    """By weight, then by how exactly it is named; ours comes first where that is equal, too."""
    answer = table.red.gets(f"/v1/rooms/{table.room}/events", {"accept": accept})
    assert answer.headers["content-type"] == served


def test_legal_moves_are_those_of_my_seat_and_in_turn_games_the_movers_for_everyone_else(
    door: Door, table: Table, stranger: Player
) -> None:
    """Each entry can be sent back as it is."""
    address = f"/v1/rooms/{table.room}/legal-moves"
    mine = table.red.gets(address).body
    assert (mine["seat"], mine["to_move"]) == (0, [0, 1])
    assert mine["legal_moves"] == table.red.sees(table.room).body["match"]["legal_moves"]
    assert stranger.gets(address).body["legal_moves"] == []
    in_turn = seated(door, "ternio", 3)
    address = f"/v1/rooms/{in_turn.room}/legal-moves"
    movers = in_turn.red.gets(address).body
    assert movers["legal_moves"] == stranger.gets(address).body["legal_moves"] != []
    assert in_turn.yellow.gets(address).body["legal_moves"] == []
    for move in movers["legal_moves"]:
        assert in_turn.red.plays(in_turn.room, move, dry_run=True).status == 200
    version = in_turn.red.plays(in_turn.room, movers["legal_moves"][0]).body["version"]
    assert stranger.gets(address, at=version - 1).body["legal_moves"] == movers["legal_moves"]
    assert stranger.gets(address).body["legal_moves"] == in_turn.yellow.gets(address).body["legal_moves"] != []


def test_a_room_lists_its_matches_and_each_has_a_page_of_its_own(table: Table, stranger: Player) -> None:
    """Newest first; the page tells result, players, version range and the final view."""
    play_rounds(table, 2)
    for player in table.players:
        player.asks(table.room, "ready")
    page = stranger.gets(f"/v1/rooms/{table.room}/matches").body
    assert [(card["number"], card["status"]) for card in page["matches"]] == [(2, "playing"), (1, "finished")]
    assert page["next"] is None
    older = stranger.gets(f"/v1/rooms/{table.room}/matches", limit=1).body
    assert stranger.gets(f"/v1/rooms/{table.room}/matches", cursor=older["next"]).body["matches"] == page["matches"][1:]
    first = page["matches"][1]
    match = stranger.gets(f"/v1/matches/{first['id']}").body
    view = match.pop("view")
    assert match == first
    assert view["version"] == first["versions"]["last"]
    assert view["match"]["result"] == first["result"] == view["match"]["result"]
    assert (first["result"]["reason"], first["result"]["winners"]) == ("round_limit", [0, 1])
    assert [seat["player"] for seat in first["players"]] == [player.id for player in table.players]
    events = stranger.gets(f"/v1/rooms/{table.room}/events", limit=1000).body["events"]
    kinds = {event["version"]: event["type"] for event in events}
    assert kinds[first["versions"]["first"]] == "match_started"
    assert kinds[first["versions"]["last"]] == "match_ended"
    assert page["matches"][0]["versions"]["last"] is None


def test_a_match_is_exported_from_its_start_to_its_end_as_the_caller_may_know_it(table: Table) -> None:
    """The own selections are in it, the other's are told by the turns only."""
    play_rounds(table, 2)
    match = table.red.sees(table.room).body["match"]["id"]
    exported = lines(table.red.gets(f"/v1/matches/{match}/export"))
    assert (exported[0]["type"], exported[-1]["type"]) == ("match_started", "match_ended")
    versions = [event["version"] for event in exported]
    assert versions == list(range(versions[0], versions[-1] + 1))
    assert {("at" in event) for event in exported if event["type"] == "selected" and event["seat"] == 0} == {True}
    assert {("at" in event) for event in exported if event["type"] == "selected" and event["seat"] == 1} == {False}


@pytest.mark.parametrize(
    "match", ["x", "a.b", "a.b.c", "a.b.1", "a.b.-1", "a.b.1.2", "%00.b.1", "..", "a.b.99999999999"]
)
def test_a_match_that_never_was_is_404(stranger: Player, match: str) -> None:
    """Whatever its id looks like."""
    assert stranger.gets(f"/v1/matches/{match}").status == 404
    assert stranger.gets(f"/v1/matches/{match}/export").status == 404
