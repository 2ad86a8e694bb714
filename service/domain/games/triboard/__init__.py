"""Triboard is a fight of **blue**, **red** and **green**, in this turn order, for the cells of a walled board.

## The start

The board has 16 by 11 cells, `a1` at the bottom left. Twelve cells of each colour and twelve walls, which stay as
they are, are drawn at random so that everyone has a jump; all other cells are empty. Who begins is drawn too, or is
blue: the option `first`.

## Your turn

Choose an empty cell from which you jump. Look from there along the eight directions: you jump where you meet cells of
**one** opponent without a gap and then a cell of your own. The chosen cell and everything that you jump over, in all
directions at once, become yours. Another opponent's cell, an empty cell, a wall or the edge before your own cell stops
the jump of that direction; one direction may jump over red and another over green.

If you can't jump, you are passed over by itself.

## The end

The match is over when no one can jump. Whoever has the most cells wins; equal numbers share a place.

If you leave the match, your cells stay and can still be taken, your turns are left out, and you come in behind everyone
who stays. When only one is left, that one has won.

## How the layout is drawn

All in one numbered draw: a sample of 48 of the cells `a1`, `b1`, ... `p1`, `a2`, ... `p11`, of which the first twelve
are blue, the next red, then green, and the last are walls. If some seat has no jump, the draw goes on with another such
sample. Then, with `first` = `random`, a number below 3 names the seat that begins: 0 blue, 1 red, 2 green.
"""

from service.domain.boards.capture_game import scores
from service.domain.game import Game
from service.domain.games.triboard.board import GEOMETRY
from service.domain.games.triboard.bot import accepts_draw, choose
from service.domain.games.triboard.model import Options, Place, Position, TriboardEvent, moves_shown, view
from service.domain.games.triboard.notation import NOTATION
from service.domain.games.triboard.rules import (
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

GAME: Game[Options, Position, Place, TriboardEvent] = Game(
    slug="triboard",
    title="Triboard",
    rules=__doc__,
    rules_version=1,
    options=Options,
    move=Place,
    event=TriboardEvent,
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
        "most_cells": "Nobody can move: most cells win.",
    },
    refusals=REFUSALS,
)
