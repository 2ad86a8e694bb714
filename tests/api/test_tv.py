"""TV over the API: which channels there are, and who can follow them. `tests/e2e/test_tv.py` has what they show."""

from service.contests.tv import CHANNELS
from tests.e2e.client import ApiClient, Player, open_room_socket, open_shared_socket


def test_there_is_a_channel_for_each_game_and_one_for_all(anonymous: Player, client: ApiClient) -> None:
    """Anybody can follow them; no other one can be followed."""
    assert [each["tv"] for each in anonymous.get("/v1/tv").body["channels"]] == [*CHANNELS]
    with open_shared_socket(client.url) as feed:
        feed.send(type="subscribe", tv="best", id=1)
        frames = feed.until(lambda frame: frame["type"] == "reply")
        assert [frame["type"] for frame in frames] == ["tv", "reply"]
        feed.send(type="unsubscribe", tv="best", id=2)
        assert feed.until(lambda frame: frame["type"] == "reply")[-1] == {"type": "reply", "id": 2}
        feed.send(type="subscribe", tv="chess", id=3)
        assert feed.next("reply")["problem"]["code"] == "unfit"
        feed.send(type="subscribe", tv="best", lobby=True, id=4)
        assert feed.next("reply")["problem"]["code"] == "unfit"


def test_a_socket_for_one_room_has_no_tv(ada: Player, client: ApiClient) -> None:
    """Nor the lobby, nor another room."""
    room = ada.open_room("morris").body["room"]
    with open_room_socket(client.url, room) as feed:
        feed.send(type="subscribe", tv="best", id=1)
        assert feed.next("reply")["problem"]["code"] == "no_such_room"
