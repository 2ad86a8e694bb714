"""Turncoat. Select a square in secret: it turns on both boards."""

from service.domain.game import Game
from service.domain.games.turncoat import rules
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
from service.domain.presentation import Lesson, read_steps, read_texts

GAME: Game[Options, Position, TurncoatMove, TurncoatEvent] = Game(
    slug="turncoat",
    texts=read_texts(__name__),
    rules_version=1,
    options=Options,
    move=TurncoatMove,
    event=TurncoatEvent,
    geometry=GEOMETRY,
    seats=rules.seats,
    start=rules.start,
    setup=rules.setup,
    decide=rules.decide,
    follow=rules.follow,
    evolve=rules.evolve,
    to_move=rules.to_move,
    legal_moves=rules.legal_moves,
    outcome=rules.outcome,
    view=view,
    drop=rules.drop,
    moves_shown=moves_shown,
    notation=NOTATION,
    unrecorded=(Selected, Committed),
    measure=black_discs,
    choose=choose,
    bot_ratings={"easy": 1210, "casual": 1320, "medium": 1440, "skilled": 1560, "hard": 1670, "expert": 1800},
    accepts_draw=accepts_draw,
    quiet_rounds=lambda position: position.round - 1,
    evaluate=evaluate_position,
    simultaneous=True,
    telling_ms=6000,  # both selections, then four turns one after the other
    lesson=Lesson(options=Options(start="lesson"), steps=read_steps(__name__)),
    translations=("de",),
)
