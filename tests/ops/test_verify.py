"""`turnstream verify` over a store: what is as it was written holds, and each kind of damage is found."""

import pytest

from service.domain.room.model.ids import Epoch, RoomKey, RoomName
from service.store.redis.keys import Keys
from tests.e2e.processes import SECRET
from tests.ops.conftest import Verb
from tests.store_server import StoreServer

KEYS = Keys(16)


def key_of(store: StoreServer, name: str) -> RoomKey:
    """Return the live room of a name."""
    return RoomKey(RoomName(name), Epoch(store.execute("GET", KEYS.name(RoomName(name))).decode()))


def rewritten(store: StoreServer, stream: bytes, version: int, old: bytes, new: bytes) -> None:
    """Change one event and nothing else, as a flipped bit in the file would."""
    entries = store.execute("XRANGE", stream, "-", "+")
    store.execute("DEL", stream)
    for entry_id, fields in entries:
        if entry_id == b"%d-0" % version:
            assert old in fields[1]
            fields[1] = fields[1].replace(old, new)
        store.execute("XADD", stream, entry_id, *fields)


def test_all_rooms_or_some_are_as_they_should_be(full_store: StoreServer, verb: Verb) -> None:
    """Closed ones, too, which are named with their epochs."""
    assert verb(full_store, "verify", "--all").lines == ["5 rooms, 27 events, damaged: 0"]
    assert verb(full_store, "verify", "--room", "finished", "--room", "again").lines[-1].startswith("2 rooms")


def test_a_changed_event_is_found(full_store: StoreServer, verb: Verb) -> None:
    """By the first digest that does not match; the other rooms are checked as well."""
    stream = KEYS.stream(key_of(full_store, "finished"))
    rewritten(full_store, stream, 7, b'"at":"a1"', b'"at":"a4"')
    said = verb(full_store, "verify", "--all")
    assert said.code == 1
    assert said.lines[0].startswith("DAMAGED finished:")
    assert "version 7 is not what was written" in said.lines[0]
    assert said.lines[-1].startswith("5 rooms")


@pytest.mark.parametrize(
    ("name", "damage", "expected"),
    [
        ("finished", ("XDEL", "stream", "4-0"), "version 5 comes directly after version 3"),
        ("finished", ("XTRIM", "stream", "MAXLEN", "=", "2"), "are missing"),
        ("finished", ("SET", "head", "8 wrong"), "head"),
        ("finished", ("HSET", "matches", "1", "{}"), "match 1"),
        ("finished", ("DEL", "name"), "name is free"),
    ],
)
def test_what_does_not_follow_from_the_events_is_found(
    full_store: StoreServer, verb: Verb, name: str, damage: tuple[str, ...], expected: str
) -> None:
    """A gap, a trimmed beginning, a wrong head, a wrong index, a lost name."""
    key = key_of(full_store, name)
    command, what, *rest = damage
    where = {
        "stream": KEYS.stream(key),
        "head": KEYS.head(key),
        "matches": KEYS.matches(key),
        "name": KEYS.name(key.name),
    }
    full_store.execute(command, where[what], *rest)
    said = verb(full_store, "verify", "--room", f"{key.name}:{key.epoch}")
    assert said.code == 1
    assert expected in said.lines[0]


def test_a_changed_snapshot_is_found(full_store: StoreServer, verb: Verb) -> None:
    """No process would believe it, and it shows that somebody or something changes what the store holds."""
    snapshots = KEYS.snapshots(key_of(full_store, "finished"))
    latest = full_store.execute("HGET", snapshots, "latest")
    kept = full_store.execute("HGET", snapshots, latest)
    full_store.execute("HSET", snapshots, latest, kept.replace(b'"anna"', b'"Hannah"'))
    said = verb(full_store, "verify", "--room", "finished")
    assert said.code == 1
    assert "is not what was written: its MAC does not match" in said.lines[0]


def test_a_snapshot_under_another_key_says_nothing(full_store: StoreServer, verb: Verb) -> None:
    """Neither do MACs: the operator may have replaced the key and kept no older one."""
    assert verb(full_store, "verify", "--all", secret=SECRET[::-1]).code == 0


def test_a_room_that_is_not_there_is_another_exit_code(full_store: StoreServer, verb: Verb) -> None:
    """2: nothing was found damaged, for nothing was looked at."""
    said = verb(full_store, "verify", "--room", "nowhere")
    assert (said.code, said.lines) == (2, [])
    assert "no room nowhere" in said.error


def test_a_closed_room_whose_events_were_trimmed_is_not_damaged(full_store: StoreServer, verb: Verb) -> None:
    """Its time is over; an open one without its events is."""
    [closed] = [line for line in verb(full_store, "rooms", "list", "--all").lines if "\tclosed\t" in line]
    name, epoch = closed.split("\t")[0].split(":")
    full_store.execute("DEL", KEYS.stream(RoomKey(RoomName(name), Epoch(epoch))))
    assert verb(full_store, "verify", "--all").code == 0
    full_store.execute("DEL", KEYS.stream(key_of(full_store, "finished")))
    assert "are missing" in verb(full_store, "verify", "--all").lines[0]
