"""Offers of a player that the others accept: draws, repeated matches, other matches."""

import pytest

from service.domain.room.model import commands, events
from service.domain.room.model.events import OfferKind, Result
from tests.domain.room.given_when_then import (
    ANNA,
    BEN,
    CLARA,
    FIRST,
    SECOND,
    THIRD,
    Given,
    given,
    join,
    match_end,
    match_end_with,
    match_start,
    new_room,
    place,
)

TWO = given(new_room(), join(ANNA, 0), join(BEN, 1), match_start(ANNA, BEN))
"""Anna and Ben play."""

THREE = given(new_room("ternio", start="full"), join(ANNA, 0), join(BEN, 1)).after(commands.Join(), CLARA)
"""Three play Ternio."""

VOID = {reason: match_end_with(Result(reason, (), None, ())) for reason in ("restarted", "replaced")}
DRAWN = match_end("agreed", 1, 1)
WISHES: list[tuple[OfferKind, commands.AnyCommand]] = [
    ("draw", commands.OfferDraw()),
    ("restart", commands.RequestRestart()),
    ("new", commands.RequestNew()),
]


def offer_by_anna(kind: OfferKind, number: int = 1) -> events.OfferMade:
    """Return the event of an offer by Anna."""
    return events.OfferMade(number, kind, ANNA)


@pytest.mark.parametrize(("kind", "wish"), WISHES)
def test_an_offer_waits_for_the_others(kind: OfferKind, wish: commands.AnyCommand) -> None:
    """Nothing else happens before they have answered."""
    TWO.when(wish, by=ANNA).then(offer_by_anna(kind))
    assert [offer.kind for offer in TWO.after(wish, ANNA).table.offers] == [kind]


def test_a_draw_that_is_accepted_ends_the_match() -> None:
    """Both share the first place."""
    agreement = (events.OfferAccepted(1, BEN), events.OfferClosed(1, "agreed"), DRAWN)
    TWO.after(commands.OfferDraw(), ANNA).when(commands.Answer(1, accept=True), by=BEN).then(*agreement)


def test_every_other_human_has_to_accept() -> None:
    """In a match of three, both others; the scores are those of the position."""
    first = THREE.after(commands.OfferDraw(), ANNA)
    first.when(commands.Answer(1, accept=True), by=CLARA).then(events.OfferAccepted(1, CLARA))
    over = first.after(commands.Answer(1, accept=True), CLARA).after(commands.Answer(1, accept=True), BEN)
    assert over.room.match is not None
    assert over.room.match.result == Result("agreed", (1, 1, 1), (3, 3, 3), (FIRST, SECOND, THIRD))


def test_a_draw_splits_the_stake() -> None:
    """In games with a stake the players who agree get equal shares, and those who dropped out get none."""
    three = given(new_room("rainbow", {"players": 3}, start="full"), join(ANNA, 0), join(BEN, 1))
    two = three.after(commands.Join(), CLARA).after(commands.Resign(), CLARA).after(commands.OfferDraw(), ANNA)
    over = two.after(commands.Answer(1, accept=True), BEN).room.match
    assert over is not None
    assert over.result == Result("agreed", (1, 1, 3), (0.5, 0.5, 0), (FIRST, SECOND))


def test_a_player_who_dropped_out_is_not_asked_and_does_not_share_the_draw() -> None:
    """Clara has resigned; she is last."""
    two = THREE.after(commands.Resign(), CLARA).after(commands.OfferDraw(), ANNA)
    two.when(commands.Answer(1, accept=True), by=CLARA).rejected("not_asked")
    over = two.after(commands.Answer(1, accept=True), BEN).room.match
    assert over is not None
    assert over.result is not None
    assert over.result.places == (1, 1, 3)


@pytest.mark.parametrize(("kind", "wish"), WISHES)
def test_anybody_asked_can_decline(kind: OfferKind, wish: commands.AnyCommand) -> None:
    """This closes the offer; it can be made again."""
    declined = events.OfferClosed(1, "declined", BEN)
    offered = TWO.after(wish, ANNA)
    offered.when(commands.Answer(1, accept=False), by=BEN).then(declined)
    offered.after(commands.Answer(1, accept=False), BEN).when(wish, by=ANNA).then(offer_by_anna(kind, 2))


def test_an_offer_can_be_withdrawn_by_its_maker_only() -> None:
    """The others answer it."""
    offered = TWO.after(commands.OfferDraw(), ANNA)
    offered.when(commands.Withdraw(1), by=ANNA).then(events.OfferClosed(1, "withdrawn", ANNA))
    offered.when(commands.Withdraw(1), by=BEN).rejected("not_your_offer")


@pytest.mark.parametrize("by", [ANNA, BEN])
def test_an_offer_lapses_when_a_move_is_made(by: object) -> None:
    """It does not matter who moves and who made the offer."""
    offered = TWO.after(commands.OfferDraw(), ANNA if by == ANNA else BEN)
    moved = offered.after(place("a1"), ANNA)
    assert moved.history[-1].event == events.OfferClosed(1, "lapsed")
    assert moved.table.offers == ()


def test_a_secret_selection_does_not_close_an_offer() -> None:
    """In Turncoat an offer is open until the round is resolved: selections and commits do not change the board."""
    selecting = (
        given(new_room("turncoat", start="full"), join(ANNA, 0))
        .after(commands.Join(), BEN)
        .after(commands.OfferDraw(), ANNA)
    )
    match = selecting.room.playing
    assert match is not None
    for seat, by in ((FIRST, ANNA), (SECOND, BEN)):
        move = next(iter(selecting.room.game.legal_moves(match.state, seat)))
        selecting = selecting.after(commands.Play({"type": "select", "at": move.at}), by)
        assert selecting.table.offers
        selecting = selecting.after(commands.Play({"type": "commit"}), by)
    assert selecting.table.offers == ()


@pytest.mark.parametrize("goes", [commands.Leave(), commands.LeaveSeat(), commands.Resign()])
def test_an_offer_lapses_when_its_maker_leaves(goes: commands.AnyCommand) -> None:
    """The room, the seat or the match."""
    gone = THREE.after(commands.OfferDraw(), BEN).after(goes, BEN)
    assert gone.history[-1].event == events.OfferClosed(1, "lapsed")


def test_an_offer_lapses_when_the_match_ends() -> None:
    """In this example Ben resigns."""
    over = TWO.after(commands.OfferDraw(), ANNA).after(commands.Resign(), BEN)
    assert [recorded.event for recorded in over.history[-2:]] == [
        match_end("resigned", 1, 2),
        events.OfferClosed(1, "lapsed"),
    ]


def test_an_offer_lapses_when_nobody_is_left_to_answer() -> None:
    """It is not granted because the other player has left."""
    alone = TWO.after(commands.OfferDraw(), ANNA).after(commands.LeaveSeat(), BEN)
    assert alone.table.offers == ()
    assert alone.table.status == "playing"


def test_an_offer_is_granted_when_the_last_player_to_answer_leaves() -> None:
    """Ben has accepted, and Clara leaves without an answer."""
    waiting = THREE.after(commands.OfferDraw(), ANNA).after(commands.Answer(1, accept=True), BEN)
    over = waiting.after(commands.LeaveSeat(), CLARA)
    assert over.room.match is not None
    assert over.room.match.result is not None
    assert over.room.match.result.reason == "agreed"


@pytest.mark.parametrize(("kind", "wish"), WISHES)
def test_making_the_same_offer_accepts_it(kind: OfferKind, wish: commands.AnyCommand) -> None:
    """Both players want the same."""
    offered = TWO.after(wish, ANNA)
    both = offered.after(wish, BEN)
    assert [recorded.event for recorded in both.history[-5:]].count(events.OfferAccepted(1, BEN)) == 1
    assert both.table.offers == ()
    assert kind in {"draw", "restart", "new"}


def test_a_player_has_one_open_offer_of_each_kind() -> None:
    """Offers of several kinds can be open at the same time."""
    offered = TWO.after(commands.OfferDraw(), ANNA)
    offered.when(commands.OfferDraw(), by=ANNA).rejected("already_offered", offer=1)
    offered.when(commands.RequestNew(), by=ANNA).then(offer_by_anna("new", 2))


def test_the_holder_of_several_seats_answers_once() -> None:
    """Ben holds two of three."""
    hers = given(
        new_room("ternio", hot_seat=True, start="full"), join(ANNA, 0), join(BEN, 1), events.SeatTaken(THIRD, BEN)
    ).after(commands.Ready(), ANNA)
    over = hers.after(commands.OfferDraw(), ANNA).after(commands.Answer(1, accept=True), BEN).room.match
    assert over is not None
    assert over.result is not None


def test_a_player_on_all_seats_needs_no_agreement() -> None:
    """Anna holds both seats: every offer is granted at once."""
    alone = given(new_room(hot_seat=True), join(ANNA, 0), events.SeatTaken(SECOND, ANNA), match_start(ANNA, ANNA))
    alone.when(commands.OfferDraw(), by=ANNA).then(DRAWN)
    alone.when(commands.RequestNew(), by=ANNA).then(
        VOID["replaced"], events.StartCalled(), match_start(ANNA, ANNA, number=2)
    )


def test_a_new_match_replaces_the_running_one_at_once() -> None:
    """The old one has no result; the new one waits neither for the restart time nor for readiness."""
    offered = TWO.after(commands.RequestNew(), ANNA)
    agreement = (events.OfferAccepted(1, BEN), events.OfferClosed(1, "agreed"))
    fresh = (VOID["replaced"], events.StartCalled(), match_start(ANNA, BEN, number=2))
    offered.when(commands.Answer(1, accept=True), by=BEN).then(*agreement, *fresh)


def test_a_dry_run_of_an_agreement_stops_before_the_seed() -> None:
    """The seed of the running match must not be revealed."""
    accepted = (events.OfferAccepted(1, BEN), events.OfferClosed(1, "agreed"))
    TWO.after(commands.OfferDraw(), ANNA).when(commands.Answer(1, accept=True), by=BEN).dry_runs(*accepted, more=True)


@pytest.mark.parametrize("wish", [commands.RequestRestart(), commands.RequestNew()])
def test_another_match_can_be_requested_after_one(wish: commands.AnyCommand) -> None:
    """The result stays, and the next match starts before its time."""
    over = TWO.after(commands.Resign(), BEN)
    again = over.after(wish, ANNA).after(commands.Answer(1, accept=True), BEN)
    assert again.table.matches == 2
    results = [recorded.event.result for recorded in again.history if isinstance(recorded.event, events.MatchEnded)]
    assert [result.reason for result in results] == ["resigned"]


def test_a_match_without_a_result_does_not_rotate_seats() -> None:
    """`rotate` applies to matches that were played."""
    rotating = given(new_room(seats_next="rotate"), join(ANNA, 0), join(BEN, 1), match_start(ANNA, BEN))
    again = rotating.after(commands.RequestNew(), ANNA).after(commands.RequestNew(), BEN)
    assert again.table.matches == 2
    assert again.table.seats == (ANNA, BEN)


def test_a_restart_has_the_layout_and_the_first_player_of_the_match_that_it_names() -> None:
    """It has a seed of its own; the seed of the layout is included, as it has been revealed."""
    playing = triboard()
    again = restart(playing, 2)
    before, after = starts(playing)[0], starts(again)[-1]
    assert again.room.match is not None
    assert playing.room.match is not None
    assert again.room.match.state == playing.room.match.state
    assert (after.layout_of, after.layout_seed, after.layout_salts) == (before.id, before.seed, before.salts)
    assert after.seed != before.seed


def test_a_restart_of_a_restart_names_the_match_whose_seed_gave_the_layout() -> None:
    """So one step is enough to compute the layout."""
    twice = restart(restart(triboard(), 2), 3)
    assert [start.layout_of for start in starts(twice)] == [None, starts(twice)[0].id, starts(twice)[0].id]


def test_the_rolls_of_a_restart_are_its_own() -> None:
    """The die of Tic-Tac-Rainbow is not part of the layout: it is rolled with the new seed."""
    dice = {"dice": True}
    rolls = []
    for number in range(4):
        opened = given(new_room("rainbow", dice, hot_seat=True), join(ANNA, 0), events.SeatTaken(SECOND, ANNA))
        playing = opened.after(commands.Ready(), ANNA, seed=bytes([number]) * 32)
        again = playing.after(commands.RequestRestart(), ANNA)
        rolls.append(again.history[-1].event)
    assert len({str(roll) for roll in rolls}) > 1


def triboard() -> Given:
    """Return a match of Triboard that Anna plays alone."""
    seats = [events.SeatTaken(seat, ANNA) for seat in (SECOND, THIRD)]
    return given(new_room("triboard", hot_seat=True), join(ANNA, 0), *seats).after(commands.Ready(), ANNA)


def restart(room: Given, seed: int) -> Given:
    """Return the room after a restart with another seed."""
    return room.after(commands.RequestRestart(), ANNA, seed=bytes([seed]) * 32)


def starts(room: Given) -> list[events.MatchStarted]:
    """Return the starts of all matches."""
    return [recorded.event for recorded in room.history if isinstance(recorded.event, events.MatchStarted)]


REFUSED = [
    ("not_seated", TWO.after(commands.Join("spectator"), CLARA), CLARA, commands.OfferDraw()),
    ("already_dropped", THREE.after(commands.Resign(), CLARA), CLARA, commands.OfferDraw()),
    ("not_playing", given(new_room(), join(ANNA, 0)), ANNA, commands.OfferDraw()),
    ("not_playing", given(new_room(), join(ANNA, 0)), ANNA, commands.RequestRestart()),
    ("not_playing", TWO.after(commands.Resign(), BEN), ANNA, commands.OfferDraw()),
    ("not_playing", TWO.after(commands.Resign(), BEN).after(commands.LeaveSeat(), BEN), ANNA, commands.RequestNew()),
    ("no_such_offer", TWO, ANNA, commands.Answer(1, accept=True)),
    ("no_such_offer", TWO, ANNA, commands.Withdraw(1)),
    ("not_asked", TWO.after(commands.OfferDraw(), ANNA), ANNA, commands.Answer(1, accept=True)),
]


@pytest.mark.parametrize(("code", "room", "by", "command"), REFUSED)
def test_an_offer_is_rejected(code: str, room: Given, by: object, command: commands.AnyCommand) -> None:
    """From players who are not in the match, and when there is nothing to agree on."""
    room.when(command, by=ANNA if by == ANNA else CLARA).rejected(code)


def test_bots_are_not_asked_about_another_match() -> None:
    """Against bots it starts at once."""
    machine = events.PlayerJoined(BEN, "Bot", "player", "easy")
    playing = given(new_room(), join(ANNA, 0), machine, events.SeatTaken(SECOND, BEN), match_start(ANNA, BEN))
    fresh = (VOID["replaced"], events.StartCalled(), match_start(ANNA, BEN, number=2))
    playing.when(commands.RequestNew(), by=ANNA).then(*fresh)
