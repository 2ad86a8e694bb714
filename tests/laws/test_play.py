"""Every law over seeded random play of every game in the catalogue, with every pair of option values."""

import random
import sys
from functools import cache
from typing import Any, get_args

import msgspec
import pytest

from service.domain.catalog import GAMES, AnyGame
from tests.laws import rules, secrecy
from tests.laws.moves import move_types
from tests.laws.options import combinations_of, describe
from tests.laws.play import CUT, LONGEST, Law, PlayedMatch, play

LAWS: tuple[Law, ...] = (
    rules.legal_moves_are_exactly_the_accepted_ones,
    rules.a_seat_out_of_turn_is_rejected,
    rules.legal_moves_are_unique_and_ordered,
    rules.a_seat_to_move_has_a_legal_move,
    rules.moves_may_be_in_upper_case,
    rules.decisions_are_deterministic,
    rules.stored_events_give_the_same_states,
    rules.evolve_depends_on_position_and_event_only,
    rules.play_ends_under_the_default_options,
    rules.outcomes_are_consistent,
    rules.nothing_follows_the_end,
    rules.nothing_follows_while_a_seat_is_to_move,
    rules.dropped_seats_are_passed_over,
    rules.dropped_seats_come_last,
    rules.draws_are_numbered,
    rules.moves_use_no_chance,
    rules.rules_do_not_modify_positions,
    secrecy.a_view_is_the_fold_of_the_redacted_events,
    secrecy.a_measure_has_a_public_number_for_each_seat,
    secrecy.moves_with_equal_views_have_equal_events,
    secrecy.the_public_sees_no_more_than_any_seat,
    secrecy.without_secrets_all_audiences_see_the_same,
    secrecy.a_view_is_an_object_without_last,
    secrecy.changes_of_a_view_lead_to_the_later_one,
)
FEWEST, PER_GAME = 6, 40
"""The least number of matches per combination, and about the number per game; in every second one seats drop out."""

LONG_RUN = 1000
COMBINATIONS = [(game, options) for game in GAMES.values() for options in combinations_of(game)]
NAMES = [f"{game.slug}-{describe(options)}" for game, options in COMBINATIONS]


@cache
def matches(slug: str, options: Any) -> list[PlayedMatch]:
    """Return the matches of a combination."""
    size = max(FEWEST, PER_GAME // len(combinations_of(GAMES[slug])))
    return [play_match(GAMES[slug], options, seed) for seed in range(size)]


def play_match(game: AnyGame, options: Any, seed: int) -> PlayedMatch:
    """Return a match, played to its end where it must have one."""
    return play(game, options, seed, LONGEST if options == game.options() else CUT)


def check_law(law: Law, played: PlayedMatch) -> None:
    """Check a law for a match; a failure names the match."""
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
        check_law(law, played)


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_the_matches_cover_all_events_and_moves(game: AnyGame) -> None:
    """Each type of event and of move occurs in some of the matches, so that the laws are tested with it."""
    steps = [
        step for options in combinations_of(game) for played in matches(game.slug, options) for step in played.steps
    ]
    assert {type(event) for step in steps for event in step.events} == set(get_args(game.event))
    assert {type(step.move) for step in steps if step.move is not None} == set(move_types(game.move))


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_equal_events_occur_at_different_positions(game: AnyGame) -> None:
    """So that the law about `evolve` is tested with some."""
    played = matches(game.slug, game.options())[0]
    found = [pair for step in played.turns[::3] for pair in rules.equal_events_at_two_positions(played, step)]
    assert any(first != second for first, second, _ in found)


@pytest.mark.soak
@pytest.mark.parametrize(("game", "options"), COMBINATIONS, ids=NAMES)
def test_all_laws_over_a_thousand_matches(game: AnyGame, options: msgspec.Struct) -> None:
    """The same with as many matches as take minutes."""
    for count in range(1, LONG_RUN + 1):
        played = play_match(game, options, random.Random(count).getrandbits(32))  # noqa: S311 - the seeds of the study
        for law in LAWS:
            check_law(law, played)
        sys.stderr.write(f"\r{game.slug} {describe(options)}: {count} of {LONG_RUN} matches")
    sys.stderr.write("\n")
