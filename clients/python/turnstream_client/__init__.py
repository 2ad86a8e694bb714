"""A client of Turnstream, the multiplayer board-game service.

`Client` holds a player's token and sends requests. `Client.follow` returns a `Room`, which follows one room over a
socket, resumes after a lost connection, and sends commands that are executed once. `Client.follow_lobby` returns a
`Lobby`, the public rooms. `turnstream_client.schema` has the types of moves, views, events and commands.
"""

from turnstream_client.client import Client
from turnstream_client.errors import (
    EventsMissedError,
    FeedClosedError,
    RefusedError,
    RoomReplacedError,
    TurnstreamError,
    UnreachableError,
    UnreadableError,
)
from turnstream_client.frames import OtherEvent
from turnstream_client.lobby import Lobby
from turnstream_client.retries import Retries
from turnstream_client.room import Room
from turnstream_client.schema import Problem

__all__ = [
    "Client",
    "EventsMissedError",
    "FeedClosedError",
    "Lobby",
    "OtherEvent",
    "Problem",
    "RefusedError",
    "Retries",
    "Room",
    "RoomReplacedError",
    "TurnstreamError",
    "UnreachableError",
    "UnreadableError",
]
