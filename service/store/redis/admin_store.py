"""Access to a store in Redis for operators: all rooms, the audit log, the servers."""

from typing import Any

from service.domain.ids import Epoch, PlayerId, RoomKey, RoomName
from service.store.contract import Page, StoreNode
from service.store.redis.keys import place_named
from service.store.redis.parts import ProtectedPart
from service.store.redis.scripts import REMEMBER
from service.store.redis.server_checks import server_info, store_node
from service.store.side_channels import Line, Where
from service.store.stream_keys import KindKey, room_of, stream_of

SCAN_COUNT = b"500"
"""About how many keys the server scans per command, so that other commands do not wait long."""


class RedisAdminStore(ProtectedPart):
    """The contract `AdminStore` in Redis."""

    async def rooms(self, cursor: str | None = None, *, live: bool = False) -> Page[RoomKey]:
        """Return a page of rooms. Raises `ValueError` for an invalid cursor."""
        keys, following = await self._scan(b"{p*}:%b:*" % (b"name" if live else b"head"), cursor)
        rooms = [await self._live(key) for key in keys] if live else [room_of(key) for key in keys]
        return Page(tuple(room for room in rooms if room), following)

    async def streams(self, kind: str, cursor: str | None = None) -> Page[KindKey]:
        """Return a page of the streams of a kind. Raises `ValueError` for an invalid cursor."""
        keys, following = await self._scan(b"{p*}:end:%b/*" % kind.encode(), cursor)
        return Page(tuple(stream_of(key) for key in keys), following)

    async def chats(self, cursor: str | None = None) -> Page[Where]:
        """Return a page of the places with lines of chat. Raises `ValueError` for an invalid cursor."""
        found, following = await self._scan(b"{p*}:chat:*", cursor)
        return Page(tuple(map(place_named, found)), following)

    async def named_players(self, cursor: str | None = None) -> Page[PlayerId]:
        """Return a page of the players with nicknames, or with MACs of some. Raises `ValueError` for a bad cursor."""
        found, following = await self._scan(b"{p*}:name[s_]*:*", cursor)
        return Page(tuple(PlayerId(player.decode()) for player in found), following)

    async def matched_players(self, cursor: str | None = None) -> Page[PlayerId]:
        """Return a page of the players with matches in the index. Raises `ValueError` for an invalid cursor."""
        found, following = await self._scan(b"{p*}:played:*", cursor)
        return Page(tuple(PlayerId(player.decode()) for player in found), following)

    async def _scan(self, pattern: bytes, cursor: str | None) -> tuple[list[bytes], str | None]:
        """Return what follows the second colon of keys, and the next cursor. Raises `ValueError`."""
        node, position = (int(part) for part in (cursor or "0:0").split(":"))
        urls = self._cluster.urls
        if not 0 <= node < len(urls) or position < 0:
            raise ValueError("invalid cursor")
        asked = (b"SCAN", b"%d" % position, b"MATCH", pattern, b"COUNT", SCAN_COUNT)
        reached, found = await self._cluster.pipeline(urls[node]).send(*asked)
        return [key.split(b":", 2)[2] for key in found], next_cursor(node, int(reached), len(urls))

    async def _live(self, name: bytes) -> RoomKey | None:
        room = RoomName(name.decode(errors="backslashreplace"))
        epoch: Any = await self._cluster.ask(self._keys.partition_of(room), b"GET", self._keys.of("name", room))
        return None if epoch is None else RoomKey(room, Epoch(epoch.decode()))

    async def log(self, data: bytes) -> Line:
        """Append a line to the audit log, which is never trimmed."""
        line_id: Any = await self._cluster.ask(self._keys.all[0], b"XADD", self._keys.audit, b"*", b"l", data)
        return Line(line_id.decode(), data)

    async def logged(self, after: str | None = None, limit: int = 1000) -> list[Line]:
        """Return up to `limit` lines of the audit log in order, from the beginning or after a line."""
        start = b"-" if after is None else b"(" + after.encode()
        bounds = (start, b"+", b"COUNT", b"%d" % limit)
        found: Any = await self._cluster.ask(self._keys.all[0], b"XRANGE", self._keys.audit, *bounds)
        return [Line(line_id.decode(), fields[1]) for line_id, fields in found]

    async def record_replaced(self, player: PlayerId) -> None:
        """Record that a player's guest token was replaced."""
        await self._cluster.run(self._keys.all[0], REMEMBER, [self._keys.replaced], [player.encode()])

    async def replaced(self, after: int = 0, limit: int = 1000) -> list[PlayerId]:
        """Return up to `limit` of these players in order, without the first `after`."""
        bounds = (b"%d" % after, b"%d" % (after + limit - 1))
        found: Any = await self._cluster.ask(self._keys.all[0], b"ZRANGE", self._keys.replaced, *bounds)
        return [PlayerId(player.decode()) for player in found]

    async def finish_signing(self) -> bool:
        """Accept no protected value without a MAC from now on; return whether that is possible."""
        if not self._protection.may_be_finished:
            return False
        await self._cluster.ask(self._keys.all[0], b"SET", self._keys.signed, self._protection.sign_off)
        return True

    async def nodes(self) -> list[StoreNode]:
        """Return the state of each server."""
        infos = [await server_info(self._cluster.pipeline(url)) for url in self._cluster.urls]
        return [store_node(info) for info in infos]


def next_cursor(node: int, reached: int, nodes: int) -> str | None:
    """Return the cursor of the next page: at the same server, at the next one, or None at the end."""
    if reached:
        return f"{node}:{reached}"
    return f"{node + 1}:0" if node + 1 < nodes else None
