"""Moves, resignations, and how matches start and follow each other."""

from collections.abc import Sequence

import msgspec
from msgspec.structs import replace

from service.domain.catalog import GAMES, AnyGame
from service.domain.chance import Chance, DrawNumber, match_seed, seed_hash
from service.domain.game import Event, Rejected, Seat, redact
from service.domain.ids import DAY, Millis, PlayerId, Version
from service.domain.room.model import commands, events
from service.domain.room.model.clock import Days
from service.domain.room.model.commands import CommandContext
from service.domain.room.model.events import Recorded, Result
from service.domain.room.model.settings import CopiedPosition, first_state
from service.domain.room.model.state import Layout, Match, Member, Room, Table, all_seated, bots_only
from service.domain.room.subjects.configuration import planned_configuration
from service.domain.room.subjects.offers import settle_offers
from service.domain.room.subjects.outcomes import end_match
from service.domain.room.subjects.seats import require_creator, require_match, resolve_seat
from service.domain.room.subjects.timeouts import clock_followups, require_time_left
from service.domain.validation import convert, known_move


def play(room: Room, command: commands.Play, player: PlayerId, now: Millis) -> list[Event]:
    """Make a move by the rules of the game. What is no move of the game is refused as such without a match, too."""
    match = room.playing
    move = known_move(room.table.game, (match or room).game.move, command.move)
    if match is None:
        raise Rejected("not_playing")
    seat = resolve_seat(room, player, command.seat)
    if match.clocks.clock.runs:
        require_time_left(room, match, seat, now)
    return match.game.decide(match.state, seat, move)


def resign(room: Room, command: commands.Resign, player: PlayerId) -> list[Event]:
    """Drop one of the player's seats out of the match."""
    match = require_match(room)
    seat = resolve_seat(room, player, command.seat)
    if seat in match.dropped:
        raise Rejected("already_dropped", seat=seat)
    return match.game.drop(match.state, seat, "resigned")


def game_followups(match: Match) -> list[Event]:
    """Return what follows while no seat is to move: the end of the match, or draws of chance and reveals."""
    outcome = match.game.outcome(match.state)
    if outcome is not None:
        return [end_match(match, Result.of(outcome))]
    return match.game.follow(match.state, Chance(match.seed, match.salts, match.next_draw))


BOTS_ONLY_LIMIT = Millis(DAY)
"""For how long after a player's latest command matches among bots follow each other."""


def ready(table: Table, command: commands.Ready, player: PlayerId, member: Member) -> list[Event]:
    """Record that a seated player is ready, or replace their salt for the next match.

    During a match, no salt is accepted, because the hash of the next match's seed is published when it ends.
    """
    if not table.seats_of[player]:
        raise Rejected("not_seated")
    if command.salt is not None and table.status == "playing":
        raise Rejected("salt_too_early")
    if member.ready and command.salt in {None, member.salt}:
        raise Rejected("already_ready")
    return [events.PlayerReadied(player, command.salt)]


def unready(player: PlayerId, member: Member) -> list[Event]:
    """Record that a player is no longer ready."""
    if not member.ready:
        raise Rejected("not_ready")
    return [events.PlayerUnreadied(player)]


def veto_next(table: Table, player: PlayerId, member: Member) -> list[Event]:
    """Keep the next match from starting automatically."""
    if not table.seats_of[player]:
        raise Rejected("not_seated")
    if table.status not in {"playing", "finished"} or not member.ready:
        raise Rejected("nothing_to_veto")
    return [events.NextVetoed(player)]


def start(room: Room, player: PlayerId) -> list[Event]:
    """Start the next match on the creator's command, in a room whose settings leave it to the creator."""
    require_creator(room.table, player)
    if room.playing:
        raise Rejected("match_running")
    if room.table.settings.start != "creator" and not bots_only(room.table):
        raise Rejected("starts_by_itself", start=room.table.settings.start)
    if not all_seated(room.table):
        raise Rejected("seats_empty")
    return [events.StartCalled()]


def followups(room: Room, context: CommandContext) -> list[Event]:
    """Return what happens next without a command: draws of chance, reveals, timeouts, the next match; or nothing.

    The processor repeats this after every command until it returns nothing. A dry run never shows what it returns.
    """
    if (match := room.playing) is not None:
        if not match.to_move and (more := game_followups(match)):
            return more
        if match.clocks.clock.runs and (more := clock_followups(room, match, context)):
            return more
        return settle_offers(room)
    if more := end_readiness(room) or settle_offers(room) or planned_configuration(room):
        return more
    return start_match(room, context) if starts_now(room, context) else []


def end_readiness(room: Room) -> list[Event]:
    """Return, right after the end of a match, which players have to be ready again for the next one.

    After a rated match these are all, because they agree on each one; after others, those who may have gone.
    """
    match, table = room.match, room.table
    if match is None or match.result is None or room.version != match.moved:
        return []
    seats = range(len(table.seats)) if table.settings.rated else lost_in_absence(match, match.result)
    asked = {table.seats[seat] for seat in seats}
    people = [player for player, member in table.members.items() if member.ready and member.bot is None]
    return [events.PlayerUnreadied(player) for player in people if player in asked]


def lost_in_absence(match: Match, result: events.Result) -> list[Seat]:
    """Return the seats that forfeited a match, or whose time ran out before they had moved."""
    drew_late = result.winners if result.reason == "timed_out" and len(result.winners) > 1 else ()
    late = {*drew_late, *(seat for seat, reason in match.dropped.items() if reason == "timed_out")}
    forfeited = {seat for seat, reason in match.dropped.items() if reason == "forfeited"}
    return sorted(forfeited | (late - match.moved_seats))


def starts_now(room: Room, context: CommandContext) -> bool:
    """Return whether the next match starts now."""
    table = room.table
    if table.status in {"playing", "closed"} or not all_seated(table) or has_been_played(table):
        return False
    if table.start_called:
        return True
    if table.matches:
        time = restart_at(room)
        return time is not None and context.now >= time and (context.all_present or not needs_presence(table))
    return table.settings.start != "creator" and not waiting_for(table)


def restart_at(room: Room) -> Millis | None:
    """Return when the next match starts automatically; None if it does not, or waits for somebody.

    It is computed each time and not stored, so a new release can change the times for rooms that are waiting.
    """
    match, table = room.match, room.table
    if match is None or match.ended is None or table.status not in {"open", "finished"} or has_been_played(table):
        return None
    if waiting_for(table):
        return None
    restart = table.settings.restart if table.status == "finished" else None
    if restart is None and table.settings.start == "creator":
        return None
    if bots_only(table) and match.ended >= table.heard + BOTS_ONLY_LIMIT:
        return None
    return match.ended if restart is None else Millis(match.ended + match.game.telling_ms + restart)


def waiting_for(table: Table) -> tuple[Seat, ...]:
    """Return the seats for which the next match waits: those that are empty, not ready, or whose player is absent."""
    if table.status in {"playing", "closed"} or has_been_played(table):
        return ()
    return tuple([Seat(seat) for seat, holder in enumerate(table.seats) if waits_for_holder(table, holder)])


def waits_for_holder(table: Table, holder: PlayerId | None) -> bool:
    """Return whether the next match waits for the holder of a seat, or for somebody who takes it."""
    return holder is None or not is_willing(table, holder) or (holder in table.absent and needs_presence(table))


def is_willing(table: Table, holder: PlayerId) -> bool:
    """Return whether the holder of a seat is ready for the next match, or does not have to be."""
    return table.members[holder].is_ready or not asks_for_readiness(table)


def asks_for_readiness(table: Table) -> bool:
    """Return whether the players have to be ready for the next match; after a match they usually are."""
    match table.settings.start:
        case "full":
            return table.status == "finished"
        case "creator":
            return table.status == "finished" and table.settings.restart is not None
    return True


def needs_presence(table: Table) -> bool:
    """Return whether the next match starts only while its players are present: after the first one.

    It makes no difference where a move may take days, and where several play on one device; bots play for somebody.
    """
    plays_anyway = table.settings.hot_seat or isinstance(table.settings.clock, Days)
    return table.matches > 0 and (bots_only(table) or not plays_anyway)


def has_been_played(table: Table) -> bool:
    """Return whether the room is for one match of a tournament, and has had it."""
    return table.tournament is not None and table.matches > 0


def start_match(room: Room, context: CommandContext) -> list[Event]:
    """Start the next match with the seed whose hash was published, rotating the seats if the settings say so.

    In a room of an earlier release, no hash was published before its next match, which gets a fresh seed.
    """
    table, repeated = room.table, match_to_repeat(room)
    number = table.matches + 1
    options = msgspec.to_builtins(repeated.options) if repeated else table.options
    begins_there = table.position is not None and table.position.options == options and not table.settings.rated
    seed = table.next_seed or match_seed(context.seed, number)
    seats = next_seats(room)
    salts = tuple(table.members[holder].salt if holder in table.members else "" for holder in seats)
    started = events.MatchStarted(
        id=f"{table.key.name}.{table.key.epoch}.{number}",
        game=table.game,
        rules_version=room.game.rules_version,
        options=options,
        seats=seats,
        salts=salts,
        seed_hash=seed_hash(seed),
        seed=seed.hex(),
        next_seed=match_seed(context.seed, number + 1).hex(),
        rated=table.settings.rated,
        position=table.position if table.position and begins_there else msgspec.UNSET,
    )
    layout = layout_of(repeated) if repeated else Layout(started.id, seed, salts)
    assigned: list[Event] = [events.SeatsAssigned(seats)] if seats != table.seats else []
    return [*assigned, *set_up(room.game, started, layout)]


def set_up(game: AnyGame, started: events.MatchStarted, layout: Layout) -> list[Event]:
    """Return the start of a match and its setup, which uses the match's own draws or those of the match it repeats."""
    if started.position:
        return [started]
    if layout.match != started.id:
        seed, salts = layout.seed.hex(), layout.salts
        started = replace(started, layout_of=layout.match, layout_seed=seed, layout_salts=salts)
    options: msgspec.Struct = convert(started.options, game.options)
    return [started, *game.setup(options, Chance(layout.seed, layout.salts, DrawNumber(0)))]


def copy_position(history: Sequence[Recorded], version: Version) -> CopiedPosition:
    """Return the position to which the events of a match lead, with what everybody may know of it.

    What was selected and not yet revealed is left out. Raises `Rejected` with `position_over` if the match was over.
    """
    started = history[0].event
    assert isinstance(started, events.MatchStarted)  # noqa: S101 - the first event of every match
    game = GAMES[started.game]
    copied = started.position.events_of(game) if started.position else ()
    known = [(history[0].version, event) for event in copied]
    for recorded in history:
        match recorded.event:
            case events.TakenBack(to_version=kept):
                known = [(at, event) for at, event in known if at <= kept]
            case events.RoomEvent():
                pass
            case event if not isinstance(event, game.unrecorded):
                known.append((recorded.version, redact(event, None)))
    options: msgspec.Struct = convert(started.options, game.options)
    led_to = msgspec.json.decode(msgspec.json.encode([event for _, event in known]))
    position = CopiedPosition(started.id, version, msgspec.to_builtins(options), tuple(led_to))
    if game.outcome(first_state(game, options, position)) is not None:
        raise Rejected("position_over")
    return position


def layout_of(match: Match) -> Layout:
    """Return where a match's layout came from: its own seed, or that of the match which it repeated."""
    return match.layout or Layout(match.id, match.seed, match.salts)


def next_seats(room: Room) -> tuple[PlayerId | None, ...]:
    """Return who holds which seat in the next match: after one with a result, rotated by one if the settings say so."""
    seats, match = room.table.seats, room.match
    has_result = match is not None and match.result is not None and match.result.places
    rotates = room.table.settings.rated or room.table.settings.seats_next == "rotate"
    return (*seats[-1:], *seats[:-1]) if has_result and rotates else seats


def match_to_repeat(room: Room) -> Match | None:
    """Return the match whose layout the next one repeats; None if the next one has its own layout."""
    match = room.match
    repeats = match is not None and match.id == room.table.layout_of and len(match.players) == len(room.table.seats)
    return match if repeats else None
