"""Turn your board all black before the other player does; each square that you choose is turned on both boards.

Two players, red and yellow. Each has an own board of 8 x 8 squares, `a1` at the bottom left, and wants to see it
without white. Discs are black on one side and white on the other; none is ever added, taken or moved, only turned.

## The layout

Both boards begin alike: two to six squares show black, up to three are blank, the rest shows white. One draw decides:
the number of black squares is 2 + a number below 5, the number of blanks a number below 4, and a sample of the squares
`a1`, `b1` ... `h1`, `a2` ... `h8` gives the black squares first, then the blanks.

## A round

1. Each player secretly selects a disc on the own board, and then commits. Until then the selection may be changed at
   will; to select again after a commit takes the commit back. The opponent sees that you select and whether you
   have committed, but not what. Both may pick the same square.
2. Once both have committed, the selections are uncovered and the round is told in four steps:
   - *first half*: on red's board the disc that red selected is turned, on yellow's board the one that yellow selected;
   - *second half*: on red's board the disc on **yellow's** square is turned, on yellow's board the one on **red's**. It
     is turned whatever it shows by then, so what the first half won may be lost again.

## Turning traps discs

A turned disc shows a new colour. Look from it in all eight directions: an unbroken row of discs of the other colour
with a disc of the new colour behind it is trapped, and all of the row turns as well. A row that ends at a blank or at
the edge stays as it is. All directions are judged at once, and discs that were trapped trap nothing themselves. To
trap nothing is fine.

## The end

After each half the boards are looked at. Whose board shows no white has won (`all_black`); if that is true of both, it
is a draw. After the first half this means that the second isn't played.

Careful players can hold each other back for ever. So after the last round of the limit the match ends (`round_limit`):
as a draw, or in favour of the board with fewer white discs (a draw again if they are as many). A player who drops out
loses.

## Options

- `selectable`: `any` disc of the own board may be selected (default), or only one that shows white there
  (`white_only`; the disc that the opponent's square forces may be black).
- `round_limit`: the number of rounds, 60 by default; 0 for no limit.
- `at_limit`: `draw` (default) or `fewest_white`.
"""

from service.domain.game import Game
from service.domain.games.turncoat.board import GEOMETRY
from service.domain.games.turncoat.bot import accepts_draw, choose
from service.domain.games.turncoat.model import (
    Committed,
    Options,
    Position,
    Selected,
    TurncoatEvent,
    TurncoatMove,
    moves_shown,
    view,
)
from service.domain.games.turncoat.notation import NOTATION
from service.domain.games.turncoat.rules import (
    REFUSALS,
    decide,
    drop,
    evolve,
    follow,
    legal_moves,
    outcome,
    seats,
    setup,
    start,
    to_move,
)

GAME: Game[Options, Position, TurncoatMove, TurncoatEvent] = Game(
    slug="turncoat",
    title="Turncoat",
    rules=__doc__,
    rules_version=1,
    options=Options,
    move=TurncoatMove,
    event=TurncoatEvent,
    geometry=GEOMETRY,
    seats=seats,
    start=start,
    setup=setup,
    decide=decide,
    follow=follow,
    evolve=evolve,
    to_move=to_move,
    legal_moves=legal_moves,
    outcome=outcome,
    view=view,
    drop=drop,
    moves_shown=moves_shown,
    notation=NOTATION,
    unrecorded=(Selected, Committed),
    choose=choose,
    accepts_draw=accepts_draw,
    simultaneous=True,
    endings={
        "all_black": "All discs of a board are black: its owner has won.",
        "round_limit": "The last round that was agreed on is over.",
    },
    refusals=REFUSALS,
)
