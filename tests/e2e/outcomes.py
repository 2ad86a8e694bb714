"""The figures of a study's recording, as written to RESULTS.md."""

from collections import Counter

from tests.e2e import results
from tests.e2e.history import Recording
from tests.e2e.load import Load


def unknown_outcomes(recording: Recording) -> int:
    """Return how many attempts had no response or an unknown outcome."""
    return sum(attempt.is_unknown for command in recording.commands for attempt in command.attempts)


def response_counts(recording: Recording) -> str:
    """Return how many attempts had each response."""
    counts = Counter(
        "no answer" if attempt.status is None else attempt.code or str(attempt.status)
        for command in recording.commands
        for attempt in command.attempts
    )
    return ", ".join(f"{name} {count}" for name, count in counts.most_common())


def record_study(study: str, faults: int, load: Load, *more: str, lost: int = 0) -> None:
    """Write the line of a study; `more` are further figures, `lost` counts the acknowledged commands that were lost."""
    recording = load.recording
    events = sum(len(one.events) for each in recording.subscribers for one in each.deliveries)
    figures = [
        f"{faults} faults",
        f"{len(load.rooms)} matches at a time, {len(recording.subscribers)} subscribers",
        f"{len(recording.commands)} commands, {load.acknowledged} acknowledged, {lost or 'none'} lost, none doubled",
        f"{unknown_outcomes(recording)} attempts with an unknown outcome",
        f"{events} events delivered, each once and in order",
        *filter(None, more),
        f"answers: {response_counts(recording)}",
    ]
    results.record_result(f"history: {study}", "; ".join(figures))
