"""Matches in the archive of closed rooms: who played, and how they ended."""

from datetime import datetime
from pathlib import Path
from typing import NamedTuple

import msgspec

from service.domain.room.model.events import Result
from service.domain.room.model.ids import Millis, PlayerId, RoomKey


class PlayedMatch(NamedTuple):
    """A match with which an entry of a rating list is compared."""

    game: str
    players: tuple[PlayerId | None, ...]
    result: Result | None
    ended: Millis | None


class FirstLine(msgspec.Struct, frozen=True, tag="match_started", tag_field="type"):
    """The first line of a match's file."""

    game: str
    seats: tuple[PlayerId | None, ...]


class LastLine(msgspec.Struct, frozen=True, tag="match_ended", tag_field="type"):
    """The last line of a match's file."""

    result: Result
    time: datetime


def archived_match(folder: Path, key: RoomKey, number: int) -> PlayedMatch | str | None:
    """Return a match from the archive, what is wrong with its file, or None if there is none."""
    file = folder / f"{key.name}.{key.epoch}" / f"{number}.ndjson"
    try:
        lines = file.read_bytes().splitlines()
    except FileNotFoundError:
        return None
    try:
        first = msgspec.json.decode(lines[0], type=FirstLine)
        last = msgspec.json.decode(lines[-1], type=LastLine)
        return PlayedMatch(first.game, first.seats, last.result, Millis(round(last.time.timestamp() * 1000)))
    except (msgspec.DecodeError, ValueError, IndexError) as wrong:
        return f"{file}: {wrong}"
