"""Turn your board all black before the other player does; each square that you choose is turned on both boards.

There are two players, red and yellow. Each has a board of 8 x 8 squares, `a1` at the bottom left, and tries to turn all
of its discs black. Discs are black on one side and white on the other; they are only turned, never added, removed or
moved.

## The layout

Both boards start with the same layout: two to six squares, drawn at random, show black, up to three are blank, and all
others show white. Only the layout of the lesson is always the same: most of its squares are black already.

## A round

1. Each player secretly selects a disc on their own board, and then commits. Until then you can change the selection as
   often as you like; a new selection after a commit withdraws the commit. The opponent sees whether you have selected
   and whether you have committed, but not what. Both players may select the same square.
2. Once both have committed, the selections are revealed and the round is resolved in four steps:
   - *first half*: on red's board the disc that red selected is turned, on yellow's board the one that yellow selected;
   - *second half*: on red's board the disc on **yellow's** square is turned, on yellow's board the one on **red's**. It
     is turned whichever colour it shows by then, so what was won in the first half may be lost again.

## Turning traps discs

A turned disc shows a new colour. Look from it in all eight directions: an unbroken row of discs of the other colour
with a disc of the new colour right behind it is trapped, and the row turns as well. A row that ends at a blank or at
the edge does not turn. All directions are evaluated at the same time, and trapped discs do not trap others. A disc does
not have to trap anything.

## The end

After each half, a player whose board shows no white has won; if neither board shows white, the match is a
draw. If this happens after the first half, the second half is not played.

Careful players can prevent each other from finishing for ever. Therefore the match ends after a limited number of
rounds, usually 60: as a draw, or with a win for the board with fewer white discs (a draw if the numbers are equal).
A player who drops out loses.

## What a room may choose

- Discs that can be selected: any disc of your own board, or only one that shows white. The disc that the opponent's
  selection turns may be black all the same.
- The number of rounds, or no limit.
- What happens after the last round: a draw, or a win for the board with fewer white discs.
"""

from service.domain.game import Game, Measure
from service.domain.games.turncoat.board import GEOMETRY
from service.domain.games.turncoat.bot import accepts_draw, choose, evaluate_position
from service.domain.games.turncoat.german import GERMAN
from service.domain.games.turncoat.lesson import LESSON
from service.domain.games.turncoat.model import (
    Committed,
    Options,
    Position,
    Selected,
    TurncoatEvent,
    TurncoatMove,
    black_discs,
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
from service.domain.presentation import OptionTexts

GAME: Game[Options, Position, TurncoatMove, TurncoatEvent] = Game(
    slug="turncoat",
    title="Turncoat",
    tagline="Select a square in secret: it turns on both boards.",
    summary=(
        "Both players select a disc of their own board in secret; each disc then turns on both boards.",
        "A disc that turns also turns the lines that it traps between itself and discs of its new colour.",
        "The first player whose board is all black wins.",
    ),
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
    measure=Measure(unit="black discs", meaning="The black discs on each seat's board.", of=black_discs),
    choose=choose,
    bot_ratings={"easy": 1120, "medium": 1540, "hard": 1840},
    accepts_draw=accepts_draw,
    evaluate=evaluate_position,
    simultaneous=True,
    telling_ms=6000,  # both selections, then four turns one after the other
    endings={
        "all_black": "All discs of a board are black: its owner has won.",
        "round_limit": "The match reached its round limit.",
    },
    refusals=REFUSALS,
    lesson=LESSON,
    option_texts={
        "selectable": OptionTexts(
            title="Discs that can be selected", values={"any": "Any", "white_only": "Only white ones"}
        ),
        "round_limit": OptionTexts(title="Rounds, 0 for no limit"),
        "at_limit": OptionTexts(
            title="After the last round",
            values={"draw": "The match is a draw", "fewest_white": "The player with fewer white discs wins"},
        ),
        "start": OptionTexts(title="Layout", values={"random": "Drawn at random", "lesson": "That of the lesson"}),
    },
    translations={"de": GERMAN},
)
