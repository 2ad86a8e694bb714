"""Tournaments: who can enter, when rounds begin and end, and what becomes of those who do not come."""

from collections import Counter
from itertools import combinations

import pytest
from msgspec.structs import replace

from service.domain.game import Event, Rejected, Seat
from service.domain.ids import Epoch, Millis, NameRef, PlayerId, RoomKey, RoomName
from service.domain.room.model.clock import Days, Fischer, PerMove
from service.domain.streams import Change
from service.domain.tournaments import decide, rounds
from service.domain.tournaments.kind import TOURNAMENTS
from service.domain.tournaments.listing import TournamentChanged
from service.domain.tournaments.model import (
    BeginTournament,
    TableEnded,
    TournamentCreated,
    TournamentLeft,
    TournamentMatch,
    TournamentOver,
)
from service.domain.tournaments.pairings import BadPairing, Pairing, PairingRequest
from service.domain.tournaments.rounds import BREAK, LONGEST_WAIT, PAIR_EVERY, round_limit, rounds_of
from service.domain.tournaments.state import Table
from tests.domain.tournaments.hall import ORGANISER, START, Hall, player, terms

ANNA, BEN, CLARA = player(0), player(1), player(2)


def draw(table: Table) -> tuple[int, ...]:
    """Return the places of a drawn match."""
    return (1,) * len(table.players)


def stronger_wins(table: Table) -> tuple[int, ...]:
    """Return the places of a match in which the earlier registered players have the better places."""
    order = sorted(table.players)
    return tuple(order.index(each) + 1 for each in table.players)


def refused(action: object) -> str:
    """Return the code with which an action was refused."""
    with pytest.raises(Rejected) as rejected:
        action()  # type: ignore[operator]  # a function without arguments
    return rejected.value.code


# Entering


def test_players_register_until_the_start_and_late_ones_afterwards() -> None:
    """Late ones play from the next round on, without points for the rounds that they missed."""
    hall = Hall(terms())
    hall.enter(4)
    hall.begin()
    hall.register(PlayerId("p-late"))
    assert "p-late" not in {each for table in hall.running for each in table.players}
    hall.play_round()
    entry = hall.state.entries[PlayerId("p-late")]
    assert (entry.byes, entry.points) == (1, 2), "five players: the last one has a bye"


@pytest.mark.parametrize(
    ("played", "code"),
    [(terms(late_entry=False), "registration_closed"), (terms("round_robin"), "registration_closed")],
)
def test_late_entry_can_be_off_and_is_in_a_round_robin(played: object, code: str) -> None:
    """Nobody is admitted after the start."""
    hall = Hall(played)  # type: ignore[arg-type]  # terms
    hall.enter(4)
    hall.begin()
    assert refused(lambda: hall.register(PlayerId("p-late"))) == code


def test_nobody_enters_the_last_round_of_a_swiss_system() -> None:
    """There would be no match for them."""
    hall = Hall(terms(rounds=1))
    hall.enter(4)
    hall.begin()
    assert refused(lambda: hall.register(PlayerId("p-late"))) == "registration_closed"


def test_a_full_tournament_admits_nobody() -> None:
    """Until somebody leaves."""
    hall = Hall(terms(max_players=2))
    hall.register(ANNA, BEN)
    assert refused(lambda: hall.register(CLARA)) == "tournament_full"
    hall.fold(decide.withdraw(hall.state, BEN))
    hall.register(CLARA)
    assert list(hall.state.active) == [ANNA, CLARA]


def test_a_player_who_withdrew_can_come_back_after_many_have_come_and_gone() -> None:
    """As long as there is a place; a tournament admits twice as many players in all as at a time."""
    hall = Hall(terms("arena", max_players=2))
    hall.register(ANNA, BEN)
    hall.begin()
    for number in range(2, 4):
        hall.fold(decide.withdraw(hall.state, player(number - 2)))
        hall.register(player(number))
    hall.fold(decide.withdraw(hall.state, player(2)))
    assert refused(lambda: hall.register(player(4))) == "tournament_full"
    hall.register(ANNA)
    assert ANNA in hall.state.active


def test_programs_play_only_where_they_are_admitted() -> None:
    """By default they are not."""
    assert refused(lambda: Hall(terms()).register(ANNA, bot=True)) == "no_programs"
    hall = Hall(terms(bots=True))
    hall.register(ANNA, bot=True)
    assert hall.state.entries[ANNA].bot


def test_who_was_removed_cannot_come_back_and_who_withdrew_can() -> None:
    """Before the start and after it, with the points that they had; who has left can be removed as well."""
    hall = Hall(terms())
    hall.enter(5)
    hall.fold(decide.remove(hall.state, player(4)))
    assert refused(lambda: hall.register(player(4))) == "removed_from_tournament"
    hall.begin()
    hall.play_round(stronger_wins)
    hall.fold(decide.withdraw(hall.state, ANNA))
    hall.register(ANNA)
    assert hall.state.entries[ANNA].points == 2
    hall.fold(decide.withdraw(hall.state, ANNA))
    hall.fold(decide.remove(hall.state, ANNA))
    assert refused(lambda: hall.register(ANNA)) == "removed_from_tournament"
    assert decide.remove(hall.state, ANNA) == []
    assert refused(lambda: decide.remove(hall.state, PlayerId("p-nobody"))) == "not_registered"


def test_only_those_who_checked_in_play() -> None:
    """In the time before the start that the tournament sets; the others learn that they do not."""
    hall = Hall(terms(check_in=Millis(600_000)))
    hall.enter(4)
    assert refused(lambda: decide.check_in(hall.state, ANNA, hall.now)) == "no_check_in"
    hall.now = Millis(START - 600_000)
    for each in (ANNA, BEN, CLARA):
        hall.fold(decide.check_in(hall.state, each, hall.now))
    assert not decide.check_in(hall.state, ANNA, hall.now), "once is enough"
    hall.begin()
    assert list(hall.state.active) == [ANNA, BEN, CLARA]
    left = [each for each in hall.sent if isinstance(each.event, TournamentLeft)]
    assert [(each.to, each.event.reason) for each in left if isinstance(each.event, TournamentLeft)] == [
        (player(3), "not_checked_in")
    ]


def test_a_player_who_registers_during_the_check_in_is_checked_in() -> None:
    """No second command is needed; a player who registered earlier has to check in."""
    hall = Hall(terms(check_in=Millis(600_000)))
    hall.enter(2)
    hall.now = Millis(START - 600_000)
    hall.register(CLARA, player(3))
    hall.begin()
    assert (hall.state.status, set(hall.state.active)) == ("playing", {CLARA, player(3)})


def test_a_tournament_without_enough_players_is_cancelled() -> None:
    """At its start; those who registered learn it."""
    hall = Hall(terms(seats=3))
    hall.register(ANNA, BEN)
    hall.begin()
    assert (hall.state.status, hall.state.reason) == ("cancelled", "too_few_players")
    over = [(each.to, each.event) for each in hall.sent if isinstance(each.event, TournamentOver)]
    assert over == [(each, TournamentOver("friday", "Friday", "too_few_players")) for each in (ANNA, BEN)]
    assert refused(lambda: hall.register(CLARA)) == "tournament_over"


def test_the_organiser_begins_early_and_others_do_not() -> None:
    """With enough players; operators can do what organisers can."""
    hall = Hall(terms())
    hall.register(ANNA)

    def begin(by: PlayerId, *, operator: bool = False) -> list[Event]:
        return decide.decide(hall.state, BeginTournament(), by, hall.now, operator=operator)

    assert refused(lambda: begin(ORGANISER)) == "too_few_players"
    hall.register(BEN)
    assert refused(lambda: begin(ANNA)) == "not_the_organiser"
    assert begin(PlayerId("operator"), operator=True) == begin(ORGANISER)
    hall.fold(begin(ORGANISER))
    assert hall.state.status == "playing"


def test_a_command_whose_effect_is_reached_changes_nothing() -> None:
    """A client that got no answer can repeat it; one that can no longer have an effect is refused."""
    hall = Hall(terms())
    hall.register(ANNA, BEN, CLARA)
    assert not decide.register(hall.state, ANNA, NameRef("p-000/1"), 1500, hall.now, bot=False)
    hall.fold(decide.withdraw(hall.state, ANNA))
    assert not decide.withdraw(hall.state, ANNA)
    hall.fold(decide.remove(hall.state, BEN))
    assert not decide.remove(hall.state, BEN)
    assert refused(lambda: decide.remove(hall.state, player(9))) == "not_registered"
    hall.register(ANNA)
    hall.fold(decide.begin(hall.state, hall.now))
    assert not decide.begin(hall.state, hall.now)
    hall.fold(decide.cancel(hall.state, operator=False))
    assert not decide.cancel(hall.state, operator=False)
    for action in (
        lambda: decide.begin(hall.state, hall.now),
        lambda: decide.withdraw(hall.state, ANNA),
        lambda: decide.remove(hall.state, ANNA),
        lambda: hall.register(ANNA),
    ):
        assert refused(action) == "tournament_over"


# Playing


@pytest.mark.parametrize(("players", "rounds"), [(2, 1), (3, 3), (4, 3), (5, 5), (6, 5)])
def test_in_a_round_robin_everybody_meets_everybody(players: int, rounds: int) -> None:
    """Once, and with an odd number of players everybody has one bye."""
    hall = Hall(terms("round_robin"))
    hall.enter(players)
    hall.play()
    assert (hall.state.status, hall.state.round) == ("finished", rounds)
    met = Counter(frozenset(table.players) for table in hall.state.tables.values())
    assert met == {frozenset(pair): 1 for pair in combinations(hall.state.entries, 2)}
    assert {entry.byes for entry in hall.state.entries.values()} == {players % 2}


def test_the_opponent_of_a_withdrawn_player_has_a_bye_in_a_round_robin() -> None:
    """The other rounds stay as they are."""
    hall = Hall(terms("round_robin"))
    hall.enter(4)
    hall.begin()
    hall.fold(decide.withdraw(hall.state, player(3)))
    hall.play()
    met = {frozenset(table.players) for table in hall.state.tables.values() if table.round > 1}
    assert all(player(3) not in pair for pair in met)
    assert {frozenset(pair) for pair in combinations((ANNA, BEN, CLARA), 2)} - met <= {
        frozenset(table.players) for table in hall.state.tables.values() if table.round == 1
    }


def rows_after_leaving(round_number: int) -> dict[PlayerId, tuple[int, int, int]]:
    """Return points, played matches and wins of a round robin of six whose last player leaves during a round.

    The player who registered first wins, so the last player loses all matches.
    """
    hall = Hall(terms("round_robin"))
    hall.enter(6)
    hall.begin()
    while hall.state.round < round_number:
        hall.play_round(stronger_wins)
    hall.fold(decide.withdraw(hall.state, player(5)))
    hall.play(stronger_wins)
    return {row.player: (row.points, row.played, row.wins) for row in hall.state.standings}


def test_results_of_a_player_who_left_before_half_of_a_round_robin_do_not_count() -> None:
    """After two of five matches; nobody gains by having met the player early."""
    found = rows_after_leaving(2)
    assert [found[player(number)] for number in range(6)] == [
        (8, 4, 4),
        (6, 4, 3),
        (4, 4, 2),
        (2, 4, 1),
        (0, 4, 0),
        (0, 0, 0),
    ]


def test_the_remaining_matches_of_a_player_who_left_later_are_won_by_the_others() -> None:
    """After three of five matches; the two others count as won, and were not played."""
    found = rows_after_leaving(3)
    assert [(points, wins) for points, _, wins in found.values()] == [(10, 5), (8, 4), (6, 3), (4, 2), (2, 1), (0, 0)]
    assert sorted(played for _, played, _ in found.values()) == [3, 4, 4, 5, 5, 5]


def test_the_match_that_a_player_leaves_behind_counts_like_the_others() -> None:
    """It is played to the end, and decides about half of the matches as well."""
    hall = Hall(terms("round_robin"))
    hall.enter(4)
    hall.begin()
    hall.play_round(stronger_wins)
    hall.fold(decide.withdraw(hall.state, player(3)))
    assert sum(row.points for row in hall.state.standings) == 4
    hall.play(stronger_wins)
    assert [row.points for row in hall.state.standings] == [6, 4, 2, 0]


def test_matches_to_which_a_player_did_not_come_were_not_played() -> None:
    """Who never comes has no results, and neither have the opponents."""
    hall = Hall(terms("round_robin"))
    hall.enter(4)
    hall.begin()
    while hall.state.status == "playing":
        for table in hall.running:
            late = [seat for seat, each in enumerate(table.players) if each == player(3)]
            hall.end(table, stronger_wins(table), *late)
        hall.wait(rounds.BREAK)
    assert hall.state.entries[player(3)].left == "absent"
    assert [(row.points, row.played) for row in hall.state.standings] == [(4, 2), (2, 2), (0, 2), (0, 0)]


def test_the_byes_of_every_round_are_known() -> None:
    """Not only those of the latest round; an arena has none."""
    hall = Hall(terms("round_robin"))
    hall.enter(3)
    hall.play()
    byes = [hall.state.byes_in(number) for number in (1, 2, 3)]
    assert sorted(byes) == [(player(number),) for number in range(3)]
    assert hall.state.byes_in(4) == ()
    arena = Hall(terms("arena"))
    arena.enter(3)
    arena.begin()
    assert (len(arena.state.byes), arena.state.byes_in(1)) == (1, ())


def test_a_swiss_system_finds_the_best_and_repeats_no_match() -> None:
    """Three rounds for eight players."""
    hall = Hall(terms())
    hall.enter(8)
    hall.play(stronger_wins)
    assert (hall.state.status, hall.state.round, hall.state.rounds) == ("finished", 3, 3)
    best = hall.state.standings[0]
    assert (best.player, best.points, best.rank) == (ANNA, 6, 1)
    assert max(Counter(frozenset(table.players) for table in hall.state.tables.values()).values()) == 1


def test_a_swiss_system_of_three_gives_points_by_places() -> None:
    """Two points, one and none; here in halves."""
    hall = Hall(terms(seats=3, rounds=1))
    hall.enter(3)
    hall.play(stronger_wins)
    assert [(row.player, row.points) for row in hall.state.standings] == [(ANNA, 4), (BEN, 2), (CLARA, 0)]


def test_the_points_of_the_fold_are_those_of_the_standings() -> None:
    """With draws, byes and late entries."""
    hall = Hall(terms())
    hall.enter(7)
    hall.begin()
    hall.play_round(draw)
    hall.register(PlayerId("p-late"))
    hall.play(stronger_wins)
    points = {row.player: row.points for row in hall.state.standings}
    assert points == {entry.player: entry.points for entry in hall.state.entries.values()}


def test_a_round_begins_a_while_after_the_one_before() -> None:
    """So that players see the results; not before the last match has ended."""
    hall = Hall(terms())
    hall.enter(4)
    hall.begin()
    first, second = hall.running
    hall.end(first, (1, 2))
    assert rounds.due(hall.state) == second.deadline
    hall.end(second, (1, 2))
    assert rounds.due(hall.state) == hall.now + BREAK
    hall.wait(BREAK - 1)
    assert hall.state.round == 1
    hall.wait(1)
    assert hall.state.round == 2


def test_a_result_counts_once() -> None:
    """Rooms may report it again."""
    hall = Hall(terms())
    hall.enter(2)
    hall.begin()
    [table] = hall.running
    hall.end(table, (2, 1))
    version = len(hall.records)
    hall.end(table, (2, 1))
    assert len(hall.records) == version
    twice = [Change(TableEnded(table.number, "m", (1, 2)))] * 2
    assert not rounds.receive(hall.state, twice)


def test_a_pairing_for_another_state_begins_no_round() -> None:
    """Another worker was faster, or a player has left."""
    hall = Hall(terms())
    hall.enter(4)
    hall.now = START
    hall.fold(rounds.advance(hall.state, hall.now))
    request = rounds.pairing_request(hall.state, hall.now)
    assert request is not None
    pairing = Pairing(((ANNA, BEN), (CLARA, player(3))), ())
    left = replace(hall.state, entries={**hall.state.entries, ANNA: replace(hall.state.entries[ANNA], left="withdrew")})
    assert not rounds.pair(left, request, pairing, hall.now)
    hall.fold(rounds.pair(hall.state, request, pairing, hall.now))
    assert not rounds.pair(hall.state, request, pairing, hall.now)


def test_a_pairing_that_breaks_the_rules_is_refused() -> None:
    """Whatever computed it."""
    hall = Hall(terms(), lambda request: Pairing(((ANNA, BEN),), ()))  # noqa: ARG005 - the same for every request
    hall.enter(4)
    with pytest.raises(BadPairing):
        hall.begin()


def test_who_does_not_come_twice_in_a_row_is_withdrawn() -> None:
    """Not for one absence, and not for two with a match between them."""
    hall = Hall(terms())
    hall.enter(8)
    hall.begin()

    def play_without_anna(*, comes: bool) -> None:
        for table in hall.running:
            if ANNA in table.players:
                seat = table.players.index(ANNA)
                hall.end(table, (2, 1) if seat == 0 else (1, 2), *(() if comes else (seat,)))
            else:
                hall.end(table, stronger_wins(table))
        hall.wait(BREAK)

    play_without_anna(comes=False)
    play_without_anna(comes=True)
    play_without_anna(comes=False)
    assert ANNA in hall.state.active
    other = Hall(terms())
    other.enter(8)
    hall = other
    hall.begin()
    play_without_anna(comes=False)
    play_without_anna(comes=False)
    assert hall.state.entries[ANNA].left == "absent"
    assert TournamentLeft("friday", "Friday", "absent") in [each.event for each in hall.sent if each.to == ANNA]


def test_an_absence_is_not_forgotten_because_the_opponent_is_absent_too() -> None:
    """A match in which a player had no reason to move does not show that the player was there."""
    hall = Hall(terms())
    hall.enter(8)
    hall.begin()
    for is_due in (True, False, True):
        for table in hall.running:
            if ANNA not in table.players:
                hall.end(table, stronger_wins(table))
                continue
            anna = Seat(table.players.index(ANNA))
            other = Seat(1 - anna)
            late, idle = (anna, other) if is_due else (other, anna)
            places = (2, 1) if late == 0 else (1, 2)
            ended = TableEnded(table.number, f"match-{table.number}", places, (late,), (idle,))
            hall.fold([change.event for change in rounds.receive(hall.state, [Change(ended)])])
        hall.wait(BREAK)
    assert hall.state.entries[ANNA].left == "absent"


def test_a_cancelled_tournament_drops_the_matches_that_have_not_begun() -> None:
    """Nobody opens their rooms; matches that have begun go on, and their results count."""
    hall = Hall(terms())
    hall.enter(4)
    hall.now = START
    hall.fold(rounds.advance(hall.state, hall.now))
    request = rounds.pairing_request(hall.state, hall.now)
    assert request is not None
    hall.fold(rounds.pair(hall.state, request, Pairing(((ANNA, BEN), (CLARA, player(3))), ()), hall.now))
    key = RoomKey(RoomName("room-1"), Epoch("e"))
    hall.fold(rounds.opened(hall.state, 1, key))
    hall.fold(decide.cancel(hall.state, operator=False))
    assert [table.number for table in hall.running] == list(hall.state.tables) == [1]
    assert {entry.player: entry.table for entry in hall.state.entries.values()} == {
        ANNA: 1,
        BEN: 1,
        CLARA: 0,
        player(3): 0,
    }
    assert not rounds.opened(hall.state, 2, key), "a worker was about to open it"
    hall.end(hall.running[0], (1, 2))
    assert hall.state.entries[ANNA].points == 2


def test_a_match_that_takes_too_long_is_overdue() -> None:
    """A round gives more time than the clocks of ordinary matches."""
    hall = Hall(terms())
    hall.enter(2)
    hall.begin()
    [table] = hall.running
    assert table.deadline == hall.now + 2 * (180_000 + 120 * 2_000)
    assert not rounds.overdue(hall.state, Millis(table.deadline - 1))
    assert rounds.overdue(hall.state, table.deadline) == [table]
    assert rounds.due(hall.state) == table.deadline


def test_a_round_gives_ten_minutes_to_six_hours() -> None:
    """Whatever the clock."""
    assert round_limit(PerMove(Millis(100)), 2) == 600_000
    assert round_limit(Fischer(Millis(86_400_000)), 3) == 6 * 3_600_000
    assert round_limit(Days(1), 2) == 6 * 3_600_000


@pytest.mark.parametrize(
    ("players", "seats", "asked", "rounds"),
    [
        *(
            (2, 2, None, 1),
            (3, 2, None, 3),
            (8, 2, None, 3),
            (9, 2, None, 4),
            (512, 2, None, 9),
            (4, 2, 31, 3),
            (8, 2, 2, 2),
        ),
        *((3, 3, None, 1), (9, 3, None, 4), (512, 3, None, 9), (9, 3, 2, 2)),
    ],
)
def test_the_number_of_rounds_of_a_swiss_system(players: int, seats: int, asked: int | None, rounds: int) -> None:
    """As many as find a winner, three at least, and no more than there are opponents."""
    assert rounds_of(terms(seats=seats, rounds=asked, late_entry=False), players) == rounds
    assert rounds_of(terms(seats=seats, rounds=asked), players) == (asked or rounds)


@pytest.mark.parametrize(("late", "last"), [(False, 3), (True, 5)])
def test_late_players_make_more_rounds_possible(late: bool, last: int) -> None:  # noqa: FBT001 - a parameter
    """Up to the number that the organiser has chosen; without them the tournament ends when all have met."""
    hall = Hall(terms(rounds=7))
    hall.enter(4)
    hall.begin()
    hall.play_round()
    if late:
        hall.register(PlayerId("p-late"))
    hall.play()
    assert (hall.state.status, hall.state.round) == ("finished", last)


def test_players_learn_where_their_matches_are() -> None:
    """As soon as the room is open, and the list learns how far the tournament is."""
    hall = Hall(terms())
    hall.register(ANNA, BEN)
    hall.begin()
    [table] = hall.running
    sent = {each.to: each.event for each in hall.sent if isinstance(each.event, TournamentMatch)}
    assert set(sent) == {ANNA, BEN}
    match = sent[table.players[1]]
    assert isinstance(match, TournamentMatch)
    assert (match.room, match.seat, match.round) == ("room-1", 1, 1)
    listed = [each.event.listed for each in hall.sent if isinstance(each.event, TournamentChanged)]
    assert [(each.status, each.players, each.round) for each in listed] == [
        ("registration", 1, 0),
        ("registration", 2, 0),
        ("playing", 2, 0),
        ("playing", 2, 1),
    ]


# Arenas


@pytest.mark.parametrize(("late_entry", "status"), [(False, "finished"), (True, "playing")])
def test_an_arena_without_enough_players_ends_unless_others_may_enter(late_entry: bool, status: str) -> None:  # noqa: FBT001 - a parameter
    """Nobody can play, and nobody can come; otherwise somebody may until its time is up."""
    hall = Hall(terms("arena", late_entry=late_entry))
    hall.enter(3)
    hall.begin()
    for number in range(2):
        hall.fold(decide.withdraw(hall.state, player(number)))
    [table] = hall.running
    hall.end(table, (1, 2))
    due = rounds.due(hall.state)
    assert due is not None
    assert (due <= hall.now) == (status == "finished")
    hall.work()
    assert hall.state.status == status


def test_in_an_arena_players_are_paired_as_they_become_free_until_time_is_up() -> None:
    """Every few seconds; matches that have begun are played to their ends."""
    hall = Hall(terms("arena", duration=Millis(600_000)))
    hall.enter(4)
    hall.begin()
    assert len(hall.running) == 2
    first, second = hall.running
    hall.end(first, (1, 2))
    hall.wait(PAIR_EVERY)
    assert hall.running == [second], "those who are free have just met"
    hall.end(second, (1, 2))
    hall.wait(PAIR_EVERY)
    assert len(hall.running) == 2
    hall.wait(600_000)
    assert hall.state.status == "playing"
    for table in hall.running:
        hall.end(table, (1, 2))
    hall.wait(PAIR_EVERY)
    assert (hall.state.status, len(hall.state.tables)) == ("finished", 4)
    assert {entry.byes for entry in hall.state.entries.values()} == {0}


def test_two_players_of_an_arena_play_again_and_again() -> None:
    """Because nobody else is there."""
    hall = Hall(terms("arena", duration=Millis(600_000)))
    hall.enter(2)
    hall.begin()
    for _ in range(3):
        [table] = hall.running
        hall.end(table, (1, 2))
        hall.wait(PAIR_EVERY)
    assert len(hall.state.tables) == 4
    third = Hall(terms("arena"))
    third.enter(4)
    third.begin()
    one, _ = third.running
    third.end(one, (1, 2))
    third.wait(PAIR_EVERY)
    assert len(third.running) == 1
    third.wait(LONGEST_WAIT)
    assert len(third.running) == 2, "they have waited for a minute while the other match goes on"


def test_an_arena_without_enough_players_ends_when_its_time_is_up() -> None:
    """Others may come until then."""
    hall = Hall(terms("arena", duration=Millis(600_000)))
    hall.enter(2)
    hall.begin()
    [table] = hall.running
    hall.fold(decide.withdraw(hall.state, ANNA))
    hall.end(table, (1, 2))
    hall.wait(PAIR_EVERY)
    assert rounds.due(hall.state) == START + 600_000
    hall.register(CLARA)
    hall.wait(PAIR_EVERY)
    assert [set(table.players) for table in hall.running] == [{BEN, CLARA}]


# Streams


@pytest.mark.parametrize("form", ["swiss", "round_robin", "arena"])
def test_the_stored_state_continues_like_the_fold(form: str) -> None:
    """Snapshots restore everything that decisions need."""
    import msgspec  # noqa: PLC0415 - only here

    hall = Hall(terms(form))  # type: ignore[arg-type]  # a format
    hall.enter(5)
    hall.begin()
    hall.play_round()
    kept = TOURNAMENTS.snapshots
    assert kept is not None
    restored = kept.unpack(msgspec.json.decode(msgspec.json.encode(kept.pack(hall.state)), type=kept.stored))
    assert restored == hall.state
    assert rounds.due(restored) == rounds.due(hall.state)


def test_a_tournament_begins_once() -> None:
    """The list delivers its beginning, and so may the process that created it."""
    hall = Hall(terms())
    again = TournamentCreated(terms(), ORGANISER, NameRef(""), "other")
    assert not decide.create(hall.state, again)
    assert not rounds.receive(hall.state, [Change(again)])


def test_a_request_is_for_those_who_take_part() -> None:
    """In a round robin of two for all, those who left marked."""
    hall = Hall(terms("round_robin"))
    hall.enter(4)
    hall.begin()
    hall.fold(decide.withdraw(hall.state, ANNA))
    for table in hall.running:
        hall.end(table, (1, 2))
    request = rounds.pairing_request(hall.state, Millis(hall.now + BREAK))
    assert isinstance(request, PairingRequest)
    assert [(each.player, each.is_out) for each in request.entrants][:2] == [(ANNA, True), (BEN, False)]
