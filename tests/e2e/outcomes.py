"""The figures of a study's recording, as its line in RESULTS.md gives them."""

from collections import Counter

from tests.e2e import results
from tests.e2e.history import Recording
from tests.e2e.load import Load


def unanswered(recording: Recording) -> int:
    """Return how many attempts had no answer or an unknown outcome."""
    return sum(attempt.is_unknown for command in recording.commands for attempt in command.attempts)


def answers(recording: Recording) -> str:
    """Return how many attempts had each answer."""
    counts = Counter(
        "no answer" if attempt.status is None else attempt.code or str(attempt.status)
        for command in recording.commands
        for attempt in command.attempts
    )
    return ", ".join(f"{name} {count}" for name, count in counts.most_common())


def note(study: str, faults: int, load: Load, *more: str, lost: int = 0) -> None:
    """Write the line of a study; `more` are further figures, `lost` how many acknowledged commands were to be lost."""
    recording = load.recording
    events = sum(len(one.events) for each in recording.subscribers for one in each.deliveries)
    figures = [
        f"{faults} faults",
        f"{len(load.tables)} matches at a time, {len(recording.subscribers)} subscribers",
        f"{len(recording.commands)} commands, {load.answered} acknowledged, {lost or 'none'} lost, none doubled",
        f"{unanswered(recording)} attempts with an unknown outcome",
        f"{events} events delivered, each once and in order",
        *filter(None, more),
        f"answers: {answers(recording)}",
    ]
    results.note(f"history: {study}", "; ".join(figures))
