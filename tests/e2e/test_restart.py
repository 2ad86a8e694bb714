"""A graceful restart of the API loses nothing, and a repeated command gets the same response after it."""

from tests.e2e.client import Json, Response
from tests.e2e.conftest import StartApi
from tests.e2e.seated_rooms import seat_players


def without_time(response: Response) -> Json:
    """Return a response's body without its time."""
    return {**response.body, "view": {**response.body["view"], "server_time": ""}}


def test_a_repeated_command_gets_its_first_response_from_another_process(start_api: StartApi) -> None:
    """A new match has started since, and the process loads the room from its start."""
    api, client = start_api()
    room, (red, yellow) = seat_players(client, "turncoat", 2)
    move = red.read_room(room).body["match"]["legal_moves"][0]
    first = red.play(room, move, key="first")
    opened = red.post("/v1/rooms", {"game": "morris"}, {"idempotency-key": "open"})
    red.command(room, "request_new")
    assert yellow.command(room, "request_new", key="new").body["view"]["match"]["number"] == 2
    view = red.read_room(room)
    api.stop()
    api.start()
    again = red.play(room, move, key="first")
    assert again.headers["idempotency-replayed"] == "true"
    assert without_time(again) == without_time(first)
    assert red.post("/v1/rooms", {"game": "morris"}, {"idempotency-key": "open"}).body["room"] == opened.body["room"]
    assert red.play(room, {"type": "commit"}, key="first").code == "key_reused"
    assert red.read_room(room).etag == view.etag
    assert {**red.read_room(room).body, "server_time": ""} == {**view.body, "server_time": ""}
