"""Commands as they travel: arrays of strings, each behind its size."""

from collections.abc import Sequence


def packed(parts: Sequence[bytes]) -> bytes:
    """Return a command."""
    return b"*%d\r\n%b" % (len(parts), strings(parts))


def strings(parts: Sequence[bytes]) -> bytes:
    """Return a piece of a command."""
    return b"".join([b"$%d\r\n%b\r\n" % (len(part), part) for part in parts])
