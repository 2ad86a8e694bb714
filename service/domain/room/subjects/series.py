"""Best of so many: the score that players keep over their matches, wherever they sit."""

from msgspec.structs import replace

from service.domain.room.model.events import Result
from service.domain.room.model.state import Series, Table


def counted(table: Table, result: Result) -> Series | None:
    """Return the series after a match: a point for who won alone, half a point for all who share the first place."""
    series = table.series
    if series is None or not result.places:
        return series
    points = dict(series.points)
    for seat in result.winners:
        holder = table.seats[seat]
        if holder is not None:
            points[holder] = points.get(holder, 0) + (1 if len(result.winners) == 1 else 0.5)
    return replace(series, played=series.played + 1, points=points)


def continued(table: Table) -> Series | None:
    """Return the series that the next match belongs to: a new one after the last was decided or its length changed."""
    series, best_of = table.series, table.settings.best_of
    if not best_of:
        return None
    if series is None or series.is_decided or series.best_of != best_of:
        return Series(best_of, 1 if series is None else series.number + 1)
    return series
