"""Erasure: nicknames are nowhere but in a table of their own, and nothing of an erased player is shown or kept."""

import msgspec
import pytest
from msgspec.structs import replace

from service.domain.accounts.kind import ERASURE_TAKES
from service.domain.challenges.decide import ChallengeRequest
from service.domain.challenges.model import SeatedPlayer
from service.domain.game import Event, Rejected
from service.domain.ids import Millis, Player, PlayerId, Version
from service.domain.room.model import commands
from service.domain.room.model.events import PlayerJoined
from service.domain.room.model.notices import MatchFinished
from service.domain.seeks.decide import SeekRequest
from service.people.account_service import NewToken
from service.people.matchmaking.challenges import key_of
from service.people.player_service import player_key
from service.rooms.access.reports import Report, Reports
from service.rooms.commands.requests import CommandRequest
from service.rooms.repository import LoadedRoom
from service.rooms.social.chat import new_line
from service.store.player_names import ERASED
from service.store.side_channels import ProcessId
from service.store.stream_keys import KindKey, webhooks_key
from service.streams.errors import ServiceError
from tests.memory_store.store import MemoryStore
from tests.rooms.processes import BEN, FRIDAY, Process, run_pending

ANYA = Player(PlayerId("p-00001"), "Ännchen von Tharau")
WRITTEN = ("nnchen", "Tharau", "secret", "phone", "https://hook.example")
"""What Anya writes, in parts that no encoding changes."""


async def a_life(process: Process) -> LoadedRoom:
    """Let Anya play with Ben, write, and set up all kinds of things; return their room."""
    social = process.with_social(ProcessId("one"))
    await process.open(by=BEN, start="full")
    await process.rooms.command(FRIDAY, CommandRequest(commands.Join(), ANYA))
    live = await process.cached_room()
    await social.chat.add_line(live.key, new_line(live.state.table, ANYA, "my secret"))
    await social.chat.add_line(live.key, new_line(live.state.table, BEN, "hello"))
    await social.chat.add_line(None, await social.chat.lobby_line(ANYA, "another secret"))
    await process.accounts.make_token(ANYA.id, NewToken("phone", ("read", "play")))
    await process.accounts.make_recovery_code(ANYA)
    await process.seeks.seek(SeekRequest("ternio"), ANYA)
    await process.challenges.challenge(ChallengeRequest("morris", (BEN.id,)), ANYA)
    await process.services.webhooks.add(ANYA.id, "https://hook.example", ("turn_began",))
    await process.deliver()
    return live


async def erase(process: Process, *others: Process) -> None:
    """Erase Anya through one process, and let the others and a worker follow."""
    await process.erasure.erase(ANYA)
    for each in others:
        await each.moderation_log.catch_up()
    await finish(process)


async def finish(process: Process) -> None:
    """Do what is due in Anya's account when every process knows of the erasure, as a worker."""
    process.clock.time = Millis(process.clock.time + ERASURE_TAKES)
    await process.erasure.proceed(KindKey("account", ANYA.id))
    await process.deliver()
    await run_pending()


def stored_in(store: MemoryStore) -> str:
    """Return everything that is stored, but the table of nicknames."""
    streams = store._streams.values()
    parts = [entry.data for stream in streams for entry in stream.entries]
    parts += [data for stream in streams for data in stream.matches.values()]
    parts += [snapshot.data for stream in streams for snapshot in stream.snapshots.values()]
    parts += [line.data for lines in store.side_channels.shared.lines.values() for line in lines]
    parts += [row.data for row in store._lobby.values()]
    parts += [msgspec.json.encode(entry) for entry in store.outbox._entries.values()]
    return b"\n".join(parts).decode()


async def shown_names(process: Process, live: LoadedRoom) -> set[str]:
    """Return every nickname that a process shows of Anya."""
    here = await process.rooms.find(live.key)
    assert here is not None
    past = await process.rooms.at(here, Version(here.head.version - 1))
    [match] = await process.rooms.matches(here, [1])
    history = await process.rooms.history(here, Version(0))
    joined = [one.event for one in history if isinstance(one.event, PlayerJoined) and one.event.player == ANYA.id]
    names = {event.nickname for event in joined} | {str(name) for name in match.nicknames if name != BEN.nickname}
    for room in (here.state, past):
        names |= {room.table.members[ANYA.id].nickname} if ANYA.id in room.table.members else set()
    return names


async def test_a_nickname_is_stored_once(process: Process) -> None:
    """In no event, snapshot, index, line or delivery; every process shows it nevertheless, also from the store."""
    live = await a_life(process)
    stored = stored_in(process.store)
    assert "nnchen" not in stored
    assert f'"name_ref":"{ANYA.id}/1"' in stored
    assert process.store.name_table.names[ANYA.id] == {b"1": ANYA.nickname.encode()}
    for each in (process, process.start_another()):
        assert await shown_names(each, live) == {ANYA.nickname}
        [challenge] = await each.players.challenges_of(BEN.id)
        assert ANYA.nickname in [seat.nickname for seat in challenge.seats if isinstance(seat, SeatedPlayer)]
        [seek] = await each.seeks.with_names(await each.seeks.open_seeks())
        assert seek.nickname == ANYA.nickname


async def test_nothing_of_an_erased_player_is_shown_or_kept(process: Process) -> None:
    """By no process, whether it had the room in memory or loads it; what others wrote and did stays."""
    other = process.start_another()
    live = await a_life(process)
    await shown_names(other, live)
    await erase(process, other)
    for part in WRITTEN:
        assert part not in stored_in(process.store)
    assert process.store.name_table.names == {BEN.id: {b"1": BEN.nickname.encode()}}
    for each in (process, other, process.start_another()):
        await each.moderation_log.catch_up()
        assert await shown_names(each, live) == {ERASED}
        assert await each.seeks.open_seeks() == []
        assert await each.players.challenges_of(BEN.id) == []


async def test_an_erased_player_is_not_notified_of_the_end_of_a_match(process: Process) -> None:
    """They sat in it; the other player is notified."""
    await a_life(process)
    await erase(process)
    await process.execute(BEN, commands.Resign())
    await process.deliver()
    assert await latest_event(process, ANYA) is None
    assert isinstance(await latest_event(process, BEN), MatchFinished)


async def latest_event(process: Process, player: Player) -> Event | None:
    """Return the latest event of a player's own feed."""
    records = (await process.players.page(player.id, None, 100)).records
    return records[-1].event if records else None


async def test_reports_by_and_about_the_player_are_deleted(process: Process) -> None:
    """Those of others stay."""
    reports, cara = Reports(process.store), PlayerId("p-00003")
    for by, about in ((ANYA.id, BEN.id), (BEN.id, ANYA.id), (BEN.id, cara)):
        await reports.add(Report(by=by, player=about, reason="a secret"))
    await erase(process)
    assert [(report.by, report.player) async for report in reports.all()] == [(BEN.id, cara)]
    assert stored_in(process.store).count("a secret") == 1


async def test_lines_of_chat_keep_their_places(process: Process) -> None:
    """Without their text; the lines of others do not change."""
    live = await a_life(process)
    social = process.with_social(ProcessId("two"))
    before, _ = await social.chat.page(live.key, 10)
    await erase(process)
    after, _ = await social.chat.page(live.key, 10)
    assert [line.id for line in after] == [line.id for line in before]
    assert [(line.player.nickname, line.text) for line in after] == [(ERASED, ""), (BEN.nickname, "hello")]
    lobby, _ = await social.chat.page(None, 10)
    assert [(line.player.nickname, line.text) for line in lobby] == [(ERASED, "")]


async def test_texts_are_hidden_before_they_are_deleted(process: Process) -> None:
    """As soon as a process knows of the erasure; a worker deletes them later."""
    live = await a_life(process)
    social = process.with_social(ProcessId("two"))
    await process.erasure.erase(ANYA)
    assert "my secret" in stored_in(process.store)
    lines, _ = await social.chat.page(live.key, 10)
    assert [line.text for line in lines] == ["", "hello"]


async def test_nothing_can_be_done_as_an_erased_player(process: Process) -> None:
    """With a code that was made before; and erasing again changes nothing."""
    await a_life(process)
    link = await process.accounts.make_link_code(ANYA)
    recovery = await process.accounts.make_recovery_code(ANYA)
    await erase(process)
    with pytest.raises(Rejected, match="player_erased"):
        await process.accounts.use_link_code(link.code, "new phone")
    with pytest.raises(Rejected, match="no_such_code"):
        await process.accounts.recover(recovery, "new phone")
    with pytest.raises(ServiceError, match="player_erased"):
        process.moderation.refuse(ANYA.id)
    await erase(process)
    assert len(await process.store.admin_store.logged()) == 1


async def test_a_worker_finishes_what_a_process_began(process: Process) -> None:
    """If that was killed right after the account was erased."""
    live = await a_life(process)
    await process.accounts.erase(ANYA.id)
    await finish(process)
    for part in WRITTEN:
        assert part not in stored_in(process.store)
    assert await shown_names(process, live) == {ERASED}
    assert not await process.accounts.is_being_erased(ANYA.id)


@pytest.mark.parametrize("key", [player_key(ANYA.id), key_of(ANYA.id), webhooks_key(ANYA.id)])
async def test_streams_of_an_erased_player_can_be_loaded(process: Process, key: KindKey) -> None:
    """They begin with a summary, which the entry before it proves."""
    await a_life(process)
    await erase(process)
    oldest = await process.store.first_version(key)
    assert oldest is not None
    assert oldest > 1
    other = process.start_another()
    await other.players.version(ANYA.id)
    assert await other.challenges.made_by(ANYA.id) == []
    assert await other.services.webhooks.of(ANYA.id) == []


async def test_histories_of_earlier_releases_show_no_erased_name(process: Process) -> None:
    """Their events have nicknames, which cannot be deleted from them without breaking their digests."""
    await process.open(by=BEN, start="full")
    await process.execute(ANYA, commands.Join())  # without a reference to the nickname, as before
    live = await process.cached_room()
    assert ANYA.nickname in stored_in(process.store)
    assert await shown_names(process, live) == {ANYA.nickname}
    await erase(process)
    other = process.start_another()
    await other.moderation_log.catch_up()
    for each in (process, other):
        assert await shown_names(each, live) == {ERASED}


async def test_nobody_can_choose_the_name_of_erased_players(process: Process) -> None:
    """Nor one that looks like it."""
    await process.open(by=BEN)
    for name in (ERASED, "erased PLAYER", "Era5ed Player"):
        with pytest.raises(ServiceError, match="bad_nickname"):
            await process.rooms.command(
                FRIDAY, CommandRequest(commands.Join(nickname=name), replace(ANYA, nickname="A"))
            )
