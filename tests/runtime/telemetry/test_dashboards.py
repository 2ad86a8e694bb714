"""The dashboard and the alerts use existing metrics and labels."""

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml  # type: ignore[import-untyped]  # the package comes without types
from prometheus_client import REGISTRY

from service.runtime import metrics

DEPLOY = Path(__file__).parents[3] / "deploy/metrics"
DASHBOARD: dict[str, Any] = json.loads((DEPLOY / "dashboard.json").read_text())
ALERTS: list[dict[str, Any]] = yaml.safe_load((DEPLOY / "alerts.yml").read_text())["groups"][0]["rules"]
SUFFIXES = {"counter": ("_total",), "gauge": ("",), "histogram": ("_bucket", "_count", "_sum"), "info": ("_info",)}
OF_THE_SCRAPER = {"instance", "job", "le"}

KNOWN = {family.name + suffix: family for family in REGISTRY.collect() for suffix in SUFFIXES.get(family.type, ("",))}
EXPRESSIONS = [
    *(target["expr"] for panel in DASHBOARD["panels"] for target in panel["targets"]),
    *(rule["expr"] for rule in ALERTS),
]


def named(expression: str) -> set[str]:
    """Return the metrics of an expression."""
    return set(re.findall(r"\b(?:(?:turnstream|process|python)_\w+|up)\b", expression))


def labels_in(expression: str) -> set[str]:
    """Return the labels that an expression groups or selects by."""
    groups = re.findall(r"\bby \(([^)]*)\)", expression) + re.findall(r"\{([^}]*)\}", expression)
    return {part.split("=")[0].strip("!~ ") for group in groups for part in group.split(",")}


def labels_of(name: str) -> set[str]:
    """Return the labels of a metric."""
    for metric in vars(metrics).values():
        if getattr(metric, "_name", None) in {name.removesuffix(suffix) for suffix in ("_total", "_bucket", "_info")}:
            return set(getattr(metric, "_labelnames", ()))
    return set()


@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_the_metrics_of_an_expression_exist(expression: str) -> None:
    """A renamed metric would leave an empty panel and an alert that never fires."""
    names = named(expression)
    assert names
    assert names <= {*KNOWN, "up"}  # the latter is the scraper's own
    assert labels_in(expression) <= OF_THE_SCRAPER.union(*map(labels_of, names))


def test_every_metric_is_on_the_dashboard() -> None:
    """A new metric needs a panel."""
    ours = {family.name for family in REGISTRY.collect() if family.name.startswith("turnstream_")} - {
        "turnstream_build"
    }
    shown = {
        KNOWN[name].name
        for panel in DASHBOARD["panels"]
        for target in panel["targets"]
        for name in named(target["expr"])
    }
    assert ours <= shown


def test_every_alert_has_a_summary_and_a_severity() -> None:
    """What to do about it is in the operator's guide."""
    for rule in ALERTS:
        assert rule["annotations"]["summary"].endswith(".")
        assert rule["labels"]["severity"] in {"page", "ticket"}


def test_counters_with_an_alert_exist_before_the_first_event() -> None:
    """A series that appears with a 1 has not increased, so the first error of a process would raise no alert."""
    program = "from service.runtime import metrics; print(metrics.text().decode())"
    served = subprocess.run([sys.executable, "-c", program], text=True, capture_output=True, check=True).stdout
    waited_for = {found for expression in EXPRESSIONS for found in re.findall(r"\w+{code=[^}]*}", expression)}
    assert waited_for
    assert waited_for <= {line.removesuffix(" 0.0") for line in served.splitlines()}


def test_a_missing_kind_of_process_raises_an_alert() -> None:
    """For each scraped job: a missing process counts nothing, so no other alert would fire."""
    scraped = yaml.safe_load((DEPLOY / "prometheus.yml").read_text())["scrape_configs"]
    [alert] = [rule["expr"] for rule in ALERTS if rule["alert"] == "NobodyThere"]
    assert re.findall(r'absent\(up{job="([^"]*)"}\)', alert) == [job["job_name"] for job in scraped]


def test_panels_do_not_overlap_and_have_names_of_their_own() -> None:
    """As Grafana requires."""
    places = [(panel["gridPos"]["x"], panel["gridPos"]["y"]) for panel in DASHBOARD["panels"]]
    titles = [panel["title"] for panel in DASHBOARD["panels"]]
    assert len(set(places)) == len(places) == len(set(titles))
