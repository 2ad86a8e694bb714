"""Two or three players, **one**, **two** and **three**, place, flip and move two-coloured pegs to get three of a kind.

## The pegs
Each player has seven. Six join neighbours of the rainbow, a colour on each side: `RO`, `OY`, `YG`, `GB`, `BV`, `VR`
(red, orange, yellow, green, blue, violet). The seventh, `WK`, is white and black. White counts as every colour, black
as none. Everybody may know what is underneath a peg.

## Your turn
The board has 21 cells, five by five without the corners. Do one of three things:

* **place** a peg you have not yet placed on an empty cell, whichever side up you like; the white-and-black one only
  when your six coloured ones are on the board;
* **flip** a peg of yours where it stands;
* **move** a peg of yours to any empty cell without flipping it.

You can't pass, you can't touch the pegs of others, and no peg leaves the board again.

## The end
Three cells in a row that show one colour are a line, no matter who owns the pegs. If one stands after your action, you
win, and you win everything: two lines are worth no more than one.

With `grid` = `square` lines run along rows, columns and both kinds of diagonal. With `hex` think of the board as a
hexagonal one, turned by 45 degrees: the diagonals from the top left to the bottom right are no lines.

## Variants
* `misere`: a line loses. All others who are still playing share first place.
* `rest`: a peg you acted upon has to rest, with 2 on your next turn, with 3 on your next two. It rests after being
  placed as well.
* `dice`: each turn begins with the roll of a colour, told as its letter, the one that stands in the names of the pegs.
  You may only act upon a peg that carries it, or upon your white-and-black peg as soon as that can be placed. Where
  all such pegs rest, none has to rest on this turn.
* `players` = 3: when all 21 pegs are placed, there is nothing left but flipping.

## Draws
* `repetition`: the match is drawn when a position comes up for the third time: the same pegs on the same cells, the
  same seat to move, the same pegs resting for as long, and the same colour rolled. With `dice` a position is complete
  only with its roll, so it is the roll that ends the match. After a drop-out counting begins anew.
* `quiet_limit`: the match is drawn after so many turns in a row in which nothing was placed; 0 turns this off. With
  `dice` this is found before the next roll, which is not made any more.

A draw, like a shared first place, splits the stake evenly.

## Leaving
If you leave, your turns are left out and you come in behind everyone who stays. Your pegs stay where they are. Nobody
may touch them, but they count in lines. When only one player is left, that one has won.

## How the die is rolled
Each roll is a numbered draw of its own: a number below 6 names the colour, 0 for `R`, then `O`, `Y`, `G`, `B`, `V`.
"""

from service.domain.game import Game
from service.domain.games.rainbow.board import GEOMETRY
from service.domain.games.rainbow.bot import accepts_draw, choose
from service.domain.games.rainbow.model import Options, Position, RainbowEvent, RainbowMove, moves_shown, view
from service.domain.games.rainbow.notation import NOTATION
from service.domain.games.rainbow.rules import (
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

GAME: Game[Options, Position, RainbowMove, RainbowEvent] = Game(
    slug="rainbow",
    title="Tic-Tac-Rainbow",
    rules=__doc__,
    rules_version=1,
    options=Options,
    move=RainbowMove,
    event=RainbowEvent,
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
    choose=choose,
    accepts_draw=accepts_draw,
    stake=True,
    endings={
        "line": "A line stands.",
        "repetition": "The same position came up for the third time: a draw.",
        "quiet_limit": "Too many turns went by without a placement: a draw.",
    },
    refusals=REFUSALS,
)
