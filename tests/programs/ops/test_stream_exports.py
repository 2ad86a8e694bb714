"""Streams other than rooms in exports: which kinds they have, and what an import makes of them."""

import re
from pathlib import Path
from typing import Any

import msgspec
import pytest

from service.contests.leaderboards import ratings_key
from service.domain.accounts.model import AccountSummarised
from service.domain.bot_list import BotRegistration
from service.domain.challenges.decide import ChallengeRequest
from service.domain.ids import Millis, Player, PlayerId, Version
from service.domain.ratings.kind import stored
from service.domain.room.model.notices import TurnBegan
from service.domain.room.model.review import REVIEWS, EvaluatedPosition, finish, request
from service.domain.seeks.decide import SeekRequest
from service.people.account_service import NewToken
from service.people.matchmaking.challenges import key_of
from service.people.player_service import player_key
from service.programs.ops.exports.format import FORMAT, Damaged, Ending, Heading, Seal, write_line
from service.programs.ops.exports.reader import Imported, check_export, import_rooms
from service.programs.ops.exports.room_iteration import every_room
from service.programs.ops.exports.stream_export import LEFT_OUT, WHOLE
from service.programs.ops.exports.streams import KINDS, SEEK, check_stream
from service.programs.ops.exports.writer import Exported, export_rooms
from service.rooms.feeds.frames import OutgoingFrame
from service.store.contract import Entry
from service.store.redis.store import RedisStore
from service.store.stream_keys import PLAYER, WEBHOOKS, KindKey
from service.store.stream_keys import REVIEWS as REVIEWS_KIND
from service.streams.errors import ServiceError
from service.streams.processor import StreamProcessor
from service.streams.repository import StreamRepository
from tests.contests.ratings.matches import match_won_by
from tests.contests.tournaments.friday import create, play_round, state_of, work
from tests.people.webhooks.hooks import Endpoint, Hooks
from tests.rooms.processes import ANNA, BEN, CLARA, NOON, Clock, Process
from tests.store_server import StoreServer

SEALING = b"a key for exports"
TOKEN = NewToken("phone", ("read", "play"))


async def export(process: Process, folder: Path) -> tuple[list[bytes], Exported]:
    """Return the lines of an export of everything."""
    written = list[bytes]()
    rooms = await every_room(process.store)
    exported = await export_rooms(process.store, rooms, SEALING, written.append, log=True, folder=folder)
    return b"".join(written).splitlines(keepends=True), exported


async def restore(process: Process, lines: list[bytes]) -> Imported:
    """Check an export and read it into the store of a process."""
    check_export(lambda: lines, SEALING)
    return await import_rooms(process.store, lines, lambda _: None)


async def test_accounts_outlast_the_loss_of_a_store(tmp_path: Path) -> None:
    """Their tokens, their recovery codes and whom they have blocked."""
    here, there = Process(Clock()), Process(Clock())
    token = await here.accounts.make_token(ANNA.id, TOKEN)
    code = await here.accounts.make_recovery_code(BEN)
    await here.accounts.block(CLARA.id, ANNA.id)
    lines, exported = await export(here, tmp_path)
    assert exported.damaged == ()
    assert (await restore(there, lines)).streams == 3
    assert await there.accounts.tokens(ANNA.id) == [token]
    assert (await there.accounts.recover(code, "phone")).player.id == BEN.id
    assert await there.accounts.is_blocked(ANNA.id, CLARA.id)


async def test_a_replaced_guest_token_stays_replaced(tmp_path: Path) -> None:
    """The list of such players is rebuilt from the accounts."""
    here, there = Process(Clock()), Process(Clock())
    await here.accounts.recover(await here.accounts.make_recovery_code(ANNA), "phone")
    await here.accounts.make_token(BEN.id, TOKEN)
    await restore(there, (await export(here, tmp_path))[0])
    assert await there.store.admin_store.replaced() == [ANNA.id]


async def test_an_account_that_the_store_has_stays_as_it_is(tmp_path: Path) -> None:
    """What was revoked since the export is not valid again; importing twice changes nothing."""
    here = Process(Clock())
    token = await here.accounts.make_token(ANNA.id, TOKEN)
    lines, _ = await export(here, tmp_path)
    await here.accounts.revoke_token(ANNA.id, token.id)
    for _ in range(2):
        assert (await restore(here, lines)).streams == 0
    assert await here.accounts.tokens(ANNA.id) == []


async def test_a_damaged_account_is_left_out_and_named(tmp_path: Path) -> None:
    """All others are in the export."""
    process = Process(Clock())
    for player in (ANNA, BEN):
        await process.accounts.make_token(player.id, TOKEN)
    stream = process.store._streams[KindKey("account", ANNA.id)]
    [first] = stream.entries
    stream.entries[0] = Entry(first.version, first.data.replace(b"phone", b"spoof"), first.digest)
    lines, exported = await export(Process(process.clock, process), tmp_path)
    assert [left.what for left in exported.damaged] == [f"account {ANNA.id}"]
    there = Process(Clock())
    assert (await restore(there, lines)).streams == 1
    assert len(await there.accounts.tokens(BEN.id)) == 1


@pytest.mark.parametrize(
    "line",
    [
        {"stream": "account", "id": ANNA.id, "f": 99, "e": {"type": "account_summarised"}},
        {"stream": "account", "id": ANNA.id, "f": 1, "e": {"type": "sang"}},
        {"stream": "account", "id": ANNA.id, "f": 1, "e": {"type": "player_blocked", "player": "p-ben"}},
        {"stream": "song", "id": ANNA.id, "f": 1, "e": {"type": "sang"}},
        {"account": ANNA.id, "f": 1, "e": {"type": "sang"}},
    ],
)
async def test_a_stream_that_cannot_be_read_stops_an_import(line: dict[str, object]) -> None:
    """Before anything is written."""
    with pytest.raises(Damaged, match=ANNA.id):
        check_export(lambda: lines_with(line), SEALING)


def lines_with(line: dict[str, object] | None, written: int = FORMAT) -> list[bytes]:
    """Return the lines of an export with this one."""
    heading = Heading("export", written, "2026-11-21T14:00:00.000Z")
    parts = [write_line(heading), *([msgspec.json.encode(line) + b"\n"] if line else [])]
    seal = Seal(SEALING)
    for part in parts:
        seal.add(part)
    streams = int(line is not None and "stream" in line)
    return [*parts, write_line(Ending(end=True, rooms=0, events=0, seal=seal.text(), streams=streams))]


async def test_an_export_of_an_older_format_can_be_read() -> None:
    """Format 1 is from before there were accounts, format 2 from before there was anything else."""
    account = {
        "account": ANNA.id,
        "f": 1,
        "e": msgspec.to_builtins(AccountSummarised(NOON, (), None, guest_token_replaced=True)),
    }
    there = Process(Clock())
    assert (await restore(there, lines_with(None, written=1))).streams == 0
    assert (await restore(there, lines_with(account, written=2))).streams == 1
    assert await there.store.admin_store.replaced() == [ANNA.id]


async def test_a_feed_keeps_its_past_and_begins_again(tmp_path: Path) -> None:
    """A client that resumes gets a snapshot, and the next event of each room and of the seeks is delivered."""
    here, there = Process(Clock()), Process(Clock())
    await here.start_match(ANNA, BEN)
    await here.deliver()
    before = await here.players.page(ANNA.id, None, 100)
    feed = OwnFeed()
    await here.players.follow(ANNA.id, feed, None, None)
    await restore(there, (await export(here, tmp_path))[0])
    after = await there.players.page(ANNA.id, None, 100)
    assert [(each.time, each.event) for each in after.records] == [(each.time, each.event) for each in before.records]
    resumed = OwnFeed()
    await there.players.follow(ANNA.id, resumed, Version(feed.frames[0]["version"]), feed.frames[0]["mark"])
    assert resumed.frames[1]["reason"] == "history_changed"
    await there.place_man(ANNA, "a1")
    await there.place_man(BEN, "a4")
    await there.deliver()
    assert [type(each.event) for each in (await there.players.page(ANNA.id, after.version, 100)).records] == [TurnBegan]


class OwnFeed:
    """A subscriber of an own feed that keeps its frames."""

    def __init__(self) -> None:
        """Start without any."""
        self.frames: list[dict[str, Any]] = []

    def offer(self, frame: OutgoingFrame) -> None:
        """Keep a frame."""
        self.frames.append(msgspec.json.decode(frame.json))

    def refuse(self, refusal: ServiceError) -> None:
        """Raise why the feed does not go on."""
        raise refusal


async def test_open_challenges_are_the_same_for_all_who_take_part(tmp_path: Path) -> None:
    """Also if a challenge was delivered only to its own stream yet, or its end is still to be delivered."""
    here, there = Process(Clock()), Process(Clock())
    ended = await here.challenges.challenge(ChallengeRequest("morris", (CLARA.id,)), ANNA)
    await here.deliver()
    await here.challenges.withdraw(ended.id, ANNA.id)
    made = await here.challenges.challenge(ChallengeRequest("morris", (BEN.id,)), ANNA)
    await restore(there, (await export(here, tmp_path))[0])
    open_ones = [await there.players.challenges_of(player.id) for player in (ANNA, BEN, CLARA)]
    assert open_ones == [[made], [made], []]
    await there.challenges.accept(made.id, BEN)
    await there.challenges.proceed(key_of(ANNA.id))
    await there.deliver()
    assert await there.players.challenges_of(BEN.id) == []


async def test_webhooks_continue_where_they_were(tmp_path: Path) -> None:
    """What was not sent yet is sent by the restored service; ids of messages are not used twice."""
    here, there = Hooks(Process(Clock())), Hooks(Process(Clock()))
    async with Endpoint() as endpoint:
        await here.add(endpoint)
        await here.work()
        await here.happen(3)
        await here.work()
        await here.happen(2)
        lines, _ = await export(here.process, tmp_path)
        await restore(there.process, lines)
        await here.work()
        await there.work()
        await there.happen()
        await there.work()
    assert endpoint.types == ["webhook_challenge", *["turn_began"] * 8]
    assert len(set(endpoint.ids)) == len(endpoint.ids)
    assert (await there.one()).failures == 0
    for each in (here, there):
        await each.close()


async def test_the_list_of_bots_is_kept_and_seeks_are_not(tmp_path: Path) -> None:
    """A seek lasts a minute, and its player asks again."""
    here, there = Process(Clock()), Process(Clock())
    bot = Player(PlayerId("p-bot"), "bot", bot=True)
    await here.matchmaking.bots.register(BotRegistration(("morris",)), bot)
    await here.seeks.seek(SeekRequest("morris"), ANNA)
    await restore(there, (await export(here, tmp_path))[0])
    assert [listed.player for listed in await there.matchmaking.bots.listed()] == [bot.id]
    assert await there.seeks.open_seeks() == []


async def test_a_feed_of_many_events_is_restored(own_server: StoreServer, tmp_path: Path) -> None:
    """In one step, also in Redis."""
    here = Hooks(Process(Clock()))
    await here.happen(1000)
    lines, _ = await export(here.process, tmp_path)
    store = RedisStore(own_server.url)
    assert (await import_rooms(store, lines, lambda _: None)).streams == 1
    checked = await check_stream(store, player_key(ANNA.id))
    assert len(checked.records) == 1001
    await store.close()


async def test_ratings_keep_all_of_their_matches(tmp_path: Path) -> None:
    """A restored list has the same ratings, and rates no match a second time."""
    here, there = Process(Clock()), Process(Clock())
    arrivals = {"morris.blitz": [match_won_by(ANNA, BEN, 1), match_won_by(CLARA, ANNA, 2)]}
    await here.ratings.receive(arrivals)
    await restore(there, (await export(here, tmp_path))[0])
    await there.ratings.receive(arrivals)
    key = ratings_key("morris.blitz")
    before, after = await check_stream(here.store, key), await check_stream(there.store, key)
    assert stored(after.stream.state) == stored(before.stream.state)
    assert [record.event for record in after.records] == [record.event for record in before.records]


async def test_a_tournament_continues_after_the_loss_of_a_store(tmp_path: Path) -> None:
    """In the middle of a round: its matches are finished, the next round is paired, and the list shows the end."""
    here, there = Process(Clock()), Process(Clock())
    tournament = await create(here, 4)
    await work(here, tournament, 3_600_000)
    before = await play_round(here, tournament)
    assert (before.round, len(before.running)) == (2, 2)
    there.clock.time = here.clock.time
    await restore(there, (await export(here, tmp_path))[0])
    assert await state_of(there, tournament) == before
    after = await play_round(there, tournament)
    assert (after.round, len(after.tables)) == (3, 6)
    after = await play_round(there, tournament)
    assert (after.status, len(after.standings)) == ("finished", 4)
    [listed] = await there.tournaments.listed()
    assert (listed.id, listed.status, listed.players) == (tournament, "finished", 4)


async def test_reviews_are_kept_and_a_requested_one_is_made(tmp_path: Path) -> None:
    """They are not computed again."""
    here, there = Process(Clock()), Process(Clock())
    done, waiting = KindKey(REVIEWS_KIND, "done"), KindKey(REVIEWS_KIND, "waiting")
    reviews = StreamProcessor(StreamRepository(here.store, REVIEWS, 10), here.clock.now)
    for key in (done, waiting):
        await reviews.decide(key, lambda state, _: request(state, ANNA.id))
    await reviews.decide(done, lambda state, _: finish(state, (EvaluatedPosition(1, (50, 50), (), ()),)))
    await restore(there, (await export(here, tmp_path))[0])
    restored = [(await check_stream(there.store, key)).stream for key in (done, waiting)]
    assert [stream.state.status for stream in restored] == ["done", "waiting"]
    assert [key for key in await there.store.claim_due(there.clock.time, Millis(1000), 9) if key == waiting]


def test_each_kind_of_stream_is_in_backups_or_left_out_on_purpose() -> None:
    """And the guide says which, in a row for each."""
    assert {*WHOLE, PLAYER, WEBHOOKS} == KINDS.keys() - {SEEK}
    assert {SEEK} == LEFT_OUT
    guide = Path(__file__).parents[3].joinpath("docs/operating/back-up.md").read_text()
    table = guide.partition("| kind | in a backup |")[2].partition("\n\n")[0]
    rows = re.findall(r"^\| `(\w+)`", table, re.MULTILINE)
    assert sorted(rows) == sorted(KINDS)
