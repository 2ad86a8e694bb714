"""Two players, **white** and **black**, have nine men each and try to form lines of three.

## The board
There are 24 points on three squares, one inside another. Lines run along the sides of the squares and connect the
middles of the sides; each of these 16 lines has three points.

## Who begins
White begins. A room may let a roll decide instead: the player with the higher number begins, and equal rolls are
repeated.

## Placing
In turn, each player places a man from the hand on an empty point. No man moves before all eighteen are placed.

## Moving
After that, a turn moves one man along a line to the next point, which must be empty. Men do not jump, and a player
cannot pass.

## Flying
When a player has only three men left, on the board and in hand, the men of both players may move to any empty point
instead. In some rooms, only the player with three men flies, or nobody does.

## Mills
Three men of one colour on a line are a mill. A player who closes one, by placing or moving, removes an opponent's man
from the board before the turn ends. A mill may be opened and closed again, and a man may move directly from one mill
into another: it counts each time.

* A man in a mill is protected. If all of the opponent's men are in mills, no man is removed. A room may decide that a
  player with three men can lose one even then, or that every man can be removed.
* Two mills closed by one man remove two men, in some rooms only one. Before the second removal it is checked again
  which men are protected. A removal lapses if no man can be removed.

## The end
* A player with fewer than three men, on the board and in hand, has lost, even if another removal was still due.
* A player who is to move and cannot has lost.
* When a position occurs for the third time, with the same player to move, the match is drawn.
* When no man was placed or removed in 100 turns in a row, the match is drawn. A room may choose another number, or
  none, and may turn off the draw by repetition.
"""

from service.domain.game import Game, Measure
from service.domain.games.morris.board import GEOMETRY
from service.domain.games.morris.bot import accepts_draw, choose, evaluate_position
from service.domain.games.morris.german import GERMAN
from service.domain.games.morris.lesson import LESSON
from service.domain.games.morris.model import MorrisEvent, MorrisMove, Options, Position, men_left, moves_shown, view
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
from service.domain.presentation import OptionTexts

GAME: Game[Options, Position, MorrisMove, MorrisEvent] = Game(
    slug="morris",
    title="Nine Men's Morris",
    tagline="Three in a row captures a man. Older than chess.",
    summary=(
        "First place your nine men in turn, then move them along the lines to the next point.",
        "Three of your men on a line are a mill: it removes one of the opponent's men.",
        "A player with fewer than three men, or without a move, has lost.",
    ),
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
    measure=Measure(unit="men", meaning="The men that each seat has, on the board and in hand.", of=men_left),
    choose=choose,
    bot_ratings={"easy": 850, "medium": 1630, "hard": 2020},
    accepts_draw=accepts_draw,
    evaluate=evaluate_position,
    endings={
        "too_few_men": "A player is left with two men and has lost.",
        "no_legal_move": "A player can't move and has lost.",
        "repetition": "The same position came up for the third time: a draw.",
        "quiet_limit": "Too many turns went by without a placement or a removal: a draw.",
    },
    refusals=REFUSALS,
    lesson=LESSON,
    option_texts={
        "first": OptionTexts(
            title="Who begins", values={"seat0": "White", "roll": "The player who rolls the higher number"}
        ),
        "flying": OptionTexts(
            title="Who may fly with three men left",
            values={
                "both": "Both players, as soon as one has three",
                "reduced": "Only the player with three",
                "off": "Nobody",
            },
        ),
        "all_in_mills": OptionTexts(
            title="When all men are in mills",
            values={
                "none": "No man is captured",
                "three": "One is captured only if three are left",
                "any": "Any man may be captured",
            },
        ),
        "double_mill": OptionTexts(title="Two mills at once capture", values={"two": "Two men", "one": "One man"}),
        "repetition": OptionTexts(title="The same position three times is a draw"),
        "quiet_limit": OptionTexts(title="Turns without progress until a draw, 0 for no limit"),
    },
    translations={"de": GERMAN},
)
