"""Compares what two releases show or store; what differs on purpose is listed here, each with its reason."""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from tests.releases.recordings import StoreCommand


class Wanted(NamedTuple):
    """A difference between the views of a release and this one that is wanted."""

    release: str
    """Empty between two processes of this release."""
    path: str
    """A regular expression for the path."""
    pointer: str
    """A regular expression for the JSON pointer."""
    reason: str


VIEWS = (
    Wanted("4c8ce343", r"/v1/(ratings|tournaments)/.*", r"/body/place", "A page names the place that it is around."),
    Wanted("4c8ce343", r"/v1/(players/me/|bots).*", r".*/(deadline|until)", "These times are RFC 3339, as all others."),
    Wanted("4c8ce343", r"/v1/players/me/.*", r".*/strangers", "A challenge has a field more."),
    Wanted(
        "4c8ce343", r"/v1/tournaments/.*/tables.*", r"/body/byes", "The matches of a tournament are shown with byes."
    ),
    Wanted(
        "4c8ce343",
        r"/v1/(ratings|players/).*",
        r".*/(provisional|total|next|place|opponents|place_needs/players|(best|places)(/.*)?)",
        "A place requires opponents of certain strength, and a leaderboard with few places has everybody.",
    ),
    Wanted("4c8ce343", r"/v1/(seeks|players/me/seeks).*", r".*/bots?", "A seek says whether bots are wanted."),
    Wanted(
        "4c8ce343",
        r"/v1/seeks",
        r"/body/(total|next|seeks/\d+/(id|player))",
        "Seeks are listed in pages, with ids by which they are accepted.",
    ),
    Wanted("4c8ce343", r"/v1/(players|matches|rooms)/.*", r".*/counts", "A match says whether it counts."),
    Wanted(
        "4c8ce343",
        r"/v1/players/.*",
        r".*/(outcome|results(/.*)?)",
        "A match in which fewer than two players had moved does not count.",
    ),
    Wanted(
        "4c8ce343",
        r"/v1/(players|matches)/.*",
        r".*/(rated|not_rated)",
        "It is said which matches count for ratings, and why others do not.",
    ),
    Wanted("4c8ce343", r"/v1/players/me", r"/body/rooms/\d+/seated", "The rooms of a player say who has their seats."),
    Wanted("4c8ce343", r"/v1/rooms/.*/chat", r"/body/lines/\d+/(room|title)", "A line says where it was written."),
    Wanted("4c8ce343", r".*", r".*/(other_)?bot", "Declared bots are marked wherever a player is shown."),
    Wanted("4c8ce343", r".*", r".*/expires_at", "A room that only its creator has entered closes sooner, and says so."),
    Wanted("4c8ce343", r".*", r".*/waiting_for", "The view says for whom the next match waits."),
    Wanted(
        "4c8ce343", r"/v1/(bots|games).*", r".*/(house|bots)(/.*)?", "There are six levels of bots instead of three."
    ),
    Wanted("", r"/v1/rooms/.*", r".*/expires_at", "A room that only its creator has entered stays open if it is read."),
    Wanted("4c8ce343", r"/v1/admin/rooms.*", r"/body/(rooms/\d+/)?due", "So it is due sooner, and so are first moves."),
)
"""The differences in views."""

EVENTS: Mapping[str, str] = {
    "challenge_made": "The player who makes a challenge does not receive it,",
    r'event_sent","webhook":"[^"]*","event":\d+,"event_type":"challenge_made': "nor are that player's webhooks.",
    r'invitation_(made|accepted|declined)","room': "Who made an invitation receives what happens to it,",
    r'event_sent","webhook":"[^"]*","event":\d+,"event_type":"invitation_': "and so do that player's webhooks.",
    "turn_began": "Turns are stored while somebody reads them, and those that wait when somebody begins to,",
    r'event_sent","webhook":"[^"]*","event":\d+,"event_type":"turn_began': "which a webhook does.",
    "pairing_kept": "A worker stores it if the scenario takes longer than the players had for appearing.",
    "clocks_extended": "Clocks get back the time for which a busy machine suspended a process of the scenario.",
    "seats_assigned": "In rated rooms the seats rotate, so the scenario assigns them as they were in 4c8ce343.",
}
"""Types of events that only one of two releases stores in the scenario, with the reasons."""

AGREED = "Players agree on each match of a rated room, of quick play and of challenges, and the seats rotate."

FIELDS: Mapping[str, str] = {
    ',"bots":false': "A seek says whether bots are wanted; 4c8ce343 skips the field, and pairs as before.",
    **dict.fromkeys((',"restart":5000', ',"restart":null', ',"seats_next":"keep"', ',"seats_next":"rotate"'), AGREED),
    ',"strangers":[]': "Who has met whom decides how many challenges a player can receive; 4c8ce343 skips the field.",
}
"""Fields that events of this release have in addition, as they are stored in the scenario, with the reasons."""

ABSENT = "(absent)"


class Difference(NamedTuple):
    """A value that differs."""

    path: str
    viewer: str
    pointer: str
    before: Any
    after: Any


def compare_views(
    release: str, before: Mapping[str, Mapping[str, Any]], after: Mapping[str, Mapping[str, Any]]
) -> list[Difference]:
    """Return how views differ from those of a release, except as listed."""
    found = (
        Difference(path, viewer, *each)
        for path, viewers in before.items()
        for viewer, view in viewers.items()
        for each in compare(view, after[path][viewer])
    )
    return [each for each in found if not any(fits(wanted, release, each) for wanted in VIEWS)]


def fits(wanted: Wanted, release: str, found: Difference) -> bool:
    """Return whether a difference is a listed one."""
    is_there = re.fullmatch(wanted.path, found.path) and re.fullmatch(wanted.pointer, found.pointer)
    return wanted.release == release and is_there is not None


def compare(before: Any, after: Any, pointer: str = "") -> Iterator[tuple[str, Any, Any]]:
    """Yield where JSON differs: the pointer and both values."""
    if isinstance(before, dict) and isinstance(after, dict):
        for name in {**before, **after}:
            yield from compare(before.get(name, ABSENT), after.get(name, ABSENT), f"{pointer}/{name}")
    elif isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        for number, (one, other) in enumerate(zip(before, after, strict=True)):
            yield from compare(one, other, f"{pointer}/{number}")
    elif before != after:
        yield pointer, before, after


STREAM = re.compile(rb"\{p\d+\}:(?P<kind>room|stream):(?P<name>.*)", re.DOTALL)
MADE_UP = re.compile(r"[a-z]+-[a-z]+-(\d{3}|[a-z2-7]{8})")
"""Names of rooms that were opened without one, or that nobody can guess."""

OPAQUE = re.compile(
    r"(?P<time>\b1[789]\d{11}\b)"
    r"|(?P<hash>\b[0-9a-f]{16,64}\b|(?<![\w-])(?=[\w-]*[A-Z])[\w-]{22}(?:[\w-]{21})?(?![\w-]))"
    r"|(?P<id>\b(?:[pw]-)?[a-z2-7]{16}\b)"
    r"|(?P<port>(?<=127\.0\.0\.1:)\d+)"
    r"|(?P<took>(?<=\"took\":)\d+)"
)
"""What differs each time although the commands are the same: times, hashes, ids, and how long requests took."""

BY_LIST = re.compile(r'(?<=,)\["tournament_list/",\d+\](?=,\{"type":"tournament_created")')
"""Where a tournament comes from if its creation was delivered before the process that admitted it had stored it."""

PLACE = re.compile(r"^(\[\d+,\d+,)\d+,\d+,")
"""The number of an event in its command, and that of the command's events, which `EVENTS` change."""

SOURCE = re.compile(r'(\["rated-\d+:<epoch>",)\d+')
"""The version of a rated room from which a match was delivered, which `EVENTS` change as well."""

KEY = re.compile(rb'(?<=",)(null,null|"[^"]+","[^"]+")(?=,\{)')
"""The key of a command and the hash of its content, which its first event has."""

CELL = re.compile(r"\b[a-g][1-7]\b")
"""A point of Nine Men's Morris."""

AGAINST_BOTS = "solo:"
"""The room with bots, whose choices depend on the room's epoch."""

SUMMARY = r'\{"type":"(?:\w+_)?summarised"'
TIMED = re.compile(r"(player|webhooks|tournament_list)/")
"""Streams whose events also depend on when they are delivered: of several turns, only the latest is notified."""

Sequence = tuple[str, ...]


def plain_events(
    store: Iterable[StoreCommand], names: Mapping[str, str], without: Collection[str] = ()
) -> dict[str, list[Sequence]]:
    """Return the events of all streams as they were encoded, with placeholders for ids and times.

    Summaries are left out, because their places depend on when events are delivered. Of streams that do so themselves,
    each event is returned once, without numbers, in any order. Streams that differ only in their ids have one name.
    Events of the types in `without` are left out, as are the fields that this release adds.
    """
    added = re.compile("|".join(map(re.escape, FIELDS)))
    left_out = re.compile("|".join((SUMMARY, *(rf'\{{"type":"{name}"' for name in without))))
    streams: dict[bytes, list[bytes]] = {}
    for command in store:
        if command[0] == b"XADD" and STREAM.fullmatch(command[1]):
            fields = dict(zip(command[3::2], command[4::2], strict=True))
            streams.setdefault(command[1], []).append(fields[b"e"])
    named = {value: name for name, value in reversed(list(names.items())) if not name.startswith(("room ", "match "))}
    placeholders = named | room_placeholders(streams)
    known = re.compile("|".join(re.escape(value) for value in sorted(placeholders, key=len, reverse=True)))

    def plain(data: bytes) -> str:
        text = PLACE.sub(r"\1", BY_LIST.sub("null", added.sub("", data.decode())))
        text = SOURCE.sub(r"\1<version>", known.sub(lambda found: f"<{placeholders[found[0]]}>", text))
        return OPAQUE.sub(lambda found: f"<{found.lastgroup}>", text)

    plain_streams: dict[str, list[Sequence]] = {}
    for key, events in streams.items():
        name = plain(key.partition(b":")[2].partition(b":")[2])
        found = [plain(event) for event in with_keys_moved(events) if not left_out.search(event.decode())]
        if name.startswith(AGAINST_BOTS):
            found = [CELL.sub("<cell>", text) for text in found]
        if TIMED.match(name):
            found = sorted({re.sub(r"\d+", "0", text) for text in latest_per_tournament(found)})
        plain_streams.setdefault(name, []).append(tuple(found))
    return {name: sorted(sequences) for name, sequences in plain_streams.items()}


def with_keys_moved(events: Iterable[bytes]) -> Iterator[bytes]:
    """Yield events, where the key of a command that first extended clocks is that of the event after it."""
    moved = None
    for event in events:
        yield event if moved is None else KEY.sub(moved, event, count=1)
        extended = KEY.search(event) if b'{"type":"clocks_extended"' in event else None
        moved = extended and extended[0]


def latest_per_tournament(events: Iterable[str]) -> Iterable[str]:
    """Return of the changes that a tournament reports only the last one; which others there are depends on delivery."""
    return {re.sub(r"\d+", "0", text.partition('"terms"')[0]): text for text in events}.values()


def room_placeholders(streams: Iterable[bytes]) -> dict[str, str]:
    """Return placeholders for epochs, and for names that were made up."""
    found = {}
    for key in streams:
        match = STREAM.fullmatch(key)
        if match and match["kind"] == b"room":
            name, _, epoch = match["name"].decode().partition(":")
            found[epoch] = "epoch"
            if MADE_UP.fullmatch(name):
                found[name] = "room"
    return found
