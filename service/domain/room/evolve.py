"""The room's fold: copies what happened, never judges."""

import hashlib
from collections.abc import Iterable
from typing import assert_never

import msgspec
from msgspec.structs import replace

from service.domain.catalog import GAMES
from service.domain.chance import DrawNumber
from service.domain.fit import fit
from service.domain.game import Dropped
from service.domain.room import events as happened
from service.domain.room.events import AnyRoomEvent, Recorded, RoomEvent
from service.domain.room.state import Match, Member, Room, Table, all_seated
from service.domain.room.values import PlayerId, RoomKey


def evolve(room: Room | None, recorded: Recorded) -> Room:
    """Return the room after an event; None is the room before it was opened."""
    event = recorded.event
    if room is None:
        return opened(recorded)
    if not isinstance(event, RoomEvent):
        match = played(room, recorded)
        return Room(room.table, match, recorded.version, recorded.time)
    table = around_the_table(room.table, event)  # type: ignore[arg-type]  # the codec decodes no other subclass
    return Room(table, on_the_table(room, recorded), recorded.version, recorded.time)


def opened(recorded: Recorded) -> Room:
    """Return the room that `RoomOpened` tells of."""
    event = recorded.event
    assert isinstance(event, happened.RoomOpened)  # noqa: S101 - a stream's first event, by the codec
    game = GAMES[event.game]
    table = Table(
        key=RoomKey(event.name, event.epoch),
        title=event.title,
        game=event.game,
        options=event.options,
        settings=event.settings,
        opened=recorded.time,
        creator=recorded.by or PlayerId(""),
        status="open",
        members={},
        seats=(None,) * len(game.seats(fit(event.options, game.options))),
    )
    return Room(table, None, recorded.version, recorded.time)


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


def seed_hash(seed: bytes) -> str:
    """Return the promise of a seed that `MatchStarted` publishes."""
    return hashlib.sha256(seed).hexdigest()


def around_the_table(table: Table, event: AnyRoomEvent) -> Table:  # noqa: C901, PLR0911, PLR0912 - one arm an event
    """Return the table after an event of the house."""
    match event:
        case happened.PlayerJoined(player=player, nickname=nickname, role=role):
            return replace(table, members={**table.members, player: Member(nickname, role)})
        case happened.PlayerLeft(player=player):
            return replace(table, members={who: each for who, each in table.members.items() if who != player})
        case happened.CreatorChanged(player=player):
            return replace(table, creator=player)
        case happened.SeatTaken(seat=seat, player=player):
            return seated(with_member(table, player, role="player"), with_seat(table, seat, player))
        case happened.SeatLeft(seat=seat, player=player):
            return seated(with_member(table, player, ready=False), with_seat(table, seat, None))
        case happened.SeatsAssigned(seats=seats):
            return seated(with_unseated_unready(table, seats), seats)
        case happened.PlayerReadied(player=player, salt=salt):
            return with_member(table, player, ready=True, salt=salt or "")
        case happened.PlayerUnreadied(player=player):
            return with_member(table, player, ready=False)
        case happened.StartCalled():
            return replace(table, start_called=True)
        case happened.MatchStarted():
            return everyone(replace(table, status="playing", start_called=False, matches=table.matches + 1), ready=True)
        case happened.MatchEnded():
            goes_on = table.settings.restart is not None
            ended = table if goes_on else everyone(table, ready=False)
            return replace(ended, status="finished" if all_seated(table) else "open")
        case happened.RoomClosed():
            return replace(table, status="closed")
        case happened.RoomOpened():
            return table
        case _:
            assert_never(event)


def with_seat(table: Table, seat: int, holder: PlayerId | None) -> tuple[PlayerId | None, ...]:
    """Return the seats with another holder of one of them."""
    return (*table.seats[:seat], holder, *table.seats[seat + 1 :])


def with_member(table: Table, player: PlayerId, **changes: object) -> Table:
    """Return the table with one member changed; a player who has gone stays gone."""
    member = table.members.get(player)
    if member is None:
        return table
    return replace(table, members={**table.members, player: replace(member, **changes)})


def with_unseated_unready(table: Table, seats: tuple[PlayerId | None, ...]) -> Table:
    """Return the table with nobody ready who has no seat among these."""
    members = {
        player: member if player in seats else replace(member, ready=False) for player, member in table.members.items()
    }
    return replace(table, members=members)


def everyone(table: Table, *, ready: bool) -> Table:
    """Return the table with every seated player ready or not; a salt serves one match."""
    seated_players = set(table.seats)
    members = {
        player: replace(member, ready=ready, salt="") if player in seated_players else member
        for player, member in table.members.items()
    }
    return replace(table, members=members)


def seated(table: Table, seats: tuple[PlayerId | None, ...]) -> Table:
    """Return the table with these holders; an empty seat after a match opens the room again."""
    opens = table.status == "finished" and None in seats
    return replace(table, seats=seats, status="open" if opens else table.status)


def fold(room: Room, history: Iterable[Recorded]) -> Room:
    """Return the room after a run of events."""
    for recorded in history:
        room = evolve(room, recorded)
    return room
