"""Triboard. Jump over whole rows to capture them, between walls."""

from service.domain.boards.capture_game import REFUSALS, scores
from service.domain.game import Game, Measure
from service.domain.games.triboard.model import GEOMETRY, Options, Place, Position, TriboardEvent, view
from service.domain.games.triboard.rules import BOT, NOTATION, RULES, evolve, setup
from service.domain.presentation import Lesson, OptionTexts, read_steps, read_text

GAME: Game[Options, Position, Place, TriboardEvent] = Game(
    slug="triboard",
    title="Triboard",
    tagline="Jump over whole rows to capture them, between walls.",
    summary=(
        "Choose an empty cell from which you can jump over a row of one opponent's cells to a cell of yours.",
        "That cell and all that you jump over become yours. Walls and gaps prevent a jump.",
        "When nobody can jump, the player with the most cells wins.",
    ),
    rules=read_text(__name__, "rules.md"),
    rules_version=1,
    options=Options,
    move=Place,
    event=TriboardEvent,
    geometry=GEOMETRY,
    seats=RULES.seats,
    start=RULES.start,
    setup=setup,
    decide=RULES.decide,
    evolve=evolve,
    to_move=RULES.to_move,
    legal_moves=RULES.legal_moves,
    outcome=RULES.outcome,
    view=view,
    drop=RULES.drop,
    moves_shown=RULES.moves_shown,
    notation=NOTATION,
    scores=scores,
    measure=Measure(unit="cells", meaning="The cells that each seat owns.", of=scores),
    choose=BOT.choose,
    bot_ratings={"easy": 670, "medium": 1800, "hard": 2030},
    accepts_draw=BOT.accepts_draw,
    evaluate=BOT.evaluate,
    endings={
        "most_cells": "Nobody can move: most cells win.",
    },
    refusals=REFUSALS,
    lesson=Lesson(options=Options(first="blue", start="lesson"), steps=read_steps(__name__)),
    option_texts={
        "first": OptionTexts(title="Who begins", values={"random": "Chosen at random", "blue": "Blue"}),
        "start": OptionTexts(title="Layout", values={"random": "Drawn at random", "lesson": "That of the lesson"}),
    },
    translations=("de",),
)
