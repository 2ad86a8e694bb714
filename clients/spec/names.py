"""The names of the components in both documents.

In Python the module says whether `Join` is a command and `Ping` a frame. In a generated client the name stands alone,
so commands, frames, moves, events and clocks end with what they are, and some other types have a longer name.
"""

import re

import msgspec

from service.domain.game import Event, Move
from service.domain.geometry import Geometry, Point
from service.domain.room.model.clock import ClockSetting
from service.domain.room.model.commands import Command
from service.domain.room.model.events import Result
from service.domain.room.model.settings import OpenRoom, Settings
from service.rooms.feeds import frames
from service.rooms.views.lobby_entry import LobbyEntry
from service.rooms.views.table_view import PlanView, PlayerView, ScoreView

SUFFIXES: tuple[tuple[type, str], ...] = (
    (Command, "Command"),
    (frames.ClientFrame, "Frame"),
    (frames.ServerFrame, "Frame"),
    (Move, "Move"),
    (Event, "Event"),
    (ClockSetting, "Clock"),
)

NAMES: dict[type, str] = {
    Geometry: "BoardGeometry",
    LobbyEntry: "LobbyEntry",
    OpenRoom: "OpenRoomRequest",
    PlanView: "NextMatchView",
    PlayerView: "MemberView",
    Point: "BoardPoint",
    Result: "MatchResult",
    ScoreView: "SeriesScore",
    Settings: "RoomSettings",
    frames.LobbyRoom: "LobbyEntryKey",
    frames.LobbyFrame: "LobbyFrame",
}


def component_name(struct: type[msgspec.Struct]) -> str:
    """Return the name of a type's schema; a game's types also get the game's name before it."""
    if struct in NAMES:
        return NAMES[struct]
    suffix = next((suffix for base, suffix in SUFFIXES if issubclass(struct, base)), "")
    name = struct.__name__
    return name if name.endswith(suffix) else name + suffix


def pascal_case(name: str) -> str:
    """Return `TicTacToe` for `tic-tac-toe` or `tic_tac_toe`."""
    return "".join(part.title() for part in re.split(r"[^a-zA-Z0-9]+", name))
