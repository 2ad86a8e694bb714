"""The store's protocol, RESP 2: commands are pack_command and replies are parsed by hiredis."""

from collections.abc import Callable

import hiredis

NOT_COMPLETE = object()
"""Returned by a parser while a reply is incomplete; every other value may be a reply."""

pack_command: Callable[[tuple[bytes, ...]], bytes] = hiredis.pack_command  # type: ignore[assignment]  # its stub allows one part only
"""Returns the bytes of a command."""


def new_parser() -> hiredis.Reader:
    """Return a parser for the replies of one connection.

    It is fed with bytes and returns replies one by one, error replies as `hiredis.ReplyError`. It raises
    `hiredis.ProtocolError` for bytes that are not a reply, and cannot be used after that.
    """
    return hiredis.Reader(notEnoughData=NOT_COMPLETE)
