"""Triboard. Jump over whole rows to capture them, between walls."""

from service.domain.boards.capture_game import scores
from service.domain.game import Game
from service.domain.games.triboard.model import GEOMETRY, Options, Place, Position, TriboardEvent, view
from service.domain.games.triboard.rules import BOT, NOTATION, RULES, setup
from service.domain.presentation import Lesson, read_steps, read_texts

GAME: Game[Options, Position, Place, TriboardEvent] = Game(
    slug="triboard",
    texts=read_texts(__name__),
    rules_version=1,
    options=Options,
    move=Place,
    event=TriboardEvent,
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
    bot_ratings={"easy": 1110, "casual": 1240, "medium": 1440, "skilled": 1570, "hard": 1730, "expert": 1910},
    accepts_draw=BOT.accepts_draw,
    evaluate=BOT.evaluate,
    lesson=Lesson(options=Options(first="blue", start="lesson"), steps=read_steps(__name__)),
    translations=("de",),
)
