"""The laws of secrecy: a seat learns what passed through `view` and `redact`, and these two agree."""

import json
import random
from collections import defaultdict
from typing import Any

import msgspec

from service.domain.game import Event, Seat
from service.domain.redaction import redact
from service.domain.room.known_state import has_secrets
from tests.laws.play import Played, Step, wire

POSITIONS = 4
"""At how many turns of a match every legal move is compared with every other."""


def view_json(played: Played, state: Any, audience: Seat | None) -> bytes:
    """Return a view's bytes."""
    return msgspec.json.encode(played.game.view(state, audience))


def event_json(event: Event, audience: Seat | None) -> bytes:
    """Return the bytes of an event as an audience is told it."""
    return msgspec.json.encode(redact(event, audience))


def a_view_is_the_fold_of_what_was_told(played: Played) -> None:
    """Demand secrecy 1: whoever folds the events that it was told sees what it is shown, its moves included."""
    game = played.game
    for audience in (*played.seats, None):
        known = game.start(played.options)
        for event, truth in played.events:
            known = game.evolve(known, wire(game, redact(event, audience)))
            assert game.view(known, audience) == game.view(truth, audience)
            assert game.to_move(known) == game.to_move(truth)
            assert game.outcome(known) == game.outcome(truth)
            assert game.scores is None or game.scores(known) == game.scores(truth)
        if audience is not None:
            assert list(game.legal_moves(known, audience)) == list(game.legal_moves(played.last, audience))


def what_looks_alike_is_told_alike(played: Played) -> None:
    """Demand secrecy 2: if an audience can't see two moves apart, it is told of them in the same bytes."""
    dice = random.Random(played.seed)  # noqa: S311 - which positions are looked at
    for step in dice.sample(played.turns, min(POSITIONS, len(played.turns))):
        for seat in played.seats:
            for audience in {*played.seats, None} - {seat}:
                for told in told_by_view(played, step, seat, audience).values():
                    assert len(told) == 1


def told_by_view(played: Played, step: Step, seat: Seat, audience: Seat | None) -> dict[bytes, set[bytes]]:
    """Return, by what an audience sees after a legal move of a seat, all that it may have been told of the move."""
    told: dict[bytes, set[bytes]] = defaultdict(set)
    for move in played.game.legal_moves(step.before, seat):
        events = played.game.decide(step.before, seat, move)
        after = step.before
        for event in events:
            after = played.game.evolve(after, event)
        said = b"\n".join(event_json(event, audience) for event in events)
        told[view_json(played, after, audience)].add(said)
    return told


def the_public_knows_no_more_than_any_seat(played: Played) -> None:
    """Demand that what the public view and the public's events tell, each seat's tell as well."""
    for step in played.turns[::5]:
        public = json.loads(view_json(played, step.before, None))
        for seat in played.seats:
            assert exceeds(public, json.loads(view_json(played, step.before, seat))) == []
    for event, _ in played.events:
        public = json.loads(event_json(event, None))
        for seat in played.seats:
            assert exceeds(public, json.loads(event_json(event, seat))) == []


def without_secrets_everyone_sees_the_same(played: Played) -> None:
    """Demand one view for all where no event hides anything from anyone: it is then worked out once for them."""
    if has_secrets(played.game):
        return
    for step in played.turns[::5]:
        assert len({view_json(played, step.before, audience) for audience in (*played.seats, None)}) == 1


def exceeds(public: Any, own: Any, at: str = "") -> list[str]:
    """Return where a public JSON value tells what a seat's own does not."""
    if isinstance(public, dict) and isinstance(own, dict):
        return [where for key in public for where in exceeds(public[key], own.get(key), f"{at}/{key}")]
    return [] if public is None or public == own else [at]


def a_view_is_an_object_that_leaves_room_for_the_house(played: Played) -> None:
    """Demand that a view is a JSON object without `last`, which the house adds."""
    for audience in (*played.seats, None):
        for state in (played.game.start(played.options), played.last):
            shown = json.loads(view_json(played, state, audience))
            assert isinstance(shown, dict)
            assert shown
            assert "last" not in shown
