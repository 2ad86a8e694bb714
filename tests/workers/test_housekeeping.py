"""Housekeeping: what closed long ago is archived and trimmed, in that order, and nothing else is touched."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import msgspec
import pytest
import structlog

from service import __main__ as program
from service.domain.room.model import commands
from service.domain.room.model.ids import Millis, Version
from service.rooms.archive import RoomArchive
from service.rooms.errors import ServiceError
from service.rooms.loading.room import LoadedRoom
from service.store.contract import StoreUnavailable
from service.workers.housekeeping import Housekeeping, Retention
from tests.rooms.processes import ANNA, BEN, NOON, Clock, Process

DAY = 86_400_000


@pytest.fixture(autouse=True)
def logged() -> Iterator[list[dict[str, object]]]:
    """Return what is logged."""
    with structlog.testing.capture_logs() as entries:
        yield entries  # type: ignore[misc]  # dictionaries


@pytest.fixture
def process() -> Process:
    """Return a process at noon."""
    return Process(Clock())


def housekeeping(process: Process, folder: Path, days: float = 7) -> Housekeeping:
    """Return what cleans up after a week."""
    return Housekeeping(RoomArchive(process.store), Retention(timedelta(days=days), folder))


async def closed(process: Process) -> LoadedRoom:
    """Let a match be played and another one begin, and close the room at noon."""
    live = await process.start_match(ANNA, BEN, restart=0)
    await process.place_man(ANNA, "a1")
    await process.execute(BEN, commands.Resign())
    await process.place_man(ANNA, "a4")
    await process.execute(ANNA, commands.Close())
    return live


async def test_nothing_goes_early_because_the_store_s_clock_was_set(process: Process, tmp_path: Path) -> None:
    """The store's clock says when a room closed, so it says for how long: the service's time may be another one."""
    await closed(process)
    process.core.processor.environment = corrected = Clock()
    corrected.time = Millis(NOON + 30 * DAY)
    assert await housekeeping(process, tmp_path).clean() == 0


async def test_a_room_stays_for_as_long_as_it_is_to_be_kept(process: Process, tmp_path: Path) -> None:
    """Then it goes; the files of its archive are its events and its matches."""
    live = await closed(process)
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
    """By the same command as an export."""
    live = await closed(process)
    process.clock.time = Millis(NOON + 8 * DAY)
    await housekeeping(process, tmp_path).clean()
    for number in (1, 2):
        file = tmp_path / f"{live.key.name}.{live.key.epoch}" / f"{number}.ndjson"
        assert program.main(["verify", str(file)]) == 0


async def test_a_trimmed_room_is_reported_as_such(process: Process, tmp_path: Path) -> None:
    """The name can be used again, and nothing is due any more."""
    live = await closed(process)
    process.clock.time = Millis(NOON + 8 * DAY)
    await housekeeping(process, tmp_path).clean()
    with pytest.raises(ServiceError) as refused:
        await process.start_another().rooms.find(live.key)
    assert refused.value.problem.code == "trimmed"
    assert (process.store._due, process.store._lobby) == ({}, {})
    assert (await process.store.heads([live.key]))[0] == live.head
    await process.open()


async def test_live_rooms_are_left_alone(process: Process, tmp_path: Path) -> None:
    """However old they are."""
    live = await process.start_match(ANNA, BEN)
    process.clock.time = Millis(NOON + 999 * DAY)
    assert await housekeeping(process, tmp_path).clean() == 0
    assert len(await process.store.read(live.key, Version(0))) == live.head.version


async def test_nothing_is_trimmed_that_is_not_on_the_disk(process: Process, tmp_path: Path) -> None:
    """The folder can't be written: the events stay where they are."""
    live = await closed(process)
    process.clock.time = Millis(NOON + 8 * DAY)
    (tmp_path / "archive").write_text("a file where the folder should be")
    with pytest.raises(OSError, match="archive"):
        await housekeeping(process, tmp_path / "archive").clean()
    assert len(await process.store.read(live.key, Version(0))) == live.head.version


async def test_a_damaged_room_is_kept_and_reported_once(
    process: Process, tmp_path: Path, logged: list[dict[str, object]]
) -> None:
    """An operator has to look at it; the others are put away."""
    live = await closed(process)
    entries = process.store._streams[live.key].entries
    entries[3] = entries[2]
    await process.open()
    await process.execute(ANNA, commands.Close())
    process.clock.time = Millis(NOON + 8 * DAY)
    cleaning = housekeeping(process.start_another(), tmp_path)
    assert await cleaning.clean() == 1
    assert await cleaning.clean() == 0
    assert [entry["event"] for entry in logged if entry["log_level"] == "error" and "code" in entry] == [
        "room_not_archived"
    ]


async def test_secrets_do_not_reach_the_archive(process: Process, tmp_path: Path) -> None:
    """Of a hidden selection it has only the public part."""
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
    """The second process finds the room trimmed and does not touch its archive."""
    live = await closed(process)
    process.clock.time = Millis(NOON + 8 * DAY)
    await housekeeping(process, tmp_path).clean()
    process.store.worker_store.noted.closed[live.key] = NOON
    before = (tmp_path / f"{live.key.name}.{live.key.epoch}" / "room.ndjson").read_bytes()
    assert await housekeeping(process.start_another(), tmp_path).clean() == 0
    assert (tmp_path / f"{live.key.name}.{live.key.epoch}" / "room.ndjson").read_bytes() == before
    assert process.store.worker_store.noted.closed == {}


async def test_a_store_that_is_away_is_waited_for(process: Process, tmp_path: Path) -> None:
    """A later check reports it again."""
    await closed(process)
    process.clock.time = Millis(NOON + 8 * DAY)
    other = process.start_another()
    other.store.failing["read"] = StoreUnavailable("away")
    with pytest.raises(StoreUnavailable):
        await housekeeping(other, tmp_path).clean()
    assert await housekeeping(other, tmp_path).clean() == 1
