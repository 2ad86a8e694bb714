"""Turncoat. Select a square in secret: it turns on both boards."""

from service.domain.game import Game, Measure
from service.domain.games.turncoat.board import GEOMETRY
from service.domain.games.turncoat.bot import accepts_draw, choose, evaluate_position
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
from service.domain.presentation import Lesson, OptionTexts, read_steps, read_text

GAME: Game[Options, Position, TurncoatMove, TurncoatEvent] = Game(
    slug="turncoat",
    title="Turncoat",
    tagline="Select a square in secret: it turns on both boards.",
    summary=(
        "Both players select a disc of their own board in secret; each disc then turns on both boards.",
        "A disc that turns also turns the lines that it traps between itself and discs of its new colour.",
        "The first player whose board is all black wins.",
    ),
    rules=read_text(__name__, "rules.md"),
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
    lesson=Lesson(options=Options(start="lesson"), steps=read_steps(__name__)),
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
    translations=("de",),
)
