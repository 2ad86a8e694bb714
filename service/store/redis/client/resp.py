"""The store's protocol, RESP 2: commands are packed and replies are parsed by hiredis."""

from collections.abc import Callable

import hiredis

NOT_COMPLETE = object()
"""Returned by a parser while a reply is incomplete; every other value may be a reply."""

pack_command: Callable[[tuple[bytes, ...]], bytes] = hiredis.pack_command  # type: ignore[assignment]  # its stub allows one part only
"""Returns the bytes of a command."""


class Lengths(dict[int, bytes]):
    """What is sent before a part of each length; those of short parts are kept, because formatting them costs most."""

    def __missing__(self, length: int) -> bytes:
        """Return it for a long part."""
        return b"$%d\r\n" % length


LENGTHS = Lengths({length: b"$%d\r\n" % length for length in range(1024)})


def new_parser() -> hiredis.Reader:
    """Return a parser for the replies of one connection.

    It is fed with bytes and returns replies one by one, error replies as `hiredis.ReplyError`. It raises
    `hiredis.ProtocolError` for bytes that are not a reply, and cannot be used after that.
    """
    return hiredis.Reader(notEnoughData=NOT_COMPLETE)


def whole(score: bytes) -> bytes:
    """Return a score of a sorted set without decimals, unchanged if it is not a whole number."""
    number = float(score)
    return b"%d" % number if number.is_integer() else score
