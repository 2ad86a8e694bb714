"""Which command, key and argument a byte of an append-only file belongs to."""

from bisect import bisect_right
from typing import NamedTuple


class Argument(NamedTuple):
    """An argument of a command in the file."""

    start: int
    end: int
    command: str
    kind: str
    """The kind of the command's key: `room`, `head`, `lobby`, ..."""
    number: int


def parse_arguments(content: bytes) -> list[Argument]:
    """Return all arguments of a file of commands, in order."""
    found: list[Argument] = []
    at = 0
    while at < len(content):
        if content[at : at + 1] == b"#":  # an annotation with the time
            at = content.index(b"\n", at) + 1
            continue
        arguments, at = parse_command(content, at)
        values = [content[start:end] for start, end in arguments]
        kind = values[1].rpartition(b"}:")[2].partition(b":")[0].decode(errors="replace") if len(values) > 1 else ""
        found += [
            Argument(start, end, values[0].decode(errors="replace").upper(), kind, number)
            for number, (start, end) in enumerate(arguments)
        ]
    return found


def parse_command(content: bytes, at: int) -> tuple[list[tuple[int, int]], int]:
    """Return the start and end of each argument of a command, and where the command ends."""
    next_start = content.index(b"\r\n", at) + 2
    arguments = []
    for _ in range(int(content[at + 1 : next_start - 2])):
        start = content.index(b"\r\n", next_start) + 2
        end = start + int(content[next_start + 1 : start - 2])
        arguments.append((start, end))
        next_start = end + 2
    return arguments, next_start


def describe_argument(found: list[Argument], offset: int) -> str:
    """Return a description of the argument that contains the byte at an offset."""
    number = bisect_right([argument.start for argument in found], offset) - 1
    if number < 0 or offset >= found[number].end:
        return "length of an argument"
    argument = found[number]
    return f"{argument.command} {argument.kind} argument {argument.number}"
