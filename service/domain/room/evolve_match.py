"""The fold of the match on the table."""

import msgspec
from msgspec.structs import replace

from service.domain.chance import DrawNumber
from service.domain.fit import fit
from service.domain.game import Dropped
from service.domain.room import clock
from service.domain.room import events as happened
from service.domain.room.clock import Moment
from service.domain.room.events import Recorded
from service.domain.room.state import Match, Room


def played(room: Room, recorded: Recorded) -> Match:
    """Return the match after an event of its game."""
    match, event = room.match, recorded.event
    assert match is not None  # noqa: S101 - games speak only during a match
    draw = getattr(event, "draw", None)
    state = room.game.evolve(match.state, event)
    answers = getattr(event, "seat", None) if room.game.simultaneous else None
    return replace(
        match,
        state=state,
        clocks=clock.moved(match.clocks, room.game.to_move(state), moment(recorded), answers),
        last=(*match.last, recorded) if is_same_command(match, recorded) else (recorded,),
        next_draw=match.next_draw if draw is None else DrawNumber(draw + 1),
        dropped=(*match.dropped, event.seat) if isinstance(event, Dropped) else match.dropped,
    )


def is_same_command(match: Match, recorded: Recorded) -> bool:
    """Tell whether this event follows from the command that made the match's latest ones."""
    return bool(match.last) and match.last[-1].command == recorded.command


def on_the_table(room: Room, recorded: Recorded) -> Match | None:
    """Return the match after an event of the house."""
    match recorded.event:
        case happened.MatchStarted() as event:
            return begun(room, recorded, event)
        case happened.MatchEnded(result=result) if room.match is not None:
            stopped = clock.moved(room.match.clocks, (), moment(recorded), None)
            return replace(room.match, clocks=stopped, result=result, ended=recorded.time)
        case happened.TimeRanOut(seat=seat) if room.match is not None:
            return replace(room.match, clocks=clock.ran_out(room.match.clocks, seat))
        case happened.ClocksExtended(by_seat=more) if room.match is not None:
            return replace(room.match, clocks=clock.extended(room.match.clocks, more, recorded.time))
    return room.match


def begun(room: Room, recorded: Recorded, event: happened.MatchStarted) -> Match:
    """Return the match that `MatchStarted` tells of, before anything lies on its board."""
    game, settings = room.game, room.table.settings
    options: msgspec.Struct = fit(event.options, game.options)
    state = game.start(options)
    clocks = clock.wound_up(settings.clock, len(event.seats), recorded.time)
    return Match(
        number=room.table.matches + 1,
        id=event.id,
        first=recorded.version,
        started=recorded.time,
        options=options,
        players=event.seats,
        settings=settings,
        state=state,
        clocks=clock.moved(clocks, game.to_move(state), moment(recorded), None),
        seed=bytes.fromhex(event.seed or ""),
        salts=event.salts,
    )


def moment(recorded: Recorded) -> Moment:
    """Return when an event happened, as the clocks look at it."""
    return Moment(recorded.version, recorded.time, recorded.command)
