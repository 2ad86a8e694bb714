"""Ternio. Reversi for three. Lines of one colour turn, mixed lines do not."""

from service.domain.boards.capture_game import scores
from service.domain.game import Game
from service.domain.games.ternio.model import GEOMETRY, Options, Place, Position, TernioEvent, view
from service.domain.games.ternio.rules import BOT, NOTATION, RULES, setup
from service.domain.presentation import Lesson, read_steps, read_texts

GAME: Game[Options, Position, Place, TernioEvent] = Game(
    slug="ternio",
    texts=read_texts(__name__),
    rules_version=1,
    options=Options,
    move=Place,
    event=TernioEvent,
    geometry=GEOMETRY,
    seats=RULES.seats,
    start=RULES.start,
    setup=setup,
    decide=RULES.decide,
    evolve=RULES.evolve,
    to_move=RULES.to_move,
    legal_moves=RULES.legal_moves,
    outcome=RULES.outcome,
    view=view,
    drop=RULES.drop,
    moves_shown=RULES.moves_shown,
    notation=NOTATION,
    scores=scores,
    measure=scores,
    choose=BOT.choose,
    bot_ratings={"easy": 1130, "casual": 1260, "medium": 1420, "skilled": 1610, "hard": 1730, "expert": 1860},
    accepts_draw=BOT.accepts_draw,
    evaluate=BOT.evaluate,
    lesson=Lesson(options=Options(start="even"), steps=read_steps(__name__)),
    translations=("de",),
)
