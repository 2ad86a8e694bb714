"""The store comes back empty: everything says so, nothing is written, backups stay, and an operator decides."""

import time
from pathlib import Path

import pytest

from tests.e2e.client import PATIENCE, Door
from tests.e2e.conftest import StartApi, StartWorker
from tests.e2e.processes import ApiProcess, ServiceProcess
from tests.e2e.tables import Table, discs, seated
from tests.e2e.test_lost_tail import until_lost, until_ready, until_remembered
from tests.ops.conftest import Verb, verb, witness
from tests.store_server import StoreServer

__all__ = ["verb", "witness"]


class Playing:
    """A process, the way to it, and a running match of which the witness knows."""

    def __init__(self, api: ApiProcess, door: Door, table: Table) -> None:
        self.api, self.door, self.table = api, door, table


@pytest.fixture
def playing(start_api: StartApi, witness: Path, own_server: StoreServer) -> Playing:
    """Return a match that has begun."""
    api, door = start_api(witness=str(witness))
    table = seated(door, "turncoat", 2)
    assert table.red.plays(table.room, discs(table)[0]).status == 200
    until_remembered(witness, own_server)
    return Playing(api, door, table)


def empty(store: StoreServer) -> None:
    """Let the store come back without anything, as with a new volume."""
    store.order("FLUSHALL")
    store.restart()


def metric(door: Door, name: str) -> float:
    """Return a metric of a process."""
    lines = door.stranger().gets("/metrics").content.decode().splitlines()
    [value] = [line.split()[1] for line in lines if line.startswith(f"{name} ")]
    return float(value)


def until_written(store: StoreServer, key: str) -> None:
    """Wait until somebody has written a key."""
    deadline = time.monotonic() + PATIENCE
    while not store.order("EXISTS", key):
        assert time.monotonic() < deadline
        time.sleep(0.05)


def test_an_emptied_store_stops_all_writing_until_an_operator_accepts_that(
    playing: Playing,
    own_server: StoreServer,
    start_api: StartApi,
    start_worker: StartWorker,
    verb: Verb,
    tmp_path: Path,
) -> None:
    """In processes that ran, in those that start over it, and in those with a witness on another volume."""
    tmp_path = playing.api.log.parent
    _, elsewhere = start_api(witness=str(tmp_path / "other"))
    worker = start_worker(witness=str(tmp_path / "third"))
    for folder in ("other", "third"):
        until_remembered(tmp_path / folder, own_server)
    until_written(own_server, "{p00}:pulse")
    worker.kill()
    playing.api.kill()
    empty(own_server)
    for process in (worker, playing.api):
        ServiceProcess.start(process)
    until_lost(playing.door, elsewhere)
    for door in (playing.door, elsewhere):
        red = playing.table.red.at(door)
        assert red.opens("morris").code == "store_lost_data"
        assert red.plays(playing.table.room, {"type": "select", "at": "a1"}).code == "store_lost_data"
        assert red.gets("/v1/rooms").status == 200
        assert metric(door, "turnstream_store_lost") == 1
    while "store_lost_data" not in worker.log.read_text():
        time.sleep(0.05)
    assert not own_server.order("EXISTS", "{p00}:pulse")
    assert verb(own_server, "accept-loss", "--yes", "--reason", "a new disk").code == 0
    for door in (playing.door, elsewhere):
        until_ready(door)
        assert playing.table.red.at(door).opens("morris").status == 201
        assert metric(door, "turnstream_store_lost") == 0
    until_written(own_server, "{p00}:pulse")


def test_an_operator_sees_what_is_missing_and_no_backup_is_replaced(
    playing: Playing, own_server: StoreServer, verb: Verb, tmp_path: Path
) -> None:
    """Nothing is accepted without --yes; what was accepted is in the operators' log."""
    folder, exported = tmp_path / "backups", tmp_path / "rooms.ndjson"
    assert verb(own_server, "backup", folder, "--keep", 1).code == 0
    assert verb(own_server, "export", exported).code == 0
    backups = sorted(folder.iterdir())
    written = playing.table.red.sees(playing.table.room).body["version"]
    empty(own_server)
    until_lost(playing.door)
    refused = (("backup", folder, "--keep", 1), ("check-config",), ("import", exported), ("rooms", "close", "any-room"))
    for said in [verb(own_server, *words) for words in refused]:
        assert said.code == 1
        assert "restores a backup or accepts the loss" in said.error + "".join(said.lines)
    assert sorted(folder.iterdir()) == backups
    shown = verb(own_server, "accept-loss")
    assert shown.code == 1
    assert f"at least {written} of {written} events are missing" in shown.lines[1]
    until_lost(playing.door)
    assert verb(own_server, "accept-loss", "--yes", "--reason", "a new disk").code == 0
    [line] = own_server.order("XRANGE", "{p00}:audit", "-", "+")
    assert b'"loss_accepted","reason":"a new disk"' in line[1][1]
    assert verb(own_server, "check-config").code == 0
    assert verb(own_server, "accept-loss").lines == [
        "The store has everything that the witness remembers: there is nothing to accept."
    ]
    assert verb(own_server, "backup", folder, "--keep", 1).code == 0
    assert verb(own_server, "import", exported).code == 0
    assert verb(own_server, "rooms", "close", playing.table.room).code == 0


def test_a_restored_backup_is_accepted_by_every_process(
    playing: Playing, own_server: StoreServer, verb: Verb, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where the verb knows no witness: the backup names the store that it was made from."""
    assert verb(own_server, "backup", tmp_path / "backups").code == 0
    version = playing.table.red.sees(playing.table.room).body["version"]
    empty(own_server)
    until_lost(playing.door)
    monkeypatch.delenv("TURNSTREAM_WITNESS")
    [backup] = (tmp_path / "backups").glob("*.ndjson.gz")
    assert verb(own_server, "restore", backup).lines[-1].endswith("damaged: 0")
    until_ready(playing.door)
    assert playing.table.red.sees(playing.table.room).body["version"] == version
    assert playing.table.red.plays(playing.table.room, discs(playing.table)[0]).status == 200


def test_without_a_witness_a_loss_is_noticed_while_the_process_runs(
    start_api: StartApi, own_server: StoreServer, verb: Verb
) -> None:
    """And accepted by the id that its log names, for no file knows that."""
    api, door = start_api(log_format="console")
    table = seated(door, "turncoat", 2)
    empty(own_server)
    until_lost(door)
    expected = api.log.read_text().split("expected=")[1].split()[0]
    assert verb(own_server, "accept-loss", "--yes", "--expected", expected).code == 0
    until_ready(door)
    assert table.red.opens("morris").status == 201
