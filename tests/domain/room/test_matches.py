"""When matches start, how they end, and how they follow each other."""

import hashlib

import pytest
from msgspec import UNSET
from msgspec.structs import replace

from service.domain.catalog import GAMES
from service.domain.chance import seed_hash
from service.domain.game import Event, redact
from service.domain.ids import Millis
from service.domain.room.due import Due
from service.domain.room.model import commands, events
from tests.domain.room.given_when_then import (
    ANNA,
    BEN,
    CLARA,
    FIRST,
    NOON,
    SECOND,
    THIRD,
    Given,
    given,
    join,
    match_end_with,
    match_start,
    new_room,
    resignation,
    seed_of,
)

PAUSE = 5000
THEN = Millis(NOON + PAUSE)
JUST_BEFORE = Millis(THEN - 1)


def seated_room(**settings: object) -> Given:
    """Return a room in which Anna and Ben are seated and not ready."""
    return given(new_room(**settings), join(ANNA, 0), join(BEN, 1))  # type: ignore[arg-type]  # the game is not among them


def finished_room(**settings: object) -> Given:
    """Return a room in which Ben has just resigned the first match against Anna."""
    starter = {"start": "creator", **settings}
    return seated_room(**starter).after(commands.Start(), ANNA).after(commands.Resign(), BEN)


def test_a_match_starts_when_all_players_are_ready() -> None:
    """Their salts are mixed into its chance, in seat order."""
    first = events.PlayerReadied(ANNA, "pepper")
    waiting = seated_room().after(commands.Ready("pepper"), ANNA)
    seated_room().when(commands.Ready("pepper"), by=ANNA).then(first)
    waiting.when(commands.Ready(), by=BEN).then(events.PlayerReadied(BEN), match_start(ANNA, BEN, salts=("pepper", "")))
    assert waiting.after(commands.Ready(), BEN).table.status == "playing"


def test_no_match_starts_while_a_seat_is_empty() -> None:
    """This is so even if all players are ready."""
    alone = given(new_room(), join(ANNA, 0))
    alone.when(commands.Ready(), by=ANNA).then(events.PlayerReadied(ANNA))


def test_unready_undoes_ready() -> None:
    """The match waits for the player."""
    waiting = seated_room().after(commands.Ready(), ANNA).after(commands.Unready(), ANNA)
    waiting.when(commands.Ready(), by=BEN).then(events.PlayerReadied(BEN))


def test_a_match_can_start_as_soon_as_all_seats_are_taken() -> None:
    """With `start` = `full` nobody has to be ready."""
    alone = given(new_room(start="full"), join(ANNA, 0))
    came = (events.PlayerJoined(BEN, "ben", "player"), events.SeatTaken(SECOND, BEN))
    alone.when(commands.Join(), by=BEN).then(*came, match_start(ANNA, BEN))
    alone.when(commands.Join(role="spectator"), by=BEN).then(events.PlayerJoined(BEN, "ben", "spectator"))


def test_a_room_can_leave_the_start_to_its_creator() -> None:
    """With `start` = `creator` readiness alone starts nothing."""
    ready = seated_room(start="creator").after(commands.Ready(), ANNA)
    ready.when(commands.Ready(), by=BEN).then(events.PlayerReadied(BEN))
    ready.when(commands.Start(), by=ANNA).then(events.StartCalled(), match_start(ANNA, BEN))


def test_the_setup_belongs_to_the_command_that_starts_the_match() -> None:
    """Its events follow `MatchStarted` at once and have the same match number."""
    three = given(new_room("ternio", start="full"), join(ANNA, 0), join(BEN, 1)).after(commands.Join(), CLARA)
    *before, started, laid_out = three.history
    assert [type(recorded.event).__name__ for recorded in (started, laid_out)] == ["MatchStarted", "LaidOut"]
    assert started.command == laid_out.command == before[-2].version
    assert (started.match, laid_out.match, before[-1].match) == (1, 1, None)


def test_a_match_ends_when_its_rules_say_so() -> None:
    """The result is recorded by the command that led to it, with the seed."""
    playing = seated_room(start="creator").after(commands.Start(), ANNA)
    *_, ended = playing.after(commands.Resign(), BEN).history
    assert ended.event == resignation(SECOND)
    assert finished_room().table.status == "finished"
    assert finished_room().room.match is not None


def test_after_a_match_the_next_one_starts_automatically() -> None:
    """Five seconds later, as everybody stays ready; this is what is due."""
    assert finished_room().due == Due(THEN, "restart")
    finished_room().when(commands.Proceed(), by=None, at=JUST_BEFORE).rejected("nothing_due")
    finished_room().when(commands.Proceed(), by=None, at=THEN).then(match_start(ANNA, BEN, number=2))


def test_a_room_waits_until_the_last_events_have_been_shown() -> None:
    """In Turncoat clients show several steps after the end; the pause before the next match is counted from there."""
    seated = given(new_room("turncoat", start="creator"), join(ANNA, 0), join(BEN, 1))
    over = seated.after(commands.Start(), ANNA).after(commands.Resign(), BEN)
    begins = Millis(THEN + GAMES["turncoat"].telling_ms)
    assert begins > THEN
    assert over.due == Due(begins, "restart")
    over.when(commands.Proceed(), by=None, at=Millis(begins - 1)).rejected("nothing_due")
    assert over.after(commands.Proceed(), None, begins).table.matches == 2


def test_any_later_command_finds_the_next_match_started() -> None:
    """The first command after that time starts it, a system command or a player's."""
    late = finished_room().when(commands.Join(role="spectator"), by=CLARA, at=THEN)
    late.then(events.PlayerJoined(CLARA, "clara", "spectator"), match_start(ANNA, BEN, number=2))


def test_a_player_who_is_not_ready_delays_the_next_match() -> None:
    """Nothing is due then; when that player is ready again it starts, even after its time."""
    held_up = finished_room().after(commands.Unready(), BEN)
    assert held_up.due is None
    held_up.when(commands.Proceed(), by=None, at=THEN).rejected("nothing_due")
    held_up.when(commands.Ready(), by=BEN, at=JUST_BEFORE).then(events.PlayerReadied(BEN))
    held_up.when(commands.Ready(), by=BEN, at=THEN).then(events.PlayerReadied(BEN), match_start(ANNA, BEN, number=2))


def test_without_a_restart_the_next_match_waits_for_readiness() -> None:
    """With `restart` = null nobody is ready after a match."""
    over = over_without_restart()
    assert over.due is None
    assert not any(member.ready for member in over.table.members.values())
    again = over.after(commands.Ready(), ANNA)
    again.when(commands.Ready(), by=BEN).then(events.PlayerReadied(BEN), match_start(ANNA, BEN, number=2))


def over_without_restart() -> Given:
    """Return a room without restart after its first match."""
    playing = seated_room(restart=None).after(commands.Ready(), ANNA).after(commands.Ready(), BEN)
    return playing.after(commands.Resign(), BEN)


def test_the_creator_need_not_wait_for_the_restart() -> None:
    """This needs the setting `start` = `creator`."""
    finished_room().when(commands.Start(), by=ANNA).then(events.StartCalled(), match_start(ANNA, BEN, number=2))


def test_the_seats_can_rotate_from_match_to_match() -> None:
    """Each player moves by one seat before every match but the first."""
    rotated = finished_room(seats_next="rotate")
    rotated.when(commands.Proceed(), by=None, at=THEN).then(
        events.SeatsAssigned((BEN, ANNA)), match_start(BEN, ANNA, number=2)
    )


def test_three_seats_rotate_in_a_circle() -> None:
    """The player of the last seat gets the first one, and salts stay with their players."""
    three = given(new_room("ternio", seats_next="rotate", start="creator", restart=0), join(ANNA, 0), join(BEN, 1))
    first = three.after(commands.Join(), CLARA).after(commands.Start(), ANNA)
    second = first.after(commands.Resign(), ANNA).after(commands.Resign(), BEN)
    assert second.table.seats == (CLARA, ANNA, BEN)
    assert second.room.match is not None
    assert second.room.match.players == (CLARA, ANNA, BEN)


def test_a_salt_is_used_for_one_match() -> None:
    """Nobody sent one for the second match."""
    salted = (
        seated_room()
        .after(commands.Ready("pepper"), ANNA)
        .after(commands.Ready("salt"), BEN)
        .after(commands.Resign(), BEN)
    )
    salted.when(commands.Proceed(), by=None, at=THEN).then(match_start(ANNA, BEN, number=2))


@pytest.mark.parametrize("leaves", [commands.Leave(), commands.LeaveSeat()], ids=["leaves the room", "leaves the seat"])
def test_a_seat_left_empty_after_a_match_opens_the_room(leaves: commands.Leave | commands.LeaveSeat) -> None:
    """The next match is no longer due; the result stays visible."""
    opened = finished_room().after(leaves, BEN)
    assert opened.table.status == "open"
    assert opened.due is None
    assert opened.room.match is not None


def test_a_match_that_ends_with_an_empty_seat_leaves_the_room_open() -> None:
    """Ben has left during the match; then Anna resigns."""
    playing = seated_room(start="creator").after(commands.Start(), ANNA)
    over = playing.after(commands.LeaveSeat(), BEN).after(commands.Resign(), ANNA)
    assert over.table.status == "open"
    assert over.due is None


def test_nothing_is_due_in_a_closed_room() -> None:
    """Even though its last match is over and everybody was ready."""
    closed = finished_room().after(commands.Close(), ANNA)
    assert closed.table.status == "closed"
    assert closed.due is None


STATUSES = [
    ("open", seated_room()),
    ("open", seated_room().after(commands.Ready(), ANNA)),
    ("playing", seated_room(start="creator").after(commands.Start(), ANNA)),
    ("playing", seated_room(start="creator").after(commands.Start(), ANNA).after(commands.LeaveSeat(), BEN)),
    ("finished", finished_room()),
    ("playing", finished_room().after(commands.Proceed(), None, THEN)),
    ("open", finished_room().after(commands.LeaveSeat(), BEN)),
    ("open", finished_room().after(commands.AssignSeats((ANNA, None)), ANNA)),
    ("finished", finished_room().after(commands.AssignSeats((BEN, ANNA)), ANNA)),
    ("closed", seated_room().after(commands.Close(), ANNA)),
    ("closed", seated_room(start="creator").after(commands.Start(), ANNA).after(commands.Close(), ANNA)),
    ("closed", finished_room().after(commands.Close(), ANNA)),
]


@pytest.mark.parametrize(("status", "room"), STATUSES)
def test_a_room_is_open_then_playing_then_finished_then_closed(status: str, room: Given) -> None:
    """These are the transitions of the state diagram."""
    assert room.table.status == status


HIDDEN = (seed_of(1).hex(), seed_of(2).hex())
"""The seeds that nobody may know during the first match."""


def test_no_seed_is_visible_before_it_is_revealed() -> None:
    """Their hashes are public from the start, and the end of a match reveals a seed with that hash."""
    opened, started, ended = new_room(), match_start(ANNA, BEN), resignation(SECOND)
    assert opened.next_seed == started.seed == ended.seed == HIDDEN[0]
    assert started.next_seed == HIDDEN[1]
    for audience in (FIRST, SECOND, None):
        shown = repr([redact(event, audience) for event in (opened, started)])
        assert not any(seed in shown for seed in HIDDEN)
        assert redact(ended, audience) is ended
    assert HIDDEN[1] not in repr(ended)
    assert started.seed_hash == hashlib.sha256(bytes.fromhex(ended.seed)).hexdigest()


def test_the_seed_of_each_match_was_committed_to_before() -> None:
    """When the room opens, and at the end of each match for the next one, whatever entropy commands bring."""
    room = seated_room()
    for number, entropy in enumerate((b"a" * 32, b"b" * 32, b"c" * 32)):
        late = Millis(NOON + number * 2 * PAUSE)
        ready = room.after(commands.Ready(f"{number}"), ANNA, late, entropy)
        room = (ready if ready.room.playing else ready.after(commands.Ready(), BEN, late, entropy)).after(
            commands.Resign(), BEN
        )
    committed = [e.next_seed_hash for e in history(room) if isinstance(e, events.RoomOpened | events.MatchEnded)]
    repeated = [event.seed_hash for event in history(room) if isinstance(event, events.MatchStarted)]
    shown = [event.seed for event in history(room) if isinstance(event, events.MatchEnded)]
    assert committed[:-1] == repeated == [hashlib.sha256(bytes.fromhex(seed)).hexdigest() for seed in shown]
    assert len(set(shown)) == 3
    assert room.table.next_seed_hash == committed[-1]


def history(room: Given) -> list[Event]:
    """Return what has happened."""
    return [recorded.event for recorded in room.history]


def test_a_command_that_is_decided_again_draws_from_the_same_seed() -> None:
    """Another writer was faster: the second attempt has other entropy, but the match has the same seed."""
    waiting = seated_room().after(commands.Ready("pepper"), ANNA)
    starts = [history(waiting.after(commands.Ready(), BEN, seed=bytes([n]) * 32))[-1] for n in range(3)]
    assert {start.seed for start in starts} == {seed_of(1).hex()}  # type: ignore[attr-defined]  # starts of matches


def test_a_room_of_an_earlier_release_gets_a_fresh_seed_and_commits_from_then_on() -> None:
    """No hash was published for its next match, but one is for the match after that."""
    opened = replace(new_room(restart=None), next_seed=UNSET, next_seed_hash=UNSET)
    old = given(opened, join(ANNA, 0), join(BEN, 1))
    assert old.table.next_seed_hash is None
    first = old.after(commands.Ready(), ANNA).after(commands.Ready(), BEN)
    assert history(first)[-1] == match_start(ANNA, BEN)
    running = replace(match_start(ANNA, BEN), next_seed=UNSET)
    ended = given(opened, join(ANNA, 0), join(BEN, 1), running).after(commands.Resign(), BEN)
    assert history(ended)[-1] == replace(resignation(SECOND), next_seed_hash=UNSET)
    second = ended.after(commands.Ready("salt"), ANNA).after(commands.Ready(), BEN)
    assert history(second)[-1] == match_start(ANNA, BEN, number=2, salts=("salt", ""))
    assert history(second.after(commands.Resign(), BEN))[-1] == replace(
        match_end_with(resignation(SECOND).result, 2), next_seed_hash=seed_hash(seed_of(3))
    )


def test_ready_again_replaces_the_salt_for_the_next_match() -> None:
    """Before the first match, and after a match if the player is still ready; an empty salt removes it."""
    salted = seated_room().after(commands.Ready("first"), ANNA)
    salted.when(commands.Ready("first"), by=ANNA).rejected("already_ready")
    salted.when(commands.Ready(), by=ANNA).rejected("already_ready")
    again = salted.after(commands.Ready("second"), ANNA)
    again.when(commands.Ready(), by=BEN).then(events.PlayerReadied(BEN), match_start(ANNA, BEN, salts=("second", "")))
    bare = again.after(commands.Ready(""), ANNA)
    bare.when(commands.Ready(), by=BEN).then(events.PlayerReadied(BEN), match_start(ANNA, BEN))
    carried = finished_room().after(commands.Ready("pepper"), BEN)
    carried.when(commands.Proceed(), by=None, at=THEN).then(match_start(ANNA, BEN, number=2, salts=("", "pepper")))


def test_no_salt_is_accepted_before_the_hash_of_its_seed_is_published() -> None:
    """So none during a match; `ready` without a salt is accepted."""
    playing = seated_room(start="creator").after(commands.Start(), ANNA)
    playing.when(commands.Ready("early"), by=ANNA).rejected("salt_too_early")
    unready = playing.after(commands.Unready(), ANNA)
    unready.when(commands.Ready("early"), by=ANNA).rejected("salt_too_early")
    unready.when(commands.Ready(), by=ANNA).then(events.PlayerReadied(ANNA))


def test_a_salt_sent_before_a_match_that_its_sender_missed_is_not_kept() -> None:
    """It was accepted before the hash of the next match's seed was published."""
    readied = given(new_room(start="creator"), join(ANNA, 0), join(BEN, 1)).after(commands.Ready("old"), BEN)
    left = readied.after(commands.LeaveSeat(), BEN).after(commands.Join(), CLARA).after(commands.Start(), ANNA)
    back = left.after(commands.Resign(), CLARA).after(commands.LeaveSeat(), CLARA).after(commands.TakeSeat(SECOND), BEN)
    back.when(commands.Start(), by=ANNA).then(events.StartCalled(), match_start(ANNA, BEN, number=2))


def test_time_does_not_run_backwards_in_a_room() -> None:
    """A process whose clock is behind uses the time of the latest event."""
    early = seated_room().after(commands.Ready(), ANNA, Millis(NOON - 10_000))
    assert [recorded.time for recorded in early.history] == sorted(recorded.time for recorded in early.history)
    assert early.room.time == NOON


def test_spectators_do_not_count_for_readiness() -> None:
    """Two of three seats are taken; the third member is a spectator."""
    watched = given(new_room("ternio"), join(ANNA, 0), join(BEN, 1), join(CLARA))
    ready = watched.after(commands.Ready(), ANNA).after(commands.Ready(), BEN)
    assert ready.table.status == "open"
    seat = (events.SeatTaken(THIRD, CLARA),)
    ready.when(commands.TakeSeat(THIRD), by=CLARA).then(*seat)
