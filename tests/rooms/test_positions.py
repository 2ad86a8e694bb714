"""How many events of a match are copied with a position."""

import pytest

from service.rooms import match_entries
from service.streams.errors import ServiceError
from tests.rooms.processes import ANNA, BEN, Process


async def test_a_position_after_too_many_events_is_not_copied(
    process: Process, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only those before it count, so earlier positions of the same match are."""
    live = await process.start_match(ANNA, BEN)
    for by, at in ((ANNA, "a1"), (BEN, "d1"), (ANNA, "g1"), (BEN, "a4")):
        await process.place_man(by, at)
    [entry] = await process.rooms.matches(live, [1])
    monkeypatch.setattr(match_entries, "MOST_COPIED", 4)
    last = live.head.version
    assert len((await process.rooms.position(live, entry, last - 1)).events) == 3  # type: ignore[arg-type]  # a version
    with pytest.raises(ServiceError, match="position_too_late") as refused:
        await process.rooms.position(live, entry, last)
    assert refused.value.problem.params == {"most": 4}
