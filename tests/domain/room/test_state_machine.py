"""Whatever is asked of a room, in whatever order, some things always hold."""

from pathlib import Path
from typing import Literal, get_args

import msgspec
import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from service.domain.game import Dropped, Level, Rejected, Seat
from service.domain.room.due import due
from service.domain.room.evolve import evolve
from service.domain.room.model import commands as ask
from service.domain.room.model import events as happened
from service.domain.room.model.clock import Fischer, NoClock, PerMove
from service.domain.room.model.commands import AnyCommand, OpenRoom
from service.domain.room.model.events import Recorded
from service.domain.room.model.ids import Millis, PlayerId
from service.domain.room.model.settings import SettingsAsked
from service.domain.room.model.state import Room, seat_names
from service.domain.room.process import REVEALING, UnitOfWork, dry_run, open_room, run
from service.domain.room.seed_commitments import Commitments
from service.domain.room.subjects.bots import bot_answers, bot_moves
from service.domain.room.subjects.offers import active_humans, players_to_answer
from tests.domain.room.given_when_then import ANNA, BEN, BOT, CLARA, DORA, KEY, NOON, context

PLAYERS = st.sampled_from((ANNA, BEN, CLARA, DORA))
ANYBODY = st.sampled_from((ANNA, BEN, CLARA, DORA, BOT))
SEATS = st.sampled_from([Seat(0), Seat(1), Seat(2)])
SHORT = (ask.Unready(), ask.Start(), ask.Leave(), ask.Ready(), ask.Ready("salt"), ask.Ready("pepper"))
WANTED = (ask.OfferDraw(), ask.RequestTakeback(), ask.RequestTakeback(), ask.RequestRestart(), ask.RequestNew())
CHANGES: tuple[dict[str, object], ...] = (
    {},
    {"best_of": 1},
    {"best_of": 3, "seats_next": "rotate"},
    {"hot_seat": False},
    {"restart": None},
    {"start": "full"},
    {"spectators": False},
)
MAYBE_SEAT = st.none() | SEATS

WISHES = st.builds(
    SettingsAsked,
    start=st.sampled_from(("ready", "full", "creator")),
    restart=st.sampled_from((None, 0, 5000)),
    seats_next=st.sampled_from(("keep", "rotate")),
    hot_seat=st.booleans(),
    clock=st.sampled_from((NoClock(), PerMove(Millis(4000)), Fischer(Millis(6000), Millis(500)))),
    on_timeout=st.sampled_from(("lose", "random_move", "bot_move")),
    bot_pause=st.sampled_from((0, 1000)),
)


class RoomMachine(RuleBasedStateMachine):
    """One room, four players, and a clock that only goes forward."""

    @initialize(game=st.sampled_from(("morris", "ternio", "turncoat", "rainbow")), wishes=WISHES, guests=st.booleans())
    def open(self, game: str, wishes: SettingsAsked, guests: bool) -> None:  # noqa: FBT001 - drawn by name
        """Anna opens a room, and perhaps everybody comes at once."""
        self.now = NOON
        self.draws = 0
        story = open_room(OpenRoom(game, settings=wishes), KEY.name, KEY.epoch, context(ANNA, self.now))
        assert story.room is not None
        self.room: Room = story.room
        self.history = list(story.recorded)
        for guest in (BEN, CLARA, DORA) if guests else ():
            self.put(ask.Join("player" if None in self.room.table.seats else "spectator"), guest)

    def put(self, command: AnyCommand, by: PlayerId | None) -> None:
        """Put a command to the room; a refusal changes nothing."""
        self.draws += 1
        brought = context(by, self.now, self.draws.to_bytes(32, "big"))
        try:
            story = run(self.room, command, brought)
        except Rejected as rejected:
            self.foretold_is_refused_alike(command, by, rejected.code)
            return
        self.foretold_is_what_happens(command, by, story)
        assert story.recorded or isinstance(command, ask.Proceed)
        assert story.room is not None
        self.room = story.room
        self.history += story.recorded

    def foretold_is_refused_alike(self, command: AnyCommand, by: PlayerId | None, code: str) -> None:
        """Judge that a dry run is refused exactly where the command is."""
        with pytest.raises(Rejected) as rejected:
            dry_run(self.room, command, context(by, self.now))
        assert rejected.value.code == code

    def foretold_is_what_happens(self, command: AnyCommand, by: PlayerId | None, story: UnitOfWork) -> None:
        """Judge that a dry run tells a beginning of what happens, and never a seed."""
        told, more = dry_run(self.room, command, context(by, self.now))
        assert told == story.recorded[: len(told)]
        assert more == (len(story.recorded) > len(told))
        assert not any(isinstance(recorded.event, REVEALING) for recorded in told)

    @rule(by=PLAYERS, seat=MAYBE_SEAT, role=st.sampled_from(("player", "spectator")))
    def join(self, by: PlayerId, seat: Seat | None, role: happened.Role) -> None:
        """Somebody comes."""
        self.put(ask.Join(role, seat=seat), by)

    @rule(by=PLAYERS, command=st.sampled_from(SHORT))
    def say(self, by: PlayerId, command: AnyCommand) -> None:
        """Somebody says something short."""
        self.put(command, by)

    @precondition(lambda self: not self.room.playing)
    @rule()
    def get_going(self) -> None:
        """Let the creator call for the match, or all who sit say that they are ready."""
        self.put(ask.Start(), self.room.table.creator)
        for holder in dict.fromkeys(self.room.table.seats):
            if holder is not None and not self.room.playing:
                self.put(ask.Ready(), holder)

    @precondition(lambda self: None in self.room.table.seats)
    @rule(by=PLAYERS)
    def fill_the_seats(self, by: PlayerId) -> None:
        """Somebody takes the first empty seat."""
        if None in self.room.table.seats:
            self.put(ask.TakeSeat(Seat(self.room.table.seats.index(None))), by)

    @rule(by=PLAYERS, seat=SEATS)
    def sit(self, by: PlayerId, seat: Seat) -> None:
        """Somebody takes a seat."""
        self.put(ask.TakeSeat(seat), by)

    @rule(by=PLAYERS, seat=MAYBE_SEAT)
    def stand_up(self, by: PlayerId, seat: Seat | None) -> None:
        """Somebody leaves a seat."""
        self.put(ask.LeaveSeat(seat), by)

    @rule(seats=st.lists(st.none() | PLAYERS, min_size=2, max_size=3))
    def place_them(self, seats: list[PlayerId | None]) -> None:
        """Let the creator assign the seats."""
        self.put(ask.AssignSeats(tuple(seats)), self.room.table.creator)

    @precondition(lambda self: self.room.playing)
    @rule(by=PLAYERS, seat=MAYBE_SEAT)
    def resign(self, by: PlayerId, seat: Seat | None) -> None:
        """Somebody gives up."""
        self.put(ask.Resign(seat), by)

    @precondition(lambda self: self.room.playing)
    @rule()
    def all_resign(self) -> None:
        """One seat after another gives up, until the match is over."""
        for seat, holder in enumerate(self.room.table.seats):
            if holder is not None and self.room.playing:
                self.put(ask.Resign(Seat(seat)), holder)

    @precondition(lambda self: self.room.playing)
    @rule(data=st.data())
    def play(self, data: st.DataObject) -> None:
        """Let a seat that has moves make one."""
        match = self.room.playing
        assert match is not None
        seat = data.draw(st.sampled_from(self.room.game.to_move(match.state)))
        move = data.draw(st.sampled_from(list(self.room.game.legal_moves(match.state, seat))))
        holder = self.room.table.seats[seat]
        self.put(ask.Play(msgspec.to_builtins(move), seat), holder or DORA)

    @rule(by=PLAYERS, seat=MAYBE_SEAT, at=st.sampled_from(("a1", "d6", "d5")))
    def play_anything(self, by: PlayerId, seat: Seat | None, at: str) -> None:
        """Somebody makes a move, legal or not."""
        kind = "select" if self.room.table.game == "turncoat" else "place"
        peg = {"at": "c3", "peg": "RO", "side": "R"} if self.room.table.game == "rainbow" else {}
        self.put(ask.Play({"type": kind, "at": at, **peg}, seat), by)

    @rule(by=PLAYERS, level=st.sampled_from(("easy", "hard")), seat=MAYBE_SEAT)
    def add_bot(self, by: PlayerId, level: Level, seat: Seat | None) -> None:
        """Somebody asks for a bot."""
        self.put(ask.AddBot(level, seat), by)

    @rule(seat=SEATS)
    def remove_bot(self, seat: Seat) -> None:
        """Let the creator send a bot away."""
        self.put(ask.RemoveBot(seat), self.room.table.creator)

    @rule(whom=ANYBODY)
    def kick(self, whom: PlayerId) -> None:
        """Let the creator want somebody out."""
        if len(self.room.table.kicked) < 2:
            self.put(ask.Kick(whom), self.room.table.creator)

    @precondition(lambda self: BOT in self.room.table.members)
    @rule()
    def exchange_a_bot(self) -> None:
        """Let the creator send a bot away, in whichever way, and another one come."""
        self.put(ask.Kick(BOT), self.room.table.creator)
        self.put(ask.AddBot("easy"), self.room.table.creator)

    @rule(whom=ANYBODY, on=st.booleans())
    def mute(self, whom: PlayerId, on: bool) -> None:  # noqa: FBT001 - drawn by name
        """Let the creator mute somebody or not."""
        self.put(ask.Mute(whom, on), self.room.table.creator)

    @rule(player=PLAYERS, gone=st.booleans())
    def come_and_go(self, player: PlayerId, gone: bool) -> None:  # noqa: FBT001 - drawn by name
        """Let the house say that somebody is there or not."""
        self.put(ask.Desert(player) if gone else ask.Return(player), None)

    @precondition(lambda self: self.room.playing)
    @rule(by=PLAYERS, seat=SEATS, outcome=st.sampled_from(("win", "draw", "bot")), wait=st.sampled_from((0, 60_000)))
    def claim(self, by: PlayerId, seat: Seat, outcome: Literal["win", "draw", "bot"], wait: int) -> None:
        """Somebody claims the match against a seat."""
        self.now = Millis(self.now + wait)
        self.put(ask.ClaimAbandoned(seat, outcome), by)

    @rule(by=PLAYERS)
    def veto(self, by: PlayerId) -> None:
        """Somebody wants no next match."""
        self.put(ask.VetoNext(), by)

    @rule(players=st.sampled_from((2, 3)), settings=st.sampled_from(CHANGES))
    def configure(self, players: int, settings: dict[str, object]) -> None:
        """Let the creator change options and settings."""
        options = {"players": players} if self.room.table.game == "rainbow" else None
        self.put(ask.Configure(options, settings), self.room.table.creator)

    @precondition(lambda self: self.room.match)
    @rule(by=PLAYERS, wish=st.sampled_from(WANTED))
    def wish(self, by: PlayerId, wish: AnyCommand) -> None:
        """Somebody asks the others for something."""
        self.put(wish, by)

    @precondition(lambda self: self.room.table.offers)
    @rule(by=PLAYERS, accept=st.booleans(), newest=st.booleans())
    def answer(self, by: PlayerId, accept: bool, newest: bool) -> None:  # noqa: FBT001 - drawn by name
        """Somebody answers an offer."""
        if offers := self.room.table.offers:
            self.put(ask.Answer(offers[-1 if newest else 0].id, accept=accept), by)

    @precondition(lambda self: self.room.table.offers)
    @rule()
    def all_accept(self) -> None:
        """Whoever is asked accepts."""
        if offers := self.room.table.offers:
            for player in players_to_answer(self.room, offers[-1]):
                if self.room.table.members[player].bot is None:
                    self.put(ask.Answer(offers[-1].id, accept=True), player)

    @precondition(lambda self: self.room.table.offers)
    @rule(by=PLAYERS)
    def withdraw(self, by: PlayerId) -> None:
        """Somebody takes an offer back, their own or not."""
        if offers := self.room.table.offers:
            self.put(ask.Withdraw(offers[0].id), by)

    @rule(wait=st.sampled_from((0, 4999, 5000)))
    def proceed(self, wait: int) -> None:
        """Time passes, and the house looks whether something is due; it is exactly when it was computed to be."""
        self.now = Millis(self.now + wait)
        moment, version = due(self.room), self.room.version
        if bot_answers(self.room):
            self.answer_for_a_bot(accept=wait > 0)
        elif moment is not None and moment.why == "bot":
            self.move_for_the_house()
        else:
            self.put(ask.Proceed(), None)
            assert (self.room.version > version) == (moment is not None and moment.at <= self.now)

    def answer_for_a_bot(self, *, accept: bool) -> None:
        """Give one of the answers to draw offers that bots owe; a second one is not accepted."""
        wanted = bot_answers(self.room)[0]
        command, version = ask.AnswerFor(wanted.seat, wanted.offer or 0, accept), self.room.version
        self.put(command, wanted.by)
        assert self.room.version > version
        version = self.room.version
        self.put(command, wanted.by)
        assert self.room.version == version

    def move_for_the_house(self) -> None:
        """Make one of the moves that are due; what was thought of for it is accepted, a second time it isn't."""
        match, version = self.room.playing, self.room.version
        assert match is not None
        wanted = bot_moves(self.room)[0]
        move = next(iter(self.room.game.legal_moves(match.state, wanted.seat)))
        command = ask.PlayFor(wanted.seat, msgspec.to_builtins(move), wanted.version)
        self.put(command, wanted.by)
        assert self.room.version > version
        version = self.room.version
        self.put(command, wanted.by)
        assert self.room.version == version

    @precondition(lambda self: len(self.history) > 40)
    @rule(by_operator=st.booleans())
    def close(self, by_operator: bool) -> None:  # noqa: FBT001 - drawn by name
        """Let the creator end it all, or an operator."""
        if by_operator:
            self.put(ask.Shut(), None)
        else:
            self.put(ask.Close(), self.room.table.creator)

    @invariant()
    def versions_are_contiguous(self) -> None:
        """Every event has the next version; a command's events point to its first."""
        assert [recorded.version for recorded in self.history] == list(range(1, self.room.version + 1))
        firsts = {recorded.version for recorded in self.history if recorded.version == recorded.command}
        assert {recorded.command for recorded in self.history} == firsts

    @invariant()
    def the_events_tell_everything(self) -> None:
        """Folded from the start, they give the same room."""
        room: Room | None = None
        for recorded in self.history:
            room = evolve(room, recorded)
        assert room == self.room

    @invariant()
    def whoever_sits_is_here(self) -> None:
        """As a player, and outside a hot seat on one seat only."""
        table = self.room.table
        holders = [holder for holder in table.seats if holder is not None]
        assert all(table.members[holder].role == "player" for holder in holders)
        assert table.settings.hot_seat or len(holders) == len(set(holders))

    @invariant()
    def the_room_has_a_creator_who_is_here(self) -> None:
        """And may speak, until it is closed."""
        table = self.room.table
        assert table.status == "closed" or not table.members[table.creator].muted

    @invariant()
    def a_match_is_played_exactly_while_it_has_no_result(self) -> None:
        """And what counts matches agrees."""
        table, match = self.room.table, self.room.match
        assert (table.status == "playing") == (match is not None and match.result is None)
        assert table.matches == (0 if match is None else match.number)
        assert table.status != "finished" or None not in table.seats

    @invariant()
    def matches_are_runs_of_the_stream(self) -> None:
        """Contiguous from `match_started` to `match_ended`, with all seats held at the start."""
        number: int | None = None
        for recorded in self.history:
            if isinstance(recorded.event, happened.MatchStarted):
                assert number is None
                assert None not in recorded.event.seats
                number = recorded.match
            assert recorded.match == number
            assert number is not None or isinstance(recorded.event, happened.RoomEvent)
            if isinstance(recorded.event, happened.MatchEnded):
                number = None

    @invariant()
    def every_seed_was_committed_to_before_any_salt(self) -> None:
        """However a match began."""
        commitments = Commitments()
        assert [commitments.check(recorded) for recorded in self.history] == [None] * len(self.history)
        committed = commitments.published and (self.room.playing is not None or commitments.next_hash is not None)
        assert committed
        assert commitments.next_hash == self.room.table.next_seed_hash

    @invariant()
    def a_match_waits_for_somebody(self) -> None:
        """While it goes on a seat is to move, and none that dropped out."""
        match = self.room.playing
        if match is not None:
            awaited = self.room.game.to_move(match.state)
            assert awaited
            assert not set(awaited) & set(match.dropped)
            first = match.first
            gone = dict.fromkeys(told.event.seat for told in self.history[first:] if isinstance(told.event, Dropped))
            assert list(match.dropped) == list(gone)

    @invariant()
    def an_offer_waits_for_somebody(self) -> None:
        """One of a kind a player; its maker has a voice, or kicks, and so has somebody else who has not answered."""
        offers = self.room.table.offers
        for offer in offers:
            assert offer.by in ((self.room.table.creator,) if offer.kind == "kick" else active_humans(self.room))
            assert players_to_answer(self.room, offer)
            assert offer.by not in players_to_answer(self.room, offer)
            assert self.room.table.status in {"playing", "finished"}
        assert len({(offer.by, offer.kind) for offer in offers}) == len(offers)

    @invariant()
    def who_is_away_has_a_seat(self) -> None:
        """And every empty seat has been so since some moment, once there was a match."""
        table = self.room.table
        assert set(table.absent) <= {holder for holder in table.seats if holder is not None}
        assert set(table.left) <= {Seat(seat) for seat, holder in enumerate(table.seats) if holder is None}
        if self.room.playing:
            assert all(Seat(seat) in table.left for seat, holder in enumerate(table.seats) if holder is None)
        assert not set(table.kicked) & set(table.members)

    @invariant()
    def the_table_has_the_seats_of_its_options(self) -> None:
        """And a running match is played at that many."""
        table, match = self.room.table, self.room.playing
        assert len(table.seats) == len(seat_names(table))
        assert match is None or len(match.players) == len(table.seats)

    @invariant()
    def a_series_counts_the_matches_that_count(self) -> None:
        """Each gives one point in all, or half a point to each of several."""
        series = self.room.table.series
        if series is not None:
            assert series.played <= series.best_of
            assert sum(series.points.values()) <= 1.5 * series.played

    @invariant()
    def a_plan_waits_for_a_match_to_end(self) -> None:
        """Or for one to be played once more, as soon as somebody sits where a seat was left; else it is in force."""
        table = self.room.table
        assert table.plan is None or self.room.playing or table.layout_of is not None or table.status == "closed"

    @invariant()
    def every_turn_can_be_returned_to(self) -> None:
        """Demand that the positions before them are those that the events tell."""
        match = self.room.playing
        if match is not None and match.turns:
            last = match.turns[-1]
            assert last.state == fold_of(self.history[: last.version]).match.state  # type: ignore[union-attr]  # a turn is of a match

    @invariant()
    def draws_are_never_taken_twice(self) -> None:
        """Whatever was taken back."""
        numbers: list[int] = []
        for told in self.history:
            numbers = [] if isinstance(told.event, happened.MatchStarted) else numbers
            numbers += [told.event.draw] if hasattr(told.event, "draw") else []
            assert numbers == sorted(set(numbers))

    @invariant()
    def no_room_is_stuck(self) -> None:
        """Demand that the house will do something in it, were it only to close it."""
        assert (due(self.room) is None) == (self.room.table.status == "closed")

    @invariant()
    def what_is_due_has_its_reason(self) -> None:
        """Restarts need a finished room with everybody ready, flags a clock, moves a seat that the house plays."""
        moment, table, match = due(self.room), self.room.table, self.room.playing
        match moment and moment.why:
            case "restart":
                assert table.status == "finished"
                assert all(holder is not None and table.members[holder].is_ready for holder in table.seats)
            case "flag":
                assert match is not None
                assert not isinstance(match.clocks.clock, NoClock)
            case "bot":
                moving = [move.seat for move in bot_moves(self.room)]
                assert match is not None
                assert set(moving) <= set(self.room.game.to_move(match.state))
                assert not (bot_answers(self.room) and set(moving) & set(table.bots))

    @invariant()
    def the_clocks_run_for_the_seats_to_move(self) -> None:
        """And for no other, under the settings with which the match began; nobody has less than nothing."""
        match = self.room.match
        if match is not None:
            running = [seat for seat, turn in enumerate(match.clocks.turns) if turn is not None]
            assert running == sorted(self.room.game.to_move(match.state) if self.room.playing else ())
            assert min(match.clocks.banks) >= 0

    @invariant()
    def a_bot_has_a_seat_and_people_have_the_room(self) -> None:
        """Nobody else holds a room open."""
        table = self.room.table
        assert all(player in table.seats for player, member in table.members.items() if member.bot)
        assert table.status == "closed" or not all(member.bot for member in table.members.values())
        assert not table.members[table.creator].bot if table.status != "closed" else True


def fold_of(history: list[Recorded]) -> Room:
    """Return the room after these events."""
    room: Room | None = None
    for recorded in history:
        room = evolve(room, recorded)
    assert room is not None
    return room


def test_every_command_is_among_them() -> None:
    """A new one fails here until the machine puts it to the room."""
    source = Path(__file__).read_text()
    assert [kind.__name__ for kind in get_args(AnyCommand) if f"ask.{kind.__name__}(" not in source] == []


# The same examples every time: a failure in `make test` can be repeated by running it again.
RoomMachine.TestCase.settings = settings(
    max_examples=150,
    stateful_step_count=40,
    derandomize=True,
    deadline=None,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],
)
TestRoom = RoomMachine.TestCase
