"""A client of Turnstream, the multiplayer board-game service.

`Client` holds a player's token and sends requests. `Client.follow` returns a `Room`, which follows one room over a
socket, resumes after a lost connection, and sends commands that are executed once. `Client.follow_lobby` returns a
`Lobby`, the public rooms; `Client.follow_me` an `OwnFeed`, the player's events in all rooms, and
`Client.find_matches` a `Search` for other players. `turnstream_client.schema` has the types of moves, views, events and
commands.
"""

from turnstream_client.chat import ChatView
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
from turnstream_client.own_feed import OwnFeed
from turnstream_client.retries import Retries
from turnstream_client.room import Room
from turnstream_client.schema import Problem
from turnstream_client.search import Search
from turnstream_client.tournament import Tournament
from turnstream_client.tv import Tv

__all__ = [
    "ChatView",
    "Client",
    "EventsMissedError",
    "FeedClosedError",
    "Lobby",
    "OtherEvent",
    "OwnFeed",
    "Problem",
    "RefusedError",
    "Retries",
    "Room",
    "RoomReplacedError",
    "Search",
    "Tournament",
    "TurnstreamError",
    "Tv",
    "UnreachableError",
    "UnreadableError",
]
