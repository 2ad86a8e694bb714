"""`turnstream verify`: whether a match follows from its seed, its moves and the rules.

Exit codes: 0 all checks hold, 1 a check fails, 2 no match that can be checked.
"""

import argparse
import hashlib
import sys
from collections.abc import Iterable, Iterator
from urllib.parse import quote, urlsplit, urlunsplit

import msgspec

from service.domain.game import Event
from service.domain.notation.replay import Refuted, Step, refutation, replay, rules_of
from service.domain.notation.sheet import Drop, Heading, MatchRecord, Sheet, Takeback, Unreadable, sheet_of
from service.domain.notation.writing import sentence
from service.programs.replay.screen import printable
from service.programs.replay.source import fetch, is_address, match_from
from service.runtime.os_errors import reason_of


class Check(msgspec.Struct, frozen=True):
    """What was checked, whether it holds (None if that cannot be determined), and what was found."""

    name: str
    holds: bool | None
    found: str


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


LABELS = {True: "ok    ", False: "WRONG ", None: "?     "}


def main(arguments: argparse.Namespace) -> int:
    """Check the match and print the results."""
    try:
        heading, found = checked(arguments.match)
    except Unreadable as unreadable:
        sys.stderr.write(f"turnstream verify: {printable(str(unreadable))}\n")
        return 2
    say(f"{heading.match}: {heading.game}, {heading.result.reason}")
    return 0 if all_hold(found) else 1


def checked(place: str) -> tuple[Heading, list[Check]]:
    """Return the heading of the match at a place, and its checks. Raises `Unreadable`, and `OSError`."""
    match = match_from(place)
    sheet = match if isinstance(match, Sheet) else sheet_of(match)
    record = match if isinstance(match, MatchRecord) else None
    return sheet.heading, [*checks(sheet, record), publication_check(place, sheet.heading)]


def all_hold(found: Iterable[Check]) -> bool:
    """Print checks, and return whether none of them fails."""
    holds = True
    for check in found:
        say(f"{LABELS[check.holds]} {check.name:7}{check.found}")
        holds = holds and check.holds is not False
    return holds


def say(line: str) -> None:
    """Print a line."""
    sys.stdout.write(f"{printable(line)}\n")
    sys.stdout.flush()


def checks(sheet: Sheet, match: MatchRecord | None) -> Iterator[Check]:
    """Yield checks until one fails without which the next are meaningless. Raises `Unreadable`."""
    rules = rules_of(sheet.heading)
    yield seed_check(sheet.heading)
    steps: list[Step] = []
    try:
        steps += replay(sheet)
    except Refuted as refuted:
        yield Check("moves", holds=False, found=str(refuted))
        return
    compared = recomputed(steps) if match is None else list(comparisons(steps, match))
    yield from compared
    if all(check.holds for check in compared):
        dropped = [entry.seat for entry in sheet.entries if isinstance(entry, Drop)]
        wrong = refutation(rules, steps[-1].after, sheet.heading.result, dropped)
        yield Check("result", wrong is None, wrong or "the one that the rules give after the last move")


def seed_check(heading: Heading) -> Check:
    """Compare the seed with the hash that was published before the match."""
    found = hashlib.sha256(bytes.fromhex(heading.seed)).hexdigest()
    kept = found == heading.seed_hash
    return Check("seed", kept, f"its SHA-256 is {found}, {'the' if kept else 'not the'} published one")


def recomputed(steps: list[Step]) -> list[Check]:
    """Return the checks of a match with moves but without events."""
    start = Check("start", holds=True, found="recomputed from the seed; a text has no events to compare with")
    return [start, Check("moves", holds=True, found=f"all legal; {counts(steps)}")]


def comparisons(steps: list[Step], match: MatchRecord) -> Iterator[Check]:
    """Compare the events that follow from seed and moves with the recorded ones: first the setup, then the rest."""
    rules = match.game
    expected = [[event for event in step.events if not isinstance(event, rules.unrecorded)] for step in steps]
    events = [event for event in match.events if not isinstance(event, rules.unrecorded)]
    setup = len(expected[0])
    wrong = difference(expected[0], events[:setup], match.colours)
    yield Check("start", wrong is None, wrong or f"the setup follows from the seed; events compared: {setup}")
    if wrong is None:
        wrong = difference([event for step in expected[1:] for event in step], events[setup:], match.colours)
        yield Check("moves", wrong is None, wrong or f"all legal, with the recorded consequences; {counts(steps)}")


def difference(expected: list[Event], events: list[Event], seats: tuple[str, ...]) -> str | None:
    """Return the first difference between two sequences of events, None if there is none."""
    for number, (due, recorded) in enumerate(zip(expected, events, strict=False), 1):
        if due != recorded:
            return f"event {number}: expected `{sentence(due, seats)}`, found `{sentence(recorded, seats)}`"
    if len(expected) == len(events):
        return None
    return f"expected {len(expected)} events, found {len(events)}"


def counts(steps: list[Step]) -> str:
    """Return the numbers of what was recomputed."""
    draws = sum(hasattr(event, "draw") for step in steps for event in step.events)
    drops = sum(isinstance(step.entry, Drop) for step in steps)
    backs = sum(isinstance(step.entry, Takeback) for step in steps)
    taken_back = f", takebacks: {backs}" if backs else ""
    return f"moves: {len(steps) - 1 - drops - backs}, drop-outs: {drops}{taken_back}, draws of chance: {draws}"
