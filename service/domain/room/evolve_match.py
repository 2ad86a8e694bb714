"""The fold of the match on the table."""

import msgspec
from msgspec.structs import replace

from service.domain.chance import DrawNumber, seed_hash
from service.domain.game import Dropped, Event, Passed, Seat
from service.domain.room.model import clock
from service.domain.room.model import events as happened
from service.domain.room.model.append_only import Trail
from service.domain.room.model.events import Recorded
from service.domain.room.model.ids import Version
from service.domain.room.model.state import Layout, Match, Room, Turn
from service.domain.validation import fit

QUIET = (Passed, Dropped)
"""Events that leave what was offered before them as good as it was; those of a game that no text tells do so, too."""


def played(room: Room, recorded: Recorded) -> Match:
    """Return the match after an event of its game."""
    match, event = room.match, recorded.event
    assert match is not None  # noqa: S101 - games speak only during a match
    game, last = match.game, match.last
    if type(event) is Dropped:
        match = replace(match, dropped={**match.dropped, event.seat: event.reason})
    if (draw := getattr(event, "draw", None)) is not None:
        match = replace(match, next_draw=DrawNumber(draw + 1))
    state = game.evolve(match.state, event)
    answers = getattr(event, "seat", None) if game.simultaneous else None
    acting, turns = turns_after(match, event, room.version)
    is_quiet = (kind := type(event)) in QUIET or kind in game.notation.unwritten
    return replace(
        match,
        state=state,
        acting=acting,
        events=match.events if game.simultaneous else match.events.grown(recorded),
        turns=turns,
        clocks=clock.moved(match.clocks, game.to_move(state), recorded, answers),
        last=(*last, recorded) if last and last[-1].command == recorded.command else (recorded,),
        moved=match.moved if is_quiet else recorded.version,
    )


def turns_after(match: Match, event: Event, before: Version) -> tuple[Seat | None, Trail[Turn]]:
    """Return whose turn the latest move then belongs to, and the turns that can be taken back."""
    game = match.game
    if game.simultaneous or type(event) is Dropped:
        return match.acting, match.turns
    plies = game.notation.plies(event)
    seat = plies[0][0] if plies else None
    if seat is None or match.acting == seat:
        return seat, match.turns
    turn = Turn(seat, before, match.state, match.clocks, match.dropped, match.acting, match.last, len(match.events))
    return seat, match.turns.grown(turn)


def returned(match: Match, recorded: Recorded, event: happened.TakenBack) -> Match:
    """Return the match as it stood before a turn; its clocks start anew, its draws go on."""
    index = next(index for index, turn in enumerate(match.turns) if turn.version == event.to_version)
    turn = match.turns[index]
    return replace(
        match,
        state=turn.state,
        dropped=turn.dropped,
        acting=turn.acting,
        last=turn.last,
        events=match.events.back(turn.before),
        turns=match.turns.back(index),
        moved=recorded.version,
        clocks=clock.begun_again(turn.clocks, recorded),
    )


def on_the_table(room: Room, recorded: Recorded) -> Match | None:
    """Return the match after an event of the house."""
    match recorded.event:
        case happened.MatchStarted() as event:
            return begun(room, recorded, event)
        case happened.MatchEnded(result=result) if room.match is not None:
            stopped = clock.moved(room.match.clocks, (), recorded, None)
            return replace(room.match, clocks=stopped, result=result, ended=recorded.time, moved=recorded.version)
        case happened.TakenBack() as event if room.match is not None:
            return returned(room.match, recorded, event)
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
        game=game,
        options=options,
        players=event.seats,
        settings=settings,
        state=state,
        clocks=clock.moved(clocks, game.to_move(state), recorded, None),
        seed=bytes.fromhex(event.seed or ""),
        salts=event.salts,
        rules_version=event.rules_version,
        next_seed_hash=seed_hash(bytes.fromhex(event.next_seed)) if event.next_seed else None,
        layout=layout_of(event),
        moved=recorded.version,
    )


def layout_of(event: happened.MatchStarted) -> Layout | None:
    """Return where a match's layout comes from, None for one that draws its own."""
    if event.layout_of is None:
        return None
    return Layout(event.layout_of, bytes.fromhex(event.layout_seed or ""), event.layout_salts)
