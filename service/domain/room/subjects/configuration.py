"""Other options and settings for the matches to come: at once between matches, else when the running one is over."""

from typing import Any

import msgspec

from service.domain.catalog import AnyGame
from service.domain.game import Event, Rejected
from service.domain.room.model import commands as asked
from service.domain.room.model import events as happened
from service.domain.room.model.ids import PlayerId
from service.domain.room.model.settings import SettingsAsked
from service.domain.room.model.state import Plan, Room, Table
from service.domain.room.subjects.guards import created_by
from service.domain.room.subjects.privacy import lock_for
from service.domain.validation import fit


def configure(room: Room, command: asked.Configure, player: PlayerId, lock: str | None) -> list[Event]:
    """Take on what changes; what is left out stays. Raises `Unfit` where the whole fits no game or no settings."""
    created_by(room.table, player)
    before = room.table.plan or Plan(room.table.options, room.table.settings, room.table.lock)
    wished = {**msgspec.to_builtins(before.settings), **(command.settings or {})}
    options = in_full(room.game, {**before.options, **(command.options or {})})
    settings: SettingsAsked = fit(wished, SettingsAsked, at="/settings")
    plan = Plan(options, settings.kept, lock_for(settings, lock, before.lock))
    if (plan.settings, plan.lock) == (before.settings, before.lock) and options == in_full(room.game, before.options):
        raise Rejected("already_so")
    if room.playing:
        return [happened.NextConfigured(plan.options, plan.settings, plan.lock or msgspec.UNSET)]
    return configured(room, plan)


def in_full(game: AnyGame, options: dict[str, Any]) -> dict[str, Any]:
    """Return options with those that were left out. Raises `Unfit`."""
    fitted: msgspec.Struct = fit(options, game.options, at="/options")
    full: dict[str, Any] = msgspec.to_builtins(fitted)
    return full


def planned(room: Room) -> list[Event]:
    """Return what the match that has just ended held up; a restart of it has its options, so that comes first."""
    table = room.table
    if table.plan is None or table.status in {"playing", "closed"} or table.layout_of is not None:
        return []
    return configured(room, table.plan)


def configured(room: Room, plan: Plan) -> list[Event]:
    """Put a plan into force: the table gets its seats, and bots that lose theirs go."""
    table = room.table
    seats = refitted(table, len(room.game.seats(fit(plan.options, room.game.options))), hot_seat=plan.settings.hot_seat)
    bots = [player for player, member in table.members.items() if member.bot and player not in seats]
    told = happened.RoomConfigured(plan.options, plan.settings, seats, plan.lock or msgspec.UNSET)
    return [told, *(happened.PlayerLeft(bot) for bot in bots)]


def refitted(table: Table, number: int, *, hot_seat: bool) -> tuple[PlayerId | None, ...]:
    """Return the holders of so many seats: who has one of them keeps it, others move up, people before bots."""
    seats: list[PlayerId | None] = []
    for holder in (*table.seats, *(None,) * number)[:number]:
        seats.append(holder if hot_seat or holder not in seats else None)
    waiting = [holder for holder in table.seats[number:] if holder is not None and holder not in seats]
    for holder in sorted(dict.fromkeys(waiting), key=lambda player: table.members[player].bot is not None):
        place = next((seat for seat in range(number) if gives_way(table, seats[seat], holder)), None)
        if place is not None:
            seats[place] = holder
    return tuple(seats)


def gives_way(table: Table, holder: PlayerId | None, other: PlayerId) -> bool:
    """Tell whether a seat is free for somebody: an empty one is, and a bot's for people."""
    if holder is None:
        return True
    return table.members[holder].bot is not None and table.members[other].bot is None
