"""Tournaments over HTTP and on the feed."""

import time
from datetime import UTC, datetime, timedelta

import msgspec
import pytest

from tests.api.tournaments import new_tournament, send, tournament_request
from tests.e2e.client import ApiClient, Player, open_shared_socket

ALL = ["read", "play", "chat", "account"]


def begun(client: ApiClient, players: int) -> tuple[Player, str]:
    """Return the organiser of a tournament that has begun, who takes part, and its id."""
    ada = client.guest("Ada")
    tournament = new_tournament(ada)
    for number in range(1, players):
        send(client.guest(f"P{number}"), tournament, "register")
    send(ada, tournament, "begin")
    while not all(
        table["room"] for table in ada.get(f"/v1/tournaments/{tournament}/tables").body["tables"] or [{"room": None}]
    ):
        time.sleep(0.05)
    return ada, tournament


def test_a_tournament_is_made_found_and_entered(client: ApiClient, anonymous: Player) -> None:
    """It is listed at once, and says what it is played under."""
    ada, bob = client.guest("Ada"), client.guest("Bob")
    made = ada.post("/v1/tournaments", tournament_request(title="Ada's open", rounds=3))
    assert made.status == 201
    shown = made.body["tournament"]
    assert made.headers["location"] == f"/v1/tournaments/{shown['id']}"
    assert (shown["status"], shown["players"], shown["rounds"], shown["seats"]) == ("registration", 0, 3, 2)
    assert shown["organiser"] == {"player": ada.id, "nickname": "Ada", "bot": False}
    listed = anonymous.get("/v1/tournaments", status="registration", game="morris").body["tournaments"]
    assert shown["id"] in [each["id"] for each in listed]
    assert send(bob, shown["id"], "register")["own"] == {"checked_in": False, "left": None, "table": None}
    assert anonymous.get(f"/v1/tournaments/{shown['id']}").body["own"] is None
    [row] = anonymous.get(f"/v1/tournaments/{shown['id']}/standings").body["standings"]
    assert (row["nickname"], row["rank"], row["points"], row["rating"]) == ("Bob", 1, 0, 1500)
    assert set(row["tie_breaks"]) == {"buchholz", "sonneborn_berger"}


def test_only_the_organiser_and_operators_rule(client: ApiClient, operator: Player) -> None:
    """Others are refused; an operator's tournament is nobody's."""
    ada, bob = client.guest("Ada"), client.guest("Bob")
    tournament = new_tournament(ada)
    send(bob, tournament, "register")
    assert send(bob, tournament, "cancel")["code"] == "not_the_organiser"
    assert send(bob, tournament, "remove", player=ada.id)["code"] == "not_the_organiser"
    assert send(ada, tournament, "remove", player=bob.id)["tournament"]["players"] == 1
    assert send(bob, tournament, "register")["code"] == "removed_from_tournament"
    assert send(ada, tournament, "begin")["code"] == "too_few_players"
    over = send(operator, tournament, "cancel")["tournament"]
    assert (over["status"], over["reason"]) == ("cancelled", "by_operator")
    assert send(bob, tournament, "withdraw")["code"] == "tournament_over"
    made = operator.post("/v1/tournaments", tournament_request())
    assert made.body["tournament"]["organiser"] is None
    assert send(operator, made.body["tournament"]["id"], "register")["code"] == "unauthenticated"


@pytest.mark.parametrize(
    ("change", "pointer"),
    [
        ({"starts": "2020-01-01T00:00:00Z"}, "/starts"),
        ({"starts": "tomorrow"}, "/starts"),
        ({"starts": "2027-01-01T00:00:00"}, "/starts"),
        ({"clock": {"type": "none"}}, "/clock"),
        ({"format": "knockout"}, "/format"),
        ({"rounds": 32}, "/rounds"),
        ({"title": ""}, "/title"),
        ({"title": "\u202eFriday"}, "/title"),
        ({"title": "\u200b"}, "/title"),
        ({"max_players": 513}, "/max_players"),
        ({"prize": 1}, "/prize"),
    ],
)
def test_a_tournament_that_is_not_possible_is_refused(ada: Player, change: dict[str, object], pointer: str) -> None:
    """With a pointer to what is wrong."""
    refused = ada.post("/v1/tournaments", tournament_request(**change))
    assert (refused.status, refused.code) == (422, "unfit")
    assert refused.body.get("pointer", "") == pointer


def test_one_tournament_too_many_is_a_conflict(ada: Player) -> None:
    """Clients repeat a 429 until they give up, but the reason lasts for hours."""
    for _ in range(2):
        assert ada.post("/v1/tournaments", tournament_request()).status == 201
    refused = ada.post("/v1/tournaments", tournament_request())
    assert (refused.status, refused.code, refused.body["params"]) == (409, "too_many_tournaments", {"most": 2})
    assert "retry-after" not in refused.headers


def test_a_repeated_request_with_a_key_has_the_first_answer(ada: Player) -> None:
    """A client that got no answer does not create a second tournament."""
    request, key = tournament_request(), {"idempotency-key": "friday"}
    first = ada.post("/v1/tournaments", request, key)
    again = ada.post("/v1/tournaments", dict(reversed(request.items())), key)
    assert (again.status, again.body, again.headers["location"]) == (201, first.body, first.headers["location"])
    assert again.headers["idempotency-replayed"] == "true"
    assert "idempotency-replayed" not in first.headers
    assert ada.post("/v1/tournaments", tournament_request(title="Sunday"), key).code == "key_reused"


def test_a_token_needs_the_scope_to_rule_but_not_to_play(ada: Player) -> None:
    """And the scope to play is not needed to organise."""
    tournament = new_tournament(ada)
    made = ada.post("/v1/players/me/tokens", {"name": "bot", "scopes": ALL})
    playing = Player(ada.client, made.body["token"], ada.id)
    assert send(playing, tournament, "withdraw")["own"] is None
    assert send(playing, tournament, "cancel")["code"] == "scope_missing"
    made = ada.post("/v1/players/me/tokens", {"name": "desk", "scopes": ["tournaments"]})
    organising = Player(ada.client, made.body["token"], ada.id)
    assert send(organising, tournament, "register")["code"] == "scope_missing"
    assert send(organising, tournament, "cancel")["tournament"]["status"] == "cancelled"


def test_a_ban_removes_the_player_from_tournaments(client: ApiClient, operator: Player) -> None:
    """Operators decide about those that the player has created."""
    ada, bob = client.guest("Ada"), client.guest("Bob")
    own, another = new_tournament(ada), new_tournament(bob)
    send(ada, another, "register")
    assert operator.post(f"/v1/admin/players/{ada.id}/ban", {"on": True}).status == 200
    assert [row["player"] for row in bob.get(f"/v1/tournaments/{another}/standings").body["standings"]] == [bob.id]
    left = bob.get(f"/v1/tournaments/{own}").body["tournament"]
    assert (left["players"], left["status"]) == (0, "registration")
    assert operator.post(f"/v1/admin/players/{ada.id}/ban", {"on": False}).status == 200
    assert send(ada, another, "register")["code"] == "removed_from_tournament"


def test_a_match_names_its_tournament(client: ApiClient) -> None:
    """As the view of its room does; null for other matches."""
    ada, tournament = begun(client, players=2)
    [table] = ada.get(f"/v1/tournaments/{tournament}/tables").body["tables"]
    [match] = ada.get(f"/v1/rooms/{table['room']}/matches").body["matches"]
    found = ada.get(f"/v1/matches/{match['id']}").body
    assert found["tournament"] == {"id": tournament, "title": "Friday", "round": 1, "table": 1}
    room = ada.open_room("morris", seats=["me", {"bot": "easy"}]).body["room"]
    [other] = ada.get(f"/v1/rooms/{room}/matches").body["matches"]
    assert ada.get(f"/v1/matches/{other['id']}").body["tournament"] is None


def test_players_find_their_tournaments(client: ApiClient, anonymous: Player) -> None:
    """Those that they have created, and the open ones in which they take part."""
    ada, bob = client.guest("Ada"), client.guest("Bob")
    tournament, over = new_tournament(ada), new_tournament(ada)
    send(bob, tournament, "register")
    send(bob, over, "register")
    send(ada, over, "cancel")

    def found(**query: str) -> set[str]:
        return {each["id"] for each in anonymous.get("/v1/tournaments", **query).body["tournaments"]}

    assert found(organiser=ada.id) == {tournament, over}
    assert found(organiser=ada.id, game="ternio") == set()
    assert found(organiser=bob.id) == set()
    assert found(player=bob.id) == {tournament}
    send(bob, tournament, "withdraw")
    assert found(player=bob.id) == set()


def test_results_are_exported_line_by_line(client: ApiClient) -> None:
    """All of them, whatever the size of a page; matches in the order in which they were paired."""
    ada, tournament = begun(client, players=5)
    lines = {"accept": "application/x-ndjson"}
    for kind in ("standings", "tables"):
        address = f"/v1/tournaments/{tournament}/{kind}"
        page = ada.get(address).body[kind]
        answer = ada.get(address, lines, limit=1)
        assert answer.headers["content-type"].startswith("application/x-ndjson")
        expected = page if kind == "standings" else page[::-1]
        assert len(expected) > 1
        assert [msgspec.json.decode(line) for line in answer.content.splitlines()] == expected
    own = ada.get(f"/v1/tournaments/{tournament}/tables", lines, player=ada.id)
    assert len(own.content.splitlines()) <= 1


def test_an_unknown_tournament_is_not_found(ada: Player) -> None:
    """On every route."""
    for path in ("", "/standings", "/tables"):
        assert ada.get(f"/v1/tournaments/none{path}").code == "no_such_tournament"
    assert send(ada, "none", "register")["code"] == "no_such_tournament"
    with open_shared_socket(ada.client.url) as feed:
        feed.send(type="subscribe", tournament="none", id=1)
        assert feed.next("reply")["problem"]["code"] == "no_such_tournament"


def test_lists_are_paged(client: ApiClient) -> None:
    """By cursor, with a link to the next page; `around` finds a player."""
    ada = client.guest("Ada")
    tournament = new_tournament(ada)
    players = [client.guest(f"P{number}") for number in range(4)]
    for player in players:
        send(player, tournament, "register")
    first = ada.get(f"/v1/tournaments/{tournament}/standings", limit=3)
    assert (first.body["players"], len(first.body["standings"]), first.body["next"]) == (5, 3, 3)
    assert "cursor=3" in first.headers["link"]
    rest = ada.get(f"/v1/tournaments/{tournament}/standings", limit=3, cursor=3).body
    assert (len(rest["standings"]), rest["next"]) == (2, None)
    around = ada.get(f"/v1/tournaments/{tournament}/standings", limit=2, around=players[3].id).body
    rows = ada.get(f"/v1/tournaments/{tournament}/standings").body["standings"]
    assert players[3].id in [row["player"] for row in around["standings"]]
    assert rows[around["place"] - 1]["player"] == players[3].id
    nobody = ada.get(f"/v1/tournaments/{tournament}/standings", limit=3, around="p-nobody").body
    assert nobody == first.body
    assert len(ada.get("/v1/tournaments", limit=1).body["tournaments"]) == 1


def test_a_tournament_that_is_created_between_two_pages_repeats_none(client: ApiClient, operator: Player) -> None:
    """Although the latest one comes first; each page begins where the one before ended."""
    made = [operator.post("/v1/tournaments", tournament_request()).body["tournament"]["id"] for _ in range(3)]
    first = client.guest("Ada").get("/v1/tournaments", limit=2, status="registration").body
    operator.post("/v1/tournaments", tournament_request())
    second = operator.get("/v1/tournaments", limit=2, status="registration", cursor=first["next"]).body
    assert [each["id"] for each in first["tournaments"]] == made[:0:-1]
    assert second["tournaments"][0]["id"] == made[0]


def test_the_tables_are_paged_by_number(client: ApiClient) -> None:
    """The latest first; a filter changes no cursor."""
    ada, tournament = begun(client, players=6)
    address = f"/v1/tournaments/{tournament}/tables"
    first = ada.get(address, limit=2, round=1).body
    assert ([each["number"] for each in first["tables"]], first["next"]) == ([3, 2], 2)
    last = ada.get(address, limit=2, cursor=2).body
    assert ([each["number"] for each in last["tables"]], last["next"]) == ([1], None)


def test_the_tables_come_with_the_byes_of_their_rounds(client: ApiClient) -> None:
    """Also where no table is on the page, and only those of the wanted player."""
    ada, tournament = begun(client, players=3)
    address = f"/v1/tournaments/{tournament}/tables"
    page = ada.get(address).body
    seated = {each["player"] for table in page["tables"] for each in table["players"]}
    [bye] = page["byes"]
    assert bye["round"] == 1
    assert bye["nickname"]
    assert bye["player"] not in seated
    resting = ada.get(address, player=bye["player"], round=1).body
    assert (resting["tables"], resting["byes"]) == ([], [bye])
    assert ada.get(address, player=seated.pop()).body["byes"] == []
    assert ada.get(address, round=2).body["byes"] == []


def test_the_check_in_is_open_when_the_tournament_says(ada: Player) -> None:
    """Here from the beginning, as it starts in an hour."""
    tournament = new_tournament(ada, check_in_ms=7_200_000)
    assert send(ada, tournament, "check_in")["own"]["checked_in"]
    without = new_tournament(ada)
    assert send(ada, without, "check_in")["code"] == "no_check_in"


def test_the_feed_of_a_tournament_shows_who_enters(client: ApiClient) -> None:
    """As a patch of what came first; nothing follows the end of the subscription."""
    ada, bob = client.guest("Ada"), client.guest("Bob")
    tournament = new_tournament(ada)
    with open_shared_socket(client.url) as feed:
        feed.send(type="subscribe", tournament=tournament)
        snapshot = feed.next("tournament_snapshot")
        assert list(snapshot["view"]["standings"]) == [ada.id]
        send(bob, tournament, "register")
        update = feed.next("tournament_update")
        assert (update["tournament"], update["from"]) == (tournament, snapshot["version"])
        assert f"/standings/{bob.id}" in [operation["path"] for operation in update["patch"]]
        feed.send(type="unsubscribe", tournament=tournament, id=2)
        feed.until(lambda frame: frame["type"] == "reply" and frame["id"] == 2)


def test_a_tournament_cannot_start_more_than_ninety_days_ahead(ada: Player) -> None:
    """Times of any offset are understood."""
    later = (datetime.now(UTC) + timedelta(days=91)).isoformat()
    assert ada.post("/v1/tournaments", tournament_request(starts=later)).code == "unfit"
    soon = (datetime.now(UTC) + timedelta(days=1)).isoformat().replace("+00:00", "-02:00")
    assert ada.post("/v1/tournaments", tournament_request(starts=soon)).status == 201
