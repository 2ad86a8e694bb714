"""Who may do what in a room, and who takes which seat, bots included."""

from collections.abc import Mapping

from service.domain.catalog import GAMES
from service.domain.game import Event, Level, Rejected, Seat
from service.domain.ids import PlayerId
from service.domain.room.model import commands, events, names
from service.domain.room.model.state import Match, Member, Room, Table


def require_member(table: Table, player: PlayerId | None) -> tuple[PlayerId, Member]:
    """Return the player as a member of the room. Raises `Rejected`."""
    if player is None or (member := table.members.get(player)) is None:
        raise Rejected("not_a_member")
    return player, member


def require_creator(table: Table, player: PlayerId) -> None:
    """Reject everybody but the room's creator."""
    if player != table.creator:
        raise Rejected("not_the_creator")


def require_match(room: Room) -> Match:
    """Return the match that is being played. Raises `Rejected`."""
    match = room.playing
    if match is None:
        raise Rejected("not_playing")
    return match


def refuse_in_rated_match(room: Room) -> None:
    """Reject what would change a rated match other than by its players' moves."""
    if room.playing is not None and room.playing.settings.rated:
        raise Rejected("rated_match")


def refuse_in_rated_room(room: Room) -> None:
    """Reject what would make the next match of a room unfit to be rated, during a match and between matches."""
    if room.table.settings.rated:
        raise Rejected("rated_match")


def require_active_player(match: Match, room: Room, player: PlayerId) -> None:
    """Reject players without a seat, and those whose seats have all dropped out of a running match."""
    own = room.table.seats_of[player]
    if not own:
        raise Rejected("not_seated")
    if match.result is None and all(seat in match.dropped for seat in own):
        raise Rejected("already_dropped", seat=own[0])


def resolve_seat(room: Room, player: PlayerId, wanted: int | None) -> Seat:
    """Return the player's seat that a command is about. Raises `Rejected`.

    That is the seat named, else the player's only seat, else the only one of their seats that is to move.
    """
    own = room.table.seats_of[player]
    if wanted is None and len(own) == 1:
        return own[0]
    if wanted is not None:
        if wanted not in own:
            raise Rejected("not_your_seat", seat=wanted)
        return Seat(wanted)
    if not own:
        raise Rejected("not_seated")
    if match := room.playing:
        own = tuple(seat for seat in own if seat in match.to_move)
    if len(own) != 1:
        raise Rejected("seat_required")
    return own[0]


def require_hint_seat(room: Room, player: PlayerId, wanted: int | None) -> Seat:
    """Return the seat for which a player asks for a hint. Raises `Rejected`."""
    match = require_match(room)
    require_member(room.table, player)
    refuse_in_rated_match(room)
    seat = resolve_seat(room, player, wanted)
    if not allows_hints(room, player):
        raise Rejected("no_hints", hints=room.table.settings.hints)
    if seat not in match.to_move:
        raise Rejected("not_your_turn")
    return seat


def allows_hints(room: Room, player: PlayerId) -> bool:
    """Return whether the setting `hints` allows this player hints: by default if all other seats are held by bots."""
    match room.table.settings.hints:
        case "on":
            return True
        case "off":
            return False
    own = room.table.seats_of[player]
    return len(own) == 1 and len(room.table.bots) == len(room.table.seats) - 1


def take_seat(room: Room, command: commands.TakeSeat, player: PlayerId) -> list[Event]:
    """Give a member a free seat; between matches a seated player moves to it, unless the room is a hot seat."""
    seat = free_seat_for(room, player, command.seat)
    own = room.table.seats_of[player]
    if not own or room.table.settings.hot_seat:
        return [events.SeatTaken(seat, player)]
    if room.playing:
        raise Rejected("already_seated", seat=own[0])
    return [events.SeatLeft(own[0], player), events.SeatTaken(seat, player)]


def leave_seat(room: Room, command: commands.LeaveSeat, player: PlayerId) -> list[Event]:
    """Free one of the player's seats; the player stays in the room."""
    return [events.SeatLeft(resolve_seat(room, player, command.seat), player)]


def vacate_seats(table: Table, player: PlayerId) -> list[Event]:
    """Free all seats of a player who is leaving the room."""
    return [events.SeatLeft(seat, player) for seat in table.seats_of[player]]


def free_seat_for(room: Room, player: PlayerId, wanted: int | None) -> Seat:
    """Return the seat that a player gets, as `free_seat`: in a rated match only the one with which they began it."""
    seat, match = free_seat(room.table, wanted), room.playing
    if match is None or not match.settings.rated:
        return seat
    if player not in match.players or wanted not in {None, match.players.index(player)}:
        raise Rejected("rated_match")
    return free_seat(room.table, match.players.index(player))


def free_seat(table: Table, wanted: int | None) -> Seat:
    """Return the seat named, or else the lowest free one. Raises `Rejected` if it is not free."""
    if wanted is None:
        if None not in table.seats:
            raise Rejected("room_full")
        return Seat(table.seats.index(None))
    if wanted >= len(table.seats):
        raise Rejected("no_such_seat", seat=wanted, seats=len(table.seats))
    if table.seats[wanted] is not None:
        raise Rejected("seat_taken", seat=wanted)
    return Seat(wanted)


def assign_seats(room: Room, command: commands.AssignSeats, player: PlayerId) -> list[Event]:
    """Seat the players as the creator says; bots without a seat leave the room."""
    table = room.table
    require_creator(table, player)
    if room.playing:
        raise Rejected("match_running")
    if len(command.seats) != len(table.seats):
        raise Rejected("seats_count", seats=len(table.seats))
    seated = [holder for holder in command.seats if holder is not None]
    for holder in seated:
        if holder not in table.members:
            raise Rejected("no_such_player", player=holder)
        if table.members[holder].role == "spectator":
            raise Rejected("is_spectator", player=holder)
        if seated.count(holder) > 1 and (table.members[holder].bot or not table.settings.hot_seat):
            raise Rejected("already_seated", player=holder)
    bots = [holder for holder in table.seats if holder is not None and table.members[holder].bot]
    return [events.SeatsAssigned(command.seats), *(events.PlayerLeft(bot) for bot in bots if bot not in seated)]


def add_bot(room: Room, command: commands.AddBot, player: PlayerId) -> list[Event]:
    """Add a bot to the room and give it a seat."""
    require_creator(room.table, player)
    refuse_in_rated_room(room)
    seat = free_seat(room.table, command.seat)
    return list(seat_bot(room.table.game, room.table.members, seat, command.level))


def seat_bot(
    game: str, members: Mapping[PlayerId, Member], seat: Seat, level: Level
) -> tuple[events.PlayerJoined, events.SeatTaken]:
    """Return the events by which another bot joins these members. Raises `Rejected` with `no_such_level`."""
    levels = GAMES[game].levels
    if level not in levels:
        raise Rejected("no_such_level", level=level, levels=levels)
    number = 1
    taken = {names.skeleton(member.nickname) for member in members.values()}
    while (bot := bot_id(number)) in members or names.skeleton(bot_name(level, number)) in taken:
        number += 1
    return events.PlayerJoined(bot, bot_name(level, number), "player", level), events.SeatTaken(seat, bot)


def bot_id(number: int) -> PlayerId:
    """Return a bot's id; ids of players begin differently."""
    return PlayerId(f"bot-{number}")


def bot_name(level: Level, number: int) -> str:
    """Return a bot's nickname."""
    return f"Bot {number} ({level})"


def remove_bot(room: Room, command: commands.RemoveBot, player: PlayerId) -> list[Event]:
    """Remove a bot from the room; a running match waits until another player takes its seat."""
    table = room.table
    require_creator(table, player)
    if command.seat >= len(table.seats):
        raise Rejected("no_such_seat", seat=command.seat, seats=len(table.seats))
    bot = table.seats[command.seat]
    if bot is None or command.seat not in table.bots:
        raise Rejected("not_a_bot", seat=command.seat)
    return [events.SeatLeft(command.seat, bot), events.PlayerLeft(bot)]
