"""`turnstream doctor`: each thing that is wrong is found, with what to do about it."""

import json
import socket
import time
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from service.runtime import metrics_server
from service.store.free_space import FULL_MARK
from service.store.witness import NAME, Witness
from tests.programs.ops.conftest import Verb, VerbResult
from tests.store_server import StoreServer, free_port

Asked = Callable[[str, dict[str, str]], VerbResult]


@pytest.fixture(autouse=True)
def port(monkeypatch: pytest.MonkeyPatch) -> int:
    """Choose a free port for the API."""
    found = free_port()
    monkeypatch.setenv("TURNSTREAM_PORT", str(found))
    return found


def findings(said: VerbResult, part: str) -> list[tuple[str, str]]:
    """Return the states and texts about a part."""
    lines = [line.split(maxsplit=2) for line in said.lines]
    return [(state, text) for state, of, text in lines if of == part]


def test_an_installation_without_faults_has_a_line_per_part(own_server: StoreServer, verb: Verb, witness: Path) -> None:
    """All are good, as objects, too."""
    said = verb(own_server, "doctor")
    assert said.code == 0
    assert [line.split()[:2] for line in said.lines] == [
        ["ok", part] for part in ("settings", "store", "clock", "port", "folder")
    ]
    assert str(witness) in said.lines[-1]
    objects = [json.loads(line) for line in verb(own_server, "doctor", "--json").lines]
    assert [(each["state"], each["part"]) for each in objects] == [("ok", line.split()[1]) for line in said.lines]


@pytest.mark.parametrize(
    ("setting", "mode", "state", "expected"),
    [
        ("maxmemory-policy allkeys-lru", "development", "error", "set `maxmemory-policy noeviction`"),
        ("appendfsync everysec", "development", "warning", "set `appendfsync always`"),
        ("appendfsync everysec", "production", "error", "set `appendfsync always`"),
    ],
)
def test_a_store_with_other_settings_is_found(setting: str, mode: str, state: str, expected: str, store: Asked) -> None:
    """As at a start: production refuses what development warns of."""
    said = store(setting, {"MODE": mode, "ORIGINS": "https://play.example", "HOSTS": "play.example"})
    assert said.code == (state == "error")
    assert [text for each, text in findings(said, "store") if expected in text and each == state]


@pytest.fixture
def store(own_server: StoreServer, verb: Verb, monkeypatch: pytest.MonkeyPatch) -> Asked:
    """Return a function that runs the verb on a store that needs a password, with a setting of the store and others."""

    def run(setting: str, settings: dict[str, str]) -> VerbResult:
        for name, value in settings.items():
            monkeypatch.setenv(f"TURNSTREAM_{name}", value)
        own_server.execute("CONFIG", "SET", *setting.split())
        own_server.execute("CONFIG", "SET", "requirepass", "sesame")
        own_server.url = own_server.url.replace("://", "://:sesame@")
        return verb(own_server, "doctor")

    return run


def test_a_store_that_does_not_answer_is_found(
    own_server: StoreServer, verb: Verb, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Everything else is checked all the same."""
    monkeypatch.setattr(own_server, "url", f"redis://127.0.0.1:{free_port()}")
    said = verb(own_server, "doctor")
    assert said.code == 1
    [(state, text)] = findings(said, "store")
    assert state == "error"
    assert "check TURNSTREAM_REDIS_URL" in text
    assert [state for state, _ in findings(said, "port")] == ["ok"]


def test_a_store_that_lost_data_is_found(own_server: StoreServer, verb: Verb, witness: Path) -> None:
    """By the witness, which is not changed."""
    witness.mkdir()
    known = msgspec.json.encode(Witness("another-store", {0: 5}))
    (witness / NAME).write_bytes(known)
    said = verb(own_server, "doctor")
    assert said.code == 1
    assert "accept-loss" in findings(said, "store")[-1][1]
    assert (witness / NAME).read_bytes() == known


def test_settings_that_prevent_a_start_are_found(own_server: StoreServer, verb: Verb) -> None:
    """Then no store is asked."""
    said = verb(own_server, "doctor", secret="")
    assert said.code == 1
    [(state, text)] = findings(said, "settings")
    assert state == "error"
    assert "TURNSTREAM_SECRET" in text
    assert findings(said, "store") == []


def test_a_clock_that_differs_is_found(own_server: StoreServer, verb: Verb, monkeypatch: pytest.MonkeyPatch) -> None:
    """Between this machine and the store's."""
    there = time.time
    monkeypatch.setattr(time, "time", lambda: there() - 5)
    said = verb(own_server, "doctor")
    assert said.code == 0
    [(state, text)] = findings(said, "clock")
    assert state == "warning"
    assert text.startswith(("the store's is +4.9", "the store's is +5.0"))
    assert "NTP" in text


def test_a_port_that_another_program_uses_is_found(own_server: StoreServer, verb: Verb, port: int) -> None:
    """It does not answer as Turnstream does."""
    with socket.create_server(("127.0.0.1", port)):
        said = verb(own_server, "doctor")
    assert said.code == 1
    [(state, text)] = findings(said, "port")
    assert state == "error"
    assert "set another port" in text


@pytest.mark.parametrize(("served", "state"), [(None, "ok"), ("0.0.9", "warning")])
def test_a_port_that_turnstream_serves_is_good_if_the_release_is_this_one(
    own_server: StoreServer, verb: Verb, monkeypatch: pytest.MonkeyPatch, served: str | None, state: str
) -> None:
    """A process of another release was not restarted after an update."""
    if served:
        monkeypatch.setattr(metrics_server, "release", lambda: served)
    used = free_port()
    monkeypatch.setenv("TURNSTREAM_METRICS_PORT", str(used))
    server = metrics_server.serve("127.0.0.1", used)
    try:
        said = verb(own_server, "doctor")
    finally:
        server.shutdown()
        server.server_close()
    assert said.code == 0
    assert [each for each, _ in findings(said, "port")] == ["ok", state]


def test_a_folder_that_cannot_be_used_is_found(
    own_server: StoreServer, verb: Verb, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """One below a file, and one of a store that has ended because its disk was full."""
    (tmp_path / "file").touch()
    (tmp_path / FULL_MARK).touch()
    monkeypatch.setenv("TURNSTREAM_WITNESS", str(tmp_path / "file" / "witness"))
    monkeypatch.setenv("TURNSTREAM_STORE_FOLDER", str(tmp_path))
    said = verb(own_server, "doctor")
    texts = [text for state, text in findings(said, "folder") if state == "error"]
    assert said.code == 1
    assert len(texts) == 3
    assert "cannot be read" in texts[0]
    assert "not writable" in texts[1]
    assert "free some space" in texts[2]
