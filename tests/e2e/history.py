"""The history checker: compares what clients recorded of a service with what its store contains.

Clients record every command with each response, or the lack of one, and every event that a feed delivered. When nothing
is in progress, the store is read and the two are compared:

- A command that was acknowledged is stored exactly once, at the version in the response.
- A command whose outcome is unknown is stored at most once; one that was refused every time is not stored.
- No command is stored that nobody sent.
- Each subscriber received each version once and in order, with the events of the history.
- Versions are contiguous, no command is stored in part, and each digest follows from the one before.
- The state that a subscriber received is the fold of the events up to it, by an independent implementation.
- Own feeds are subscribed to like rooms; their history is the player's own events.
- A token is refused from two seconds after it was revoked, and never before.
- A webhook got each event of its owner, in order; what was repeated has the same id and the same bytes.
- Tournaments are compared by `tournament_history`.

Where a study makes the store lose its last entries, it records when. Then commands that were acknowledged before may be
lost, in each room only the last ones; each subscriber that received a lost event receives `history_changed`, and is
exact again from there on.
"""

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec

from tests.e2e.expected_state import FOLDS, comparable
from tests.e2e.stored import StoredCommand, StoredRoom

Json = dict[str, Any]

UNKNOWN = frozenset({"outcome_unknown", ""})
"""Problem codes after which a command may have been stored; `""` means that the response is no problem of the API."""


class Attempt(msgspec.Struct):
    """One transmission of a command; `status` is None where no response arrived."""

    status: int | None = None
    code: str = ""
    version: int | None = None
    at: float = 0.0
    """When the response arrived, in seconds of the recording's monotonic clock."""

    @property
    def is_unknown(self) -> bool:
        """Whether this attempt may have stored the command."""
        return self.status is None or (self.status >= 500 and self.code in UNKNOWN)


class Command(msgspec.Struct):
    """A command with all attempts to send it under the same key."""

    room: str
    player: str
    key: str
    body: Json
    attempts: list[Attempt] = msgspec.field(default_factory=list)

    @property
    def accepted(self) -> list[Attempt]:
        """The attempts that were acknowledged."""
        return [attempt for attempt in self.attempts if attempt.status in {200, 201}]


class Delivery(msgspec.Struct, frozen=True):
    """What one frame of a feed delivered: events, or a view instead (`reason` says why)."""

    version: int
    events: tuple[Json, ...] = ()
    reason: str = ""
    view: Json | None = None


class Subscriber(msgspec.Struct):
    """What one subscription delivered over all of its connections, in order of arrival."""

    room: str
    player: str | None = None
    deliveries: list[Delivery] = msgspec.field(default_factory=list)
    connections: int = 0


class Recording(msgspec.Struct):
    """Everything that the clients of a run recorded."""

    commands: list[Command] = msgspec.field(default_factory=list)
    subscribers: list[Subscriber] = msgspec.field(default_factory=list)
    losses: list[float] = msgspec.field(default_factory=list)
    """When the store lost its last entries, in order, by the clock of the attempts' `at`."""


class TokenUse(msgspec.Struct, frozen=True):
    """A request with a named token: when it was sent, in seconds of the monotonic clock, and the answer."""

    token: str
    sent: float
    status: int


REVOKED_WITHIN = 2.0
"""Seconds after which every process refuses a revoked token."""


def token_faults(uses: Iterable[TokenUse], revoked: Mapping[str, float]) -> list[str]:
    """Return which tokens were accepted after, or refused before, they were revoked at the given times.

    A response 503 is neither: the process did not know.
    """
    faults = []
    for use in uses:
        late = use.sent - revoked.get(use.token, use.sent)
        if use.status == 200 and late > REVOKED_WITHIN:
            faults.append(f"{use.token} was accepted {late:.2f} s after it was revoked")
        elif use.status == 401 and use.token not in revoked:
            faults.append(f"{use.token} was refused and never revoked")
    return faults


def webhook_faults(received: Iterable[tuple[str, Json]], events: Sequence[Json]) -> list[str]:
    """Return what is wrong with the messages, each with its id, that a webhook got for its owner's events."""
    faults, by_id = [], dict[str, Json]()
    for identity, message in received:
        if by_id.setdefault(identity, message) != message:
            faults.append(f"{identity} was repeated with other contents")
    versions = [message["data"]["version"] for message in by_id.values()]
    expected = [event["version"] for event in events]
    return [*faults, *([] if versions == expected else [f"versions {versions} were sent of {expected}"])]


def command_faults(recording: Recording, rooms: Iterable[StoredRoom]) -> list[str]:
    """Return what is wrong with the commands: lost, stored twice, at another version, or never sent."""
    found = stored_commands(rooms)
    faults = []
    for command in recording.commands:
        stored = found.pop((command.room, command.player, command.key), [])
        faults += [
            f"{command.key} in {command.room}: {fault}" for fault in faults_of(command, stored, recording.losses)
        ]
    faults += [f"{key} in {room}: stored but never sent" for room, _, key in found]
    return faults


def stored_commands(rooms: Iterable[StoredRoom]) -> dict[tuple[str, str, str], list[StoredCommand]]:
    """Return the stored commands by room, player and key."""
    found: dict[tuple[str, str, str], list[StoredCommand]] = {}
    for room in rooms:
        for one in room.commands:
            found.setdefault((room.key.name, one.player, one.key), []).append(one)
    return found


def faults_of(command: Command, found: Sequence[StoredCommand], losses: Sequence[float]) -> Iterable[str]:
    """Yield what is wrong with one command, given the stored commands with its key."""
    accepted = command.accepted
    if len(found) > 1:
        yield f"stored {len(found)} times, at {[one.first for one in found]}"
    if accepted and not found and losses_before(accepted[-1].at, losses) == len(losses):
        yield f"acknowledged at version {accepted[-1].version} and not stored"
    if found and not accepted and not any(attempt.is_unknown for attempt in command.attempts):
        yield f"stored at {found[0].first} although each response refused it: {command.attempts[-1].code}"
    for attempt in accepted:
        if found and attempt.version != found[0].last:
            yield f"acknowledged at version {attempt.version}, stored at {found[0].last}"


def losses_before(at: float, losses: Sequence[float]) -> int:
    """Return how many losses had occurred at a time."""
    return bisect_right(losses, at)


def lost_commands(recording: Recording, rooms: Iterable[StoredRoom]) -> list[Command]:
    """Return the commands that were acknowledged and are not stored."""
    found = stored_commands(rooms)
    return [one for one in recording.commands if one.accepted and (one.room, one.player, one.key) not in found]


def tail_faults(recording: Recording, rooms: Iterable[StoredRoom]) -> list[str]:
    """Return where a loss removed more than the last commands of a room: a command before one that was kept."""
    lost = {id(one) for one in lost_commands(recording, rooms)}
    last_kept: dict[tuple[str, int], int] = {}
    for command in recording.commands:
        if command.accepted and id(command) not in lost:
            position = room_and_losses(command, recording.losses)
            last_kept[position] = max(command.accepted[-1].version or 0, last_kept.get(position, 0))
    return [
        f"{command.key} in {command.room} was lost, but the later version {kept} was not: {command.attempts}"
        for command in recording.commands
        if id(command) in lost
        and (kept := last_kept.get(room_and_losses(command, recording.losses), 0)) > (command.accepted[-1].version or 0)
    ]


def room_and_losses(command: Command, losses: Sequence[float]) -> tuple[str, int]:
    """Return the room of an acknowledged command, and how many losses had occurred by then."""
    return command.room, losses_before(command.accepted[-1].at, losses)


def subscriber_faults(subscriber: Subscriber, history: Sequence[Json], *, loss: bool = False) -> list[str]:
    """Return what is wrong with what a subscriber received; `history` is what the API now returns to this viewer.

    Each version has to arrive once and in order up to the last one. A `snapshot` covers all versions up to its own. One
    with the reason `history_changed` is a fault unless the store lost entries (`loss`) that this subscriber had
    received; what arrived before it may then differ from the history, and nothing that arrived later.
    """
    deliveries = subscriber.deliveries
    announced = [number for number, one in enumerate(deliveries) if one.reason == "history_changed"]
    exact_from = announced[-1] if announced and loss else 0
    faults = list(order_faults(deliveries, history))
    for number, delivery in enumerate(deliveries):
        if number >= exact_from and not is_in_history(history, delivery):
            faults.append(f"{span(delivery)} were delivered as other events than those of the history")
    for number in announced:
        got_only_events = all(not one.reason for one in deliveries[:number])
        if not loss or (got_only_events and all(is_in_history(history, one) for one in deliveries[:number])):
            faults.append(f"history_changed was sent without reason, to version {deliveries[number].version}")
    who = subscriber.player or "a spectator"
    return [f"{who} in {subscriber.room}: {fault}" for fault in faults]


def order_faults(deliveries: Sequence[Delivery], history: Sequence[Json]) -> Iterable[str]:
    """Yield where a version is missing, repeated or out of order, up to the last one of the history."""
    position: int | None = None
    for delivery in deliveries:
        if delivery.reason:
            position = delivery.version
            continue
        versions = [event["version"] for event in delivery.events]
        start = 0 if position is None else position
        if versions != list(range(start + 1, start + 1 + len(versions))):
            yield f"got versions {versions} after {position}"
        position = versions[-1] if versions else position
        if delivery.version != position:
            yield f"a frame of version {delivery.version} ended with {position}"
    if history and position != history[-1]["version"]:
        missed = [f"{event['type']} of {event['time']}" for event in history[position or 0 :]]
        yield f"ended at version {position}, the room is at {history[-1]['version']}: missed {missed[:5]}"


def is_in_history(history: Sequence[Json], delivery: Delivery) -> bool:
    """Return whether the history has the events of a delivery at their versions."""
    events = list(delivery.events)
    return not events or events == list(history[events[0]["version"] - 1 : events[-1]["version"]])


def span(delivery: Delivery) -> str:
    """Return a description of the versions of a delivery."""
    return f"versions {[event['version'] for event in delivery.events]}"


def view_faults(view: Json, history: Sequence[Json]) -> list[str]:
    """Return whether the state in a view differs from the fold of the events up to it, by folds of its own."""
    match = view.get("match")
    if match is None or view["game"] not in FOLDS:
        return []
    taken_back = any(event["type"] == "taken_back" and event.get("match") == match["number"] for event in history)
    if taken_back:  # they do not support takebacks
        return []
    match_events = [
        event
        for event in history
        if event["version"] <= view["version"] and event.get("match") == match["number"] and event["type"] != "readied"
    ]
    colours = [seat["colour"] for seat in view["seats"]]
    folded = comparable(FOLDS[view["game"]](match_events, colours))
    shown = comparable(match["state"])
    if folded == shown:
        return []
    parts = [name for name in folded if folded[name] != shown.get(name)]
    return [f"{view['room']} at version {view['version']}: {parts} are not the fold of the events"]


def recording_faults(
    recording: Recording,
    rooms: Sequence[StoredRoom],
    histories: Mapping[tuple[str, str | None], Sequence[Json]],
) -> list[str]:
    """Return everything that is wrong; `histories` are the events by room and viewer as the API returns them now."""
    faults = [f"{room.key.name}: {fault}" for room in rooms for fault in room.faults]
    faults += command_faults(recording, rooms) + tail_faults(recording, rooms)
    for subscriber in recording.subscribers:
        history = histories[subscriber.room, subscriber.player]
        faults += subscriber_faults(subscriber, history, loss=bool(recording.losses))
        views = [delivery.view for delivery in subscriber.deliveries if delivery.view is not None]
        if views:
            faults += view_faults(views[-1], history)
    return faults
