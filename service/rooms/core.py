"""What the rooms of one process are made of, from the store up to the write path."""

from service.rooms.feeds.hub import FeedHub
from service.rooms.feeds.room_frames import RoomFrames
from service.rooms.history.past import RoomHistory
from service.rooms.history.reader import HistoryReader
from service.rooms.processor import CommandProcessor
from service.rooms.repository import RoomRepository
from service.rooms.requests import Environment
from service.store.contract import Store


class RoomCore:
    """What the rooms of one process are made of, from the store up to the write path."""

    def __init__(self, store: Store, environment: Environment, mark_key: bytes, size: int = 10_000) -> None:
        """Keep up to `size` rooms in memory; `mark_key` is shared by all processes that serve the store."""
        self.frames = RoomFrames(mark_key, environment.now)
        self.hub = FeedHub(self.frames)
        self.repository = RoomRepository(store, self.hub, size)
        self.reader = HistoryReader(store)
        self.past = RoomHistory(self.reader, self.repository.current)
        self.processor = CommandProcessor(self.repository, environment, self.past)
