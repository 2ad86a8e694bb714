"""Which backups are kept and which are deleted: by age, never by number."""

import random
from datetime import UTC, datetime, timedelta
from pathlib import Path

import msgspec
import pytest

from service.programs.ops.backups.archive import NAME, SUFFIX, Manifest, manifest_of
from service.programs.ops.backups.retention import ONE_DAY, BackupFile, backups_in, delete_outdated, outdated
from tests.programs.ops.conftest import Verb
from tests.store_server import StoreServer

NOW = datetime(2026, 11, 22, 12, tzinfo=UTC)


def backup(*, days: float = 0, lacks: tuple[str, ...] | None = ()) -> BackupFile:
    """Return a backup of this age in days."""
    made = NOW - timedelta(days=days)
    return BackupFile(Path(f"{made.strftime(NAME)}{SUFFIX}"), made, None if lacks is None else frozenset(lacks))


def kept(backups: list[BackupFile], days: int) -> list[float]:
    """Return the ages in days of the kept backups."""
    newest_first = sorted(backups, key=lambda one: one.made, reverse=True)
    gone = outdated(newest_first, NOW, days)
    return [(NOW - one.made) / ONE_DAY for one in newest_first if one not in gone]


def test_backups_of_two_weeks_are_kept_one_a_day() -> None:
    """The newest of each day."""
    backups = [backup(days=day + hour / 24) for day in range(30) for hour in (0, 6)]
    assert kept(backups, 14) == [0, 0.25, 1, *range(2, 15)]


def test_restarts_do_not_delete_earlier_days() -> None:
    """Fourteen starts within an hour make fourteen backups; those of the last two weeks are still kept."""
    backups = [backup(days=number / 400) for number in range(14)] + [backup(days=day) for day in range(1, 20)]
    assert kept(backups, 14)[-14:] == list(range(1, 15))


def test_the_newest_complete_ones_are_kept_at_any_age() -> None:
    """The clock may be wrong, or all later ones may be incomplete."""
    backups = [backup(days=day, lacks=("room:a",)) for day in range(40)] + [
        backup(days=day) for day in (40, 50, 60, 70)
    ]
    assert kept(backups, 14)[-3:] == [40, 50, 60]


def test_the_newest_complete_one_of_a_day_is_kept_with_a_newer_incomplete_one() -> None:
    """It contains a room that the other one lacks."""
    backups = [backup(days=3, lacks=("room:a",)), backup(days=3.1), backup(days=3.2)]
    assert kept([backup(), *backups, *(backup(days=day / 10) for day in range(1, 9))], 14)[-2:] == [3, 3.1]


def test_the_last_backup_with_a_damaged_room_is_kept() -> None:
    """Even if it is incomplete, because another room was damaged before."""
    both, one = ("old:a", "young:b"), ("old:a",)
    backups = [backup(days=day, lacks=both) for day in range(30)] + [
        backup(days=day, lacks=one) for day in range(30, 40)
    ]
    assert kept([*backups, *(backup(days=100 + day) for day in range(9))], 7)[-4:] == [30, 100, 101, 102]


def test_a_backup_without_a_manifest_does_not_count_as_complete() -> None:
    """It is deleted by age, and the complete ones are kept."""
    backups = [backup(days=30, lacks=None), backup(days=31), backup(days=32, lacks=None)]
    assert kept(backups, 14) == [31]


@pytest.mark.parametrize("seed", [*range(20), *(pytest.param(seed, marks=pytest.mark.soak) for seed in range(20, 200))])
def test_in_any_sequence_every_day_and_every_room_is_kept(seed: int) -> None:
    """Repeated deletion over time never loses a backup that the rule keeps."""
    dice, rooms = random.Random(seed), ("a:1", "b:2", "c:3")  # noqa: S311 - a law's examples
    there: list[BackupFile] = []
    damaged: set[str] = set()
    for hour in range(0, 24 * 40, 5):
        damaged ^= {dice.choice(rooms)} if dice.random() < 0.1 else set()
        now = NOW + timedelta(hours=hour)
        there.insert(0, BackupFile(Path(f"{hour}"), now, frozenset(damaged)))
        before, there = there, [one for one in there if one not in outdated(there, now, 14)]
        assert there[0].made == now
        assert {one.made.date() for one in before if now - one.made < 14 * ONE_DAY} <= {
            one.made.date() for one in there
        }
        assert any(one.is_complete for one in there) or not any(one.is_complete for one in before)
        for room in rooms:
            holds = [room not in (one.lacks or ()) for one in before]
            assert any(room not in (one.lacks or ()) for one in there) or not any(holds)


def made(folder: Path, moment: datetime) -> Path:
    """Create a file with the name of a backup in a folder, with its manifest."""
    path = folder / f"{moment.strftime(NAME)}{SUFFIX}"
    path.touch()
    manifest_of(path).write_bytes(msgspec.json.encode(Manifest(path.name, "", 0, 0, 0, "", "")))
    return path


@pytest.mark.parametrize("option", ["--keep-days", "--keep"])
def test_old_backups_are_deleted_with_their_manifests(
    full_store: StoreServer, verb: Verb, tmp_path: Path, option: str
) -> None:
    """Also with the option's old name; other files are kept."""
    old = [made(tmp_path, datetime(2020, 1, day, tzinfo=UTC)) for day in range(1, 6)]
    others = [tmp_path / "mine.txt", tmp_path / "turnstream-of-mine.ndjson.gz"]
    for path in others:
        path.touch()
    done = verb(full_store, "backup", tmp_path, option, 14)
    assert [line.split(":")[0] for line in done.lines[1:]] == [str(path) for path in reversed(old[:3])]
    stay = [*others, *old[3:], *map(manifest_of, old[3:])]
    assert set(stay) < set(tmp_path.iterdir())
    assert len(list(tmp_path.iterdir())) == len(stay) + 2


def test_a_file_that_cannot_be_deleted_does_not_stop_the_others(tmp_path: Path) -> None:
    """It is a folder here."""
    old = [made(tmp_path, datetime(2020, 1, day, tzinfo=UTC)) for day in range(1, 6)]
    old[0].unlink()
    old[0].mkdir()
    assert delete_outdated(tmp_path, 14) == [old[1]]


def test_without_an_age_all_are_kept(tmp_path: Path) -> None:
    """That is the default."""
    for day in range(1, 6):
        made(tmp_path, datetime(2020, 1, day, tzinfo=UTC))
    assert delete_outdated(tmp_path, 0) == []
    assert len(backups_in(tmp_path)) == 5
