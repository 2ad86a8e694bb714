"""Invariants that hold in a room whatever commands it gets, in whatever order."""

from pathlib import Path
from typing import Literal, get_args

import msgspec
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from msgspec.structs import replace

from service.domain.game import Dropped, Level, Rejected, Seat, redact
from service.domain.ids import Millis, PlayerId
from service.domain.room.due import due
from service.domain.room.evolve import evolve
from service.domain.room.model import commands, events
from service.domain.room.model.clock import Fischer, NoClock, PerMove
from service.domain.room.model.commands import AnyCommand
from service.domain.room.model.events import InvitationMade, Recorded, RoomEvent
from service.domain.room.model.settings import OpenRoom, RequestedSettings
from service.domain.room.model.state import Room, seat_names
from service.domain.room.process import REVEALING, UnitOfWork, dry_run, open_room, run
from service.domain.room.seed_commitments import Commitments
from service.domain.room.subjects.bots import bot_answers, bot_moves
from service.domain.room.subjects.offers import active_humans, players_to_answer
from tests.domain.room.given_when_then import ANNA, BEN, BOT, CLARA, DORA, KEY, NOON, code_of, context
from tests.domain.room.invitation_checks import check_invitations

PLAYERS = st.sampled_from((ANNA, BEN, CLARA, DORA))
ANYBODY = st.sampled_from((ANNA, BEN, CLARA, DORA, BOT))
SEATS = st.sampled_from([Seat(0), Seat(1), Seat(2)])
SHORT = (
    commands.Unready(),
    commands.Start(),
    commands.Leave(),
    commands.Ready(),
    commands.Ready("salt"),
    commands.Ready("pepper"),
)
WANTED = (
    commands.OfferDraw(),
    commands.RequestTakeback(),
    commands.RequestTakeback(),
    commands.RequestRestart(),
    commands.RequestNew(),
)
CHANGES: tuple[dict[str, object], ...] = (
    {},
    {"best_of": 1},
    {"best_of": 3, "seats_next": "rotate"},
    {"hot_seat": False},
    {"restart": None},
    {"start": "full"},
    {"spectators": False},
    {"rated": True},
    {"rated": False},
)
FIT = {"clock": {"type": "per_move", "ms": 4000}, "hot_seat": False, "on_timeout": "lose"}
"""The settings that a rated room needs."""
MAYBE_SEAT = st.none() | SEATS

WISHES = st.builds(
    RequestedSettings,
    start=st.sampled_from(("ready", "full", "creator")),
    restart=st.sampled_from((None, 0, 5000)),
    seats_next=st.sampled_from(("keep", "rotate")),
    hot_seat=st.booleans(),
    clock=st.sampled_from((NoClock(), PerMove(Millis(4000)), Fischer(Millis(6000), Millis(500)))),
    on_timeout=st.sampled_from(("lose", "random_move", "bot_move")),
    bot_pause=st.sampled_from((0, 1000)),
    rated=st.booleans(),
).map(
    lambda wish: replace(wish, hot_seat=False, on_timeout="lose", clock=PerMove(Millis(4000))) if wish.rated else wish
)


def public(recorded: Recorded) -> Recorded:
    """Return an event as the public may know it."""
    return replace(recorded, event=redact(recorded.event, None))


class RoomMachine(RuleBasedStateMachine):
    """A room, four players, and a clock that only moves forward."""

    @initialize(
        game=st.sampled_from(("morris", "ternio", "turncoat", "rainbow")), requested=WISHES, guests=st.booleans()
    )
    def open(self, game: str, requested: RequestedSettings, guests: bool) -> None:  # noqa: FBT001 - drawn by name
        """Let Anna open a room, and perhaps all others join at once."""
        self.now = NOON
        self.draws = 0
        self.codes: dict[int, str] = {}
        work = open_room(OpenRoom(game, settings=requested), KEY.name, KEY.epoch, context(ANNA, self.now))
        assert work.room is not None
        self.room: Room = work.room
        self.history = list(work.recorded)
        for guest in (BEN, CLARA, DORA) if guests else ():
            self.put(commands.Join("player" if None in self.room.table.seats else "spectator"), guest)

    def put(self, command: AnyCommand, by: PlayerId | None) -> None:
        """Send a command to the room; a rejected one changes nothing."""
        self.draws += 1
        brought = context(by, self.now, self.draws.to_bytes(32, "big"))
        try:
            work = run(self.room, command, brought)
        except Rejected as rejected:
            self.check_dry_run_is_rejected_too(command, by, rejected.code)
            return
        self.check_dry_run_is_a_prefix(command, by, work)
        assert work.recorded or isinstance(command, commands.Proceed)
        assert work.room is not None
        self.room = work.room
        self.history += work.recorded

    def check_dry_run_is_rejected_too(self, command: AnyCommand, by: PlayerId | None, code: str) -> None:
        """Check that a dry run is rejected exactly when the command is."""
        with pytest.raises(Rejected) as rejected:
            dry_run(self.room, command, context(by, self.now))
        assert rejected.value.code == code

    def check_dry_run_is_a_prefix(self, command: AnyCommand, by: PlayerId | None, work: UnitOfWork) -> None:
        """Check that a dry run shows the beginning of what happens, and never a seed."""
        shown, more = dry_run(self.room, command, context(by, self.now))
        assert [public(each) for each in shown] == [public(each) for each in work.recorded[: len(shown)]]
        assert more == (len(work.recorded) > len(shown))
        assert not any(isinstance(recorded.event, REVEALING) for recorded in shown)

    @rule(by=PLAYERS, seat=MAYBE_SEAT, role=st.sampled_from(("player", "spectator")))
    def join(self, by: PlayerId, seat: Seat | None, role: events.Role) -> None:
        """Let somebody join."""
        self.put(commands.Join(role, seat=seat), by)

    @rule(by=PLAYERS, uses=st.sampled_from((1, 2)), seat=MAYBE_SEAT, lasts=st.sampled_from((60_000, 90_000)))
    def invite(self, by: PlayerId, uses: int, seat: Seat | None, lasts: int) -> None:
        """Let somebody make an invitation."""
        self.put(commands.Invite(uses if seat is None else 1, lasts, seat), by)
        if isinstance(made := self.history[-1].event, InvitationMade):
            self.codes[made.invitation] = code_of(self.draws.to_bytes(32, "big"))

    @precondition(lambda self: self.codes)
    @rule(by=PLAYERS, data=st.data(), role=st.sampled_from(("player", "spectator")), comes=st.booleans())
    def answer_invitation(self, by: PlayerId, data: st.DataObject, role: events.Role, comes: bool) -> None:  # noqa: FBT001 - drawn by name
        """Let somebody join by an invitation, or decline it."""
        code = data.draw(st.sampled_from(list(self.codes.values())))
        self.put(commands.Join(role, invitation=code) if comes else commands.DeclineInvitation(code), by)

    @precondition(lambda self: self.codes)
    @rule(by=PLAYERS, data=st.data())
    def revoke_invitation(self, by: PlayerId, data: st.DataObject) -> None:
        """Let somebody revoke an invitation."""
        self.put(commands.RevokeInvitation(data.draw(st.sampled_from(list(self.codes)))), by)

    @rule(by=PLAYERS, command=st.sampled_from(SHORT))
    def say(self, by: PlayerId, command: AnyCommand) -> None:
        """Send a command without parameters, or nearly."""
        self.put(command, by)

    @precondition(lambda self: not self.room.playing)
    @rule()
    def start_match(self) -> None:
        """Let the creator start the match, or all seated players get ready."""
        self.put(commands.Start(), self.room.table.creator)
        for holder in dict.fromkeys(self.room.table.seats):
            if holder is not None and not self.room.playing:
                self.put(commands.Ready(), holder)

    @precondition(lambda self: None in self.room.table.seats)
    @rule(by=PLAYERS)
    def fill_seats(self, by: PlayerId) -> None:
        """Let somebody take the first empty seat."""
        if None in self.room.table.seats:
            self.put(commands.TakeSeat(Seat(self.room.table.seats.index(None))), by)

    @rule(by=PLAYERS, seat=SEATS)
    def take_seat(self, by: PlayerId, seat: Seat) -> None:
        """Let somebody take a seat."""
        self.put(commands.TakeSeat(seat), by)

    @rule(by=PLAYERS, seat=MAYBE_SEAT)
    def leave_seat(self, by: PlayerId, seat: Seat | None) -> None:
        """Let somebody leave a seat."""
        self.put(commands.LeaveSeat(seat), by)

    @rule(seats=st.lists(st.none() | PLAYERS, min_size=2, max_size=3))
    def assign_seats(self, seats: list[PlayerId | None]) -> None:
        """Let the creator assign the seats."""
        self.put(commands.AssignSeats(tuple(seats)), self.room.table.creator)

    @precondition(lambda self: self.room.playing)
    @rule(by=PLAYERS, seat=MAYBE_SEAT)
    def resign(self, by: PlayerId, seat: Seat | None) -> None:
        """Let somebody resign."""
        self.put(commands.Resign(seat), by)

    @precondition(lambda self: self.room.playing)
    @rule()
    def all_resign(self) -> None:
        """Let one seat after another resign until the match is over."""
        for seat, holder in enumerate(self.room.table.seats):
            if holder is not None and self.room.playing:
                self.put(commands.Resign(Seat(seat)), holder)

    @precondition(lambda self: self.room.playing)
    @rule(data=st.data())
    def play(self, data: st.DataObject) -> None:
        """Let a seat make one of its legal moves."""
        match = self.room.playing
        assert match is not None
        seat = data.draw(st.sampled_from(self.room.game.to_move(match.state)))
        move = data.draw(st.sampled_from(list(self.room.game.legal_moves(match.state, seat))))
        holder = self.room.table.seats[seat]
        self.put(commands.Play(msgspec.to_builtins(move), seat), holder or DORA)

    @rule(by=PLAYERS, seat=MAYBE_SEAT, at=st.sampled_from(("a1", "d6", "d5")))
    def play_anything(self, by: PlayerId, seat: Seat | None, at: str) -> None:
        """Let somebody make a move, legal or not."""
        kind = "select" if self.room.table.game == "turncoat" else "place"
        peg = {"at": "c3", "peg": "RO", "side": "R"} if self.room.table.game == "rainbow" else {}
        self.put(commands.Play({"type": kind, "at": at, **peg}, seat), by)

    @rule(by=PLAYERS, level=st.sampled_from(("easy", "hard")), seat=MAYBE_SEAT)
    def add_bot(self, by: PlayerId, level: Level, seat: Seat | None) -> None:
        """Let somebody add a bot."""
        self.put(commands.AddBot(level, seat), by)

    @rule(seat=SEATS)
    def remove_bot(self, seat: Seat) -> None:
        """Let the creator remove a bot."""
        self.put(commands.RemoveBot(seat), self.room.table.creator)

    @rule(whom=ANYBODY)
    def kick(self, whom: PlayerId) -> None:
        """Let the creator kick somebody."""
        if len(self.room.table.kicked) < 2:
            self.put(commands.Kick(whom), self.room.table.creator)

    @precondition(lambda self: BOT in self.room.table.members)
    @rule()
    def replace_bot(self) -> None:
        """Let the creator remove a bot in one of the possible ways, and add another one."""
        self.put(commands.Kick(BOT), self.room.table.creator)
        self.put(commands.AddBot("easy"), self.room.table.creator)

    @rule(whom=ANYBODY, on=st.booleans())
    def mute(self, whom: PlayerId, on: bool) -> None:  # noqa: FBT001 - drawn by name
        """Let the creator mute or unmute somebody."""
        self.put(commands.Mute(whom, on), self.room.table.creator)

    @rule(player=PLAYERS, gone=st.booleans())
    def change_presence(self, player: PlayerId, gone: bool) -> None:  # noqa: FBT001 - drawn by name
        """Let the service record that somebody is absent or present."""
        self.put(commands.Desert(player) if gone else commands.Return(player), None)

    @precondition(lambda self: self.room.playing)
    @rule(by=PLAYERS, seat=SEATS, outcome=st.sampled_from(("win", "draw", "bot")), wait=st.sampled_from((0, 60_000)))
    def claim(self, by: PlayerId, seat: Seat, outcome: Literal["win", "draw", "bot"], wait: int) -> None:
        """Let somebody claim against a seat."""
        self.now = Millis(self.now + wait)
        self.put(commands.ClaimAbandoned(seat, outcome), by)

    @rule(by=PLAYERS)
    def veto(self, by: PlayerId) -> None:
        """Let somebody veto the next match."""
        self.put(commands.VetoNext(), by)

    @rule(players=st.sampled_from((2, 3)), settings=st.sampled_from(CHANGES))
    def configure(self, players: int, settings: dict[str, object]) -> None:
        """Let the creator change options and settings."""
        options = {"players": players} if self.room.table.game == "rainbow" else None
        rated = settings.get("rated", (self.room.table.plan or self.room.table).settings.rated)
        self.put(commands.Configure(options, {**settings, **(FIT if rated else {})}), self.room.table.creator)

    @precondition(lambda self: self.room.match)
    @rule(by=PLAYERS, offer=st.sampled_from(WANTED))
    def make_offer(self, by: PlayerId, offer: AnyCommand) -> None:
        """Let somebody make an offer."""
        self.put(offer, by)

    @precondition(lambda self: self.room.table.offers)
    @rule(by=PLAYERS, accept=st.booleans(), newest=st.booleans())
    def answer(self, by: PlayerId, accept: bool, newest: bool) -> None:  # noqa: FBT001 - drawn by name
        """Let somebody answer an offer."""
        if offers := self.room.table.offers:
            self.put(commands.Answer(offers[-1 if newest else 0].id, accept=accept), by)

    @precondition(lambda self: self.room.table.offers)
    @rule()
    def all_accept(self) -> None:
        """Let all players who are asked accept."""
        if offers := self.room.table.offers:
            for player in players_to_answer(self.room, offers[-1]):
                if self.room.table.members[player].bot is None:
                    self.put(commands.Answer(offers[-1].id, accept=True), player)

    @precondition(lambda self: self.room.table.offers)
    @rule(by=PLAYERS)
    def withdraw(self, by: PlayerId) -> None:
        """Let somebody withdraw an offer, their own or not."""
        if offers := self.room.table.offers:
            self.put(commands.Withdraw(offers[0].id), by)

    @rule(wait=st.sampled_from((0, 4999, 5000)))
    def proceed(self, wait: int) -> None:
        """Let time pass and a worker act; something happens exactly when it was computed to be due."""
        self.now = Millis(self.now + wait)
        next_due, version = due(self.room), self.room.version
        if bot_answers(self.room):
            self.answer_for_bot(accept=wait > 0)
        elif next_due is not None and next_due.why == "bot":
            self.move_for_seat(resigns=wait == 0 and self.room.version % 7 == 0)
        else:
            self.put(commands.Proceed(), None)
            assert (self.room.version > version) == (next_due is not None and next_due.at <= self.now)

    def answer_for_bot(self, *, accept: bool) -> None:
        """Give one of the answers that bots have to give; a second answer is rejected."""
        wanted = bot_answers(self.room)[0]
        command, version = commands.AnswerFor(wanted.seat, wanted.offer or 0, accept), self.room.version
        self.put(command, wanted.by)
        assert self.room.version > version
        version = self.room.version
        self.put(command, wanted.by)
        assert self.room.version == version

    @precondition(lambda self: self.room.table.bots)
    @rule(seat=SEATS)
    def offer_for_bot(self, seat: Seat) -> None:
        """Let a bot offer a draw, whether it may or not."""
        self.put(commands.OfferFor(seat), [*self.room.table.seats, None][seat])

    def move_for_seat(self, *, resigns: bool) -> None:
        """Make one of the moves that the service has to make; a second one is rejected."""
        match, version = self.room.playing, self.room.version
        assert match is not None
        wanted = bot_moves(self.room)[0]
        move = next(iter(self.room.game.legal_moves(match.state, wanted.seat)))
        move = None if resigns and wanted.by else msgspec.to_builtins(move)
        command = commands.PlayFor(wanted.seat, move, wanted.version)
        self.put(command, wanted.by)
        assert self.room.version > version
        version = self.room.version
        self.put(command, wanted.by)
        assert self.room.version == version

    @precondition(lambda self: len(self.history) > 40)
    @rule(by_operator=st.booleans())
    def close(self, by_operator: bool) -> None:  # noqa: FBT001 - drawn by name
        """Let the creator or an operator close the room."""
        if by_operator:
            self.put(commands.Shut(), None)
        else:
            self.put(commands.Close(), self.room.table.creator)

    @invariant()
    def versions_are_contiguous(self) -> None:
        """Every event has the next version; the events of a command name its first one."""
        assert [recorded.version for recorded in self.history] == list(range(1, self.room.version + 1))
        firsts = {recorded.version for recorded in self.history if recorded.version == recorded.command}
        assert {recorded.command for recorded in self.history} == firsts

    @invariant()
    def the_events_are_everything(self) -> None:
        """Folding them from the start gives the same room."""
        room: Room | None = None
        for recorded in self.history:
            room = evolve(room, recorded)
        assert room == self.room

    @invariant()
    def seated_players_are_members(self) -> None:
        """As players, and on one seat only unless the room is a hot seat."""
        table = self.room.table
        holders = [holder for holder in table.seats if holder is not None]
        assert all(table.members[holder].role == "player" for holder in holders)
        assert table.settings.hot_seat or len(holders) == len(set(holders))

    @invariant()
    def the_creator_is_a_member(self) -> None:
        """And is not muted, until the room is closed."""
        table = self.room.table
        assert table.status == "closed" or not table.members[table.creator].muted

    @invariant()
    def a_match_is_played_exactly_while_it_has_no_result(self) -> None:
        """And the number of the match agrees."""
        table, match = self.room.table, self.room.match
        assert (table.status == "playing") == (match is not None and match.result is None)
        assert table.matches == (0 if match is None else match.number)
        assert table.status != "finished" or None not in table.seats

    @invariant()
    def matches_are_runs_of_the_stream(self) -> None:
        """Contiguous from `match_started` to `match_ended`, with all seats taken at the start."""
        number: int | None = None
        for recorded in self.history:
            if isinstance(recorded.event, events.MatchStarted):
                assert number is None
                assert None not in recorded.event.seats
                number = recorded.match
            assert recorded.match == number
            assert number is not None or isinstance(recorded.event, RoomEvent)
            if isinstance(recorded.event, events.MatchEnded):
                number = None

    @invariant()
    def every_seed_was_committed_to_before_any_salt(self) -> None:
        """However the match started."""
        commitments = Commitments()
        assert [commitments.check(recorded) for recorded in self.history] == [None] * len(self.history)
        committed = commitments.published and (self.room.playing is not None or commitments.next_hash is not None)
        assert committed
        assert commitments.next_hash == self.room.table.next_seed_hash

    @invariant()
    def a_running_match_has_a_seat_to_move(self) -> None:
        """None of them has dropped out."""
        match = self.room.playing
        if match is not None:
            awaited = self.room.game.to_move(match.state)
            assert awaited
            assert not set(awaited) & set(match.dropped)
            first = match.first
            gone = dict.fromkeys(
                recorded.event.seat for recorded in self.history[first:] if isinstance(recorded.event, Dropped)
            )
            assert list(match.dropped) == list(gone)

    @invariant()
    def an_offer_waits_for_somebody(self) -> None:
        """There is one per kind and player; its maker may make it, and somebody else still has to answer it."""
        offers = self.room.table.offers
        for offer in offers:
            assert offer.by in ((self.room.table.creator,) if offer.kind == "kick" else active_humans(self.room))
            assert players_to_answer(self.room, offer)
            assert offer.by not in players_to_answer(self.room, offer)
            assert self.room.table.status in {"playing", "finished"}
        assert len({(offer.by, offer.kind) for offer in offers}) == len(offers)

    @invariant()
    def a_rated_match_is_played_by_those_who_began_it(self) -> None:
        """Without bots and takebacks, and it is ended from outside by operators only."""
        match, table = self.room.playing, self.room.table
        assert not (table.settings.rated and table.bots)
        if match is None or not match.settings.rated:
            return
        assert all(holder in {None, began} for holder, began in zip(table.seats, match.players, strict=True))
        assert not any(isinstance(each.event, events.TakenBack) for each in self.history[match.first :])

    @invariant()
    def an_invitation_admits_as_many_as_it_says(self) -> None:
        """None after it has expired, after it was revoked, and after its maker has left; few are known at a time."""
        check_invitations(self.history, self.room, self.now)

    @invariant()
    def absent_players_have_a_seat(self) -> None:
        """And since the first match every empty seat has a time since when it is empty."""
        table = self.room.table
        assert set(table.absent) <= {holder for holder in table.seats if holder is not None}
        assert set(table.left) <= {Seat(seat) for seat, holder in enumerate(table.seats) if holder is None}
        if self.room.playing:
            assert all(Seat(seat) in table.left for seat, holder in enumerate(table.seats) if holder is None)
        assert not set(table.kicked) & set(table.members)

    @invariant()
    def the_table_has_the_seats_of_its_options(self) -> None:
        """And a running match has as many."""
        table, match = self.room.table, self.room.playing
        assert len(table.seats) == len(seat_names(table))
        assert match is None or len(match.players) == len(table.seats)

    @invariant()
    def a_series_counts_matches_with_a_result(self) -> None:
        """Each gives one point in all, or half a point to each of several players."""
        series = self.room.table.series
        if series is not None:
            assert series.played <= series.best_of
            assert sum(series.points.values()) <= 1.5 * series.played

    @invariant()
    def a_plan_waits_for_a_match_to_end(self) -> None:
        """Or for the restart of one once its empty seats are taken; otherwise it has been applied."""
        table = self.room.table
        assert table.plan is None or self.room.playing or table.layout_of is not None or table.status == "closed"

    @invariant()
    def every_turn_can_be_returned_to(self) -> None:
        """Check that the state before each turn is the fold of the events before it."""
        match = self.room.playing
        if match is not None and match.turns:
            last = match.turns[-1]
            assert last.state == fold_of(self.history[: last.version]).match.state  # type: ignore[union-attr]  # a turn is of a match

    @invariant()
    def draws_are_never_repeated(self) -> None:
        """Whatever was taken back."""
        numbers: list[int] = []
        for recorded in self.history:
            numbers = [] if isinstance(recorded.event, events.MatchStarted) else numbers
            numbers += [recorded.event.draw] if hasattr(recorded.event, "draw") else []
            assert numbers == sorted(set(numbers))

    @invariant()
    def no_room_is_stuck(self) -> None:
        """Something is due in every open room, at least its closing."""
        assert (due(self.room) is None) == (self.room.table.status == "closed")

    @invariant()
    def what_is_due_has_its_reason(self) -> None:
        """Restarts need a finished room with all players ready, flags a clock, and moves a seat of a bot."""
        next_due, table, match = due(self.room), self.room.table, self.room.playing
        match next_due and next_due.why:
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
        """And for no other, with the settings of the match; no seat has less than no time."""
        match = self.room.match
        if match is not None:
            running = [seat for seat, turn in enumerate(match.clocks.turns) if turn is not None]
            assert running == sorted(self.room.game.to_move(match.state) if self.room.playing else ())
            assert min(match.clocks.banks) >= 0

    @invariant()
    def bots_have_seats_and_rooms_have_people(self) -> None:
        """Bots alone do not keep a room open."""
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


def test_the_machine_sends_every_command() -> None:
    """This fails for a new command until the machine sends it."""
    source = Path(__file__).read_text()
    assert [kind.__name__ for kind in get_args(AnyCommand) if f"commands.{kind.__name__}(" not in source] == []


# The same examples every time, so that a failure of `make test` can be repeated.
RoomMachine.TestCase.settings = settings(
    max_examples=150,
    stateful_step_count=40,
    derandomize=True,
    database=None,
)
TestRoom = RoomMachine.TestCase
