"""The state of an account, and its events. They are stored: a change of a field needs an upcaster."""

from typing import Literal, get_args

import msgspec

from service.domain.game import Event
from service.domain.ids import Millis, NameRef, PlayerId
from service.domain.streams import Summary

Scope = Literal["read", "play", "chat", "bot", "account", "tournaments"]
"""What a token is for.

`read`: what only the player may read. `play`: commands, rooms, seeks and invitations. `chat`: lines of chat. `account`:
the player's tokens, codes and webhooks. `tournaments`: creating tournaments. A token with `bot` counts as that of a
declared bot.
"""

ALL_SCOPES: frozenset[Scope] = frozenset(get_args(Scope))

TokenId = str


class NamedToken(msgspec.Struct, frozen=True):
    """A token that a player has created, without its secret, which is not stored."""

    id: TokenId
    name: str
    scopes: tuple[Scope, ...]
    made: Millis
    expires: Millis | None = None
    """When it ends; None for never."""
    used: Millis | None = None
    """The beginning of the day, in UTC, on which it was last used; None for never."""

    def is_live(self, now: Millis) -> bool:
        """Return whether the token has not expired."""
        return self.expires is None or now < self.expires


class Recovery(msgspec.Struct, frozen=True):
    """What is stored of a recovery code, and the player as of its creation."""

    hash: str
    nickname: str
    """Empty in the store if there is a reference to it."""
    bot: bool = False
    name_ref: NameRef | msgspec.UnsetType = msgspec.UNSET
    """Where the nickname is stored; unset for codes of earlier releases."""


class TokenMade(Event, frozen=True):
    """A player created a token. Tokens that have expired are removed."""

    token: NamedToken


class TokenUsed(Event, frozen=True):
    """A token was used for the first time on a day."""

    token: TokenId
    day: Millis
    """The beginning of the day in UTC."""


class TokenRevoked(Event, frozen=True):
    """A player revoked a token."""

    token: TokenId


class OtherTokensRevoked(Event, frozen=True):
    """A player revoked all tokens except the one that was used for this."""

    kept: TokenId | None
    """The token that is kept; None for the guest token, which was issued when the guest was created."""


class RecoveryCodeMade(Event, frozen=True):
    """A player created a recovery code, which replaces an earlier one."""

    recovery: Recovery


class PlayerRecovered(Event, frozen=True):
    """A recovery code was used: all tokens are revoked, the guest token included, and there is a new one."""

    token: NamedToken


class PlayerBlocked(Event, frozen=True):
    """A player blocked another one."""

    player: PlayerId


class PlayerUnblocked(Event, frozen=True):
    """A player ended a block."""

    player: PlayerId


Challengers = Literal["everybody", "met", "nobody"]
"""Who may challenge a player: everybody, those who have played a match with them, or nobody."""


class ProfileHidden(Event, frozen=True):
    """A player hid their profile from others, or shows it again; or chose who may challenge them.

    Earlier releases read it, too: they know only the first field.
    """

    hidden: bool
    challengers: Challengers | msgspec.UnsetType = msgspec.UNSET
    """Who may challenge the player from now on; unset if that stays as it is."""


class AccountErased(Event, frozen=True):
    """A player asked for erasure: nothing of the account is left, and no token is accepted."""


class ErasureFinished(Event, frozen=True):
    """Everything that was stored about the player elsewhere was deleted."""


class AccountSummarised(Summary, frozen=True):
    """The state of the stream at this point, so that everything before can be deleted."""

    tokens: tuple[NamedToken, ...]
    recovery: Recovery | None
    guest_token_replaced: bool
    blocked: dict[PlayerId, Millis] = msgspec.field(default_factory=dict)
    erased: Millis | None = None
    is_erasure_finished: bool = False
    hidden: bool = False
    challengers: Challengers = "everybody"


AccountEvent = (
    TokenMade
    | TokenUsed
    | TokenRevoked
    | OtherTokensRevoked
    | RecoveryCodeMade
    | PlayerRecovered
    | PlayerBlocked
    | PlayerUnblocked
    | ProfileHidden
    | AccountErased
    | ErasureFinished
    | AccountSummarised
)
"""Every event of an account."""


class Account(msgspec.Struct, frozen=True):
    """What a player has set up."""

    id: PlayerId
    tokens: dict[TokenId, NamedToken] = {}
    """The named tokens, the oldest first; some may have expired."""
    recovery: Recovery | None = None
    guest_token_replaced: bool = False
    """Whether the guest token is no longer accepted."""
    blocked: dict[PlayerId, Millis] = {}
    """The players whom this one has blocked, the earliest first, and since when."""
    erased: Millis | None = None
    """When the player was erased; None for all others."""
    is_erasure_finished: bool = False
    """Whether what was stored elsewhere was deleted, too."""
    hidden: bool = False
    """Whether others see neither the player's profile nor the matches in it."""
    challengers: Challengers = "everybody"
    """Who may challenge the player."""

    def live_tokens(self, now: Millis) -> list[NamedToken]:
        """Return the tokens that have not expired."""
        return [token for token in self.tokens.values() if token.is_live(now)]
