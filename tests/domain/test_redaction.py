"""Redaction: what a seat may know of an event."""

from typing import Annotated

import msgspec
import pytest
from msgspec import UNSET, UnsetType

from service.domain.game import Event, Hidden, Seat, SeatEvent, hidden_fields, redact

OWNER, OTHER = Seat(1), Seat(0)


class SecretEvent(Event, SeatEvent, frozen=True):
    """An event with a word that its seat knows, and a key that nobody knows."""

    seat: Seat
    loudness: int
    word: Annotated[str | UnsetType, Hidden.FROM_OTHERS] = UNSET
    key: Annotated[str | UnsetType, Hidden.FROM_ALL] = UNSET


class SeatlessEvent(Event, frozen=True):
    """An event with a secret and without a seat."""

    tune: Annotated[str | UnsetType, Hidden.FROM_OTHERS] = UNSET


class PublicEvent(Event, SeatEvent, frozen=True):
    """An event without secrets."""

    seat: Seat
    word: str


EXAMPLE = SecretEvent(OWNER, 3, "hello", "k")


@pytest.mark.parametrize(
    ("audience", "known"),
    [
        (OWNER, b'{"type":"secret_event","seat":1,"loudness":3,"word":"hello"}'),
        (OTHER, b'{"type":"secret_event","seat":1,"loudness":3}'),
        (None, b'{"type":"secret_event","seat":1,"loudness":3}'),
    ],
)
def test_hidden_fields_are_left_out(audience: Seat | None, known: bytes) -> None:
    """From others, or from all; the field is absent, not null."""
    assert msgspec.json.encode(redact(EXAMPLE, audience)) == known


def test_an_event_without_a_seat_hides_its_secret_from_all() -> None:
    """It has no owner."""
    for audience in (OWNER, OTHER, None):
        assert redact(SeatlessEvent("la"), audience) == SeatlessEvent()


def test_an_event_without_secrets_is_not_copied() -> None:
    """All audiences share it."""
    public = PublicEvent(OWNER, "hello")
    assert redact(public, OTHER) is redact(public, None) is public


def test_redaction_is_idempotent() -> None:
    """For the same audience nothing changes, and for another one nothing is added."""
    for audience in (OWNER, OTHER, None):
        redacted = redact(EXAMPLE, audience)
        assert redact(redacted, audience) == redacted
    assert redact(redact(EXAMPLE, None), OWNER) == redact(EXAMPLE, None)


def test_redaction_does_not_change_the_original() -> None:
    """The stream keeps the complete event."""
    redact(EXAMPLE, None)
    assert (EXAMPLE.word, EXAMPLE.key) == ("hello", "k")


def test_hidden_fields_are_found_by_their_annotations() -> None:
    """With the audience that they are hidden from."""
    assert hidden_fields(SecretEvent) == (("word", "others"), ("key", "all"))
    assert hidden_fields(PublicEvent) == ()
