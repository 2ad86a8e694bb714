"""Each alert fires for the series that it is for, and not for healthy ones: checked by Prometheus' own promtool."""

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import yaml  # type: ignore[import-untyped]  # the package comes without types

METRICS = Path(__file__).parents[2] / "deploy/metrics"
RULES = {
    rule["alert"] for group in yaml.safe_load((METRICS / "alerts.yml").read_text())["groups"] for rule in group["rules"]
}
GIB = 2**30

Series = dict[str, str]
"""Values of series every 15 seconds, in promtool's notation: `1x9` is 1 and nine repetitions, `1+2x9` adds 2 each."""


class Case(NamedTuple):
    """What an alert fires for, and the most similar series for which it does not."""

    fires: Series
    quiet: Series
    at: str = "20m"
    """The time of the evaluation, from the first value on."""


def jobs(**states: str) -> Series:
    """Return `up` of one process of each kind, which runs unless it is given."""
    kinds = {"api": "1x99", "worker": "1x99", "webhooks": "1x99", "backup": "1x99", "proxy": "1x99", **states}
    return {f'up{{job="turnstream-{kind}"}}': values for kind, values in kinds.items() if values}


def problems(code: str) -> Case:
    """Return the case of an alert for any problem with this code."""
    return Case(
        {f'turnstream_problems_total{{code="{code}"}}': "0+1x99"},
        {f'turnstream_problems_total{{code="{code}"}}': "7x99", 'turnstream_problems_total{code="other"}': "0+1x99"},
    )


def gauge(name: str, wrong: str, right: str) -> Case:
    """Return the case of an alert for one value of a metric."""
    return Case({name: f"{wrong}x99"}, {name: f"{right}x99"})


def buckets(metric: str, bound: float, labels: str = "") -> Case:
    """Return the case of an alert for a histogram, of which everything is above or below its bound."""

    def values(share: str) -> Series:
        return {
            f'{metric}_bucket{{le="{bound}"{labels}}}': f"0+{share}x99",
            f'{metric}_bucket{{le="{bound * 10}"{labels}}}': "0+100x99",
            f'{metric}_bucket{{le="+Inf"{labels}}}': "0+100x99",
        }

    return Case(values("1"), values("100"))


CASES = {
    "NobodyThere": Case(jobs(worker="1x20 0x99"), jobs(worker="1x20 0x3 1x99")),
    "StoreMemoryShort": Case(
        {"turnstream_store_memory_limit_bytes": "100x99", "turnstream_store_memory_bytes": "81x99"},
        {"turnstream_store_memory_limit_bytes": "100x99", "turnstream_store_memory_bytes": "80x99"},
    ),
    "NewRoomsRefused": gauge("turnstream_rooms_refused", "1", "0"),
    "DiskShort": gauge("turnstream_disk_free_bytes", str(2 * GIB - 1), str(2 * GIB)),
    "DiskFillsWithinADay": Case(
        {"turnstream_disk_free_bytes": f"{100 * GIB}-{GIB // 10}x720"},
        {"turnstream_disk_free_bytes": f"{100 * GIB}-{GIB // 10}x100 {90 * GIB}x620"},
        at="3h",
    ),
    "StoreCantWrite": gauge("turnstream_store_writes_ok", "0", "1"),
    "StoreLostData": gauge("turnstream_store_lost", "1", "0"),
    "CounterDamaged": gauge("turnstream_counters_damaged", "1", "0"),
    "StoreLostItsLastMoments": Case(
        {"turnstream_store_tail_lost_total": "0x70 1x99"}, {"turnstream_store_tail_lost_total": "1x99"}
    ),
    "StoreUnfit": gauge("turnstream_store_unfit", "1", "0"),
    "StoreAway": Case({"turnstream_store_breaks_total": "0+2x99"}, {"turnstream_store_breaks_total": "0x78 4x99"}),
    "StoreClockSet": gauge("turnstream_clock_correction_seconds", "-1.1", "-1"),
    "StoreSlow": buckets("turnstream_append_seconds", 0.1),
    "LoopBusy": buckets("turnstream_loop_lag_seconds", 0.05, ',instance="api:9100"'),
    "DueLate": buckets("turnstream_due_lateness_seconds", 2),
    "Faults": problems("internal"),
    "HistoryDamaged": problems("history_damaged"),
    "RoomsDamaged": gauge("turnstream_damaged_rooms", "1", "0"),
    "SnapshotsBad": Case({"turnstream_bad_snapshots_total": "0x70 1x99"}, {"turnstream_bad_snapshots_total": "1x99"}),
    "NamesDamaged": Case(
        {'turnstream_damaged_values_total{kind="names"}': "0x70 1x99"},
        {'turnstream_damaged_values_total{kind="results"}': "0x70 1x99"},
    ),
    "ProjectionsDamaged": Case(
        {'turnstream_damaged_values_total{kind="results"}': "0x70 1x99"},
        {'turnstream_damaged_values_total{kind="names"}': "0x70 1x99"},
    ),
    "ReleaseTooOld": problems("newer_events"),
    "ReadersSlow": Case({"turnstream_slow_closes_total": "0+16x99"}, {"turnstream_slow_closes_total": "0+15x99"}),
    # The clock of these tests begins at 0.
    "BackupOld": gauge("turnstream_backup_time_seconds", "-172800", "-171700"),
    "BackupIncomplete": gauge("turnstream_backup_damaged", "1", "0"),
    "BackupFails": gauge("turnstream_backup_failures", "3", "2"),
    "BackupNotCopied": gauge("turnstream_backup_command_failures", "1", "0"),
    "ReplicaGone": Case({"turnstream_store_replicas": "2x40 1x99"}, {"turnstream_store_replicas": "2x75 1x99"}),
}
"""By alert. Some fire for more than one cause; the one that is likelier is here."""


def alert_test(name: str, series: Series, at: str, *, fires: bool) -> dict[str, Any]:
    """Return a test of an alert in promtool's format."""
    return {
        "interval": "15s",
        "input_series": [{"series": each, "values": values} for each, values in series.items()],
        "promql_expr_test": [
            {
                "expr": f'count(ALERTS{{alertname="{name}", alertstate="firing"}})',
                "eval_time": at,
                "exp_samples": [{"labels": "{}", "value": 1}] if fires else [],
            }
        ],
    }


def test_every_alert_has_a_case() -> None:
    """And every case an alert."""
    assert CASES.keys() == RULES


def test_every_alert_fires_for_its_cause_only(tmp_path: Path) -> None:
    """Also for the time that each has to last."""
    promtool = shutil.which("promtool")
    if promtool is None:
        pytest.skip("promtool is not installed (Debian's package prometheus has it)")
    shutil.copy(METRICS / "alerts.yml", tmp_path)
    tests = [
        alert_test(name, series, case.at, fires=fires)
        for name, case in CASES.items()
        for series, fires in ((case.fires, True), (case.quiet, False))
    ]
    file = tmp_path / "tests.yml"
    file.write_text(json.dumps({"rule_files": ["alerts.yml"], "evaluation_interval": "1m", "tests": tests}))
    done = subprocess.run([promtool, "test", "rules", file], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
