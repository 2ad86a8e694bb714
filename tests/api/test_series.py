"""What happens after a match, through the API: vetoes, series, and other options and settings."""

from tests.e2e.client import Json, Player
from tests.waiting import wait_for


def playing(ada: Player, bob: Player, game: str = "morris", **settings: object) -> str:
    """Open a room in which a match begins as soon as both sit."""
    room: str = ada.open_room(game, settings={"start": "full", **settings}).body["room"]
    assert bob.command(room, "join").status == 200
    return room


def view_of_match(number: int, room: str, *players: Player) -> Json:
    """Return the room's view as soon as this match is played; all these players are present."""

    def view() -> Json | None:
        shown: list[Json] = [player.read_room(room).body for player in players]
        return shown[0] if (shown[0]["status"], shown[0]["match"]["number"]) == ("playing", number) else None

    found = wait_for(view)
    assert found is not None
    return found


def test_a_series_is_counted_and_ends(ada: Player, bob: Player) -> None:
    """Best of three, the seats rotating: two wins decide it, and no match starts automatically after that."""
    room = playing(ada, bob, restart=0, best_of=3, seats_next="rotate")
    bob.command(room, "resign")
    first = view_of_match(2, room, ada, bob)
    assert first["series"]["scores"] == [{"player": ada.id, "nickname": "Ada", "bot": None, "points": 1}]
    over = bob.command(room, "resign").body["view"]
    assert (over["status"], over["restart_at"]) == ("finished", None)
    assert (over["series"]["decided"], over["series"]["played"]) == (True, 2)
    ada.command(room, "ready")
    fresh = bob.command(room, "ready").body["view"]
    assert (fresh["status"], fresh["series"]["number"], fresh["series"]["scores"]) == ("playing", 2, [])


def test_a_veto_stops_the_next_match(ada: Player, bob: Player) -> None:
    """It is sent during the match."""
    room = playing(ada, bob, restart=0)
    assert ada.command(room, "veto_next").status == 200
    assert ada.command(room, "veto_next").code == "nothing_to_veto"
    over = bob.command(room, "resign").body["view"]
    assert (over["status"], over["restart_at"]) == ("finished", None)
    assert over["waiting_for"] == [0]
    assert ada.command(room, "ready").status == 200
    view_of_match(2, room, ada, bob)


def test_options_change_with_the_next_match(ada: Player, bob: Player) -> None:
    """Until then the view has the scheduled change."""
    room = playing(ada, bob, restart=0)
    assert bob.command(room, "configure", options={"flying": "off"}).code == "not_the_creator"
    changed = ada.command(room, "configure", options={"flying": "off"}, settings={"restart": None}).body["view"]
    assert changed["options"]["flying"] == "both"
    assert (changed["next"]["options"]["flying"], changed["next"]["settings"]["restart"]) == ("off", None)
    over = bob.command(room, "resign").body["view"]
    assert (over["status"], over["options"]["flying"], over["next"]) == ("finished", "off", None)
    misfit = ada.command(room, "configure", options={"flying": "high"})
    assert (misfit.status, misfit.body["pointer"]) == (422, "/options/flying")


def test_a_room_for_three_becomes_one_for_two(ada: Player, bob: Player, cyd: Player) -> None:
    """This is possible before a match; the player without a seat becomes a spectator."""
    room = ada.open_room("rainbow", options={"players": 3}).body["room"]
    bob.command(room, "join")
    cyd.command(room, "join")
    two = ada.command(room, "configure", options={"players": 2}).body["view"]
    assert [seat["player"] for seat in two["seats"]] == [ada.id, bob.id]
    assert len(two["players"]) == 3
    assert cyd.command(room, "ready").code == "not_seated"
