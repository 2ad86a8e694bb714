"""Declared bots are bots wherever a player is shown."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.api.documents import DOCUMENTS, Json
from tests.api.test_ratings import play_rated, rated
from tests.api.tournaments import new_tournament
from tests.e2e.client import ApiClient, Player
from tests.waiting import wait_for

BOTS_ONLY = {"ListedBot"}
"""Schemas of players who are bots all."""


def shows_a_player(schema: Json) -> bool:
    """Return whether a schema names a player; a request, which allows no other fields, only says how to be called."""
    names = {"nickname", "host"} & schema.get("properties", {}).keys()
    return bool(names) and schema.get("additionalProperties") is not False


@pytest.mark.parametrize("name", ["openapi", "asyncapi"])
def test_every_schema_with_a_nickname_says_whether_it_is_that_of_a_bot(name: str) -> None:
    """Whatever the field is called that has the nickname."""
    shown = {
        name: schema for name, schema in DOCUMENTS[name]["components"]["schemas"].items() if shows_a_player(schema)
    }
    assert [name for name, schema in shown.items() if "bot" not in schema["properties"]] == sorted(
        BOTS_ONLY & shown.keys()
    )
    assert len(shown) > 5


def declared_bot(client: ApiClient) -> Player:
    """Return a new guest who was declared a bot."""
    made = client.anonymous().post("/v1/players", {"nickname": "Robot", "bot": True}).body
    return Player(client, made["token"], made["player"]["id"])


@pytest.fixture
def bot(ada: Player) -> Player:
    """Return a guest who was declared a bot."""
    return declared_bot(ada.client)


def objects_about(value: Any, player: str) -> Iterator[Json]:
    """Yield the objects in a body that show a player."""
    if isinstance(value, dict):
        if player in {value.get("player"), value.get("id")} and "nickname" in value:
            yield value
        value = list(value.values())
    for each in value if isinstance(value, list) else ():
        yield from objects_about(each, player)


def test_a_declared_bot_is_one_in_its_matches_and_figures(ada: Player, bot: Player) -> None:
    """In rows, the profile, head to head, the ratings of a match and the leaderboard; nobody else is."""
    match_id = play_rated(ada, bot)
    assert [seat["bot"] for seat in rated(ada, match_id)["seats"]] == [None, "external"]
    wait_for(lambda: ada.get(f"/v1/players/{bot.id}").body["latest"])
    against = ada.get(f"/v1/players/{ada.id}/against/{bot.id}").body
    assert (against["bot"], against["other_bot"]) == (False, True)
    room = match_id.partition(".")[0]
    ways = ("/v1/ratings/morris/bots", f"/v1/players/{bot.id}", f"/v1/players/{ada.id}", f"/v1/matches/{match_id}")
    for way in (*ways, f"/v1/players/{ada.id}/matches", f"/v1/rooms/{room}/matches", f"/v1/rooms/{room}"):
        body = ada.get(way).body
        for player, expected in ((bot, {True, "external"}), (ada, {False, None})):
            shown = [each["bot"] for each in objects_about(body, player.id)]
            assert shown, (way, body)
            assert set(shown) <= expected, (way, shown)


def test_a_declared_bot_is_one_in_chats_and_invitations(ada: Player, bot: Player) -> None:
    """In the lobby and in rooms; a line of a person says nothing."""
    room = bot.open_room("morris").body["room"]
    ada.command(room, "join")
    for way in ("/v1/lobby/chat", f"/v1/rooms/{room}/chat"):
        assert bot.post(way, {"text": "beep"}).body["player"] == {"id": bot.id, "nickname": "Robot", "bot": True}
        assert "bot" not in ada.post(way, {"text": "hello"}).body["player"]
        assert ada.get(way).body["lines"][-2]["player"]["bot"]
    code = bot.command(room, "invite").body["invitation"]["code"]
    assert ada.get(f"/v1/invitations/{code}").body["bot"]
    own = ada.open_room("morris").body["room"]
    other = ada.command(own, "invite").body["invitation"]["code"]
    assert not ada.get(f"/v1/invitations/{other}").body["bot"]
    bot.post(f"/v1/invitations/{other}/decline", {})
    assert ada.get(f"/v1/rooms/{own}/events").body["events"][-1]["bot"]


def test_a_declared_bot_is_one_in_tournaments(ada: Player, bot: Player) -> None:
    """As the organiser, also in the list, and in the standings."""
    tournament = new_tournament(bot, title="Robots", bots=True)
    assert ada.get(f"/v1/tournaments/{tournament}").body["tournament"]["organiser"]["bot"]
    listed = ada.get("/v1/tournaments").body["tournaments"]
    assert [each["organiser"]["bot"] for each in listed if each["id"] == tournament] == [True]
    assert ada.get(f"/v1/tournaments/{tournament}/standings").body["standings"][0]["bot"]
