"""Two players, **white** and **black**, have nine men each and try to line them up.

## The board
24 points on three squares, one inside another. Lines run along the sides of the squares and join the middles of the
sides; along each of these 16 lines lie three points.

## Who begins
White, or with `first` = `roll` whoever rolls the higher die; equal rolls are rolled again.

## Placing
In turn, each player puts a man from the hand on an empty point. No man moves before all eighteen are placed.

## Moving
After that, a turn takes one man along a line to the next point, if that is empty. Men never jump and never stay.

## Flying
When a player is down to three men, board and hand together, men may go to any empty point instead. With `flying` =
`both` this is so for both players, with `reduced` only for the one who has three men, with `off` for nobody.

## Mills
Three men of one colour on a line are a mill. Whoever closes one, by placing or moving, takes an opponent's man off the
board before the turn is over. A mill may be opened and closed again, and a man may go from one mill straight into
another: each time it counts.

* A man in a mill is safe. If all of the opponent's men stand in mills, `all_in_mills` decides: with `none` nothing is
  taken, with `three` only a player with three men can lose one, with `any` each man can be taken.
* Two mills closed at once take two men, or one with `double_mill` = `one`. Which men are safe is looked at again
  before the second. A removal for which there is no man lapses.

## The end
* Who has fewer than three men, board and hand together, has lost, even if another removal was still due.
* Who is to move and can't, has lost.
* When a position comes up for the third time, with the same player to move, the match is drawn (`repetition`).
* When `quiet_limit` turns in a row neither placed nor removed a man, the match is drawn; 0 turns this off.
"""

from service.domain.game import Game
from service.domain.games.morris.board import GEOMETRY
from service.domain.games.morris.bot import accepts_draw, choose
from service.domain.games.morris.model import MorrisEvent, MorrisMove, Options, Position, moves_shown, view
from service.domain.games.morris.notation import NOTATION
from service.domain.games.morris.rules import (
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

GAME: Game[Options, Position, MorrisMove, MorrisEvent] = Game(
    slug="morris",
    title="Nine Men's Morris",
    rules=__doc__,
    rules_version=1,
    options=Options,
    move=MorrisMove,
    event=MorrisEvent,
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
    choose=choose,
    accepts_draw=accepts_draw,
    endings={
        "too_few_men": "A player is left with two men and has lost.",
        "no_legal_move": "A player can't move and has lost.",
        "repetition": "The same position came up for the third time: a draw.",
        "quiet_limit": "Too many turns went by without a placement or a removal: a draw.",
    },
    refusals=REFUSALS,
)
