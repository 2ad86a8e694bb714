"""The history checker: what clients recorded of a service, held against what its store contains.

Clients record every command with each answer, or the lack of one, and every event that a feed delivered. When all is
quiet, the store is read and the two are compared:

- A command that was acknowledged is stored exactly once, at the version that was answered.
- A command whose outcome is unknown is stored at most once; one that was refused every time is not stored.
- No command is stored that nobody sent.
- Each subscriber got each version once and in order, with the events that the history has.
- Versions are contiguous, no command is cut in two, and each digest follows from the one before.
- The state that a subscriber was shown is the fold of the events up to it, by an implementation of its own.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec

from service.demo.folds import FOLDS, comparable
from service.domain.room.values import RoomKey, Version
from service.streams.codec import chained, decode, envelope_of, game_of
from service.streams.contract import Entry, Head, Store

Json = dict[str, Any]

UNKNOWN = frozenset({"outcome_unknown", ""})
"""Problem codes after which a command may have been stored; `""` is that of an answer that is no problem of the API."""


class Attempt(msgspec.Struct):
    """One time that a command was sent; `status` is None where no answer came."""

    status: int | None = None
    code: str = ""
    version: int | None = None

    @property
    def is_unknown(self) -> bool:
        """Whether the command may have been stored by this attempt."""
        return self.status is None or (self.status >= 500 and self.code in UNKNOWN)


class Command(msgspec.Struct):
    """A command with all attempts to send it under the same key."""

    room: str
    player: str
    key: str
    body: Json
    attempts: list[Attempt] = msgspec.field(default_factory=list)


class Delivery(msgspec.Struct, frozen=True):
    """What one frame of a feed delivered: events, or a whole view instead (`reason` says why)."""

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


class StoredCommand(msgspec.Struct, frozen=True):
    """A command as the store has it: the versions of its first and last event."""

    player: str
    key: str
    first: int
    last: int


class StoredRoom(msgspec.Struct, frozen=True):
    """A room as the store has it; `faults` are what is wrong with its stream by itself."""

    key: RoomKey
    version: int
    commands: tuple[StoredCommand, ...]
    faults: tuple[str, ...]


async def stored_rooms(store: Store) -> list[StoredRoom]:
    """Read every room of a store."""
    keys: list[RoomKey] = []
    cursor = None
    while True:
        page = await store.overall.rooms(cursor)
        keys += page.rooms
        cursor = page.next
        if cursor is None:
            break
    rooms = []
    for key in dict.fromkeys(keys):
        [head] = await store.heads([key])
        entries = await store.read(key, Version(0))
        rooms.append(stored_room(key, entries, head))
    return rooms


def stored_room(key: RoomKey, entries: Sequence[Entry], head: Head | None) -> StoredRoom:
    """Return what a room's entries amount to."""
    faults = list(chain_faults(entries))
    if entries and head != Head(entries[-1].version, entries[-1].digest):
        faults.append(f"the head {head} is not that of version {entries[-1].version}")
    game = game_of(entries[0]) if entries else ""
    commands = []
    for entry in entries:
        stored = decode(game, entry)
        recorded = stored.recorded
        if stored.stamp is not None:
            last = int(recorded.command) + stored.size - 1
            commands.append(StoredCommand(str(recorded.by), stored.stamp.key, int(recorded.version), last))
    return StoredRoom(key, entries[-1].version if entries else 0, tuple(commands), tuple(faults))


def chain_faults(entries: Sequence[Entry]) -> Iterable[str]:
    """Yield what is wrong with the order, the digests and the commands of a stream."""
    digest, expected = b"", 1
    for entry in entries:
        if entry.version != expected:
            yield f"version {entry.version} where {expected} was expected"
        digest = chained(digest, entry.data)
        if entry.digest != digest:
            yield f"version {entry.version} does not continue the chain"
        envelope = envelope_of(entry)
        if envelope.index >= envelope.size:
            yield f"version {entry.version} is event {envelope.index} of {envelope.size}"
        expected = entry.version + 1
    if entries:
        envelope = envelope_of(entries[-1])
        if envelope.index + 1 != envelope.size:
            yield f"the command of version {entries[-1].version} is cut in two"


def command_faults(commands: Iterable[Command], rooms: Iterable[StoredRoom]) -> list[str]:
    """Return what is wrong with the commands: lost, stored twice, at another version, or never sent."""
    stored: dict[tuple[str, str, str], list[StoredCommand]] = {}
    for room in rooms:
        for one in room.commands:
            stored.setdefault((room.key.name, one.player, one.key), []).append(one)
    faults = []
    for command in commands:
        found = stored.pop((command.room, command.player, command.key), [])
        faults += [f"{command.key} in {command.room}: {fault}" for fault in faults_of(command, found)]
    faults += [f"{key} in {room}: stored but never sent" for room, _, key in stored]
    return faults


def faults_of(command: Command, found: Sequence[StoredCommand]) -> Iterable[str]:
    """Yield what is wrong with one command that was found so many times."""
    accepted = [attempt for attempt in command.attempts if attempt.status in {200, 201}]
    if len(found) > 1:
        yield f"stored {len(found)} times, at {[one.first for one in found]}"
    if accepted and not found:
        yield f"acknowledged at version {accepted[0].version} and not stored"
    if found and not accepted and not any(attempt.is_unknown for attempt in command.attempts):
        yield f"stored at {found[0].first} although each answer refused it: {command.attempts[-1].code}"
    for attempt in accepted:
        if found and attempt.version != found[0].last:
            yield f"acknowledged at version {attempt.version}, stored at {found[0].last}"


def subscriber_faults(subscriber: Subscriber, history: Sequence[Json], *, loss: bool = False) -> list[str]:
    """Return what is wrong with what a subscriber got; `history` is what the API now tells this viewer of the room.

    Each version has to come once and in order up to the last one. A `snapshot` stands for all versions up to its own;
    one with the reason `history_changed` is a fault unless a loss of history was provoked (`loss`).
    """
    faults: list[str] = []
    position: int | None = None
    for delivery in subscriber.deliveries:
        if delivery.reason:
            if delivery.reason == "history_changed" and not loss:
                faults.append(f"was told at version {position} that history changed, to {delivery.version}")
            position = delivery.version
            continue
        versions = [event["version"] for event in delivery.events]
        start = 0 if position is None else position
        if versions != list(range(start + 1, start + 1 + len(versions))):
            faults.append(f"got versions {versions} after {position}")
        position = versions[-1] if versions else position
        if delivery.version != position:
            faults.append(f"a frame of version {delivery.version} ended with {position}")
        if not loss and list(delivery.events) != list(history[versions[0] - 1 : versions[-1]]):
            faults.append(f"versions {versions} were delivered as other events than the history has")
    if position != (history[-1]["version"] if history else position):
        faults.append(f"ended at version {position}, the room at {history[-1]['version']}")
    who = subscriber.player or "a spectator"
    return [f"{who} in {subscriber.room}: {fault}" for fault in faults]


def view_faults(view: Json, history: Sequence[Json]) -> list[str]:
    """Return whether the state in a view differs from the fold of the events up to it, by the demo's own folds."""
    match = view.get("match")
    if match is None or view["game"] not in FOLDS:
        return []
    taken_back = any(event["type"] == "taken_back" and event.get("match") == match["number"] for event in history)
    if taken_back:  # the demo's folds don't take back
        return []
    own = [
        event
        for event in history
        if event["version"] <= view["version"] and event.get("match") == match["number"] and event["type"] != "readied"
    ]
    colours = [seat["colour"] for seat in view["seats"]]
    folded = comparable(FOLDS[view["game"]](own, colours))
    shown = comparable(match["state"])
    if folded == shown:
        return []
    parts = [name for name in folded if folded[name] != shown.get(name)]
    return [f"{view['room']} at version {view['version']}: {parts} are not the fold of the events"]


def recording_faults(
    recording: Recording,
    rooms: Sequence[StoredRoom],
    histories: Mapping[tuple[str, str | None], Sequence[Json]],
    *,
    loss: bool = False,
) -> list[str]:
    """Return everything that is wrong; `histories` are the events by room and viewer as the API tells them now."""
    faults = [f"{room.key.name}: {fault}" for room in rooms for fault in room.faults]
    if not loss:
        faults += command_faults(recording.commands, rooms)
    for subscriber in recording.subscribers:
        history = histories[subscriber.room, subscriber.player]
        faults += subscriber_faults(subscriber, history, loss=loss)
        views = [delivery.view for delivery in subscriber.deliveries if delivery.view is not None]
        if views and not loss:
            faults += view_faults(views[-1], history)
    return faults
