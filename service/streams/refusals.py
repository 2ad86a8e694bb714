"""What a server's error reply means for the house.

Scripts wrap the errors of the commands inside them differently by version, so an error is known by a piece of its text,
wherever it stands. Only those about the whole command stand in front.
"""

from redis.exceptions import ResponseError

from service.streams.contract import StoreFull, StoreUnavailable

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
"""Pieces of the texts that say: this server won't write (or answer) now, and it did nothing."""


OUT_OF_ROOM = ("MISCONF", "command not allowed when used memory")
"""Pieces of the texts that say: this server can't write to its disk, or has no memory left; it did nothing."""


class NotPermitted(StoreUnavailable):
    """The store's user may not do this."""


class ScriptMissing(Exception):  # noqa: N818 - an answer, not an error
    """The server doesn't know this script; nothing was run."""


class Moved(Exception):  # noqa: N818 - an answer, not an error
    """Another node of the cluster serves this partition now; nothing was run."""


def refused(error: ResponseError) -> Exception:
    """Return what an error reply means, the reply itself where it means a bug."""
    text = str(error)
    if "NOSCRIPT" in text:
        return ScriptMissing(text)
    if text.startswith("MOVED "):
        return Moved(text)
    if "NOPERM" in text or "no permissions" in text:
        return NotPermitted(text)
    if any(piece in text for piece in OUT_OF_ROOM):
        return StoreFull(text)
    if text.startswith("ASK ") or any(piece in text for piece in OUT_OF_SERVICE):
        return StoreUnavailable(text)
    return error
