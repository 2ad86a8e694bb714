"""Nine Men's Morris. Three in a row captures a man. Older than chess."""

from service.domain.game import Game, Measure
from service.domain.games.morris.board import GEOMETRY
from service.domain.games.morris.bot import accepts_draw, choose, evaluate_position
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
from service.domain.presentation import Lesson, OptionTexts, read_steps, read_text

GAME: Game[Options, Position, MorrisMove, MorrisEvent] = Game(
    slug="morris",
    title="Nine Men's Morris",
    tagline="Three in a row captures a man. Older than chess.",
    summary=(
        "First place your nine men in turn, then move them along the lines to the next point.",
        "Three of your men on a line are a mill: it removes one of the opponent's men.",
        "A player with fewer than three men, or without a move, has lost.",
    ),
    rules=read_text(__name__, "rules.md"),
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
    lesson=Lesson(options=Options(flying="off"), steps=read_steps(__name__)),
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
    translations=("de",),
)
