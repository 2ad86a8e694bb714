"""`turnstream verify` on a store: intact rooms pass, and each kind of damage is found."""

import asyncio
from pathlib import Path

import pytest

from service.accounts.followed import account_key
from service.accounts.service import AccountService
from service.derived_keys import signer_of
from service.domain.accounts.evolve import ACCOUNTS
from service.domain.challenges.decide import ChallengeRequest
from service.domain.room.model.ids import Epoch, Millis, RoomKey, RoomName
from service.environment import HashedNames
from service.matchmaking import challenges
from service.matchmaking.service import Matchmaking
from service.notable.service import NotableService
from service.player_matches.service import PlayerMatchService
from service.players.feed import player_key
from service.players.service import PlayerService
from service.ratings.service import RatingService
from service.rooms.service import RoomCore, RoomService
from service.settings import Settings
from service.store.redis.keys import Keys
from service.store.redis.store import RedisStore
from service.store.stream_keys import NOTABLE, PLAYED, PLAYER, KindKey, OutboxKey
from service.streams.outboxes import Outboxes
from service.streams.processor import StreamProcessor
from service.streams.repository import StreamRepository
from service.streams.retention import KEPT_FOR
from tests.e2e.processes import SECRET
from tests.ops.conftest import Verb
from tests.rooms.processes import ANNA, BEN, CLARA, DORA, IDS, MARK_KEY, Clock
from tests.store_server import StoreServer

KEYS = Keys(16)


def key_of(store: StoreServer, name: str) -> RoomKey:
    """Return the open room of a name."""
    return RoomKey(RoomName(name), Epoch(store.execute("GET", KEYS.name(RoomName(name))).decode()))


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
    assert verb(full_store, "verify", "--all").lines == ["5 rooms, 27 events, damaged: 0"]
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
    players = PlayerService(store, clock.now, MARK_KEY, rooms)
    accounts = AccountService(store, clock, lambda: f"id{next(IDS)}", [MARK_KEY])
    asking, ratings = (players.can_be_asked, accounts), RatingService(store, clock.now)
    found = Matchmaking(store, clock, rooms, asking, ratings.points, lambda: f"id{next(IDS)}")
    await found.challenges.challenge(ChallengeRequest("morris", (BEN.id,)), ANNA)
    matches = PlayerMatchService(store, rooms, accounts.is_erased)
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
        "player: 2 streams, 12 events, damaged: 0",
        "5 rooms, 27 events, damaged: 0",
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
    assert said.lines[-1] == "5 rooms, 27 events, damaged: 1"
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
        "matches": KEYS.matches(key),
        "name": KEYS.name(key.name),
    }
    full_store.execute(command, where[what], *rest)
    said = verb(full_store, "verify", "--room", f"{key.name}:{key.epoch}")
    assert said.code == 1
    assert expected in said.lines[0]


def test_a_changed_snapshot_is_found(full_store: StoreServer, verb: Verb) -> None:
    """No process would use it, but it shows that the store's data are changed."""
    snapshots = KEYS.snapshots(key_of(full_store, "finished"))
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
