"""The laws of secrecy: a seat learns what passes through `view` and `redact`, and these two agree."""

import json
import random
from collections import defaultdict
from functools import reduce
from itertools import pairwise
from typing import Any

import msgspec

from service.domain.game import Event, Seat, redact
from service.domain.room.evolve import has_secrets
from tests.laws.play import PlayedMatch, Step, send_and_decode

POSITIONS = 4
"""The number of turns of a match at which all legal moves are compared with each other."""


def view_json(played: PlayedMatch, state: Any, audience: Seat | None) -> bytes:
    """Return the bytes of a view."""
    return msgspec.json.encode(played.game.view(state, audience))


def event_json(event: Event, audience: Seat | None) -> bytes:
    """Return the bytes of an event as an audience receives it."""
    return msgspec.json.encode(redact(event, audience))


def a_view_is_the_fold_of_the_redacted_events(played: PlayedMatch) -> None:
    """Check that an audience that folds its events has the same view, and a seat the same legal moves."""
    game = played.game
    for audience in (*played.seats, None):
        known = game.start(played.options)
        for event, truth in played.events:
            known = game.evolve(known, send_and_decode(game, redact(event, audience)))
            assert game.view(known, audience) == game.view(truth, audience)
            assert game.to_move(known) == game.to_move(truth)
            assert game.outcome(known) == game.outcome(truth)
            assert game.scores is None or game.scores(known) == game.scores(truth)
        if audience is not None:
            assert list(game.legal_moves(known, audience)) == list(game.legal_moves(played.last, audience))


def a_measure_has_a_public_number_for_each_seat(played: PlayedMatch) -> None:
    """Check that it is the same from what any seat or the public knows, and the scores in a game that has them."""
    game, measure = played.game, played.game.measure
    if measure is None:
        return
    known = {audience: game.start(played.options) for audience in (*played.seats, None)}
    for event, truth in played.events:
        known = {audience: game.evolve(state, redact(event, audience)) for audience, state in known.items()}
        values = measure(truth)
        assert len(values) == len(played.seats)
        assert {measure(state) for state in known.values()} == {values}
        assert game.scores is None or values == game.scores(truth)


def moves_with_equal_views_have_equal_events(played: PlayedMatch) -> None:
    """Check that an audience whose view does not distinguish two moves receives equal bytes for both."""
    dice = random.Random(played.seed)  # noqa: S311 - which positions are looked at
    for step in dice.sample(played.turns, min(POSITIONS, len(played.turns))):
        for seat in played.seats:
            for audience in {*played.seats, None} - {seat}:
                for redacted in redacted_by_view(played, step, seat, audience).values():
                    assert len(redacted) == 1


def redacted_by_view(played: PlayedMatch, step: Step, seat: Seat, audience: Seat | None) -> dict[bytes, set[bytes]]:
    """Return, by the view of an audience after each legal move of a seat, the redacted events that it may receive."""
    redacted: dict[bytes, set[bytes]] = defaultdict(set)
    for move in played.game.legal_moves(step.before, seat):
        events = played.game.decide(step.before, seat, move)
        after = step.before
        for event in events:
            after = played.game.evolve(after, event)
        sent = b"\n".join(event_json(event, audience) for event in events)
        redacted[view_json(played, after, audience)].add(sent)
    return redacted


def the_public_sees_no_more_than_any_seat(played: PlayedMatch) -> None:
    """Check that each seat's views and events contain everything in those of the public."""
    for step in played.turns[::5]:
        public = json.loads(view_json(played, step.before, None))
        for seat in played.seats:
            assert missing_in_own(public, json.loads(view_json(played, step.before, seat))) == []
    for event, _ in played.events:
        public = json.loads(event_json(event, None))
        for seat in played.seats:
            assert missing_in_own(public, json.loads(event_json(event, seat))) == []


def without_secrets_all_audiences_see_the_same(played: PlayedMatch) -> None:
    """Check that there is one view for all where no event hides anything; it is then computed once for them."""
    if has_secrets(played.game):
        return
    for step in played.turns[::5]:
        assert len({view_json(played, step.before, audience) for audience in (*played.seats, None)}) == 1


def missing_in_own(public: Any, own: Any, at: str = "") -> list[str]:
    """Return where a public JSON value has something that a seat's value lacks."""
    if isinstance(public, dict) and isinstance(own, dict):
        return [path for key in public for path in missing_in_own(public[key], own.get(key), f"{at}/{key}")]
    return [] if public is None or public == own else [at]


def a_view_is_an_object_without_last(played: PlayedMatch) -> None:
    """Check that a view is a JSON object without `last`, which the room adds."""
    for audience in (*played.seats, None):
        for state in (played.game.start(played.options), played.last):
            decoded = json.loads(view_json(played, state, audience))
            assert isinstance(decoded, dict)
            assert decoded
            assert "last" not in decoded


def changes_of_a_view_lead_to_the_later_one(played: PlayedMatch) -> None:
    """Check that the changes between two states are where their views differ, also back, as after a takeback."""
    game, changes = played.game, played.game.view_changes
    if changes is None:
        return
    assert not has_secrets(game)
    states = [game.start(played.options), *(state for _, state in played.events)]
    for before, after in [*pairwise(states), *pairwise(states[::-1]), (states[0], states[-1])]:
        old, new = (json.loads(view_json(played, state, None)) for state in (before, after))
        found = dict(changes(before, after))
        assert all(value_at(old, path) != value_at(new, path) for path in found)
        for path, value in found.items():
            *names, last = path.split("/")
            reduce(dict.__getitem__, names, old)[last] = msgspec.to_builtins(value)
        assert msgspec.json.decode(msgspec.json.encode(old)) == new


def value_at(view: Any, path: str) -> Any:
    """Return what is at a path of names."""
    return reduce(dict.__getitem__, path.split("/"), view)
