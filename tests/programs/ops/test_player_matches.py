"""`turnstream player-matches`: verify and rebuild on the command line, and the index after an import."""

import asyncio
from pathlib import Path

import msgspec
import pytest

from service.people.player_matches.rows import every_player
from service.programs.store_setup import signer_of
from service.rooms.match_index import ENTRY
from service.runtime.settings import Settings
from service.store.integrity import sign_match
from service.store.redis.keys import Keys
from service.store.redis.store import RedisStore
from tests.e2e.processes import SECRET
from tests.programs.ops.conftest import Verb
from tests.programs.ops.test_verify import key_of
from tests.rooms.processes import ANNA, BEN
from tests.store_server import StoreServer

KEYS = Keys(16)
PLAYED, RESULTS = KEYS.of("played", ANNA.id), KEYS.of("results", ANNA.id)


def test_the_index_is_made_again(full_store: StoreServer, verb: Verb) -> None:
    """From all rooms; what was missing before is named, nothing of it is wrong afterwards."""
    full_store.execute("DEL", *full_store.execute("KEYS", "*outbox*"))
    missing = verb(full_store, "player-matches", "verify")
    assert missing.code == 1
    assert [line.split()[1] for line in missing.lines] == ["p-anna:", "p-ben:", "matches"]
    assert missing.lines[-1] == "0 matches of players, problems: 2"
    rebuilt = verb(full_store, "player-matches", "rebuild")
    assert (rebuilt.code, rebuilt.lines) == (0, ["2 matches of 2 players"])
    assert verb(full_store, "player-matches", "verify").lines == ["2 matches of players, problems: 0"]
    assert verb(full_store, "player-matches", "rebuild").lines == rebuilt.lines


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (("ZREM", PLAYED), "is missing"),
        (("HSET", RESULTS, "morris", "7 0 0 7 0 0"), "results p-anna: morris"),
        (("HSET", RESULTS, ".", "1"), "results p-anna: ."),
        (("ZADD", PLAYED), "differs from its room"),
        (("ZADD", PLAYED, "XX", "INCR", "5"), "is not where it ended"),
    ],
)
def test_what_differs_is_found(full_store: StoreServer, verb: Verb, damage: tuple[str | bytes, ...], said: str) -> None:
    """A missing match, a wrong count, a wrong time, a changed row."""
    verb(full_store, "player-matches", "rebuild")
    full_store.execute("DEL", *full_store.execute("KEYS", "*outbox*"))
    [row] = full_store.execute("ZRANGE", PLAYED, "0", "-1")
    if damage == ("ZADD", PLAYED):
        full_store.execute("ZREM", PLAYED, row)
        damage = (*damage, row.split(b",")[1], row.replace(b"won", b"lost"))
    full_store.execute(*damage, *([row] if damage[0] == "ZREM" or "INCR" in damage else []))
    verified = verb(full_store, "player-matches", "verify")
    assert verified.code == 1
    assert said in "".join(verified.lines), verified.lines


def test_a_match_that_is_still_to_be_delivered_is_not_missing(full_store: StoreServer, verb: Verb) -> None:
    """However long ago it ended: no worker runs."""
    assert verb(full_store, "player-matches", "verify").lines == ["0 matches of players, problems: 0"]


def test_the_matches_of_a_room_with_a_damaged_index_follow_from_its_events(full_store: StoreServer, verb: Verb) -> None:
    """So its players' matches are not damaged, and are rebuilt."""
    full_store.execute("HSET", KEYS.at("matches", key_of(full_store, "finished")), "1", "{}")
    assert verb(full_store, "player-matches", "rebuild").lines == ["2 matches of 2 players"]
    assert verb(full_store, "player-matches", "verify").code == 0
    assert "match 1" in verb(full_store, "verify", "--all").lines[0]


def test_a_match_of_no_room_is_found(full_store: StoreServer, verb: Verb) -> None:
    """As after a part of a store was lost."""
    verb(full_store, "player-matches", "rebuild")
    full_store.execute("DEL", KEYS.at("matches", key_of(full_store, "finished")))
    verified = verb(full_store, "player-matches", "verify")
    assert sum("is in no room" in line for line in verified.lines) == 2


def test_an_import_writes_it(full_store: StoreServer, empty_store: StoreServer, verb: Verb, tmp_path: Path) -> None:
    """From the rooms of the file."""
    assert verb(full_store, "export", tmp_path / "rooms").code == 0
    assert verb(empty_store, "import", tmp_path / "rooms").code == 0
    assert verb(empty_store, "player-matches", "verify").lines == ["2 matches of players, problems: 0"]


def test_entries_of_earlier_releases_are_completed_from_the_events(full_store: StoreServer, verb: Verb) -> None:
    """They had no kind; without the events others do not see these matches. Both are intact."""
    key = key_of(full_store, "finished")

    async def shorten() -> None:
        store = RedisStore(full_store.url, signer=signer_of(Settings(secret=SECRET)))
        [entry] = [ENTRY.decode(data or b"") for data in await store.matches(key, [1])]
        older = msgspec.json.encode(msgspec.structs.replace(entry, kind=msgspec.UNSET))
        full_store.execute("HSET", KEYS.at("matches", key), 1, sign_match(store.signer, key, 1, older))
        await store.close()

    asyncio.run(shorten())
    assert verb(full_store, "verify", "--all").code == 0
    verb(full_store, "player-matches", "rebuild")
    assert b"false,null,false" in full_store.execute("ZRANGE", PLAYED, "0", "-1")[0]
    full_store.execute("XTRIM", KEYS.stream(key), "MAXLEN", "0")
    full_store.execute("DEL", KEYS.of("name", key.name))
    verb(full_store, "player-matches", "rebuild")
    assert b"false,null,true" in full_store.execute("ZRANGE", PLAYED, "0", "-1")[0]


def test_the_players_of_an_index_are_listed(full_store: StoreServer, verb: Verb) -> None:
    """On all pages."""
    verb(full_store, "player-matches", "rebuild")

    async def players() -> list[str]:
        store = RedisStore(full_store.url)
        found = await every_player(store)
        await store.close()
        return list(found)

    assert asyncio.run(players()) == [ANNA.id, BEN.id]
