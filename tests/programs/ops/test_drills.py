"""Drills of docs/operating/failures.md: a full disk, memory near its limit, a damaged file, too old a release."""

import re
import resource
import time
from pathlib import Path

import pytest

from service.programs.store_setup import signer_of
from service.runtime.settings import Settings
from service.store.contract import Head
from service.store.redis.append import unpack_head
from service.store.redis.keys import Keys
from tests.compose.newer_event import append
from tests.e2e.client import ApiClient, Player, Response, fresh_name
from tests.e2e.conftest import StartApi
from tests.e2e.processes import SECRET
from tests.e2e.seated_rooms import SeatedRoom, legal_selections, seat_players, select
from tests.programs.ops.conftest import Verb
from tests.store_server import ProgramServer, StoreServer
from tests.waiting import wait_for


def play_moves(seated: SeatedRoom, count: int = 1, first: int = 0) -> list[int]:
    """Play moves, and return the statuses."""
    return [seated.red.play(seated.room, select(number)).status for number in range(first, first + count)]


def readable_version(player: Player, seated: SeatedRoom) -> int:
    """Return the version up to which a room can be read."""
    version: int = player.read_room(seated.room).body["version"]
    return version


def wait_until_ready(client: ApiClient) -> float:
    """Wait until the service is ready, and return the number of seconds."""
    began = time.monotonic()
    wait_for(lambda: client.anonymous().get("/health/ready").status == 200)
    return time.monotonic() - began


def test_memory_near_its_limit(own_server: StoreServer, start_api: StartApi) -> None:
    """Writes get 503 and nothing is lost; reads work; raising the limit is sufficient."""
    _, client = start_api()
    seated = seat_players(client, "turncoat", 2)
    before = readable_version(seated.red, seated)
    used = int(own_server.execute("INFO", "memory").split(b"used_memory:")[1].split(b"\r")[0])
    own_server.execute("CONFIG", "SET", "maxmemory", used // 2)
    refused = seated.red.play(seated.room, legal_selections(seated)[0])
    assert (refused.status, refused.code) == (503, "store_full")
    assert refused.headers["retry-after"] == "5"
    assert readable_version(seated.red, seated) == before
    own_server.execute("CONFIG", "SET", "maxmemory", 4 * used)
    assert play_moves(seated, 64).count(200) >= 30


def test_new_rooms_are_refused_long_before_moves(own_server: StoreServer, start_api: StartApi) -> None:
    """Above 85 % of the limit: open rooms go on, a repetition gets its room, and the metric says so."""
    _, client = start_api()
    seated = seat_players(client, "turncoat", 2)
    name = fresh_name()
    assert seated.red.open_room("morris", key="k", name=name).status == 201

    def opening() -> Response:
        return seated.red.open_room("morris")

    used = int(own_server.execute("INFO", "memory").split(b"used_memory:")[1].split(b"\r")[0])
    own_server.execute("CONFIG", "SET", "maxmemory", used * 10 // 9)
    wait_for(lambda: "turnstream_rooms_refused 1.0" in client.http.get("/metrics").text)
    assert (opening().status, opening().headers["retry-after"]) == (503, "5")
    assert client.anonymous().open_room("morris", nickname="Ada").code == "store_full"
    assert seated.red.open_room("morris", key="k", name=name).headers["idempotency-replayed"] == "true"
    assert seated.red.play(seated.room, legal_selections(seated)[0]).status == 200
    own_server.execute("CONFIG", "SET", "maxmemory", used * 2)
    wait_for(lambda: opening().status == 201)


def test_a_full_disk(own_server: StoreServer, start_api: StartApi, verb: Verb) -> None:
    """The store ends instead of losing writes; when there is space again, every answered command is there."""
    if not isinstance(own_server, ProgramServer) or own_server._process is None:
        pytest.skip("only a server of this machine can be given a small disk")
    _, client = start_api()
    seated = seat_players(client, "turncoat", 2)
    folder = own_server.folder / "appendonlydir"
    size = max(path.stat().st_size for path in folder.iterdir())
    resource.prlimit(own_server._process.pid, resource.RLIMIT_FSIZE, (size + 8_000, size + 8_000))
    statuses = play_moves(seated, 64)
    done = statuses.count(200)
    assert 0 < done < 40
    assert set(statuses) <= {200, 409, 503}
    assert own_server._process.wait(20) != 0
    assert client.anonymous().get("/health/ready").code == "store_unavailable"
    own_server.restart()
    wait_until_ready(client)
    events = seated.red.get(f"/v1/rooms/{seated.room}/events", limit=1000).body["events"]
    assert sum(event["type"] == "selected" for event in events) >= done
    assert verb(own_server, "verify", "--all").code == 0
    assert play_moves(seated, 64).count(200) > 0


def test_a_damaged_file(
    own_server: StoreServer, empty_store: StoreServer, start_api: StartApi, verb: Verb, tmp_path: Path
) -> None:
    """A letter is changed: the room answers 503, the others work, `verify` names it, and a backup restores it."""
    if not isinstance(own_server, ProgramServer):
        pytest.skip("only the file of a server of this machine can be damaged")
    api, client = start_api()
    damaged, well = seat_players(client, "turncoat", 2), seat_players(client, "turncoat", 2)
    for seated in (damaged, well):
        assert seated.red.play(seated.room, legal_selections(seated)[0]).status == 200
    assert verb(own_server, "backup", tmp_path).code == 0
    api.stop()
    own_server.kill()
    change_letter(own_server, damaged)
    own_server.start()
    api.start()
    assert client.anonymous().read_room(damaged.room).code == "history_damaged"
    assert damaged.red.play(damaged.room, select(10)).status == 503
    assert play_moves(well, 64).count(200) > 0
    said = verb(own_server, "verify", "--all")
    assert said.code == 1
    assert [line.split(":")[0] for line in said.lines if line.startswith("DAMAGED")] == [f"DAMAGED {damaged.room}"]
    [backup] = tmp_path.glob("*.ndjson.gz")
    assert verb(empty_store, "restore", backup).lines[-1].endswith("damaged: 0")
    export = tmp_path / "room.ndjson"
    assert verb(empty_store, "export", export, damaged.room).code == 0
    own_server.execute(
        "DEL", *own_server.execute("KEYS", f"*:{damaged.room}:*"), f"{partition(damaged)}:name:{damaged.room}"
    )
    assert verb(own_server, "import", export).code == 0
    assert verb(own_server, "verify", "--all").lines[-1].endswith("damaged: 0")
    assert damaged.red.play(damaged.room, legal_selections(damaged)[-1]).status == 200


def partition(seated: SeatedRoom) -> str:
    """Return the tag of a room's partition."""
    return Keys(16).partition_of(seated.room).tag.decode()


def change_letter(server: ProgramServer, seated: SeatedRoom) -> None:
    """Change one letter of the latest selection of a room in the store's file."""
    [file] = [path for path in (server.folder / "appendonlydir").iterdir() if ".incr." in path.name]
    data = file.read_bytes()
    stream = rb"XADD\r\n\$\d+\r\n[^\r]*:room:" + re.escape(seated.room.encode()) + rb":[^\r]*\r\n"
    selection = stream + rb'(?:(?!XADD\r\n)[\s\S])*?"type":"(?=selected")'
    *_, latest = re.finditer(selection, data)
    at = latest.end()
    file.write_bytes(data[:at] + b"d" + data[at + 1 :])


def test_a_release_that_is_too_old(own_server: StoreServer, start_api: StartApi, verb: Verb) -> None:
    """After a rollback, a room with events of the newer release answers 503 and is not changed; others work."""
    _, client = start_api()
    newer, well = seat_players(client, "turncoat", 2), seat_players(client, "turncoat", 2)
    head = write_newer(own_server, newer)
    _, fresh = start_api()
    red = newer.red.via(fresh)
    assert red.play(newer.room, select(9)).code == "newer_events"
    assert fresh.anonymous().read_room(newer.room).code == "newer_events"
    assert unpack_head(own_server.execute("GET", head_key(own_server, newer))) == head
    assert well.red.via(fresh).read_room(well.room).status == 200
    assert "cannot be read by this release" in verb(own_server, "verify", "--all").lines[0]


def head_key(server: StoreServer, seated: SeatedRoom) -> bytes:
    """Return the key of a room's head."""
    [key] = server.execute("KEYS", f"*:head:{seated.room}:*")
    return bytes(key)


def write_newer(server: StoreServer, seated: SeatedRoom) -> Head:
    """Append an event of a future release, and return the head after it."""
    return append(server.execute, signer_of(Settings(secret=SECRET)), head_key(server, seated))
