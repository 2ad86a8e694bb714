"""Commitments to seeds: a history that breaks one is found."""

import pytest
from msgspec import UNSET
from msgspec.structs import replace

from service.domain.game import Event
from service.domain.room.model import events
from service.domain.room.seed_commitments import Commitments
from tests.domain.room.given_when_then import ANNA, BEN, begun, ending, given, joined, seed_of, table

SEATED = (table(), joined(ANNA, 0), joined(BEN, 1))
VOID = events.Result.void("restarted")
TWO_MATCHES = (
    *(events.PlayerReadied(ANNA, "pepper"), begun(ANNA, BEN), ending(VOID)),
    *(events.PlayerReadied(BEN, "salt"), begun(ANNA, BEN, number=2), ending(VOID, 2)),
)


def broken(*history: Event) -> list[str]:
    """Return which commitments a room with these events breaks."""
    commitments = Commitments()
    found = [commitments.check(recorded) for recorded in given(*SEATED, *history).history]
    return [why for why in found if why is not None]


def test_a_room_that_keeps_its_commitments_breaks_none() -> None:
    """Two matches, with a salt before each."""
    assert broken(*TWO_MATCHES) == []


OTHER = replace(begun(ANNA, BEN), seed_hash="00" * 32)
BROKEN: list[tuple[str, tuple[Event, ...]]] = [
    ("not the one whose hash was published before", (OTHER,)),
    ("the seed shown is not the one", (begun(ANNA, BEN), replace(ending(VOID), seed=seed_of(7).hex()))),
    ("a salt was accepted before", (begun(ANNA, BEN), events.PlayerReadied(ANNA, "early"))),
]


@pytest.mark.parametrize(("why", "history"), BROKEN)
def test_a_broken_commitment_is_named(why: str, history: tuple[Event, ...]) -> None:
    """A match with another seed than announced, another seed revealed, a salt accepted too early."""
    assert why in broken(*history)[0]


def test_rooms_of_an_earlier_release_break_no_commitments() -> None:
    """That release published no hash before a match, and accepted salts at any time."""
    opened = replace(table(), next_seed=UNSET, next_seed_hash=UNSET)
    early = (begun(ANNA, BEN), events.PlayerReadied(ANNA, "early"), replace(ending(VOID), next_seed_hash=UNSET))
    commitments = Commitments()
    history = given(opened, joined(ANNA, 0), joined(BEN, 1), *early, begun(ANNA, BEN, number=2)).history
    assert [commitments.check(recorded) for recorded in history] == [None] * len(history)
