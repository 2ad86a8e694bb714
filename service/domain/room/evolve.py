"""The fold of a room and of its match: copies what the events say, and never checks them.

The same fold gives what a seat knows of the position: the state that bots and hints work with.
"""

from collections.abc import Iterable, Iterator
from functools import reduce
from typing import Any, get_args

import msgspec
from msgspec.structs import replace

from service.domain.catalog import GAMES, AnyGame
from service.domain.chance import seed_hash
from service.domain.game import Dropped, Event, Passed, Seat, SeatEvent, hidden_fields, next_draw, redact
from service.domain.ids import PlayerId, RoomKey, Version
from service.domain.room.evolve_table import apply_to_table
from service.domain.room.model import clock, events
from service.domain.room.model.events import Recorded, RoomEvent, RoomOpened
from service.domain.room.model.state import (
    MOVED,
    BotOpponents,
    Layout,
    Match,
    Room,
    SeatedAs,
    SharedPrefixList,
    Table,
    TurnSnapshot,
)
from service.domain.validation import convert

KEEPS_OFFERS = (Passed, Dropped)
"""Events after which open offers are still about the same position; so are the game's unrecorded events."""


def apply_game_event(room: Room, recorded: Recorded) -> Match:
    """Return the match after an event of its game."""
    match, event = room.match, recorded.event
    assert match is not None  # noqa: S101 - events of games happen only during a match
    game, last = match.game, match.last
    if type(event) is Dropped:
        match = replace(match, dropped={**match.dropped, event.seat: event.reason})
    state = game.evolve(match.state, event)
    to_move = game.to_move(state)
    answers = event.seat if game.simultaneous and isinstance(event, SeatEvent) else None
    acting, turns = turns_after(match, event, room.version)
    keeps_offers = (kind := type(event)) in KEEPS_OFFERS or kind in game.unrecorded
    return replace(
        match,
        state=state,
        to_move=to_move,
        next_draw=next_draw(event, match.next_draw),
        revealed=revealed_after(match, event) if game.simultaneous else match.revealed,
        acting=acting,
        events=match.events if game.simultaneous else match.events.append(recorded),
        turns=turns,
        clocks=clock.advance(match.clocks, to_move, recorded, answers),
        last=(*last, recorded) if last and last[-1].command == recorded.command else (recorded,),
        moved=match.moved if keeps_offers else recorded.version,
    )


def turns_after(match: Match, event: Event, before: Version) -> tuple[Seat | None, SharedPrefixList[TurnSnapshot]]:
    """Return whose turn the event's move belongs to, and the turns that can be taken back after it."""
    game = match.game
    if game.simultaneous or type(event) is Dropped:
        return match.acting, match.turns
    shown = game.moves_shown(event)
    seat = shown[0][0] if shown else None
    if seat is None or match.acting == seat:
        return seat, match.turns
    turn = TurnSnapshot(
        seat, before, match.state, match.clocks, match.dropped, match.acting, match.last, len(match.events)
    )
    return seat, match.turns.append(turn)


def revealed_after(match: Match, event: Event) -> tuple[Seat, ...]:
    """Return the seats of a simultaneous game of which a move was revealed."""
    shown = [seat for seat, _ in match.game.moves_shown(event)]
    return match.revealed if set(shown) <= set(match.revealed) else tuple(dict.fromkeys((*match.revealed, *shown)))


def take_back(match: Match, recorded: Recorded, event: events.TakenBack) -> Match:
    """Return the match as it was before a turn. The clocks of that position restart; draw numbers are not reused."""
    index = next(index for index, turn in enumerate(match.turns) if turn.version == event.to_version)
    turn = match.turns[index]
    return replace(
        match,
        state=turn.state,
        to_move=match.game.to_move(turn.state),
        dropped=turn.dropped,
        takebacks=match.takebacks + 1,
        bots=match.bots and replace(match.bots, moved=tuple(sorted(match.moved_seats))),
        acting=turn.acting,
        last=turn.last,
        events=match.events.truncate(turn.before),
        turns=match.turns.truncate(index),
        moved=recorded.version,
        clocks=clock.restart_turns(turn.clocks, recorded),
    )


def change_seat(match: Match, table: Table, event: events.SeatLeft | events.SeatTaken, by: PlayerId | None) -> Match:
    """Return the match after a seat was left or taken while it is played."""
    bots = match.bots
    if event.player not in match.sat:
        match = replace(match, sat={**match.sat, **seated_as(table, [event.player])})
    if bots is None or len(match.moved_seats) < MOVED:
        return match
    is_bot, player = bots.levels[event.seat] is not None, match.players[event.seat]
    if isinstance(event, events.SeatLeft):
        gives_up = is_bot and by in match.players
    else:
        gives_up = not is_bot and event.player != player
    return replace(match, bots=replace(bots, given_up=True)) if gives_up else match


def apply_room_event_to_match(room: Room, recorded: Recorded) -> Match | None:  # noqa: PLR0911 - one arm per event
    """Return the match after an event of the room."""
    match recorded.event:
        case events.MatchStarted() as event:
            return start_match(room, recorded, event)
        case events.MatchEnded(result=result) if room.match is not None:
            stopped = clock.advance(room.match.clocks, (), recorded, None)
            return replace(room.match, clocks=stopped, result=result, ended=recorded.time, moved=recorded.version)
        case events.TakenBack() as event if room.match is not None:
            return take_back(room.match, recorded, event)
        case (events.SeatLeft() | events.SeatTaken()) as event if room.playing is not None:
            return change_seat(room.playing, room.table, event, recorded.by)
        case events.TimeRanOut(seat=seat) if room.match is not None:
            return replace(room.match, clocks=clock.mark_run_out(room.match.clocks, seat))
        case events.ClocksExtended(by_seat=more) if room.match is not None:
            return replace(room.match, clocks=clock.extend(room.match.clocks, more, recorded.time))
    return room.match


def start_match(room: Room, recorded: Recorded, event: events.MatchStarted) -> Match:
    """Return the match after its `MatchStarted`, before its setup.

    A match from a position has the events that led there, so that its state is the fold of its events, as in any other.
    """
    game, settings = room.game, room.table.settings
    options: msgspec.Struct = convert(event.options, game.options)
    number, copied = room.table.matches + 1, event.position.events_of(game) if event.position else []
    earlier = [Recorded(recorded.version, recorded.time, recorded.command, number, None, each) for each in copied]
    state = reduce(game.evolve, copied, game.start(options))
    to_move = game.to_move(state)
    clocks = clock.new_clocks(settings.clock, len(event.seats), recorded.time)
    return Match(
        number=number,
        id=event.id,
        first=recorded.version,
        started=recorded.time,
        game=game,
        options=options,
        players=event.seats,
        settings=settings,
        state=state,
        to_move=to_move,
        clocks=clock.advance(clocks, to_move, recorded, None),
        seed=bytes.fromhex(event.seed or ""),
        salts=event.salts,
        rules_version=event.rules_version,
        next_seed_hash=seed_hash(bytes.fromhex(event.next_seed)) if event.next_seed else None,
        layout=layout_of(event),
        dropped={each.seat: each.reason for each in copied if isinstance(each, Dropped)},
        events=SharedPrefixList() if game.simultaneous else SharedPrefixList(earlier, len(earlier)),
        bots=bots_of(room.table, event.seats),
        sat=seated_as(room.table, event.seats),
        moved=recorded.version,
    )


def seated_as(table: Table, players: Iterable[PlayerId | None]) -> dict[PlayerId, SeatedAs]:
    """Return some members of the room as they sit in a match."""
    members = {player: table.members[player] for player in players if player in table.members}
    return {
        player: SeatedAs("" if member.name_ref else member.nickname, member.name_ref or None, member.program)
        for player, member in members.items()
    }


def bots_of(table: Table, seats: tuple[PlayerId | None, ...]) -> BotOpponents | None:
    """Return the bots of the service that hold these seats; None if there are none."""
    members = table.members
    levels = tuple(members[holder].bot if holder in members else None for holder in seats)
    return BotOpponents(levels) if any(levels) else None


def layout_of(event: events.MatchStarted) -> Layout | None:
    """Return where the layout of a match comes from that repeats it or begins at a position; None if it is its own."""
    if event.position:
        return Layout(event.position.match, b"", ())
    if event.layout_of is None:
        return None
    return Layout(event.layout_of, bytes.fromhex(event.layout_seed or ""), event.layout_salts)


def evolve(room: Room | None, recorded: Recorded) -> Room:
    """Return the room after an event; None is the room before it was opened."""
    event = recorded.event
    if room is None:
        return open_room(recorded)
    if not isinstance(event, RoomEvent):
        return Room(room.table, apply_game_event(room, recorded), recorded.version, recorded.time)
    table = apply_to_table(room.table, event, recorded)  # type: ignore[arg-type]  # the codec decodes no other subclass
    if recorded.by in table.members and not table.members[recorded.by].bot:
        table = replace(table, heard=recorded.time)
    return Room(table, apply_room_event_to_match(room, recorded), recorded.version, recorded.time)


def open_room(recorded: Recorded) -> Room:
    """Return the room after its `RoomOpened`."""
    event = recorded.event
    assert isinstance(event, RoomOpened)  # noqa: S101 - the first event of every stream, as the codec checks
    game = GAMES[event.game]
    table = Table(
        key=RoomKey(event.name, event.epoch),
        title=event.title,
        game=event.game,
        options=event.options,
        settings=event.settings,
        lock=event.lock or None,
        opened=recorded.time,
        creator=recorded.by or PlayerId(""),
        status="open",
        members={},
        seats=(None,) * len(game.seats(convert(event.options, game.options))),
        next_seed=bytes.fromhex(event.next_seed) if event.next_seed else None,
        tournament=event.tournament or None,
    )
    return Room(table, None, recorded.version, recorded.time)


def fold(room: Room, history: Iterable[Recorded]) -> Room:
    """Return the room after these events."""
    for recorded in history:
        room = evolve(room, recorded)
    return room


def has_secrets(game: AnyGame) -> bool:
    """Return whether any event of a game has a field that is hidden from somebody."""
    return any(hidden_fields(kind) for kind in get_args(game.event) or (game.event,))


def known_states(room: Room, match: Match, seat: Seat, history: Iterable[Recorded]) -> Iterator[Any]:
    """Yield the game's state as a seat knows it, and then those at the beginning of its earlier turns, latest first.

    What it knows is the fold of the match's events, redacted for that seat. If the events of the game hide nothing,
    that is the state itself, and `history` is not read.
    """
    if not has_secrets(match.game):
        yield match.state
        yield from (turn.state for turn in reversed(match.turns) if turn.seat == seat)
        return
    table = replace(room.table, matches=match.number - 1)
    known = Room(table, None, Version(match.first - 1), match.started)
    began: list[Any] = []
    for recorded in history:
        known = evolve(known, replace(recorded, event=redact(recorded.event, seat)))
        if known.match and seat in known.match.to_move and not isinstance(recorded.event, RoomEvent | SeatEvent):
            began.append(known.match.state)
    assert known.match is not None  # noqa: S101 - the history begins with `MatchStarted`
    yield known.match.state
    yield from reversed(began[:-1])
