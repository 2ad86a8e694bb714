"""Who may challenge whom: what matchmaking needs to know of players' accounts and matches."""

from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping
from typing import NamedTuple, Protocol

from service.domain.accounts.model import Challengers
from service.domain.ids import PlayerId


class BlockLists(Protocol):
    """Whom all players have blocked, and whose challenges they admit."""

    async def is_blocked(self, one: PlayerId, other: PlayerId) -> bool:
        """Return whether one of two players has blocked the other."""

    async def blocked_by(self, players: Iterable[PlayerId]) -> Mapping[PlayerId, Collection[PlayerId]]:
        """Return whom each of some players has blocked."""

    async def challengers_of(self, player: PlayerId) -> Challengers:
        """Return who may challenge a player."""


class CanBeAsked(Protocol):
    """Returns whether a player can receive one more challenge, of a stranger or of somebody whom they have met."""

    async def __call__(self, player: PlayerId, *, by_stranger: bool) -> bool:
        """Return it."""


class Asking(NamedTuple):
    """What decides who may challenge whom."""

    can_be_asked: CanBeAsked
    block_lists: BlockLists
    have_met: Callable[[PlayerId, PlayerId], Awaitable[bool]]
    """Returns whether two players have played a match with each other."""
