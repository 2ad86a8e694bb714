"""Whether the hash of a match's seed was published before the match, by the event that publishes such hashes."""

from urllib.parse import quote, urlsplit, urlunsplit

import msgspec

from service.domain.notation.sheet import Heading, Unreadable
from service.programs.replay.check import Check
from service.programs.replay.source import fetch, is_address
from service.runtime.os_errors import reason_of

NAME = "hash"


class Publishing(msgspec.Struct):
    """The part that is read of the event that publishes the hash of the next match's seed."""

    type: str
    version: int
    epoch: str | None = None
    next_seed_hash: str | None = None


def publication_check(place: str, heading: Heading) -> Check:
    """Look up at a match's address what was published before it; for other places the result is unknown."""
    if not is_address(place):
        return Check(
            NAME, None, "unknown whether it was published before the match: pass the match's address to look it up"
        )
    try:
        before = event_before(place, heading.match)
    except (Unreadable, OSError) as fault:
        return Check(NAME, None, f"what was published before the match cannot be read: {reason_of(fault)}")
    if before.next_seed_hash is None:
        return Check(NAME, None, f"an earlier release published none before the match, at version {before.version}")
    kept = before.next_seed_hash == heading.seed_hash
    found = f"{'published' if kept else 'another one was published'} by {before.type} at version {before.version}"
    return Check(NAME, kept, f"{found}, before any salt for this match")


def event_before(place: str, match_id: str) -> Publishing:
    """Return the event that published the hash for a match. Raises `Unreadable`, and `OSError` without an answer."""
    room, epoch, number = (*match_id.split("."), "", "", "")[:3]
    if not number.isascii() or not number.isdigit():
        raise Unreadable(f"{match_id} is not the id of a match")
    if number == "1":
        lines = fetch(sibling_address(place, f"/v1/rooms/{quote(room)}/events?since=0&limit=1"))
        wanted = "room_opened"
    else:
        lines = fetch(sibling_address(place, f"/v1/matches/{quote(room)}.{quote(epoch)}.{int(number) - 1}/export"))
        wanted = "match_ended"
    try:
        event = msgspec.json.decode(lines.splitlines()[-1], type=Publishing)
    except (ValueError, IndexError) as fault:
        raise Unreadable(f"no event: {fault}") from None
    if event.type != wanted or event.epoch not in {None, epoch}:
        raise Unreadable("the room of this match is closed, and another room has its name")
    return event


def sibling_address(place: str, path: str) -> str:
    """Return an address of the service from which a match was read."""
    parts = urlsplit(place)
    prefix, found, _ = parts.path.partition("/v1/matches/")
    if not found:
        raise Unreadable("expected the address of a match under /v1/matches/")
    path, _, query = path.partition("?")
    return urlunsplit(parts._replace(path=prefix + path, query=query, fragment=""))
