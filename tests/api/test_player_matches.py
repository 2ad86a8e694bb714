"""Players' matches over the API: pages, exports that can be continued, their limits, and who may see which match."""

import time
from typing import Any

import msgspec
import pytest

from service.api.routes.people.player_matches import OTHERS_COST, cost_of_page, parse_since
from service.domain.ids import Millis
from service.domain.notation.reading import read_text
from service.people.player_matches.rows import Position
from service.people.player_matches.service import Page
from tests.e2e.client import ApiClient, Json, Player, Response, move_each
from tests.waiting import wait_for

NDJSON, TEXT = {"accept": "application/x-ndjson"}, {"accept": "text/plain"}


def play(winner: Player, loser: Player, game: str = "morris", **settings: Any) -> str:
    """Play a match in which both move and the loser resigns, and return its id as soon as both lists have it."""
    room = winner.open_room(game, settings={"start": "full", "restart": None, **settings}).body["room"]
    secret = {"password": settings["password"]} if "password" in settings else {}
    assert loser.command(room, "join", **secret).status == 200
    move_each(room, winner, loser)
    return resigned(winner, loser, room)


def resigned(winner: Player, loser: Player, room: str) -> str:
    """Let a player resign the match of a room, and return its id as soon as both lists have it."""
    match_id: str = loser.command(room, "resign").body["view"]["match"]["id"]
    wait_for(lambda: all(match_id in matches_of(player, player) for player in (winner, loser)))
    return match_id


def read(reader: Player, player: Player, headers: dict[str, str] | None = None, /, **query: Any) -> Response:
    """Read the matches of a player."""
    return reader.get(f"/v1/players/{player.id}/matches", headers, **query)


def matches_of(reader: Player, player: Player, **query: Any) -> list[str]:
    """Return the ids of a player's matches as a reader sees them."""
    return [match["id"] for match in read(reader, player, limit=100, **query).body["matches"]]


def lines(response: Response) -> list[Json]:
    """Return the lines of an export."""
    return [msgspec.json.decode(line) for line in response.content.splitlines()]


def test_a_match_is_in_the_lists_of_its_players(ada: Player, bob: Player, anonymous: Player) -> None:
    """As it is in the list of its room, with what it was for the player."""
    match_id = play(ada, bob)
    body = read(anonymous, bob).body
    assert (body["player"], body["next"]) == (bob.id, None)
    [match] = body["matches"]
    room = match["room"]
    [summary] = anonymous.get(f"/v1/rooms/{room}/matches").body["matches"]
    assert {name: match[name] for name in summary} == summary
    own = {name: value for name, value in match.items() if name not in summary}
    cursor = own.pop("cursor")
    assert cursor.endswith(match_id)
    assert own == {
        "seats": [1],
        "place": 2,
        "outcome": "lost",
        "rated": False,
        "not_rated": "casual",
        "rating_class": None,
        "members_only": False,
    }
    assert read(anonymous, ada, opponent=bob.id).body["matches"][0]["outcome"] == "won"
    assert read(anonymous, ada, opponent="p-nobody").body["matches"] == []


def test_an_aborted_match_looks_like_no_win(ada: Player, bob: Player, anonymous: Player) -> None:
    """Its result is what the rules say; in the lists of its players and in profiles it does not count."""
    room = ada.open_room("morris", settings={"start": "full", "restart": None}).body["room"]
    bob.command(room, "join")
    ada.play(room, {"type": "place", "at": "a1"})
    match_id = resigned(ada, bob, room)
    assert anonymous.get(f"/v1/matches/{match_id}").body["result"]["winners"] == [0]
    for player, place in ((ada, 1), (bob, 2)):
        [row] = read(anonymous, player).body["matches"]
        assert (row["result"]["winners"], row["place"], row["outcome"], row["counts"]) == ([0], place, None, False)
        body = anonymous.get(f"/v1/players/{player.id}").body
        assert (body["results"], body["latest"]) == ([], [row])
    assert anonymous.get(f"/v1/players/{ada.id}/against/{bob.id}").body["results"] == []
    [summary] = anonymous.get(f"/v1/rooms/{room}/matches").body["matches"]
    assert summary["counts"] is False


def test_pages_and_filters(ada: Player, bob: Player, cyd: Player, anonymous: Player) -> None:
    """The latest match is first; the header Link leads to the next page."""
    played = [play(ada, bob), play(ada, cyd, "turncoat"), play(ada, bob)]
    first = read(anonymous, ada, limit=2)
    assert [match["id"] for match in first.body["matches"]] == played[:0:-1]
    link = first.headers["link"].partition(">")[0].removeprefix("<")
    second = anonymous.get(link).body
    assert ([match["id"] for match in second["matches"]], second["next"]) == (played[:1], None)
    assert matches_of(anonymous, ada, game="turncoat") == [played[1]]
    assert matches_of(anonymous, ada, opponent=bob.id) == [played[2], played[0]]
    assert matches_of(anonymous, ada, rated="true") == []
    assert matches_of(anonymous, ada, rated="false") == played[::-1]
    since = first.body["matches"][1]
    assert matches_of(anonymous, ada, since=since["cursor"]) == [played[2]]
    assert matches_of(anonymous, ada, since="2020-01-01T00:00:00Z") == played[::-1]
    assert matches_of(anonymous, ada, since="2099-01-01T00:00:00Z") == []


def test_an_export_has_all_matches_and_can_be_continued(ada: Player, bob: Player, anonymous: Player) -> None:
    """The oldest match is first, one per line; `since` continues after a line."""
    played = [play(ada, bob), play(ada, bob), play(ada, bob)]
    whole = read(anonymous, ada, NDJSON)
    assert whole.headers["content-type"] == "application/x-ndjson"
    assert [line["id"] for line in lines(whole)] == played
    assert lines(whole)[::-1] == read(anonymous, ada).body["matches"]
    part = read(anonymous, ada, NDJSON, limit=2)
    assert lines(part) == lines(whole)[:2]
    rest = read(anonymous, ada, NDJSON, since=lines(part)[-1]["cursor"])
    assert lines(rest) == lines(whole)[2:]
    assert read(anonymous, ada, NDJSON, since=lines(rest)[-1]["cursor"]).content == b""


def test_an_export_in_notation(ada: Player, bob: Player, anonymous: Player) -> None:
    """Each match as in its own export, then its cursor in a comment."""
    played = [play(ada, bob), play(ada, bob)]
    text = read(anonymous, ada, TEXT).content.decode()
    single = [anonymous.get(f"/v1/matches/{each}/export", TEXT).content.decode() for each in played]
    cursors = [line["cursor"] for line in lines(read(anonymous, ada, NDJSON))]
    assert text == "".join(f"{one}; cursor: {cursor}\n\n" for one, cursor in zip(single, cursors, strict=True))
    assert read_text(text.partition("\nturnstream match")[0]) == read_text(single[0])
    rest = read(anonymous, ada, TEXT, since=cursors[0]).content.decode()
    assert rest.startswith("turnstream match 1\n")
    assert played[0] not in rest


@pytest.mark.parametrize("zone", ["Asia/Tokyo", "America/New_York"])
def test_a_time_without_a_zone_is_utc(monkeypatch: pytest.MonkeyPatch, zone: str) -> None:
    """Wherever the server is; another zone is converted."""
    monkeypatch.setenv("TZ", zone)
    time.tzset()
    try:
        found = [parse_since(text) for text in ("2026-01-01T00:00:00", "2026-01-01T09:00:00+09:00")]
    finally:
        monkeypatch.undo()
        time.tzset()
    assert found == [Position(Millis(1_767_225_600_000), "")] * 2


def test_the_cost_of_a_page_reveals_nothing_to_others() -> None:
    """It is the same whatever was read and left out; who knows all matches pays for what was read."""
    pages = [Page([], None, work) for work in (0, 100, 2_000)]
    assert {cost_of_page(page, knows_all=False) for page in pages} == {OTHERS_COST}
    assert [cost_of_page(page, knows_all=True) for page in pages] == [0, 1, 20]


PRIVATE: dict[str, Any] = {"visibility": "private", "password": "sesame"}


@pytest.mark.parametrize("settings", [PRIVATE, {"spectators": False}], ids=["private", "members"])
@pytest.mark.parametrize("accept", [{}, NDJSON, TEXT], ids=["json", "ndjson", "text"])
def test_a_match_for_members_appears_to_them_only(
    client: ApiClient, operator: Player, settings: dict[str, Any], accept: dict[str, str]
) -> None:
    """To its player, members of its room, and operators; others see that of a public room."""
    ada, bob, cyd, gus = (client.guest(name) for name in ("Ada", "Bob", "Cyd", "Gus"))
    secret = play(ada, bob, **settings)
    room = secret.partition(".")[0]
    assert bob.command(room, "leave").status == 200
    password = {"password": settings["password"]} if "password" in settings else {}
    assert cyd.command(room, "join", **password).status == 200
    public = play(ada, bob)
    for reader, sees in ((ada, True), (cyd, True), (operator, True), (gus, False), (client.anonymous(), False)):
        content = read(reader, ada, accept).content.decode()
        assert public in content
        assert (secret in content) == sees
    assert secret in matches_of(bob, bob)
    assert secret not in matches_of(bob, ada)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("cursor", "x"),
        ("cursor", "1764000000000"),
        ("since", "1.a/b"),
        ("since", "2026-13-01T00:00:00Z"),
        ("game", "chess"),
        ("rated", "1"),
        ("limit", "0"),
    ],
)
def test_invalid_parameters_are_named(anonymous: Player, name: str, value: str) -> None:
    """Whatever is asked for; times that no match can have are valid."""
    refused = anonymous.get("/v1/players/p-nobody/matches", **{name: value})
    assert (refused.status, refused.code, refused.body["parameter"]) == (422, "unfit", name)
    for since in ("0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-23:59"):
        assert anonymous.get("/v1/players/p-nobody/matches", since=since).status == 200


def test_nobody_has_no_matches(anonymous: Player) -> None:
    """Whatever the id is."""
    for player in ("p-nobody", "x" * 200):
        assert anonymous.get(f"/v1/players/{player}/matches").body == {"player": player, "matches": [], "next": None}


def play_rainbow(room: str, *players: Player) -> None:
    """Play the latest move of those that are legal until the match has ended."""
    while (match := players[0].read_room(room).body["match"])["status"] == "playing":
        player = players[match["to_move"][0]]
        moves = player.read_room(room).body["match"]["legal_moves"]
        assert player.play(room, moves[-1]).status == 200


def test_notable_matches(client: ApiClient, ada: Player, anonymous: Player) -> None:
    """Of all games or of one; private matches and those that were given up are not among them."""
    bob = client.guest("Bob")
    resigned = play(ada, bob)
    rooms = []
    for settings in ({"spectators": False}, {}):
        chosen = {"start": "full", "restart": None, **settings}
        rooms.append(ada.open_room("rainbow", settings=chosen).body["room"])
        bob.command(rooms[-1], "join")
        play_rainbow(rooms[-1], ada, bob)

    def notable() -> list[Json]:
        found: list[Json] = anonymous.get("/v1/matches/notable", game="rainbow", limit=10).body["matches"]
        return found

    wait_for(lambda: rooms[1] in str(notable()))
    found = notable()
    own = [each for each in found if each["match"]["room"] == rooms[1]]
    assert {(each["game"], each["fact"]) for each in own} >= {("rainbow", "longest")}
    assert {each["period"] for each in own} == {"day", "week", "all"}
    assert own[0]["match"] == anonymous.get(f"/v1/rooms/{rooms[1]}/matches").body["matches"][0]
    body = str(anonymous.get("/v1/matches/notable", limit=10).body) + str(found)
    assert rooms[0] not in body
    assert resigned not in body
    assert anonymous.get("/v1/matches/notable", limit=11).code == "unfit"
    assert anonymous.get("/v1/matches/notable", game="chess").code == "unfit"
