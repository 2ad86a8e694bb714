"""Who joins and leaves, who holds which seat, and who is the creator."""

import unicodedata

import pytest

from service.domain.game import Seat
from service.domain.ids import PlayerId
from service.domain.room.model import commands, events, names
from tests.domain.room.given_when_then import (
    ANNA,
    BEN,
    BOT,
    CLARA,
    DORA,
    FIRST,
    SECOND,
    THIRD,
    Given,
    given,
    join,
    match_end_with,
    match_start,
    new_room,
)

ALONE = given(new_room(), join(ANNA, 0))
TWO_OF_THREE = given(new_room("ternio"), join(ANNA, 0), join(CLARA, 2))


def test_a_player_who_joins_gets_the_lowest_free_seat() -> None:
    """Anna and Clara hold the first and the last seat."""
    came = events.PlayerJoined(BEN, "ben", "player")
    TWO_OF_THREE.when(commands.Join(), by=BEN).then(came, events.SeatTaken(SECOND, BEN))


def test_a_seat_can_be_named() -> None:
    """It may be any free seat."""
    came = events.PlayerJoined(BEN, "ben", "player")
    given(new_room("ternio"), join(ANNA, 0)).when(commands.Join(seat=THIRD), by=BEN).then(
        came, events.SeatTaken(THIRD, BEN)
    )


def test_a_spectator_can_join_a_full_room() -> None:
    """They can do so during a match, and with another nickname than outside the room."""
    playing = given(new_room(), join(ANNA, 0), join(BEN, 1), match_start(ANNA, BEN))
    watching = commands.Join(role="spectator", nickname="The Owl")
    playing.when(watching, by=CLARA).then(events.PlayerJoined(CLARA, "The Owl", "spectator"))


def test_a_spectator_who_takes_a_seat_is_a_player_from_then_on() -> None:
    """So the creator can assign them a seat, too."""
    seated = given(new_room(), join(ANNA, 0), join(BEN)).after(commands.TakeSeat(SECOND), BEN)
    assert seated.table.members[BEN].role == "player"
    seated.after(commands.LeaveSeat(), BEN).when(commands.AssignSeats((BEN, ANNA)), by=ANNA).then(
        events.SeatsAssigned((BEN, ANNA))
    )


def test_before_a_match_a_player_moves_to_another_seat() -> None:
    """There they have to send `ready` again."""
    readied = given(new_room("ternio"), join(ANNA, 0), events.PlayerReadied(ANNA))
    moved = (events.SeatLeft(FIRST, ANNA), events.SeatTaken(THIRD, ANNA))
    readied.when(commands.TakeSeat(THIRD), by=ANNA).then(*moved)
    assert not readied.after(commands.TakeSeat(THIRD), ANNA).table.members[ANNA].ready


def test_in_a_hot_seat_room_one_player_holds_several_seats() -> None:
    """Taking another seat keeps the first one; `leave_seat` has to name the seat."""
    hers = given(new_room("ternio", hot_seat=True), join(ANNA, 0)).after(commands.TakeSeat(THIRD), ANNA)
    assert hers.table.seats == (ANNA, None, ANNA)
    hers.when(commands.LeaveSeat(FIRST), by=ANNA).then(events.SeatLeft(FIRST, ANNA))
    hers.when(commands.AssignSeats((ANNA, ANNA, ANNA)), by=ANNA).then(events.SeatsAssigned((ANNA, ANNA, ANNA)))


def test_leaving_the_room_frees_every_seat() -> None:
    """Each seat gets an event of its own."""
    hers = given(new_room("ternio", hot_seat=True), join(ANNA, 0), join(BEN, 1), events.SeatTaken(THIRD, BEN))
    left = [events.SeatLeft(SECOND, BEN), events.SeatLeft(THIRD, BEN), events.PlayerLeft(BEN)]
    hers.when(commands.Leave(), by=BEN).then(*left)


def test_the_player_who_has_been_here_longest_becomes_the_creator() -> None:
    """A spectator only if there is no player."""
    left = (events.SeatLeft(FIRST, ANNA), events.PlayerLeft(ANNA))
    watched = given(new_room(), join(ANNA, 0), join(DORA), join(BEN, 1), join(CLARA))
    watched.when(commands.Leave(), by=ANNA).then(*left, events.CreatorChanged(BEN))
    given(new_room(), join(ANNA, 0), join(DORA), join(CLARA)).when(commands.Leave(), by=ANNA).then(
        *left, events.CreatorChanged(DORA)
    )


def test_the_new_creator_has_the_creators_rights() -> None:
    """The former creator does not get them back by joining again."""
    inherited = given(new_room(), join(ANNA, 0), join(BEN, 1)).after(commands.Leave(), ANNA)
    assert inherited.table.creator == BEN
    back = inherited.after(commands.Join(), ANNA)
    back.when(commands.Close(), by=ANNA).rejected("not_the_creator")
    back.when(commands.Close(), by=BEN).then(events.RoomClosed("by_creator"))


def test_an_operator_closes_any_room_and_its_match_has_no_result() -> None:
    """The operator does not have to be a member."""
    playing = given(new_room(), join(ANNA, 0), join(BEN, 1), match_start(ANNA, BEN))
    void = match_end_with(events.Result("closed", (), None, ()))
    playing.when(commands.Shut(), by=None).then(void, events.RoomClosed("by_operator"))
    playing.after(commands.Shut(), None).when(commands.Shut(), by=None).rejected("room_closed")


def test_a_room_that_everybody_has_left_is_closed() -> None:
    """Its last member was its creator."""
    left = (events.SeatLeft(FIRST, ANNA), events.PlayerLeft(ANNA))
    ALONE.when(commands.Leave(), by=ANNA).then(*left, events.RoomClosed("deserted"))


def test_closing_or_deserting_a_room_ends_its_match_without_a_result() -> None:
    """The seed is revealed all the same."""
    void = events.Result("closed", (), None, ())
    playing = given(new_room(), join(ANNA, 0), join(BEN, 1), match_start(ANNA, BEN))
    closed = (match_end_with(void), events.RoomClosed("by_creator"))
    playing.when(commands.Close(), by=ANNA).then(*closed)
    last = playing.after(commands.Leave(), ANNA)
    left = (events.SeatLeft(SECOND, BEN), events.PlayerLeft(BEN))
    last.when(commands.Leave(), by=BEN).then(*left, match_end_with(void), events.RoomClosed("deserted"))


LOOK_ALIKES = [
    ("anna", "ANNA"),
    ("anna", "Änna"),
    ("anna", "\u0430\u006e\u006e\u0430"),
    ("anna", "\uff41\uff4e\uff4e\uff41"),
    ("anna", "an na"),
    ("Oli", "0li"),
    ("Oli", "O1i"),
    ("Oli", "o|i"),
    ("modern", "modem"),
    ("Strasse", "Straße"),
    ("\u0412\u041e\u0412", "BOB"),
    ("\u039a\u0391\u03a4\u0395", "kate"),
    ("anna", "an\u043f\u0430"),
    ("anna", "anna\ufe0f"),
    ("anna", "an\u034fna"),
    ("anna", "anna\U000e0100"),
    ("anna", "ann\u20dda"),
    ("anna", "\u1d00\u0274\u0274\u1d00"),
    ("anna", "\u0251nn\u0251"),
    ("anna", "a\u0578\u0578a"),
    ("anna", "\u13aanna"),
    ("anna", "\ua4ee\ua4e0\ua4e0\ua4ee"),
    ("Ole", "\u00d8le"),
    ("Igor", "\u0131gor"),
]


@pytest.mark.parametrize(("known", "tried"), [*LOOK_ALIKES, *(pair[::-1] for pair in LOOK_ALIKES)])
def test_a_nickname_that_looks_like_anothers_is_taken(known: str, tried: str) -> None:
    """Case, accents, width, spaces, invisible characters and letters of other alphabets make no difference."""
    came = events.PlayerJoined(ANNA, known, "player")
    shown = unicodedata.normalize("NFKC", tried)
    refused = given(new_room(), came).when(commands.Join(nickname=tried), by=BEN)
    if len(names.scripts_of(shown)) > 1:  # rejected for everybody, but compared for players who have one
        refused.rejected("bad_nickname", reason="mixed_scripts")
    else:
        refused.rejected("nickname_taken", nickname=shown)
    assert names.skeleton(known) == names.skeleton(shown)


@pytest.mark.parametrize("tried", ["Anja", "Annabel", "Hanna", "安娜", "Анжел\u0430"])
def test_a_nickname_that_differs_is_free(tried: str) -> None:
    """Names may sound as similar as they like."""
    assert tried in {
        member.nickname for member in ALONE.after(commands.Join(nickname=tried), BEN).table.members.values()
    }


def test_a_nickname_is_free_again_when_its_owner_has_left() -> None:
    """Nicknames are unique among the members."""
    gone = given(new_room(), join(ANNA, 0), join(BEN, 1)).after(commands.Leave(), BEN)
    assert gone.after(commands.Join(nickname="Ben"), CLARA).table.members[CLARA].nickname == "Ben"


def test_the_creator_assigns_all_seats() -> None:
    """At once, with empty seats; players who are not named have no seat."""
    placed = given(new_room("ternio"), join(ANNA, 0), join(BEN, 1)).after(
        commands.AssignSeats((None, None, ANNA)), ANNA
    )
    assert placed.table.seats == (None, None, ANNA)


@pytest.mark.parametrize("seat", range(3))
def test_a_seat_during_a_match_can_be_left_and_taken_over(seat: int) -> None:
    """The match waits; the player who takes the seat continues, even a spectator."""
    room: Given = given(new_room("ternio", start="full"), join(ANNA, 0), join(BEN, 1), join(DORA))
    playing = room.after(commands.Join(), CLARA)
    holder: PlayerId = (ANNA, BEN, CLARA)[seat]
    waiting = playing.after(commands.LeaveSeat(), holder)
    assert waiting.table.status == "playing"
    taken = waiting.after(commands.TakeSeat(Seat(seat)), DORA)
    assert taken.table.seats[seat] == DORA
    assert taken.room.match is not None
    assert taken.room.match.players == (ANNA, BEN, CLARA)


def test_the_holders_of_seats_are_up_to_date_after_every_change() -> None:
    """What was computed for one table is not used for the next."""
    alone = given(new_room("ternio"), join(ANNA, 0))
    assert (alone.table.seats_of, alone.table.bots) == ({ANNA: (FIRST,)}, {})
    assert (alone.table.seats_of[BEN], alone.table.seats_of[None]) == ((), ())
    three = alone.after(commands.AddBot("easy"), ANNA).after(commands.Join(), BEN)
    assert three.table.seats_of == {ANNA: (FIRST,), BOT: (SECOND,), BEN: (THIRD,)}
    assert three.table.bots == {SECOND: "easy"}
    assert alone.table.seats_of == {ANNA: (FIRST,)}


def test_a_player_can_hold_several_seats() -> None:
    """On one device they play in the order of the seats."""
    hot = given(new_room("ternio", hot_seat=True), join(ANNA, 2)).after(commands.TakeSeat(FIRST), ANNA)
    assert hot.table.seats_of == {ANNA: (FIRST, THIRD)}
