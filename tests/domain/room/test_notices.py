"""Notices: what a command means to the players of a room, for their own streams."""

from service.domain.game import Event
from service.domain.ids import PlayerId
from service.domain.room.model import commands
from service.domain.room.model.commands import AnyCommand
from service.domain.room.model.events import RoomEvent
from service.domain.room.model.notices import (
    MatchBegan,
    MatchFinished,
    OfferReceived,
    OwnInvitationAccepted,
    OwnInvitationDeclined,
    OwnInvitationMade,
    RemovedFromRoom,
    TurnBegan,
)
from service.domain.room.model.state import Room
from service.domain.room.notices import Notices, notices
from service.domain.room.process import run
from tests.domain.room.given_when_then import (
    ANNA,
    BEN,
    CLARA,
    FIRST,
    KEY,
    SECOND,
    THIRD,
    bot_join,
    context,
    given,
    join,
    new_room,
    place,
)
from tests.domain.room.test_invitations import CODE, by_code

History = tuple[Event | tuple[Event, ...], ...]


def after(history: History, *sent: tuple[PlayerId, AnyCommand]) -> tuple[Room, Notices]:
    """Return a room after commands, and the notices of the last one."""
    room, found = given(*history).room, Notices()
    for player, command in sent:
        work = run(room, command, context(player))
        found = notices(room, work.room, work.recorded)
        room = work.room
    return room, found


TWO = (new_room(start="full"), *join(ANNA, 0))
"""Anna waits for one more player at Morris."""


def test_the_start_of_a_match_is_delivered_to_all_its_players() -> None:
    """And whose turn it is to that one; the seats are the player's own."""
    room, found = after(TWO, (BEN, commands.Join()))
    assert room.match is not None
    began = [(player, notice) for player, notice in found if isinstance(notice, MatchBegan)]
    assert [(player, notice.seats, notice.match_id) for player, notice in began] == [
        (ANNA, (FIRST,), room.match.id),
        (BEN, (SECOND,), room.match.id),
    ]
    [(mover, turn)] = [(player, notice) for player, notice in found if isinstance(notice, TurnBegan)]
    assert (mover, turn.room, turn.epoch, turn.game, turn.match) == (ANNA, KEY.name, KEY.epoch, "morris", 1)
    assert turn.seats == (FIRST,)


def test_a_move_begins_the_turn_of_the_next_player_only() -> None:
    """The player who moved gets nothing."""
    _, found = after(TWO, (BEN, commands.Join()), (ANNA, place("a1")))
    assert [(player, type(notice)) for player, notice in found] == [(BEN, TurnBegan)]


def test_a_second_step_of_one_turn_begins_no_turn() -> None:
    """After a mill the same player removes a man."""
    moves = [(ANNA, "a1"), (BEN, "b2"), (ANNA, "a4"), (BEN, "b4"), (ANNA, "a7")]
    room, found = after(TWO, (BEN, commands.Join()), *((player, place(at)) for player, at in moves))
    assert room.playing is not None
    assert room.game.to_move(room.playing.state) == (FIRST,)
    assert found == []


def test_the_end_of_a_match_is_delivered_to_all_its_players() -> None:
    """With the result."""
    _, found = after(TWO, (BEN, commands.Join()), (BEN, commands.Resign()))
    ended = [(player, notice.result.winners) for player, notice in found if isinstance(notice, MatchFinished)]
    assert ended == [(ANNA, (FIRST,)), (BEN, (FIRST,))]


def finished(found: Notices) -> list[PlayerId]:
    """Return to whom the end of a match is delivered."""
    return [player for player, notice in found if isinstance(notice, MatchFinished)]


def test_the_end_of_a_match_is_delivered_to_those_who_left() -> None:
    """And to the one who stayed alone, also if nobody takes the seat."""
    _, left = after(TWO, (BEN, commands.Join()), (BEN, commands.Leave()))
    _, found = after(TWO, (BEN, commands.Join()), (BEN, commands.Leave()), (ANNA, commands.Resign()))
    _, deserted = after(TWO, (BEN, commands.Join()), (BEN, commands.Leave()), (ANNA, commands.Leave()))
    assert (left, finished(found), finished(deserted)) == ([], [ANNA, BEN], [ANNA, BEN])


def test_the_end_of_a_match_is_delivered_to_all_who_took_a_seat_meanwhile() -> None:
    """Once to each, however often they sat."""
    came = ((BEN, commands.Join()), (BEN, commands.Leave()), (CLARA, commands.Join()), (CLARA, commands.Leave()))
    room, _ = after(TWO, *came, (BEN, commands.Join()))
    assert room.match is not None
    assert list(room.match.sat) == [ANNA, BEN, CLARA]
    _, found = after(TWO, *came, (BEN, commands.Join()), (BEN, commands.Resign()))
    assert finished(found) == [ANNA, BEN, CLARA]


def test_the_end_of_a_match_that_leads_to_the_next_one_has_its_own_id() -> None:
    """Both are in one command."""
    room, found = after(
        TWO, (BEN, commands.Join()), (ANNA, commands.RequestNew()), (BEN, commands.Answer(1, accept=True))
    )
    assert room.playing is not None
    assert room.playing.number == 2
    ended = [(notice.match, notice.match_id) for _, notice in found if isinstance(notice, MatchFinished)]
    assert ended == [(1, f"{KEY.name}.{KEY.epoch}.1")] * 2


def test_who_plays_alone_after_the_other_left_is_notified() -> None:
    """A bot that was removed is not, and neither is a player who has only met bots."""
    history = (new_room("ternio", start="full"), *join(ANNA, 0), *bot_join(1))
    removed = ((BEN, commands.Join()), (BEN, commands.Leave()), (ANNA, commands.RemoveBot(SECOND)))
    _, found = after(history, *removed, (ANNA, commands.Leave()))
    assert finished(found) == [ANNA, BEN]
    _, alone = after((new_room(start="full"), *bot_join(1)), (ANNA, commands.Join()), (ANNA, commands.Resign()))
    assert alone == []


def test_an_offer_is_delivered_to_those_who_have_to_answer() -> None:
    """Not to its maker, and with its number."""
    _, found = after(TWO, (BEN, commands.Join()), (ANNA, commands.OfferDraw()))
    assert found == [(BEN, OfferReceived(KEY.name, KEY.epoch, "morris", 1, "draw", ANNA))]


def test_a_kicked_player_is_notified() -> None:
    """Who is no longer a member reads nothing in the room."""
    _, found = after((*TWO, *join(CLARA)), (BEN, commands.Join()), (ANNA, commands.Kick(CLARA)))
    assert (CLARA, RemovedFromRoom(KEY.name, KEY.epoch, "morris")) in found


def test_who_made_an_invitation_receives_what_happens_to_it() -> None:
    """Also alone at the table."""
    alone, invite = (new_room(), *join(ANNA, 0)), (ANNA, commands.Invite(uses=2))
    _, found = after(alone, invite)
    assert found == [(ANNA, OwnInvitationMade(KEY.name, KEY.epoch, "morris", 1))]
    accept, decline = (BEN, by_code()), (CLARA, commands.DeclineInvitation(CODE))
    _, found = after(alone, invite, accept)
    assert found == [(ANNA, OwnInvitationAccepted(KEY.name, KEY.epoch, "morris", 1, BEN))]
    _, found = after(alone, invite, accept, decline)
    assert found == [(ANNA, OwnInvitationDeclined(KEY.name, KEY.epoch, "morris", 1, CLARA))]
    _, found = after(alone, (BEN, commands.Join()))
    assert found == []


def test_who_plays_against_bots_only_gets_nothing() -> None:
    """They see it on the board."""
    history = (new_room(start="full"), *bot_join(1))
    room, found = after(history, (ANNA, commands.Join()))
    assert room.playing is not None
    assert found == []


def test_a_bot_of_the_service_gets_nothing() -> None:
    """In a room with two persons."""
    history = (new_room("ternio", start="full"), *join(ANNA, 0), *bot_join(1))
    _, found = after(history, (BEN, commands.Join()))
    assert {player for player, _ in found} == {ANNA, BEN}
    assert [notice.seats for _, notice in found if isinstance(notice, MatchBegan)] == [(FIRST,), (THIRD,)]


def test_all_who_choose_at_the_same_time_are_notified_once() -> None:
    """In a simultaneous round a commitment begins nobody's turn; what was selected is in no notice."""
    history = (new_room("turncoat", start="full"), *join(ANNA, 0))
    _, began = after(history, (BEN, commands.Join()))
    assert [player for player, notice in began if isinstance(notice, TurnBegan)] == [ANNA, BEN]
    select = commands.Play({"type": "select", "at": "a1"})
    _, selected = after(history, (BEN, commands.Join()), (ANNA, select))
    assert selected == []


def test_an_opened_room_has_nobody_to_notify() -> None:
    """There is only its creator."""
    assert notices(None, given(new_room(), join(ANNA, 0)).room, ()) == []


def test_every_notice_is_about_its_room() -> None:
    """Over all commands of these tests the name and the epoch are the room's."""
    _, found = after(TWO, (BEN, commands.Join()), (BEN, commands.Resign()))
    assert {(notice.room, notice.epoch) for _, notice in found} == {(KEY.name, KEY.epoch)}
    assert all(not isinstance(notice, RoomEvent) for _, notice in found)
