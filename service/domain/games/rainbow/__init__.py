"""Tic-Tac-Rainbow. Two-sided pegs. Three of one colour in a row win, no matter who owns them."""

from service.domain.game import Game
from service.domain.games.rainbow import rules
from service.domain.games.rainbow.board import GEOMETRIES, GEOMETRY
from service.domain.games.rainbow.bot import accepts_draw, choose, evaluate_position, threats
from service.domain.games.rainbow.model import Options, Position, RainbowEvent, RainbowMove, moves_shown, view
from service.domain.games.rainbow.notation import NOTATION
from service.domain.presentation import Lesson, read_steps, read_texts

GAME: Game[Options, Position, RainbowMove, RainbowEvent] = Game(
    slug="rainbow",
    texts=read_texts(__name__),
    rules_version=1,
    options=Options,
    move=RainbowMove,
    event=RainbowEvent,
    geometry=GEOMETRY,
    geometry_with=lambda options: GEOMETRIES[options.grid],
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
    choose=choose,
    bot_ratings={"easy": 1040, "casual": 1170, "medium": 1440, "skilled": 1600, "hard": 1810, "expert": 1940},
    accepts_draw=accepts_draw,
    quiet_rounds=lambda position: position.quiet // position.options.players,
    evaluate=evaluate_position,
    measure=threats,
    stake=True,
    lesson=Lesson(options=Options(), steps=read_steps(__name__)),
    translations=("de",),
)
