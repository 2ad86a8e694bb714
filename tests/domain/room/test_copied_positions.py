"""Rooms that are opened from a position of a match: play continues as it would have in the match itself."""

import random
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from service.domain.catalog import GAMES
from service.domain.game import Rejected, Seat
from service.domain.ids import Epoch, RoomName, Version
from service.domain.notation.positions import MatchPositions
from service.domain.notation.reading import read_export, read_text
from service.domain.notation.sheet import Unreadable, heading, sheet_of
from service.domain.ratings.eligible import match_to_rate
from service.domain.room.evolve import evolve, fold, known_states
from service.domain.room.model import commands, events
from service.domain.room.model.clock import PerMove
from service.domain.room.model.events import MatchStarted
from service.domain.room.model.settings import BotSeat, CopiedPosition, OpenAtPosition, RequestedSettings, SeatChoice
from service.domain.room.model.state import Match, Room
from service.domain.room.process import open_room
from service.domain.room.subjects.matches import copy_position
from service.domain.validation import Invalid
from service.programs.replay.checking import checks
from service.programs.replay.watching import frames, from_events, from_sheet
from service.rooms.kind import room_of, stored_room
from service.rooms.match_index import is_standard
from tests.domain.room.given_when_then import ANNA, BEN, FIRST, KEY, SECOND, Given, context
from tests.domain.test_notation_takebacks import match_of, play_with_takebacks, start_match
from tests.laws.sheets import text

CASES = [(game, seed) for game in GAMES for seed in range(4)]
PLIES = 40
"""How many plies are played on from a position; Turncoat then has at least twenty rounds."""


def playing(room: Given) -> Match:
    """Return the room's running match."""
    match = room.room.playing
    assert match is not None
    return match


def command_of(move: Any, seat: Seat) -> commands.Play:
    """Return the command that makes a move."""
    return commands.Play(msgspec.to_builtins(move), seat)


def play_on(rooms: list[Given], dice: random.Random, plies: int) -> list[Given]:
    """Make the same random moves in rooms whose matches are in the same position, and compare them after each."""
    for _ in range(plies):
        match = rooms[0].room.playing
        if match is None:
            break
        for seat in match.to_move:
            moves = [list(match.game.legal_moves(playing(room).state, seat)) for room in rooms]
            assert all(each == moves[0] for each in moves)
            move = dice.choice(moves[0])
            rooms = [room.after(command_of(move, seat), ANNA) for room in rooms]
            if match.game.simultaneous:
                rooms = [room.after(commands.Play({"type": "commit"}, seat), ANNA) for room in rooms]
        ended = [room.room.match for room in rooms]
        assert all(each and ended[0] and each.state == ended[0].state for each in ended)
        assert all(each and ended[0] and each.result == ended[0].result for each in ended)
    return rooms


def position_of(room: Given, version: Version | None = None, number: int = 1) -> CopiedPosition:
    """Return a copy of a position of a match, by default of the latest one."""
    at = room.room.version if version is None else version
    own = [recorded for recorded in room.history if recorded.match == number and recorded.command <= at]
    return copy_position(own, at)


def room_from(position: CopiedPosition, *seats: SeatChoice, seed: bytes = b"\5" * 32, **settings: Any) -> Given:
    """Return a new room from a position, in which Anna has all seats unless `seats` says otherwise."""
    game = GAMES[game_of(position)]
    count = len(game.seats(msgspec.convert(position.options, game.options)))
    chosen = RequestedSettings(hot_seat=not seats, restart=None, **settings)
    anna: SeatChoice = "me"
    wanted = seats or (anna,) * count
    request = OpenAtPosition(game.slug, options=position.options, settings=chosen, seats=wanted, position=position)
    work = open_room(request, RoomName("from-here"), Epoch("e2"), context(ANNA, seed=seed))
    return Given(work.room, work.recorded)


def game_of(position: CopiedPosition) -> str:
    """Return the game whose options a position has; no two games have the same ones."""
    names = {slug: set(msgspec.to_builtins(game.options())) for slug, game in GAMES.items()}
    return next(slug for slug, options in names.items() if options == set(position.options))


def played(game: str, dice: random.Random, plies: int) -> Given:
    """Return a room in which a match has had some plies, with takebacks where they are possible."""
    room = start_match(game, {})
    for _ in range(plies):
        match = room.room.playing
        if match is None:
            break
        if match.turns and dice.random() < 0.2:
            room = room.after(commands.RequestTakeback(), ANNA)
        else:
            [room] = play_on([room], dice, 1)
    return room


@pytest.mark.parametrize(("game", "seed"), CASES, ids=str)
def test_play_continues_as_it_would_have_in_the_match(game: str, seed: int) -> None:
    """From every random position of a random match: the same legal moves, states and result under the same moves."""
    dice = random.Random(seed)  # noqa: S311 - which match is played
    room = played(game, dice, dice.randrange(30))
    while room.room.playing is None:
        room = played(game, dice, dice.randrange(12))
    copy = room_from(position_of(room))
    match = playing(copy)
    assert (match.state, match.to_move, match.dropped) == (playing(room).state, playing(room).to_move, {})
    assert (match.players, match.seed != playing(room).seed, match.next_draw) == ((ANNA,) * len(match.players), True, 0)
    play_on([room, copy], dice, PLIES)


@pytest.mark.parametrize(("game", "seed"), [(game, seed) for game in GAMES for seed in range(2)], ids=str)
def test_every_position_of_a_finished_match_is_the_one_that_its_analysis_shows(game: str, seed: int) -> None:
    """With takebacks and drop-outs; only a position in which the match was over cannot be played on."""
    room = finished(game, seed)
    own = [recorded for recorded in room.history if recorded.match == 1]
    before = fold_to(room, Version(own[0].version - 1))
    found = MatchPositions(before)
    found.add(own)
    positions = list(found.all())
    for shown in positions:
        if GAMES[game].outcome(shown.state) is not None:
            with pytest.raises(Rejected, match="position_over"):
                position_of(room, shown.version)
            continue
        match = room_from(position_of(room, shown.version)).room.match
        assert match is not None
        assert (match.state, match.game.to_move(match.state)) == (shown.state, match.game.to_move(shown.state))
        assert set(match.dropped) == dropped_in(match)
    assert len(positions) > 5


def finished(game: str, seed: int) -> Given:
    """Return a room whose match has ended."""
    dice = random.Random(seed)  # noqa: S311 - which match is played
    if GAMES[game].simultaneous:
        return played(game, dice, 12).after(commands.Resign(SECOND), ANNA)
    return play_with_takebacks(start_match(game), dice)


def fold_to(room: Given, version: Version) -> Room:
    """Return a room as it was at a version."""
    first, *more = room.history
    return fold(evolve(None, first), (recorded for recorded in more if recorded.version <= version))


def result_of(room: Given) -> events.Result | None:
    """Return the result of a room's latest match."""
    return room.room.match.result if room.room.match else None


def dropped_in(match: Match) -> set[Seat]:
    """Return which seats have dropped out according to the game's state."""
    return set(getattr(match.state, "dropped", ()) or ())


def test_selections_that_were_not_revealed_are_not_copied() -> None:
    """Neither the square nor that one was selected and committed; nobody who plays on from there learns them."""
    room = start_match("turncoat", {})
    [room] = play_on([room], random.Random(1), 2)  # noqa: S311 - which match is played
    revealed = playing(room).state
    room = room.after(commands.Play({"type": "select", "at": "c3"}, FIRST), ANNA)
    room = room.after(commands.Play({"type": "commit"}, FIRST), ANNA)
    position = position_of(room)
    assert {event["type"] for event in position.events} == {"laid_out", "turned", "round_begun"}
    assert playing(room_from(position)).state == revealed != playing(room).state


def test_a_version_within_a_command_is_the_position_after_it() -> None:
    """A round of Turncoat is revealed in several events; in between there is no position to play."""
    room = start_match("turncoat", {})
    before = room.room.version
    [room] = play_on([room], random.Random(2), 1)  # noqa: S311 - which match is played
    [*within, after] = [recorded.version for recorded in room.history if recorded.version > before + 3]
    assert len(within) == len(("committed", "turned", "turned", "turned", "turned"))
    assert all(position_of(room, version).events == position_of(room, after).events for version in within)


def test_the_matches_of_a_room_begin_at_its_position() -> None:
    """Also the next one and a restarted one; not with other options, and never if they are rated."""
    position = position_of(played("morris", random.Random(3), 9))  # noqa: S311 - which match is played
    room = room_from(position)
    begun = playing(room).state
    for command in (commands.RequestNew(), commands.RequestRestart()):
        room = play_on([room], random.Random(4), 2)[0].after(command, ANNA)  # noqa: S311 - the same
        assert playing(room).state == begun
    assert [recorded.event.position for recorded in room.history if isinstance(recorded.event, MatchStarted)] == [
        position
    ] * 3
    other = room.after(commands.Configure(options={"flying": "off"}), ANNA).after(commands.RequestNew(), ANNA)
    assert playing(other).state == GAMES["morris"].start(playing(other).options)
    with pytest.raises(Invalid, match="not rated") as refused:
        room_from(position, "me", None, clock=PerMove(5000), rated=True)  # type: ignore[arg-type]  # milliseconds
    assert refused.value.pointer == "/settings/rated"


def test_a_room_that_becomes_rated_leaves_its_position() -> None:
    """Its matches then begin as all rated ones do."""
    position = position_of(played("morris", random.Random(3), 9))  # noqa: S311 - which match is played
    room = room_from(position, "me", None)
    settings = {"rated": True, "clock": {"type": "per_move", "ms": 60_000}}
    room = room.after(commands.Configure(settings=settings), ANNA).after(commands.Join(), BEN)
    for player in (ANNA, BEN):
        room = room.after(commands.Ready(), player)
    assert playing(room).state == GAMES["morris"].start(playing(room).options)


def test_the_seats_are_empty_but_the_creators_until_somebody_joins() -> None:
    """Then the match begins at the position."""
    source = played("ternio", random.Random(5), 7)  # noqa: S311 - which match is played
    room = room_from(position_of(source), None, "me", None, start="full")
    assert (room.table.seats, room.room.match) == ((None, ANNA, None), None)
    room = room.after(commands.Join(), BEN)
    assert room.room.playing is None
    room = room.after(commands.AddBot("easy", Seat(2)), ANNA)
    assert playing(room).state == playing(source).state


def test_nothing_before_the_position_can_be_taken_back() -> None:
    """A takeback returns to the position, and nobody counts as having moved before."""
    room = room_from(position_of(played("morris", random.Random(6), 8)))  # noqa: S311 - which match is played
    begun = playing(room)
    assert (begun.turns, begun.moved_seats, begun.takebacks) == (type(begun.turns)(), set(), 0)
    with pytest.raises(Rejected, match="nothing_to_take_back"):
        room.after(commands.RequestTakeback(), ANNA)
    [room] = play_on([room], random.Random(7), 1)  # noqa: S311 - the same
    room = room.after(commands.RequestTakeback(), ANNA)
    assert playing(room).state == begun.state
    assert list(playing(room).events) == list(begun.events)


def test_a_match_from_a_position_of_a_match_from_a_position() -> None:
    """It has the events of both."""
    room = played("rainbow", random.Random(8), 4)  # noqa: S311 - which match is played
    [again] = play_on([room_from(position_of(room))], random.Random(9), 4)  # noqa: S311 - the same
    copy = room_from(position_of(again))
    assert playing(copy).state == playing(again).state
    assert position_of(copy).events == position_of(again).events


def test_a_match_from_a_position_counts_for_nothing() -> None:
    """Neither for the rating against bots, nor as a notable match."""
    position = position_of(played("morris", random.Random(3), 8))  # noqa: S311 - which match is played
    room = room_from(position, "me", BotSeat("easy"), clock=PerMove(60_000), hints="off")  # type: ignore[arg-type]  # milliseconds
    match = playing(room)
    assert not is_standard(match)
    for _ in range(4):
        [seat] = playing(room).to_move
        move = next(iter(match.game.legal_moves(playing(room).state, seat)))
        room = room.after(command_of(move, seat), room.table.seats[seat])
    ended = room.after(commands.Resign(), ANNA)
    own_layout = replace(playing(room), layout=None)
    for rated, begun in ((False, playing(room)), (True, own_layout)):
        before, after = (
            replace(room.room, match=begun),
            replace(ended.room, match=replace(begun, result=result_of(ended))),
        )
        assert (match_to_rate(before, after, ended.history[-2:]) is not None) is rated


@pytest.mark.parametrize("game", GAMES)
def test_it_is_stored_exported_and_verified_as_any_other_match(game: str) -> None:
    """Snapshots, what a seat knows, the text, the export, and the replay of both contain the position."""
    earlier = played(game, random.Random(10), 3)  # noqa: S311 - which match is played
    [room] = play_on([room_from(position_of(earlier))], random.Random(11), 1)  # noqa: S311 - the same
    assert room_of(stored_room(room.room)).match == room.room.match
    own = [recorded for recorded in room.history if recorded.match == 1]
    assert next(known_states(room.room, playing(room), FIRST, own)) == playing(room).state
    ended = room.after(commands.OfferDraw(), ANNA)
    record, exported = match_of(ended)
    sheet = sheet_of(record)
    written = text(heading(record, [None] * len(record.colours)), record.events)
    assert read_text(written) == sheet_of(read_export(exported)) == sheet
    for source in (None, read_export(exported)):
        assert [check.holds for check in checks(sheet, source)] == [True] * 4
    assert ended.room.match is not None
    last = ended.room.game.notation.draw(ended.room.game.view(ended.room.match.state, None))
    for shown in (from_events(record), from_sheet(sheet)):
        assert list(frames(shown))[-1].board == last


def test_events_that_do_not_lead_to_a_position_are_no_match() -> None:
    """In a text, and in an export: they name what is wrong."""
    [room] = play_on([room_from(position_of(played("morris", random.Random(10), 6)))], random.Random(11), 3)  # noqa: S311 - which match is played
    record, exported = match_of(room.after(commands.OfferDraw(), ANNA))
    written = text(heading(record, [None] * len(record.colours)), record.events)
    for wrong in ('"at":"a2"', '"at":7'):
        for read, source in ((read_text, written), (read_export, exported.decode())):
            first = source.index('"at":')
            changed = source[:first] + wrong + source[source.index(",", first) :]
            with pytest.raises(Unreadable, match=r"position|/at"):
                read(changed.encode() if read is read_export else changed)  # type: ignore[arg-type]  # as each expects


def test_the_room_that_is_named_is_the_one_of_the_match() -> None:
    """The copy names its match and version, in whatever room it is."""
    room = played("morris", random.Random(1), 4)  # noqa: S311 - which match is played
    position = position_of(room)
    assert (position.match, position.version) == (f"{KEY.name}.{KEY.epoch}.1", room.room.version)
    assert position.options == msgspec.to_builtins(playing(room).options)
