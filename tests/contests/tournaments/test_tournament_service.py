"""Tournaments as workers play them: rooms, results, absences, and what is left of interruptions."""

import asyncio
import random
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from service.contests.pairing.process import PairingFailed
from service.contests.tournament_feed import key_of
from service.contests.tournament_service import Organiser
from service.domain.game import Rejected
from service.domain.ids import Millis, Outage, Player, PlayerId, RoomKey
from service.domain.room.model import commands
from service.domain.room.model.clock import Days, Fischer, PerMove
from service.domain.tournaments import model
from service.domain.tournaments.listing import MOST_OWN
from service.domain.tournaments.model import TournamentId, TournamentMatch
from service.domain.tournaments.pairings import Pairing, PairingRequest
from service.domain.validation import Invalid
from service.people.player_matches.service import Wanted
from service.rooms.commands.requests import CommandRequest, with_fingerprint
from service.rooms.feeds.frames import OutgoingFrame
from service.rooms.repository import LoadedRoom
from service.store.contract import StoreUnavailable
from service.store.projections.player_matches import Tally
from service.streams.errors import ServiceError
from tests.contests.tournaments.friday import HOUR, asked, create, guest, play_round, resign, rooms_of, state_of, work
from tests.rooms.processes import ANNA, BEN, Clock, Process, run_pending

MINUTE = 60_000
OPERATOR = Organiser(Player(PlayerId("operator"), "Operator"), is_operator=True)


async def test_a_swiss_system_is_played_to_its_end(process: Process) -> None:
    """Rooms open with all players seated, results arrive by themselves, and the next round follows."""
    tournament = await create(process, players=4)
    state = await work(process, tournament, HOUR)
    assert (state.status, state.round, len(state.running)) == ("playing", 1, 2)
    [room, _] = await rooms_of(process, state)
    assert room.table.status == "playing"
    assert room.table.tournament is not None
    assert (room.table.tournament.title, room.table.tournament.round) == ("Friday", 1)
    assert (room.table.settings.rated, room.table.settings.restart) == (True, None)
    for _ in range(3):
        state = await play_round(process, tournament)
    assert (state.status, state.round) == ("finished", 3)
    assert sum(row.points for row in state.standings) == 3 * 2 * 2
    assert [each.status for each in await process.tournaments.listed()] == ["finished"]


async def test_a_match_at_a_table_counts_without_moves(process: Process) -> None:
    """For its players, as it does in the standings; no rating changes."""
    tournament = await create(process, players=2)
    await work(process, tournament, HOUR)
    await play_round(process, tournament)
    found = [(await process.matches.page(guest(number).id, None, Wanted(), None, 9)).matches for number in range(2)]
    assert sorted(match.played.outcome or "" for [match] in found) == ["lost", "won"]
    assert [(match.entry.counts, match.not_rated) for [match] in found] == [(True, "aborted")] * 2
    tallies = [(await process.matches.results(guest(number).id, None))[0].tally for number in range(2)]
    assert sorted(tallies) == [Tally(losses=1), Tally(wins=1)]


async def test_players_find_their_rooms(process: Process) -> None:
    """In their own feeds and among their rooms; only the players of the table are members."""
    tournament = await create(process, players=3, game="ternio")
    state = await work(process, tournament, HOUR)
    [room] = await rooms_of(process, state)
    assert set(room.table.members) == {guest(number).id for number in range(3)}
    for number in range(3):
        [own] = await process.rooms.rooms_of(guest(number).id)
        assert own.table.key == room.table.key
        page = await process.players.page(guest(number).id, None, 100)
        [match] = [record.event for record in page.records if isinstance(record.event, TournamentMatch)]
        assert (match.room, room.table.seats[match.seat]) == (room.table.key.name, guest(number).id)


async def test_nobody_rules_the_room_of_a_table(process: Process) -> None:
    """It has no creator among its members, its match is the only one, and it closes soon after it."""
    tournament = await create(process, players=2)
    state = await work(process, tournament, HOUR)
    [room] = await rooms_of(process, state)
    for command in (commands.Close(), commands.Configure(settings={"restart": 0}), commands.Mute(guest(1).id, on=True)):
        with pytest.raises(ServiceError) as refused:
            await process.rooms.command(room.table.key.name, CommandRequest(command, guest(0)))
        assert refused.value.problem.code in {"not_the_creator", "rated_match"}
    await resign(process, room, 0)
    for number in range(2):
        await process.rooms.command(room.table.key.name, CommandRequest(commands.Ready(), guest(number)))
    live = await process.rooms.by_key(room.table.key)
    assert (live.state.table.status, live.state.table.matches) == ("finished", 1)
    process.clock.time = Millis(process.clock.time + 600_001)
    await process.rooms.proceed(room.table.key)
    assert (await process.rooms.by_key(room.table.key)).state.table.status == "closed"


@pytest.mark.parametrize(
    ("clock", "patience"),
    [
        (Fischer(Millis(60_000), Millis(0)), 30_000),
        (Fischer(Millis(180_000), Millis(2_000)), 60_000),
        (Fischer(Millis(600_000), Millis(5_000)), 120_000),
    ],
)
async def test_who_does_not_begin_forfeits_sooner_the_faster_the_clock_is(
    process: Process, clock: Fischer, patience: int
) -> None:
    """Also if the opponent is absent, too; the tournament knows that they were absent."""
    tournament = await create(process, players=2, clock=clock)
    state = await work(process, tournament, HOUR)
    [room] = await rooms_of(process, state)
    live = await process.rooms.by_key(room.table.key)
    process.clock.time = Millis(process.clock.time + patience - 1)
    await process.rooms.proceed(room.table.key)
    assert live.state.playing is not None
    process.clock.time = Millis(process.clock.time + 1)
    await process.rooms.proceed(room.table.key)
    state = await work(process, tournament)
    [table] = state.tables.values()
    assert table.absent == (0,)
    assert table.places == (2, 1)
    assert state.entries[table.players[0]].missed == 1


@pytest.mark.parametrize(
    ("game", "clock", "absent"),
    [("morris", PerMove(Millis(30_000)), (0,)), ("turncoat", PerMove(Millis(30_000)), (0, 1))],
)
async def test_absence_is_noticed_where_clocks_end_the_match_sooner(
    process: Process, game: str, clock: PerMove, absent: tuple[int, ...]
) -> None:
    """Absent players lose on time, both of them in a game of simultaneous moves, and are withdrawn."""
    tournament = await create(process, 2, "arena", game=game, clock=clock)
    state = await work(process, tournament, HOUR)
    for _ in range(2):
        [room] = await rooms_of(process, state)
        process.clock.time = Millis(process.clock.time + 40_000)
        await process.rooms.proceed(room.table.key)
        state = await work(process, tournament)
        state = await work(process, tournament, 10_000)
    first, *_ = state.tables.values()
    assert first.absent == absent
    assert state.entries[first.players[0]].left == "absent"


async def test_a_match_that_takes_too_long_is_closed_and_nobody_wins(process: Process) -> None:
    """As the rules of one game allow matches without end."""
    tournament = await create(process, players=2)
    state = await work(process, tournament, HOUR)
    [table] = state.tables.values()
    live = await process.rooms.by_key((await rooms_of(process, state))[0].table.key)
    state = await work(process, tournament, table.deadline - process.clock.time)
    [table] = state.tables.values()
    assert table.places == (1, 1)
    assert live.state.table.status == "closed"


async def test_no_match_begins_when_the_time_of_an_arena_is_up(process: Process) -> None:
    """Also not between players whose matches end later, while others still play."""
    tournament = await create(process, 6, "arena", duration_ms=10 * MINUTE)
    state = await work(process, tournament, HOUR)
    assert state.until is not None
    state = await work(process, tournament, state.until - process.clock.time + MINUTE)
    *ended, last = await rooms_of(process, state)
    for room in ended:
        await resign(process, room, 0)
    state = await work(process, tournament)
    assert (state.status, len(state.tables), len(state.running)) == ("playing", 3, 1)
    await resign(process, last, 0)
    assert (await work(process, tournament)).status == "finished"


async def test_players_who_wait_when_the_time_of_an_arena_is_up_get_no_match(process: Process) -> None:
    """Two who have just met wait for another opponent; workers do not look at them all the time."""
    tournament = await create(process, 4, "arena", duration_ms=10 * MINUTE)
    state = await work(process, tournament, HOUR)
    assert state.until is not None
    await work(process, tournament, state.until - process.clock.time - 20_000)
    await resign(process, (await rooms_of(process, state))[0], 0)
    await work(process, tournament, 10_000)
    state = await work(process, tournament, 70_000)
    assert (len(state.tables), len(state.running)) == (2, 1)
    assert process.store._due[key_of(tournament)] > process.clock.time


@pytest.mark.parametrize("form", ["swiss", "arena"])
async def test_down_time_is_given_back_once(process: Process, form: Any) -> None:
    """No match takes too long because of it, and an arena lasts as long as announced."""
    tournament = await create(process, 2, form)
    before = await work(process, tournament, HOUR)
    since = process.clock.time
    process.clock.down = (Outage(since, Millis(since + 2 * HOUR)),)
    await work(process, tournament, 2 * HOUR)
    state = await work(process, tournament, 1_000)
    assert state.tables[1].deadline == before.tables[1].deadline + 2 * HOUR
    assert state.until == (None if before.until is None else before.until + 2 * HOUR)
    [listed] = await process.tournaments.listed()
    assert listed.until == state.until
    [room] = await rooms_of(process, state)
    await process.rooms.proceed(room.table.key)
    assert (await process.rooms.by_key(room.table.key)).state.playing is not None
    state = await work(process, tournament, state.tables[1].deadline - process.clock.time)
    assert state.tables[1].places == (1, 1)


async def test_a_worker_that_was_suspended_reads_first_how_long_the_service_was_down(
    process: Process, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise it would close matches and end an arena although their time is given back."""
    tournament = await create(process, 2, "arena")
    await work(process, tournament, HOUR)
    since = process.clock.time

    async def refreshed() -> None:
        process.clock.down = (Outage(since, process.clock.time),)

    monkeypatch.setattr(process.clock, "late", True)
    monkeypatch.setattr(process.clock, "refreshed", refreshed)
    state = await work(process, tournament, 2 * HOUR)
    assert (state.status, list(state.running), state.tables[1].has_ended) == ("playing", [1], False)


@pytest.mark.parametrize(
    ("since", "until", "starts"), [(-MINUTE, 3 * MINUTE, 13), (9 * MINUTE, 11 * MINUTE, 12), (-3 * MINUTE, 0, 10)]
)
async def test_the_check_in_lasts_as_long_as_announced(process: Process, since: int, until: int, starts: int) -> None:
    """Down time within its ten minutes postpones the start; all times count from the beginning of the check-in."""
    tournament = await create(process, 2, check_in_ms=10 * MINUTE)
    opens = Millis(process.clock.time + HOUR - 10 * MINUTE)
    process.clock.down = (Outage(Millis(opens + since), Millis(opens + until)),)
    state = await work(process, tournament, HOUR + max(0, until - 10 * MINUTE))
    assert (state.status == "registration", state.terms.starts if state.terms else None) == (
        starts > 10,
        opens + starts * MINUTE,
    )
    if state.status == "registration":
        for number in range(2):
            await process.tournaments.command(tournament, model.CheckInToTournament(), Organiser(guest(number)))
        state = await work(process, tournament, opens + starts * MINUTE - process.clock.time)
        assert (state.status, len(state.active)) == ("playing", 2)


async def test_the_match_of_a_lost_room_has_no_winner(process: Process) -> None:
    """When its time is up; the tournament goes on."""
    tournament = await create(process, players=2)
    state = await work(process, tournament, HOUR)
    [table] = state.tables.values()
    assert table.key is not None
    another = process.start_another()
    del another.store._streams[table.key]  # as in a store that has lost it
    state = await work(another, tournament, table.deadline - process.clock.time)
    assert [each.places for each in state.tables.values()] == [(1, 1)]


async def test_the_match_of_a_damaged_room_has_no_winner(process: Process, monkeypatch: pytest.MonkeyPatch) -> None:
    """Other matches are closed at the same time, and the tournament goes on."""
    tournament = await create(process, players=4)
    state = await work(process, tournament, HOUR)
    table, find = state.tables[1], process.rooms.find

    async def find_intact(key: RoomKey) -> LoadedRoom | None:
        if key == table.key:
            raise ServiceError("history_damaged")
        return await find(key)

    monkeypatch.setattr(process.rooms, "find", find_intact)
    state = await work(process, tournament, table.deadline - process.clock.time)
    assert [state.tables[number].places for number in (1, 2)] == [(1, 1), (1, 1)]
    assert (await work(process, tournament, 10_000)).round == 2


async def test_players_of_the_same_name_can_meet(process: Process) -> None:
    """One of them has a number."""
    tournament = await create(process)
    for number in range(2):
        twin = Player(guest(number).id, "Twin")
        await process.tournaments.register(tournament, twin)
    [room] = await rooms_of(process, await work(process, tournament, HOUR))
    assert sorted(member.nickname for member in room.table.members.values()) == ["Twin", "Twin 2"]


async def test_an_erased_player_leaves_tournaments(process: Process) -> None:
    """And is shown without a name."""
    tournament = await create(process, players=3)
    await process.erasure.erase(guest(0))
    state = await state_of(process, tournament)
    assert set(state.active) == {guest(1).id, guest(2).id}


async def test_a_banned_player_is_removed_from_every_open_tournament(process: Process) -> None:
    """Also from one that is running; and cannot come back when the ban has ended."""
    waiting, running = await create(process, players=2), await create(process, players=4)
    await process.tournaments.command(running, model.BeginTournament(), OPERATOR)
    await process.tournaments.remove_everywhere(guest(0).id)
    assert guest(0).id not in (await state_of(process, waiting)).active
    assert (await state_of(process, running)).entries[guest(0).id].left == "removed"
    for tournament in (waiting, running):
        with pytest.raises(Rejected, match="removed_from_tournament"):
            await process.tournaments.register(tournament, guest(0))


# Creating


async def test_a_damaged_tournament_does_not_keep_a_player_in_others(process: Process) -> None:
    """A ban and the list of a player's tournaments leave out what cannot be read, in every process."""
    damaged, intact = await create(process, 1), await create(process, 1)
    entries = process.store._streams[key_of(damaged)].entries
    entries[-1] = replace(entries[-1], data=entries[-1].data.replace(b"1500", b"1501"))
    other = process.start_another()
    assert await other.tournaments.entered_by(guest(0).id) == {intact}
    await other.tournaments.remove_everywhere(guest(0).id)
    assert not (await state_of(other, intact)).active


async def test_a_player_has_two_open_tournaments_and_operators_any_number(process: Process) -> None:
    """One that was cancelled counts no longer."""
    made = [await create(process) for _ in range(MOST_OWN)]
    with pytest.raises(Rejected, match="too_many_tournaments"):
        await create(process)
    await process.tournaments.command(made[0], model.CancelTournament(), Organiser(ANNA))
    await work(process, made[0])
    await create(process)
    for _ in range(MOST_OWN + 1):
        await process.tournaments.create(asked(process), OPERATOR)
    assert len([each for each in await process.tournaments.listed() if each.is_open]) == 2 * MOST_OWN + 1


async def test_players_leave_room_for_the_tournaments_of_operators(
    process: Process, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Operators can create one also when the players have as many as allowed."""
    monkeypatch.setattr("service.domain.tournaments.listing.MOST_OF_PLAYERS", 2)
    for number in range(2):
        await process.tournaments.create(asked(process), OPERATOR)
        await process.tournaments.create(asked(process), Organiser(guest(number)))
    with pytest.raises(Rejected) as refused:
        await process.tournaments.create(asked(process), Organiser(guest(2)))
    assert (refused.value.code, refused.value.params) == ("too_many_tournaments", {"most": 2})
    await process.tournaments.create(asked(process), OPERATOR)


async def test_the_list_keeps_the_tournaments_that_ended_last(
    process: Process, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also those that were created long before others that have ended."""
    monkeypatch.setattr("service.domain.tournaments.listing.MOST_CLOSED", 2)
    made = [(await process.tournaments.create(asked(process), OPERATOR)).id for _ in range(3)]
    for tournament in (made[1], made[2], made[0]):
        process.clock.time = Millis(process.clock.time + MINUTE)
        await process.tournaments.command(tournament, model.CancelTournament(), OPERATOR)
        await process.deliver()
    assert [each.id for each in await process.tournaments.listed()] == [made[2], made[0]]


async def test_a_repeated_request_with_a_key_creates_one_tournament(process: Process) -> None:
    """Also where another one would be too many by now, or its start has passed; another request is refused."""
    request = asked(process)
    key = with_fingerprint("key", request)
    first = await process.tournaments.create(request, Organiser(ANNA), key)
    await create(process)
    process.clock.time = Millis(process.clock.time + 2 * HOUR)
    again = await process.start_another().tournaments.create(request, Organiser(ANNA), key)
    assert (again.id, first.replayed, again.replayed) == (first.id, False, True)
    assert len(await process.tournaments.listed()) == MOST_OWN
    another = asked(process, title="Sunday")
    with pytest.raises(ServiceError) as refused:
        await process.tournaments.create(another, Organiser(ANNA), with_fingerprint("key", another))
    assert refused.value.problem.code == "key_reused"
    ben = await process.tournaments.create(another, Organiser(BEN), with_fingerprint("key", another))
    assert ben.id != first.id


async def test_simultaneous_requests_with_a_key_create_one_tournament(process: Process) -> None:
    """In two processes; both get it."""
    request, processes = asked(process), (process, process.start_another())
    key = with_fingerprint("key", request)
    made = await asyncio.gather(*(each.tournaments.create(request, Organiser(ANNA), key) for each in processes))
    assert len({each.id for each in made}) == len(await process.tournaments.listed()) == 1


@pytest.mark.parametrize(
    ("more", "pointer"),
    [
        ({"game": "chess"}, "/game"),
        ({"options": {"wings": 2}}, "/options"),
        ({"clock": Days(1)}, "/clock"),
        ({"rounds": 3, "form": "arena"}, "/rounds"),
        ({"duration_ms": 600_000}, "/duration_ms"),
        ({"max_players": 33, "form": "round_robin"}, "/max_players"),
        ({"max_players": 2, "game": "ternio"}, "/max_players"),
    ],
)
async def test_a_tournament_that_is_not_possible_is_refused(
    process: Process, more: dict[str, Any], pointer: str
) -> None:
    """With a pointer to what is wrong."""
    with pytest.raises(Invalid) as invalid:
        await create(process, **more)
    assert invalid.value.pointer.startswith(pointer)


async def test_a_tournament_starts_within_ninety_days(process: Process) -> None:
    """Or at once, if the client's clock is up to a minute late."""
    request = asked(process)
    now = process.clock.time
    process.clock.time = Millis(now + HOUR + MINUTE)
    made = await process.tournaments.create(request, Organiser(ANNA))
    state = await state_of(process, made.id)
    assert state.terms is not None
    assert state.terms.starts == process.clock.time
    process.clock.time = now
    for ahead in (-2 * HOUR, 91 * 24 * HOUR):
        process.clock.time = Millis(process.clock.time - ahead)
        with pytest.raises(Invalid, match="90 days"):
            await process.tournaments.create(request, Organiser(ANNA))
        process.clock.time = Millis(process.clock.time + ahead)


async def test_a_tournament_of_which_only_the_list_knows_begins_by_the_outbox(process: Process) -> None:
    """If the process that created it was killed in between."""
    process.store.before_append = [nothing, lose_store(process)]
    with pytest.raises(StoreUnavailable):
        await create(process)
    [listed] = await process.tournaments.listed()
    with pytest.raises(Rejected, match="no_such_tournament"):
        await process.tournaments.find(listed.id)
    await process.deliver()
    await process.tournaments.register(listed.id, BEN)
    assert set((await state_of(process, listed.id)).active) == {BEN.id}


async def nothing() -> None:
    """Do nothing."""


def lose_store(process: Process) -> Any:
    """Return what makes the next append fail, without an effect."""

    async def fail() -> None:
        raise StoreUnavailable(f"as the test of {process.clock.time} wants")

    return fail


# Interruptions


@pytest.mark.parametrize("failure", ["refused", "failed"])
@pytest.mark.parametrize("form", ["swiss", "arena"])
async def test_a_tournament_goes_on_if_no_pairing_can_be_computed(process: Process, form: Any, failure: str) -> None:
    """A plain pairing takes its place; rooms are opened and closed as usual."""

    async def pair(_: PairingRequest) -> Pairing:
        if failure == "failed":
            raise PairingFailed("as this test wants")
        return Pairing((), ())

    process.tournaments._rounds._pair = pair
    tournament = await create(process, 5, form)
    state = await work(process, tournament, HOUR)
    assert (len(state.running), len(await rooms_of(process, state))) == (2, 2)
    deadline = max(table.deadline for table in state.tables.values())
    state = await work(process, tournament, deadline - process.clock.time)
    assert all(state.tables[number].places == (1, 1) for number in (1, 2))


@settings(max_examples=15)
@given(seed=st.integers(0, 10_000), form=st.sampled_from(["swiss", "round_robin", "arena"]))
async def test_no_round_is_lost_or_begun_twice_whatever_fails(seed: int, form: Any) -> None:
    """Stores fail before and after writes, and several workers act at the same time."""
    chance = random.Random(seed)  # noqa: S311 - a seed that can be repeated
    process = Process(Clock())
    process.store.dice = chance
    more = {"duration_ms": 600_000} if form == "arena" else {}
    tournament = await create(process, 5, form, **more)
    workers = [process, process.start_another(), process.start_another()]
    process.clock.time = Millis(process.clock.time + HOUR)
    for _ in range(400):
        worker = chance.choice(workers)
        if chance.random() < 0.2:
            worker.store.failing = {chance.choice(["append", "append", "read"]): StoreUnavailable("lost reply")}
        try:
            await worker.tournaments.proceed(key_of(tournament))
            state = await state_of(worker, tournament)
            for room in await rooms_of(worker, state):
                if room.playing is not None and chance.random() < 0.5:
                    await resign(worker, room, chance.randrange(2))
            await worker.deliver()
        except (StoreUnavailable, ServiceError):
            workers[workers.index(worker)] = process.start_another()
        finally:
            worker.store.failing = {}
        if state_is_over(await state_of(process.start_another(), tournament)):
            break
        process.clock.time = Millis(process.clock.time + 10_000)
    state = await state_of(process.start_another(), tournament)
    assert state.status == "finished"
    assert all(table.has_ended and table.match_id for table in state.tables.values())
    rooms = [table.key for table in state.tables.values()]
    assert len(set(rooms)) == len(rooms)
    opened = [key for key in process.store._streams if getattr(key, "epoch", None)]
    assert set(opened) == set(rooms), "no room was opened twice for one table"
    assert [row.points for row in state.standings] == [state.entries[row.player].points for row in state.standings]


@pytest.mark.parametrize("happens", ["renamed", "erased"])
async def test_a_room_is_found_again_after_a_nickname_has_changed(process: Process, happens: str) -> None:
    """If its opening was interrupted before the tournament knew it: no second room is opened."""
    tournament = await create(process, players=4)
    await work(process, tournament, HOUR - 1)
    process.store.before_append = [nothing, nothing, lose_store(process), lose_store(process)]
    with pytest.raises(StoreUnavailable):
        await work(process, tournament, 1)
    first = guest(0)
    if happens == "erased":
        await process.erasure.erase(first)
    else:
        await process.tournaments.command(tournament, model.LeaveTournament(), Organiser(first))
        await process.tournaments.register(tournament, Player(first.id, "Another name"))
    state = await work(process.start_another(), tournament)
    assert all(table.room or table.has_ended for table in state.tables.values())  # who is erased forfeits at once
    assert len([key for key in process.store._streams if getattr(key, "epoch", None)]) == 2


def state_is_over(state: Any) -> bool:
    """Return whether a tournament has ended."""
    return state.status in {"finished", "cancelled"}


# Feed


class Screen:
    """A subscriber of a tournament that applies what it receives."""

    def __init__(self) -> None:
        """Start with nothing."""
        self.frames: list[dict[str, Any]] = []
        self.view: Any = None
        self.refusals: list[ServiceError] = []

    def refuse(self, refusal: ServiceError) -> None:
        """Record why the feed does not go on."""
        self.refusals.append(refusal)

    def offer(self, frame: OutgoingFrame) -> None:
        """Apply a frame."""
        self.apply(msgspec.json.decode(frame.json))

    def apply(self, sent: dict[str, Any]) -> None:
        """Apply a decoded frame."""
        self.frames.append(sent)
        if sent["type"] == "tournament_snapshot":
            self.view = sent["view"]
            return
        assert sent["from"] == self.frames[-2]["version"]
        for operation in sent["patch"]:
            self.view = patched(self.view, operation)


def patched(view: Any, operation: dict[str, Any]) -> Any:
    """Return a document after one operation of a JSON Patch."""
    *path, last = operation["path"].split("/")[1:]
    at = view
    for step in path:
        at = at[int(step)] if isinstance(at, list) else at[step]
    if isinstance(at, list):
        number = int(last)
        at[number : number + (operation["op"] != "add")] = [] if operation["op"] == "remove" else [operation["value"]]
    elif operation["op"] == "remove":
        del at[last]
    else:
        at[last] = operation["value"]
    return view


async def test_the_feed_shows_what_the_tournament_is(process: Process, monkeypatch: pytest.MonkeyPatch) -> None:
    """First the whole, then what changes; changes at the same time come together."""
    monkeypatch.setattr("service.contests.tournament_feed.PAUSE", 0)
    tournament = await create(process, players=4)
    screen, late = Screen(), Screen()
    await process.tournaments.feeds.follow(tournament, screen)
    state = await work(process, tournament, HOUR)
    await play_round(process, tournament)
    await process.tournaments.feeds.follow(tournament, late)
    assert screen.view == late.view
    state = await state_of(process, tournament)
    assert screen.view["tournament"]["round"] == state.round == 2
    assert {player: row["points"] for player, row in screen.view["standings"].items()} == {
        player: entry.points / 2 for player, entry in state.entries.items()
    }
    assert set(screen.view["tables"]) == {"3", "4"}
    process.tournaments.feeds.unfollow(tournament, screen)
    count = len(screen.frames)
    await play_round(process, tournament)
    await process.tournaments.close()
    assert len(screen.frames) == count


async def test_a_slow_subscriber_gets_the_whole_again(process: Process) -> None:
    """Instead of what it has missed."""
    tournament = await create(process, players=2)
    screen = Screen()
    await process.tournaments.feeds.follow(tournament, screen)
    process.tournaments.feeds.resync(tournament, screen)
    await process.tournaments.feeds.close()
    assert [frame["type"] for frame in screen.frames] == ["tournament_snapshot"] * 2


@pytest.mark.parametrize("turns", [0, 50])
async def test_a_new_subscription_survives_the_end_of_an_earlier_one(
    process: Process, monkeypatch: pytest.MonkeyPatch, turns: int
) -> None:
    """However soon it follows: what other processes do is sent."""
    monkeypatch.setattr("service.contests.tournament_feed.PAUSE", 0)
    tournament = await create(process)
    screen = Screen()
    await process.tournaments.feeds.follow(tournament, screen)
    process.tournaments.feeds.unfollow(tournament, screen)
    for _ in range(turns):
        await asyncio.sleep(0)
    await process.tournaments.feeds.follow(tournament, screen)
    await register_elsewhere(process, tournament)
    assert set(screen.view["standings"]) == {BEN.id}


async def test_a_subscription_that_begins_while_the_last_one_ends_survives(
    process: Process, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its view has not been sent yet when the other subscriber leaves."""
    monkeypatch.setattr("service.contests.tournament_feed.PAUSE", 0)
    tournament = await create(process)
    screen, leaving = Screen(), Screen()
    await process.tournaments.feeds.follow(tournament, leaving)
    reply = process.store.hold("heads")
    following = asyncio.create_task(process.tournaments.feeds.follow(tournament, screen))
    await reply.reached.wait()
    process.tournaments.feeds.unfollow(tournament, leaving)
    reply.release()
    await following
    await register_elsewhere(process, tournament)
    assert set(screen.view["standings"]) == {BEN.id}


async def test_a_subscription_can_end_before_its_view_is_sent(process: Process) -> None:
    """Whether it is the first view or a later one; the tournament is no longer followed then."""
    tournament = await create(process)
    screen = Screen()
    reply = process.store.hold("heads")
    following = asyncio.create_task(process.tournaments.feeds.follow(tournament, screen))
    await reply.reached.wait()
    process.tournaments.feeds.unfollow(tournament, screen)
    await run_pending()
    reply.release()
    await following
    assert (screen.frames, key_of(tournament) in process.store._subscriptions) == ([], False)
    await process.tournaments.feeds.follow(tournament, screen)
    process.tournaments.feeds.resync(tournament, screen)
    process.tournaments.feeds.unfollow(tournament, screen)
    await run_pending()
    assert [frame["type"] for frame in screen.frames] == ["tournament_snapshot"]
    assert key_of(tournament) not in process.store._subscriptions


async def register_elsewhere(process: Process, tournament: TournamentId) -> None:
    """Let a player register in another process, and wait until the feeds of this one have sent it."""
    await run_pending()
    await process.start_another().tournaments.register(tournament, BEN)
    await run_pending()
