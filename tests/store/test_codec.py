"""How events are written down: for ever readable, chained, and never guessed at."""

import hashlib
import re
from dataclasses import replace
from typing import Any

import msgspec
import pytest

from service.domain.catalog import GAMES
from service.domain.game import Dropped, Seat
from service.domain.ids import Millis, PlayerId, Version
from service.domain.room.model import events
from service.domain.room.model.events import Recorded, RoomEvent
from service.domain.streams import IdempotencyKey, UnknownEvent
from service.rooms.kind import ROOM_EVENTS, ROOMS
from service.store.codec import chain_digest, decode, encode_command
from service.store.contract import Entry, Head
from tests.store.stored import FIXTURES, Line, encode, entry, event_in, kinds, lines, names, room_events

ANNA = PlayerId("p-anna")
NOON = Millis(1_700_000_000_000)
LINES = [(name, line) for name in names() for line in lines(name)]
LINE_NAMES = [f"{name}-{line.event['type']}-{number}" for number, (name, line) in enumerate(LINES)]


@pytest.mark.parametrize("name", names())
def test_every_kind_of_event_is_kept_as_it_is_stored(name: str) -> None:
    """A new kind needs a line, in this release's format: see stored.py."""
    types = {type(event_in(name, line)) for line in lines(name) if line.format == ROOM_EVENTS.format}
    assert kinds(name) == types


@pytest.mark.parametrize(("name", "line"), LINES, ids=LINE_NAMES)
def test_a_stored_event_can_always_be_decoded(name: str, line: Line) -> None:
    """Fields that were added to its type since change none of its values."""
    plain = msgspec.json.decode(msgspec.json.encode(event_in(name, line)))
    assert said(plain, line.event) == line.event


def said(now: Any, once: Any) -> Any:
    """Return the event's JSON now, without the fields that were added later."""
    if isinstance(now, dict) and isinstance(once, dict):
        return {field: said(now.get(field), value) for field, value in once.items()}
    return now


@pytest.mark.parametrize(("name", "line"), [pair for pair in LINES if pair[1].format == ROOM_EVENTS.format])
def test_this_release_writes_what_it_says_that_it_writes(name: str, line: Line) -> None:
    """Byte for byte; to write an event otherwise is a new format, with an upcaster from this one."""
    envelope = msgspec.json.decode(line.entry)
    _, time, index, size, match, by, key, fingerprint, _ = envelope
    recorded = Recorded(Version(9), time, Version(9 - index), match, by, event_in(name, line))
    idempotency_key = None if key is None else IdempotencyKey(key, fingerprint)
    assert encode(recorded, size, idempotency_key) == bytes(line.entry)


def recorded(event: RoomEvent | Dropped, version: int = 1, first: int = 1) -> Recorded:
    """Return an event that Anna caused at noon."""
    return Recorded(Version(version), NOON, Version(first), None, ANNA, event)


def test_a_commands_events_are_chained_to_what_was_before() -> None:
    """Each digest covers its entry's bytes and the digest before it: BLAKE2b of 16 bytes."""
    history = [recorded(events.PlayerLeft(ANNA), 8, 8), recorded(events.RoomClosed("deserted"), 9, 8)]
    digest = b"before"
    for stored, each in zip(*encode_command(ROOMS, Head(Version(7), digest), history, None), strict=True):
        digest = hashlib.blake2b(digest + each.data, digest_size=16).digest()
        assert each.digest == stored.digest == digest


def test_the_chain_is_the_same_for_ever() -> None:
    """A digest once stored must be found again."""
    assert chain_digest(b"", b"[1]").hex() == "ef6555d139bba0ca2326a50024344e1b"
    assert chain_digest(chain_digest(b"", b"[1]"), b"[2]").hex() == "e7576fbf3cd48af37d36758c0b60bac4"


def test_a_command_is_read_back_as_it_was_written() -> None:
    """Its events point to the first one, which alone carries the key."""
    history = [recorded(events.PlayerLeft(ANNA), 8, 8), recorded(events.RoomClosed("deserted"), 9, 8)]
    idempotency_key = IdempotencyKey("k1", "print")
    found, entries = encode_command(ROOMS, Head(Version(7), b"before"), history, idempotency_key)
    assert [decode(ROOMS, "morris", each) for each in entries] == found
    assert [stored.idempotency_key for stored in found] == [idempotency_key, None]
    assert [stored.size for stored in found] == [2, 2]
    assert [stored.recorded for stored in found] == history


def test_the_first_entry_has_the_game() -> None:
    """Without which no other could be read."""
    first = Entry(Version(1), bytes(entry(events.RoomOpened(**open_room("ternio")), 0)), b"")
    assert decode(ROOMS, "", first).recorded.event.game == "ternio"


def open_room(game: str) -> dict[str, Any]:
    """Return the event that opens a room of this game."""
    room = next(iter(room_events()))
    return {**msgspec.structs.asdict(room), "game": game, "options": {}}


UNREADABLE = [
    ("an event of another game", "ternio", b'[1,0,0,1,1,null,null,null,{"type":"turned"}]'),
    ("a kind of event that nobody knows", "morris", b'[1,0,0,1,1,null,null,null,{"type":"teleported","seat":0}]'),
    ("an event that lacks a field", "morris", b'[1,0,0,1,1,null,null,null,{"type":"dropped","seat":0}]'),
    (
        "an event with a value that nobody knows",
        "morris",
        b'[1,0,0,1,1,null,null,null,{"type":"dropped","seat":0,"reason":"bored"}]',
    ),
    (
        "an event of a newer format",
        "morris",
        b'[9,0,0,1,1,null,null,null,{"type":"dropped","seat":0,"reason":"resigned"}]',
    ),
    ("an envelope of a newer format", "morris", b'[9,{"at":"noon"},{"type":"dropped","seat":0,"reason":"resigned"}]'),
    (
        "a game that nobody knows",
        "chess",
        b'[1,0,0,1,1,null,null,null,{"type":"dropped","seat":0,"reason":"resigned"}]',
    ),
]


@pytest.mark.parametrize(
    ("game", "data"), [(game, data) for _, game, data in UNREADABLE], ids=[what for what, *_ in UNREADABLE]
)
def test_entries_of_a_newer_release_are_unknown(game: str, data: bytes) -> None:
    """It is unknown, which no bug is."""
    with pytest.raises(UnknownEvent):
        decode(ROOMS, game, Entry(Version(9), data, b""))


def test_an_event_of_an_older_format_is_brought_up_to_date() -> None:
    """Through every format in between, each of which changes a little."""

    def to_2(event: dict[str, Any]) -> dict[str, Any]:
        return {**event, "type": "dropped", "why": event["cause"]}

    def to_3(event: dict[str, Any]) -> dict[str, Any]:
        return {"type": event["type"], "seat": event["seat"], "reason": event["why"]}

    kind = replace(ROOMS, form=replace(ROOM_EVENTS, format=3, upcasters={1: to_2, 2: to_3}))
    found = {
        1: b'{"type":"gave_up","seat":1,"cause":"resigned"}',
        2: b'{"type":"dropped","seat":1,"why":"resigned"}',
        3: b'{"type":"dropped","seat":1,"reason":"resigned"}',
    }
    for number, event in found.items():
        data = b"[%d,0,0,1,1,null,null,null,%b]" % (number, event)
        assert decode(kind, "morris", Entry(Version(9), data, b"")).recorded.event == Dropped(Seat(1), "resigned")


def test_there_is_an_upcaster_from_every_format_but_this() -> None:
    """Or old rooms could not be read."""
    assert sorted(ROOM_EVENTS.upcasters) == list(range(1, ROOM_EVENTS.format))


def test_stored_events_include_their_secrets() -> None:
    """The stream alone gives the seed back, which the reducer needs to draw on."""
    found = [event_in("room", line) for line in lines("room") if line.event["type"] == "match_started"]
    assert found
    for started in found:
        assert isinstance(started, events.MatchStarted)
        assert started.seed == bytes(range(32)).hex()
        assert re.fullmatch("[0-9a-f]{64}", started.seed_hash)


def test_every_game_has_its_fixture() -> None:
    """No fixture is of a game that was removed: its rooms could no longer be read."""
    assert {file.stem for file in FIXTURES.glob("*.jsonl")} == {"room", *GAMES}
