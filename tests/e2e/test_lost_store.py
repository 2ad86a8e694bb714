"""The store comes back without data: it is reported, nothing is written, backups are kept, and an operator decides."""

import time
from pathlib import Path

import pytest

from tests.e2e.client import ApiClient
from tests.e2e.conftest import StartApi, StartWorker
from tests.e2e.processes import ApiProcess, ServiceProcess
from tests.e2e.seated_rooms import SeatedRoom, legal_selections, seat_players
from tests.e2e.test_lost_tail import wait_for_witness, wait_until_lost, wait_until_ready
from tests.programs.ops.conftest import Verb, verb, witness
from tests.store_server import StoreServer
from tests.waiting import wait_for

__all__ = ["verb", "witness"]


class RunningMatch:
    """A process, a client of it, and a running match that the witness knows."""

    def __init__(self, api: ApiProcess, client: ApiClient, seated: SeatedRoom) -> None:
        self.api, self.client, self.seated = api, client, seated


@pytest.fixture
def running(start_api: StartApi, witness: Path, own_server: StoreServer) -> RunningMatch:
    """Return a match that has begun."""
    api, client = start_api(witness=str(witness))
    seated = seat_players(client, "turncoat", 2)
    assert seated.red.play(seated.room, legal_selections(seated)[0]).status == 200
    wait_for_witness(witness, own_server)
    return RunningMatch(api, client, seated)


def delete_data(store: StoreServer) -> None:
    """Delete all data of the store and restart it, as with a new volume."""
    store.execute("FLUSHALL")
    store.restart()


def metric(client: ApiClient, name: str) -> float:
    """Return a metric of a process."""
    lines = client.anonymous().get("/metrics").content.decode().splitlines()
    [value] = [line.split()[1] for line in lines if line.startswith(f"{name} ")]
    return float(value)


def wait_for_key(store: StoreServer, key: str) -> None:
    """Wait until a key exists."""
    wait_for(lambda: store.execute("EXISTS", key))


def test_an_empty_store_stops_all_writing_until_an_operator_accepts_it(
    running: RunningMatch,
    own_server: StoreServer,
    start_api: StartApi,
    start_worker: StartWorker,
    verb: Verb,
    tmp_path: Path,
) -> None:
    """In running processes, in those that start later, and in those with a witness on another volume."""
    tmp_path = running.api.log.parent
    _, elsewhere = start_api(witness=str(tmp_path / "other"))
    worker = start_worker(witness=str(tmp_path / "third"))
    for folder in ("other", "third"):
        wait_for_witness(tmp_path / folder, own_server)
    wait_for_key(own_server, "{p00}:pulse")
    worker.kill()
    running.api.kill()
    delete_data(own_server)
    for process in (worker, running.api):
        ServiceProcess.start(process)
    wait_until_lost(running.client, elsewhere)
    for client in (running.client, elsewhere):
        red = running.seated.red.via(client)
        assert red.open_room("morris").code == "store_lost_data"
        assert red.play(running.seated.room, {"type": "select", "at": "a1"}).code == "store_lost_data"
        assert red.get("/v1/rooms").status == 200
        assert metric(client, "turnstream_store_lost") == 1
    while "store_lost_data" not in worker.log.read_text():
        time.sleep(0.05)
    assert not own_server.execute("EXISTS", "{p00}:pulse")
    assert verb(own_server, "accept-loss", "--yes", "--reason", "a new disk").code == 0
    for client in (running.client, elsewhere):
        wait_until_ready(client)
        assert running.seated.red.via(client).open_room("morris").status == 201
        assert metric(client, "turnstream_store_lost") == 0
    wait_for_key(own_server, "{p00}:pulse")


def test_an_operator_sees_what_is_missing_and_keeps_the_backups(
    running: RunningMatch, own_server: StoreServer, verb: Verb, tmp_path: Path
) -> None:
    """Nothing is accepted without --yes; what was accepted is in the audit log."""
    folder, exported = tmp_path / "backups", tmp_path / "rooms.ndjson"
    assert verb(own_server, "backup", folder, "--keep", 1).code == 0
    assert verb(own_server, "export", exported).code == 0
    backups = sorted(folder.iterdir())
    version = running.seated.red.read_room(running.seated.room).body["version"]
    delete_data(own_server)
    wait_until_lost(running.client)
    verbs = (("backup", folder, "--keep", 1), ("check-config",), ("import", exported), ("rooms", "close", "any-room"))
    for result in [verb(own_server, *arguments) for arguments in verbs]:
        assert result.code == 1
        assert "restores a backup or accepts the loss" in result.error + "".join(result.lines)
    assert sorted(folder.iterdir()) == backups
    result = verb(own_server, "accept-loss")
    assert result.code == 1
    assert f"at least {version} of {version} events are missing" in result.lines[1]
    wait_until_lost(running.client)
    assert verb(own_server, "accept-loss", "--yes", "--reason", "a new disk").code == 0
    [entry] = own_server.execute("XRANGE", "{p00}:audit", "-", "+")
    assert b'"loss_accepted","reason":"a new disk"' in entry[1][1]
    assert verb(own_server, "check-config").code == 0
    assert verb(own_server, "accept-loss").lines == [
        "The store has everything that the witness counts: there is nothing to accept."
    ]
    assert verb(own_server, "backup", folder, "--keep", 1).code == 0
    assert verb(own_server, "import", exported).code == 0
    assert verb(own_server, "rooms", "close", running.seated.room).code == 0


def test_a_restored_backup_is_accepted_by_every_process(
    running: RunningMatch, own_server: StoreServer, verb: Verb, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where the verb has no witness: the backup names the store that it was made from."""
    assert verb(own_server, "backup", tmp_path / "backups").code == 0
    version = running.seated.red.read_room(running.seated.room).body["version"]
    delete_data(own_server)
    wait_until_lost(running.client)
    monkeypatch.delenv("TURNSTREAM_WITNESS")
    [backup] = (tmp_path / "backups").glob("*.ndjson.gz")
    assert verb(own_server, "restore", backup).lines[-1].endswith("damaged: 0")
    wait_until_ready(running.client)
    assert running.seated.red.read_room(running.seated.room).body["version"] == version
    assert running.seated.red.play(running.seated.room, legal_selections(running.seated)[0]).status == 200


def test_without_a_witness_a_running_process_notices_a_loss(
    start_api: StartApi, own_server: StoreServer, verb: Verb
) -> None:
    """It is accepted by the id in the log, because no file has it."""
    api, client = start_api(log_format="console")
    seated = seat_players(client, "turncoat", 2)
    delete_data(own_server)
    wait_until_lost(client)
    expected = api.log.read_text().split("expected=")[1].split()[0]
    assert verb(own_server, "accept-loss", "--yes", "--expected", expected).code == 0
    wait_until_ready(client)
    assert seated.red.open_room("morris").status == 201
