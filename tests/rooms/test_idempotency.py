"""Idempotency records of a room's players."""

import tracemalloc
from collections.abc import Callable

import pytest

from service.domain.game import Seat
from service.domain.ids import Millis, PlayerId, Version
from service.domain.room.model import commands, events
from service.domain.room.model.events import Recorded
from service.domain.streams import IdempotencyKey, Stored
from service.rooms.commands.requests import with_fingerprint
from service.streams.loaded import KEPT, KEPT_FOR, MOST_KEPT, IdempotencyRecord, IdempotencyRecords

ANNA, BEN = PlayerId("p-anna"), PlayerId("p-ben")
NOON = 1_760_000_000_000
LARGEST = 270
"""The maximal bytes of memory of a record with its key."""


def stored_event(version: int, by: PlayerId | None, key: str | None, size: int = 1, time: int = 0) -> Stored:
    """Return the first event of a command."""
    event = events.PlayerUnreadied(ANNA)
    recorded = Recorded(Version(version), Millis(time), Version(version), None, by, event)
    return Stored(recorded, b"", None if key is None else IdempotencyKey(key, f"digest of {key}"), size)


def test_at_least_256_keys_of_each_player_are_kept() -> None:
    """As promised to clients, which may repeat a command that many commands later."""
    assert KEPT >= 256


def test_a_record_has_the_versions_of_its_command() -> None:
    """They are those of its first and last event."""
    records = IdempotencyRecords()
    records.add(stored_event(7, ANNA, "k", size=3))
    assert records.get(ANNA, "k") == IdempotencyRecord("digest of k", Version(7), Version(9), Millis(0))


def test_only_commands_with_a_key_and_a_player_are_remembered() -> None:
    """Each player has their own keys."""
    records = IdempotencyRecords()
    records.add(stored_event(1, ANNA, None))
    records.add(stored_event(2, None, "k"))
    records.add(stored_event(3, ANNA, "k"))
    assert records.get(BEN, "k") is None
    assert records.get(None, "k") is None
    assert records.get(ANNA, "other") is None


def test_each_players_oldest_keys_are_forgotten_first() -> None:
    """Once they are old enough; the latest ones are kept, in the same order after a snapshot."""
    records = IdempotencyRecords()
    records.add(stored_event(1, BEN, "ben's"))
    for count in range(KEPT + 10):
        records.add(stored_event(2 + count, ANNA, str(count), time=count * KEPT_FOR))
    restored = IdempotencyRecords(records.saved())
    restored.add(stored_event(1000, ANNA, "one more", time=1000 * KEPT_FOR))
    for each, oldest in ((records, 10), (restored, 11)):
        assert [count for count in range(KEPT + 10) if each.get(ANNA, str(count))] == list(range(oldest, KEPT + 10))
        assert each.get(BEN, "ben's")


def test_no_key_is_forgotten_within_two_minutes() -> None:
    """A suspended process may handle a request after the player has sent thousands of others."""
    records = IdempotencyRecords()
    for count in range(10 * KEPT):
        records.add(stored_event(1 + count, ANNA, str(count), time=count))
    assert records.get(ANNA, "0")
    records.add(stored_event(10 * KEPT + 1, ANNA, "later", time=KEPT_FOR + KEPT))
    assert [count for count in range(10 * KEPT) if not records.get(ANNA, str(count))] == list(range(KEPT))


def test_the_number_of_keys_of_a_player_is_bounded() -> None:
    """The bound holds at any rate of commands."""
    records = IdempotencyRecords()
    for count in range(MOST_KEPT + 5):
        records.add(stored_event(1 + count, ANNA, str(count)))
    assert [count for count in range(MOST_KEPT) if not records.get(ANNA, str(count))] == list(range(5))


def test_the_stored_form_of_records_does_not_change() -> None:
    """Another form needs another format of snapshots."""
    records = IdempotencyRecords()
    records.add(stored_event(7, ANNA, "k", size=3, time=5))
    records.add(stored_event(10, BEN, "k"))
    saved = b'{"p-anna":{"k":["digest of k",7,9,5]},"p-ben":{"k":["digest of k",10,10,0]}}'
    assert records.saved() == IdempotencyRecords(saved).saved() == saved
    assert IdempotencyRecords(saved).get(ANNA, "k") == records.get(ANNA, "k")


def records_of(count: int) -> IdempotencyRecords:
    """Return the records of so many commands of one player, with keys of 36 characters."""
    records = IdempotencyRecords()
    for number in range(count):
        records.add(stored_event(1000 + number, ANNA, f"{number:036}", time=NOON + number))
    return records


def memory_of(make: Callable[[], IdempotencyRecords]) -> int:
    """Return how many bytes of memory records need."""
    tracemalloc.start()
    try:
        made = make()
        assert made.get(ANNA, f"{0:036}")
        return tracemalloc.get_traced_memory()[0]
    finally:
        tracemalloc.stop()


def test_a_record_needs_little_memory() -> None:
    """Added or loaded: there may be thousands per player and room."""
    saved = records_of(4000).saved()
    assert memory_of(lambda: records_of(4000)) < 4000 * LARGEST
    assert memory_of(lambda: IdempotencyRecords(saved)) < 4000 * LARGEST


SAME = [
    (
        commands.Play({"type": "move", "from": "a1", "to": "a4"}),
        commands.Play({"to": "a4", "type": "move", "from": "a1"}),
    ),
    (commands.Ready(), commands.Ready(salt=None)),
]
DIFFERENT = [
    (commands.Play({"type": "place", "at": "a1"}), commands.Play({"type": "place", "at": "a1"}, seat=Seat(0))),
    (commands.Play({"at": "a1"}), commands.Play({"at": "A1"})),
    (commands.Leave(), commands.Unready()),
    (commands.Ready(), commands.Ready(salt="")),
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_a_body_is_the_same_in_any_order_of_fields(one: commands.Command, other: commands.Command) -> None:
    """The decoded body counts, not its bytes."""
    assert with_fingerprint("k", one) == with_fingerprint("k", other)


@pytest.mark.parametrize(("one", "other"), DIFFERENT)
def test_another_body_has_another_fingerprint(one: commands.Command, other: commands.Command) -> None:
    """The type counts, and whether a field was given at all."""
    assert with_fingerprint("k", one) != with_fingerprint("k", other)
