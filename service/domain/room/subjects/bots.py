"""The bots of the house: how they come and go, when they are to move or to answer, and what they may know."""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple, get_args

from msgspec.structs import replace

from service.domain.catalog import GAMES, AnyGame
from service.domain.game import SECONDS, Event, Level, Rejected, Seat
from service.domain.redaction import hidden_fields, redact
from service.domain.room.evolve import fold
from service.domain.room.model import clock
from service.domain.room.model import commands as asked
from service.domain.room.model import events as happened
from service.domain.room.model.clock import Turn
from service.domain.room.model.events import Recorded
from service.domain.room.model.ids import Millis, PlayerId, Version
from service.domain.room.model.state import Match, Member, Room
from service.domain.room.names import names
from service.domain.room.subjects.guards import created_by, match_of
from service.domain.room.subjects.offers import answer, awaited
from service.domain.room.subjects.seats import free_seat
from service.domain.validation import fit

PATIENCE, SHORT_PATIENCE = 10.0, 1.0
"""Seconds beyond its time to think for which a bot's move is waited for: where no clock runs, and at least."""


def add_bot(room: Room, command: asked.AddBot, player: PlayerId) -> list[Event]:
    """Seat a bot."""
    created_by(room.table, player)
    seat = free_seat(room.table, command.seat)
    return list(seated_bot(room.table.game, room.table.members, seat, command.level))


def seated_bot(
    game: str, members: Mapping[PlayerId, Member], seat: Seat, level: Level
) -> tuple[happened.PlayerJoined, happened.SeatTaken]:
    """Return the coming of one more bot beside these members. Refuses `no_such_level`."""
    levels = GAMES[game].levels
    if level not in levels:
        raise Rejected("no_such_level", level=level, levels=levels)
    number = 1
    known = {names.skeleton(member.nickname) for member in members.values()}
    while (bot := bot_id(number)) in members or names.skeleton(bot_name(level, number)) in known:
        number += 1
    return happened.PlayerJoined(bot, bot_name(level, number), "player", level), happened.SeatTaken(seat, bot)


def bot_id(number: int) -> PlayerId:
    """Return a bot's id, which no player has: a player's begins otherwise."""
    return PlayerId(f"bot-{number}")


def bot_name(level: Level, number: int) -> str:
    """Return what a bot is called."""
    return f"Bot {number} ({level})"


def remove_bot(room: Room, command: asked.RemoveBot, player: PlayerId) -> list[Event]:
    """Send a bot away; a running match waits for whoever sits down next."""
    table = room.table
    created_by(table, player)
    if command.seat >= len(table.seats):
        raise Rejected("no_such_seat", seat=command.seat, seats=len(table.seats))
    bot = table.seats[command.seat]
    if bot is None or command.seat not in table.bots:
        raise Rejected("not_a_bot", seat=command.seat)
    return [happened.SeatLeft(command.seat, bot), happened.PlayerLeft(bot)]


class Awaited(NamedTuple):
    """A move that the house is to make, or a bot's answer to a draw offer."""

    seat: Seat
    level: Level
    at: Millis
    """When it is to be made."""
    version: Version
    """The latest event that it answers."""
    by: PlayerId | None
    """The bot; None where the house plays for a seat whose time ran out."""
    offer: int | None = None
    """The number of the draw offer to answer; None for a move."""


def awaited_moves(room: Room) -> list[Awaited]:
    """Return the moves that the house is to make, now or after the bots' pause; nobody's once the match is over.

    While a bot has a draw offer to answer no bot moves, as a move would end the offer.
    """
    match = room.match
    if match is None:
        return []
    moves: list[Awaited] = []
    answering = bool(awaited_answers(room))
    for number, turn in enumerate(match.clocks.turns):
        if turn is None:
            continue
        seat = Seat(number)
        level = room.table.bots.get(seat)
        if level is not None and not answering:
            at = Millis(turn.since + pause(match, seat, turn))
            moves.append(Awaited(seat, level, at, turn.version, room.table.seats[seat]))
        elif level is None and turn.ran_out and match.settings.on_timeout == "bot_move":
            moves.append(Awaited(seat, stand_in(match.game), room.time, turn.version, None))
    return moves


def awaited_answers(room: Room) -> list[Awaited]:
    """Return the answers to draw offers that bots are to give, all of them now."""
    table = room.table
    return [
        Awaited(seat, level, room.time, offer.made, table.seats[seat], offer.id)
        for offer in (table.offers if room.playing else ())
        for seat, level in table.bots.items()
        if table.seats[seat] in awaited(room, offer)
    ]


def humans_play(room: Room) -> bool:
    """Return whether a human holds a seat that is still in the running match."""
    match, table = room.playing, room.table
    if match is None:
        return False
    held = (holder for seat, holder in enumerate(table.seats) if seat not in match.dropped)
    return any(holder is not None and table.members[holder].bot is None for holder in held)


def stand_in(game: AnyGame) -> Level:
    """Return the level at which the house plays for a player."""
    return "medium" if "medium" in game.levels else game.levels[0]


def pause(match: Match, seat: Seat, turn: Turn) -> Millis:
    """Return how long a bot waits before a move: the room's pause, and no more than a quarter of the time it has."""
    wanted = match.settings.bot_pause
    if not match.clocks.clock.runs:
        return Millis(wanted)
    return min(Millis(wanted), Millis(clock.remaining(match.clocks, seat, turn.since) // 4))


def time_to_think(match: Match, wanted: Awaited, now: Millis) -> float:
    """Return how many seconds the house may think about a move: its level's, or a quarter of what the clock leaves."""
    seconds, turn = SECONDS[wanted.level], match.clocks.turns[wanted.seat]
    if turn is None or turn.ran_out or not match.clocks.clock.runs:
        return seconds
    return min(seconds, clock.remaining(match.clocks, wanted.seat, now) / 4000)


def patience_with(match: Match, wanted: Awaited, now: Millis) -> float:
    """Return for how many seconds beyond its time to think a move is waited for: less where its clock runs."""
    turn = match.clocks.turns[wanted.seat]
    if turn is None or turn.ran_out or not match.clocks.clock.runs:
        return PATIENCE
    return max(SHORT_PATIENCE, min(PATIENCE, clock.remaining(match.clocks, wanted.seat, now) / 4000))


def bots_turn(room: Room) -> Millis | None:
    """Return when the house is to make the next move, or a bot to answer a draw offer."""
    return min((wanted.at for wanted in (*awaited_answers(room), *awaited_moves(room))), default=None)


def play_for(room: Room, command: asked.PlayFor) -> list[Event]:
    """Make a move for the house; one that was thought of before something else happened is dropped."""
    match = match_of(room)
    moves = (move for move in awaited_moves(room) if move.seat == command.seat)
    if not any(move.version == command.version for move in moves):
        raise Rejected("nothing_due")
    move = fit(command.move, match.game.move, at="/move")
    return match.game.decide(match.state, command.seat, move)


def answer_for(room: Room, command: asked.AnswerFor) -> list[Event]:
    """Answer a draw offer for a bot. Refuses `nothing_due` once the answer is not waited for any more."""
    match_of(room)
    for wanted in awaited_answers(room):
        if wanted.by is not None and (wanted.seat, wanted.offer) == (command.seat, command.offer):
            return answer(room, asked.Answer(command.offer, command.accept), wanted.by)
    raise Rejected("nothing_due")


def has_secrets(game: AnyGame) -> bool:
    """Tell whether any event of a game hides something from anyone."""
    return any(hidden_fields(kind) for kind in get_args(game.event) or (game.event,))


def known(room: Room, match: Match, seat: Seat, history: Iterable[Recorded]) -> Any:
    """Return the game's state as a seat knows it: the fold of the match's events, redacted for that seat.

    Where no event hides anything that is the state itself, and `history` isn't looked at.
    """
    if not has_secrets(match.game):
        return match.state
    table = replace(room.table, matches=match.number - 1)
    before = Room(table, None, Version(match.first - 1), match.started)
    told = fold(before, (replace(recorded, event=redact(recorded.event, seat)) for recorded in history))
    assert told.match is not None  # noqa: S101 - the history begins with `MatchStarted`
    return told.match.state
