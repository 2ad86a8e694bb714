"""What a server's error reply means for the house.

Scripts wrap the errors of the commands inside them differently by version, so an error is known by a piece of its text,
wherever it stands. Only those about the whole command stand in front.
"""

from collections.abc import Sequence

import hiredis

from service.store.contract import StoreFull, StoreUnavailable

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


class WrongTypeError(ValueError):
    """A key holds another kind of value than belongs there: the store's data are damaged."""


class Moved(Exception):  # noqa: N818 - an answer, not an error
    """Another node of the cluster serves this partition now; nothing was run."""


MEANINGS: tuple[tuple[Sequence[str], type[Exception]], ...] = (
    (("NOSCRIPT",), ScriptMissing),
    (("NOPERM", "no permissions"), NotPermitted),
    (("WRONGTYPE",), WrongTypeError),
    (OUT_OF_ROOM, StoreFull),
    (OUT_OF_SERVICE, StoreUnavailable),
)
"""What texts with one of these pieces mean; the first that fits."""


def refused(error: hiredis.ReplyError) -> Exception:
    """Return what an error reply means, the reply itself where it means a bug."""
    text = str(error)
    if text.startswith("MOVED "):
        return Moved(text)
    if text.startswith("ASK "):
        return StoreUnavailable(text)
    kinds = (kind for pieces, kind in MEANINGS if any(piece in text for piece in pieces))
    return next((kind(text) for kind in kinds), error)
