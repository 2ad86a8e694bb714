"""The list of bots: a program registers, is found there, and plays those who challenge it."""

from tests.api.test_seeks import first_event
from tests.e2e.client import ApiClient, Json, Player


def bot_of(client: ApiClient, name: str) -> Player:
    """Return a guest who declared to be a bot."""
    made = client.anonymous().post("/v1/players", {"nickname": name, "bot": True}).body
    return Player(client, made["token"], made["player"]["id"])


def put(player: Player, **fields: object) -> int | str:
    """Register a bot, and return the status or the code of the refusal."""
    answer = player.send("PUT", "/v1/bots/me", json=fields)
    return answer.code or answer.status


def test_a_bot_is_listed_challenged_and_plays(client: ApiClient, ada: Player) -> None:
    """By its game; it accepts, and its room says that it is a bot."""
    bot = bot_of(client, "Deep Mill")
    assert put(bot, games=["morris", "morris"], description="Looks three mills ahead.") == 200
    found = ada.get("/v1/bots", game="morris").body
    assert [each["level"] for each in found["house"]] == ["easy", "casual", "medium", "skilled", "hard", "expert"]
    [listed] = [each for each in found["listed"] if each["player"] == bot.id]
    assert (listed["nickname"], listed["games"]) == ("Deep Mill", ["morris"])
    assert listed["until"].endswith("Z")
    assert bot.id not in str(ada.get("/v1/bots", game="ternio").body)
    asked = ada.post("/v1/challenges", {"game": "morris", "opponents": [listed["player"]]}).body
    assert first_event(bot, "challenge_made")["challenge"]["id"] == asked["id"]
    assert bot.post(f"/v1/challenges/{asked['id']}/accept", {}).status == 204
    room = first_event(ada, "challenge_opened")["room"]
    assert {seat["player"] for seat in ada.read_room(room).body["seats"]} == {ada.id, bot.id}
    assert bot.send("DELETE", "/v1/bots/me").status == 204
    assert bot.id not in str(ada.get("/v1/bots").body)


def test_only_bots_with_known_games_are_listed(client: ApiClient, ada: Player) -> None:
    """The refusal says what is wrong."""
    assert put(ada, games=["morris"]) == "not_a_bot_token"
    bot = bot_of(client, "Nobody")
    wrong: list[Json] = [{}, {"games": []}, {"games": ["chess"]}, {"games": ["morris"], "description": "x" * 201}]
    for fields in wrong:
        assert put(bot, **fields) == "unfit"
    assert bot.get("/v1/bots", game="chess").code == "unfit"
