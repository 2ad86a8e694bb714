"""Who is at the other end of a connection: an address for the limits, and whether it has hung up."""

from collections.abc import Callable
from typing import Any

import msgspec

from service.api.callers.addresses import Addresses, network

IS_GONE = "turnstream.is_gone"
"""The ASGI extension that tells whether a request's peer has hung up."""


class Peer(msgspec.Struct, frozen=True):
    """The other end of a connection."""

    scope: dict[str, Any]
    """What ASGI calls `client` and `headers`."""
    is_gone: Callable[[], bool]

    def address(self, addresses: Addresses) -> str:
        """Return the address as limits count it."""
        return network(addresses.of(self.scope))


def peer_of(scope: dict[str, Any]) -> Peer:
    """Return the peer of a request; one whose server cannot say so counts as being there."""
    return Peer(scope, (scope.get("extensions") or {}).get(IS_GONE, lambda: False))
