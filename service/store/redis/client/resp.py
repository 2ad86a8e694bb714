"""The store's protocol, RESP 2: commands are packed and replies are parsed by hiredis; and what error replies mean.

Versions differ in how a script's error wraps the error of a command inside it. So an error is recognised by a piece of
its text anywhere; only redirections of the whole command have to be at the beginning.
"""

from collections.abc import Callable, Sequence

import hiredis

from service.store.contract import CounterDamaged, StoreDamaged, StoreFull, StoreUnavailable

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


OUT_OF_SERVICE = (
    "READONLY",
    "read only replica",
    "LOADING",
    "loading the dataset",
    "BUSY ",
    "NOREPLICAS",
    "MASTERDOWN",
    "UNBLOCKED",
    "WAIT cannot be used",
    "Link with MASTER is down",
    "CLUSTERDOWN",
    "cluster is down",
    "Hash slot not served",
    "TRYAGAIN",
    "Multiple keys request during rehashing",
    "NOAUTH",
    "Authentication required",
    "can't run this command",
)
"""In errors of a server that cannot execute commands now. It did nothing."""


OUT_OF_ROOM = ("MISCONF", "command not allowed when used memory")
"""In errors of a server that cannot write to its disk or has no memory left. It did nothing."""


class NotPermitted(StoreUnavailable):
    """The store's user lacks the permission for a command."""


class ScriptMissing(Exception):  # noqa: N818 - a redirection, not an error
    """The server does not know the script; nothing was executed."""


class Moved(Exception):  # noqa: N818 - a redirection, not an error
    """Another node of the cluster serves the partition now; nothing was executed."""


MEANINGS: tuple[tuple[Sequence[str], type[Exception]], ...] = (
    (("NOSCRIPT",), ScriptMissing),
    (("NOPERM", "no permissions"), NotPermitted),
    (("WRONGTYPE",), StoreDamaged),
    (("value is not an integer",), CounterDamaged),
    (OUT_OF_ROOM, StoreFull),
    (OUT_OF_SERVICE, StoreUnavailable),
)
"""Pieces of an error's text, and the exception that they mean. The first match counts."""


def error_of(error: hiredis.ReplyError) -> Exception:
    """Return the exception for an error reply: the reply itself if it has no meaning here, which is a bug."""
    text = str(error)
    if text.startswith("MOVED "):
        return Moved(text)
    if text.startswith("ASK "):
        return StoreUnavailable(text)
    kinds = (kind for pieces, kind in MEANINGS if any(piece in text for piece in pieces))
    return next((kind(text) for kind in kinds), error)
