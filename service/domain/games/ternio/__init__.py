"""Ternio. Reversi for three. Lines of one colour turn, mixed lines do not."""

from service.domain.boards.capture_game import REFUSALS, scores
from service.domain.game import Game, Measure
from service.domain.games.ternio.model import GEOMETRY, Options, Place, Position, TernioEvent, view
from service.domain.games.ternio.rules import BOT, NOTATION, RULES, evolve, setup
from service.domain.presentation import Lesson, OptionTexts, read_steps, read_text

GAME: Game[Options, Position, Place, TernioEvent] = Game(
    slug="ternio",
    title="Ternio",
    tagline="Reversi for three. Lines of one colour turn, mixed lines do not.",
    summary=(
        "Put a disc so that a line of one opponent's discs lies between two of yours: the line turns.",
        "A line that mixes both opponents' colours does not turn.",
        "When nobody can move, the player with the most discs wins.",
    ),
    rules=read_text(__name__, "rules.md"),
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
    lesson=Lesson(options=Options(start="even"), steps=read_steps(__name__)),
    option_texts={
        "start": OptionTexts(title="First nine discs", values={"even": "Even", "first": "First", "latin": "Latin"}),
    },
    translations=("de",),
)
