"""When matches begin, and how they follow each other."""

import msgspec
from msgspec.structs import replace

from service.domain.catalog import AnyGame
from service.domain.chance import Chance, DrawNumber, match_seed, seed_hash
from service.domain.game import Event, Rejected
from service.domain.room.model import commands as asked
from service.domain.room.model import events as happened
from service.domain.room.model.command_context import Context
from service.domain.room.model.ids import Millis, PlayerId
from service.domain.room.model.state import Layout, Match, Member, Room, Table, all_ready, all_seated, bots_only
from service.domain.room.subjects.configuration import planned
from service.domain.room.subjects.guards import created_by
from service.domain.room.subjects.moves import after_play, outdated
from service.domain.room.subjects.offers import settled
from service.domain.room.subjects.timeouts import on_time
from service.domain.validation import fit

UNWATCHED = Millis(86_400_000)
"""For how long bots go on among themselves when no player asks for anything."""


def ready(table: Table, command: asked.Ready, player: PlayerId, member: Member) -> list[Event]:
    """Note that a seated player is ready, or sends another salt for the next match.

    During a match no salt is accepted: the hash of the next match's seed is published when it ends.
    """
    if not table.seats_of[player]:
        raise Rejected("not_seated")
    if command.salt is not None and table.status == "playing":
        raise Rejected("salt_too_early")
    if member.ready and command.salt in {None, member.salt}:
        raise Rejected("already_ready")
    return [happened.PlayerReadied(player, command.salt)]


def unready(player: PlayerId, member: Member) -> list[Event]:
    """Note that a player is not ready any more."""
    if not member.ready:
        raise Rejected("not_ready")
    return [happened.PlayerUnreadied(player)]


def veto_next(table: Table, player: PlayerId, member: Member) -> list[Event]:
    """Note that a seated player wants no next match to begin by itself."""
    if not table.seats_of[player]:
        raise Rejected("not_seated")
    if table.status not in {"playing", "finished"} or not member.ready:
        raise Rejected("nothing_to_veto")
    return [happened.NextVetoed(player)]


def start(room: Room, player: PlayerId) -> list[Event]:
    """Let the creator call for the match where the room is set so."""
    created_by(room.table, player)
    if room.playing:
        raise Rejected("match_running")
    if room.table.settings.start != "creator" and not bots_only(room.table):
        raise Rejected("starts_by_itself", start=room.table.settings.start)
    if not all_seated(room.table):
        raise Rejected("seats_empty")
    return [happened.StartCalled()]


def follow(room: Room, context: Context) -> list[Event]:
    """Return what happens next by itself, because of chance, uncovered secrets or the clock; empty when nothing does.

    The writer calls it after every command, again until it is empty. A dry run never tells what it returns.
    """
    if (match := room.playing) is not None:
        return outdated(match) or after_play(match) or on_time(room, match, context) or settled(room)
    if more := settled(room) or planned(room):
        return more
    return new_match(room, context) if starts_now(room, context) else []


def starts_now(room: Room, context: Context) -> bool:
    """Tell whether the next match begins at this moment."""
    table = room.table
    if table.status in {"playing", "closed"} or not all_seated(table):
        return False
    if table.start_called:
        return True
    if (moment := restart_at(room)) is not None:
        return context.company and context.now >= moment
    match table.settings.start:
        case "creator":
            return False
        case "full" if table.status == "open":
            return True
    return all_ready(table) and not (table.status == "finished" and bots_only(table))


def restart_at(room: Room) -> Millis | None:
    """Return when the next match begins by itself, None where nothing will."""
    if room.table.status != "finished":
        return None
    match, restart = room.match, room.table.settings.restart
    if match is None or match.ended is None or restart is None:
        return None
    if not all_ready(room.table) or (bots_only(room.table) and match.ended >= room.table.heard + UNWATCHED):
        return None
    return Millis(match.ended + restart)


def new_match(room: Room, context: Context) -> list[Event]:
    """Begin the next match under the seed committed to, the seats rotated where the room is set so.

    In a room of an earlier release nothing is committed to before its next match: that one gets a fresh seed.
    """
    table, again = room.table, restarted(room)
    number = table.matches + 1
    seed = table.next_seed or match_seed(context.seed, number)
    seats = seats_next(room)
    salts = tuple(table.members[holder].salt if holder in table.members else "" for holder in seats)
    started = happened.MatchStarted(
        id=f"{table.key.name}.{table.key.epoch}.{number}",
        game=table.game,
        rules_version=room.game.rules_version,
        options=msgspec.to_builtins(again.options) if again else table.options,
        seats=seats,
        salts=salts,
        seed_hash=seed_hash(seed),
        seed=seed.hex(),
        next_seed=match_seed(context.seed, number + 1).hex(),
    )
    layout = layout_of(again) if again else None
    placed: list[Event] = [happened.SeatsAssigned(seats)] if seats != table.seats else []
    return [*placed, *laid_out(room.game, started, layout or Layout(started.id, seed, salts))]


def laid_out(game: AnyGame, started: happened.MatchStarted, layout: Layout) -> list[Event]:
    """Return the start of a match, and what lies on the table by its own draws or by those of the match named."""
    if layout.match != started.id:
        seed, salts = layout.seed.hex(), layout.salts
        started = replace(started, layout_of=layout.match, layout_seed=seed, layout_salts=salts)
    options: msgspec.Struct = fit(started.options, game.options)
    return [started, *game.setup(options, Chance(layout.seed, layout.salts, DrawNumber(0)))]


def layout_of(match: Match) -> Layout:
    """Return what a match's layout was drawn from: its own seed, or that of the match which it restarted."""
    return match.layout or Layout(match.id, match.seed, match.salts)


def seats_next(room: Room) -> tuple[PlayerId | None, ...]:
    """Return who sits where in the next match: after one that counted, moved one seat on where the room is set so."""
    seats, match = room.table.seats, room.match
    counted = match is not None and match.result is not None and match.result.places
    return (*seats[-1:], *seats[:-1]) if counted and room.table.settings.seats_next == "rotate" else seats


def restarted(room: Room) -> Match | None:
    """Return the match that is to be played once more, None where the next one has a layout of its own."""
    match = room.match
    wanted = match is not None and match.id == room.table.layout_of and len(match.players) == len(room.table.seats)
    return match if wanted else None
