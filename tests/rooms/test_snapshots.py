"""Snapshots: whatever a room was when one was made, it is the same when it is read back."""

from typing import Any

import msgspec
import pytest

from service.domain.catalog import GAMES
from service.domain.room.model import commands
from service.domain.room.model.ids import Version
from service.domain.room.model.state import Match, TurnSnapshot
from service.rooms.loading import snapshots
from service.rooms.loading.idempotency import IdempotencyRecords
from service.rooms.loading.snapshots import ALIKE, StoredMatch, StoredTurn, pack, types_of, unpacked
from service.rooms.loading.type_fingerprints import fingerprint
from service.store.contract import Snapshot
from service.store.signing import Signer
from tests.rooms.processes import ANNA, BEN, MARK_KEY, Process, folds
from tests.rooms.test_loading import plays_through

SIGNER = Signer((MARK_KEY,))


@pytest.mark.parametrize("game", GAMES)
async def test_a_room_read_back_from_a_snapshot_is_the_room(process: Process, game: str) -> None:
    """At every version of two matches that were played at random: equal in every field, turns and states included."""
    key = await plays_through(process, game, 2)
    for room in await folds(process.line, key):
        restored = unpacked(SIGNER, key, pack(SIGNER, room, b"digest", Version(3), IdempotencyRecords()))
        assert restored is not None
        assert restored.room == room
        assert (restored.head.version, restored.head.digest, restored.signed) == (room.version, b"digest", 3)


async def test_a_match_with_takebacks_is_the_same(process: Process) -> None:
    """Turns that were taken back are gone, and those before them can still be."""
    live = await process.match(ANNA, BEN)
    for number, (by, at) in enumerate([(ANNA, "a1"), (BEN, "d1"), (ANNA, "g1"), (BEN, "a4")]):
        await process.moves(by, at)
        if number == 2:
            await process.does(ANNA, commands.RequestTakeback())
            await process.does(BEN, commands.Answer(live.room.table.offers[0].id, accept=True))
            await process.moves(ANNA, "g7")
    await process.does(ANNA, commands.RequestTakeback())
    await process.does(BEN, commands.Answer(live.room.table.offers[0].id, accept=True))
    restored = unpacked(SIGNER, live.key, pack(SIGNER, live.room, b"", None, IdempotencyRecords()))
    assert restored is not None
    assert restored.room == live.room
    assert restored.room.match is not None
    assert [turn.state for turn in restored.room.match.turns] == [turn.state for turn in live.room.match.turns]  # type: ignore[union-attr]  # a match is played


def test_nothing_of_a_match_is_left_out() -> None:
    """Whoever adds a field stores it."""
    assert {*Match.__struct_fields__} == {*ALIKE, "game", "options", "state", "events", "turns", "last"}
    assert {*Match.__struct_fields__} - {"game"} == {*StoredMatch.__struct_fields__}
    assert {*TurnSnapshot.__struct_fields__} - {"state"} == {*StoredTurn.__struct_fields__}


def test_a_fingerprint_tells_types_apart() -> None:
    """By the names of fields, their types and tags, however deep; not by defaults, which every snapshot spells out."""

    def holding(name: str, kind: object, **config: Any) -> object:
        inner = msgspec.defstruct("Inner", [(name, kind)], **config)
        return msgspec.defstruct("Outer", [("inner", dict[str, tuple[inner, ...]])])  # type: ignore[valid-type]  # made here

    kinds = [holding("a", int), holding("b", int), holding("a", str), holding("a", int | None)]
    kinds += [holding("a", int, tag="x"), holding("a", int, array_like=True), holding("a", int, rename="pascal")]
    assert len({fingerprint(kind) for kind in kinds}) == len(kinds)
    assert fingerprint(holding("a", int)) == fingerprint(holding("a", int))
    assert fingerprint(int, salt="1") != fingerprint(int, salt="2")


@pytest.mark.parametrize("game", GAMES)
def test_the_fingerprint_is_the_same_in_every_process(game: str) -> None:
    """Nothing of this run is in it: no address, no order of a set."""
    types_of.cache_clear()
    first = types_of(game)
    types_of.cache_clear()
    assert types_of(game) == first
    assert len(first) == 16


async def test_what_a_snapshot_says_of_another_version_or_room_is_not_believed(process: Process) -> None:
    """Its MAC is over both."""
    live = await process.match(ANNA, BEN)
    kept = pack(SIGNER, live.room, live.head.digest, None, live.idempotency)
    assert unpacked(SIGNER, live.key, kept) is not None
    with pytest.raises(snapshots.BadSnapshot):
        unpacked(SIGNER, live.key, Snapshot(Version(kept.version + 1), kept.data, kept.receipts))
    with pytest.raises(snapshots.BadSnapshot):
        unpacked(SIGNER, msgspec.structs.replace(live.key, epoch="other"), kept)
    assert unpacked(Signer((b"another key",)), live.key, kept) is None
    assert unpacked(Signer((b"new", MARK_KEY)), live.key, kept) is not None
