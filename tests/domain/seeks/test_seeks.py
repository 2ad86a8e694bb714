"""Seeks: what agrees with what, and what becomes of seeks whose players were paired."""

from functools import reduce
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from service.domain.game import Event, Rejected, Seat
from service.domain.ids import Epoch, Millis, NameRef, PlayerId, RoomName, Version
from service.domain.players.kind import SeekMatched
from service.domain.room.model.clock import NoClock, PerMove
from service.domain.seeks import decide
from service.domain.seeks.decide import LIFETIME, MOST_SEEKS, TIME_TO_APPEAR, SeekContext, SeekRequest
from service.domain.seeks.evolve import FOUND_KEPT, IN_A_ROW, PAUSE, evolve
from service.domain.seeks.kind import deliveries, summary
from service.domain.seeks.model import (
    Pairing,
    PairingFailed,
    PlayersPaired,
    RangesWidened,
    Seek,
    SeekMade,
    SeeksExpired,
)
from service.domain.seeks.queue import DOUBLED_AFTER, WIDENING_STEP, Seeks, UnknownBlocks, agree, queue_of
from service.domain.streams import Record
from service.domain.validation import Invalid

NOON = Millis(1_700_000_000_000)
ANNA, BEN, CLARA, DORA = (PlayerId(f"p-{name}") for name in ("anna", "ben", "clara", "dora"))
MORRIS = SeekRequest("morris")
TERNIO = SeekRequest("ternio")
MINUTE = PerMove(Millis(60_000))
ROOM = (RoomName("quiet-otter-417"), Epoch("e1"))


class Board:
    """The stream of seeks in a test: commands are decided and folded at once."""

    def __init__(self) -> None:
        """Start without seeks, at noon."""
        self.state = Seeks()
        self.records: list[Record] = []
        self.now = NOON
        self.blocks: dict[PlayerId, set[PlayerId]] = {}
        self._ids = 0

    def fold(self, events: list[Event]) -> list[Event]:
        """Fold events, and return them."""
        first = len(self.records) + 1
        new = [Record(Version(version), self.now, event) for version, event in enumerate(events, first)]
        self.records += new
        self.state = reduce(evolve, new, self.state)
        return events

    def context(self, player: PlayerId) -> SeekContext:
        """Return the context of a player's command."""
        self._ids += 1
        self.blocks.setdefault(player, set())
        seed = bytes([self._ids % 256]) * 32
        return SeekContext(player, NameRef(f"{player}/1"), self.now, f"id{self._ids}", seed, blocks=self.blocks)

    def seek(self, player: PlayerId, request: SeekRequest = MORRIS, rating: int | None = None) -> Pairing | None:
        """Let a player seek, and return the pairing that follows."""
        self.now = Millis(self.now + 1)
        return self.pairing_in(decide.seek(self.state, request, replace(self.context(player), rating=rating)))

    def pairing_in(self, events: list[Event]) -> Pairing | None:
        """Fold events, and return the pairing among them."""
        paired = [event.pairing for event in self.fold(events) if isinstance(event, PlayersPaired)]
        return paired[0] if paired else None

    def widen(self, after: int) -> Pairing | None:
        """Compare ranges so many milliseconds after noon, and return the pairing that follows."""
        self.now = Millis(NOON + after)
        return self.pairing_in(decide.widen(self.state, self.context(ANNA)))

    def open(self, pairing: Pairing) -> None:
        """Open the room of a pairing."""
        self.fold(decide.opened(self.state, pairing.id, *ROOM, self.now))

    def fail(self, pairing: Pairing, *absent: PlayerId) -> None:
        """End a pairing in which these players did not appear."""
        self.fold(decide.settle(self.state, pairing.id, absent))

    def ids_of(self, player: PlayerId) -> list[str]:
        """Return the ids of a player's seeks."""
        return [seek.id for seek in self.state.seeks.of(player)]

    @property
    def waiting(self) -> list[PlayerId]:
        """The players of the open seeks, the oldest first."""
        return [seek.player for seek in self.state.seeks.values()]


def test_two_players_with_the_same_wish_are_paired() -> None:
    """The second one at once; both seeks have ended."""
    board = Board()
    assert board.seek(ANNA) is None
    pairing = board.seek(BEN)
    assert pairing is not None
    assert set(pairing.players) == {ANNA, BEN}
    assert board.state.seeks == {}


def test_a_game_of_three_waits_for_three() -> None:
    """Two are not enough."""
    board = Board()
    assert [board.seek(player, TERNIO) is None for player in (ANNA, BEN)] == [True, True]
    pairing = board.seek(CLARA, TERNIO)
    assert pairing is not None
    assert set(pairing.players) == {ANNA, BEN, CLARA}


@pytest.mark.parametrize(
    ("one", "other", "agrees"),
    [
        ({}, {}, True),
        ({"clock": MINUTE}, {}, True),
        ({"clock": MINUTE}, {"clock": MINUTE}, True),
        ({"clock": MINUTE}, {"clock": NoClock()}, False),
        ({"seat": 0}, {"seat": 1}, True),
        ({"seat": 0}, {"seat": 0}, False),
        ({"options": {"flying": "off"}}, {}, True),
        ({"options": {"flying": "off"}}, {"options": {"flying": "both"}}, False),
        ({"clock": MINUTE, "rated": True}, {"clock": MINUTE, "rated": True}, True),
        ({"clock": MINUTE, "rated": True}, {"clock": MINUTE}, False),
        ({}, {"game": "turncoat"}, False),
        ({"bots": True}, {}, True),
    ],
)
def test_what_a_player_insists_on_is_the_others_wish_or_open(
    one: dict[str, Any], other: dict[str, Any], *, agrees: bool
) -> None:
    """Whichever player comes first."""
    for first, second in ((one, other), (other, one)):
        board = Board()
        board.seek(ANNA, SeekRequest(**{"game": "morris", **first}))
        pairing = board.seek(BEN, SeekRequest(**{"game": "morris", **second}))
        assert (pairing is not None) == agrees


@pytest.mark.parametrize(
    ("programs", "admitting", "agrees"),
    [
        ((), (), True),
        ((ANNA,), (), False),
        ((ANNA,), (ANNA,), False),
        ((ANNA,), (BEN,), True),
        ((ANNA, BEN), (BEN,), False),
        ((ANNA, BEN), (ANNA, BEN), True),
    ],
)
def test_a_player_meets_bots_only_if_wanted(
    programs: tuple[PlayerId, ...], admitting: tuple[PlayerId, ...], *, agrees: bool
) -> None:
    """Also a bot another one; whichever player comes first."""
    for order in ((ANNA, BEN), (BEN, ANNA)):
        board, pairings = Board(), list[Pairing | None]()
        for player in order:
            request, context = SeekRequest("morris", bots=player in admitting), board.context(player)
            found = decide.seek(board.state, request, replace(context, bot=player in programs))
            pairings.append(board.pairing_in(found))
        assert [pairing is not None for pairing in pairings] == [False, agrees]


def test_a_pairing_has_what_its_players_insist_on() -> None:
    """Everything else is the game's default; the seats are as wished."""
    board = Board()
    board.seek(ANNA, SeekRequest("morris", options={"flying": "both"}, seat=Seat(1)))
    pairing = board.seek(BEN, SeekRequest("morris", clock=MINUTE))
    assert pairing is not None
    assert (pairing.options, pairing.clock, pairing.players) == ({"flying": "both"}, MINUTE, (BEN, ANNA))


def test_the_oldest_seek_is_matched_first() -> None:
    """Among those that agree."""
    board = Board()
    board.seek(ANNA, SeekRequest("morris", seat=Seat(0), clock=MINUTE))
    board.seek(BEN, SeekRequest("morris", seat=Seat(0)))
    board.seek(CLARA, SeekRequest("morris", seat=Seat(0), clock=NoClock()))
    pairing = board.seek(DORA, SeekRequest("morris", seat=Seat(1), clock=NoClock()))
    assert pairing is not None
    assert BEN in pairing.players


def test_nobody_is_paired_with_themselves() -> None:
    """A repeated request continues the same seek, where it is in the queue."""
    board = Board()
    board.seek(ANNA)
    board.seek(BEN, SeekRequest("morris", clock=MINUTE, rated=True))
    first = next(iter(board.state.seeks.values()))
    board.now = Millis(board.now + 30_000)
    assert board.seek(ANNA) is None
    again = next(iter(board.state.seeks.values()))
    assert (again.id, again.made) == (first.id, first.made)
    assert again.expires == board.now + LIFETIME


def test_a_player_has_at_most_three_seeks() -> None:
    """They end together when one is matched."""
    board = Board()
    for game in ("morris", "turncoat", "ternio"):
        board.seek(ANNA, SeekRequest(game))
    with pytest.raises(Rejected, match="too_many_seeks"):
        board.seek(ANNA, SeekRequest("rainbow"))
    assert board.seek(BEN) is not None
    assert board.waiting == []


def test_a_given_seek_is_accepted_whatever_others_wait() -> None:
    """Also beyond the number of seeks that a player can have, because all of them end."""
    board = Board()
    for player in (ANNA, CLARA):
        assert board.seek(player, SeekRequest("morris", seat=Seat(0))) is None
    for game in ("ternio", "turncoat", "rainbow"):
        board.seek(BEN, SeekRequest(game))
    [wanted] = board.ids_of(CLARA)
    pairing = board.pairing_in(decide.accept(board.state, wanted, board.context(BEN)))
    assert pairing is not None
    assert set(pairing.players) == {BEN, CLARA}
    assert board.waiting == [ANNA]


def test_who_accepts_the_seek_of_a_bot_wants_it() -> None:
    """It says that it is one."""
    board = Board()
    board.fold(decide.seek(board.state, MORRIS, replace(board.context(ANNA), bot=True)))
    [wanted] = board.ids_of(ANNA)
    assert board.pairing_in(decide.accept(board.state, wanted, board.context(BEN))) is not None


def test_a_seek_for_three_that_is_accepted_waits_for_a_third() -> None:
    """It is paired with the given one, and not with others that agree."""
    board = Board()
    board.seek(ANNA, TERNIO)
    [wanted] = board.ids_of(ANNA)
    assert board.pairing_in(decide.accept(board.state, wanted, board.context(BEN))) is None
    pairing = board.pairing_in(decide.accept(board.state, wanted, board.context(CLARA)))
    assert pairing is not None
    assert set(pairing.players) == {ANNA, BEN, CLARA}


def test_a_seek_is_accepted_only_by_those_whom_its_player_may_meet() -> None:
    """Blocked players do not find it, and who has no rating in its range is refused."""
    board = Board()
    board.seek(ANNA, SeekRequest("morris", clock=MINUTE, rating_range=100), rating=1500)
    [wanted] = board.ids_of(ANNA)
    context = replace(board.context(BEN), rating=1700)
    with pytest.raises(Rejected, match="seek_not_compatible"):
        decide.accept(board.state, wanted, context)
    board.blocks[ANNA] = {BEN}
    with pytest.raises(Rejected, match="no_such_seek"):
        decide.accept(board.state, wanted, replace(board.context(BEN), rating=1500))
    with pytest.raises(Rejected, match="seek_not_compatible"):
        decide.accept(board.state, wanted, replace(board.context(CLARA), rating=1500, bot=True))
    for seek_id, player in (("none", BEN), (wanted, ANNA)):
        with pytest.raises(Rejected, match="no_such_seek"):
            decide.accept(board.state, seek_id, board.context(player))


def test_who_is_paired_cannot_seek() -> None:
    """Until the pairing has ended."""
    board = Board()
    board.seek(ANNA)
    pairing = board.seek(BEN)
    assert pairing is not None
    with pytest.raises(Rejected, match="already_paired"):
        board.seek(BEN, TERNIO)
    board.fold(decide.settle(board.state, pairing.id, ()))
    assert board.seek(BEN, TERNIO) is None


def test_a_seek_expires_after_a_minute() -> None:
    """It is matched with nobody any longer, and its player is notified."""
    board = Board()
    board.seek(ANNA)
    board.now = Millis(board.now + LIFETIME)
    before = board.state
    [expired] = board.fold(decide.expire(board.state, board.now))
    assert isinstance(expired, SeeksExpired)
    [(player, notice, _)] = deliveries(before, [board.records[-1]])
    assert (player, type(notice).__name__) == (ANNA, "SeekDropped")
    assert board.seek(BEN) is None


def test_an_expired_seek_is_not_matched_before_a_worker_ends_it() -> None:
    """A worker may be late."""
    board = Board()
    board.seek(ANNA)
    board.now = Millis(board.now + LIFETIME)
    assert board.seek(BEN) is None


def test_those_who_appeared_keep_their_place_in_the_queue() -> None:
    """With all of their seeks; who did not appear has none."""
    board = Board()
    board.seek(ANNA, TERNIO)
    board.seek(ANNA)
    pairing = board.seek(BEN)
    board.seek(CLARA, TERNIO)
    assert pairing is not None
    board.open(pairing)
    board.fail(pairing, BEN)
    assert board.waiting == [ANNA, ANNA, CLARA]
    found = decide.pair_again(board.state, board.ids_of(ANNA), board.context(PlayerId("")))
    assert found == []


def test_seeks_that_wait_again_are_paired_with_others() -> None:
    """Who came meanwhile may agree with them."""
    board = Board()
    board.seek(ANNA)
    pairing = board.seek(BEN)
    assert pairing is not None
    board.seek(CLARA)
    board.fail(pairing, BEN)
    [paired] = decide.pair_again(board.state, board.ids_of(ANNA), board.context(PlayerId("")))
    assert isinstance(paired, PlayersPaired)
    assert set(paired.pairing.players) == {ANNA, CLARA}


def test_who_does_not_appear_three_times_pauses() -> None:
    """For five minutes; to appear once ends the count."""
    board = Board()
    for _ in range(IN_A_ROW):
        board.seek(ANNA)
        pairing = board.seek(BEN)
        assert pairing is not None
        board.fail(pairing, ANNA)
        board.fold([event for seek_id in board.ids_of(BEN) for event in decide.withdraw(board.state, seek_id, BEN)])
    paused_until = Millis(board.now + PAUSE)
    with pytest.raises(Rejected, match="seeking_paused") as refused:
        board.seek(ANNA)
    assert refused.value.params == {"until": paused_until, "retry_after": PAUSE // 1000}
    board.now = Millis(paused_until - 1001)
    with pytest.raises(Rejected, match="seeking_paused") as refused:
        board.seek(ANNA)
    assert refused.value.params["retry_after"] == 1
    board.now = paused_until
    assert board.seek(ANNA) is None
    pairing = board.seek(BEN)
    assert pairing is not None
    board.fold(decide.settle(board.state, pairing.id, ()))
    assert board.state.misses == {}


def test_who_has_aborted_found_matches_pauses() -> None:
    """For five minutes after the end of the latest one; the latest three of a player are known for an hour."""
    board = Board()
    for number in range(4):
        board.seek(ANNA)
        pairing = board.seek((BEN, CLARA)[number == 3])
        assert pairing is not None
        board.fold(decide.opened(board.state, pairing.id, RoomName(f"found-{number}"), Epoch("e"), board.now))
        board.fold(decide.settle(board.state, pairing.id, ()))
    assert board.state.found[ANNA].matches == ("found-1.e.1", "found-2.e.1", "found-3.e.1")
    assert board.state.found[BEN].matches == ("found-0.e.1", "found-1.e.1", "found-2.e.1")
    aborted = replace(board.context(ANNA), aborted=board.now)
    with pytest.raises(Rejected, match="seeking_paused") as refused:
        decide.seek(board.state, MORRIS, aborted)
    assert refused.value.params == {"until": board.now + PAUSE, "retry_after": PAUSE // 1000}
    assert decide.seek(board.state, MORRIS, replace(aborted, now=Millis(board.now + PAUSE)))
    assert evolve(Seeks(), Record(Version(1), board.now, summary(board.state, board.now))) == board.state
    board.now = Millis(board.now + FOUND_KEPT)
    board.seek(ANNA)
    pairing = board.seek(CLARA)
    assert pairing is not None
    board.open(pairing)
    board.fold(decide.settle(board.state, pairing.id, ()))
    assert {player: len(found.matches) for player, found in board.state.found.items()} == {ANNA: 1, CLARA: 1}


def test_players_learn_of_their_room_and_of_its_end() -> None:
    """Each with the own seat; who appeared waits again."""
    board = Board()
    board.seek(ANNA)
    pairing = board.seek(BEN)
    assert pairing is not None
    before = board.state
    board.open(pairing)
    seats = {
        player: (notice.room, notice.seat, notice.deadline)
        for player, notice, _ in deliveries(before, board.records[-1:])
        if isinstance(notice, SeekMatched)
    }
    deadline = board.now + TIME_TO_APPEAR
    assert seats == {player: (ROOM[0], seat, deadline) for seat, player in enumerate(pairing.players)}
    before = board.state
    board.fail(pairing, BEN)
    ended = {player: type(notice).__name__ for player, notice, _ in deliveries(before, board.records[-1:])}
    assert ended == {ANNA: "SeekResumed", BEN: "SeekDropped"}


@pytest.mark.parametrize(
    ("request_", "at"),
    [
        (SeekRequest("chess"), "/game"),
        (SeekRequest("morris", options={"flying": 7}), "/options/flying"),
        (SeekRequest("morris", options={"wings": True}), "/options/wings"),
        (SeekRequest("morris", rated=True), "/clock"),
        (SeekRequest("morris", rated=True, clock=NoClock()), "/clock"),
    ],
)
def test_a_seek_that_makes_no_sense_is_refused(request_: SeekRequest, at: str) -> None:
    """With the place of the fault."""
    with pytest.raises(Invalid) as invalid:
        Board().seek(ANNA, request_)
    assert invalid.value.pointer == at


def test_another_players_seek_cannot_be_withdrawn() -> None:
    """Nor one that has ended."""
    board = Board()
    board.seek(ANNA)
    [seek_id] = board.state.seeks
    with pytest.raises(Rejected, match="no_such_seek"):
        decide.withdraw(board.state, seek_id, BEN)
    board.fold(decide.withdraw(board.state, seek_id, ANNA))
    with pytest.raises(Rejected, match="no_such_seek"):
        decide.withdraw(board.state, seek_id, ANNA)


REQUESTS = [
    *(
        SeekRequest("morris", clock=clock, seat=seat)
        for clock in (None, MINUTE, NoClock())
        for seat in (None, Seat(0), Seat(1))
    ),
    *(SeekRequest("ternio", clock=clock) for clock in (None, MINUTE)),
    SeekRequest("morris", clock=MINUTE, rated=True),
]
PLAYERS = [PlayerId(f"p-{number}") for number in range(7)]
STEPS = st.lists(
    st.tuples(
        st.sampled_from(["seek", "seek", "seek", "withdraw", "fail", "keep", "wait"]),
        st.sampled_from(PLAYERS),
        st.sampled_from(REQUESTS),
    ),
    max_size=40,
)


@settings(max_examples=150)
@given(steps=STEPS)
def test_laws_of_pairing(steps: list[tuple[str, PlayerId, SeekRequest]]) -> None:
    """Over random commands: matched at most once, never with oneself, fair by age, and what a summary has is all."""
    board, matched = Board(), set[tuple[str, int]]()
    for what, player, request in steps:
        step(board, what, player, request)
        for pairing in board.state.pairings.values():
            assert len(set(pairing.players)) == len(pairing.players)
            assert not {seek.id for seek in pairing.seeks} & board.state.seeks.keys()
        assert all(len(board.state.seeks.of(each)) <= MOST_SEEKS for each in PLAYERS)
        again = queue_of(board.state.seeks.values())
        assert (again.by_id, again.by_player, again.by_wish) == (
            board.state.seeks.by_id,
            board.state.seeks.by_player,
            board.state.seeks.by_wish,
        )
        assert list(board.state.seeks.values()) == sorted(board.state.seeks.values(), key=lambda seek: seek.made)
        matched_twice(board, matched)
        check_fairness(board)
    summarised = evolve(Seeks(), Record(Version(1), board.now, summary(board.state, board.now)))
    assert summarised == board.state


def step(board: Board, what: str, player: PlayerId, request: SeekRequest) -> None:
    """Do one step, as far as it is possible."""
    pairings = list(board.state.pairings.values())
    match what:
        case "seek":
            try:
                board.seek(player, request)
            except Rejected as rejected:
                if rejected.code not in {"too_many_seeks", "already_paired", "seeking_paused"}:
                    raise
        case "withdraw" if own := board.state.seeks.of(player):
            board.fold(decide.withdraw(board.state, own[0].id, player))
        case "fail" if pairings:
            board.fail(pairings[0], pairings[0].players[0])
        case "keep" if pairings:
            board.fold(decide.settle(board.state, pairings[0].id, ()))
        case "wait":
            board.now = Millis(board.now + LIFETIME // 3)
            board.fold(decide.expire(board.state, board.now))


def matched_twice(board: Board, matched: set[tuple[str, int]]) -> None:
    """Check that no seek was matched again unless its pairing failed in between."""
    open_in: dict[str, str] = {}
    for record in board.records:
        match record.event:
            case PlayersPaired(pairing):
                for seek in pairing.seeks:
                    assert seek.id not in open_in
                    open_in[seek.id] = pairing.id
                    matched.add((seek.id, record.version))
            case PairingFailed(pairing_id):
                open_in = {seek_id: of for seek_id, of in open_in.items() if of != pairing_id}


def check_fairness(board: Board) -> None:
    """Check the latest pairing of two: no older seek that agreed with the newest one was passed over."""
    last = board.records[-1].event if board.records else None
    if not isinstance(last, PlayersPaired) or len(last.pairing.seats) != 2:
        return
    made = [record.event.seek for record in board.records if isinstance(record.event, SeekMade)]
    newest = made[-1]
    [other] = [seek for seek in last.pairing.seats if seek.id != newest.id]
    left = [seek for seek in board.state.seeks.values() if is_passed_over(seek, newest, other, board.now)]
    assert left == []


def is_passed_over(seek: Seek, newest: Seek, other: Seek, now: Millis) -> bool:
    """Return whether a seek is older than the one that was matched, and agreed as well."""
    return seek.made < other.made and seek.expires > now and agree(newest, seek, now)


@pytest.mark.parametrize(("one", "other"), [(ANNA, BEN), (BEN, ANNA)])
def test_players_who_have_blocked_each_other_are_not_paired(one: PlayerId, other: PlayerId) -> None:
    """By either of them; both are paired with others."""
    board = Board()
    board.blocks[one] = {other}
    assert board.seek(ANNA) is None
    assert board.seek(BEN) is None
    pairing = board.seek(CLARA)
    assert pairing is not None
    assert set(pairing.players) == {ANNA, CLARA}
    board.blocks[one] = set()
    assert board.seek(DORA) is not None


def test_a_game_of_three_has_no_two_of_whom_one_has_blocked_the_other() -> None:
    """Also if the third of them makes it complete."""
    board = Board()
    board.blocks[ANNA] = {BEN}
    assert [board.seek(player, TERNIO) for player in (ANNA, BEN, CLARA)] == [None] * 3
    pairing = board.seek(DORA, TERNIO)
    assert pairing is not None
    assert set(pairing.players) == {ANNA, CLARA, DORA}
    assert board.waiting == [BEN]


def test_a_decision_says_whose_blocks_it_needs() -> None:
    """Only those of players who could be paired."""
    board = Board()
    board.seek(ANNA)
    board.seek(BEN, TERNIO)
    board.blocks = {}
    context = replace(board.context(CLARA), blocks={})
    with pytest.raises(UnknownBlocks) as unknown:
        decide.seek(board.state, MORRIS, context)
    assert unknown.value.players == {ANNA, CLARA}


@settings(max_examples=50)
@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), max_size=8), st.permutations(range(5)))
def test_no_block_is_ever_ignored(blocks: list[tuple[int, int]], order: list[int]) -> None:
    """In random block lists and orders."""
    board, players = Board(), [PlayerId(f"p-{number}") for number in range(5)]
    for one, other in blocks:
        board.blocks.setdefault(players[one], set()).add(players[other])
    for number in order:
        pairing = board.seek(players[number], TERNIO)
        for player in pairing.players if pairing else ():
            assert not board.blocks[player] & set(pairing.players if pairing else ()) - {player}


def ranged(width: int | None = 100) -> SeekRequest:
    """Return a request that admits ratings that differ by so much at first."""
    return SeekRequest("morris", clock=MINUTE, rating_range=width)


def test_a_range_admits_ratings_that_are_close() -> None:
    """Both ranges have to admit the other; without one any rating is admitted."""
    for width, other, agrees in ((100, 100, True), (None, 100, True), (None, None, True), (100, None, True)):
        board = Board()
        board.seek(ANNA, ranged(width), rating=1500)
        assert (board.seek(BEN, ranged(other), rating=1600) is not None) == agrees
        board = Board()
        board.seek(ANNA, ranged(width), rating=1500)
        assert (board.seek(BEN, ranged(other), rating=1601) is None) == (width is not None or other is not None)


def test_a_range_admits_no_unknown_rating() -> None:
    """A seek with an open clock has none."""
    board = Board()
    board.seek(ANNA, ranged(), rating=1500)
    assert board.seek(BEN, MORRIS) is None


def test_a_range_widens_with_waiting() -> None:
    """After ten seconds it is twice as wide, and who waits longest is paired first."""
    board = Board()
    board.seek(ANNA, ranged(), rating=1500)
    board.seek(CLARA, ranged(), rating=1900)
    board.seek(BEN, ranged(), rating=1700)
    assert decide.due(board.state) == NOON + WIDENING_STEP
    assert board.widen(DOUBLED_AFTER - WIDENING_STEP) is None
    assert decide.due(board.state) == NOON + DOUBLED_AFTER
    pairing = board.widen(DOUBLED_AFTER)
    assert pairing is not None
    assert set(pairing.players) == {ANNA, BEN}
    assert board.widen(DOUBLED_AFTER) is None
    assert board.widen(DOUBLED_AFTER + 1) is None


def test_ranges_are_compared_only_when_they_have_widened() -> None:
    """Once for all seeks, and not at all without ranges."""
    board = Board()
    board.seek(ANNA, ranged(), rating=1500)
    assert decide.widen(board.state, board.context(ANNA)) == []
    board.seek(BEN, ranged(), rating=1900)
    board.now = Millis(NOON + WIDENING_STEP)
    events = decide.widen(board.state, board.context(ANNA))
    assert [type(event) for event in board.fold(events)] == [RangesWidened]
    assert decide.widen(board.state, board.context(ANNA)) == []
    assert evolve(Seeks(), Record(Version(1), board.now, summary(board.state, board.now))) == board.state


@pytest.mark.parametrize("clock", [None, NoClock()])
def test_a_range_needs_a_clock(clock: NoClock | None) -> None:
    """Without one there are no ratings."""
    with pytest.raises(Invalid, match="needs a clock"):
        Board().seek(ANNA, SeekRequest("morris", clock=clock, rating_range=100))
