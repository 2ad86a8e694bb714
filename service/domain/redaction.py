"""Redaction of events: the only way in which events leave the server."""

from functools import cache
from typing import Literal

import msgspec

from service.domain.game import Event, Seat, SeatEvent


@cache
def hidden_fields(kind: type[Event]) -> tuple[tuple[str, Literal["others", "all"]], ...]:
    """Return the names of an event type's hidden fields, each with the audience that it is hidden from."""
    found: list[tuple[str, Literal["others", "all"]]] = []
    for field in msgspec.inspect.type_info(kind).fields:  # type: ignore[attr-defined]  # events are structs
        extra = field.type.extra if isinstance(field.type, msgspec.inspect.Metadata) else None
        if extra and "hidden_from" in extra:
            found.append((field.name, extra["hidden_from"]))
    return tuple(found)


def redact(event: Event, seat: Seat | None) -> Event:
    """Return the event as `seat` may know it (None: the public); the same object if nothing is hidden.

    The result for an event never changes with time: a secret is revealed by a later event.
    """
    hidden = hidden_fields(type(event))
    if not hidden:
        return event
    owner = seat is not None and isinstance(event, SeatEvent) and event.seat == seat
    unset = {name: msgspec.UNSET for name, hidden_from in hidden if hidden_from == "all" or not owner}
    return msgspec.structs.replace(event, **unset) if unset else event
