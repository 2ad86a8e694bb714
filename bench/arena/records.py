"""The results of a plan as a file with one line per match, so that a stopped run can be continued."""

from collections.abc import Sequence
from pathlib import Path

import msgspec

from bench.arena.match_runner import Record
from bench.arena.schedule import BadArena, Plan


def read_records(path: Path, plan: Plan) -> list[Record]:
    """Return the matches in a file. Raises `BadArena` for a file with another plan."""
    return records(path, plan, read_lines(path, plan))


def read_lines(path: Path, plan: msgspec.Struct) -> list[bytes]:
    """Return the lines of a file after its first one; a new file gets the plan as its first line.

    An incomplete last line, as after a kill, is dropped.
    """
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(line(plan))
    whole, _, cut = path.read_bytes().rpartition(b"\n")
    if cut:
        path.write_bytes(whole + b"\n")
    return whole.splitlines()


def records(path: Path, plan: Plan, lines: Sequence[bytes]) -> list[Record]:
    """Parse the lines of a file. Raises `BadArena` if it has another plan."""
    try:
        held = msgspec.json.decode(lines[0], type=Plan) if lines else None
        found = {record.number: record for record in (msgspec.json.decode(text, type=Record) for text in lines[1:])}
    except (msgspec.ValidationError, msgspec.DecodeError) as failure:
        raise BadArena(f"{path} does not contain results of the arena: {failure}") from failure
    if held != plan:
        raise BadArena(f"{path} contains another plan; name another file with --out, or repeat its command.")
    return [found[number] for number in sorted(found)]


def append(path: Path, record: Record) -> None:
    """Append a match to the file."""
    with path.open("ab") as file:
        file.write(line(record))


def line(value: msgspec.Struct) -> bytes:
    """Return a value as a line of JSON."""
    return msgspec.json.encode(value) + b"\n"
