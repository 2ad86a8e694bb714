"""Bots of the service: how they join and leave, when they move, and what they know."""

import dataclasses
from typing import Any

import msgspec
import pytest

from service.domain.catalog import GAMES
from service.domain.game import Seat
from service.domain.ids import Millis, PlayerId, Version
from service.domain.room.due import Due
from service.domain.room.evolve import evolve, has_secrets, known_states
from service.domain.room.model import commands, events
from service.domain.room.model.clock import PerMove
from service.domain.room.model.events import Recorded
from service.domain.room.model.settings import BotSeat, OpenRoom, RequestedSettings
from service.domain.room.process import open_room
from service.domain.room.subjects.bots import bot_moves, may_resign, moves_at
from service.domain.room.subjects.matches import BOTS_ONLY_LIMIT, restart_at
from tests.domain.room.given_when_then import (
    ANNA,
    BEN,
    BOT,
    CLARA,
    FIRST,
    KEY,
    NOON,
    SECOND,
    THIRD,
    Given,
    bot_join,
    context,
    given,
    join,
    match_end_with,
    match_start,
    new_room,
)

BOT_2, BOT_3 = PlayerId("bot-2"), PlayerId("bot-3")
SOON = Millis(NOON + 400)

ALONE = given(new_room(), join(ANNA, 0))
"""Anna waits for an opponent."""


@pytest.fixture(autouse=True)
def all_levels(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every game have all levels, whichever levels its bots really have."""
    for slug, game in GAMES.items():
        monkeypatch.setitem(GAMES, slug, dataclasses.replace(game, choose=lambda *_: None))


def open_with(game: str, *seats: Any, **settings: Any) -> Given:
    """Return a room that Anna opens with these seats."""
    command = OpenRoom(game, settings=RequestedSettings(**settings), seats=seats)
    work = open_room(command, KEY.name, KEY.epoch, context(ANNA))
    assert work.room is not None
    return Given(work.room, work.recorded)


def kinds(room: Given) -> list[str]:
    """Return the types of all events of a room."""
    return [type(recorded.event).__name__ for recorded in room.history]


def test_the_creator_adds_a_bot() -> None:
    """It gets the lowest free seat, or the one that is named; its nickname contains its level."""
    ALONE.when(commands.AddBot("hard"), by=ANNA).then(*bot_join(1, BOT, "hard"))
    three = given(new_room("ternio"), join(ANNA, 0))
    three.when(commands.AddBot("easy", SECOND), by=ANNA).then(*bot_join(1))
    both = three.after(commands.AddBot("easy", THIRD), ANNA)
    both.when(commands.AddBot("medium"), by=ANNA).then(*bot_join(1, BOT_2, "medium"))


def test_a_bot_takes_no_name_that_looks_like_another() -> None:
    """Here a player has the name that the first bot would get."""
    named = given(new_room(), events.PlayerJoined(ANNA, "bot 1 (EASY)", "player"), events.SeatTaken(FIRST, ANNA))
    named.when(commands.AddBot("easy"), by=ANNA).then(*bot_join(1, BOT_2))


def test_a_bot_is_always_ready() -> None:
    """The match starts when the human players are ready."""
    with_bot = ALONE.after(commands.AddBot("easy"), ANNA)
    assert with_bot.table.status == "open"
    with_bot.when(commands.Ready(), by=ANNA).then(events.PlayerReadied(ANNA), match_start(ANNA, BOT))
    full = given(new_room(start="full"), join(ANNA, 0))
    full.when(commands.AddBot("easy"), by=ANNA).then(*bot_join(1), match_start(ANNA, BOT))


def test_the_creator_removes_a_bot() -> None:
    """A running match waits until a player or another bot takes the seat."""
    playing = ALONE.after(commands.AddBot("easy"), ANNA).after(commands.Ready(), ANNA)
    playing.when(commands.RemoveBot(SECOND), by=ANNA).then(events.SeatLeft(SECOND, BOT), events.PlayerLeft(BOT))
    gone = playing.after(commands.RemoveBot(SECOND), ANNA)
    assert gone.table.status == "playing"
    assert gone.after(commands.AddBot("hard"), ANNA).table.members[BOT].bot == "hard"
    assert gone.after(commands.Join(), BEN).table.seats == (ANNA, BEN)


def test_kicking_a_bot_removes_it() -> None:
    """At once, even during a match; the next bot may have the same name."""
    playing = ALONE.after(commands.AddBot("easy"), ANNA).after(commands.Ready(), ANNA)
    playing.when(commands.Kick(BOT), by=ANNA).then(events.SeatLeft(SECOND, BOT), events.PlayerLeft(BOT))
    again = playing.after(commands.Kick(BOT), ANNA).after(commands.AddBot("easy"), ANNA).table
    assert (again.seats, again.kicked) == ((ANNA, BOT), ())


def test_a_bot_takes_over_a_seat_during_a_match() -> None:
    """Ben leaves on his turn, so the bot's move is due at once."""
    playing = given(new_room(), join(ANNA, 0), join(BEN, 1), match_start(ANNA, BEN)).after(place("a1"), ANNA)
    taken_over = playing.after(commands.Leave(), BEN).after(commands.AddBot("easy"), ANNA)
    assert taken_over.due == Due(SOON, "bot")


def place(at: str) -> commands.Play:
    """Return the command that places a man or a disc."""
    return commands.Play({"type": "place", "at": at})


def test_a_room_can_be_opened_with_bots() -> None:
    """If no other human is needed the match starts at once."""
    solo = open_with("triboard", "me", BotSeat("easy"), BotSeat("hard"))
    assert solo.table.seats == (ANNA, BOT, BOT_2)
    assert solo.table.status == "playing"
    waiting = open_with("triboard", "me", BotSeat("easy"), None)
    assert waiting.table.status == "open"
    assert waiting.after(commands.Join(), BEN).after(commands.Ready(), BEN).table.status == "open"


def test_bots_can_play_among_themselves() -> None:
    """Their creator is a spectator; matches follow each other until the last human has left."""
    bots = open_with("morris", BotSeat("easy"), BotSeat("easy"))
    assert kinds(bots)[:2] == ["RoomOpened", "PlayerJoined"]
    assert bots.table.members[ANNA].role == "spectator"
    assert bots.table.status == "playing"
    with_spectator = bots.after(commands.Join(role="spectator"), CLARA).after(commands.Leave(), ANNA)
    assert with_spectator.table.creator == CLARA
    *_, voided, closed = with_spectator.after(commands.Leave(), CLARA).history
    assert (voided.event, closed.event) == (
        match_end_with(events.Result.void("closed")),
        events.RoomClosed("deserted"),
    )


def finished_room(**settings: Any) -> Given:
    """Return a room of bots whose first match has just ended: Anna played and resigned, then a bot took her seat."""
    sat_in = open_with("morris", "me", BotSeat("easy"), **settings).after(commands.Resign(), ANNA)
    return sat_in.after(commands.LeaveSeat(), ANNA)


def test_a_match_of_bots_only_restarts_automatically() -> None:
    """A bot filled the empty seat after a match, and the next match starts with it."""
    again = finished_room().after(commands.AddBot("easy"), ANNA)
    assert kinds(again)[-3:] == ["PlayerJoined", "SeatTaken", "MatchStarted"]


def test_without_a_restart_bots_wait_for_the_creator() -> None:
    """The creator sends `start`."""
    alone = open_with("morris", BotSeat("easy"), BotSeat("easy"), restart=None)
    match = alone.room.match
    assert match is not None
    ended = given(
        *(recorded.event for recorded in alone.history),
        *GAMES["morris"].drop(match.state, FIRST, "forfeited"),
        match_end_with(events.Result("forfeited", (2, 1), None, (SECOND,))),
    )
    assert ended.table.status == "finished"
    assert ended.due is None
    assert kinds(ended.after(commands.Start(), ANNA))[-2:] == ["StartCalled", "MatchStarted"]


def test_bots_stop_playing_when_no_human_has_sent_a_command_for_a_day() -> None:
    """The match that is running then is the last one."""
    for after, due_at in ((BOTS_ONLY_LIMIT - 1, NOON + BOTS_ONLY_LIMIT + 4999), (BOTS_ONLY_LIMIT, None)):
        bots = open_with("morris", BotSeat("easy"), BotSeat("easy"))
        lost = [*GAMES["morris"].drop(match_of(bots).state, FIRST, "forfeited")]
        ended = match_end_with(events.Result("forfeited", (2, 1), None, (SECOND,)))
        room = bots.room
        for event in (*lost, ended):
            version = Version(room.version + 1)
            room = evolve(room, Recorded(version, Millis(NOON + after), version, 1, None, event))
        assert restart_at(room) == due_at


def test_seats_rotate_with_bots() -> None:
    """Bots rotate like other players."""
    playing = open_with("morris", "me", BotSeat("easy"), seats_next="rotate")
    done = playing.after(commands.Resign(), ANNA)
    rotated = done.after(commands.Proceed(), None, Millis(NOON + 5000))
    assert match_of(rotated).players == (BOT, ANNA)
    assert rotated.due == Due(Millis(NOON + 5400), "bot")


def test_a_bot_that_loses_its_seat_leaves() -> None:
    """The creator assigns the seats without it."""
    with_bot = ALONE.after(commands.AddBot("easy"), ANNA)
    with_bot.when(commands.AssignSeats((None, ANNA)), by=ANNA).then(
        events.SeatsAssigned((None, ANNA)), events.PlayerLeft(BOT)
    )
    with_bot.when(commands.AssignSeats((BOT, ANNA)), by=ANNA).then(events.SeatsAssigned((BOT, ANNA)))


def test_a_bot_moves_after_its_pause() -> None:
    """It begins to choose when an easy move would be due, counted from the move before."""
    playing = open_with("morris", "me", BotSeat("easy"))
    assert playing.due is None
    assert playing.after(place("a1"), ANNA, Millis(NOON + 70)).due == Due(Millis(NOON + 470), "bot")
    hasty = open_with("morris", "me", BotSeat("easy"), bot_pause=0)
    assert hasty.after(place("a1"), ANNA, Millis(NOON + 70)).due == Due(Millis(NOON + 70), "bot")


@pytest.mark.parametrize(
    ("pause", "easy", "medium", "hard"),
    [(1000, 400, 1000, 2000), (500, 200, 500, 1000), (3000, 2400, 3000, 4000), (0, 0, 0, 0)],
)
def test_a_bot_takes_longer_for_a_hard_choice(pause: int, easy: int, medium: int, hard: int) -> None:
    """Between two fifths of its pause and twice as long, and never more than a second from it."""
    playing = open_with("morris", "me", BotSeat("easy"), bot_pause=pause).after(place("a1"), ANNA)
    match = match_of(playing)
    times = [moves_at(playing.room, match, SECOND, match.clocks.turns[1], how) - NOON for how in (0.0, 0.375, 1.0)]
    assert times == [easy, medium, hard]


def test_no_choice_takes_more_than_a_quarter_of_a_clock() -> None:
    """However hard it is."""
    playing = open_with("morris", "me", BotSeat("easy"), clock=PerMove(Millis(4000))).after(place("a1"), ANNA)
    match = match_of(playing)
    assert moves_at(playing.room, match, SECOND, match.clocks.turns[1], 1.0) == NOON + 1000


def test_a_bot_resigns_like_a_player() -> None:
    """In its turn only; the match ends, as Anna is the last one left."""
    playing = open_with("morris", "me", BotSeat("hard"))
    playing.when(commands.PlayFor(SECOND, None, playing.room.version), by=BOT).rejected("nothing_due")
    moved = playing.after(place("a1"), ANNA)
    [wanted] = bot_moves(moved.room)
    over = moved.after(commands.PlayFor(SECOND, None, wanted.version), BOT)
    assert (match_of(over).result.reason, match_of(over).result.winners) == ("resigned", (FIRST,))


def test_bots_resign_only_where_that_ends_the_match_for_a_person() -> None:
    """Not at the weakest level, not if the settings forbid it, not among bots, and not to two others."""
    assert may_resign(open_with("morris", "me", BotSeat("hard")).room, "hard")
    assert may_resign(open_with("morris", "me", BotSeat("hard"), bots_resign=True).room, "hard")
    assert not may_resign(open_with("morris", "me", BotSeat("easy")).room, "easy")
    assert not may_resign(open_with("morris", "me", BotSeat("hard"), bots_resign=False).room, "hard")
    assert not may_resign(open_with("morris", BotSeat("hard"), BotSeat("hard")).room, "hard")
    three = open_with("ternio", "me", None, BotSeat("hard")).after(commands.Join(), BEN).after(commands.Ready(), ANNA)
    three = three.after(commands.Ready(), BEN)
    assert not may_resign(three.room, "hard")
    assert may_resign(three.after(commands.Resign(), BEN).room, "hard")


def test_a_room_says_only_that_bots_do_not_resign() -> None:
    """A room in which they do stays readable by the release before."""
    for wish in (True, False):
        stored = msgspec.to_builtins(open_with("morris", "me", None, bots_resign=wish).table.settings)
        assert ("bots_resign" in stored) == (not wish)


def test_bots_do_not_pause_once_all_people_have_dropped_out() -> None:
    """Nobody waits for a chance to follow them; a match among bots only keeps its pauses."""
    alone = open_with("ternio", "me", BotSeat("easy"), BotSeat("easy"))
    resigned = alone.after(commands.Resign(), ANNA, Millis(NOON + 70))
    assert resigned.due == Due(Millis(NOON + 70), "bot")
    bots = open_with("ternio", BotSeat("easy"), BotSeat("easy"), BotSeat("easy"))
    assert bots.due == Due(SOON, "bot")


def test_a_bot_pauses_no_longer_than_its_clock_allows() -> None:
    """At most a quarter of its time."""
    playing = open_with("morris", "me", BotSeat("easy"), clock=PerMove(Millis(1000)))
    moved = playing.after(place("a1"), ANNA)
    assert moved.due == Due(Millis(NOON + 250), "bot")


def bots_move(room: Given, at: str, version: Version | None = None) -> commands.PlayFor:
    """Return the system command that places a man for the bot to move."""
    [wanted] = bot_moves(room.room)
    return commands.PlayFor(
        wanted.seat, place(at).move, wanted.version if version is None else type(wanted.version)(version)
    )


def test_the_service_makes_the_bots_move() -> None:
    """Once: a second worker's move is too late, and so is one computed for an earlier position."""
    playing = open_with("morris", "me", BotSeat("easy")).after(place("a1"), ANNA)
    bot_move = bots_move(playing, "g7")
    moved = playing.after(bot_move, BOT)
    assert moved.history[-1].by == BOT
    moved.when(bot_move, by=BOT).rejected("nothing_due")
    playing.when(bots_move(playing, "g7", Version(1)), by=BOT).rejected("nothing_due")
    playing.when(bots_move(playing, "a1"), by=BOT).rejected("occupied")


def test_a_computed_move_stays_valid_while_the_position_does_not_change() -> None:
    """A spectator joins while the bot's move is being computed."""
    playing = open_with("morris", "me", BotSeat("easy")).after(place("a1"), ANNA)
    bot_move = bots_move(playing, "g7")
    assert playing.after(commands.Join(role="spectator"), CLARA).after(bot_move, BOT).history[-1].by == BOT


def test_a_secret_selection_does_not_invalidate_a_computed_move() -> None:
    """Otherwise an opponent could keep the bot from moving by changing their selection again and again."""
    playing = open_with("turncoat", "me", BotSeat("easy"))
    [before] = bot_moves(playing.room)
    assert before.seat == SECOND
    later = Millis(NOON + 500)
    selected = playing.after(commands.Play({"type": "select", "at": "a1"}), ANNA, later)
    assert bot_moves(selected.room) == [before]
    [after] = bot_moves(selected.after(bot_selects(before.version), BOT, later).room)
    assert (after.version, after.at) == (selected.room.version + 1, later)


def bot_selects(version: Version, at: str = "b2") -> commands.PlayFor:
    """Return the system command that selects a square for the second seat."""
    return commands.PlayFor(SECOND, {"type": "select", "at": at}, version)


def test_a_bot_does_not_know_what_others_selected() -> None:
    """Its state is the fold of the events redacted for its seat, the same for two matches that differ in a secret."""
    playing = open_with("turncoat", "me", BotSeat("easy"))
    assert has_secrets(GAMES["turncoat"])
    states = []
    for square in ("a1", "h8"):
        selected = playing.after(commands.Play({"type": "select", "at": square}), ANNA)
        states.append(next(known_states(selected.room, match_of(selected), SECOND, history_of(selected))))
        assert square_known(selected, FIRST) == square
    assert states[0] == states[1]
    assert states[0].sides[0].selected
    assert states[0].sides[0].at is None


def test_a_bot_knows_the_states_at_its_earlier_turns() -> None:
    """Latest first, after the one that it is in, with what it knows; also in a game with secrets."""
    playing = open_with("morris", "me", BotSeat("easy"))
    expected: list[Any] = []
    for annas, bots in (("a7", "b2"), ("d7", "d2"), ("a1", "f2")):
        playing = playing.after(place(annas), ANNA)
        expected.insert(0, match_of(playing).state)
        if annas != "a1":
            playing = playing.after(bots_move(playing, bots), BOT)
    assert list(known_states(playing.room, match_of(playing), SECOND, ())) == expected
    rounds = open_with("turncoat", "me", BotSeat("easy"))
    first = match_of(rounds).state
    for seat, at in ((FIRST, "a1"), (SECOND, "b2")):
        by = ANNA if seat == FIRST else BOT
        for move in ({"type": "select", "at": at}, {"type": "commit"}):
            version = bot_moves(rounds.room)[0].version
            command = commands.PlayFor(seat, move, version) if seat else commands.Play(move)
            rounds = rounds.after(command, by)
    states = list(known_states(rounds.room, match_of(rounds), SECOND, history_of(rounds)))
    assert [state.round for state in states] == [2, 1]
    assert states[1] == first


def square_known(room: Given, seat: Seat) -> str | None:
    """Return which square of the first seat's selection a seat knows."""
    state = next(known_states(room.room, match_of(room), seat, history_of(room)))
    at: str | None = state.sides[0].at
    return at


def match_of(room: Given) -> Any:
    """Return the running match."""
    assert room.room.match is not None
    return room.room.match


def history_of(room: Given) -> list[Recorded]:
    """Return the events of the match."""
    return [recorded for recorded in room.history if recorded.version >= match_of(room).first]


@pytest.mark.parametrize("game", ["morris", "ternio", "triboard", "rainbow"])
def test_in_games_without_secrets_a_bot_knows_the_position(game: str) -> None:
    """The fold of the redacted events is the position."""
    seats = len(GAMES[game].seats(GAMES[game].options()))
    playing = open_with(game, *[BotSeat("easy")] * seats)
    assert not has_secrets(GAMES[game])
    assert next(known_states(playing.room, match_of(playing), FIRST, ())) == match_of(playing).state


def test_an_external_bot_is_a_player_like_others() -> None:
    """It is only marked as a bot; it has to send `ready`."""
    came = given(new_room(), join(ANNA, 0), events.PlayerJoined(BEN, "ben", "player", "external"))
    member = came.table.members[BEN]
    assert member.program
    assert member.bot is None
    assert not member.is_ready


def test_resigning_against_a_bot_lets_it_win() -> None:
    """It wins as any player would."""
    playing = open_with("morris", "me", BotSeat("easy"))
    over = playing.after(commands.Resign(), ANNA)
    assert match_of(over).result.winners == (SECOND,)
    assert over.due == Due(Millis(NOON + 5000), "restart")
