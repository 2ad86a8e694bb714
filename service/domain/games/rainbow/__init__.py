"""Tic-Tac-Rainbow. Two-sided pegs. Three of one colour in a row win, no matter who owns them."""

from service.domain.game import Game, Measure
from service.domain.games.rainbow.board import GEOMETRIES, GEOMETRY
from service.domain.games.rainbow.bot import accepts_draw, choose, evaluate_position, threats
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
from service.domain.presentation import Lesson, OptionTexts, read_steps, read_text

GAME: Game[Options, Position, RainbowMove, RainbowEvent] = Game(
    slug="rainbow",
    title="Tic-Tac-Rainbow",
    tagline="Two-sided pegs. Three of one colour in a row win, no matter who owns them.",
    summary=(
        "In a turn, place a peg with either colour up, flip one of yours, or move one to an empty cell.",
        "Three cells of one colour in a row are a line, no matter whose pegs. White counts as every colour.",
        "The player who makes a line wins.",
    ),
    rules=read_text(__name__, "rules.md"),
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
    lesson=Lesson(options=Options(), steps=read_steps(__name__)),
    option_texts={
        "grid": OptionTexts(title="Lines", values={"square": "Square", "hex": "Hexagonal"}),
        "misere": OptionTexts(title="A player who makes a line loses"),
        "rest": OptionTexts(title="Own turns until a peg may be used again", values={"0": "None", "2": "2", "3": "3"}),
        "dice": OptionTexts(title="A die decides the colour to use"),
        "players": OptionTexts(title="Players", values={"2": "2", "3": "3"}),
        "repetition": OptionTexts(title="The same position three times is a draw"),
        "quiet_limit": OptionTexts(title="Turns without progress until a draw, 0 for no limit"),
    },
    translations=("de",),
)
