"""The decisions about accounts: pure functions of the state and a command."""

from service.domain.accounts import model
from service.domain.accounts.model import Account, Challengers, NamedToken, Recovery, TokenId
from service.domain.game import Event, Rejected
from service.domain.ids import DAY, Millis, PlayerId

MOST_TOKENS = 20
"""How many tokens that have not expired a player can have."""

MOST_BLOCKED = 200
"""How many others a player can block."""


def make_token(state: Account, token: NamedToken, now: Millis) -> list[Event]:
    """Create a token. Raises `Rejected` (`too_many_tokens`)."""
    if len(state.live_tokens(now)) >= MOST_TOKENS:
        raise Rejected("too_many_tokens", most=MOST_TOKENS)
    return [model.TokenMade(token)]


def use_token(state: Account, token_id: TokenId, now: Millis) -> list[Event]:
    """Record that a token was used, once per day."""
    token, day = state.tokens.get(token_id), day_of(now)
    is_known = token is None or (token.used is not None and token.used >= day)
    return [] if is_known else [model.TokenUsed(token_id, day)]


def day_of(now: Millis) -> Millis:
    """Return the beginning of a day in UTC."""
    return Millis(now - now % DAY)


def revoke_token(state: Account, token_id: TokenId) -> list[Event]:
    """Revoke a token. Raises `Rejected` (`no_such_token`)."""
    if token_id not in state.tokens:
        raise Rejected("no_such_token")
    return [model.TokenRevoked(token_id)]


def revoke_others(state: Account, kept: TokenId | None) -> list[Event]:
    """Revoke all tokens except one; None keeps the guest token. Does nothing if there are no others."""
    others = any(token_id != kept for token_id in state.tokens)
    return [model.OtherTokensRevoked(kept)] if others or (kept is not None and not state.guest_token_replaced) else []


def make_recovery_code(recovery: Recovery) -> list[Event]:
    """Create a recovery code, or replace it."""
    return [model.RecoveryCodeMade(recovery)]


def recover(state: Account, code_hash: str, token: NamedToken) -> list[Event]:
    """Replace all tokens by a new one. Raises `Rejected` (`no_such_code`)."""
    if state.recovery is None or state.recovery.hash != code_hash:
        raise Rejected("no_such_code")
    return [model.PlayerRecovered(token)]


def block(state: Account, player: PlayerId) -> list[Event]:
    """Block another player; nothing if they are blocked. Raises `Rejected` (`own_block`, `too_many_blocks`)."""
    if player == state.id:
        raise Rejected("own_block")
    if player in state.blocked:
        return []
    if len(state.blocked) >= MOST_BLOCKED:
        raise Rejected("too_many_blocks", most=MOST_BLOCKED)
    return [model.PlayerBlocked(player)]


def unblock(state: Account, player: PlayerId) -> list[Event]:
    """End a block; nothing if there is none."""
    return [model.PlayerUnblocked(player)] if player in state.blocked else []


def hide(state: Account, *, hidden: bool) -> list[Event]:
    """Hide the profile, or show it again; nothing if that was done."""
    return [] if state.hidden == hidden else [model.ProfileHidden(hidden)]


def admit_challengers(state: Account, challengers: Challengers) -> list[Event]:
    """Choose who may challenge the player; nothing if that was chosen."""
    return [] if state.challengers == challengers else [model.ProfileHidden(state.hidden, challengers)]


def erase(state: Account) -> list[Event]:
    """Erase the account; nothing if that was done."""
    return [] if state.erased is not None else [model.AccountErased()]


def finish_erasure(state: Account) -> list[Event]:
    """Record that the rest was deleted."""
    return [] if state.erased is None or state.is_erasure_finished else [model.ErasureFinished()]


def refuse_erased(state: Account) -> None:
    """Raise `Rejected` (`player_erased`) for an account that was erased, which nobody can change."""
    if state.erased is not None:
        raise Rejected("player_erased")
