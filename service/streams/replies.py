"""What a server answers, read out of its bytes: each reply once and as a whole, however the bytes were cut (RESP 2).

+text    -error    :number    $size, then so many bytes    *size, then so many replies    $-1 or *-1 for nothing
"""

import re
from collections.abc import Callable
from typing import Any

from redis.exceptions import InvalidResponse, ResponseError

ENDLESS = -1
LINE_END = b"\r\n"
TEXT, ERROR, NUMBER, STRING, ARRAY = b"+-:$*"

THREE_STRINGS = b"*3\r\n$"
"""How a message begins."""
MESSAGE = re.compile(rb"\*3\r\n" + rb"\$([0-9]+)\r\n([^\r]*)\r\n" * 3 + rb"|(.[^*]*)", re.DOTALL)
"""Three strings, each behind its size; or whatever else there is."""


def messages(data: bytes) -> list[list[bytes]]:
    """Return the messages that these bytes are, none where they aren't just that: then they are read one by one.

    A string that holds a line's end was cut there, which its size tells.
    """
    read = []
    for one, first, two, second, three, third, other in MESSAGE.findall(data):
        if other or int(one) != len(first) or int(two) != len(second) or int(three) != len(third):
            return []
        read.append([first, second, third])
    return read


def error_of(text: bytes) -> ResponseError:
    """Return an error reply as an error that nobody has raised yet."""
    return ResponseError(text.decode(errors="replace"))


def without_replies(size: bytes) -> list[Any] | None:
    """Return an array that is empty or not there."""
    return [] if size == b"0" else None


LINES: dict[int, Callable[[bytes], Any]] = {
    TEXT: bytes,
    ERROR: error_of,
    NUMBER: int,
    ARRAY: without_replies,
}
"""By a line's first byte: the reply that ends with this line, from the rest of it."""


class Replies:
    """The replies of one connection."""

    def __init__(self) -> None:
        """Begin before the first one."""
        self._pieces: list[bytes] = []
        """What has come of a reply that hasn't ended."""
        self._lacking = 0
        """At least so many bytes of it are missing, so that a large string is put together once."""
        self._whole: list[Any] = []
        self._into, self._size = self._whole, ENDLESS
        """Where the next reply belongs, and how many replies belong there."""
        self._around: list[tuple[list[Any], int]] = []
        """The same of each array around that one, the outermost first."""

    def of(self, data: bytes) -> list[Any]:
        """Return the replies that end within these bytes, errors as `ResponseError`. Raises `InvalidResponse`."""
        self._pieces.append(data)
        self._lacking -= len(data)
        if self._lacking > 0:
            return []
        try:
            self._read(b"".join(self._pieces))
        except (KeyError, ValueError) as misfit:
            raise InvalidResponse(f"this is no reply: {misfit}") from misfit
        whole = self._whole.copy()
        self._whole.clear()
        return whole

    def _read(self, data: bytes) -> None:
        if not self._around and data.startswith(THREE_STRINGS) and (told := messages(data)):
            self._whole += told
            self._pieces, self._lacking = [], 0
            return
        into, full = self._into, self._size
        at, have, self._lacking = 0, len(data), 0
        while (line_end := data.find(LINE_END, at)) >= 0:
            kind, begin = data[at], line_end + 2
            if kind == STRING:
                end = begin + int(data[at + 1 : line_end])
                if end < begin:
                    at = begin
                    into.append(None)
                elif end + 2 > have:
                    self._lacking = end + 2 - have
                    break
                else:
                    at = end + 2
                    into.append(data[begin:end])
            elif kind == ARRAY and (size := int(data[at + 1 : line_end])) > 0:
                self._around.append((into, full))
                into, full, at = [], size, begin
                continue
            else:
                into.append(LINES[kind](data[at + 1 : line_end]))
                at = begin
            while len(into) == full:
                array = into
                into, full = self._around.pop()
                into.append(array)
        self._into, self._size = into, full
        self._pieces = [data[at:]] if at < have else []
