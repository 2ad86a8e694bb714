"""Which command, key and argument of an append-only file a byte belongs to."""

from bisect import bisect_right
from typing import NamedTuple


class Piece(NamedTuple):
    """An argument of a command in the file: where it begins, and what it is."""

    start: int
    end: int
    command: str
    kind: str
    """What the key is for: `room`, `head`, `lobby`, ..."""
    number: int


def pieces(content: bytes) -> list[Piece]:
    """Return all arguments of a file of commands, in order."""
    found: list[Piece] = []
    at = 0
    while at < len(content):
        if content[at : at + 1] == b"#":  # a comment with the time
            at = content.index(b"\n", at) + 1
            continue
        arguments, at = command_at(content, at)
        words = [content[start:end] for start, end in arguments]
        kind = words[1].rpartition(b"}:")[2].partition(b":")[0].decode(errors="replace") if len(words) > 1 else ""
        found += [
            Piece(start, end, words[0].decode(errors="replace").upper(), kind, number)
            for number, (start, end) in enumerate(arguments)
        ]
    return found


def command_at(content: bytes, at: int) -> tuple[list[tuple[int, int]], int]:
    """Return where the arguments of a command are, and where it ends."""
    behind = content.index(b"\r\n", at) + 2
    arguments = []
    for _ in range(int(content[at + 1 : behind - 2])):
        start = content.index(b"\r\n", behind) + 2
        end = start + int(content[behind + 1 : start - 2])
        arguments.append((start, end))
        behind = end + 2
    return arguments, behind


def piece_at(found: list[Piece], place: int) -> str:
    """Return in words what the byte at a place belongs to."""
    number = bisect_right([piece.start for piece in found], place) - 1
    if number < 0 or place >= found[number].end:
        return "length of an argument"
    piece = found[number]
    return f"{piece.command} {piece.kind} argument {piece.number}"
