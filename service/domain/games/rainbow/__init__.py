"""Two or three players, **one**, **two** and **three**, place, flip and move two-coloured pegs to form lines of three.

## The pegs
Each player has seven. Six have neighbouring colours of the rainbow on their two sides: `RO`, `OY`, `YG`, `GB`, `BV`,
`VR` (red, orange, yellow, green, blue, violet). The seventh, `WK`, is white and black. White counts as every colour,
black as none. The lower side of a peg is not secret.

## Your turn
The board has 21 cells: five by five without the corners. Do one of three things:

* **place** a peg that you have not yet placed on an empty cell, with either side up; the white-and-black one only after
  your six coloured ones;
* **flip** a peg of yours on its cell;
* **move** a peg of yours to any empty cell without flipping it.

You cannot pass or touch the pegs of others, and no peg leaves the board.

## The end
Three cells in a row that show one colour are a line, no matter who owns the pegs. If there is a line after your action,
you win the stake; two lines are worth no more than one.

Lines run along rows, columns and both kinds of diagonals. On a hexagonal board, which is turned by 45 degrees, the
diagonals from the top left to the bottom right are not lines.

## Variants
A room may choose some of these.

* **Lines lose**: a player who makes a line loses. All others who are still playing share first place.
* **Resting**: a peg that you have placed, flipped or moved has to rest in your next turn, or in your next two turns.
* **Dice**: each turn begins with the roll of a colour, written as the letter that it has in the names of the pegs. You
  may use only a peg that has this colour on one of its sides, or your white-and-black peg once it can be placed. If all
  these pegs rest, none has to rest in this turn.
* **Three players**: when all 21 pegs are placed, pegs can only be flipped.

## Draws
* **Repetition**: the match is drawn when a position occurs for the third time: the same pegs on the same cells, the
  same seat to move, the same pegs resting for the same number of turns, and the same colour rolled. With dice a
  position is complete only with its roll, so the roll ends the match. After a drop-out the count starts again.
* **No progress**: the match is drawn after 100 turns in a row without a placement. A room may choose another number, or
  none. With dice the match then ends before the next roll.

A draw, like a shared first place, splits the stake evenly.

## Leaving
If you leave, your turns are skipped and you rank behind everyone who stays. Your pegs stay where they are. Nobody can
touch them, but they count in lines. When only one player is left, that player has won.
"""

from service.domain.game import Game, Measure
from service.domain.games.rainbow.board import GEOMETRIES, GEOMETRY
from service.domain.games.rainbow.bot import accepts_draw, choose, evaluate_position, threats
from service.domain.games.rainbow.german import GERMAN
from service.domain.games.rainbow.lesson import LESSON
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
from service.domain.presentation import OptionTexts

GAME: Game[Options, Position, RainbowMove, RainbowEvent] = Game(
    slug="rainbow",
    title="Tic-Tac-Rainbow",
    tagline="Two-sided pegs. Three of one colour in a row win, no matter who owns them.",
    summary=(
        "In a turn, place a peg with either colour up, flip one of yours, or move one to an empty cell.",
        "Three cells of one colour in a row are a line, no matter whose pegs. White counts as every colour.",
        "The player who makes a line wins.",
    ),
    rules=__doc__,
    rules_version=1,
    options=Options,
    move=RainbowMove,
    event=RainbowEvent,
    geometry=GEOMETRY,
    geometry_with=lambda options: GEOMETRIES[options.grid],
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
    bot_ratings={"easy": 970, "medium": 1400, "hard": 2120},
    accepts_draw=accepts_draw,
    evaluate=evaluate_position,
    measure=Measure(
        unit="threats",
        meaning="The pegs with which each seat could make a line if it were its turn, whatever the die shows.",
        of=threats,
    ),
    stake=True,
    endings={
        "line": "A line was made.",
        "repetition": "The same position came up for the third time: a draw.",
        "quiet_limit": "Too many turns went by without a placement: a draw.",
    },
    refusals=REFUSALS,
    lesson=LESSON,
    option_texts={
        "grid": OptionTexts(title="Lines", values={"square": "Square", "hex": "Hexagonal"}),
        "misere": OptionTexts(title="A player who makes a line loses"),
        "rest": OptionTexts(title="Own turns until a peg may be used again", values={"0": "None", "2": "2", "3": "3"}),
        "dice": OptionTexts(title="A die decides the colour to use"),
        "players": OptionTexts(title="Players", values={"2": "2", "3": "3"}),
        "repetition": OptionTexts(title="The same position three times is a draw"),
        "quiet_limit": OptionTexts(title="Turns without progress until a draw, 0 for no limit"),
    },
    translations={"de": GERMAN},
)
