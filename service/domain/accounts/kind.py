"""The fold of an account."""

from msgspec.structs import replace

from service.domain.accounts.model import (
    Account,
    AccountErased,
    AccountEvent,
    AccountSummarised,
    ErasureFinished,
    NamedToken,
    OtherTokensRevoked,
    PlayerBlocked,
    PlayerRecovered,
    PlayerUnblocked,
    ProfileHidden,
    RecoveryCodeMade,
    TokenId,
    TokenMade,
    TokenRevoked,
    TokenUsed,
)
from service.domain.ids import Millis, PlayerId
from service.domain.streams import Record, StreamKind
from service.domain.structs import copied


def evolve(state: Account, record: Record) -> Account:
    """Return the state after an event."""
    match record.event:
        case RecoveryCodeMade(recovery):
            state = replace(state, recovery=recovery)
        case PlayerRecovered(token):
            state = replace(state, tokens={token.id: token}, recovery=None, guest_token_replaced=True)
        case OtherTokensRevoked(kept):
            is_replaced = state.guest_token_replaced or kept is not None
            state = replace(state, tokens=evolve_tokens(state, record), guest_token_replaced=is_replaced)
        case PlayerBlocked() | PlayerUnblocked():
            state = replace(state, blocked=evolve_blocked(state, record))
        case ProfileHidden(hidden, challengers):
            state = replace(state, hidden=hidden, challengers=challengers or state.challengers)
        case AccountErased():
            state = Account(state.id, guest_token_replaced=True, erased=record.time)
        case ErasureFinished():
            state = replace(state, is_erasure_finished=True)
        case AccountSummarised() as summarised:
            state = summarised_state(state, summarised)
        case _:
            state = replace(state, tokens=evolve_tokens(state, record))
    return state


def summarised_state(state: Account, summarised: AccountSummarised) -> Account:
    """Return the state that a summary contains."""
    tokens = {token.id: token for token in summarised.tokens}
    return copied(Account, summarised, id=state.id, tokens=tokens)


def evolve_blocked(state: Account, record: Record) -> dict[PlayerId, Millis]:
    """Return the blocked players after an event."""
    match record.event:
        case PlayerBlocked(player):
            return {**state.blocked, player: record.time}
        case PlayerUnblocked(player):
            return {each: since for each, since in state.blocked.items() if each != player}
    raise NotImplementedError(type(record.event))


def evolve_tokens(state: Account, record: Record) -> dict[TokenId, NamedToken]:
    """Return the named tokens after an event."""
    match record.event:
        case TokenMade(token):
            return {**{each.id: each for each in state.live_tokens(record.time)}, token.id: token}
        case TokenUsed(token_id, day):
            return used(state.tokens, token_id, day)
        case TokenRevoked(token_id):
            return {each: token for each, token in state.tokens.items() if each != token_id}
        case OtherTokensRevoked(kept):
            return {each: token for each, token in state.tokens.items() if each == kept}
    raise NotImplementedError(type(record.event))


def used(tokens: dict[TokenId, NamedToken], token_id: TokenId, day: Millis) -> dict[TokenId, NamedToken]:
    """Return the tokens after one of them was used on a day; a token that no longer exists is not added."""
    token = tokens.get(token_id)
    return tokens if token is None else {**tokens, token_id: replace(token, used=day)}


def summary(state: Account, until: Millis) -> AccountSummarised:
    """Return the summary of a state."""
    tokens = tuple(state.tokens.values())
    return copied(AccountSummarised, state, until=until, tokens=tokens)


def due(state: Account) -> Millis | None:
    """Return when a worker deletes what is stored about an erased player elsewhere.

    By then every process knows of the erasure, and none writes anything more about the player.
    """
    return Millis(state.erased + ERASURE_TAKES) if state.erased is not None and not state.is_erasure_finished else None


ERASURE_TAKES = Millis(5_000)


ACCOUNTS: StreamKind[Account] = StreamKind(
    event=AccountEvent,
    start=lambda name: Account(PlayerId(name)),
    evolve=evolve,
    summary=summary,
    due=due,
)
"""The streams of accounts."""
