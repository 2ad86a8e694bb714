"""Players' matches: each once in the index of each person who played it, and shown to those who may know it."""

import random
from collections import defaultdict
from typing import Any

import pytest

from service.domain.game import Seat
from service.domain.ids import DAY, Millis, Player, PlayerId, RoomKey, RoomName
from service.domain.room.model import commands
from service.domain.room.model.clock import NoClock, PerMove
from service.domain.room.model.settings import BotSeat, OpenRoom, RequestedSettings
from service.domain.room.subjects.privacy import OPERATOR
from service.people.player_matches import service as player_matches
from service.people.player_matches.rows import (
    MINUTE,
    Position,
    counted,
    every_player,
    first_of,
    position_of,
    result_problems,
    rows_of,
)
from service.people.player_matches.service import FoundMatch, Wanted
from service.programs.ops.exports.room_iteration import every_room
from service.rooms.commands.requests import CommandRequest
from service.rooms.match_index import ENTRY, MatchEntry, PlayedMatch, played_matches
from service.store.contract import StoreUnavailable
from service.store.projections.player_matches import FirstMatches, Tally
from tests.rooms.processes import ANNA, BEN, CLARA, DORA, Process, place

ANY = Wanted()
HIDDEN: dict[str, Any] = {"spectators": False}
CLOCK = PerMove(Millis(10_000))


async def play(process: Process, name: str, *players: Player, game: str = "morris", **settings: Any) -> None:
    """Play a match in a room of its own in which everybody moves, and which the first player loses."""
    await begin(process, name, *players, game=game, **settings)
    await process.move_each(*players, room=RoomName(name))
    await send(process, name, players[0], commands.Resign())


async def begin(process: Process, name: str, *players: Player, game: str = "morris", **settings: Any) -> None:
    """Begin a match in a room of its own."""
    process.clock.time = Millis(process.clock.time + 1000)
    chosen = RequestedSettings(**{"start": "full", "restart": None, **settings})
    await process.rooms.open(OpenRoom(game, name, settings=chosen), players[0])
    for player in players[1:]:
        await send(process, name, player, commands.Join())


async def send(process: Process, name: str, player: Player, command: commands.PlayerCommand) -> None:
    """Send a command to a room."""
    await process.rooms.command(RoomName(name), CommandRequest(command, player))


async def seen(process: Process, player: Player, caller: PlayerId | None, **wanted: Any) -> list[str]:
    """Return the rooms of a player's matches as a caller sees them, the latest one first; both ways agree."""
    asked = Wanted(**wanted)
    page = await process.matches.page(player.id, caller, asked, None, 1000)
    parts = [part async for part in process.matches.export(player.id, caller, asked)]
    found = [match for part in parts for match in part.matches]
    assert found == page.matches[::-1]
    return [match.key.name for match in page.matches]


async def test_a_match_is_found_under_each_of_its_players(process: Process) -> None:
    """With seats, place and outcome, when it was delivered."""
    await play(process, "one", ANNA, BEN)
    assert await seen(process, ANNA, None) == []
    await process.deliver()
    [anna] = (await process.matches.page(ANNA.id, None, ANY, None, 10)).matches
    [ben] = (await process.matches.page(BEN.id, None, ANY, None, 10)).matches
    assert (anna.played.seats, anna.played.place, anna.played.outcome) == ((0,), 2, "lost")
    assert (ben.played.seats, ben.played.place, ben.played.opponents) == ((1,), 1, {ANNA.id: "lost"} | {ANNA.id: "won"})
    assert anna.entry.nicknames == ("anna", "ben")
    assert (anna.entry, anna.key) == (ben.entry, ben.key)
    assert await process.matches.results(BEN.id, None) == [player_matches.GameResults("morris", Tally(1, 0, 0))]


async def test_a_table_of_three_has_results_against_each(process: Process) -> None:
    """By the places of the two; only the first place wins the match."""
    await process.rooms.open(OpenRoom("ternio", "three", settings=RequestedSettings(start="full")), ANNA)
    for player in (BEN, CLARA):
        await send(process, "three", player, commands.Join())
    await process.move_each(ANNA, BEN, CLARA, room=RoomName("three"))
    for player in (ANNA, CLARA):
        await send(process, "three", player, commands.Resign())
    await process.deliver()
    outcomes = {}
    for player in (ANNA, BEN, CLARA):
        [found] = (await process.matches.page(player.id, None, ANY, None, 10)).matches
        outcomes[player.id] = (found.played.place, found.played.outcome, found.played.opponents)
    assert outcomes == {
        ANNA.id: (3, "lost", {BEN.id: "lost", CLARA.id: "lost"}),
        BEN.id: (1, "won", {ANNA.id: "won", CLARA.id: "won"}),
        CLARA.id: (2, "lost", {ANNA.id: "won", BEN.id: "lost"}),
    }
    [against] = await process.matches.against(CLARA.id, ANNA.id, None)
    assert (against.game, against.tally) == ("ternio", Tally(1, 0, 0))


async def test_an_aborted_match_does_not_count(process: Process) -> None:
    """It is in the lists with the places of its result, until a second player has moved."""
    await begin(process, "nobody", ANNA, BEN)
    await send(process, "nobody", BEN, commands.Resign())
    await begin(process, "one", ANNA, BEN)
    await send(process, "one", ANNA, place("a1"))
    await send(process, "one", BEN, commands.Resign())
    await process.deliver()
    found = [match.played for match in (await process.matches.page(ANNA.id, None, ANY, None, 10)).matches]
    assert [(played.place, played.kind.counts) for played in found] == [(1, False)] * 2
    assert await process.matches.results(ANNA.id, ANNA.id) == []
    assert await process.matches.against(ANNA.id, BEN.id, ANNA.id) == []
    assert not await process.matches.have_met(ANNA.id, BEN.id)
    await play(process, "both", BEN, ANNA)
    await process.deliver()
    for results in (process.matches.results(ANNA.id, None), process.matches.against(ANNA.id, BEN.id, None)):
        assert await results == [player_matches.GameResults("morris", Tally(wins=1))]


async def test_bots_of_the_service_have_no_matches(process: Process) -> None:
    """The person who played against them has; against them no results are counted."""
    await process.rooms.open(
        OpenRoom("morris", "bots", seats=("me", BotSeat(bot="easy")), settings=RequestedSettings(start="full")), ANNA
    )
    await send(process, "bots", ANNA, commands.Resign())
    await process.deliver()
    assert await every_player(process.store) == [ANNA.id]
    [found] = (await process.matches.page(ANNA.id, None, ANY, None, 10)).matches
    assert (found.played.outcome, found.played.opponents) == ("lost", {})


async def test_who_plays_alone_has_no_result(process: Process) -> None:
    """Nor is there one in a match that was ended from outside."""
    await process.rooms.open(
        OpenRoom("morris", "alone", seats=("me", "me"), settings=RequestedSettings(hot_seat=True)), ANNA
    )
    await send(process, "alone", ANNA, commands.Resign(Seat(0)))
    await process.rooms.open(OpenRoom("morris", "ended", settings=RequestedSettings(start="full")), ANNA)
    await send(process, "ended", BEN, commands.Join())
    await send(process, "ended", ANNA, commands.Close())
    await process.deliver()
    found = (await process.matches.page(ANNA.id, None, ANY, None, 10)).matches
    assert {match.key.name: (match.played.seats, match.played.outcome) for match in found} == {
        "alone": ((0, 1), None),
        "ended": ((0,), None),
    }
    assert await process.matches.results(ANNA.id, ANNA.id) == []


async def why(process: Process, player: Player, room: str) -> str | None:
    """Return why a player's match in a room does not count for ratings; both ways agree."""
    found = (await process.matches.page(player.id, player.id, ANY, None, 100)).matches
    [match] = [each for each in found if each.key.name == room]
    assert await process.matches.why_not_rated(match.entry) == match.not_rated
    counting = await process.matches.page(player.id, player.id, Wanted(rated=True), None, 100)
    assert (match in counting.matches) == (match.not_rated is None)
    return match.not_rated


async def test_it_is_said_why_a_match_is_not_rated(process: Process) -> None:
    """Until its end has reached the list, and whatever the rules of ratings say."""
    rated: dict[str, Any] = {"rated": True, "clock": CLOCK}
    await play(process, "casual", ANNA, BEN)
    await begin(process, "aborted", ANNA, BEN, **rated)
    await send(process, "aborted", ANNA, commands.Resign())
    await begin(process, "closed", ANNA, BEN)
    await process.move_each(ANNA, BEN, room=RoomName("closed"))
    await send(process, "closed", ANNA, commands.Close())
    await process.deliver()
    for room, reason in (("casual", "casual"), ("aborted", "aborted"), ("closed", "no_result")):
        assert await why(process, ANNA, room) == reason
    for number in range(6):
        await play(process, f"rated-{number}", ANNA, BEN, **rated)
    live = await process.core.repository.by_name(RoomName("rated-0"))
    [first] = await process.rooms.matches(live, [1])
    assert await process.matches.why_not_rated(first) == "pending"
    await process.deliver()
    assert [await why(process, BEN, f"rated-{number}") for number in range(6)] == [None] * 5 + ["pair_limit"]
    await process.ratings.void(first.id, "arranged")
    assert await why(process, ANNA, "rated-0") == "voided"


@pytest.mark.parametrize("clock", [CLOCK, NoClock()])
async def test_a_match_against_bots_is_rated_or_not(process: Process, clock: PerMove | NoClock) -> None:
    """As the list of such matches requires, which needs a clock."""
    settings = RequestedSettings(clock=clock, hints="off")
    opening = OpenRoom("morris", "bot", settings=settings, seats=("me", BotSeat("hard")))
    opened = await process.rooms.open(opening, ANNA)
    await send(process, "bot", ANNA, place("a1"))
    live = await process.core.repository.by_key(opened.room.table.key)
    bot = commands.PlayFor(Seat(1), {"type": "place", "at": "d1"}, live.state.version)
    await process.rooms.execute(live, CommandRequest(bot, None))
    await send(process, "bot", ANNA, commands.Resign())
    await process.deliver()
    assert await why(process, ANNA, "bot") == (None if clock.runs else "bot")


async def test_a_match_that_reached_no_list_for_a_week_is_too_late(
    process: Process, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Until then it is pending: workers may be down."""

    async def ignore(_: object) -> None:
        pass

    monkeypatch.setattr(process.ratings, "receive", ignore)
    await play(process, "late", ANNA, BEN, rated=True, clock=CLOCK)
    await process.deliver()
    assert await why(process, ANNA, "late") == "pending"
    process.clock.time = Millis(process.clock.time + 7 * DAY)
    assert await why(process, ANNA, "late") == "too_late"


async def test_filters(process: Process) -> None:
    """By game, by whether it was rated, by opponent, and after a match."""
    await play(process, "one", ANNA, BEN)
    await play(process, "two", ANNA, CLARA, game="turncoat")
    await play(process, "three", ANNA, BEN, rated=True, clock=CLOCK)
    await process.deliver()
    assert await seen(process, ANNA, None) == ["three", "two", "one"]
    assert await seen(process, ANNA, None, game="turncoat") == ["two"]
    assert await seen(process, ANNA, None, rated=True) == ["three"]
    assert await seen(process, ANNA, None, rated=False) == ["two", "one"]
    assert await seen(process, ANNA, None, opponent=BEN.id) == ["three", "one"]
    first = (await process.matches.page(ANNA.id, None, ANY, None, 10)).matches[-1]
    assert await seen(process, ANNA, None, since=position_of(first.played)) == ["three", "two"]
    assert await seen(process, ANNA, None, since=Position(Millis(process.clock.time), "")) == ["three"]


async def test_a_match_for_members_is_shown_to_them_only(process: Process) -> None:
    """And to the operator; all counts leave it out for others, and the time of the first match, too."""
    await play(process, "secret", ANNA, BEN, spectators=False)
    await send(process, "secret", BEN, commands.Leave())
    await send(process, "secret", DORA, commands.Join())
    await play(process, "open", ANNA, BEN)
    await process.deliver()
    for reader in (ANNA.id, DORA.id, OPERATOR):
        assert await seen(process, ANNA, reader) == ["open", "secret"], reader
    assert await seen(process, BEN, BEN.id) == ["open", "secret"]
    others: list[PlayerId | None] = [None, BEN.id, CLARA.id]
    for other in others:
        assert await seen(process, ANNA, other) == ["open"]
    for caller, count in [*((other, 1) for other in others), (DORA.id, 1), (ANNA.id, 2), (OPERATOR, 2)]:
        assert [each.tally for each in await process.matches.results(ANNA.id, caller)] == [Tally(losses=count)]
        against = await process.matches.against(ANNA.id, BEN.id, caller)
        assert [each.tally for each in against] == [Tally(losses=2 if caller == BEN.id else count)]
    assert await process.matches.since(ANNA.id, None) == process.clock.time
    assert (await process.matches.since(ANNA.id, ANNA.id) or 0) < process.clock.time


async def test_pages_follow_each_other(process: Process, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also if many matches ended at the same time, and few rows are read at a time; a page may be short."""
    monkeypatch.setattr(player_matches, "BATCH", 3)
    for number in range(7):
        await play(process, f"room-{number}", ANNA, BEN, game="turncoat" if number == 2 else "morris")
        process.clock.time = Millis(process.clock.time - 1000 * (number % 3 > 0))
    await process.deliver()
    everything, after, pages = list[FoundMatch](), None, 0
    while True:
        page = await process.matches.page(ANNA.id, None, ANY, after, 2)
        everything, after, pages = everything + page.matches, page.next, pages + 1
        if after is None:
            break
    assert pages == 4
    assert sorted(match.key.name for match in everything) == [f"room-{number}" for number in range(7)]
    positions = [position_of(match.played) for match in everything]
    assert positions == sorted(positions, reverse=True)
    assert len({position.ended for position in positions}) < 7
    monkeypatch.setattr(player_matches, "MOST_WORK", 2)
    process.clock.time = Millis(process.clock.time + MINUTE)
    await play(process, "late", ANNA, BEN)
    process.clock.time = Millis(process.clock.time + MINUTE)
    await play(process, "later", ANNA, BEN)
    await process.deliver()
    short = await process.matches.page(ANNA.id, None, Wanted(game="turncoat"), None, 2)
    assert (short.matches, short.next is not None, short.work) == ([], True, 2)
    rest = await process.matches.page(ANNA.id, None, Wanted(game="turncoat"), short.next, 2)
    assert [match.key.name for match in rest.matches] == ["room-2"]
    assert Position.parse(positions[0].cursor, "cursor") == positions[0]


async def test_pages_reveal_no_match_for_members(process: Process, monkeypatch: pytest.MonkeyPatch) -> None:
    """No next page is announced for one, and no cursor names one or the time of its end, wherever a page ends."""
    for name, settings in (("oldest", HIDDEN), ("old", {}), ("secret", HIDDEN), ("hidden", HIDDEN), ("open", {})):
        process.clock.time = Millis(process.clock.time + 2 * MINUTE)
        await play(process, name, ANNA, BEN, **settings)
    await process.deliver()
    page = await process.matches.page(ANNA.id, None, ANY, None, 2)
    assert ([match.key.name for match in page.matches], page.next) == (["open", "old"], None)
    page = await process.matches.page(ANNA.id, None, Wanted(since=position_of(page.matches[1].played)), None, 1)
    assert ([match.key.name for match in page.matches], page.next) == (["open"], None)
    secret = [found.played for found in (await process.matches.page(ANNA.id, ANNA.id, ANY, None, 9)).matches]
    hidden = {position_of(played) for played in secret if played.kind.members_only}
    for most in range(1, 7):
        monkeypatch.setattr(player_matches, "MOST_WORK", most)
        found, after = list[str](), None
        while True:
            page = await process.matches.page(ANNA.id, None, ANY, after, 1)
            found, after = [*found, *(match.key.name for match in page.matches)], page.next
            if after is None:
                break
            assert {after.match, after.ended}.isdisjoint({each for position in hidden for each in position})
            assert Position.parse(after.cursor, "cursor") == after
        assert found == ["open", "old"]


async def test_an_erased_player_has_no_matches(process: Process) -> None:
    """Also if one is delivered later; those of others stay."""
    await play(process, "one", ANNA, BEN)
    await process.deliver()
    await play(process, "two", ANNA, BEN)
    await process.erasure.erase(ANNA)
    await process.deliver()
    assert await every_player(process.store) == [BEN.id]
    assert await seen(process, BEN, None) == ["two", "one"]
    assert await process.store.player_matches.first(ANNA.id) == FirstMatches(None, None)


async def entries_in(process: Process, key: RoomKey) -> list[MatchEntry]:
    """Return the index of a room's matches."""
    return [ENTRY.decode(data) for data in await process.store.matches(key, range(1, 100)) if data is not None]


@pytest.mark.parametrize("seed", [*range(2), *(pytest.param(seed, marks=pytest.mark.soak) for seed in range(2, 60))])
async def test_the_index_is_that_of_a_slow_recount(
    process: Process, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    """After random matches, while workers are killed after they wrote and before they deleted what they delivered."""
    chance = random.Random(seed)  # noqa: S311 - a test's
    other = process.start_another()
    kinds: list[dict[str, Any]] = [{}, {"spectators": False}, {"rated": True, "clock": CLOCK}]
    for number in range(12):
        players = chance.sample([ANNA, BEN, CLARA, DORA], 2)
        server = chance.choice([process, other])
        await play(
            server, f"room-{number}", *players, game=chance.choice(["morris", "turncoat"]), **chance.choice(kinds)
        )
        if chance.random() < 0.5:
            with monkeypatch.context() as patched:
                patched.setattr(process.store.outbox, "delete", killed)
                with pytest.raises(StoreUnavailable):
                    await chance.choice([process, other]).deliver()
    await other.deliver()
    expected = defaultdict[PlayerId, list[PlayedMatch]](list)
    for key in await every_room(process.store):
        for entry in await entries_in(process, key):
            for player, played in played_matches(entry):
                expected[player].append(played)
    assert await every_player(process.store) == sorted(expected)
    for player, matches in expected.items():
        found = [played async for played in rows_of(process.store, player)]
        assert found == sorted(matches, key=position_of)
        assert await result_problems(process.store, player, matches) == []
        assert {name: each for name, each in counted(matches).items() if " " not in name} == {
            each.game: (await process.store.player_matches.results(player, [each.game]))[0]
            for each in await process.matches.results(player, player)
        }
        assert await process.store.player_matches.first(player) == first_of(matches)


async def killed(*_: object) -> None:
    """Fail like the store of a worker that was killed."""
    raise StoreUnavailable
