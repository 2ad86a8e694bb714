"""What is around the rooms: the lobby."""

from service.rooms.lobby import Lobby
from service.rooms.rooms import Rooms


class Company:
    """Who comes to the rooms of this process."""

    def __init__(self, rooms: Rooms) -> None:
        """Be around these rooms."""
        self.lobby = Lobby(rooms.store)
