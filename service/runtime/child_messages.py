"""Messages between a process and its child over a connected socket: four bytes of length, then the message.

Each side notices the end of the other one by the end of the connection. So a child has no other end of it open, and
needs neither a signal nor a timer to exit with its parent.
"""

import os
import socket
from collections.abc import Callable
from contextlib import suppress

SIZE = 4
"""The number of bytes of the length."""

LARGEST = 4 * 1024 * 1024
"""The largest message in bytes; a request to pair 512 players with 62 opponents each has half a megabyte."""

BEGUN = b""
"""Sent by a child that has read a request, before it works on it."""


def framed(message: bytes) -> bytes:
    """Return a message with its length. Raises `OSError` for one that is too large."""
    if len(message) > LARGEST:
        raise OSError(f"a message of {len(message)} bytes is too large")
    return len(message).to_bytes(SIZE, "big") + message


def send(connection: socket.socket, message: bytes, *descriptors: int) -> None:
    """Send a message, a short one with file descriptors. Raises `OSError`."""
    if descriptors:
        socket.send_fds(connection, [framed(message)], descriptors)
    else:
        connection.sendall(framed(message))


def receive(connection: socket.socket) -> tuple[bytes, list[int]]:
    """Wait for a message and return it, with the descriptors sent with it. Raises `EOFError` or `OSError`."""
    begin, descriptors, _, _ = socket.recv_fds(connection, SIZE, 1)
    head = begin + exactly(connection, SIZE - len(begin)) if begin else exactly(connection, SIZE)
    return exactly(connection, int.from_bytes(head, "big")), descriptors


def exactly(connection: socket.socket, size: int) -> bytes:
    """Return this many bytes. Raises `EOFError` if the connection ends before."""
    found = bytearray()
    while len(found) < size:
        if not (more := connection.recv(size - len(found))):
            raise EOFError("the connection has ended")
        found += more
    return bytes(found)


def answer_requests(connection: socket.socket, answer: Callable[[bytes], bytes]) -> None:
    """In a child: send the own process id, then answer requests one after the other until the parent has ended."""
    with suppress(EOFError, OSError):
        send(connection, b"%d" % os.getpid())
        while True:
            request, _ = receive(connection)
            send(connection, BEGUN)
            send(connection, answer(request))
