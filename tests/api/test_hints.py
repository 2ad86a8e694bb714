"""Hints: a good move for a single human among bots, or in a room that allows them."""

import pytest

from service.domain.catalog import GAMES
from tests.e2e.client import Player


def hint(player: Player, room: str, **query: int) -> tuple[int, str]:
    """Return the status of a request for a hint, and the code of its refusal if any."""
    answer = player.get(f"/v1/rooms/{room}/hint", **query)
    return answer.status, answer.code if answer.status >= 400 else ""


@pytest.mark.parametrize("game", GAMES)
def test_a_hint_can_be_sent_as_it_is(ada: Player, game: str) -> None:
    """Every game's best bot gives hints to a player among bots, whichever seat begins."""
    bots = [{"bot": "easy"}] * (len(GAMES[game].seats(GAMES[game].options())) - 1)
    rooms = (ada.open_room(game, seats=["me", *bots], settings={"bot_pause": 60_000}).body["view"] for _ in range(100))
    view = next(view for view in rooms if 0 in view["match"]["to_move"])
    answer = ada.get(f"/v1/rooms/{view['room']}/hint")
    assert answer.status == 200
    assert answer.body["seat"] == 0
    assert answer.body["version"] == view["version"]
    assert answer.body["move"] in view["match"]["legal_moves"]
    assert ada.play(view["room"], answer.body["move"]).status == 200


def test_among_people_there_are_no_hints_unless_the_room_says_so(ada: Player, bob: Player) -> None:
    """By default they are for those who play against bots only."""
    room = ada.open_room("morris", settings={"start": "full"}).body["room"]
    assert hint(ada, room) == (409, "not_playing")
    bob.command(room, "join")
    assert hint(ada, room) == (403, "no_hints")
    generous = ada.open_room("morris", settings={"start": "full", "hints": "on"}).body["room"]
    bob.command(generous, "join")
    assert hint(ada, generous)[0] == 200
    assert hint(bob, generous) == (409, "not_your_turn")


def test_only_players_are_helped(ada: Player, bob: Player, anonymous: Player) -> None:
    """A hint belongs to a seat and to its turn."""
    room = ada.open_room("morris", seats=["me", {"bot": "easy"}], settings={"bot_pause": 60_000}).body["room"]
    assert hint(anonymous, room) == (401, "unauthenticated")
    assert hint(bob, room) == (403, "not_a_member")
    bob.spectate(room)
    assert hint(bob, room) == (403, "not_seated")
    assert hint(ada, room, seat=1) == (403, "not_your_seat")
    strict = ada.open_room("morris", seats=["me", {"bot": "easy"}], settings={"hints": "off"}).body["room"]
    assert hint(ada, strict) == (403, "no_hints")
