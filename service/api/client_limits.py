"""How much one player, one address and one room may ask for; 0 is as much as they like."""

import msgspec


class Limits(msgspec.Struct, frozen=True):
    """The limits to which one process holds its clients; the settings `limit_...` by the same names give them."""

    rooms: int
    """Rooms that a player may be in."""
    members: int
    """People whom a room takes in, spectators who joined included."""
    watchers: int
    """Connections that follow one room."""
    subscriptions: int
    """Rooms that one socket may follow."""
    sockets_address: int
    """Sockets and streams from one address."""
    sockets_player: int
    """Sockets and streams with one player's token."""
    commands: int
    """Commands a second by one player; four seconds' worth can be saved up."""
    reads: int
    """Reads a second by one player; four seconds' worth can be saved up, and what costs more counts as several."""
    reads_address: int
    """Reads a second from one address."""
    lines: int
    """Lines of chat a minute by one player; ten can be said at once."""
    hints: int
    """Hints a minute by one player; as many can be saved up."""
    guests: int
    """Guests a minute from one address."""
    passwords: int
    """Passwords a minute by one player for one room; all at once, if they like."""
    passwords_address: int
    """Passwords a minute from one address."""
    admin_tokens: int
    """Wrong operators' tokens a minute from one address."""
