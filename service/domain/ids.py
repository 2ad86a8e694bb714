"""Small types that must not be mixed up: ids, names, versions, players, and times with their wire form."""

from datetime import UTC, datetime
from functools import cache, lru_cache
from typing import Annotated, Any, ClassVar, NamedTuple, NewType

import msgspec

Version = NewType("Version", int)
"""The number of an event in its room's stream, from 1; also the cursor of a feed and half of an ETag."""

Millis = NewType("Millis", int)
"""A time on the store's clock in milliseconds since 1970, or a duration in milliseconds."""

Moment = Annotated[Millis, msgspec.Meta(extra={"is_time": True})]
"""A time that is stored in milliseconds since 1970, and sent to clients as RFC 3339; see `wire_form`."""

Seat = NewType("Seat", int)
"""A place in a match, numbered from 0 in turn order."""

PlayerId = NewType("PlayerId", str)
"""A player's id; created with the player's token, which signs it."""

PLAYER_ID = "p-[a-z0-9]{1,40}"
"""The form of a player's id, as a regular expression."""


def is_person(player: PlayerId) -> bool:
    """Return whether this is the id of a person; those of the service's bots begin with `bot-`."""
    return player.startswith("p-")


NameRef = NewType("NameRef", str)
"""Refers to a nickname of a player: the player's id, a slash and a number. Nicknames are stored apart from events."""

RoomName = NewType("RoomName", str)
"""A folded name: 3 to 40 of the characters `a-z 0-9 -`."""

Epoch = NewType("Epoch", str)
"""Distinguishes the rooms of one name; each room that is opened under the name gets another one."""


class RoomKey(msgspec.Struct, frozen=True, cache_hash=True):
    """Identifies a room permanently: its name and epoch. A closed room keeps its key when its name is used again."""

    name: RoomName
    epoch: Epoch
    kind: ClassVar[str] = "room"

    @property
    def id(self) -> str:
        """What identifies the room among those with its epoch: its name."""
        return self.name

    @property
    def label(self) -> str:
        """The key as a text, as in the store's sets."""
        return f"{self.name}:{self.epoch}"


class Player(msgspec.Struct, frozen=True, omit_defaults=True):
    """A player; a command to join can set another nickname for its room."""

    id: PlayerId
    """The player's id."""
    nickname: str
    bot: bool = False
    """Whether the player declared that a program plays for them; absent for people."""


SECOND = 1000
DAY = 86_400 * SECOND

SILENCE = Millis(2_000)
"""Milliseconds without a heartbeat of any worker that count as an outage; workers send several in that time."""

MILLIS = tuple(f".{millis:03d}Z" for millis in range(1000))
"""The end of a time, by its milliseconds."""


@lru_cache(maxsize=4096)
def whole_second(second: int) -> str:
    """Return a time in UTC to the second, without the zone."""
    return datetime.fromtimestamp(second, UTC).strftime("%Y-%m-%dT%H:%M:%S")


@lru_cache(maxsize=4096)
def rfc3339(moment: Millis) -> str:
    """Return a time in UTC as RFC 3339 with milliseconds."""
    second, millis = divmod(moment, 1000)
    return whole_second(second) + MILLIS[millis]


def wire_form(value: msgspec.Struct) -> Any:
    """Return a struct with every `Moment` in it as RFC 3339, to be encoded; the same object if it has none."""
    fields = time_fields(type(value))
    if not fields:
        return value
    sent = {
        name: rfc3339(getattr(value, name)) if is_time else wire_form(getattr(value, name)) for name, is_time in fields
    }
    return msgspec.structs.replace(value, **sent)


@cache
def time_fields(kind: type[msgspec.Struct]) -> tuple[tuple[str, bool], ...]:
    """Return the fields of a struct that are a `Moment`, or else a struct with one."""
    found = []
    for field in msgspec.inspect.type_info(kind).fields:  # type: ignore[attr-defined]  # of a struct
        match field.type:
            case msgspec.inspect.Metadata(extra={"is_time": True}):
                found.append((field.name, True))
            case msgspec.inspect.StructType(cls=cls) if time_fields(cls):
                found.append((field.name, False))
    return tuple(found)


class Outage(NamedTuple):
    """A period in which no worker ran, or none reached the store."""

    since: Millis
    until: Millis


class Pulse(NamedTuple):
    """The workers' latest heartbeat, None before the first one, and the known outages."""

    beat: Millis | None = None
    outages: tuple[Outage, ...] = ()
