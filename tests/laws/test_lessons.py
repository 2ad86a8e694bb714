"""Every lesson by the rules: its moves are legal, each solution does what its step says, and the last one wins."""

from collections.abc import Iterator, Mapping
from itertools import product
from typing import Any, NamedTuple

import msgspec
import pytest

from service.domain.catalog import GAMES, AnyGame
from service.domain.chance import Chance, DrawNumber
from service.domain.game import Event, Move, Seat, redact
from service.domain.presentation import LEARNER, Lesson, Step, read_moves

SHOWN_MOVES = 3
LONGEST = {"text": 200, "hint": 120, "praise": 120}
STEPS = 5
TAUGHT = [game for game in GAMES.values() if game.lesson]
SEEDS = (bytes(32), bytes(range(32)))


class Played(NamedTuple):
    """A position of a lesson, and the events of the moves that led to it."""

    state: Any
    events: tuple[Event, ...] = ()


def lesson_of(game: AnyGame) -> Lesson:
    """Return the lesson of a game that has one."""
    assert game.lesson is not None
    return game.lesson


def begin(game: AnyGame, seed: bytes = SEEDS[0]) -> Any:
    """Return the position at which the lesson's match begins."""
    options = lesson_of(game).options
    state = game.start(options)
    for event in game.setup(options, chance(game, seed)):
        state = game.evolve(state, event)
    return state


def chance(game: AnyGame, seed: bytes = SEEDS[0]) -> Chance:
    """Return the chance of a match with this seed."""
    return Chance(seed, ("",) * len(game.seats(lesson_of(game).options)), DrawNumber(0))


def play(game: AnyGame, played: Played, seat: int, move: Move) -> Played:
    """Return what follows from a legal move: rules, and what happens by itself."""
    assert move in list(game.legal_moves(played.state, Seat(seat))), f"{move} is not legal for seat {seat}"
    state, events = played
    found = game.decide(state, Seat(seat), move)
    while found:
        state, events = fold(game, state, found), (*events, *found)
        found = game.follow(state, chance(game))
    return Played(state, events)


def fold(game: AnyGame, state: Any, events: list[Event]) -> Any:
    """Return the state after these events."""
    for event in events:
        state = game.evolve(state, event)
    return state


def play_words(game: AnyGame, state: Any, words: str) -> Played:
    """Return what follows from the moves of these words."""
    played = Played(state)
    for seat, move in moves_of(game, words):
        played = play(game, played, seat, move)
    return played


def moves_of(game: AnyGame, words: str) -> list[tuple[int, Move]]:
    """Return the moves of these words with their seats."""
    return read_moves(words, game.seats(lesson_of(game).options), game.notation.read)


def paths(game: AnyGame) -> Iterator[tuple[str, ...]]:
    """Yield every way through a lesson: one solution for each step."""
    return product(*(step.solutions for step in lesson_of(game).steps))


def positions(game: AnyGame, path: tuple[str, ...]) -> Iterator[tuple[Step, Any, Played]]:
    """Yield each step with the position before the learner's moves and what the solution leads to."""
    state = begin(game)
    for step, solution in zip(lesson_of(game).steps, path, strict=True):
        before = play_words(game, state, step.before).state
        solved = play_words(game, before, solution)
        yield step, before, solved
        state = solved.state


def shows(step: Step, played: Played) -> bool:
    """Return whether the events are those that the step is about."""
    return all(any(has_fields(event, fields) for event in played.events) for fields in step.shows)


def has_fields(event: Event, fields: Mapping[str, Any]) -> bool:
    """Return whether an event has these fields on the wire."""
    sent = msgspec.json.decode(msgspec.json.encode(event))
    return all(name in sent and sent[name] == value for name, value in fields.items())


def other_tries(game: AnyGame, played: Played, length: int) -> Iterator[Played]:
    """Yield what every sequence of at most so many of the learner's moves leads to."""
    for move in game.legal_moves(played.state, Seat(LEARNER)) if length else ():
        after = play(game, played, LEARNER, move)
        yield after
        yield from other_tries(game, after, length - 1)


def shown_by(game: AnyGame, number: int) -> list[dict[str, Any]]:
    """Return the public states before and after each of the last moves up to a step's solution, as the API has them."""
    played = Played(begin(game))
    shown = [state_json(game, played, 0)]
    for step in lesson_of(game).steps[:number]:
        for seat, move in [*moves_of(game, step.before), *moves_of(game, step.solutions[0])]:
            played = play(game, Played(played.state), seat, move)
            if any(game.moves_shown(event) for event in played.events):
                shown.append(state_json(game, played, len(shown)))
    return shown[-SHOWN_MOVES - 1 :]


def state_json(game: AnyGame, played: Played, version: int) -> dict[str, Any]:
    """Return what everybody may know of a position, with the events that led to it."""
    last = [{"version": version, **msgspec.to_builtins(redact(event, None))} for event in played.events]
    state = {**msgspec.to_builtins(game.view(played.state, None)), "last": last}
    found: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(state))
    return found


def test_every_game_has_a_lesson() -> None:
    """The five games of the service; another one works without."""
    assert len(TAUGHT) >= 5


@pytest.mark.parametrize("game", TAUGHT, ids=lambda game: game.slug)
def test_a_lesson_is_short(game: AnyGame) -> None:
    """Five steps with texts for a phone, without an option's name."""
    steps = lesson_of(game).steps
    assert len(steps) == STEPS
    texts = [(name, getattr(step, name)) for step in game.texts.steps for name in LONGEST]
    assert [text for name, text in texts if not 0 < len(text) <= LONGEST[name]] == []


@pytest.mark.parametrize("game", TAUGHT, ids=lambda game: game.slug)
def test_nothing_is_left_to_chance(game: AnyGame) -> None:
    """Every match with the lesson's options begins with the same position."""
    assert len({msgspec.json.encode(game.view(begin(game, seed), None)) for seed in SEEDS}) == 1


@pytest.mark.parametrize("game", TAUGHT, ids=lambda game: game.slug)
def test_the_moves_are_legal_and_show_what_the_step_says(game: AnyGame) -> None:
    """On every way through the lesson: the learner is to move at each step, and the last solution wins the match."""
    for path in paths(game):
        last = None
        for step, before, solved in positions(game, path):
            assert LEARNER in game.to_move(before), step.solutions
            assert step.shows
            assert shows(step, solved), f"{step.solutions} {solved.events}"
            last = game.outcome(solved.state)
            assert (last is None) == (step is not lesson_of(game).steps[-1]), step.solutions
        assert last is not None
        assert last.winners == (LEARNER,)


@pytest.mark.parametrize("game", TAUGHT, ids=lambda game: game.slug)
def test_three_legal_moves_show_the_game(game: AnyGame) -> None:
    """One step has the positions before and after each, as the rules give them, without anything secret."""
    steps = lesson_of(game).steps
    assert [len(step.positions) for step in steps if step.positions] == [SHOWN_MOVES + 1]
    number = next(number for number, step in enumerate(steps, 1) if step.positions)
    assert list(steps[number - 1].positions) == shown_by(game, number)


@pytest.mark.parametrize("game", TAUGHT, ids=lambda game: game.slug)
def test_no_other_moves_show_the_same(game: AnyGame) -> None:
    """Otherwise somebody who has understood the step would be refused."""
    for step, before, solved in positions(game, next(paths(game))):
        length = max(len(moves_of(game, solution)) for solution in step.solutions)
        solutions = {play_words(game, before, solution).events for solution in step.solutions}
        found = {tried.events for tried in other_tries(game, Played(before), length) if shows(step, tried)}
        assert solved.events in found
        assert {events for events in found if not any(events[: len(one)] == one for one in solutions)} == set()


def test_the_pair_of_rainbow_is_a_gift() -> None:
    """After the solution of its fourth step the opponent has no line; after the same peg's other side, there is one."""
    game = GAMES["rainbow"]
    step, before, solved = list(positions(game, next(paths(game))))[3]
    gift = play_words(game, before, step.solutions[0].replace(":Y", ":O"))
    for played, wins in ((solved, False), (gift, True)):
        replies = [play(game, Played(played.state), 1, move) for move in game.legal_moves(played.state, Seat(1))]
        assert any(game.outcome(reply.state) for reply in replies) is wins
