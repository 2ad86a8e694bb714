"""How much one player, one address and one room may ask for; 0 is as much as they like."""

import msgspec


class Limits(msgspec.Struct, frozen=True):
    """The limits to which one process holds its clients; the settings `limit_...` by the same names."""

    rooms: int = 2000
    """Rooms that a player may be in."""
    members: int = 200
    """People whom a room takes in, spectators who joined included."""
    watchers: int = 5000
    """Connections that follow one room."""
    subscriptions: int = 100
    """Rooms that one socket may follow."""
    sockets_address: int = 2000
    """Sockets and streams from one address."""
    sockets_player: int = 200
    """Sockets and streams with one player's token."""
    commands: int = 500
    """Commands a second by one player, a sixteenth of what a process does; four seconds' worth can be saved."""
    lines: int = 60
    """Lines of chat a minute by one player; ten can be said at once."""
    guests: int = 3000
    """Guests a minute from one address, behind which a whole school may sit; a guest leaves nothing in the store."""
