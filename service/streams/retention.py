"""How long streams keep their events: 1,000 of them, for 30 days; streams with snapshots keep all."""

from collections.abc import Sequence

from service.domain.ids import DAY, Millis, Version
from service.domain.streams import Change, State
from service.streams.loaded import LoadedStream

KEPT_EVENTS = 1000
KEPT_FOR = Millis(30 * DAY)

SUMMARY_EVERY = 250
"""After how many events a summary is appended."""

SUMMARY_AFTER = Millis(DAY)
"""How long after the first event that no summary covers one is appended, before the next event."""


def with_summary(stream: LoadedStream[State], changes: Sequence[Change], now: Millis) -> list[Change]:
    """Return changes with a summary before them if one is due."""
    since = stream.unsummarised_since
    if since is None or stream.kind.snapshots is not None:
        return list(changes)
    last = stream.summaries[-1].version if stream.summaries else Version(0)
    is_due = stream.head.version - last >= SUMMARY_EVERY or now - since >= SUMMARY_AFTER
    return [summary_of(stream), *changes] if is_due else list(changes)


def summary_of(stream: LoadedStream[State]) -> Change:
    """Return the summary of a stream's state."""
    return Change(stream.kind.summary(stream.state, stream.time))


def trimmed_to(stream: LoadedStream[State], now: Millis) -> Version | None:
    """Return the version before which a stream can be trimmed, None if nothing can be deleted."""
    surplus = [
        summary.version
        for summary in stream.summaries
        if summary.version <= stream.head.version - KEPT_EVENTS or summary.until <= now - KEPT_FOR
    ]
    return surplus[-1] if surplus and surplus[-1] > stream.first else None


def expires_at(stream: LoadedStream[State]) -> Millis | None:
    """Return when events of a stream become too old; None if it has only a summary, or if all are kept."""
    if stream.kind.snapshots is not None:
        return None
    later = [summary.until for summary in stream.summaries if summary.version > stream.first]
    if later:
        return Millis(later[0] + KEPT_FOR)
    is_summary_only = bool(stream.summaries) and stream.head.version == stream.first
    return None if is_summary_only or stream.head.version == 0 else Millis(stream.time + KEPT_FOR)
