"""What the served documents say of a route, beside its handler: `opt=described(...)`, or `opt=followed(...)`."""

from typing import Any, Literal

import msgspec

READS: tuple[str, ...] = ("store_unavailable", "store_full")
"""What a route that asks the store refuses with."""

READS_ROOMS: tuple[str, ...] = (*READS, "history_damaged", "newer_events")
"""What a route that reads rooms refuses with."""

READS_A_ROOM: tuple[str, ...] = (*READS_ROOMS, "no_such_room", "members_only")
"""What a route that reads the room in its address refuses with."""

NEGOTIATED: tuple[str, ...] = ("not_acceptable",)
"""What a route that looks at `Accept` refuses with."""


class Parameter(msgspec.Struct, frozen=True):
    """A parameter outside the path; `kind` is the type that it is read as."""

    name: str
    kind: Any
    about: str
    where: str = "query"


class Described(msgspec.Struct, frozen=True):
    """A route for the document: what it takes, what it answers, and the codes it refuses with.

    The refusals of a token, a JSON body and parameters are added by the document; the rest stands in `refusals`.
    """

    summary: str
    answers: dict[int, Any]
    """By status the type of the JSON body, None for none."""
    refusals: tuple[str, ...] = ()
    body: Any = None
    parameters: tuple[Parameter, ...] = ()
    caller: Literal["required", "optional", "none"] = "optional"
    """Whether a token is needed; with `none` it isn't even read."""
    tag: str = "Rooms"
    also: tuple[tuple[str, str], ...] = ()
    """Further media types of the 200 answer, each with what it is."""
    headers: tuple[str, ...] = ()
    """The headers of every answer that is no refusal."""
    frames: Any = None
    """The frames of a feed that the answer streams."""


class Followed(msgspec.Struct, frozen=True):
    """A feed over a socket for the document: the frames that it takes and those that it sends."""

    summary: str
    takes: Any
    sends: Any


def described(summary: str, answers: dict[int, Any], **more: Any) -> dict[str, Any]:
    """Return the `opt` of a handler."""
    return {"described": Described(summary, answers, **more)}


def followed(summary: str, takes: Any, sends: Any) -> dict[str, Any]:
    """Return the `opt` of a socket's handler."""
    return {"followed": Followed(summary, takes, sends)}
