"""What is remembered of commands, apart from any room."""

import tracemalloc
from collections.abc import Callable

import pytest

from service.domain.game import Seat
from service.domain.room.model import commands, events
from service.domain.room.model.events import Recorded
from service.domain.room.model.ids import Millis, PlayerId, Version
from service.rooms.loading.idempotency import (
    KEPT,
    KEPT_FOR,
    MOST_KEPT,
    IdempotencyRecord,
    IdempotencyRecords,
    idempotency_stamp,
)
from service.store.codec import Stamp, Stored

ANNA, BEN = PlayerId("p-anna"), PlayerId("p-ben")
NOON = 1_760_000_000_000
LARGEST = 270
"""Bytes of memory that a record may take with its key."""


def stored(version: int, by: PlayerId | None, key: str | None, size: int = 1, time: int = 0) -> Stored:
    """Return the first event of a command."""
    event = events.PlayerUnreadied(ANNA)
    recorded = Recorded(Version(version), Millis(time), Version(version), None, by, event)
    return Stored(recorded, b"", None if key is None else Stamp(key, f"print of {key}"), size)


def test_at_least_256_keys_of_each_player_are_kept() -> None:
    """As promised to clients, who may repeat a command that long after."""
    assert KEPT >= 256


def test_a_receipt_tells_the_versions_of_its_command() -> None:
    """From the first to the last event."""
    receipts = IdempotencyRecords()
    receipts.add(stored(7, ANNA, "k", size=3))
    assert receipts.get(ANNA, "k") == IdempotencyRecord("print of k", Version(7), Version(9), Millis(0))


def test_only_commands_with_a_key_and_a_player_are_remembered() -> None:
    """And each player's under their own keys."""
    receipts = IdempotencyRecords()
    receipts.add(stored(1, ANNA, None))
    receipts.add(stored(2, None, "k"))
    receipts.add(stored(3, ANNA, "k"))
    assert receipts.get(BEN, "k") is None
    assert receipts.get(None, "k") is None
    assert receipts.get(ANNA, "other") is None


def test_each_players_oldest_keys_are_forgotten_first() -> None:
    """Once they are old; the latest ones stay, and come back from a snapshot in the same order."""
    receipts = IdempotencyRecords()
    receipts.add(stored(1, BEN, "ben's"))
    for count in range(KEPT + 10):
        receipts.add(stored(2 + count, ANNA, str(count), time=count * KEPT_FOR))
    again = IdempotencyRecords(receipts.saved())
    again.add(stored(1000, ANNA, "one more", time=1000 * KEPT_FOR))
    for kept, oldest in ((receipts, 10), (again, 11)):
        assert [count for count in range(KEPT + 10) if kept.get(ANNA, str(count))] == list(range(oldest, KEPT + 10))
        assert kept.get(BEN, "ben's")


def test_no_key_is_forgotten_within_two_minutes() -> None:
    """A suspended process may come to a request after the player has sent thousands of others."""
    receipts = IdempotencyRecords()
    for count in range(10 * KEPT):
        receipts.add(stored(1 + count, ANNA, str(count), time=count))
    assert receipts.get(ANNA, "0")
    receipts.add(stored(10 * KEPT + 1, ANNA, "later", time=KEPT_FOR + KEPT))
    assert [count for count in range(10 * KEPT) if not receipts.get(ANNA, str(count))] == list(range(KEPT))


def test_a_player_has_a_bound_of_keys() -> None:
    """However quickly commands come."""
    receipts = IdempotencyRecords()
    for count in range(MOST_KEPT + 5):
        receipts.add(stored(1 + count, ANNA, str(count)))
    assert [count for count in range(MOST_KEPT) if not receipts.get(ANNA, str(count))] == list(range(5))


def test_records_are_stored_as_they_always_were() -> None:
    """Another form is another format of snapshots."""
    receipts = IdempotencyRecords()
    receipts.add(stored(7, ANNA, "k", size=3, time=5))
    receipts.add(stored(10, BEN, "k"))
    saved = b'{"p-anna":{"k":["print of k",7,9,5]},"p-ben":{"k":["print of k",10,10,0]}}'
    assert receipts.saved() == IdempotencyRecords(saved).saved() == saved
    assert IdempotencyRecords(saved).get(ANNA, "k") == receipts.get(ANNA, "k")


def recorded(count: int) -> IdempotencyRecords:
    """Return the records of so many commands of one player, with keys of 36 characters."""
    receipts = IdempotencyRecords()
    for number in range(count):
        receipts.add(stored(1000 + number, ANNA, f"{number:036}", time=NOON + number))
    return receipts


def bytes_of(make: Callable[[], IdempotencyRecords]) -> int:
    """Return how many bytes of memory records take."""
    tracemalloc.start()
    try:
        made = make()
        assert made.get(ANNA, f"{0:036}")
        return tracemalloc.get_traced_memory()[0]
    finally:
        tracemalloc.stop()


def test_a_record_takes_little_memory() -> None:
    """Added or loaded: there may be thousands of each player in each room."""
    saved = recorded(4000).saved()
    assert bytes_of(lambda: recorded(4000)) < 4000 * LARGEST
    assert bytes_of(lambda: IdempotencyRecords(saved)) < 4000 * LARGEST


def test_a_command_without_a_key_leaves_no_stamp() -> None:
    """There is nothing to recognise it by."""
    assert idempotency_stamp(None, commands.Leave()) is None


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
def test_a_body_is_the_same_whatever_order_it_came_in(one: commands.Command, other: commands.Command) -> None:
    """The decoded body counts, not its bytes."""
    assert idempotency_stamp("k", one) == idempotency_stamp("k", other)


@pytest.mark.parametrize(("one", "other"), DIFFERENT)
def test_another_body_has_another_fingerprint(one: commands.Command, other: commands.Command) -> None:
    """The type counts, and whether something was said at all."""
    assert idempotency_stamp("k", one) != idempotency_stamp("k", other)
