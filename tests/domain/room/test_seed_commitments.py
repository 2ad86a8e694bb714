"""Commitments to seeds: a history that breaks one is found."""

import pytest
from msgspec import UNSET
from msgspec.structs import replace

from service.domain.game import Event
from service.domain.room.model import events
from service.domain.room.seed_commitments import Commitments
from tests.domain.room.given_when_then import ANNA, BEN, given, join, match_end_with, match_start, new_room, seed_of

SEATED = (new_room(), join(ANNA, 0), join(BEN, 1))
VOID = events.Result.void("restarted")
TWO_MATCHES = (
    *(events.PlayerReadied(ANNA, "pepper"), match_start(ANNA, BEN), match_end_with(VOID)),
    *(events.PlayerReadied(BEN, "salt"), match_start(ANNA, BEN, number=2), match_end_with(VOID, 2)),
)


def broken_commitments(*history: Event) -> list[str]:
    """Return which commitments a room with these events breaks."""
    commitments = Commitments()
    found = [commitments.check(recorded) for recorded in given(*SEATED, *history).history]
    return [why for why in found if why is not None]


def test_a_room_that_keeps_its_commitments_breaks_none() -> None:
    """Two matches, with a salt before each."""
    assert broken_commitments(*TWO_MATCHES) == []


OTHER = replace(match_start(ANNA, BEN), seed_hash="00" * 32)
BROKEN: list[tuple[str, tuple[Event, ...]]] = [
    ("not the one whose hash was published before", (OTHER,)),
    ("the seed shown is not the one", (match_start(ANNA, BEN), replace(match_end_with(VOID), seed=seed_of(7).hex()))),
    ("a salt was accepted before", (match_start(ANNA, BEN), events.PlayerReadied(ANNA, "early"))),
]


@pytest.mark.parametrize(("why", "history"), BROKEN)
def test_a_broken_commitment_is_named(why: str, history: tuple[Event, ...]) -> None:
    """A match with another seed than announced, another seed revealed, a salt accepted too early."""
    assert why in broken_commitments(*history)[0]


def test_rooms_of_an_earlier_release_break_no_commitments() -> None:
    """That release published no hash before a match, and accepted salts at any time."""
    opened = replace(new_room(), next_seed=UNSET, next_seed_hash=UNSET)
    early = (
        match_start(ANNA, BEN),
        events.PlayerReadied(ANNA, "early"),
        replace(match_end_with(VOID), next_seed_hash=UNSET),
    )
    commitments = Commitments()
    history = given(opened, join(ANNA, 0), join(BEN, 1), *early, match_start(ANNA, BEN, number=2)).history
    assert [commitments.check(recorded) for recorded in history] == [None] * len(history)
