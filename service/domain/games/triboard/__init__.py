"""Triboard is a fight of **blue**, **red** and **green**, in this turn order, for the cells of a walled board.

## The start

The board has 16 by 11 cells, `a1` at the bottom left. Twelve cells of each colour and twelve walls, which never change,
are drawn at random so that everyone can jump; all other cells are empty. Who begins is drawn at random, too, unless the
room lets blue begin. The layout of the lesson is always the same.

## Your turn

Choose an empty cell from which you jump. Look from there in all eight directions: you jump over an unbroken row of
cells of **one** opponent with a cell of your own right behind it. The chosen cell and all cells that you jump over, in
all directions at the same time, become yours. A cell of the other opponent, an empty cell, a wall or the edge before
your own cell prevents the jump in that direction; one direction may jump over red and another over green.

If you cannot jump, you are passed over automatically.

## The end

The match is over when no one can jump. The player with the most cells wins; players with equal numbers share a place.

If you leave the match, your cells stay and can still be taken, your turns are skipped, and you rank behind everyone who
stays. When only one player is left, that player has won.
"""

from service.domain.boards.capture_game import REFUSALS, scores
from service.domain.game import Game, Measure
from service.domain.games.triboard.german import GERMAN
from service.domain.games.triboard.lesson import LESSON
from service.domain.games.triboard.model import GEOMETRY, Options, Place, Position, TriboardEvent, view
from service.domain.games.triboard.rules import BOT, NOTATION, RULES, evolve, setup
from service.domain.presentation import OptionTexts

GAME: Game[Options, Position, Place, TriboardEvent] = Game(
    slug="triboard",
    title="Triboard",
    tagline="Jump over whole rows to capture them, between walls.",
    summary=(
        "Choose an empty cell from which you can jump over a row of one opponent's cells to a cell of yours.",
        "That cell and all that you jump over become yours. Walls and gaps prevent a jump.",
        "When nobody can jump, the player with the most cells wins.",
    ),
    rules=__doc__,
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
    lesson=LESSON,
    option_texts={
        "first": OptionTexts(title="Who begins", values={"random": "Chosen at random", "blue": "Blue"}),
        "start": OptionTexts(title="Layout", values={"random": "Drawn at random", "lesson": "That of the lesson"}),
    },
    translations={"de": GERMAN},
)
