"""What one player offers and the others accept: draws, matches once more, other matches."""

import pytest

from service.domain.room.model import commands as ask
from service.domain.room.model import events as happened
from service.domain.room.model.events import OfferKind, Result
from tests.domain.room.given_when_then import (
    ANNA,
    BEN,
    CLARA,
    FIRST,
    SECOND,
    THIRD,
    Given,
    begun,
    ended,
    ending,
    given,
    joined,
    place,
    table,
)

TWO = given(table(), joined(ANNA, 0), joined(BEN, 1), begun(ANNA, BEN))
"""Anna and Ben play."""

THREE = given(table("ternio", start="full"), joined(ANNA, 0), joined(BEN, 1)).after(ask.Join(), CLARA)
"""Three play Ternio."""

VOID = {reason: ending(Result(reason, (), None, ())) for reason in ("restarted", "replaced")}
DRAWN = ended("agreed", 1, 1)
WISHES: list[tuple[OfferKind, ask.AnyCommand]] = [
    ("draw", ask.OfferDraw()),
    ("restart", ask.RequestRestart()),
    ("new", ask.RequestNew()),
]


def made(kind: OfferKind, number: int = 1) -> happened.OfferMade:
    """Return the making of an offer by Anna."""
    return happened.OfferMade(number, kind, ANNA)


@pytest.mark.parametrize(("kind", "wish"), WISHES)
def test_what_is_asked_for_waits_for_the_others(kind: OfferKind, wish: ask.AnyCommand) -> None:
    """Nothing else happens before they have answered."""
    TWO.when(wish, by=ANNA).then(made(kind))
    assert [offer.kind for offer in TWO.after(wish, ANNA).table.offers] == [kind]


def test_a_draw_that_is_accepted_ends_the_match() -> None:
    """Both share the first place."""
    agreement = (happened.OfferAccepted(1, BEN), happened.OfferClosed(1, "agreed"), DRAWN)
    TWO.after(ask.OfferDraw(), ANNA).when(ask.Answer(1, accept=True), by=BEN).then(*agreement)


def test_every_other_human_has_to_accept() -> None:
    """Of three, two; the scores are told as they stand."""
    first = THREE.after(ask.OfferDraw(), ANNA)
    first.when(ask.Answer(1, accept=True), by=CLARA).then(happened.OfferAccepted(1, CLARA))
    over = first.after(ask.Answer(1, accept=True), CLARA).after(ask.Answer(1, accept=True), BEN)
    assert over.room.match is not None
    assert over.room.match.result == Result("agreed", (1, 1, 1), (3, 3, 3), (FIRST, SECOND, THIRD))


def test_a_draw_splits_the_stake() -> None:
    """Where a match is played for a stake, those who agree get equal shares, and who dropped out gets none."""
    three = given(table("rainbow", {"players": 3}, start="full"), joined(ANNA, 0), joined(BEN, 1))
    two = three.after(ask.Join(), CLARA).after(ask.Resign(), CLARA).after(ask.OfferDraw(), ANNA)
    over = two.after(ask.Answer(1, accept=True), BEN).room.match
    assert over is not None
    assert over.result == Result("agreed", (1, 1, 3), (0.5, 0.5, 0), (FIRST, SECOND))


def test_who_dropped_out_is_not_asked_and_shares_no_draw() -> None:
    """Clara has resigned; she comes in behind the two who agree."""
    two = THREE.after(ask.Resign(), CLARA).after(ask.OfferDraw(), ANNA)
    two.when(ask.Answer(1, accept=True), by=CLARA).rejected("not_asked")
    over = two.after(ask.Answer(1, accept=True), BEN).room.match
    assert over is not None
    assert over.result is not None
    assert over.result.places == (1, 1, 3)


@pytest.mark.parametrize(("kind", "wish"), WISHES)
def test_anybody_asked_can_decline(kind: OfferKind, wish: ask.AnyCommand) -> None:
    """That ends the offer; it may be made again."""
    declined = happened.OfferClosed(1, "declined", BEN)
    offered = TWO.after(wish, ANNA)
    offered.when(ask.Answer(1, accept=False), by=BEN).then(declined)
    offered.after(ask.Answer(1, accept=False), BEN).when(wish, by=ANNA).then(made(kind, 2))


def test_an_offer_can_be_withdrawn_by_its_maker_only() -> None:
    """Others answer it."""
    offered = TWO.after(ask.OfferDraw(), ANNA)
    offered.when(ask.Withdraw(1), by=ANNA).then(happened.OfferClosed(1, "withdrawn", ANNA))
    offered.when(ask.Withdraw(1), by=BEN).rejected("not_your_offer")


@pytest.mark.parametrize("by", [ANNA, BEN])
def test_an_offer_lapses_when_a_move_is_played(by: object) -> None:
    """Whoever plays it, and whoever made the offer."""
    offered = TWO.after(ask.OfferDraw(), ANNA if by == ANNA else BEN)
    moved = offered.after(place("a1"), ANNA)
    assert moved.history[-1].event == happened.OfferClosed(1, "lapsed")
    assert moved.table.offers == ()


def test_a_secret_selection_is_no_move_yet() -> None:
    """In Turncoat an offer stands until the round is resolved, for to select and to commit changes no board."""
    selecting = (
        given(table("turncoat", start="full"), joined(ANNA, 0)).after(ask.Join(), BEN).after(ask.OfferDraw(), ANNA)
    )
    match = selecting.room.playing
    assert match is not None
    for seat, by in ((FIRST, ANNA), (SECOND, BEN)):
        move = next(iter(selecting.room.game.legal_moves(match.state, seat)))
        selecting = selecting.after(ask.Play({"type": "select", "at": move.at}), by)
        assert selecting.table.offers
        selecting = selecting.after(ask.Play({"type": "commit"}), by)
    assert selecting.table.offers == ()


@pytest.mark.parametrize("goes", [ask.Leave(), ask.LeaveSeat(), ask.Resign()])
def test_an_offer_lapses_when_its_maker_goes(goes: ask.AnyCommand) -> None:
    """Out of the room, from the seat, or out of the match."""
    gone = THREE.after(ask.OfferDraw(), BEN).after(goes, BEN)
    assert gone.history[-1].event == happened.OfferClosed(1, "lapsed")


def test_an_offer_lapses_when_the_match_ends() -> None:
    """Here because Ben resigns."""
    over = TWO.after(ask.OfferDraw(), ANNA).after(ask.Resign(), BEN)
    assert [told.event for told in over.history[-2:]] == [ended("resigned", 1, 2), happened.OfferClosed(1, "lapsed")]


def test_who_is_left_alone_has_offered_to_nobody() -> None:
    """The offer lapses; it isn't granted behind the back of who went."""
    alone = TWO.after(ask.OfferDraw(), ANNA).after(ask.LeaveSeat(), BEN)
    assert alone.table.offers == ()
    assert alone.table.status == "playing"


def test_what_all_who_stayed_accepted_is_granted_when_the_last_one_goes() -> None:
    """Ben has accepted, and Clara leaves without an answer."""
    waiting = THREE.after(ask.OfferDraw(), ANNA).after(ask.Answer(1, accept=True), BEN)
    over = waiting.after(ask.LeaveSeat(), CLARA)
    assert over.room.match is not None
    assert over.room.match.result is not None
    assert over.room.match.result.reason == "agreed"


@pytest.mark.parametrize(("kind", "wish"), WISHES)
def test_to_ask_for_what_is_offered_is_to_accept_it(kind: OfferKind, wish: ask.AnyCommand) -> None:
    """Both wanted the same."""
    offered = TWO.after(wish, ANNA)
    both = offered.after(wish, BEN)
    assert [told.event for told in both.history[-5:]].count(happened.OfferAccepted(1, BEN)) == 1
    assert both.table.offers == ()
    assert kind in {"draw", "restart", "new"}


def test_one_offer_of_a_kind_a_player() -> None:
    """Another kind may be offered beside it."""
    offered = TWO.after(ask.OfferDraw(), ANNA)
    offered.when(ask.OfferDraw(), by=ANNA).rejected("already_offered", offer=1)
    offered.when(ask.RequestNew(), by=ANNA).then(made("new", 2))


def test_the_holder_of_several_seats_answers_once() -> None:
    """Ben holds two of three."""
    hers = given(
        table("ternio", hot_seat=True, start="full"), joined(ANNA, 0), joined(BEN, 1), happened.SeatTaken(THIRD, BEN)
    ).after(ask.Ready(), ANNA)
    over = hers.after(ask.OfferDraw(), ANNA).after(ask.Answer(1, accept=True), BEN).room.match
    assert over is not None
    assert over.result is not None


def test_who_plays_alone_asks_nobody() -> None:
    """Anna holds both seats: every wish is granted at once."""
    alone = given(table(hot_seat=True), joined(ANNA, 0), happened.SeatTaken(SECOND, ANNA), begun(ANNA, ANNA))
    alone.when(ask.OfferDraw(), by=ANNA).then(DRAWN)
    alone.when(ask.RequestNew(), by=ANNA).then(VOID["replaced"], happened.StartCalled(), begun(ANNA, ANNA, number=2))


def test_a_new_match_replaces_the_running_one_at_once() -> None:
    """The old one counts for nobody, and nobody waits for the pause between matches or for readiness."""
    offered = TWO.after(ask.RequestNew(), ANNA)
    agreement = (happened.OfferAccepted(1, BEN), happened.OfferClosed(1, "agreed"))
    fresh = (VOID["replaced"], happened.StartCalled(), begun(ANNA, BEN, number=2))
    offered.when(ask.Answer(1, accept=True), by=BEN).then(*agreement, *fresh)


def test_a_dry_run_of_an_agreement_stops_before_the_seed() -> None:
    """The seed of the match that would end is nobody's to know."""
    told = (happened.OfferAccepted(1, BEN), happened.OfferClosed(1, "agreed"))
    TWO.after(ask.OfferDraw(), ANNA).when(ask.Answer(1, accept=True), by=BEN).foretells(*told, more=True)


@pytest.mark.parametrize("wish", [ask.RequestRestart(), ask.RequestNew()])
def test_another_match_may_be_asked_for_after_one(wish: ask.AnyCommand) -> None:
    """The result stands, and the next match begins without waiting for its time."""
    over = TWO.after(ask.Resign(), BEN)
    again = over.after(wish, ANNA).after(ask.Answer(1, accept=True), BEN)
    assert again.table.matches == 2
    results = [told.event.result for told in again.history if isinstance(told.event, happened.MatchEnded)]
    assert [result.reason for result in results] == ["resigned"]


def test_a_match_that_counts_for_nobody_moves_no_seats() -> None:
    """`rotate` is for matches that were played."""
    rotating = given(table(seats_next="rotate"), joined(ANNA, 0), joined(BEN, 1), begun(ANNA, BEN))
    again = rotating.after(ask.RequestNew(), ANNA).after(ask.RequestNew(), BEN)
    assert again.table.matches == 2
    assert again.table.seats == (ANNA, BEN)


def test_a_restart_has_the_layout_and_the_first_player_of_the_match_that_it_names() -> None:
    """Its own seed is another one; the layout's is told, for it lies in the open."""
    playing = triboard()
    again = restarted(playing, 2)
    before, after = starts(playing)[0], starts(again)[-1]
    assert again.room.match is not None
    assert playing.room.match is not None
    assert again.room.match.state == playing.room.match.state
    assert (after.layout_of, after.layout_seed, after.layout_salts) == (before.id, before.seed, before.salts)
    assert after.seed != before.seed


def test_a_restart_of_a_restart_names_the_match_whose_seed_gave_the_layout() -> None:
    """One step back leads to what can be computed."""
    twice = restarted(restarted(triboard(), 2), 3)
    assert [start.layout_of for start in starts(twice)] == [None, starts(twice)[0].id, starts(twice)[0].id]


def test_the_rolls_of_a_restart_are_its_own() -> None:
    """The die of Tic-Tac-Rainbow is no layout: it falls anew, by the new seed."""
    dice = {"dice": True}
    rolls = []
    for number in range(4):
        opened = given(table("rainbow", dice, hot_seat=True), joined(ANNA, 0), happened.SeatTaken(SECOND, ANNA))
        playing = opened.after(ask.Ready(), ANNA, seed=bytes([number]) * 32)
        again = playing.after(ask.RequestRestart(), ANNA)
        rolls.append(again.history[-1].event)
    assert len({str(roll) for roll in rolls}) > 1


def triboard() -> Given:
    """Return a table at which Anna plays Triboard alone."""
    seats = [happened.SeatTaken(seat, ANNA) for seat in (SECOND, THIRD)]
    return given(table("triboard", hot_seat=True), joined(ANNA, 0), *seats).after(ask.Ready(), ANNA)


def restarted(room: Given, seed: int) -> Given:
    """Return what a restart leads to, under another seed."""
    return room.after(ask.RequestRestart(), ANNA, seed=bytes([seed]) * 32)


def starts(room: Given) -> list[happened.MatchStarted]:
    """Return the starts of all matches."""
    return [told.event for told in room.history if isinstance(told.event, happened.MatchStarted)]


REFUSED = [
    ("not_seated", TWO.after(ask.Join("spectator"), CLARA), CLARA, ask.OfferDraw()),
    ("already_dropped", THREE.after(ask.Resign(), CLARA), CLARA, ask.OfferDraw()),
    ("not_playing", given(table(), joined(ANNA, 0)), ANNA, ask.OfferDraw()),
    ("not_playing", given(table(), joined(ANNA, 0)), ANNA, ask.RequestRestart()),
    ("not_playing", TWO.after(ask.Resign(), BEN), ANNA, ask.OfferDraw()),
    ("not_playing", TWO.after(ask.Resign(), BEN).after(ask.LeaveSeat(), BEN), ANNA, ask.RequestNew()),
    ("no_such_offer", TWO, ANNA, ask.Answer(1, accept=True)),
    ("no_such_offer", TWO, ANNA, ask.Withdraw(1)),
    ("not_asked", TWO.after(ask.OfferDraw(), ANNA), ANNA, ask.Answer(1, accept=True)),
]


@pytest.mark.parametrize(("code", "room", "by", "command"), REFUSED)
def test_an_offer_is_refused(code: str, room: Given, by: object, command: ask.AnyCommand) -> None:
    """To those without a part in the match, and where there is nothing to agree on."""
    room.when(command, by=ANNA if by == ANNA else CLARA).rejected(code)


def test_bots_are_not_asked_about_another_match() -> None:
    """Where only bots sit, it begins at once."""
    machine = happened.PlayerJoined(BEN, "Bot", "player", "easy")
    playing = given(table(), joined(ANNA, 0), machine, happened.SeatTaken(SECOND, BEN), begun(ANNA, BEN))
    fresh = (VOID["replaced"], happened.StartCalled(), begun(ANNA, BEN, number=2))
    playing.when(ask.RequestNew(), by=ANNA).then(*fresh)
