"""The fold of the match on the table."""

import msgspec
from msgspec.structs import replace

from service.domain.chance import DrawNumber
from service.domain.fit import fit
from service.domain.game import Dropped
from service.domain.room import events as happened
from service.domain.room.events import Recorded
from service.domain.room.state import Match, Room


def played(room: Room, recorded: Recorded) -> Match:
    """Return the match after an event of its game."""
    match, event = room.match, recorded.event
    assert match is not None  # noqa: S101 - games speak only during a match
    draw = getattr(event, "draw", None)
    return replace(
        match,
        state=room.game.evolve(match.state, event),
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
            return replace(room.match, result=result, ended=recorded.time)
    return room.match


def begun(room: Room, recorded: Recorded, event: happened.MatchStarted) -> Match:
    """Return the match that `MatchStarted` tells of, before anything lies on its board."""
    options: msgspec.Struct = fit(event.options, room.game.options)
    return Match(
        number=room.table.matches + 1,
        id=event.id,
        first=recorded.version,
        started=recorded.time,
        options=options,
        players=event.seats,
        state=room.game.start(options),
        seed=bytes.fromhex(event.seed or ""),
        salts=event.salts,
    )
