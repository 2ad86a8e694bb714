"""Limits on guessing the operator token: few wrong tokens per address, wherever that token is accepted."""

import hmac

from service.api.callers.peers import Peer
from service.api.callers.tokens import bearer_token, is_player_token
from service.api.context import AppContext


def limit_guess(context: AppContext, peer: Peer, token: bytes) -> None:
    """Count a wrong token that does not have the form of a player's. Raises `ServiceError` with `rate_limited`.

    Players' tokens are not counted: an outdated one is no guess, and players share addresses.
    """
    if context.admin_token is not None and not is_player_token(token):
        check_operator_token(context, peer, token)


def check_operator_token(context: AppContext, peer: Peer, token: bytes) -> bool:
    """Return whether this is the operator token; count it if not. Raises `ServiceError` with `rate_limited`.

    The right token is never refused, because anybody can send wrong ones from an address that operators share.
    """
    is_right = context.admin_token is not None and hmac.compare_digest(token, context.admin_token)
    if not is_right:
        context.limits.admin_tokens.take(peer.address(context.addresses))
    return is_right


def limit_authorization(context: AppContext, peer: Peer, header: bytes | None) -> None:
    """Count the token of an `Authorization` header as `limit_guess` does."""
    if header is not None and context.admin_token is not None and (token := bearer_token(header)) is not None:
        limit_guess(context, peer, token)
