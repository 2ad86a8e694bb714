"""The history checker finds each kind of fault, and none in a correct history."""

from typing import Any

import pytest

from service.domain.ids import Epoch, RoomKey, RoomName, Version
from service.store.codec import chain_digest
from service.store.contract import Entry
from tests.e2e.history import (
    Attempt,
    Command,
    Delivery,
    Recording,
    Subscriber,
    TokenUse,
    command_faults,
    lost_commands,
    subscriber_faults,
    tail_faults,
    token_faults,
    view_faults,
    webhook_faults,
)
from tests.e2e.stored import StoredCommand, StoredRoom, chain_faults

ROOM = RoomKey(RoomName("friday"), Epoch("e1"))


def recording_of(*attempts: Attempt) -> Recording:
    """Return the recording of a command with these attempts."""
    return Recording([Command("friday", "p-ada", "k1", {"type": "ready"}, list(attempts))])


def room_with(*commands: StoredCommand) -> list[StoredRoom]:
    """Return a room with these commands."""
    return [StoredRoom(ROOM, 9, commands, ())]


ONCE = StoredCommand("p-ada", "k1", 4, 5)
ACKNOWLEDGED = Attempt(200, version=5)
NO_RESPONSE = Attempt(None)
UNKNOWN = Attempt(503, "outcome_unknown")
REFUSED = Attempt(409, "not_your_turn")
UNAVAILABLE = Attempt(503, "store_unavailable")


@pytest.mark.parametrize(
    ("attempts", "found", "fault"),
    [
        ([ACKNOWLEDGED], [ONCE], ""),
        ([NO_RESPONSE, UNKNOWN, ACKNOWLEDGED], [ONCE], ""),
        ([NO_RESPONSE], [ONCE], ""),
        ([NO_RESPONSE], [], ""),
        ([UNAVAILABLE, REFUSED], [], ""),
        ([ACKNOWLEDGED], [], "not stored"),
        ([ACKNOWLEDGED], [ONCE, StoredCommand("p-ada", "k1", 8, 9)], "stored 2 times"),
        ([NO_RESPONSE], [ONCE, StoredCommand("p-ada", "k1", 8, 9)], "stored 2 times"),
        ([Attempt(200, version=6)], [ONCE], "stored at 5"),
        ([REFUSED], [ONCE], "refused it"),
        ([UNAVAILABLE], [ONCE], "refused it"),
        ([ACKNOWLEDGED], [ONCE, StoredCommand("p-ada", "k2", 8, 9)], "never sent"),
    ],
)
def test_a_command_is_stored_as_often_as_its_responses_allow(
    attempts: list[Attempt], found: list[StoredCommand], fault: str
) -> None:
    """Acknowledged: exactly once, at its version. Unknown: at most once. Refused: not at all."""
    faults = command_faults(recording_of(*attempts), room_with(*found))
    assert bool(faults) == bool(fault)
    assert fault in "".join(faults)


def acknowledged_command(key: str, version: int, at: float) -> Command:
    """Return a command that was acknowledged at a version and a time."""
    return Command("friday", "p-ada", key, {"type": "ready"}, [Attempt(200, version=version, at=at)])


@pytest.mark.parametrize(
    ("commands", "lost", "fault"),
    [
        ([acknowledged_command("k1", 5, 1.0)], [], ""),
        ([acknowledged_command("k1", 5, 1.0), acknowledged_command("k2", 6, 1.5)], ["k2"], ""),
        ([acknowledged_command("k1", 5, 1.0)], ["k1"], ""),
        ([acknowledged_command("k1", 5, 3.0)], ["k1"], "not stored"),
        (
            [acknowledged_command("k1", 5, 1.0), acknowledged_command("k2", 6, 1.5)],
            ["k1"],
            "the later version 6 was not",
        ),
        ([acknowledged_command("k1", 6, 1.0), acknowledged_command("k2", 5, 3.0)], ["k1"], ""),
    ],
)
def test_a_loss_removes_only_the_last_commands_before_it(commands: list[Command], lost: list[str], fault: str) -> None:
    """The store lost entries at second 2."""
    recording = Recording(commands, losses=[2.0])
    remaining = [command for command in commands if command.key not in lost]
    versions = {command.key: command.attempts[0].version or 0 for command in remaining}
    rooms = room_with(*(StoredCommand("p-ada", key, version, version) for key, version in versions.items()))
    faults = command_faults(recording, rooms) + tail_faults(recording, rooms)
    assert bool(faults) == bool(fault)
    assert fault in "".join(faults)
    assert [command.key for command in lost_commands(recording, rooms)] == lost


def event(version: int, **fields: Any) -> dict[str, Any]:
    """Return an event of a feed."""
    return {"version": version, "type": "readied", "time": f"12:00:0{version}", **fields}


HISTORY = [event(version) for version in range(1, 7)]


def delivery(*versions: int) -> Delivery:
    """Return the delivery of these versions."""
    return Delivery(versions[-1], tuple(event(version) for version in versions))


@pytest.mark.parametrize(
    ("deliveries", "fault"),
    [
        ([delivery(1, 2), delivery(3), delivery(4, 5, 6)], ""),
        ([Delivery(4, reason="subscribed"), delivery(5, 6)], ""),
        ([delivery(1, 2), Delivery(5, reason="too_slow"), delivery(6)], ""),
        ([delivery(1, 2), delivery(4, 5, 6)], "after 2"),
        ([delivery(1, 2), delivery(2, 3), delivery(4, 5, 6)], "after 2"),
        ([delivery(1, 2, 3), delivery(4, 5)], "ended at version 5"),
        ([delivery(1, 2), Delivery(6, reason="history_changed")], "history_changed"),
        ([Delivery(6, tuple(event(version, seat=1) for version in range(1, 7)))], "other events"),
        ([Delivery(7, tuple(HISTORY))], "ended with 6"),
    ],
)
def test_a_subscriber_receives_each_version_once_and_in_order(deliveries: list[Delivery], fault: str) -> None:
    """Up to the last one of the history; only a snapshot may cover versions that were left out."""
    faults = subscriber_faults(Subscriber("friday", None, deliveries), HISTORY)
    assert bool(faults) == bool(fault)
    assert fault in "".join(faults)


OTHER = Delivery(4, (event(3), event(4, seat=1)))


@pytest.mark.parametrize(
    ("deliveries", "fault"),
    [
        ([delivery(1, 2), OTHER, Delivery(3, reason="history_changed"), delivery(4, 5, 6)], ""),
        ([Delivery(9, reason="subscribed"), Delivery(3, reason="history_changed"), delivery(4, 5, 6)], ""),
        ([delivery(1, 2, 3, 4, 5, 6)], ""),
        ([delivery(1, 2), OTHER, delivery(5, 6)], "other events"),
        ([delivery(1, 2), Delivery(2, reason="history_changed"), OTHER, delivery(5, 6)], "other events"),
        ([delivery(1, 2), Delivery(3, reason="history_changed"), delivery(4, 5, 6)], "without reason"),
        ([delivery(1, 2), OTHER, Delivery(3, reason="history_changed"), delivery(5, 6)], "after 3"),
    ],
)
def test_a_subscriber_is_exact_again_after_an_announced_loss(deliveries: list[Delivery], fault: str) -> None:
    """What it received before may be lost; it is informed of that loss and of no other."""
    faults = subscriber_faults(Subscriber("friday", None, deliveries), HISTORY, loss=True)
    assert bool(faults) == bool(fault)
    assert fault in "".join(faults)


def entries(*sizes: int) -> list[Entry]:
    """Return a stream of commands of these sizes."""
    found: list[Entry] = []
    digest = b""
    for size in sizes:
        for index in range(size):
            data = b'[2,0,%d,%d,null,null,null,null,{"type":"readied"}]' % (index, size)
            digest = chain_digest(digest, data)
            found.append(Entry(Version(len(found) + 1), data, digest))
    return found


def test_faults_of_a_stream_are_found() -> None:
    """A missing entry, a changed one, and half a command."""
    stream = entries(1, 2, 1)
    assert not list(chain_faults(stream))
    assert list(chain_faults([stream[0], *stream[2:]]))
    changed = Entry(stream[1].version, stream[1].data.replace(b"[2,0", b"[2,1"), stream[1].digest)
    assert list(chain_faults([stream[0], changed, *stream[2:]]))
    assert "is incomplete" in "".join(chain_faults(stream[:2]))


def test_a_view_that_is_not_the_fold_of_its_events_is_found() -> None:
    """A disc of another colour."""
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


@pytest.mark.parametrize(
    ("use", "fault"),
    [
        (TokenUse("kept", 9.0, 200), None),
        (TokenUse("kept", 9.0, 503), None),
        (TokenUse("kept", 9.0, 401), "kept was refused and never revoked"),
        (TokenUse("gone", 4.0, 200), None),
        (TokenUse("gone", 6.9, 200), None),
        (TokenUse("gone", 7.5, 401), None),
        (TokenUse("gone", 7.5, 200), "gone was accepted 2.50 s after it was revoked"),
    ],
)
def test_tokens_are_accepted_until_they_are_revoked(use: TokenUse, fault: str | None) -> None:
    """And at most two seconds longer."""
    assert token_faults([use], {"gone": 5.0}) == ([] if fault is None else [fault])


FIRST, SECOND = ({"type": "offer_received", "data": {"version": version}} for version in (3, 5))
OWN = [{"version": 3}, {"version": 5}]


@pytest.mark.parametrize(
    ("received", "count"),
    [
        ([("m3", FIRST), ("m5", SECOND)], 0),
        ([("m3", FIRST), ("m3", FIRST), ("m5", SECOND)], 0),
        ([("m3", FIRST)], 1),
        ([("m5", SECOND), ("m3", FIRST)], 1),
        ([("m3", FIRST), ("m5", SECOND), ("other", SECOND)], 1),
        ([("m3", FIRST), ("m3", SECOND), ("m5", SECOND)], 1),
    ],
)
def test_webhooks_get_each_event_in_order(received: list[tuple[str, Any]], count: int) -> None:
    """Under one id, however often it is repeated."""
    assert len(webhook_faults(received, OWN)) == count
