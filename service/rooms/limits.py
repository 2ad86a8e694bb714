"""How much one player, one address and one room may ask for; 0 is as much as they like."""

import msgspec


class Limits(msgspec.Struct, frozen=True):
    """The limits to which one process holds its clients; the settings `limit_...` by the same names."""

    rooms: int = 100
    """Rooms that a player may be in."""
    members: int = 200
    """People whom a room takes in, spectators who joined included."""
    watchers: int = 5000
    """Connections that follow one room."""
    subscriptions: int = 100
    """Rooms that one socket may follow."""
    sockets_address: int = 200
    """Sockets and streams from one address."""
    sockets_player: int = 50
    """Sockets and streams with one player's token."""
    commands: int = 50
    """Commands a second by one player; ten seconds' worth can be saved up."""
    lines: int = 60
    """Lines of chat a minute by one player; ten can be said at once."""
    guests: int = 60
    """Guests a minute from one address."""
