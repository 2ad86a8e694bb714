"""Ternio is Reversi for three: **red**, **green** and **blue** take turns in this order, and red begins.

## The start

The board has 9 by 9 squares, `a1` at the bottom left. Nine discs, three of each colour, lie on `d4` to `f6`. The option
`start` names their layout.

## Your turn

Put one disc on an empty square from which you capture something. Look from there along the eight directions: where
discs of **one** opponent stand in a row without a gap and a disc of yours comes right after them, they turn to your
colour. Discs of both opponents in one line protect each other: nothing in that direction turns. All directions that
capture do so at once, one red discs, say, and the next blue ones.

If no square captures anything for you, you are passed over by itself.

## The end

The match is over when no one can move, at the latest when the board is full. Whoever has the most discs wins; equal
numbers share a place.

If you leave the match, your discs stay and can still be captured, your turns are left out, and you come in behind
everyone who stays. When only one is left, that one has won.
"""

from service.domain.boards.capture_game import scores
from service.domain.game import Game
from service.domain.games.ternio.board import GEOMETRY
from service.domain.games.ternio.bot import accepts_draw, choose
from service.domain.games.ternio.model import Options, Place, Position, TernioEvent, moves_shown, view
from service.domain.games.ternio.notation import NOTATION
from service.domain.games.ternio.rules import (
    REFUSALS,
    decide,
    drop,
    evolve,
    legal_moves,
    outcome,
    seats,
    setup,
    start,
    to_move,
)

GAME: Game[Options, Position, Place, TernioEvent] = Game(
    slug="ternio",
    title="Ternio",
    rules=__doc__,
    rules_version=1,
    options=Options,
    move=Place,
    event=TernioEvent,
    geometry=GEOMETRY,
    seats=seats,
    start=start,
    setup=setup,
    decide=decide,
    evolve=evolve,
    to_move=to_move,
    legal_moves=legal_moves,
    outcome=outcome,
    view=view,
    drop=drop,
    moves_shown=moves_shown,
    notation=NOTATION,
    scores=scores,
    choose=choose,
    accepts_draw=accepts_draw,
    endings={
        "most_discs": "Nobody can move: most discs win.",
    },
    refusals=REFUSALS,
)
