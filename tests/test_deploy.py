"""What `docker-compose.yml` promises, as far as it can be shown without an engine."""

import asyncio
import time
from pathlib import Path
from typing import Any

import pytest
import yaml  # type: ignore[import-untyped]  # the package comes without types

from service import settings
from service.__main__ import VERBS
from service.streams.binary import server_binary
from service.streams.contract import StoreUnavailable
from service.streams.redis import RedisStore

ROOT = Path(__file__).parents[1]
COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "docker-compose.yml").read_text())
OURS = [name for name in COMPOSE["services"] if name != "redis"]


@pytest.mark.parametrize("name", OURS)
def test_a_service_runs_a_verb_under_settings_that_exist(name: str) -> None:
    """An unknown verb or setting would stop it at its start."""
    service = COMPOSE["services"][name]
    program, verb = service["command"]
    assert program == "turnstream"
    assert verb in VERBS
    read = settings.read({**service["environment"], "TURNSTREAM_SECRET": "k" * 32})
    assert read.redis_url == "redis://redis:6379"


@pytest.mark.parametrize("name", OURS)
def test_a_service_may_do_no_more_than_it_needs(name: str) -> None:
    """A read-only root, no capabilities, no new privileges; and only loopback is published."""
    service = COMPOSE["services"][name]
    assert service["read_only"] is True
    assert service["cap_drop"] == ["ALL"]
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert all(port.startswith("127.0.0.1:") for port in service.get("ports", []))


def test_the_store_is_not_published() -> None:
    """Only the other services reach it."""
    assert "ports" not in COMPOSE["services"]["redis"]


async def test_a_store_with_the_settings_in_deploy_is_fit(tmp_path: Path) -> None:
    """The start-up check has nothing to say about it."""
    program = server_binary()
    if program is None:
        pytest.skip("no server program is installed here")
    socket = tmp_path / "store.sock"
    command = (program, ROOT / "deploy/redis.conf", "--port", "0", "--unixsocket", socket, "--dir", tmp_path)
    process = await asyncio.create_subprocess_exec(*map(str, command), stdout=asyncio.subprocess.DEVNULL)
    store = RedisStore(f"unix://{socket}")
    try:
        assert await first_answer(store) == []
    finally:
        await store.close()
        process.terminate()
        await process.wait()


async def first_answer(store: RedisStore) -> list[str]:
    """Return what the check says as soon as the store answers."""
    deadline = time.monotonic() + 20
    while True:
        try:
            return await store.check()
        except StoreUnavailable:
            assert time.monotonic() < deadline
            await asyncio.sleep(0.1)
