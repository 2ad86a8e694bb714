"""Limits on reads over all routes, and on guesses of the operator token."""

from service.api.http.context import AppContext, context_of
from service.api.http.headers import count
from service.api.http.parameters import HttpRequest
from service.api.http.peers import Peer, peer_of
from service.api.http.requests import headers_of
from service.api.http.tokens import bearer_token, is_player_token
from service.domain.ids import PlayerId
from service.domain.room.subjects.privacy import OPERATOR
from service.streams.errors import ServiceError


def limit_guess(context: AppContext, peer: Peer, token: bytes) -> None:
    """Count a wrong token that does not have the form of a player's. Raises `ServiceError` with `rate_limited`.

    Players' tokens are not counted: an outdated one is no guess, and players share addresses.
    """
    if context.has_operators and not is_player_token(token):
        context.operator_of(peer, token)


def limit_authorization(context: AppContext, peer: Peer, header: bytes | None) -> None:
    """Count the token of an `Authorization` header as `limit_guess` does."""
    if header is not None and context.has_operators and (token := bearer_token(header)) is not None:
        limit_guess(context, peer, token)


UNLIMITED_PATHS = ("/health/", "/metrics")
"""Paths for monitoring, which are not limited."""

ADMIN_PATH = "/v1/admin"

PATH_COSTS = {
    "/export": 10,
    "/analysis": 10,
    "/players/me": 10,
    "/v1/chat": 10,
    "/feed": 5,
    "/ratings": 5,
    "/openapi.json": 5,
    "/board.svg": 4,
    "/asyncapi.json": 2,
}
"""Ends of paths of expensive reads, with the number of reads that each counts as."""

PAST_VERSION_COST = 10
"""The number of reads that a view of an earlier version counts as: it is folded from a snapshot."""

ITEMS_PER_READ = 100
"""How many entries of a page count as one more read."""

TOURNAMENTS_OF_PLAYER_COST = 10
"""The number of additional reads that a search of all open tournaments for a player counts as."""

SUBSCRIPTION_COST = 2
"""The number of reads that a subscription counts as: it may read missed events."""

CHAT_COST = 10
"""The number of reads that a subscription to the chat counts as: it may read many rooms."""


async def limit_request(request: HttpRequest) -> None:
    """Count a GET, and a possible guess of the operator token. Raises `ServiceError` with `rate_limited`."""
    path = request.scope["path"]
    if path.startswith(UNLIMITED_PATHS):
        return
    context, peer = context_of(request), peer_of(dict(request.scope))
    if not path.startswith(ADMIN_PATH):  # whose routes count every other token as a guess
        limit_authorization(context, peer, headers_of(request).get(b"authorization"))
    if request.method == "GET":
        limit_read(context, peer, reader_of(context, request), cost_of(request))


def limit_read(context: AppContext, peer: Peer, player: PlayerId | None, weight: int) -> None:
    """Count a read that costs as much as `weight` plain reads; an operator's reads are not limited.

    What the player's limit refuses is not counted against the address, which others share. Raises `ServiceError` with
    `rate_limited`.
    """
    if player == OPERATOR:
        return
    if player is not None:
        context.limits.reads.check(player)
    count(peer, context.limits.reads_address, peer.address(context.addresses), weight)
    if player is not None:
        count(peer, context.limits.reads, player, weight)


def reader_of(context: AppContext, request: HttpRequest) -> PlayerId | None:
    """Return the player who reads, None without a valid token; the route itself refuses an invalid one."""
    header = headers_of(request).get(b"authorization")
    try:
        return None if header is None else context.callers.of_header(header).player.id
    except ServiceError:
        return None


def cost_of(request: HttpRequest) -> int:
    """Return the number of plain reads that a request counts as."""
    path = request.scope["path"]
    weight = next((weight for end, weight in PATH_COSTS.items() if path.endswith(end)), 1)
    if request.scope["query_string"]:
        limit = request.query_params.get("limit", "")
        weight += PAST_VERSION_COST if "at" in request.query_params else 0
        weight += int(limit[:4]) // ITEMS_PER_READ if limit.isascii() and limit.isdigit() else 0
    return weight
