"""What docs/telemetry.md has to list: the metrics, by the registry, and the events of the log, by the source."""

import ast
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from prometheus_client import REGISTRY

from service.runtime import metrics

SERVICE = Path(__file__).parents[3] / "service"
LEVELS = {"debug": "debug", "info": "info", "warning": "warning", "error": "error", "exception": "error"}
NAMED_FAILURES = {"BackgroundTasks": "warning, error", "Subscribers": "warning, error", "log_failure": "warning, error"}
"""What logs under a name that it is given: a refusal as a warning, a fault as an error."""


def metric_rows() -> list[str]:
    """Return a row per metric: its name, type, labels and meaning."""
    labels = {getattr(each, "_name", ""): getattr(each, "_labelnames", ()) for each in vars(metrics).values()}
    return [
        f"| `{family.name}{'_total' if family.type == 'counter' else ''}` | {family.type} | "
        f"{', '.join(f'`{label}`' for label in labels[family.name])} | {family.documentation} |"
        for family in REGISTRY.collect()
        if family.name.startswith("turnstream_")
    ]


def log_events() -> dict[str, str]:
    """Return the levels of each event of the log."""
    found: defaultdict[str, set[str]] = defaultdict(set)
    for file in SERVICE.rglob("*.py"):
        for call in ast.walk(ast.parse(file.read_text())):
            if isinstance(call, ast.Call):
                for event, levels in named_in(call):
                    found[event].update(levels.split(", "))
    return {event: ", ".join(sorted(levels)) for event, levels in sorted(found.items())}


def named_in(call: ast.Call) -> Iterator[tuple[str, str]]:
    """Yield the events that a call logs or names, each with its levels."""
    texts = [each.value for each in call.args if isinstance(each, ast.Constant) and isinstance(each.value, str)]
    match call.func:
        case ast.Attribute(ast.Name("log"), level) if level in LEVELS and texts:
            yield texts[0], LEVELS[level]
        case ast.Name(name) | ast.Subscript(ast.Name(name)) if name in NAMED_FAILURES:
            yield from ((text, NAMED_FAILURES[name]) for text in texts)
