"""Reads: the room now and at any version, legal moves, the history, matches."""

import json

import pytest

from tests.e2e.client import ApiClient, Json, Player, Response, has_event, without_time_and_presence
from tests.e2e.seated_rooms import SeatedRoom, seat_players

Memory = dict[tuple[str, int], Json]


@pytest.fixture
def seated(client: ApiClient) -> SeatedRoom:
    """Return two players of Turncoat."""
    return seat_players(client, "turncoat", 2, settings={"restart": None}, options={"round_limit": 2})


def play_rounds(seated: SeatedRoom, rounds: int) -> None:
    """Play whole rounds of Turncoat."""
    for number in range(rounds):
        for player in seated.players:
            moves = player.get(f"/v1/rooms/{seated.room}/legal-moves").body["legal_moves"]
            player.play(seated.room, moves[number])
            player.play(seated.room, {"type": "commit"})


def test_every_version_looks_the_same_later_as_it_did_live(seated: SeatedRoom, anonymous: Player) -> None:
    """This applies to each seat and to spectators, and includes hidden selections."""
    readers = {"red": seated.red, "yellow": seated.yellow, "public": anonymous}
    began = seated.red.read_room(seated.room).body["version"]
    with (
        seated.red.subscribe(seated.room) as red,
        seated.yellow.subscribe(seated.room) as yellow,
        anonymous.subscribe(seated.room) as public,
    ):
        feeds = {"red": red, "yellow": yellow, "public": public}
        first = {name: feed.until(lambda frame: frame["type"] == "caught_up") for name, feed in feeds.items()}
        play_rounds(seated, 2)
        live = {
            (name, frame["version"]): without_time_and_presence(frame["view"])
            for name, feed in feeds.items()
            for frame in [*first[name], *feed.until(has_event("match_ended"))]
            if frame["type"] in {"snapshot", "update"}
        }
    assert len(live) == 3 * 9
    later = {
        (name, version): without_time_and_presence(readers[name].read_room(seated.room, at=version).body)
        for name, version in live
    }
    assert later == live
    assert min(version for _, version in live) == began


def test_every_version_can_be_looked_back_to(seated: SeatedRoom) -> None:
    """From the first event on, also those in the middle of a command; past the end is 404, before it 422."""
    play_rounds(seated, 1)
    last = seated.red.read_room(seated.room).body["version"]
    for version in range(1, last + 1):
        past = seated.red.read_room(seated.room, at=version)
        assert (past.body["version"], past.etag) == (version, f'"{past.body["epoch"]}.{version}"')
    refused = seated.red.read_room(seated.room, at=last + 1)
    assert (refused.status, refused.code, refused.body["version"]) == (404, "no_such_version", last)
    for at in ("0", "-1", "x", "1.5", "1e3", "9" * 30):
        assert seated.red.read_room(seated.room, at=at).body["parameter"] == "at"


def test_another_seat_than_ones_own_is_403_on_every_route(seated: SeatedRoom, anonymous: Player) -> None:
    """And so is any seat for a spectator."""
    match = seated.red.read_room(seated.room).body["match"]["id"]
    paths = [f"/v1/rooms/{seated.room}{rest}" for rest in ("", "/legal-moves", "/events", "/feed", "/board.svg")]
    paths += [f"/v1/matches/{match}", f"/v1/matches/{match}/export"]
    for path in paths:
        for reader in (seated.red, anonymous):
            accept = {"accept": "text/event-stream"} if path.endswith("feed") else None
            refused = reader.get(path, accept, seat=1)
            assert (refused.status, refused.code) == (403, "not_your_seat"), path


def test_a_holder_of_several_seats_gets_the_public_view_unless_they_say_which(ada: Player) -> None:
    """With a seat in the query they get that seat's view."""
    room = ada.open_room("turncoat", seats=["me", "me"], settings={"hot_seat": True}).body["room"]
    assert ada.read_room(room).body["match"]["legal_moves"] == []
    move = ada.read_room(room, seat=1).body["match"]["legal_moves"][0]
    ada.play(room, move, seat=1)
    seen = [
        ada.read_room(room, **query).body["match"]["state"]["own_selection"] for query in ({}, {"seat": 0}, {"seat": 1})
    ]
    assert seen == [None, None, move["at"]]


def test_an_unchanged_room_is_304(seated: SeatedRoom) -> None:
    """With the tag and without a body; a changed view is sent."""
    tag = seated.red.read_room(seated.room).etag
    same = seated.red.get(f"/v1/rooms/{seated.room}", {"if-none-match": tag})
    assert (same.status, same.content, same.etag) == (304, b"", tag)
    either = seated.red.get(f"/v1/rooms/{seated.room}", {"if-none-match": f'"other.1", W/{tag}'})
    assert either.status == 304
    script = seated.red.get(f"/v1/rooms/{seated.room}", {"if-none-match": tag, "accept-language": "*"})
    assert script.status == 304
    browser = seated.red.get(f"/v1/rooms/{seated.room}", {"if-none-match": tag, "accept-language": "en"})
    assert browser.status == 200  # its cache has no idea whose view it kept
    play_rounds(seated, 1)
    assert seated.red.get(f"/v1/rooms/{seated.room}", {"if-none-match": tag}).status == 200


def test_the_history_comes_by_page(seated: SeatedRoom) -> None:
    """Versions go on without a gap; `next` is the cursor until the end is reached."""
    play_rounds(seated, 2)
    last = seated.red.read_room(seated.room).body["version"]
    events: list[Json] = []
    since: int | None = 0
    while since is not None:
        page = seated.red.get(f"/v1/rooms/{seated.room}/events", since=since, limit=4).body
        assert page["version"] == last
        assert len(page["events"]) <= 4
        events, since = events + page["events"], page["next"]
    assert [event["version"] for event in events] == list(range(1, last + 1))
    assert {"version", "type", "time"} <= set.intersection(*map(set, events))
    whole = seated.red.get(f"/v1/rooms/{seated.room}/events", limit=1000).body
    assert (whole["events"], whole["next"]) == (events, None)
    assert seated.red.get(f"/v1/rooms/{seated.room}/events", since=last).body["events"] == []
    for query in ({"limit": 0}, {"limit": 1001}, {"since": "x"}, {"since": -1}):
        assert seated.red.get(f"/v1/rooms/{seated.room}/events", **query).status == 422


def lines(answer: Response) -> list[Json]:
    """Return the values of an answer of one line each."""
    assert answer.headers["content-type"] == "application/x-ndjson"
    assert answer.content.endswith(b"\n")
    return [json.loads(line) for line in answer.content.splitlines()]


def test_the_history_is_sent_as_lines_if_lines_are_accepted(seated: SeatedRoom) -> None:
    """The lines have the same events as the JSON."""
    play_rounds(seated, 1)
    address = f"/v1/rooms/{seated.room}/events"
    answer = seated.yellow.get(address, {"accept": "application/x-ndjson"}, since=3)
    page = seated.yellow.get(address, since=3)
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
def test_the_preferred_of_several_media_types_is_sent(seated: SeatedRoom, accept: str, served: str) -> None:
    """By weight, then by how exactly it is named; ours comes first where that is equal, too."""
    answer = seated.red.get(f"/v1/rooms/{seated.room}/events", {"accept": accept})
    assert answer.headers["content-type"] == served


def test_legal_moves_are_those_of_my_seat_and_in_turn_games_the_movers_for_everyone_else(
    client: ApiClient, seated: SeatedRoom, anonymous: Player
) -> None:
    """Each entry can be sent back as it is."""
    address = f"/v1/rooms/{seated.room}/legal-moves"
    mine = seated.red.get(address).body
    assert (mine["seat"], mine["to_move"]) == (0, [0, 1])
    assert mine["legal_moves"] == seated.red.read_room(seated.room).body["match"]["legal_moves"]
    assert anonymous.get(address).body["legal_moves"] == []
    in_turn = seat_players(client, "ternio", 3)
    address = f"/v1/rooms/{in_turn.room}/legal-moves"
    movers = in_turn.red.get(address).body
    assert movers["legal_moves"] == anonymous.get(address).body["legal_moves"] != []
    assert in_turn.yellow.get(address).body["legal_moves"] == []
    for move in movers["legal_moves"]:
        assert in_turn.red.play(in_turn.room, move, dry_run=True).status == 200
    version = in_turn.red.play(in_turn.room, movers["legal_moves"][0]).body["version"]
    assert anonymous.get(address, at=version - 1).body["legal_moves"] == movers["legal_moves"]
    assert anonymous.get(address).body["legal_moves"] == in_turn.yellow.get(address).body["legal_moves"] != []


def test_a_room_lists_its_matches_and_each_has_a_page_of_its_own(seated: SeatedRoom, anonymous: Player) -> None:
    """Newest first; the page has result, players, version range and the final view."""
    play_rounds(seated, 2)
    for player in seated.players:
        player.command(seated.room, "ready")
    page = anonymous.get(f"/v1/rooms/{seated.room}/matches").body
    assert [(card["number"], card["status"]) for card in page["matches"]] == [(2, "playing"), (1, "finished")]
    assert page["next"] is None
    older = anonymous.get(f"/v1/rooms/{seated.room}/matches", limit=1).body
    assert (
        anonymous.get(f"/v1/rooms/{seated.room}/matches", cursor=older["next"]).body["matches"] == page["matches"][1:]
    )
    first = page["matches"][1]
    match = anonymous.get(f"/v1/matches/{first['id']}").body
    view = match.pop("view")
    assert match.pop("tournament") is None
    assert match == first
    assert view["version"] == first["versions"]["last"]
    assert view["match"]["result"] == first["result"] == view["match"]["result"]
    assert (first["result"]["reason"], first["result"]["winners"]) == ("round_limit", [0, 1])
    assert [seat["player"] for seat in first["players"]] == [player.id for player in seated.players]
    events = anonymous.get(f"/v1/rooms/{seated.room}/events", limit=1000).body["events"]
    kinds = {event["version"]: event["type"] for event in events}
    assert kinds[first["versions"]["first"]] == "match_started"
    assert kinds[first["versions"]["last"]] == "match_ended"
    assert page["matches"][0]["versions"]["last"] is None


def test_a_match_is_exported_from_its_start_to_its_end_as_the_caller_may_know_it(seated: SeatedRoom) -> None:
    """The own selections are in it, those of the others only after the turn."""
    play_rounds(seated, 2)
    match = seated.red.read_room(seated.room).body["match"]["id"]
    exported = lines(seated.red.get(f"/v1/matches/{match}/export"))
    assert (exported[0]["type"], exported[-1]["type"]) == ("match_started", "match_ended")
    versions = [event["version"] for event in exported]
    assert versions == list(range(versions[0], versions[-1] + 1))
    assert {("at" in event) for event in exported if event["type"] == "selected" and event["seat"] == 0} == {True}
    assert {("at" in event) for event in exported if event["type"] == "selected" and event["seat"] == 1} == {False}


@pytest.mark.parametrize(
    "match", ["x", "a.b", "a.b.c", "a.b.1", "a.b.-1", "a.b.1.2", "%00.b.1", "..", "a.b.99999999999"]
)
def test_an_unknown_match_is_404(anonymous: Player, match: str) -> None:
    """The form of its id does not matter."""
    assert anonymous.get(f"/v1/matches/{match}").status == 404
    assert anonymous.get(f"/v1/matches/{match}/export").status == 404
