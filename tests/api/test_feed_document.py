"""The document of the feeds: every feed, frame and close code, and true in every example."""

import re
from typing import get_args

import pytest
from litestar.handlers import WebsocketRouteHandler

from clients.spec.names import component_name
from service.api import close_codes
from service.api.app import ROUTES
from service.api.close_codes import MEANINGS, REMEDIES
from service.rooms.feeds.frames import FromClient, FromServer
from tests.api.documents import ASYNCAPI, STRICT_FRAMES, Json, open_hot_seat_room
from tests.e2e.client import ApiClient

MESSAGES: Json = ASYNCAPI["components"]["messages"]


@pytest.mark.parametrize("kind", [*get_args(FromClient), *get_args(FromServer)], ids=lambda kind: kind.__name__)
def test_every_frame_is_a_message_with_a_valid_example(kind: type) -> None:
    """The frames of both directions have the descriptions in their docstrings."""
    message = MESSAGES[component_name(kind)]
    assert message["name"] == kind.__struct_config__.tag  # type: ignore[attr-defined]  # frames are structs
    assert message["summary"] == kind.__doc__
    assert message["examples"]
    for example in message["examples"]:
        STRICT_FRAMES.validate(example["payload"], message["payload"])


def test_every_feed_is_a_channel() -> None:
    """Sockets and streams; each frame is received or sent there, by an operation that names its channel's messages."""
    assert ASYNCAPI["asyncapi"] == "3.0.0"
    streams = [handler for handler in ROUTES if getattr(handler.opt.get("docs"), "frames", None)]
    two_ways = [handler for handler in ROUTES if isinstance(handler, WebsocketRouteHandler)]
    assert len(ASYNCAPI["channels"]) == len(streams) + len(two_ways) > 1
    for name, channel in ASYNCAPI["channels"].items():
        reference = f"#/channels/{name}"
        operations = [each for each in ASYNCAPI["operations"].values() if each["channel"]["$ref"] == reference]
        described = [
            part for each in operations for part in (*each["messages"], *each.get("reply", {}).get("messages", []))
        ]
        every = {f"#/channels/{name}/messages/{kind}" for kind in channel["messages"]}
        assert {message["$ref"] for message in described} == every
        assert set(re.findall(r"{(\w+)}", channel["address"])) == set(channel.get("parameters", {}))
        assert all(server["$ref"].rpartition("/")[2] in ASYNCAPI["servers"] for server in channel["servers"])


def test_frames_of_a_socket_match_their_documented_messages(client: ApiClient) -> None:
    """Every frame of a real conversation, without a field that the document doesn't name."""
    ada, view = open_hot_seat_room(client)
    room = view["room"]
    by_tag = {message["name"]: message["payload"] for message in MESSAGES.values()}
    with ada.subscribe(room, seat=view["match"]["to_move"][0]) as feed:
        frames = feed.until(lambda frame: frame["type"] == "caught_up")
        feed.send(type="ping")
        feed.send(type="subscribe", room="no such room")
        feed.send(type="command", id=1, room=room, command={"type": "play", "move": {"type": "place", "at": "a1"}})
        feed.send(type="command", id=2, room=room, command={"type": "play", "move": view["match"]["legal_moves"][0]})
        frames += feed.until(lambda frame: frame.get("id") == 2)
    for frame in frames:
        STRICT_FRAMES.validate(frame, by_tag[frame["type"]])
    described = {"subscribed", "snapshot", "caught_up", "pong", "error", "reply", "update"}
    assert {frame["type"] for frame in frames} == described


def test_every_close_code_is_documented() -> None:
    """Both addresses of sockets list each code with its meaning and a remedy."""
    ours = {code for name, code in vars(close_codes).items() if name.isupper() and isinstance(code, int)}
    assert ours | {1001, 1002, 1006, 1007, 1009, 1011, 1012} == set(MEANINGS)
    assert all(any(code in codes for codes, _ in REMEDIES) for code in MEANINGS)
    sockets = [channel for channel in ASYNCAPI["channels"].values() if "x-close-codes" in channel]
    assert len(sockets) == 2
    for socket in sockets:
        assert {close["code"] for close in socket["x-close-codes"]} == set(MEANINGS)
