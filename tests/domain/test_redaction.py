"""Redaction: what a seat may know of an event."""

from typing import Annotated

import msgspec
import pytest
from msgspec import UNSET, UnsetType

from service.domain.game import Event, Hidden, Seat, SeatEvent
from service.domain.redaction import hidden_fields, redact

OWNER, OTHER = Seat(1), Seat(0)


class Whispered(Event, SeatEvent, frozen=True):
    """A word that its seat knows, and a key that nobody knows."""

    seat: Seat
    loudness: int
    word: Annotated[str | UnsetType, Hidden.FROM_OTHERS] = UNSET
    key: Annotated[str | UnsetType, Hidden.FROM_ALL] = UNSET


class Hummed(Event, frozen=True):
    """A tune that is nobody's in particular."""

    tune: Annotated[str | UnsetType, Hidden.FROM_OTHERS] = UNSET


class Shouted(Event, SeatEvent, frozen=True):
    """A word that everybody knows."""

    seat: Seat
    word: str


SAID = Whispered(OWNER, 3, "hello", "k")


@pytest.mark.parametrize(
    ("audience", "known"),
    [
        (OWNER, b'{"type":"whispered","seat":1,"loudness":3,"word":"hello"}'),
        (OTHER, b'{"type":"whispered","seat":1,"loudness":3}'),
        (None, b'{"type":"whispered","seat":1,"loudness":3}'),
    ],
)
def test_what_is_hidden_is_left_out(audience: Seat | None, known: bytes) -> None:
    """From others, or from all; the field is not there, rather than null."""
    assert msgspec.json.encode(redact(SAID, audience)) == known


def test_an_event_without_a_seat_hides_its_secret_from_all() -> None:
    """There is no owner."""
    for audience in (OWNER, OTHER, None):
        assert redact(Hummed("la"), audience) == Hummed()


def test_an_event_that_hides_nothing_is_the_same_one() -> None:
    """No copy is made for each audience."""
    shouted = Shouted(OWNER, "hello")
    assert redact(shouted, OTHER) is redact(shouted, None) is shouted


def test_what_is_redacted_can_be_redacted_again() -> None:
    """It stays what it is for the same audience, and tells another one no more."""
    for audience in (OWNER, OTHER, None):
        told = redact(SAID, audience)
        assert redact(told, audience) == told
    assert redact(redact(SAID, None), OWNER) == redact(SAID, None)


def test_the_original_is_left_alone() -> None:
    """The stream keeps the whole truth."""
    redact(SAID, None)
    assert (SAID.word, SAID.key) == ("hello", "k")


def test_hidden_fields_are_found_by_their_marks() -> None:
    """Each with whom it is hidden from."""
    assert hidden_fields(Whispered) == (("word", "others"), ("key", "all"))
    assert hidden_fields(Shouted) == ()
