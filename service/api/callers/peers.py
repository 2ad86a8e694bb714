"""The peer of a connection: its address for the limits, whether it has disconnected, and how to disconnect it."""

import asyncio
from collections.abc import Callable
from typing import Any, Never

import msgspec

from service.api.callers.addresses import ClientAddresses, address_group

IS_GONE = "turnstream.is_gone"
"""The ASGI extension that returns whether a request's peer has disconnected."""

ABORT = "turnstream.abort"
"""The ASGI extension that resets a request's connection."""


class Peer(msgspec.Struct, frozen=True):
    """The other end of a connection."""

    scope: dict[str, Any]
    """The ASGI scope, for its `client` and `headers`."""
    is_gone: Callable[[], bool]

    def address(self, addresses: ClientAddresses) -> str:
        """Return the address under which limits count this peer."""
        return address_group(addresses.of(self.scope))


def peer_of(scope: dict[str, Any]) -> Peer:
    """Return the peer of a request; without the extension `IS_GONE` it counts as connected."""
    return Peer(scope, (scope.get("extensions") or {}).get(IS_GONE, lambda: False))


async def abort(scope: dict[str, Any]) -> Never:
    """Reset the connection during a response, so that the client sees that the response is incomplete."""
    scope["extensions"][ABORT]()
    while True:  # until the server cancels this, because the connection is lost
        await asyncio.Event().wait()
