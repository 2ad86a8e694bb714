"""Snapshots: a room that is loaded from one equals the room that was stored."""

from typing import Any

import msgspec
import pytest

from service.domain.catalog import GAMES
from service.domain.ids import Epoch, RoomKey, Version
from service.domain.room.model import commands
from service.domain.room.model.settings import Settings
from service.domain.room.model.state import Match, Room, Table, TurnSnapshot
from service.rooms.kind import ROOMS, StoredMatch, StoredRoom, StoredTurn, parts_of
from service.rooms.repository import LoadedRoom, RoomNames
from service.store.contract import Head, Snapshot
from service.store.signing import Signer
from service.streams.snapshots import BadSnapshot, fingerprint, pack, unpack
from tests.rooms.processes import ANNA, BEN, FRIDAY, MARK_KEY, NOON, Process, fold_versions
from tests.rooms.test_loading import play_matches

SIGNER = Signer((MARK_KEY,))


def loaded(room: Room, digest: bytes, signed: Version | None) -> LoadedRoom:
    """Return a room as a process has it."""
    live = LoadedRoom(room.table.key)
    live.state, live.head, live.signed = room, Head(room.version, digest), signed
    return live


@pytest.mark.parametrize("game", GAMES)
async def test_a_room_loaded_from_a_snapshot_equals_the_room(process: Process, game: str) -> None:
    """At every version of two matches that were played at random: equal in every field, with turns and states."""
    key = await play_matches(process, game, 2)
    for room in await fold_versions(process.store, key):
        restored = unpack(SIGNER, ROOMS, key, pack(SIGNER, loaded(room, b"digest", Version(3))))
        assert restored is not None
        assert await RoomNames(process.store.player_names).in_state(restored.state) == room
        assert (restored.head.version, restored.head.digest, restored.signed) == (room.version, b"digest", 3)


async def test_a_match_with_takebacks_is_the_same(process: Process) -> None:
    """Turns that were taken back are gone, and those before them can still be taken back."""
    live = await process.start_match(ANNA, BEN)
    for number, (by, at) in enumerate([(ANNA, "a1"), (BEN, "d1"), (ANNA, "g1"), (BEN, "a4")]):
        await process.place_man(by, at)
        if number == 2:
            await process.execute(ANNA, commands.RequestTakeback())
            await process.execute(BEN, commands.Answer(live.state.table.offers[0].id, accept=True))
            await process.place_man(ANNA, "g7")
    await process.execute(ANNA, commands.RequestTakeback())
    await process.execute(BEN, commands.Answer(live.state.table.offers[0].id, accept=True))
    restored = unpack(SIGNER, ROOMS, live.key, pack(SIGNER, live))
    assert restored is not None
    assert await RoomNames(process.store.player_names).in_state(restored.state) == live.state
    assert restored.state.match is not None
    assert [turn.state for turn in restored.state.match.turns] == [turn.state for turn in live.state.match.turns]  # type: ignore[union-attr]  # a match is played


def test_every_field_of_a_match_is_stored() -> None:
    """A new field has to be stored, too, unless it follows from others, as who is to move does from the state."""
    assert {*Match.__struct_fields__} - {"game", "to_move"} == {*StoredMatch.__struct_fields__}
    assert {*TurnSnapshot.__struct_fields__} - {"state"} == {*StoredTurn.__struct_fields__}


def test_different_types_have_different_fingerprints() -> None:
    """By the names of fields, their types and tags, at any depth; not by defaults, which every snapshot has in full."""

    def struct_with(name: str, kind: object, **config: Any) -> object:
        inner = msgspec.defstruct("Inner", [(name, kind)], **config)
        return msgspec.defstruct("Outer", [("inner", dict[str, tuple[inner, ...]])])  # type: ignore[valid-type]  # made here

    kinds = [struct_with("a", int), struct_with("b", int), struct_with("a", str), struct_with("a", int | None)]
    kinds += [
        struct_with("a", int, tag="x"),
        struct_with("a", int, array_like=True),
        struct_with("a", int, rename="pascal"),
    ]
    assert len({fingerprint(kind) for kind in kinds}) == len(kinds)
    assert fingerprint(struct_with("a", int)) == fingerprint(struct_with("a", int))
    assert fingerprint(int, "1") != fingerprint(int, "2")


@pytest.mark.parametrize("game", GAMES)
def test_the_fingerprint_is_the_same_in_every_process(game: str) -> None:
    """It does not depend on addresses or the order of sets."""
    table = Table(RoomKey(FRIDAY, Epoch("e")), "Friday", game, {}, Settings(), NOON, ANNA.id, "open", {}, ())
    stored = StoredRoom(table, None, Version(1), NOON)
    first = fingerprint(StoredRoom, *parts_of(stored))
    fingerprint.cache_clear()
    assert fingerprint(StoredRoom, *parts_of(stored)) == first
    assert len(first) == 16


async def test_a_snapshot_of_another_version_or_room_is_rejected(process: Process) -> None:
    """Its MAC covers both."""
    live = await process.start_match(ANNA, BEN)
    snapshot = pack(SIGNER, live)
    assert unpack(SIGNER, ROOMS, live.key, snapshot) is not None
    with pytest.raises(BadSnapshot):
        unpack(SIGNER, ROOMS, live.key, Snapshot(Version(snapshot.version + 1), snapshot.data, snapshot.idempotency))
    with pytest.raises(BadSnapshot):
        unpack(SIGNER, ROOMS, msgspec.structs.replace(live.key, epoch="other"), snapshot)
    assert unpack(Signer((b"another key",)), ROOMS, live.key, snapshot) is None
    assert unpack(Signer((b"new", MARK_KEY)), ROOMS, live.key, snapshot) is not None
