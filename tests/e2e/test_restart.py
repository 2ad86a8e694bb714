"""An orderly restart of the API loses nothing, and what was answered before it is answered the same after it."""

from tests.e2e.client import Answer, Json
from tests.e2e.conftest import StartApi
from tests.e2e.tables import seated


def still(answer: Answer) -> Json:
    """Return an answer without the time at which it was given."""
    return {**answer.body, "view": {**answer.body["view"], "server_time": ""}}


def test_a_repeated_command_gets_its_first_answer_from_a_process_that_never_saw_it(start_api: StartApi) -> None:
    """Also when a match has begun since, from whose start the process loads the room."""
    api, door = start_api()
    room, (red, yellow) = seated(door, "turncoat", 2, settings={"restart": 0})
    move = red.sees(room).body["match"]["legal_moves"][0]
    first = red.plays(room, move, key="first")
    opened = red.posts("/v1/rooms", {"game": "morris"}, {"idempotency-key": "open"})
    assert yellow.asks(room, "resign", key="resign").body["view"]["match"]["number"] == 2
    view = red.sees(room)
    api.stop()
    api.start()
    again = red.plays(room, move, key="first")
    assert again.headers["idempotency-replayed"] == "true"
    assert still(again) == still(first)
    assert red.posts("/v1/rooms", {"game": "morris"}, {"idempotency-key": "open"}).body["room"] == opened.body["room"]
    assert red.plays(room, {"type": "commit"}, key="first").code == "key_reused"
    assert red.sees(room).etag == view.etag
    assert {**red.sees(room).body, "server_time": ""} == {**view.body, "server_time": ""}
