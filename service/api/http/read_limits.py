"""Reads have limits, too: so much by one player, and so much from one address, whatever is read and by which route."""

from service.api.callers.peers import Peer, peer_of
from service.api.context import House
from service.api.http.operator_tokens import count_header
from service.api.http.requests import Web, headers_of, house_of
from service.domain.room.model.ids import PlayerId
from service.domain.room.subjects.privacy import OPERATOR
from service.rooms.errors import ServiceError

UNCOUNTED = ("/health/", "/metrics")
"""Addresses of whoever watches over the service."""

ADMIN = "/v1/admin"

HEAVY = {"/export": 10, "/players/me": 10, "/feed": 5, "/board.svg": 4}
"""Ends of addresses that cost more than others, and how many plain reads they count as."""

LOOK_BACK = 10
"""How many plain reads a view of an earlier version counts as: it is folded from a snapshot."""

ITEMS = 100
"""How many entries of a page count as one more read."""

SUBSCRIPTION = 2
"""How many plain reads a subscription counts as: it may read what was missed."""


async def count_request(request: Web) -> None:
    """Count a GET, and what may be a guess at the operators' token, before anything is done. Refuses `rate_limited`."""
    path = request.scope["path"]
    if path.startswith(UNCOUNTED):
        return
    house, peer = house_of(request), peer_of(dict(request.scope))
    if not path.startswith(ADMIN):  # which counts them itself, for there every other token is a guess
        count_header(house, peer, headers_of(request).get(b"authorization"))
    if request.method == "GET":
        count_read(house, peer, reader_of(house, request), weight_of(request))


def count_read(house: House, peer: Peer, player: PlayerId | None, weight: int) -> None:
    """Count what costs as much as `weight` plain reads. Refuses `rate_limited`."""
    house.gate.reads_address.take(peer.address(house.addresses), weight)
    if player is not None and player != OPERATOR:
        house.gate.reads.take(player, weight)


def reader_of(house: House, request: Web) -> PlayerId | None:
    """Return who reads, None for a stranger; a token that is refused is the route's to refuse."""
    header = headers_of(request).get(b"authorization")
    try:
        return None if header is None else house.tokens.bearer(header).id
    except ServiceError:
        return None


def weight_of(request: Web) -> int:
    """Return how many plain reads a request counts as."""
    path = request.scope["path"]
    weight = next((weight for end, weight in HEAVY.items() if path.endswith(end)), 1)
    if request.scope["query_string"]:
        limit = request.query_params.get("limit", "")
        weight += LOOK_BACK if "at" in request.query_params else 0
        weight += int(limit[:4]) // ITEMS if limit.isascii() and limit.isdigit() else 0
    return weight
