"""The history checker finds each kind of fault, and none where there is none."""

from typing import Any

import pytest

from service.domain.room.values import Epoch, RoomKey, RoomName, Version
from service.streams.codec import chained
from service.streams.contract import Entry
from tests.e2e.history import (
    Attempt,
    Command,
    Delivery,
    StoredCommand,
    StoredRoom,
    Subscriber,
    chain_faults,
    command_faults,
    subscriber_faults,
    view_faults,
)

ROOM = RoomKey(RoomName("friday"), Epoch("e1"))


def sent(*attempts: Attempt) -> list[Command]:
    """Return a command with these attempts."""
    return [Command("friday", "p-ada", "k1", {"type": "ready"}, list(attempts))]


def stored(*commands: StoredCommand) -> list[StoredRoom]:
    """Return a room with these commands."""
    return [StoredRoom(ROOM, 9, commands, ())]


ONCE = StoredCommand("p-ada", "k1", 4, 5)
ACKNOWLEDGED = Attempt(200, version=5)
LOST = Attempt(None)
UNKNOWN = Attempt(503, "outcome_unknown")
REFUSED = Attempt(409, "not_your_turn")
AWAY = Attempt(503, "store_unavailable")


@pytest.mark.parametrize(
    ("attempts", "found", "fault"),
    [
        ([ACKNOWLEDGED], [ONCE], ""),
        ([LOST, UNKNOWN, ACKNOWLEDGED], [ONCE], ""),
        ([LOST], [ONCE], ""),
        ([LOST], [], ""),
        ([AWAY, REFUSED], [], ""),
        ([ACKNOWLEDGED], [], "not stored"),
        ([ACKNOWLEDGED], [ONCE, StoredCommand("p-ada", "k1", 8, 9)], "stored 2 times"),
        ([LOST], [ONCE, StoredCommand("p-ada", "k1", 8, 9)], "stored 2 times"),
        ([Attempt(200, version=6)], [ONCE], "stored at 5"),
        ([REFUSED], [ONCE], "refused it"),
        ([AWAY], [ONCE], "refused it"),
        ([ACKNOWLEDGED], [ONCE, StoredCommand("p-ada", "k2", 8, 9)], "never sent"),
    ],
)
def test_a_command_is_stored_as_often_as_its_answers_allow(
    attempts: list[Attempt], found: list[StoredCommand], fault: str
) -> None:
    """Acknowledged: exactly once, at its version. Unknown: at most once. Refused: not at all."""
    faults = command_faults(sent(*attempts), stored(*found))
    assert bool(faults) == bool(fault)
    assert fault in "".join(faults)


def event(version: int, **fields: Any) -> dict[str, Any]:
    """Return an event of a feed."""
    return {"version": version, "type": "readied", **fields}


HISTORY = [event(version) for version in range(1, 7)]


def delivered(*versions: int) -> Delivery:
    """Return the delivery of these versions."""
    return Delivery(versions[-1], tuple(event(version) for version in versions))


@pytest.mark.parametrize(
    ("deliveries", "fault"),
    [
        ([delivered(1, 2), delivered(3), delivered(4, 5, 6)], ""),
        ([Delivery(4, reason="subscribed"), delivered(5, 6)], ""),
        ([delivered(1, 2), Delivery(5, reason="too_slow"), delivered(6)], ""),
        ([delivered(1, 2), delivered(4, 5, 6)], "after 2"),
        ([delivered(1, 2), delivered(2, 3), delivered(4, 5, 6)], "after 2"),
        ([delivered(1, 2, 3), delivered(4, 5)], "ended at version 5"),
        ([delivered(1, 2), Delivery(6, reason="history_changed")], "history changed"),
        ([Delivery(6, tuple(event(version, seat=1) for version in range(1, 7)))], "other events"),
        ([Delivery(7, tuple(HISTORY))], "ended with 6"),
    ],
)
def test_a_subscriber_gets_each_version_once_and_in_order(deliveries: list[Delivery], fault: str) -> None:
    """Up to the last one, as the history has it; only a snapshot may stand for versions that were left out."""
    faults = subscriber_faults(Subscriber("friday", None, deliveries), HISTORY)
    assert bool(faults) == bool(fault)
    assert fault in "".join(faults)


def entries(*sizes: int) -> list[Entry]:
    """Return a stream of commands of these sizes."""
    found: list[Entry] = []
    digest = b""
    for size in sizes:
        for index in range(size):
            data = b'[2,0,%d,%d,null,null,null,null,{"type":"readied"}]' % (index, size)
            digest = chained(digest, data)
            found.append(Entry(Version(len(found) + 1), data, digest))
    return found


def test_a_stream_is_whole() -> None:
    """A missing entry, a changed one and half a command are each found."""
    whole = entries(1, 2, 1)
    assert not list(chain_faults(whole))
    assert list(chain_faults([whole[0], *whole[2:]]))
    changed = Entry(whole[1].version, whole[1].data.replace(b"[2,0", b"[2,1"), whole[1].digest)
    assert list(chain_faults([whole[0], changed, *whole[2:]]))
    assert "cut in two" in "".join(chain_faults(whole[:2]))


def test_a_view_is_the_fold_of_its_events() -> None:
    """A disc of another colour is found."""
    events = [
        {"version": 1, "type": "match_started", "match": 1},
        {"version": 2, "type": "laid_out", "match": 1, "board": ["rg", ".."]},
        {"version": 3, "type": "placed", "match": 1, "seat": 1, "at": "a1", "captured": ["a2"]},
    ]
    seats = [{"colour": "red"}, {"colour": "green"}]
    state = {"board": ["gg", "g."], "scores": {"red": 0, "green": 3}}
    view = {"room": "friday", "version": 3, "game": "ternio", "seats": seats, "match": {"number": 1, "state": state}}
    assert not view_faults(view, events)
    assert view_faults({**view, "match": {"number": 1, "state": {**state, "board": ["rg", "g."]}}}, events)
