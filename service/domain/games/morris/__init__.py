"""Nine Men's Morris. Three in a row captures a man. Older than chess."""

from service.domain.game import Game
from service.domain.games.morris import model, rules
from service.domain.games.morris.board import GEOMETRY
from service.domain.games.morris.bot import accepts_draw, choose, evaluate_position
from service.domain.games.morris.model import MorrisEvent, MorrisMove, Options, Position, men_left, moves_shown, view
from service.domain.games.morris.notation import NOTATION
from service.domain.presentation import Lesson, read_steps, read_texts

GAME: Game[Options, Position, MorrisMove, MorrisEvent] = Game(
    slug="morris",
    texts=read_texts(__name__),
    rules_version=1,
    options=Options,
    move=MorrisMove,
    event=MorrisEvent,
    geometry=GEOMETRY,
    seats=rules.seats,
    start=rules.start,
    setup=rules.setup,
    decide=rules.decide,
    evolve=rules.evolve,
    to_move=rules.to_move,
    legal_moves=rules.legal_moves,
    outcome=rules.outcome,
    view=view,
    view_changes=model.view_changes,
    drop=rules.drop,
    moves_shown=moves_shown,
    notation=NOTATION,
    measure=men_left,
    choose=choose,
    bot_ratings={"easy": 670, "casual": 960, "medium": 1250, "skilled": 1680, "hard": 2020, "expert": 2430},
    accepts_draw=accepts_draw,
    quiet_rounds=lambda position: position.quiet // 2,
    evaluate=evaluate_position,
    lesson=Lesson(options=Options(flying="off"), steps=read_steps(__name__)),
    translations=("de",),
)
