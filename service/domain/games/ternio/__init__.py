"""Ternio is Reversi for three: **red**, **green** and **blue** take turns in this order, and red begins.

## The start

The board has 9 by 9 squares, `a1` at the bottom left. Nine discs, three of each colour, lie on `d4` to `f6`. A room
may choose another layout of these nine.

## Your turn

Put one disc on an empty square from which you capture something. Look from there in all eight directions: an unbroken
row of discs of **one** opponent with a disc of yours right behind it turns to your colour. Discs of both opponents in
one row protect each other: nothing in that direction turns. All directions capture at the same time; one of them may
capture red discs and another one blue discs.

If you cannot capture anything, you are passed over automatically.

## The end

The match is over when no one can move, at the latest when the board is full. The player with the most discs wins;
players with equal numbers share a place.

If you leave the match, your discs stay and can still be captured, your turns are skipped, and you rank behind everyone
who stays. When only one player is left, that player has won.
"""

from service.domain.boards.capture_game import REFUSALS, scores
from service.domain.game import Game, Measure
from service.domain.games.ternio.german import GERMAN
from service.domain.games.ternio.lesson import LESSON
from service.domain.games.ternio.model import GEOMETRY, Options, Place, Position, TernioEvent, view
from service.domain.games.ternio.rules import BOT, NOTATION, RULES, evolve, setup
from service.domain.presentation import OptionTexts

GAME: Game[Options, Position, Place, TernioEvent] = Game(
    slug="ternio",
    title="Ternio",
    tagline="Reversi for three. Lines of one colour turn, mixed lines do not.",
    summary=(
        "Put a disc so that a line of one opponent's discs lies between two of yours: the line turns.",
        "A line that mixes both opponents' colours does not turn.",
        "When nobody can move, the player with the most discs wins.",
    ),
    rules=__doc__,
    rules_version=1,
    options=Options,
    move=Place,
    event=TernioEvent,
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
    measure=Measure(unit="discs", meaning="The discs of each seat on the board.", of=scores),
    choose=BOT.choose,
    bot_ratings={"easy": 890, "medium": 1700, "hard": 1900},
    accepts_draw=BOT.accepts_draw,
    evaluate=BOT.evaluate,
    endings={
        "most_discs": "Nobody can move: most discs win.",
    },
    refusals=REFUSALS,
    lesson=LESSON,
    option_texts={
        "start": OptionTexts(title="First nine discs", values={"even": "Even", "first": "First", "latin": "Latin"}),
    },
    translations={"de": GERMAN},
)
