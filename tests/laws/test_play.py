"""Every law over seeded random play of every game in the catalogue, under every pair of option values."""

import random
import sys
from functools import cache
from typing import Any, get_args

import msgspec
import pytest

from service.domain.catalog import GAMES, AnyGame
from tests.laws import rules, secrecy
from tests.laws.moves import move_types
from tests.laws.options import combinations_of, named
from tests.laws.play import CUT, LONGEST, Law, Played, play

LAWS: tuple[Law, ...] = (
    rules.the_legal_moves_are_the_accepted_ones,
    rules.a_seat_out_of_turn_is_told_so,
    rules.legal_moves_stand_once_and_in_order,
    rules.whoever_is_awaited_has_a_move,
    rules.a_move_may_be_said_in_upper_case,
    rules.a_decision_is_always_the_same,
    rules.the_stored_events_give_the_same_states,
    rules.an_event_is_folded_into_the_given_position,
    rules.play_ends_under_the_default_options,
    rules.the_outcome_is_consistent,
    rules.over_is_over,
    rules.who_drops_out_is_passed_over,
    rules.who_drops_out_comes_in_behind,
    rules.chance_is_drawn_in_numbered_order,
    rules.chance_decides_nothing_in_a_move,
    rules.a_step_begins_where_the_last_one_ended,
    secrecy.a_view_is_the_fold_of_what_was_told,
    secrecy.what_looks_alike_is_told_alike,
    secrecy.the_public_knows_no_more_than_any_seat,
    secrecy.without_secrets_everyone_sees_the_same,
    secrecy.a_view_is_an_object_that_leaves_room_for_the_house,
)
FEWEST, MOST = 8, 60
"""How many matches `make test` plays at least a combination and about a game; in every other one seats drop out."""

SOAKED = 1000
COMBINATIONS = [(game, options) for game in GAMES.values() for options in combinations_of(game)]
NAMES = [f"{game.slug}-{named(options)}" for game, options in COMBINATIONS]


@cache
def matches(slug: str, options: Any) -> list[Played]:
    """Return the matches of a combination."""
    size = max(FEWEST, MOST // len(combinations_of(GAMES[slug])))
    return [match(GAMES[slug], options, seed) for seed in range(size)]


def match(game: AnyGame, options: Any, seed: int) -> Played:
    """Return a match, played to its end where it must have one."""
    return play(game, options, seed, LONGEST if options == game.options() else CUT)


def hold(law: Law, played: Played) -> None:
    """Judge a match by a law; a failure names the match."""
    try:
        law(played)
    except Exception as failure:
        failure.add_note(f"in {played.name}")
        raise


@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.__name__)
@pytest.mark.parametrize(("game", "options"), COMBINATIONS, ids=NAMES)
def test_law(game: AnyGame, options: msgspec.Struct, law: Law) -> None:
    """One law, one combination of options."""
    for played in matches(game.slug, options):
        hold(law, played)


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_the_matches_tell_all_that_the_game_can_tell(game: AnyGame) -> None:
    """Each type of event and of move happened in some of the matches, so that the laws have seen it."""
    steps = [
        step for options in combinations_of(game) for played in matches(game.slug, options) for step in played.steps
    ]
    assert {type(event) for step in steps for event in step.events} == set(get_args(game.event))
    assert {type(step.move) for step in steps if step.move is not None} == set(move_types(game.move))


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_the_same_events_happen_at_different_positions(game: AnyGame) -> None:
    """So that the law about what `evolve` depends on has seen some."""
    played = matches(game.slug, game.options())[0]
    found = [pair for step in played.turns[::3] for pair in rules.same_events_elsewhere(played, step)]
    assert any(here != there for here, there, _ in found)


@pytest.mark.soak
@pytest.mark.parametrize(("game", "options"), COMBINATIONS, ids=NAMES)
def test_all_laws_over_a_thousand_matches(game: AnyGame, options: msgspec.Struct) -> None:
    """The same, over as many matches as take minutes."""
    for count in range(1, SOAKED + 1):
        played = match(game, options, random.Random(count).getrandbits(32))  # noqa: S311 - the seeds of the study
        for law in LAWS:
            hold(law, played)
        sys.stderr.write(f"\r{game.slug} {named(options)}: {count} of {SOAKED} matches")
    sys.stderr.write("\n")
