"""Access to a store in the memory of one process, for operators."""

from collections.abc import Callable, Collection, Mapping
from itertools import dropwhile

from service.domain.ids import Epoch, Millis, PlayerId, RoomKey, RoomName
from service.store.contract import Page, StoreNode
from service.store.side_channels import Line, Where
from service.store.stream_keys import KindKey, StreamKey
from tests.memory_store.name_table import MemoryNameTable
from tests.memory_store.player_matches import MemoryPlayerMatches


class MemoryAdminStore:
    """The contract `AdminStore` on the data of a store in memory."""

    def __init__(
        self,
        clock: Callable[[], Millis],
        streams: Collection[StreamKey],
        names: Mapping[RoomName, Epoch],
        chats: Collection[Where],
        name_table: MemoryNameTable,
        player_matches: MemoryPlayerMatches,
    ) -> None:
        """Take the keys of what is stored, which the store continues to change."""
        self._clock = clock
        self._streams = streams
        self._names = names
        self._chats = chats
        self._name_table = name_table
        self._player_matches = player_matches
        self._lines: list[Line] = []
        self.sign_off = b""
        """The sign-off of `Protection`."""
        self._replaced: dict[PlayerId, None] = {}

    async def rooms(self, cursor: str | None = None, *, live: bool = False) -> Page[RoomKey]:
        """Return all rooms in one page. Raises `ValueError` for any cursor."""
        if cursor is not None:
            raise ValueError("invalid cursor")
        rooms = (key for key in self._streams if isinstance(key, RoomKey))
        return Page(tuple(key for key in rooms if not live or self._names.get(key.name) == key.epoch), None)

    async def streams(self, kind: str, cursor: str | None = None) -> Page[KindKey]:
        """Return all streams of a kind in one page. Raises `ValueError` for any cursor."""
        if cursor is not None:
            raise ValueError("invalid cursor")
        keys = (key for key in self._streams if isinstance(key, KindKey) and key.kind == kind)
        return Page(tuple(keys), None)

    async def chats(self, cursor: str | None = None) -> Page[Where]:
        """Return all places with lines of chat in one page. Raises `ValueError` for any cursor."""
        if cursor is not None:
            raise ValueError("invalid cursor")
        return Page(tuple(self._chats), None)

    async def named_players(self, cursor: str | None = None) -> Page[PlayerId]:
        """Return all players with nicknames in one page. Raises `ValueError` for any cursor."""
        if cursor is not None:
            raise ValueError("invalid cursor")
        return Page(tuple(self._name_table.names.keys() | self._name_table.macs.keys()), None)

    async def matched_players(self, cursor: str | None = None) -> Page[PlayerId]:
        """Return all players with matches in one page. Raises `ValueError` for any cursor."""
        if cursor is not None:
            raise ValueError("invalid cursor")
        return Page(self._player_matches.players, None)

    async def finish_signing(self) -> bool:
        """Accept no protected value without a MAC from now on; return whether that is possible."""
        if not self._name_table.protection.may_be_finished:
            return False
        self.sign_off = self._name_table.protection.sign_off
        return True

    async def log(self, data: bytes) -> Line:
        """Append a line to the audit log."""
        self._lines.append(Line(f"{self._clock()}-{len(self._lines)}", data))
        return self._lines[-1]

    async def logged(self, after: str | None = None, limit: int = 1000) -> list[Line]:
        """Return up to `limit` lines of the audit log in order, from the beginning or after a line."""
        if after is None:
            return self._lines[:limit]
        return list(dropwhile(lambda line: line.id != after, self._lines))[1 : limit + 1]

    async def record_replaced(self, player: PlayerId) -> None:
        """Record that a player's guest token was replaced."""
        self._replaced.setdefault(player)

    async def replaced(self, after: int = 0, limit: int = 1000) -> list[PlayerId]:
        """Return up to `limit` of these players in order, without the first `after`."""
        return list(self._replaced)[after : after + limit]

    async def nodes(self) -> list[StoreNode]:
        """Return one server without any state."""
        return [StoreNode(memory=0, memory_limit=0, file=0, writes=True, replicas=0)]
