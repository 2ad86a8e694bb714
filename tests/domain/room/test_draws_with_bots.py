"""Draws offered in matches with bots: every bot answers before any bot moves."""

import pytest

from service.domain.game import Seat
from service.domain.ids import Millis, PlayerId
from service.domain.room.due import Due, due
from service.domain.room.model import commands, events
from service.domain.room.subjects.bots import bot_answers, bot_moves
from service.domain.room.subjects.offers import players_to_answer
from tests.domain.room.given_when_then import (
    ANNA,
    BEN,
    BOT,
    FIRST,
    NOON,
    SECOND,
    THIRD,
    Given,
    bot_join,
    given,
    join,
    match_end,
    match_start,
    new_room,
    place,
)

BOT_2 = PlayerId("bot-2")
DRAWN = match_end("agreed", 1, 1)
MADE = events.OfferMade(1, "draw", ANNA)

SOLO = given(new_room(bot_pause=0), join(ANNA, 0), bot_join(1), match_start(ANNA, BOT))
"""Anna plays against a bot, and it is her turn."""

OFFERED = SOLO.after(commands.OfferDraw(), ANNA)

TRIO = given(new_room("ternio", bot_pause=0), join(ANNA, 0), bot_join(1), bot_join(2, BOT_2)).after(
    commands.Ready(), ANNA
)
"""Anna plays Ternio against two bots."""

MIXED = given(new_room("ternio", start="full"), join(ANNA, 0), bot_join(1)).after(commands.Join(), BEN)
"""Anna, a bot and Ben play Ternio."""


def answer_for(seat: Seat, *, accept: bool, offer: int = 1) -> commands.AnswerFor:
    """Return a bot's answer to an offer."""
    return commands.AnswerFor(seat, offer, accept)


def pending_answers(room: Given) -> list[tuple[PlayerId | None, int | None]]:
    """Return which bots have to answer which offers."""
    return [(wanted.by, wanted.offer) for wanted in bot_answers(room.room)]


def test_a_bot_is_asked_about_a_draw() -> None:
    """The offer stays open until the bot answers, which is due at once, whether a human is present or not."""
    SOLO.when(commands.OfferDraw(), by=ANNA).then(MADE)
    assert players_to_answer(OFFERED.room, OFFERED.table.offers[0]) == (BOT,)
    assert pending_answers(OFFERED) == [(BOT, 1)]
    assert due(OFFERED.room, all_present=False) == Due(NOON, "bot")


def test_a_bot_that_accepts_ends_the_match() -> None:
    """The events are those that a player's acceptance leads to."""
    agreement = (events.OfferAccepted(1, BOT), events.OfferClosed(1, "agreed"), DRAWN)
    OFFERED.when(answer_for(SECOND, accept=True), by=BOT).then(*agreement)


def test_after_a_bot_has_declined_the_match_goes_on() -> None:
    """Nothing more is due until Anna has moved."""
    OFFERED.when(answer_for(SECOND, accept=False), by=BOT).then(events.OfferClosed(1, "declined", BOT))
    declined = OFFERED.after(answer_for(SECOND, accept=False), BOT)
    assert (pending_answers(declined), declined.due) == ([], None)


def test_a_draw_can_be_offered_to_bots_once_per_position() -> None:
    """However the offer ended; after the next move it can be made again."""
    declined = OFFERED.after(answer_for(SECOND, accept=False), BOT)
    withdrawn = OFFERED.after(commands.Withdraw(1), ANNA)
    for closed in (declined, withdrawn):
        closed.when(commands.OfferDraw(), by=ANNA).rejected("draw_offered_here")
        closed.after(place("a1"), ANNA).when(commands.OfferDraw(), by=ANNA).then(events.OfferMade(2, "draw", ANNA))
    OFFERED.when(commands.OfferDraw(), by=ANNA).rejected("already_offered")


def test_other_offers_are_not_limited() -> None:
    """Against bots another match is granted at once, and a draw can be offered in it."""
    again = OFFERED.after(commands.RequestNew(), ANNA)
    assert again.table.matches == 2
    again.when(commands.OfferDraw(), by=ANNA).then(events.OfferMade(2, "draw", ANNA))


def test_bots_do_not_move_while_one_of_them_has_to_answer() -> None:
    """A move would end the offer; it is due again once the offer is answered or withdrawn."""
    moved = SOLO.after(place("a1"), ANNA)
    [move] = bot_moves(moved.room)
    offered = moved.after(commands.OfferDraw(), ANNA)
    assert bot_moves(offered.room) == []
    played = commands.PlayFor(SECOND, {"type": "place", "at": "d1"}, move.version)
    offered.when(played, by=BOT).rejected("nothing_due")
    for closed in (offered.after(answer_for(SECOND, accept=False), BOT), offered.after(commands.Withdraw(1), ANNA)):
        assert bot_moves(closed.room) == [move]
        assert closed.after(played, BOT).history[-1].by == BOT


def test_each_of_several_bots_answers() -> None:
    """The draw needs the acceptance of all."""
    offered = TRIO.after(commands.OfferDraw(), ANNA)
    assert pending_answers(offered) == [(BOT, 1), (BOT_2, 1)]
    one = offered.after(answer_for(THIRD, accept=True), BOT_2)
    assert pending_answers(one) == [(BOT, 1)]
    over = one.after(answer_for(SECOND, accept=True), BOT).room.match
    assert over is not None
    assert over.result is not None
    assert over.result.reason == "agreed"


def test_a_late_answer_is_rejected() -> None:
    """The other bot has declined, this one has answered, Anna has moved, or the match is over."""
    offered = TRIO.after(commands.OfferDraw(), ANNA)
    offered.after(answer_for(SECOND, accept=False), BOT).when(answer_for(THIRD, accept=True), by=BOT_2).rejected(
        "nothing_due"
    )
    offered.after(answer_for(THIRD, accept=True), BOT_2).when(answer_for(THIRD, accept=False), by=BOT_2).rejected(
        "nothing_due"
    )
    OFFERED.after(place("a1"), ANNA).when(answer_for(SECOND, accept=True), by=BOT).rejected("nothing_due")
    OFFERED.after(commands.Resign(), ANNA).when(answer_for(SECOND, accept=True), by=BOT).rejected("not_playing")


def test_only_bots_answer_and_only_existing_offers() -> None:
    """Neither a seat without a bot nor an offer that was not made can be answered."""
    OFFERED.when(answer_for(FIRST, accept=True), by=None).rejected("nothing_due")
    OFFERED.when(answer_for(SECOND, accept=True, offer=2), by=BOT).rejected("nothing_due")


def test_an_offer_lapses_when_a_move_is_made() -> None:
    """Anna moves before the bot has answered."""
    assert OFFERED.after(place("a1"), ANNA).history[-1].event == events.OfferClosed(1, "lapsed")


def test_humans_and_bots_answer_in_any_order() -> None:
    """The draw needs Ben and the bot."""
    offered = MIXED.after(commands.OfferDraw(), ANNA)
    assert set(players_to_answer(offered.room, offered.table.offers[0])) == {BOT, BEN}
    accepts: list[tuple[commands.AnyCommand, PlayerId]] = [
        (answer_for(SECOND, accept=True), BOT),
        (commands.Answer(1, accept=True), BEN),
    ]
    for (first, by), (second, then_by) in (accepts, accepts[::-1]):
        waiting = offered.after(first, by)
        assert waiting.table.status == "playing"
        assert waiting.after(second, then_by).table.status == "finished"
    assert offered.after(answer_for(SECOND, accept=True), BOT).due is None


def test_offering_the_draw_that_was_offered_accepts_it() -> None:
    """It is not a second offer; the bot still has to answer."""
    both = MIXED.after(commands.OfferDraw(), ANNA)
    both.when(commands.OfferDraw(), by=BEN).then(events.OfferAccepted(1, BEN))


@pytest.mark.parametrize("change", [commands.RemoveBot(SECOND), commands.Kick(BOT)])
def test_an_offer_to_a_bot_that_is_removed_lapses(change: commands.AnyCommand) -> None:
    """Nobody has accepted it."""
    gone = OFFERED.after(change, ANNA)
    assert gone.history[-1].event == events.OfferClosed(1, "lapsed")


def test_a_bot_that_takes_over_a_seat_is_asked_as_well() -> None:
    """Ben leaves his seat while Anna's offer is open."""
    offered = (
        MIXED.after(commands.OfferDraw(), ANNA)
        .after(commands.LeaveSeat(), BEN)
        .after(commands.AddBot("easy", THIRD), ANNA)
    )
    assert pending_answers(offered) == [(BOT, 1), (BOT_2, 1)]


def test_bots_are_not_asked_about_a_claimed_draw() -> None:
    """Ben has been absent for too long; without other human players the draw is granted at once."""
    gone = MIXED.after(commands.Desert(BEN), None)
    later = Millis(NOON + gone.table.settings.grace_ms)
    over = gone.after(commands.ClaimAbandoned(THIRD, "draw"), ANNA, later)
    assert over.table.status == "finished"


def test_a_bot_offers_a_draw_after_its_move() -> None:
    """Anna accepts it, or it lapses with her move; in between nothing is due."""
    moved = SOLO.after(place("a1"), ANNA)
    [move] = bot_moves(moved.room)
    moved.when(commands.OfferFor(SECOND), by=BOT).rejected("nothing_due")
    moved = moved.after(commands.PlayFor(SECOND, {"type": "place", "at": "d1"}, move.version), BOT)
    moved.when(commands.OfferFor(SECOND), by=BOT).then(events.OfferMade(1, "draw", BOT))
    offered = moved.after(commands.OfferFor(SECOND), BOT)
    assert (pending_answers(offered), offered.due) == ([], None)
    offered.when(commands.OfferFor(SECOND), by=BOT).rejected("already_offered")
    agreement = (events.OfferAccepted(1, ANNA), events.OfferClosed(1, "agreed"), DRAWN)
    offered.when(commands.Answer(1, accept=True), by=ANNA).then(*agreement)
    offered.when(commands.OfferDraw(), by=ANNA).then(*agreement)
    assert offered.after(place("g7"), ANNA).history[-1].event == events.OfferClosed(1, "lapsed")


def test_a_draw_that_a_bot_offered_does_not_keep_people_from_offering_one() -> None:
    """In the same position, after Anna has declined the bot's."""
    moved = SOLO.after(place("a1"), ANNA)
    [move] = bot_moves(moved.room)
    moved = moved.after(commands.PlayFor(SECOND, {"type": "place", "at": "d1"}, move.version), BOT)
    declined = moved.after(commands.OfferFor(SECOND), BOT).after(commands.Answer(1, accept=False), ANNA)
    declined.when(commands.OfferDraw(), by=ANNA).then(events.OfferMade(2, "draw", ANNA))


def test_a_bot_offers_a_draw_to_all_others() -> None:
    """Also to the other bot; but not if nobody who plays is a person, and not from a person's seat."""
    offered = TRIO.after(commands.OfferFor(SECOND), BOT)
    assert set(players_to_answer(offered.room, offered.table.offers[0])) == {ANNA, BOT_2}
    assert pending_answers(offered) == [(BOT_2, 1)]
    TRIO.when(commands.OfferFor(FIRST), by=ANNA).rejected("nothing_due")
    alone = TRIO.after(commands.Resign(), ANNA)
    alone.when(commands.OfferFor(THIRD), by=BOT_2).rejected("nothing_due")
