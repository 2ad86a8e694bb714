"""The scripts that run inside the store, each a Lua file with its keys and arguments on top."""

import hashlib
from pathlib import Path

import msgspec


class Script(msgspec.Struct, frozen=True):
    """A script's source, its hash (by which a server that knows it runs it), and whether it may write."""

    source: bytes
    sha: bytes
    writes: bool


def script(name: str, *, writes: bool = True) -> Script:
    """Return the script of the file `<name>.lua` beside this one; `writes` says whether it may change anything."""
    source = (Path(__file__).parent / f"{name}.lua").read_bytes()
    sha = hashlib.sha1(source, usedforsecurity=False).hexdigest().encode()
    return Script(source, sha, writes)


APPEND = script("append")
CLAIM = script("claim")
LOBBY = script("lobby", writes=False)
SAVE_SNAPSHOT = script("save_snapshot")
FIND_SNAPSHOT = script("find_snapshot", writes=False)
DROP_SNAPSHOT = script("drop_snapshot")
REMEMBER = script("remember")
SAY = script("say")
ATTEND = script("attend")
BEAT = script("beat")
DECLARE_DEAD = script("declare_dead")
PULSE = script("pulse")
READ_CLOCK = script("read_clock", writes=False)
CORRECT_CLOCK = script("correct_clock")
KEEP = script("keep")
TRIM = script("trim")
SCRUB = script("scrub")
