"""The fold of an account."""

from msgspec.structs import replace

from service.domain.accounts import model
from service.domain.accounts.model import Account
from service.domain.ids import Millis, PlayerId
from service.domain.streams import Record, StreamKind
from service.domain.structs import copied


def evolve(state: Account, record: Record) -> Account:  # noqa: C901, PLR0911 - one arm per event
    """Return the state after an event."""
    tokens, blocked = state.tokens, state.blocked
    match record.event:
        case model.TokenMade(token):
            return replace(
                state, tokens={**{each.id: each for each in state.live_tokens(record.time)}, token.id: token}
            )
        case model.TokenUsed(token_id, day):
            used = {token_id: replace(tokens[token_id], used=day)} if token_id in tokens else {}
            return replace(state, tokens={**tokens, **used})
        case model.TokenRevoked(token_id):
            return replace(state, tokens={each: token for each, token in tokens.items() if each != token_id})
        case model.OtherTokensRevoked(kept):
            is_replaced = state.guest_token_replaced or kept is not None
            left = {each: token for each, token in tokens.items() if each == kept}
            return replace(state, tokens=left, guest_token_replaced=is_replaced)
        case model.RecoveryCodeMade(recovery):
            return replace(state, recovery=recovery)
        case model.PlayerRecovered(token):
            return replace(state, tokens={token.id: token}, recovery=None, guest_token_replaced=True)
        case model.PlayerBlocked(player):
            return replace(state, blocked={**blocked, player: record.time})
        case model.PlayerUnblocked(player):
            return replace(state, blocked={each: since for each, since in blocked.items() if each != player})
        case model.ProfileHidden(hidden, challengers):
            return replace(state, hidden=hidden, challengers=challengers or state.challengers)
        case model.AccountErased():
            return Account(state.id, guest_token_replaced=True, erased=record.time)
        case model.ErasureFinished():
            return replace(state, is_erasure_finished=True)
        case model.AccountSummarised() as summarised:
            return copied(Account, summarised, id=state.id, tokens={token.id: token for token in summarised.tokens})
    raise NotImplementedError(type(record.event))


def summary(state: Account, until: Millis) -> model.AccountSummarised:
    """Return the summary of a state."""
    tokens = tuple(state.tokens.values())
    return copied(model.AccountSummarised, state, until=until, tokens=tokens)


def due(state: Account) -> Millis | None:
    """Return when a worker deletes what is stored about an erased player elsewhere.

    By then every process knows of the erasure, and none writes anything more about the player.
    """
    return Millis(state.erased + ERASURE_TAKES) if state.erased is not None and not state.is_erasure_finished else None


ERASURE_TAKES = Millis(5_000)


ACCOUNTS: StreamKind[Account] = StreamKind(
    event=model.AccountEvent,
    start=lambda name: Account(PlayerId(name)),
    evolve=evolve,
    summary=summary,
    due=due,
)
"""The streams of accounts."""
