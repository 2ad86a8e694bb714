"""The store's protocol, RESP 2: commands are packed and replies are parsed by hiredis."""

from collections.abc import Iterable
from typing import Any

import hiredis

NOT_COMPLETE = object()
"""Returned by the parser while a reply is incomplete; every other value may be a reply."""


def packed(parts: Iterable[bytes]) -> bytes:
    """Return the bytes of a command."""
    command: bytes = hiredis.pack_command(tuple(parts))  # type: ignore[arg-type]  # its stub allows one part only
    return command


class Replies:
    """Parses the replies of one connection."""

    def __init__(self) -> None:
        """Expect the first reply."""
        self._reader = hiredis.Reader(notEnoughData=NOT_COMPLETE)

    def of(self, data: bytes) -> list[Any]:
        """Return the replies that these bytes complete, error replies as `hiredis.ReplyError`.

        Raises `hiredis.ProtocolError` for bytes that are no reply; the connection is of no use then.
        """
        self._reader.feed(data)
        return list(iter(self._reader.gets, NOT_COMPLETE))
