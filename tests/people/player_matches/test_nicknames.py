"""Under which names players are shown: in a match the one with which they began it, elsewhere the one they have now."""

from typing import Any

import msgspec

from service.domain.ids import Millis, Player, RoomKey, RoomName
from service.domain.room.model import commands
from service.domain.room.model.settings import OpenRoom, RequestedSettings
from service.people.player_matches.service import LATEST, ShownAs, Wanted
from service.rooms.commands.requests import CommandRequest
from service.rooms.match_index import ENTRY
from service.store.integrity import sign_match
from service.store.player_names import ERASED
from tests.rooms.processes import ANNA, BEN, Process


async def send(process: Process, name: str, player: Player, *sent: commands.PlayerCommand) -> None:
    """Send commands of a player to a room."""
    for command in sent:
        await process.rooms.command(RoomName(name), CommandRequest(command, player))


async def start(process: Process, name: str, *nicknames: str, by: Player = BEN, **settings: Any) -> RoomKey:
    """Start a match of Anna's and Ben's, in which Ben has one of these nicknames, and return its room."""
    process.clock.time = Millis(process.clock.time + 1000)
    opening = OpenRoom("morris", name, settings=RequestedSettings(start="full", restart=None, **settings))
    await process.rooms.open(opening, ANNA)
    await send(process, name, by, *(commands.Join(nickname=nickname) for nickname in nicknames or ("ben",)))
    return (await process.rooms.named(RoomName(name))).key


async def shown(process: Process, key: RoomKey) -> list[tuple[str | None, ...]]:
    """Return the nicknames in a match: in the list of its room, and in the histories of both players."""
    await process.deliver()
    found = await process.rooms.matches(await process.rooms.by_key(key), [1])
    for player in (ANNA, BEN):
        page = await process.matches.page(player.id, None, Wanted(), None, 10)
        found += [match.entry for match in page.matches if match.key == key]
    return [entry.nicknames for entry in found]


async def test_who_leaves_keeps_the_name(process: Process) -> None:
    """Whether they leave and the other ends the match, or leave together with the room."""
    for name, last in (("one", commands.Resign()), ("two", commands.Leave())):
        key = await start(process, name)
        await send(process, name, BEN, commands.Leave())
        await send(process, name, ANNA, last)
        assert await shown(process, key) == [("anna", "ben")] * 3


async def test_a_match_has_the_names_with_which_it_began(process: Process) -> None:
    """Also if a player comes back with another one, and sits again."""
    key = await start(process, "one")
    await send(process, "one", BEN, commands.Leave(), commands.Join(nickname="benjamin"), commands.Resign())
    assert await shown(process, key) == [("anna", "ben")] * 3
    assert (await process.rooms.by_key(key)).state.table.members[BEN.id].nickname == "benjamin"


async def test_the_names_are_read_from_the_events_where_an_earlier_release_left_them_out(process: Process) -> None:
    """Its entry has none for a player who had left; the event that names them may be long before the match."""
    key = await start(process, "one")
    await send(process, "one", BEN, commands.Leave())
    await send(process, "one", ANNA, commands.Resign())
    written = process.store._streams[key].matches
    entry = ENTRY.decode(written[1])
    assert entry.name_refs
    earlier = msgspec.structs.replace(entry, nicknames=("", None), name_refs=(entry.name_refs[0], None))
    written[1] = sign_match(process.store.signer, key, 1, msgspec.json.encode(earlier))
    assert await shown(process, key) == [("anna", "ben")] * 3
    assert await shown(process.start_another(), key) == [("anna", "ben")] * 3


async def test_a_name_that_cannot_be_read_is_left_out(process: Process) -> None:
    """The match is shown without it."""
    key = await start(process, "one")
    await send(process, "one", ANNA, commands.Resign())
    await process.deliver()
    written = process.store._streams[key].matches
    earlier = msgspec.structs.replace(ENTRY.decode(written[1]), nicknames=("anna", None), name_refs=msgspec.UNSET)
    written[1] = sign_match(process.store.signer, key, 1, msgspec.json.encode(earlier))
    process.store._streams[key].entries.clear()
    other = process.start_another()
    [found] = (await other.matches.page(BEN.id, None, Wanted(), None, 10)).matches
    assert found.entry.nicknames == ("anna", None)


async def test_a_player_who_was_erased_has_no_name(process: Process) -> None:
    """Whether they had left before the end or not; their opponent's match stays."""
    key = await start(process, "one")
    await process.erasure.erase(BEN)
    await send(process, "one", ANNA, commands.Resign())
    await process.deliver()
    [found] = (await process.matches.page(ANNA.id, None, Wanted(), None, 10)).matches
    assert (found.key, found.entry.nicknames) == (key, ("anna", ERASED))
    assert (await process.matches.shown_as(BEN.id, found.entry.id)).nickname == ERASED


async def test_a_player_has_the_name_of_the_latest_match_that_everybody_may_see(process: Process) -> None:
    """Whatever it was played for, and if they left it; `known` is such a match where there are many others."""
    assert await process.matches.shown_as(BEN.id) == ShownAs()
    first = await start(process, "one")
    await send(process, "one", BEN, commands.Resign())
    await start(process, "two", "Benjamin")
    await send(process, "two", BEN, commands.Leave())
    await send(process, "two", ANNA, commands.Resign())
    await process.deliver()
    assert (await process.matches.shown_as(BEN.id, f"one.{first.epoch}.1")).nickname == "Benjamin"
    for number in range(LATEST):
        await start(process, f"members-{number}", "secret", spectators=False)
        await send(process, f"members-{number}", BEN, commands.Resign())
        await process.deliver()
        shown_now = (await process.matches.shown_as(BEN.id, f"one.{first.epoch}.1")).nickname
        assert shown_now == ("ben" if number == LATEST - 1 else "Benjamin")


async def test_who_was_declared_a_bot_is_read_from_the_events_where_an_earlier_release_left_it_out(
    process: Process,
) -> None:
    """In lists and on leaderboards as in the entries of this release, which say it for each match."""
    keys = [await start(process, "one"), await start(process, "two", by=Player(BEN.id, BEN.nickname, bot=True))]
    for key in keys:
        await send(process, key.name, ANNA, commands.Resign())
    await process.deliver()
    assert await process.matches.shown_as(BEN.id) == ShownAs("ben", is_bot=True)
    for key in keys:
        written = process.store._streams[key].matches
        earlier = msgspec.structs.replace(ENTRY.decode(written[1]), programs=msgspec.UNSET)
        written[1] = sign_match(process.store.signer, key, 1, msgspec.json.encode(earlier))
    for reader in (process, process.start_another()):
        found = (await reader.matches.page(ANNA.id, None, Wanted(), None, 10)).matches
        assert [match.entry.programs for match in found] == [(1,), ()]
        assert await reader.matches.shown_as(BEN.id) == ShownAs("ben", is_bot=True)
