"""What this process knows of tokens: the accounts whose tokens are in use, and the guests whose token was replaced."""

import asyncio
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

from service.domain.accounts.model import Account
from service.domain.ids import PlayerId
from service.runtime.timers import until_next
from service.store.contract import AdminStore, StoreUnavailable
from service.store.stream_keys import KindKey
from service.streams.loaded import LoadedStream
from service.streams.repository import StreamRepository


def account_key(player: PlayerId) -> KindKey:
    """Return the key of a player's account."""
    return KindKey("account", player)


class FollowedAccounts:
    """Follows accounts while they are used; the least recently used ones are dropped, but not while they are held."""

    def __init__(self, repository: StreamRepository[Account], size: int) -> None:
        """Follow up to `size` accounts besides those that are held."""
        self._repository = repository
        self._size = size
        self._idle: OrderedDict[PlayerId, LoadedStream[Account]] = OrderedDict()
        """The accounts that are followed and not held, the least recently used first."""
        self._busy: dict[PlayerId, LoadedStream[Account]] = {}
        """The accounts that are followed and held."""
        self._holders: Counter[PlayerId] = Counter()
        self._loading: dict[PlayerId, asyncio.Task[None]] = {}

    def get(self, player: PlayerId) -> Account | None:
        """Return the account of a player, None if it is not followed."""
        if (stream := self._busy.get(player)) is not None:
            return stream.state
        if (stream := self._idle.get(player)) is None:
            return None
        self._idle.move_to_end(player)
        return stream.state

    def is_current(self, player: PlayerId) -> bool:
        """Return whether an account is followed and up to date, so that its tokens are those that are accepted."""
        stream = self._busy.get(player) or self._idle.get(player)
        return stream is not None and self._repository.is_current(stream)

    async def load(self, player: PlayerId) -> None:
        """Follow an account; read it again unless it is up to date. Raises what `StreamRepository.follow` raises."""
        stream = self._busy.get(player) or self._idle.get(player)
        if stream is not None and not stream.has_news and self._repository.is_current(stream):
            return
        loading = self._loading.get(player)
        if loading is None:
            loading = self._loading[player] = asyncio.create_task(self._load(player))
            loading.add_done_callback(lambda _: self._loading.pop(player, None))
        await asyncio.shield(loading)

    async def _load(self, player: PlayerId) -> None:
        if player in self._busy or player in self._idle:
            await self._repository.current(account_key(player))
            return
        try:
            stream = await self._repository.follow(account_key(player))
        except BaseException:
            self._repository.unfollow(account_key(player))
            raise
        (self._busy if player in self._holders else self._idle)[player] = stream
        self._drop_surplus()

    @contextmanager
    def hold(self, player: PlayerId) -> Iterator[None]:
        """Keep an account, if it is followed, while the context lasts."""
        self._holders[player] += 1
        if (stream := self._idle.pop(player, None)) is not None:
            self._busy[player] = stream
        try:
            yield
        finally:
            self._holders[player] -= 1
            if not self._holders[player]:
                del self._holders[player]
                self._release(player)

    def _release(self, player: PlayerId) -> None:
        if (stream := self._busy.pop(player, None)) is not None:
            self._idle[player] = stream
            self._drop_surplus()

    def _drop_surplus(self) -> None:
        while len(self._idle) > self._size:
            _, stream = self._idle.popitem(last=False)
            self._repository.unfollow(stream.key)


READ_INTERVAL = 1.0
"""Seconds between two reads, so that every process applies a replacement within two seconds."""

PAGE = 1000


class ReplacedGuestTokens:
    """Reads and extends the list."""

    def __init__(self, admin_store: AdminStore, on_change: Callable[[PlayerId], None]) -> None:
        """Start before the first entry; `on_change` is called with each player whose guest token was replaced."""
        self._admin_store = admin_store
        self.players: set[PlayerId] = set()
        """The players whose guest token was replaced."""
        self._read = 0
        """How many entries of the list were read."""
        self._last: PlayerId | None = None
        """The last one of them."""
        self._on_change = on_change

    async def record(self, player: PlayerId) -> None:
        """Record that a player's guest token is replaced."""
        await self._admin_store.record_replaced(player)
        self._add(player)

    async def catch_up(self) -> None:
        """Read what is new."""
        while players := await self._next_page():
            self._read += len(players)
            self._last = players[-1]
            for player in players:
                self._add(player)

    async def _next_page(self) -> list[PlayerId]:
        """Return the players after those that were read; from the beginning if the store was replaced."""
        if self._last is not None:
            page = await self._admin_store.replaced(self._read - 1, PAGE)
            if page[:1] == [self._last]:
                return page[1:]
            self._read, self._last = 0, None
        return await self._admin_store.replaced(0, PAGE)

    async def keep_up(self) -> None:
        """Read what is new regularly until cancelled."""
        while True:
            with suppress(StoreUnavailable):
                await self.catch_up()
            await asyncio.sleep(until_next(READ_INTERVAL))

    def _add(self, player: PlayerId) -> None:
        if player not in self.players:
            self.players.add(player)
            self._on_change(player)
