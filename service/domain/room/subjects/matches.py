"""When matches start, and how they follow each other."""

import msgspec
from msgspec.structs import replace

from service.domain.catalog import AnyGame
from service.domain.chance import Chance, DrawNumber, match_seed, seed_hash
from service.domain.game import Event, Rejected
from service.domain.room.model import commands, events
from service.domain.room.model.command_context import CommandContext
from service.domain.room.model.ids import Millis, PlayerId
from service.domain.room.model.state import Layout, Match, Member, Room, Table, all_ready, all_seated, bots_only
from service.domain.room.subjects.configuration import planned_configuration
from service.domain.room.subjects.guards import require_creator
from service.domain.room.subjects.moves import game_followups
from service.domain.room.subjects.offers import settle_offers
from service.domain.room.subjects.timeouts import clock_followups
from service.domain.validation import convert

BOTS_ONLY_LIMIT = Millis(86_400_000)
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
        if more := game_followups(match):
            return more
        if match.clocks.clock.runs and (more := clock_followups(room, match, context)):
            return more
        return settle_offers(room)
    if more := settle_offers(room) or planned_configuration(room):
        return more
    return start_match(room, context) if starts_now(room, context) else []


def starts_now(room: Room, context: CommandContext) -> bool:
    """Return whether the next match starts now."""
    table = room.table
    has_been_played = table.tournament is not None and table.matches > 0  # a tournament's table has one match
    if table.status in {"playing", "closed"} or not all_seated(table) or has_been_played:
        return False
    if table.start_called:
        return True
    if (time := restart_at(room)) is not None:
        return context.human_present and context.now >= time
    match table.settings.start:
        case "creator":
            return False
        case "full" if table.status == "open":
            return True
    return all_ready(table) and not (table.status == "finished" and bots_only(table))


def restart_at(room: Room) -> Millis | None:
    """Return when the next match starts automatically; None if it does not.

    It is computed each time and not stored, so a new release can change the times for rooms that are waiting.
    """
    if room.table.status != "finished":
        return None
    match, restart = room.match, room.table.settings.restart
    if match is None or match.ended is None or restart is None:
        return None
    if not all_ready(room.table) or (bots_only(room.table) and match.ended >= room.table.heard + BOTS_ONLY_LIMIT):
        return None
    return Millis(match.ended + match.game.telling_ms + restart)


def start_match(room: Room, context: CommandContext) -> list[Event]:
    """Start the next match with the seed whose hash was published, rotating the seats if the settings say so.

    In a room of an earlier release, no hash was published before its next match, which gets a fresh seed.
    """
    table, repeated = room.table, match_to_repeat(room)
    number = table.matches + 1
    seed = table.next_seed or match_seed(context.seed, number)
    seats = next_seats(room)
    salts = tuple(table.members[holder].salt if holder in table.members else "" for holder in seats)
    started = events.MatchStarted(
        id=f"{table.key.name}.{table.key.epoch}.{number}",
        game=table.game,
        rules_version=room.game.rules_version,
        options=msgspec.to_builtins(repeated.options) if repeated else table.options,
        seats=seats,
        salts=salts,
        seed_hash=seed_hash(seed),
        seed=seed.hex(),
        next_seed=match_seed(context.seed, number + 1).hex(),
        rated=table.settings.rated,
    )
    layout = layout_of(repeated) if repeated else Layout(started.id, seed, salts)
    assigned: list[Event] = [events.SeatsAssigned(seats)] if seats != table.seats else []
    return [*assigned, *set_up(room.game, started, layout)]


def set_up(game: AnyGame, started: events.MatchStarted, layout: Layout) -> list[Event]:
    """Return the start of a match and its setup, which uses the match's own draws or those of the match it repeats."""
    if layout.match != started.id:
        seed, salts = layout.seed.hex(), layout.salts
        started = replace(started, layout_of=layout.match, layout_seed=seed, layout_salts=salts)
    options: msgspec.Struct = convert(started.options, game.options)
    return [started, *game.setup(options, Chance(layout.seed, layout.salts, DrawNumber(0)))]


def layout_of(match: Match) -> Layout:
    """Return where a match's layout came from: its own seed, or that of the match which it repeated."""
    return match.layout or Layout(match.id, match.seed, match.salts)


def next_seats(room: Room) -> tuple[PlayerId | None, ...]:
    """Return who holds which seat in the next match: after one with a result, rotated by one if the settings say so."""
    seats, match = room.table.seats, room.match
    has_result = match is not None and match.result is not None and match.result.places
    return (*seats[-1:], *seats[:-1]) if has_result and room.table.settings.seats_next == "rotate" else seats


def match_to_repeat(room: Room) -> Match | None:
    """Return the match whose layout the next one repeats; None if the next one has its own layout."""
    match = room.match
    repeats = match is not None and match.id == room.table.layout_of and len(match.players) == len(room.table.seats)
    return match if repeats else None
