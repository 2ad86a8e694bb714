"""Accounts in exports: they outlast the loss of a store, and revoked guest tokens stay revoked."""

from pathlib import Path

import msgspec
import pytest

from service.accounts.service import NewToken
from service.ops.exports.format import Damaged, Seal
from service.ops.exports.reader import Imported, check_export, import_rooms
from service.ops.exports.room_iteration import every_room
from service.ops.exports.writer import Exported, export_rooms
from service.store.contract import Entry
from service.store.stream_keys import KindKey
from tests.rooms.processes import ANNA, BEN, CLARA, Clock, Process

SEALING = b"a key for exports"
TOKEN = NewToken("phone", ("read", "play"))


async def export(process: Process, folder: Path) -> tuple[list[bytes], Exported]:
    """Return the lines of an export of everything."""
    written = list[bytes]()
    rooms = await every_room(process.store)
    exported = await export_rooms(process.store, rooms, SEALING, written.append, log=True, folder=folder)
    return b"".join(written).splitlines(keepends=True), exported


async def restore(process: Process, lines: list[bytes]) -> Imported:
    """Check an export and read it into the store of a process."""
    check_export(lambda: lines, SEALING)
    return await import_rooms(process.store, lines, lambda _: None)


async def test_accounts_outlast_the_loss_of_a_store(tmp_path: Path) -> None:
    """Their tokens, their recovery codes and whom they have blocked."""
    here, there = Process(Clock()), Process(Clock())
    token = await here.accounts.make_token(ANNA.id, TOKEN)
    code = await here.accounts.make_recovery_code(BEN)
    await here.accounts.block(CLARA.id, ANNA.id)
    lines, exported = await export(here, tmp_path)
    assert exported.damaged == ()
    assert (await restore(there, lines)).accounts == 3
    assert await there.accounts.tokens(ANNA.id) == [token]
    assert (await there.accounts.recover(code, "phone")).player.id == BEN.id
    assert await there.accounts.is_blocked(ANNA.id, CLARA.id)


async def test_a_replaced_guest_token_stays_replaced(tmp_path: Path) -> None:
    """The list of such players is rebuilt from the accounts."""
    here, there = Process(Clock()), Process(Clock())
    await here.accounts.recover(await here.accounts.make_recovery_code(ANNA), "phone")
    await here.accounts.make_token(BEN.id, TOKEN)
    await restore(there, (await export(here, tmp_path))[0])
    assert await there.store.admin_store.replaced() == [ANNA.id]


async def test_an_account_that_the_store_has_stays_as_it_is(tmp_path: Path) -> None:
    """What was revoked since the export is not valid again; importing twice changes nothing."""
    here = Process(Clock())
    token = await here.accounts.make_token(ANNA.id, TOKEN)
    lines, _ = await export(here, tmp_path)
    await here.accounts.revoke_token(ANNA.id, token.id)
    for _ in range(2):
        assert (await restore(here, lines)).accounts == 0
    assert await here.accounts.tokens(ANNA.id) == []


async def test_a_damaged_account_is_left_out_and_named(tmp_path: Path) -> None:
    """All others are in the export."""
    process = Process(Clock())
    for player in (ANNA, BEN):
        await process.accounts.make_token(player.id, TOKEN)
    stream = process.store._streams[KindKey("account", ANNA.id)]
    [first] = stream.entries
    stream.entries[0] = Entry(first.version, first.data.replace(b"phone", b"spoof"), first.digest)
    lines, exported = await export(Process(process.clock, process), tmp_path)
    assert [left.what for left in exported.damaged] == [f"account {ANNA.id}"]
    there = Process(Clock())
    assert (await restore(there, lines)).accounts == 1
    assert len(await there.accounts.tokens(BEN.id)) == 1


@pytest.mark.parametrize(
    "line",
    [
        {"account": ANNA.id, "f": 99, "e": {"type": "account_summarised"}},
        {"account": ANNA.id, "f": 1, "e": {"type": "sang"}},
        {"account": ANNA.id, "f": 1, "e": {"type": "player_blocked", "player": "p-ben"}},
    ],
)
async def test_an_account_that_cannot_be_read_stops_an_import(tmp_path: Path, line: dict[str, object]) -> None:
    """Before anything is written."""
    heading, *_ = (await export(Process(Clock()), tmp_path))[0]
    data = msgspec.json.encode(line) + b"\n"
    seal = Seal(SEALING)
    for each in (heading, data):
        seal.add(each)
    ending = msgspec.json.encode({"end": True, "rooms": 0, "events": 0, "seal": seal.text()}) + b"\n"
    with pytest.raises(Damaged, match=ANNA.id):
        check_export(lambda: [heading, data, ending], SEALING)


async def test_an_export_of_format_1_can_be_read(tmp_path: Path) -> None:
    """It was written before there were accounts."""
    heading, *_ = (await export(Process(Clock()), tmp_path))[0]
    older = heading.replace(b'"format":2', b'"format":1')
    assert older != heading
    seal = Seal(SEALING)
    seal.add(older)
    ending = msgspec.json.encode({"end": True, "rooms": 0, "events": 0, "seal": seal.text()}) + b"\n"
    assert (await restore(Process(Clock()), [older, ending])).accounts == 0
