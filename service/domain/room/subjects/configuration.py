"""Changes of options and settings: between matches they apply at once, during a match when it has ended."""

from collections.abc import Mapping
from typing import Any

import msgspec

from service.domain.catalog import AnyGame
from service.domain.game import MOST_TURNS, Event, Rejected
from service.domain.ids import PlayerId
from service.domain.room.model import commands, events
from service.domain.room.model.settings import RequestedSettings, Settings
from service.domain.room.model.state import Plan, Room, Table
from service.domain.room.subjects.privacy import lock_for
from service.domain.room.subjects.seats import refuse_in_rated_match, require_creator
from service.domain.validation import Invalid, convert


def configure(room: Room, command: commands.Configure, player: PlayerId, lock: str | None) -> list[Event]:
    """Change the options and settings that are named. Raises `Invalid` if the result is not valid."""
    require_creator(room.table, player)
    refuse_in_rated_match(room)
    before = room.table.plan or Plan(room.table.options, room.table.settings, room.table.lock)
    options = with_defaults(room.game, {**before.options, **(command.options or {})})
    check_turn_limits(command.options or {})
    wanted = {**msgspec.to_builtins(before.settings), **(command.settings or {})}
    settings: RequestedSettings = convert(wanted, RequestedSettings, at="/settings")
    check_rated(settings)
    plan = Plan(options, settings.stored(), lock_for(settings, lock, before.lock))
    if (plan.settings, plan.lock) == (before.settings, before.lock) and options == with_defaults(
        room.game, before.options
    ):
        raise Rejected("already_so")
    if room.playing:
        return [events.NextConfigured(plan.options, plan.settings, plan.lock or msgspec.UNSET)]
    return apply_plan(room, plan)


def check_rated(settings: Settings) -> None:
    """Raise `Invalid` for a rated room without what its matches need, or with what they exclude."""
    if not settings.rated:
        return
    if settings.visibility == "private":
        raise Invalid("A private room cannot be rated", "/settings/visibility")
    if not settings.clock.runs:
        raise Invalid("A rated room needs a clock", "/settings/clock")
    if settings.hot_seat:
        raise Invalid("A rated room cannot be a hot seat", "/settings/hot_seat")
    if settings.on_timeout != "lose":
        raise Invalid("In a rated room, `on_timeout` is `lose`", "/settings/on_timeout")


def with_defaults(game: AnyGame, options: dict[str, Any]) -> dict[str, Any]:
    """Return all options of a game, those left out with their defaults. Raises `Invalid`."""
    parsed: msgspec.Struct = convert(options, game.options, at="/options")
    full: dict[str, Any] = msgspec.to_builtins(parsed)
    return full


def check_turn_limits(options: Mapping[str, Any]) -> None:
    """Raise `Invalid` if one of the given options of a game is a higher number than `MOST_TURNS`."""
    for name, value in options.items():
        if isinstance(value, int) and value > MOST_TURNS:
            raise Invalid(f"Expected `int` <= {MOST_TURNS}", f"/options/{name}")


def planned_configuration(room: Room) -> list[Event]:
    """Return the changes that were made during the match that has just ended.

    A restart repeats that match under its own options, so the changes wait until after it.
    """
    table = room.table
    if table.plan is None or table.status in {"playing", "closed"} or table.layout_of is not None:
        return []
    return apply_plan(room, table.plan)


def apply_plan(room: Room, plan: Plan) -> list[Event]:
    """Return the events that apply a plan: as many seats as its options need, and surplus bots leave.

    All bots leave a room that becomes rated.
    """
    table = room.table
    number = len(room.game.seats(convert(plan.options, room.game.options)))
    seats = reassign_seats(table, number, hot_seat=plan.settings.hot_seat)
    if plan.settings.rated:
        seats = tuple(None if holder in table.members and table.members[holder].bot else holder for holder in seats)
    bots = [player for player, member in table.members.items() if member.bot and player not in seats]
    configured = events.RoomConfigured(plan.options, plan.settings, seats, plan.lock or msgspec.UNSET)
    return [configured, *(events.PlayerLeft(bot) for bot in bots)]


def reassign_seats(table: Table, number: int, *, hot_seat: bool) -> tuple[PlayerId | None, ...]:
    """Return who holds each of this number of seats.

    Players on one of these seats keep it. The others move to free seats, humans first, who also take bots' seats.
    """
    seats: list[PlayerId | None] = []
    for holder in (*table.seats, *(None,) * number)[:number]:
        seats.append(holder if hot_seat or holder not in seats else None)
    waiting = [holder for holder in table.seats[number:] if holder is not None and holder not in seats]
    for holder in sorted(dict.fromkeys(waiting), key=lambda player: table.members[player].bot is not None):
        free = next((seat for seat in range(number) if can_replace(table, seats[seat], holder)), None)
        if free is not None:
            seats[free] = holder
    return tuple(seats)


def can_replace(table: Table, holder: PlayerId | None, other: PlayerId) -> bool:
    """Return whether a player may take a seat from its holder: any player an empty one, humans a bot's."""
    if holder is None:
        return True
    return table.members[holder].bot is not None and table.members[other].bot is None
