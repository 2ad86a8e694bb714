"""Housekeeping: rooms that closed long ago are archived and then trimmed; other rooms are not changed."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import msgspec
import pytest
import structlog

from service import __main__ as program
from service.domain.ids import Millis, Version
from service.domain.room.model import commands
from service.rooms.archive import RoomArchive
from service.rooms.repository import LoadedRoom
from service.store.contract import StoreUnavailable
from service.streams.errors import ServiceError
from service.workers.housekeeping import Housekeeping, Retention
from tests.rooms.processes import ANNA, BEN, NOON, Clock, Process

DAY = 86_400_000


@pytest.fixture(autouse=True)
def log_lines() -> Iterator[list[dict[str, object]]]:
    """Return the log lines."""
    with structlog.testing.capture_logs() as entries:
        yield entries  # type: ignore[misc]  # dictionaries


@pytest.fixture
def process() -> Process:
    """Return a process at noon."""
    return Process(Clock())


def housekeeping(process: Process, folder: Path, days: float = 7) -> Housekeeping:
    """Return housekeeping with a retention of a week."""
    return Housekeeping(RoomArchive(process.store), Retention(timedelta(days=days), folder))


async def closed_room(process: Process) -> LoadedRoom:
    """Return a room in which one match was played and another one began, closed at noon."""
    live = await process.start_match(ANNA, BEN, restart=0)
    await process.place_man(ANNA, "a1")
    await process.execute(BEN, commands.Resign(), all_present=True)
    await process.place_man(ANNA, "a4")
    await process.execute(ANNA, commands.Close())
    return live


async def test_a_step_of_the_stores_clock_deletes_nothing_early(process: Process, tmp_path: Path) -> None:
    """Closing times are in the store's time, so ages are computed with the store's clock, not the service's."""
    await closed_room(process)
    process.core.processor.environment = corrected = Clock()
    corrected.time = Millis(NOON + 30 * DAY)
    assert await housekeeping(process, tmp_path).clean() == 0


async def test_a_room_is_kept_for_the_retention_time(process: Process, tmp_path: Path) -> None:
    """Then it is archived as files with its events and its matches, and trimmed."""
    live = await closed_room(process)
    process.clock.time = Millis(NOON + 7 * DAY)
    assert await housekeeping(process, tmp_path).clean() == 0
    process.clock.time = Millis(NOON + 7 * DAY + 1)
    assert await housekeeping(process, tmp_path).clean() == 1
    folder = tmp_path / f"{live.key.name}.{live.key.epoch}"
    assert sorted(path.name for path in folder.iterdir()) == ["1.ndjson", "2.ndjson", "room.ndjson"]
    lines = (folder / "room.ndjson").read_bytes().splitlines()
    assert [msgspec.json.decode(line)["version"] for line in lines] == list(range(1, live.head.version + 1))
    assert await housekeeping(process, tmp_path).clean() == 0


async def test_an_archived_match_is_verified(process: Process, tmp_path: Path) -> None:
    """With the same verb as an export."""
    live = await closed_room(process)
    process.clock.time = Millis(NOON + 8 * DAY)
    await housekeeping(process, tmp_path).clean()
    for number in (1, 2):
        file = tmp_path / f"{live.key.name}.{live.key.epoch}" / f"{number}.ndjson"
        assert program.main(["verify", str(file)]) == 0


async def test_a_trimmed_room_is_reported_as_such(process: Process, tmp_path: Path) -> None:
    """The name can be used again, and nothing is due in the room."""
    live = await closed_room(process)
    process.clock.time = Millis(NOON + 8 * DAY)
    await housekeeping(process, tmp_path).clean()
    with pytest.raises(ServiceError) as refused:
        await process.start_another().rooms.find(live.key)
    assert refused.value.problem.code == "trimmed"
    assert (process.rooms_due, process.store._lobby) == ({}, {})
    assert (await process.store.heads([live.key]))[0] == live.head
    await process.open()


async def test_open_rooms_are_not_archived(process: Process, tmp_path: Path) -> None:
    """Regardless of their age."""
    live = await process.start_match(ANNA, BEN)
    process.clock.time = Millis(NOON + 999 * DAY)
    assert await housekeeping(process, tmp_path).clean() == 0
    assert len(await process.store.read(live.key, Version(0))) == live.head.version


async def test_a_room_that_cannot_be_archived_is_not_trimmed(process: Process, tmp_path: Path) -> None:
    """The folder is not writable, so the events stay in the store."""
    live = await closed_room(process)
    process.clock.time = Millis(NOON + 8 * DAY)
    (tmp_path / "archive").write_text("a file where the folder should be")
    with pytest.raises(OSError, match="archive"):
        await housekeeping(process, tmp_path / "archive").clean()
    assert len(await process.store.read(live.key, Version(0))) == live.head.version


async def test_a_damaged_room_is_kept_and_reported_once(
    process: Process, tmp_path: Path, log_lines: list[dict[str, object]]
) -> None:
    """An operator has to decide about it; the other rooms are archived."""
    live = await closed_room(process)
    entries = process.store._streams[live.key].entries
    entries[3] = entries[2]
    await process.open()
    await process.execute(ANNA, commands.Close())
    process.clock.time = Millis(NOON + 8 * DAY)
    cleaning = housekeeping(process.start_another(), tmp_path)
    assert await cleaning.clean() == 1
    assert await cleaning.clean() == 0
    assert [entry["event"] for entry in log_lines if entry["log_level"] == "error" and "code" in entry] == [
        "room_not_archived"
    ]


async def test_secrets_do_not_reach_the_archive(process: Process, tmp_path: Path) -> None:
    """A hidden selection has only its public part."""
    live = await process.start_match(ANNA, BEN, game="turncoat")
    await process.execute(ANNA, commands.Play({"type": "select", "at": "d4"}))
    await process.execute(ANNA, commands.Close())
    process.clock.time = Millis(NOON + 8 * DAY)
    await housekeeping(process, tmp_path).clean()
    [selected] = [
        msgspec.json.decode(line)
        for line in (tmp_path / f"{live.key.name}.{live.key.epoch}" / "room.ndjson").read_bytes().splitlines()
        if b'"selected"' in line
    ]
    assert "at" not in selected


async def test_two_workers_may_clean_at_the_same_time(process: Process, tmp_path: Path) -> None:
    """The second worker finds the room trimmed, and does not change its archive."""
    live = await closed_room(process)
    process.clock.time = Millis(NOON + 8 * DAY)
    await housekeeping(process, tmp_path).clean()
    process.store.worker_store.noted.closed[live.key] = NOON
    before = (tmp_path / f"{live.key.name}.{live.key.epoch}" / "room.ndjson").read_bytes()
    assert await housekeeping(process.start_another(), tmp_path).clean() == 0
    assert (tmp_path / f"{live.key.name}.{live.key.epoch}" / "room.ndjson").read_bytes() == before
    assert process.store.worker_store.noted.closed == {}


async def test_an_unavailable_store_is_retried(process: Process, tmp_path: Path) -> None:
    """A later run archives the room."""
    await closed_room(process)
    process.clock.time = Millis(NOON + 8 * DAY)
    other = process.start_another()
    other.store.failing["read"] = StoreUnavailable("away")
    with pytest.raises(StoreUnavailable):
        await housekeeping(other, tmp_path).clean()
    assert await housekeeping(other, tmp_path).clean() == 1
