"""Matches are rated when they have ended: which ones, each once, and the same for every process that folds them."""

import asyncio
import random
from pathlib import Path
from typing import Any

import msgspec
import pytest

from service.api.routes.contests.rating_bodies import leaderboard_place, player_ratings
from service.contests import leaderboards as board
from service.contests import rating_service as service
from service.contests.leaderboards import ratings_key
from service.contests.rating_verification import ListVerifier
from service.domain.game import Seat
from service.domain.ids import DAY, Millis, Player, PlayerId, Version
from service.domain.ratings import state
from service.domain.ratings.decide import NEWCOMER
from service.domain.ratings.kind import RATINGS, stored
from service.domain.ratings.model import ListId, MatchRated
from service.domain.ratings.state import RatingList
from service.domain.room.model import commands
from service.domain.room.model.clock import PerMove
from service.domain.room.model.settings import BotSeat, OpenRoom, RequestedSettings
from service.store.contract import StoreUnavailable
from service.store.integrity import BrokenHistory
from service.streams import loaded
from service.streams.repository import StreamRepository
from tests.contests.ratings.matches import ended
from tests.rooms.processes import ANNA, BEN, CLARA, NOON, Process

CLOCK = PerMove(Millis(10_000))
BLITZ, BOTS = "morris.blitz", "morris.bots"
RATED: dict[str, Any] = {"rated": True, "clock": CLOCK}
HIDDEN: dict[str, Any] = {"spectators": False}


async def list_of(process: Process, name: str = BLITZ) -> RatingList:
    """Return a list as another process loads it from the store."""
    repository = StreamRepository(process.start_another().store, RATINGS, 10)
    return (await repository.current(ratings_key(name))).state


async def points_of(process: Process, *players: Player, name: str = BLITZ) -> list[float]:
    """Return the ratings of players, rounded to whole points."""
    known = (await list_of(process, name)).players
    return [round(known[player.id].rating.value / 100) for player in players]


async def play_rated(process: Process, **settings: Any) -> None:
    """Play a rated match that Anna wins, and deliver it."""
    await process.start_match(ANNA, BEN, **{**RATED, **settings})
    await process.move_each(ANNA, BEN)
    await process.execute(BEN, commands.Resign())
    await process.deliver()


async def test_a_rated_match_changes_the_ratings(process: Process) -> None:
    """When it has ended, in the list of its game and its clock; the players are notified."""
    await play_rated(process)
    assert await points_of(process, ANNA, BEN) == [1617, 1383]
    await process.deliver()
    page = await process.players.page(ANNA.id, None, 100)
    assert [type(record.event).__name__ for record in page.records][-2:] == ["MatchFinished", "RatingChanged"]


async def test_a_draw_counts(process: Process) -> None:
    """Between equal players it changes what is known, and no rating."""
    await process.start_match(ANNA, BEN, **RATED)
    await process.move_each(ANNA, BEN)
    await process.execute(ANNA, commands.OfferDraw())
    await process.execute(BEN, commands.Answer(1, accept=True))
    await process.deliver()
    anna = (await list_of(process)).players[ANNA.id]
    assert (anna.rating.value, anna.draws) == (150_000, 1)
    assert anna.rating.deviation < 35_000


async def test_an_aborted_match_does_not_count(process: Process) -> None:
    """One in which nobody or only one player moved."""
    await process.start_match(ANNA, BEN, **RATED)
    await process.place_man(ANNA, "a1")
    await process.execute(BEN, commands.Resign())
    await process.deliver()
    assert not (await list_of(process)).players


async def test_other_matches_do_not_count(process: Process) -> None:
    """Matches that did not begin as rated."""
    await play_rated(process, rated=False)
    assert not (await list_of(process)).players


async def test_a_rated_match_with_a_declared_bot_counts_against_bots(process: Process) -> None:
    """For both of them, in the list `bots` and in no other one, which names the bot."""
    program = Player(BEN.id, BEN.nickname, bot=True)
    await process.start_match(ANNA, program, **RATED)
    await process.move_each(ANNA, BEN)
    await process.execute(program, commands.Resign())
    await process.deliver()
    assert not (await list_of(process)).players
    assert await points_of(process, ANNA, BEN, name=BOTS) == [1617, 1383]
    [record] = await process.ratings.entries(ListId(BOTS), Version(0), 9)
    assert isinstance(record.event, MatchRated)
    assert [seat.program for seat in record.event.seats] == [msgspec.UNSET, True]
    verified = await ListVerifier(process.store, ListId(BOTS), Path(), print, lambda _: None).verify()
    assert verified.problems == 0


async def test_at_tables_of_three_places_count(process: Process) -> None:
    """Who resigns first is last."""
    await process.start_match(ANNA, BEN, CLARA, game="ternio", **RATED)
    live = await process.cached_room()
    match = live.state.match
    assert match is not None
    for _ in range(3):
        match = live.state.match
        assert match is not None
        seat = match.game.to_move(match.state)[0]
        move = msgspec.to_builtins(next(iter(match.game.legal_moves(match.state, seat))))
        await process.execute((ANNA, BEN, CLARA)[seat], commands.Play(move))
    await process.execute(ANNA, commands.Resign())
    await process.execute(BEN, commands.Resign())
    await process.deliver()
    anna, ben, clara = await points_of(process, ANNA, BEN, CLARA, name="ternio.blitz")
    assert anna < ben < clara
    assert anna < 1500 < clara


AGAINST_BOT: dict[str, Any] = {"clock": CLOCK, "hints": "off"}


async def begin_bot(process: Process, **settings: Any) -> PlayerId:
    """Begin a match against a bot in which both move once, and return the bot."""
    opening = OpenRoom(
        "morris",
        "Friday Night",
        settings=RequestedSettings(**{**AGAINST_BOT, **settings}),
        seats=("me", BotSeat("hard")),
    )
    await process.rooms.open(opening, ANNA, None)
    await process.place_man(ANNA, "a1")
    await bot_moves(process, "d1")
    bot = (await process.cached_room()).state.table.seats[1]
    assert bot is not None
    return bot


async def bot_moves(process: Process, at: str) -> None:
    """Let the bot move."""
    live = await process.cached_room()
    await process.execute(None, commands.PlayFor(Seat(1), {"type": "place", "at": at}, live.state.version))


async def play_bot(process: Process, *last: commands.AnyCommand, **settings: Any) -> None:
    """Play a match against a bot in which both move once and the person then sends commands, and deliver it."""
    await begin_bot(process, **settings)
    for command in last:
        await process.execute(ANNA, command)
    await process.deliver()


async def against_bots(process: Process) -> list[tuple[str, int, int]]:
    """Return who has rated matches against bots, with their numbers of matches and wins; all of them lose rating."""
    known = (await list_of(process, BOTS)).players
    assert all(each.rating.value < 150_000 for each in known.values())
    return [(player, each.matches, each.wins) for player, each in known.items()]


LOST = [(ANNA.id, 1, 0)]


@pytest.mark.parametrize(
    "last",
    [
        [commands.LeaveSeat(), commands.Close()],
        [commands.LeaveSeat(), commands.Leave()],
        [commands.RemoveBot(Seat(1)), commands.Close()],
        [commands.RemoveBot(Seat(1)), commands.Leave()],
        [commands.RemoveBot(Seat(1)), commands.AddBot("easy", Seat(1)), commands.Close()],
        [commands.RemoveBot(Seat(1)), commands.Resign()],
        [commands.Kick(PlayerId("bot-1")), commands.Close()],
        [commands.LeaveSeat(), commands.AddBot("easy", Seat(0)), commands.Close()],
        [commands.RequestTakeback(), commands.Close()],
        [commands.RequestTakeback(), commands.Resign()],
        [commands.RequestTakeback(), commands.RemoveBot(Seat(1)), commands.Close()],
    ],
    ids=lambda last: " ".join(type(command).__name__ for command in last),
)
async def test_a_match_against_a_bot_that_is_given_up_is_lost(
    process: Process, last: list[commands.AnyCommand]
) -> None:
    """However the person does it; `ratings verify` finds nothing wrong with that."""
    await play_bot(process, *last)
    assert await against_bots(process) == LOST
    verified = await ListVerifier(process.store, ListId(BOTS), Path(), print, lambda _: None).verify()
    assert verified.problems == 0


async def test_a_seat_given_to_somebody_else_is_given_up(process: Process) -> None:
    """The person has lost, however the match goes on."""
    await begin_bot(process)
    await process.execute(ANNA, commands.LeaveSeat())
    await process.execute(BEN, commands.Join())
    await process.execute(BEN, commands.Resign())
    await process.deliver()
    assert await against_bots(process) == LOST


async def test_taking_the_own_seat_again_is_not_giving_up(process: Process) -> None:
    """The match goes on, and counts by its result."""
    await begin_bot(process)
    await process.execute(ANNA, commands.LeaveSeat())
    await process.execute(ANNA, commands.TakeSeat(Seat(0)))
    await process.execute(ANNA, commands.OfferDraw())
    live = await process.cached_room()
    await process.execute(None, commands.AnswerFor(Seat(1), live.state.table.offers[0].id, accept=True))
    await process.deliver()
    assert (await list_of(process, BOTS)).players[ANNA.id].draws == 1


async def test_a_bot_that_is_removed_by_a_spectator_is_not_given_up(process: Process) -> None:
    """The match does not count, because the bot no longer has its seat."""
    opening = OpenRoom(
        "morris", "Friday Night", settings=RequestedSettings(**AGAINST_BOT), seats=(None, BotSeat("hard"))
    )
    await process.rooms.open(opening, BEN, None)
    await process.execute(ANNA, commands.Join())
    await process.execute(ANNA, commands.Ready())
    await process.place_man(ANNA, "a1")
    await bot_moves(process, "d1")
    await process.execute(BEN, commands.RemoveBot(Seat(1)))
    await process.execute(ANNA, commands.Resign())
    await process.deliver()
    assert not (await list_of(process, BOTS)).players


async def test_a_bot_can_be_replaced_before_it_has_moved(process: Process) -> None:
    """Then the match does not count, because a seat changed hands."""
    opening = OpenRoom(
        "morris", "Friday Night", settings=RequestedSettings(**AGAINST_BOT), seats=("me", BotSeat("hard"))
    )
    await process.rooms.open(opening, ANNA, None)
    for command in (commands.RemoveBot(Seat(1)), commands.AddBot("easy", Seat(1))):
        await process.execute(ANNA, command)
    await process.place_man(ANNA, "a1")
    await bot_moves(process, "d1")
    await process.execute(ANNA, commands.Resign())
    await process.deliver()
    assert not (await list_of(process, BOTS)).players


@pytest.mark.parametrize("last", [commands.Resign(), commands.Leave(), commands.Close(), commands.RequestNew()])
async def test_a_match_against_a_bot_is_rated_in_its_list(process: Process, last: commands.AnyCommand) -> None:
    """Who leaves, closes the room or asks for another match has lost; the bot is not among the players."""
    await play_bot(process, last)
    known = (await list_of(process, BOTS)).players
    assert [(player, each.matches, each.wins) for player, each in known.items()] == [(ANNA.id, 1, 0)]
    assert known[ANNA.id].rating.value < 150_000


@pytest.mark.parametrize(
    "settings",
    [{"hints": "bots_only"}, {"clock": PerMove(Millis(10_000)), "on_timeout": "random_move"}],
)
async def test_help_against_a_bot_excludes_a_match(process: Process, settings: dict[str, Any]) -> None:
    """Hints, or moves by the service when the time is over."""
    await play_bot(process, commands.Resign(), **settings)
    assert not (await list_of(process, BOTS)).players


async def test_after_a_takeback_only_a_defeat_counts(process: Process) -> None:
    """A draw does not; nobody can take back a match that they would lose."""
    await begin_bot(process)
    await process.execute(ANNA, commands.RequestTakeback())
    await process.place_man(ANNA, "a4")
    await bot_moves(process, "d1")
    await process.execute(ANNA, commands.OfferDraw())
    live = await process.cached_room()
    await process.execute(None, commands.AnswerFor(Seat(1), live.state.table.offers[0].id, accept=True))
    await process.deliver()
    assert not (await list_of(process, BOTS)).players


async def test_a_repeated_delivery_changes_nothing(process: Process) -> None:
    """A worker was killed before it deleted what it had delivered, or two deliver the same at once."""
    await process.start_match(ANNA, BEN, **RATED)
    await process.move_each(ANNA, BEN)
    await process.execute(BEN, commands.Resign())
    pending = await process.store.outbox.pending(0, 100)
    other = process.start_another()
    await asyncio.gather(process.deliver(), other.deliver())
    process.store.outbox._entries.update({entry.id: entry for entry in pending})
    await process.deliver()
    assert (await list_of(process)).players[ANNA.id].matches == 1
    page = await process.players.page(ANNA.id, None, 100)
    assert [type(record.event).__name__ for record in page.records].count("RatingChanged") == 1


async def test_a_board_that_was_left_behind_catches_up(process: Process) -> None:
    """The worker was killed between the stream and the board; the delivery is repeated and finds nothing to rate."""
    arrivals = {BLITZ: [ended(1, ANNA.id, BEN.id)]}
    process.store.failing["append"] = StoreUnavailable()
    with pytest.raises(StoreUnavailable):
        await process.ratings.receive(arrivals)
    assert await process.store.leaderboards.version(BLITZ) == 0
    await process.start_another().ratings.receive(arrivals)
    assert await process.store.leaderboards.version(BLITZ) == 1
    assert None not in await process.store.leaderboards.rows(BLITZ, [ANNA.id, BEN.id])


async def test_ratings_do_not_depend_on_how_many_processes_rate(
    process: Process, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nor on restarts, repeated deliveries or snapshots: the events say everything, and the boards are made of them."""
    monkeypatch.setattr(loaded, "SNAPSHOT_EVERY", 8)
    dice = random.Random(5)  # noqa: S311 - who plays whom
    people = [PlayerId(f"p-{number}") for number in range(6)]
    arrivals = [ended(number, *dice.sample(people, dice.choice((2, 3)))) for number in range(60)]
    processes = [process, process.start_another(), process.start_another()]
    for each in processes:
        each.store.dice = random.Random(dice.random())  # noqa: S311 - in which order replies come
    for at in range(0, len(arrivals), 3):
        batch = {BLITZ: arrivals[at : at + 3]}
        await asyncio.gather(*(each.ratings.receive(batch) for each in dice.sample(processes, 2)))
        if at % 15 == 0:
            processes[dice.randrange(3)] = process.start_another()
    for each in processes:
        await each.ratings.close()
    reference = Process(process.clock)
    for arrival in arrivals:
        await reference.ratings.receive({BLITZ: [arrival]})
    live = await list_of(process)
    assert stored(live) == stored(await list_of(reference))
    [first, *_] = await process.store.read(ratings_key(BLITZ), Version(0), 1)
    assert first.version == 1
    assert await process.store.snapshot(ratings_key(BLITZ)) is not None
    process.store._streams[ratings_key(BLITZ)].snapshots.clear()
    assert stored(await list_of(process)) == stored(live)
    rows = await process.store.leaderboards.rows(BLITZ, people)
    assert rows == await reference.store.leaderboards.rows(BLITZ, people)
    await process.ratings.rebuild(BLITZ)
    assert await process.store.leaderboards.rows(BLITZ, people) == rows


async def test_simultaneous_rebuilds_lose_no_rows(process: Process, monkeypatch: pytest.MonkeyPatch) -> None:
    """A worker does not begin another one; an operator takes over, and the one that was overtaken stops."""
    monkeypatch.setattr(board, "PAGE", 2)
    await process.ratings.receive({BLITZ: [ended(n, PlayerId(f"p-{n}"), PlayerId(f"q-{n}")) for n in range(10)]})
    expected, boards = await rows_of(process), process.store.leaderboards
    processes = [process.start_another() for _ in range(3)]
    for each in processes:
        each.store.dice = random.Random(7)  # noqa: S311 - in which order replies come
    rebuilt = await asyncio.gather(*(each.ratings.rebuild(BLITZ) for each in processes))
    assert rebuilt.count(None) == 2
    assert await rows_of(process) == expected
    assert await boards.begin(BLITZ, take_over=False) is not None
    assert await process.ratings._boards.rebuild(BLITZ) is None
    monkeypatch.setattr(board, "REBUILD_BEHIND", 0)
    await process.ratings.receive({BLITZ: [ended(99, ANNA.id, BEN.id)]})
    assert await boards.version(BLITZ) == 10
    assert await process.ratings.rebuild(BLITZ) == 22
    assert await boards.version(BLITZ) == 11


async def rows_of(process: Process) -> dict[PlayerId, bytes | None]:
    """Return all rows of a list's leaderboard."""
    players = [PlayerId(player) for player in (await list_of(process)).players]
    return dict(zip(players, await process.store.leaderboards.rows(BLITZ, players), strict=True))


async def test_only_the_latest_snapshot_is_kept(process: Process, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whichever process made the others."""
    monkeypatch.setattr(loaded, "SNAPSHOT_EVERY", 1)
    for number in range(4):
        ratings = process.start_another().ratings
        await ratings.receive({BLITZ: [ended(2 * number + at, ANNA.id, BEN.id, time=day(number)) for at in range(2)]})
        await ratings.close()
    assert list(process.store._streams[ratings_key(BLITZ)].snapshots) == [8]


def day(number: int) -> Millis:
    """Return noon of a later day."""
    return Millis(NOON + number * DAY)


async def test_a_changed_snapshot_is_ignored(process: Process, monkeypatch: pytest.MonkeyPatch) -> None:
    """The state is folded from the events."""
    monkeypatch.setattr(loaded, "SNAPSHOT_EVERY", 1)
    await process.ratings.receive({BLITZ: [ended(1, ANNA.id, BEN.id), ended(2, ANNA.id, BEN.id)]})
    await process.ratings.close()
    kept = process.store._streams[ratings_key(BLITZ)].snapshots
    [(version, snapshot)] = kept.items()
    kept[version] = msgspec.structs.replace(snapshot, data=snapshot.data.replace(b"p-anna", b"p-eve!"))
    assert set((await list_of(process)).players) == {ANNA.id, BEN.id}
    assert not any(b"p-eve!" in each.data for each in kept.values())


async def test_a_leaderboard_is_read_in_pages_and_around_a_player(
    process: Process, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only players with ten established opponents have a place; all have a standing."""
    monkeypatch.setattr(state, "RANKED_DEVIATION", NEWCOMER.deviation)
    monkeypatch.setattr(service, "PLACES_NEEDED", 9)
    people = [PlayerId(f"p-{number:02}") for number in range(11)]
    pairs = [(one, other) for at, one in enumerate(people) for other in people[at + 1 :]]
    await process.ratings.receive({BLITZ: [ended(number, *pair) for number, pair in enumerate(pairs[:-1])]})
    ratings, name = process.ratings, ListId(BLITZ)
    top, total, provisional = await ratings.leaderboard(name, 0, 4)
    assert (total, provisional) == (9, False)
    assert [(ranked.player, ranked.place) for ranked in top] == [(player, at) for at, player in enumerate(people[:4])]
    assert await ratings.place(name, people[5]) == 5
    assert await ratings.place(name, people[10]) is None
    [(found, standing)] = await ratings.standings(people[10])
    assert (found, standing.row.opponents, standing.place) == (name, 9, None)
    assert await ratings.standings(PlayerId("p-nobody")) == []
    assert (await leaderboard_place(process.matches, top[0])).nickname is None


async def test_until_enough_players_have_a_place_everybody_is_on_the_leaderboard(
    process: Process, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As provisional, and by rating alone; who has no match that everybody may see is left out."""
    monkeypatch.setattr(state, "RANKED_DEVIATION", NEWCOMER.deviation)
    people = [PlayerId(f"p-{number:02}") for number in range(11)]
    pairs = [(one, other) for at, one in enumerate(people) for other in people[at + 1 :]]
    await process.ratings.receive({BLITZ: [ended(number, *pair) for number, pair in enumerate(pairs)]})
    await process.ratings.receive(
        {BLITZ: [ended(99, ANNA.id, people[0]), ended(100, CLARA.id, BEN.id, members_only=True)]}
    )
    ratings, name = process.ratings, ListId(BLITZ)
    found, total, provisional = await ratings.leaderboard(name, 0, 20)
    assert (total, provisional) == (12, True)
    assert [ranked.row.value for ranked in found] == sorted((ranked.row.value for ranked in found), reverse=True)
    assert {ranked.player for ranked in found} == {ANNA.id, *people}
    assert await ratings.place(name, ANNA.id) == next(each.place for each in found if each.player == ANNA.id)
    assert await ratings.place(name, BEN.id) is None
    [own] = player_ratings(await ratings.standings(ANNA.id), knows_all=False)
    assert (own.provisional, own.opponents) == (True, 1)
    monkeypatch.setattr(service, "PLACES_NEEDED", 11)
    settled = await ratings.leaderboard(name, 0, 20)
    assert (settled.total, settled.provisional) == (11, False)
    assert await ratings.place(name, ANNA.id) is None


async def test_a_board_of_an_earlier_release_is_built_when_it_is_read(process: Process) -> None:
    """By a process that rates nothing; it looks whether a board is behind once a minute."""
    await process.ratings.receive({BLITZ: [ended(1, ANNA.id, BEN.id)]})
    process.store.leaderboards._boards.clear()
    name, other = ListId(BLITZ), process.start_another().ratings
    assert (await process.ratings.leaderboard(name, 0, 9)).total == 2
    process.store.leaderboards._boards.clear()
    assert (await process.ratings.leaderboard(name, 0, 9)).total == 0
    assert (await other.leaderboard(name, 0, 9)).total == 2
    process.store.leaderboards._boards.clear()
    process.clock.time = Millis(process.clock.time + board.CHECK_EVERY)
    assert (await process.ratings.leaderboard(name, 0, 9)).total == 2


async def test_a_leaderboard_does_not_count_matches_for_members(process: Process) -> None:
    """Neither among the matches nor among the wins of a player."""
    arrivals = [ended(number, ANNA.id, PlayerId(f"p-{number}"), members_only=number > 2) for number in range(12)]
    await process.ratings.receive({BLITZ: arrivals})
    page = await process.ratings.leaderboard(ListId(BLITZ), 0, 20)
    place = await leaderboard_place(process.matches, next(each for each in page.ranked if each.player == ANNA.id))
    assert (place.matches, place.wins) == (3, 3)


async def test_a_voided_match_is_shown_as_voided(process: Process) -> None:
    """With its own ratings, and in the history of each of its players; others are not."""
    await process.ratings.receive({BLITZ: [ended(number, ANNA.id, BEN.id) for number in (1, 2)]})
    await process.ratings.void("room-1.e1.1", "the same person")
    for number, voided in ((1, True), (2, False)):
        found = await process.ratings.match("morris", f"room-{number}.e1.1")
        assert found is not None
        assert found.voided == voided
    for player in (ANNA.id, BEN.id):
        assert [point.voided for point in await process.ratings.history(ListId(BLITZ), player)] == [True, False]


async def test_opponents_in_matches_for_members_are_known_to_the_player(
    process: Process, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Others see those of public matches, up to ten."""
    monkeypatch.setattr(state, "RANKED_DEVIATION", NEWCOMER.deviation)
    others = [PlayerId(f"p-{number}") for number in range(16)]
    seen = []
    for number, other in enumerate(others):
        await process.ratings.receive({BLITZ: [ended(number, ANNA.id, other, members_only=number < 4)]})
        [own] = player_ratings(await process.ratings.standings(ANNA.id), knows_all=True)
        public = player_ratings(await process.ratings.standings(ANNA.id), knows_all=False)
        seen.append((own.opponents, public[0].opponents if public else None))
    assert seen == [(min(n, 10), min(n - 4, 10) if n > 4 else None) for n in range(1, 17)]


async def test_the_nickname_in_a_match_for_members_is_not_shown(process: Process) -> None:
    """The one in the public match before it is, if there is one."""
    for settings, called, shown in ((HIDDEN, "secret", None), ({}, "known", "known"), (HIDDEN, "secret", "known")):
        await process.start_match(Player(ANNA.id, called), BEN, **RATED, **settings)
        await process.move_each(ANNA, BEN)
        await process.execute(BEN, commands.Resign())
        await process.execute(ANNA, commands.Close())
        await process.deliver()
        standing = await process.ratings.standing(ListId(BLITZ), ANNA.id)
        assert standing is not None
        assert (await leaderboard_place(process.matches, standing)).nickname == shown


async def test_a_player_is_called_as_in_the_latest_match(process: Process, monkeypatch: pytest.MonkeyPatch) -> None:
    """Names are not in the list; they are read from the room, and not known if its index is damaged."""
    await play_rated(process)
    for player in (ANNA, BEN):
        standing = await process.ratings.standing(ListId(BLITZ), player.id)
        assert standing is not None
        assert (await leaderboard_place(process.matches, standing)).nickname == player.nickname
        with monkeypatch.context() as patched:
            patched.setattr(process.store, "matches", broken)
            assert (await leaderboard_place(process.matches, standing)).nickname is None
    assert b"Ben" not in b"".join(entry.data for entry in await process.store.read(ratings_key(BLITZ), Version(0)))


async def broken(*_: object) -> None:
    """Fail like the store for an entry with an invalid MAC."""
    raise BrokenHistory("its MAC does not match")
