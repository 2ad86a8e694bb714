"""The catalogue finds every game by its folder, without naming any."""

import pkgutil

import pytest

from service.domain import games
from service.domain.catalog import GAMES, find_games
from service.domain.game import Outcome, Seat, rank, snake_case
from service.domain.presentation import ENGLISH, LANGUAGES


def test_every_folder_of_games_is_in_the_catalogue() -> None:
    """Under its own name, which is its slug."""
    assert sorted(GAMES) == sorted(module.name for module in pkgutil.iter_modules(games.__path__) if module.ispkg)
    assert [game.slug for game in GAMES.values()] == list(GAMES)


def test_the_catalogue_is_ordered_by_title() -> None:
    """It is the same at every lookup."""
    assert [game.texts.title for game in GAMES.values()] == sorted(game.texts.title for game in GAMES.values())
    assert list(find_games()) == list(GAMES)


def test_every_game_is_described_in_every_language() -> None:
    """A game of somebody else may leave translations out; then it is described in English."""
    assert [slug for slug, game in GAMES.items() if not game.texts.options] == []
    assert {slug: {*game.translations} for slug, game in GAMES.items()} == dict.fromkeys(
        GAMES, {*LANGUAGES} - {ENGLISH}
    )


@pytest.mark.parametrize(
    ("name", "tag"),
    [("Placed", "placed"), ("PlayerJoined", "player_joined"), ("AssignSeats", "assign_seats"), ("AI", "a_i")],
)
def test_a_class_has_its_tag_in_snake_case(name: str, tag: str) -> None:
    """As in the JSON of events, moves, commands and frames."""
    assert snake_case(name) == tag


@pytest.mark.parametrize(
    ("scores", "dropped", "places"),
    [
        ((30, 20, 10), (), (1, 2, 3)),
        ((10, 20, 30), (), (3, 2, 1)),
        ((20, 20, 10), (), (1, 1, 3)),
        ((10, 20, 20), (), (3, 1, 1)),
        ((30, 20, 20), (), (1, 2, 2)),
        ((7, 7, 7), (), (1, 1, 1)),
        ((0.5, 0.5, 0), (), (1, 1, 3)),
        ((30, 20, 10), (0,), (3, 1, 2)),
        ((30, 20, 20), (0,), (3, 1, 1)),
        ((30, 20, 10), (0, 1), (3, 2, 1)),
        ((30, 20, 10), (1, 0), (2, 3, 1)),
        ((1, 0), (1,), (1, 2)),
    ],
)
def test_scores_become_places(scores: tuple[float, ...], dropped: tuple[int, ...], places: tuple[int, ...]) -> None:
    """Ties share a place and leave out the next; dropped seats come after all others, the earliest last."""
    assert rank(scores, tuple(map(Seat, dropped))) == places


@pytest.mark.parametrize(("places", "winners"), [((1, 2, 3), (0,)), ((1, 1), (0, 1)), ((3, 1, 1), (1, 2))])
def test_winners_are_all_seats_on_the_first_place(places: tuple[int, ...], winners: tuple[int, ...]) -> None:
    """In a draw, all of them."""
    assert Outcome("line", places).winners == winners
