"""One command to a store server on a Unix socket, without an event loop."""

import socket
from pathlib import Path
from typing import Any

import hiredis

REPLY_PATIENCE = 5.0
"""Seconds for a server to reply."""

INCOMPLETE = object()
"""Returned by the parser while a reply is incomplete."""

UNANSWERED = (hiredis.HiredisError, OSError, EOFError)
"""What `reply_of` raises: an error reply, or why there was none."""


def reply_of(path: Path, *command: str) -> Any:
    """Return the reply to one command of the server on this socket. Raises one of `UNANSWERED`."""
    reader = hiredis.Reader(notEnoughData=INCOMPLETE)
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(REPLY_PATIENCE)
        connection.connect(str(path))
        connection.sendall(hiredis.pack_command(command))  # type: ignore[arg-type]  # its stub allows one part only
        while (reply := reader.gets()) is INCOMPLETE:
            if not (data := connection.recv(65536)):
                raise EOFError("the store hung up")
            reader.feed(data)
    if isinstance(reply, hiredis.ReplyError):
        raise reply
    return reply
