"""`turnstream verify` on a store: intact rooms pass, and each kind of damage is found."""

import asyncio
import json
import random
import re
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from service.contests.notable import NotableService
from service.contests.rating_service import RatingService
from service.domain.accounts.kind import ACCOUNTS
from service.domain.challenges.decide import ChallengeRequest
from service.domain.ids import DAY, Epoch, Millis, PlayerId, RoomKey, RoomName
from service.domain.ratings.model import ListId
from service.people.account_service import AccountService
from service.people.known_tokens import account_key
from service.people.matchmaking import challenges
from service.people.matchmaking.blocks import Asking
from service.people.matchmaking.service import Matchmaking
from service.people.player_matches.service import PlayerMatchService
from service.people.player_service import PlayerService, player_key
from service.programs.store_setup import signer_of
from service.rooms.service import RoomCore, RoomService
from service.runtime.environment import HashedNames
from service.runtime.settings import Settings
from service.store.redis.keys import Keys
from service.store.redis.store import RedisStore
from service.store.stream_keys import NOTABLE, PLAYED, PLAYER, KindKey, OutboxKey
from service.streams.heartbeat import Heartbeat
from service.streams.outboxes import Outboxes
from service.streams.processor import StreamProcessor
from service.streams.repository import StreamRepository
from service.streams.retention import KEPT_FOR
from tests.contests.ratings.matches import ended
from tests.e2e.processes import SECRET
from tests.e2e.test_damaged_store import flipped, kind_of, values_of, with_value
from tests.programs.ops.conftest import Verb
from tests.programs.ops.test_notable import play_one
from tests.programs.ops.test_ratings import fill_lists
from tests.rooms.processes import ANNA, BEN, CLARA, DORA, IDS, MARK_KEY, NOON, Clock
from tests.store_server import StoreServer

KEYS = Keys(16)


def key_of(store: StoreServer, name: str) -> RoomKey:
    """Return the open room of a name."""
    return RoomKey(RoomName(name), Epoch(store.execute("GET", KEYS.of("name", RoomName(name))).decode()))


def change_event(store: StoreServer, stream: bytes, version: int, old: bytes, new: bytes) -> None:
    """Change one event and nothing else, like a flipped bit in the file."""
    entries = store.execute("XRANGE", stream, "-", "+")
    store.execute("DEL", stream)
    for entry_id, fields in entries:
        if entry_id == b"%d-0" % version:
            assert old in fields[1]
            fields[1] = fields[1].replace(old, new)
        store.execute("XADD", stream, entry_id, *fields)


def test_all_rooms_or_some_are_intact(full_store: StoreServer, verb: Verb) -> None:
    """Including closed ones, which are named with their epochs."""
    assert verb(full_store, "verify", "--all").lines == ["5 rooms, 28 events, damaged: 0"]
    assert verb(full_store, "verify", "--room", "finished", "--room", "again").lines[-1].startswith("2 rooms")


def test_a_changed_event_is_found(full_store: StoreServer, verb: Verb) -> None:
    """By the first digest that does not match; the other rooms are checked as well."""
    stream = KEYS.stream(key_of(full_store, "finished"))
    change_event(full_store, stream, 7, b'"at":"a1"', b'"at":"a4"')
    said = verb(full_store, "verify", "--all")
    assert said.code == 1
    assert said.lines[0].startswith("DAMAGED finished:")
    assert "version 7 is not what was written" in said.lines[0]
    assert said.lines[-1].startswith("5 rooms")


async def fill_streams(url: str) -> None:
    """Add a challenge, which two players receive, and an account whose stream was trimmed."""
    settings = Settings(secret=SECRET)
    store, clock = RedisStore(url, signer=signer_of(settings)), Clock()
    rooms = RoomService(RoomCore(store, clock, MARK_KEY), HashedNames())
    players = PlayerService(Heartbeat(store), clock.now, MARK_KEY, rooms)
    accounts = AccountService(Heartbeat(store), clock, lambda: f"id{next(IDS)}", [MARK_KEY])
    ratings = RatingService(store, clock.now)
    matches = PlayerMatchService(store, rooms, accounts.is_erased, ratings.state_in)
    asking = Asking(players.can_be_asked, accounts, matches.have_met)
    found = Matchmaking(store, clock, rooms, asking, ratings.points, lambda: f"id{next(IDS)}")
    await found.challenges.challenge(ChallengeRequest("morris", (BEN.id,)), ANNA)
    notable = NotableService(store, rooms, clock.now)
    for partition in range(16):
        await Outboxes(store, {PLAYER: players.receive, PLAYED: matches.receive, NOTABLE: notable.receive}).drain(
            OutboxKey(partition)
        )
    accounts_of = StreamProcessor(StreamRepository(store, ACCOUNTS, size=1), clock.now)
    for player in (BEN, CLARA):
        await accounts.block(ANNA.id, player.id)
    clock.time = Millis(clock.time + 2 * KEPT_FOR)
    await accounts_of.proceed(account_key(ANNA.id))
    await accounts.block(ANNA.id, DORA.id)
    for each in (accounts_of, accounts, players, found, store):
        await each.close()


def test_all_other_streams_are_intact_too(full_store: StoreServer, verb: Verb) -> None:
    """One line for each kind that there is; of a trimmed stream what it has is checked."""
    asyncio.run(fill_streams(full_store.url))
    assert verb(full_store, "verify", "--all").lines == [
        "account: 1 streams, 2 events, damaged: 0",
        "challenges: 1 streams, 1 events, damaged: 0",
        "player: 2 streams, 10 events, damaged: 0",
        "5 rooms, 28 events, damaged: 0",
    ]


ACCOUNT, CHALLENGES, BENS = account_key(ANNA.id), challenges.key_of(ANNA.id), player_key(BEN.id)


@pytest.mark.parametrize(
    ("key", "damage", "expected"),
    [
        (BENS, ("SET", "head", "1 wrong"), "head"),
        (BENS, ("SET", "head", "nonsense"), "events are missing"),
        (BENS, ("DEL", "stream"), "events are missing"),
        (CHALLENGES, ("XADD", "stream", "2-0", "e", "{}", "d", "x"), "head"),
        (ACCOUNT, ("XDEL", "stream", "3-0"), "version 4 comes directly after version 2"),
        (ACCOUNT, ("XTRIM", "stream", "MAXLEN", "=", "1"), "no summary follows version 4"),
        (ACCOUNT, ("SET", "stream", "x"), "cannot be read"),
    ],
)
def test_a_damaged_stream_is_found_and_left_out_of_backups(
    full_store: StoreServer, verb: Verb, tmp_path: Path, key: KindKey, damage: tuple[str, ...], expected: str
) -> None:
    """It is named with its kind, the others are counted as intact, and all rooms are in the backup."""
    asyncio.run(fill_streams(full_store.url))
    command, what, *rest = damage
    where = {"stream": KEYS.stream(key), "head": KEYS.head(key)}[what]
    if command == "SET" and what == "stream":
        full_store.execute("DEL", where)
    full_store.execute(command, where, *rest)
    said = verb(full_store, "verify", "--all")
    assert said.code == 1
    [finding] = [line for line in said.lines if line.startswith("DAMAGED")]
    assert finding.startswith(f"DAMAGED {key.kind} {key.id}: ")
    assert expected in finding
    assert said.lines[-1] == "5 rooms, 28 events, damaged: 1"
    made = verb(full_store, "backup", tmp_path)
    assert (made.code, made.error.count("DAMAGED")) == (1, 1)
    assert f"DAMAGED {key.kind} {key.id}: " in made.error


def test_a_changed_event_of_a_stream_is_found(full_store: StoreServer, verb: Verb) -> None:
    """By its digest."""
    asyncio.run(fill_streams(full_store.url))
    change_event(full_store, KEYS.stream(BENS), 1, b'"game":"morris"', b'"game":"ternio"')
    said = verb(full_store, "verify", "--all")
    assert said.lines[2] == f"DAMAGED player {BEN.id}: version 1 is not what was written: its digest does not match"


@pytest.mark.parametrize(
    ("name", "damage", "expected"),
    [
        ("finished", ("XDEL", "stream", "4-0"), "version 5 comes directly after version 3"),
        ("finished", ("XTRIM", "stream", "MAXLEN", "=", "2"), "are missing"),
        ("finished", ("SET", "head", "8 wrong"), "head"),
        ("finished", ("HSET", "matches", "1", "{}"), "match 1"),
        ("finished", ("DEL", "name"), "name is free"),
    ],
)
def test_data_that_do_not_match_the_events_are_found(
    full_store: StoreServer, verb: Verb, name: str, damage: tuple[str, ...], expected: str
) -> None:
    """A gap, a trimmed beginning, a wrong head, a wrong index, a lost name."""
    key = key_of(full_store, name)
    command, what, *rest = damage
    where = {
        "stream": KEYS.stream(key),
        "head": KEYS.head(key),
        "matches": KEYS.at("matches", key),
        "name": KEYS.of("name", key.name),
    }
    full_store.execute(command, where[what], *rest)
    said = verb(full_store, "verify", "--room", f"{key.name}:{key.epoch}")
    assert said.code == 1
    assert expected in said.lines[0]


def test_a_changed_snapshot_is_found(full_store: StoreServer, verb: Verb) -> None:
    """No process would use it, but it shows that the store's data are changed."""
    snapshots = KEYS.at("states", key_of(full_store, "finished"))
    latest = full_store.execute("HGET", snapshots, "latest")
    kept = full_store.execute("HGET", snapshots, latest)
    full_store.execute("HSET", snapshots, latest, kept.replace(b'"creator":"p-anna"', b'"creator":"p-ben"'))
    said = verb(full_store, "verify", "--room", "finished")
    assert said.code == 1
    assert "is not what was written: its MAC does not match" in said.lines[0]


def test_a_snapshot_with_another_key_is_ignored(full_store: StoreServer, verb: Verb) -> None:
    """And so are MACs: the operator may have replaced the key without keeping the old one."""
    assert verb(full_store, "verify", "--all", secret=SECRET[::-1]).code == 0


def test_an_unknown_room_has_another_exit_code(full_store: StoreServer, verb: Verb) -> None:
    """2: nothing was checked, so nothing was found damaged."""
    said = verb(full_store, "verify", "--room", "nowhere")
    assert (said.code, said.lines) == (2, [])
    assert "no room nowhere" in said.error


def test_a_closed_room_whose_events_were_trimmed_is_not_damaged(full_store: StoreServer, verb: Verb) -> None:
    """Its retention is over; an open room without events is damaged."""
    [closed] = [line for line in verb(full_store, "rooms", "list", "--all").lines if "\tclosed\t" in line]
    name, epoch = closed.split("\t")[0].split(":")
    full_store.execute("DEL", KEYS.stream(RoomKey(RoomName(name), Epoch(epoch))))
    assert verb(full_store, "verify", "--all").code == 0
    full_store.execute("DEL", KEYS.stream(key_of(full_store, "finished")))
    assert "are missing" in verb(full_store, "verify", "--all").lines[0]


def test_a_damaged_nickname_is_named_and_left_out_of_a_backup(
    full_store: StoreServer, empty_store: StoreServer, verb: Verb, tmp_path: Path
) -> None:
    """Invalid UTF-8 here. The rest of the backup is complete, and restores without it."""
    full_store.execute("HSET", KEYS.of("names", ANNA.id), "1", b"\xc1nna")
    assert verb(full_store, "verify", "--all").lines[0].startswith(f"DAMAGED nickname {ANNA.id}/1: ")
    made = verb(full_store, "backup", tmp_path)
    assert made.code == 1
    assert f"DAMAGED nickname {ANNA.id}/1: " in made.error
    [manifest] = tmp_path.glob("*.json")
    assert json.loads(manifest.read_bytes())["damaged"] == [f"nickname {ANNA.id}/1"]
    [backup] = tmp_path.glob("*.ndjson.gz")
    assert verb(empty_store, "restore", backup).code == 0
    assert verb(empty_store, "verify", "--all").lines[-1] == "5 rooms, 28 events, damaged: 0"


def test_nicknames_of_an_older_release_are_signed_by_a_verb(full_store: StoreServer, verb: Verb) -> None:
    """The run that finds none without a MAC is the last one; from then on one without a MAC is damaged."""
    for player in (ANNA, BEN):
        full_store.execute("DEL", KEYS.of("name_macs", player.id))
    assert verb(full_store, "sign").lines[0] == "2 values signed, damaged: 0"
    assert verb(full_store, "sign").lines[1].startswith("Everything has a MAC")
    full_store.execute("DEL", KEYS.of("name_macs", ANNA.id))
    again = verb(full_store, "sign")
    assert (again.code, again.lines[0]) == (1, "0 values signed, damaged: 1")


async def rate_many(url: str) -> None:
    """Rate matches that give players places."""
    store = RedisStore(url, signer=signer_of(Settings(secret=SECRET)))
    ratings = RatingService(store, Clock().now)
    people = [ANNA.id, *(PlayerId(f"p-{number}") for number in range(12))]
    pairs = [
        (one, other) if again % 2 else (other, one) for again in range(4) for one, other in combinations(people, 2)
    ]
    matches = [ended(number, *pair, time=Millis(NOON + number * DAY // 100)) for number, pair in enumerate(pairs)]
    await ratings.receive({"turncoat.blitz": matches})
    assert (await store.leaderboards.size(ListId("turncoat.blitz"))).places
    await ratings.close()
    await store.close()


@pytest.fixture
def derived_store(full_store: StoreServer) -> StoreServer:
    """Return the store with everything that is derived: leaderboards, players' matches, a notable match."""
    asyncio.run(play_one(full_store.url))
    asyncio.run(fill_lists(full_store.url))
    asyncio.run(rate_many(full_store.url))
    asyncio.run(fill_streams(full_store.url))
    return full_store


DERIVED = {
    "standings": "the row of",
    "places": "the places differ",
    "everybody": "the places differ",
    "rated": "the entry of",
    "points": "the points of",
    "projected": "the leaderboard: ",
    "played": "",
    "results": "p-",
    "notable": "notable rainbow",
}
"""What is derived from events, by the kind of its keys, and what is found."""

FLIPS = 8
"""How many values of a kind are changed."""

PAST = re.compile(rb":(day|week):\d+$")
"""The ends of the keys of boards whose period is over, which nobody reads."""


@pytest.mark.parametrize("kind", DERIVED)
def test_a_flipped_bit_in_what_is_derived_is_found(derived_store: StoreServer, verb: Verb, kind: str) -> None:
    """Wherever it is."""
    intact = verb(derived_store, "verify", "--all")
    assert intact.code == 0, intact.lines
    chance, keys = random.Random(30), derived_store.execute("KEYS", "*}:*")  # noqa: S311 - places in values
    values = [
        (key, value)
        for key in sorted(keys)
        if kind_of(key) == kind and not PAST.search(key)
        for value in values_of(derived_store, key)
        if not value[0].startswith(b"mac:")
    ]
    for key, value in chance.sample(values, min(len(values), FLIPS)):
        was = derived_store.execute("DUMP", key)
        content = value[1] if derived_store.execute("TYPE", key) == b"hash" else value[0]
        row, mac, signed = content.partition(b',"mac:')
        with_value(derived_store, key, value, flipped(chance, row) + mac + signed)
        said = verb(derived_store, "verify", "--all")
        found = [line for line in said.lines if line.startswith("DAMAGED")]
        assert (said.code, bool(found)) == (1, True), (key, value)
        assert DERIVED[kind] in found[0]
        assert said.lines[-1].endswith(f"damaged: {len(found)}")
        derived_store.execute("RESTORE", key, 0, was, "REPLACE")
    assert verb(derived_store, "verify", "--all").code == 0


BLITZ = KEYS.partition_of("morris.blitz").tag


@pytest.mark.parametrize(
    ("edit", "expected"),
    [
        (("HDEL", b"%b:standings:morris.blitz:2" % BLITZ, ANNA.id), f"the row of {ANNA.id}: not what follows"),
        (("HSET", b"%b:points:morris.blitz:2" % BLITZ, BEN.id, "x"), f"the points of {BEN.id}: not what was stored"),
        (("ZADD", b"%b:places:morris.blitz:2" % BLITZ, -300_000, ANNA.id), "the places differ"),
        (("HSET", b"%b:rated:morris.blitz:2" % BLITZ, "room-1.e1.1", 2), "the entry of room-1.e1.1: not what follows"),
        (("SET", b"%b:projected:morris.blitz:2" % BLITZ, 9), "it ends at version 9 of 2"),
        (("SET", b"%b:projected:morris.blitz:2" % BLITZ, 0), "it ends at version 0 of 2"),
        (("HDEL", KEYS.of("results", ANNA.id), "morris", "mac:morris"), "the results 'morris' are"),
        (("ZADD", KEYS.of("notable", "rainbow", "longest:all"), -40, "finished.e.1"), "finished.e.1"),
        (("ZADD", KEYS.of("notable", "rainbow", "longest:all"), -40, "nonsense"), "nonsense is not what was stored"),
    ],
)
def test_an_edit_of_what_is_derived_is_found(
    derived_store: StoreServer,
    empty_store: StoreServer,
    verb: Verb,
    tmp_path: Path,
    edit: tuple[Any, ...],
    expected: str,
) -> None:
    """A backup does not contain what is derived, and goes on; the store into which it is restored is intact."""
    if "finished.e.1" in edit:
        key = key_of(derived_store, "finished")
        edit, expected = (*edit[:-1], f"{key.name}.{key.epoch}.1"), f"{key.name}.{key.epoch}.1 differs"
    derived_store.execute(*edit)
    said = verb(derived_store, "verify", "--all")
    [finding] = [line for line in said.lines if line.startswith("DAMAGED")]
    assert (said.code, expected in finding) == (1, True), finding
    assert verb(derived_store, "backup", tmp_path).code == 0
    [backup] = tmp_path.glob("*.ndjson.gz")
    assert verb(empty_store, "restore", backup).lines[-1].endswith("damaged: 0")
