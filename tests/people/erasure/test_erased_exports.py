"""Erased players in exports: a backup from before an erasure brings back nothing of the player."""

from pathlib import Path

from service.domain.room.model import commands
from service.programs.ops.exports.reader import import_rooms
from service.programs.ops.exports.room_iteration import every_room
from service.programs.ops.exports.writer import export_rooms
from service.rooms.access.audit_log import erased_players
from service.store.player_names import ERASED
from tests.people.erasure.test_erasure import ANYA, a_life, erase, shown_names, stored_in
from tests.rooms.processes import BEN, FRIDAY, Clock, Process

KEY = b"a key for exports"


async def export(process: Process, folder: Path, *, whole: bool = True) -> list[bytes]:
    """Return the lines of an export of all rooms, as a whole backup or of rooms only."""
    written = list[bytes]()
    await export_rooms(process.store, await every_room(process.store), KEY, written.append, log=whole, folder=folder)
    return b"".join(written).splitlines(keepends=True)


async def test_rooms_are_exported_with_the_nicknames_in_them(process: Process, tmp_path: Path) -> None:
    """Also a few rooms without the rest."""
    live = await a_life(process)
    await process.store.player_names.refer(BEN.id, "Elsewhere")
    there = Process(Clock())
    await import_rooms(there.store, await export(process, tmp_path, whole=False), lambda _: None)
    assert await shown_names(there, live) == {ANYA.nickname}
    assert (await there.rooms.read(FRIDAY, None)).state.table.members[BEN.id].nickname == BEN.nickname


async def test_a_backup_from_before_an_erasure_is_restored_without_the_player(process: Process, tmp_path: Path) -> None:
    """If the erased players are named; then their erasure is in the log of the new store."""
    live = await a_life(process)
    backup = await export(process, tmp_path)
    await erase(process)
    there = Process(Clock())
    await import_rooms(there.store, backup, lambda _: None, await erased_players(process.store))
    await there.moderation_log.catch_up()
    assert await shown_names(there, live) == {ERASED}
    for part in ("nnchen", "phone", "https://hook.example"):
        assert part not in stored_in(there.store)
    assert ANYA.id not in there.store.name_table.names


async def test_a_backup_from_after_an_erasure_has_nothing_of_the_player(process: Process, tmp_path: Path) -> None:
    """And the store that reads it knows of the erasure."""
    live = await a_life(process)
    await erase(process)
    backup = await export(process, tmp_path)
    assert b"nnchen" not in b"".join(backup)
    there = Process(Clock())
    await import_rooms(there.store, backup, lambda _: None)
    await there.moderation_log.catch_up()
    assert await shown_names(there, live) == {ERASED}


async def test_an_erased_player_stays_so_in_histories_of_earlier_releases(process: Process, tmp_path: Path) -> None:
    """Their nicknames are part of the events, so they are restored, but not shown."""
    await process.open(by=BEN, start="full")
    await process.execute(ANYA, commands.Join())
    live = await process.cached_room()
    backup = await export(process, tmp_path)
    there = Process(Clock())
    await import_rooms(there.store, backup, lambda _: None, {ANYA.id})
    await there.moderation_log.catch_up()
    assert await shown_names(there, live) == {ERASED}
    assert live.state.table.members.keys() >= {ANYA.id}


async def test_an_export_is_repeated_over_an_erasure(process: Process, tmp_path: Path) -> None:
    """Reading an earlier backup into a store that has erased the player brings nothing back."""
    live = await a_life(process)
    backup = await export(process, tmp_path)
    await erase(process)
    await import_rooms(process.store, [line for line in backup if not line.startswith((b'{"room"', b'{"v"'))], print)
    assert await shown_names(process, live) == {ERASED}
    assert ANYA.id not in process.store.name_table.names
