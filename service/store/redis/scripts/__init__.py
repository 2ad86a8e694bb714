"""The scripts that run inside the store, each a Lua file that documents its keys and arguments."""

import hashlib
from pathlib import Path

import msgspec

from service.store.write_guard import Requires


class Script(msgspec.Struct, frozen=True):
    """A script's source, its SHA-1 hash for EVALSHA, and what it requires of the store."""

    source: bytes
    sha: bytes
    requires: Requires


def script(name: str, requires: Requires) -> Script:
    """Return the script in the file `<name>.lua` of this folder."""
    source = (Path(__file__).parent / f"{name}.lua").read_bytes()
    sha = hashlib.sha1(source, usedforsecurity=False).hexdigest().encode()
    return Script(source, sha, requires)


APPEND = script("append", Requires.COUNTED)
DUE = script("due", Requires.NOTHING)
CLAIM = script("claim", Requires.SPACE)
LOBBY = script("lobby", Requires.NOTHING)
SAVE_SNAPSHOT = script("save_snapshot", Requires.SOUND)
FIND_SNAPSHOT = script("find_snapshot", Requires.NOTHING)
DROP_SNAPSHOT = script("drop_snapshot", Requires.SOUND)
REMEMBER = script("remember", Requires.SOUND)
SAY = script("say", Requires.SPACE)
ATTEND = script("attend", Requires.SPACE)
BEAT = script("beat", Requires.SPACE)
DECLARE_DEAD = script("declare_dead", Requires.SPACE)
PULSE = script("pulse", Requires.COMPARED)
READ_CLOCK = script("read_clock", Requires.NOTHING)
CORRECT_CLOCK = script("correct_clock", Requires.COMPARED)
KEEP = script("keep", Requires.SPACE)
TRIM = script("trim", Requires.COMPARED)
SCRUB = script("scrub", Requires.SPACE)
SETTLE_OUTBOX = script("settle_outbox", Requires.SPACE)
SETTLE_WEBHOOKS = script("settle_webhooks", Requires.SPACE)
REPLACE_LINES = script("replace_lines", Requires.SPACE)
TRIM_BEFORE = script("trim_before", Requires.COMPARED)
UPDATE_BOARD = script("update_board", Requires.SOUND)
PUBLISH_BOARD = script("publish_board", Requires.SOUND)
BEGIN_BOARD = script("begin_board", Requires.SOUND)
ADD_NOTABLE = script("add_notable", Requires.SOUND)
ADD_NAME = script("add_name", Requires.SOUND)
SIGN_VALUE = script("sign_value", Requires.SOUND)
ADD_MATCHES = script("add_matches", Requires.SOUND)
