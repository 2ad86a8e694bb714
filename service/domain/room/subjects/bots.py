"""The service's bots: when they have to move or to answer, and at which level."""

from typing import NamedTuple

from service.domain.catalog import AnyGame
from service.domain.game import SECONDS, Event, Level, Rejected, Seat
from service.domain.ids import Millis, PlayerId, Version
from service.domain.room.model import clock, commands
from service.domain.room.model.clock import ClockTurn
from service.domain.room.model.state import Match, Room
from service.domain.room.subjects.offers import answer_offer, make_offer, new_offer, players_to_answer
from service.domain.room.subjects.seats import require_match
from service.domain.validation import convert

EASIER, HARDER = 0.6, 1.0
"""By how many seconds an easy move is made before the room's pause has passed, and a hard one after it.

With a pause below a second these are shares of it.
"""

MAX_OVERRUN, MIN_OVERRUN = 10.0, 1.0
"""How many seconds after a bot's time its move is still awaited: without a clock, and at least with one."""


LAST_TWO = 2
"""How many seats are left in a match when a bot may resign."""


class BotAction(NamedTuple):
    """A move that the service has to make, or a bot's answer to a draw offer."""

    seat: Seat
    level: Level
    at: Millis
    """When it is due."""
    version: Version
    """The latest event that it is a reaction to."""
    by: PlayerId | None
    """The bot; None if the service moves for a seat whose time ran out."""
    offer: int | None = None
    """The number of the draw offer to answer; None for a move."""


def bot_moves(room: Room) -> list[BotAction]:
    """Return the moves that the service has to make, now or after the bots' pause.

    As a move would close a draw offer, no bot moves while a bot still has to answer one.
    """
    match = room.match
    if match is None:
        return []
    moves: list[BotAction] = []
    answering = bool(bot_answers(room))
    for number, turn in enumerate(match.clocks.turns):
        if turn is None:
            continue
        seat = Seat(number)
        level = room.table.bots.get(seat)
        if level is not None and not answering:
            at = moves_at(room, match, seat, turn)
            moves.append(BotAction(seat, level, at, turn.version, room.table.seats[seat]))
        elif level is None and turn.ran_out and match.settings.on_timeout == "bot_move":
            moves.append(BotAction(seat, substitute_level(match.game), room.time, turn.version, None))
    return moves


def bot_answers(room: Room) -> list[BotAction]:
    """Return the answers to draw offers that bots have to give, all of them now."""
    table = room.table
    return [
        BotAction(seat, level, room.time, offer.made, table.seats[seat], offer.id)
        for offer in (table.offers if room.playing else ())
        for seat, level in table.bots.items()
        if table.seats[seat] in players_to_answer(room, offer)
    ]


def next_bot_action_time(room: Room) -> Millis | None:
    """Return when the service has to make the next move, or a bot has to answer; None if neither will happen."""
    return min((action.at for action in (*bot_answers(room), *bot_moves(room))), default=None)


def has_active_human(room: Room) -> bool:
    """Return whether a human holds a seat that is still in the running match."""
    match, table = room.playing, room.table
    if match is None:
        return False
    active = (holder for seat, holder in enumerate(table.seats) if seat not in match.dropped)
    return any(holder is not None and table.members[holder].bot is None for holder in active)


def only_bots_are_left(room: Room) -> bool:
    """Return whether people have played in the running match, and all of them have dropped out."""
    return bool(room.table.persons) and not has_active_human(room)


def substitute_level(game: AnyGame) -> Level:
    """Return the level of the bot that moves for a player."""
    return "medium" if "medium" in game.levels else game.levels[0]


def moves_at(room: Room, match: Match, seat: Seat, turn: ClockTurn, hard: float = 0.0) -> Millis:
    """Return when a bot moves whose choice is so hard, from 0 to 1, but after at most a quarter of its remaining time.

    It does not wait to commit what it has selected, and for nobody once only bots are left.
    """
    pause = match.settings.bot_pause
    if not pause or is_to_commit(match, turn) or only_bots_are_left(room):
        return turn.since
    pause += round(min(pause, 1000) * ((EASIER + HARDER) * hard - EASIER))
    if match.clocks.clock.runs:
        pause = min(pause, clock.time_left(match.clocks, seat, turn.since) // 4)
    return Millis(turn.since + pause)


def is_to_commit(match: Match, turn: ClockTurn) -> bool:
    """Return whether a seat has acted before in its turn of a simultaneous game."""
    return match.game.simultaneous and turn.since > turn.began


def time_to_think(match: Match, action: BotAction, now: Millis) -> float:
    """Return how many seconds a bot may compute a move: its level's time, but at most a quarter of what is left."""
    seconds, turn = SECONDS[action.level], match.clocks.turns[action.seat]
    if turn is not None and is_to_commit(match, turn):
        return 0.0
    if turn is None or turn.ran_out or not match.clocks.clock.runs:
        return seconds
    return min(seconds, clock.time_left(match.clocks, action.seat, now) / 4000)


def allowed_overrun(match: Match, action: BotAction, now: Millis) -> float:
    """Return how many seconds after a bot's time its move is still awaited: fewer if its clock is running."""
    turn = match.clocks.turns[action.seat]
    if turn is None or turn.ran_out or not match.clocks.clock.runs:
        return MAX_OVERRUN
    return max(MIN_OVERRUN, min(MAX_OVERRUN, clock.time_left(match.clocks, action.seat, now) / 4000))


def play_for(room: Room, command: commands.PlayFor) -> list[Event]:
    """Make a move on behalf of a seat. Rejects with `nothing_due` a move that is not awaited or out of date."""
    match = require_match(room)
    actions = (action for action in bot_moves(room) if action.seat == command.seat)
    if not any(action.version == command.version for action in actions):
        raise Rejected("nothing_due")
    if command.move is None:
        return match.game.drop(match.state, command.seat, "resigned")
    move = convert(command.move, match.game.move, at="/move")
    return match.game.decide(match.state, command.seat, move)


def may_resign(room: Room, level: Level) -> bool:
    """Return whether a bot may resign: above level `easy`, if the settings allow it, and only to the last opponent.

    In a match of three it would decide between the two others.
    """
    match = require_match(room)
    wanted = level != "easy" and match.settings.bots_resign is not False
    return wanted and len(match.players) - len(match.dropped) == LAST_TWO and has_active_human(room)


def offer_for(room: Room, command: commands.OfferFor) -> list[Event]:
    """Offer a draw on behalf of a bot. Rejects with `nothing_due` if it is to move, or if nobody can answer."""
    match, table = require_match(room), room.table
    bot = table.seats[command.seat]
    if command.seat not in table.bots or bot is None or command.seat in match.to_move or not has_active_human(room):
        raise Rejected("nothing_due")
    return make_offer(room, new_offer(room, "draw", bot))


def answer_for(room: Room, command: commands.AnswerFor) -> list[Event]:
    """Answer a draw offer on behalf of a bot. Rejects with `nothing_due` an answer that is not awaited."""
    require_match(room)
    for action in bot_answers(room):
        if action.by is not None and (action.seat, action.offer) == (command.seat, command.offer):
            return answer_offer(room, commands.Answer(command.offer, command.accept), action.by)
    raise Rejected("nothing_due")
