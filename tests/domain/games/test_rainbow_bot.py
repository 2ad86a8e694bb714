"""Tic-Tac-Rainbow's bot: it generates the legal moves, takes every win, gives none away, and proves correctly."""

import random
import sys
from collections.abc import Container, Iterator
from functools import reduce
from typing import Any

import pytest
from msgspec.structs import replace

from bench.arena.match_runner import play
from bench.arena.report import Score, ranking
from bench.arena.schedule import Plan, fixture
from service.domain.chance import Chance, DrawNumber
from service.domain.game import Budget, Seat, never
from service.domain.games.rainbow import GAME
from service.domain.games.rainbow.board import SPOT
from service.domain.games.rainbow.bot import choose, comes_back, exposure, threats
from service.domain.games.rainbow.model import COLOURS, Flip, Options, Place, Position, RainbowMove, Rolled
from service.domain.games.rainbow.proof import Node, Search
from service.domain.games.rainbow.table import MEMBERS, Act, Table, as_move
from service.domain.search.meter import Meter
from tests.domain.games.test_rainbow import EMPTY, parse_position, play_moves
from tests.domain.games.test_rainbow_endings import BACK_AND_FORTH, PLACEMENTS

FAMILIES: dict[str, Options] = {
    "plain": Options(),
    "hex": Options(grid="hex"),
    "misere": Options(misere=True),
    "rest 2": Options(rest=2),
    "rest 3": Options(rest=3),
    "dice": Options(dice=True),
    "three": Options(players=3),
    "three hex dice rest 3": Options(players=3, grid="hex", dice=True, rest=3),
    "three misere rest 2": Options(players=3, misere=True, rest=2),
    "misere dice": Options(misere=True, dice=True),
}
families = pytest.mark.parametrize("options", FAMILIES.values(), ids=FAMILIES)

FEW, MANY = 40, 1000
"""The number of positions per set of options: short and soak."""


def positions(options: Options, seed: int) -> Iterator[Position]:
    """Yield the positions of a match in which most moves are safe, and some only complete no line."""
    dice = random.Random(seed)  # noqa: S311 - the positions of the study
    state = after_roll(GAME.start(options), dice)
    while GAME.outcome(state) is None:
        yield state
        table = Table(state)
        acts = [act for act in table.acts(table.usable(state.turn, state.die)) if not table.makes_line(act)]
        if not acts:
            return
        tried = dice.sample(acts, min(len(acts), dice.choice((1, 30))))
        state = after_roll(after(state, as_move(min(tried, key=lambda act: exposure(table, act)))), dice)


def after_roll(state: Position, dice: random.Random) -> Position:
    """Return the state after the roll, where one is due."""
    return reduce(GAME.evolve, GAME.follow(state, Chance(dice.randbytes(32), (), DrawNumber(0))), state)


def after(state: Position, move: RainbowMove) -> Position:
    """Return the state after a move, before any roll."""
    return reduce(GAME.evolve, GAME.decide(state, state.turn, move), state)


def choose_move(state: Position, budget: Budget, seed: int = 0) -> RainbowMove:
    """Return the bot's move with the chance of this seed."""
    return choose(state, state.turn, Chance(seed.to_bytes(32, "big"), (), DrawNumber(0)), budget)


def sample_positions(options: Options, number: int) -> Iterator[Position]:
    """Yield a number of positions, about every third of each match."""
    dice, found, seed = random.Random(str(options)), 0, 0  # noqa: S311 - the positions of the study
    while True:
        for state in positions(options, seed):
            if dice.random() < 1 / 3:
                yield state
                found += 1
                if found == number:
                    return
        seed += 1


# Move generation


@families
def test_the_bot_generates_the_moves_and_lines_of_the_rules(options: Options) -> None:
    """Every legal move is generated and no other; a line is predicted; undoing a move restores everything."""
    compare_moves(options, FEW)


@families
def test_a_threat_is_a_peg_that_makes_a_line(options: Options) -> None:
    """Of the seat to move, by the rules without the roll of a die."""
    for state in sample_positions(options, FEW):
        calm = replace(state, options=replace(options, dice=False), die=None)
        lines = [move for move in GAME.legal_moves(calm, calm.turn) if makes_line(calm, move)]
        assert threats(state)[state.turn] == len({peg_of(calm, move) for move in lines})


def makes_line(state: Position, move: RainbowMove) -> bool:
    """Return whether a move ends the match with a line."""
    outcome = GAME.outcome(after(state, move))
    return outcome is not None and outcome.reason == "line"


def peg_of(state: Position, move: RainbowMove) -> str:
    """Return the name of the peg that a move uses."""
    if isinstance(move, Place):
        return move.peg
    face = state.cells[SPOT[move.at if isinstance(move, Flip) else move.from_]]
    assert face is not None
    return face.peg


@pytest.mark.soak
@pytest.mark.timeout(3600)
@families
def test_the_bot_generates_the_moves_and_lines_of_the_rules_at_many_positions(options: Options) -> None:
    """The same at a thousand positions: about a million moves over all sets of options."""
    sys.stderr.write(f"{compare_moves(options, MANY):,} acts compared\n")


def compare_moves(options: Options, count: int) -> int:
    """Compare the moves that the bot's table generates with those of the rules, and return how many there were."""
    compared = 0
    for state in sample_positions(options, count):
        seen = Table(state)
        acts = list(seen.acts(seen.usable(state.turn, state.die)))
        assert {as_move(act) for act in acts} == set(GAME.legal_moves(state, state.turn))
        makers = set()
        for act in acts:
            (event,) = GAME.decide(state, state.turn, as_move(act))
            assert seen.makes_line(act) == (getattr(event, "line", None) is not None)
            makers |= {act.peg} if seen.makes_line(act) else set()
            before, unchanged = contents(seen), seen.turn
            undo = seen.act(act)
            if not GAME.outcome(GAME.evolve(state, event)):
                assert contents(seen) == contents(Table(GAME.evolve(state, event)))
            seen.undo(unchanged, act, undo)
            assert contents(seen) == before
        usable = seen.usable(state.turn, state.die)
        assert makers == set(MEMBERS[seen.lining(state.turn, usable)])
        compared += len(acts)
    return compared


def contents(table: Table) -> list[Any]:
    """Return everything that changes on a table; the side of a peg in hand does not matter."""
    ups = [[up for up, spot in zip(*both, strict=True) if spot >= 0] for both in zip(table._up, table._at, strict=True)]
    return [
        list(table._shows),
        table._empty,
        ups,
        str(table._at),
        table._on_board.copy(),
        str(table._rests),
        table.turn,
    ]


# Wins in one move


def winning_moves(state: Position) -> list[RainbowMove]:
    """Return the moves with which the seat to move ends the match as its only winner."""
    outcomes = [(move, GAME.outcome(after(state, move))) for move in GAME.legal_moves(state, state.turn)]
    return [move for move, outcome in outcomes if outcome and outcome.winners == (state.turn,)]


def loses_at_once(state: Position, move: RainbowMove) -> bool:
    """Return whether a move ends the match without a win of its seat, or lets the next seat win at once."""
    then = after(state, move)
    outcome = GAME.outcome(then)
    if outcome:
        return state.turn not in outcome.winners
    rolls = [Rolled(then.turn, colour, DrawNumber(0)) for colour in COLOURS] if state.options.dice else []
    return any(winning_moves(start) for start in [GAME.evolve(then, roll) for roll in rolls] or [then])


def check_choice(state: Position) -> None:
    """Check that the bot's move misses no win, and gives none away that could be prevented."""
    move = choose_move(state, Budget("expert", nodes=300))
    winning = [] if state.options.misere and state.options.players == 2 else winning_moves(state)
    assert not winning or move in winning
    if not winning and loses_at_once(state, move):
        assert all(loses_at_once(state, other) for other in GAME.legal_moves(state, state.turn))


@families
def test_the_bot_misses_no_win_and_gives_none_away(options: Options) -> None:
    """A few positions of each set of options."""
    for state in sample_positions(options, FEW):
        check_choice(state)


@pytest.mark.soak
@pytest.mark.timeout(3600)
@families
def test_the_bot_misses_no_win_and_gives_none_away_over_a_thousand_positions(options: Options) -> None:
    """The requirement at full size."""
    for number, state in enumerate(sample_positions(options, MANY)):
        check_choice(state)
        sys.stderr.write(f"\r{number + 1} of {MANY} positions")
    sys.stderr.write("\n")


TWO_REDS_AND_ONE_UNDERNEATH = """
         .   .   .
     .   .   .   .   .
     .  1OR 2RV 1RV  .
     .   .   .   .   .
         .   .   .
"""


def test_a_win_is_taken_with_any_budget() -> None:
    """Turning 1OR over is the only move that completes a line here."""
    state = parse_position(TWO_REDS_AND_ONE_UNDERNEATH)
    for budget in (Budget("expert", nodes=0), Budget("expert", late=lambda: True)):
        assert {choose_move(state, budget, seed) for seed in range(12)} == {Flip("b3")}


def test_the_easy_bot_sometimes_misses_a_win() -> None:
    """But not always."""
    state = parse_position(TWO_REDS_AND_ONE_UNDERNEATH)
    assert 0 < [choose_move(state, Budget("easy"), seed) for seed in range(24)].count(Flip("b3")) < 24


def test_a_lost_bot_takes_an_available_draw() -> None:
    """Where every move allows a line, one that ends the match by a guard is played."""
    lost = [
        state
        for state in sample_positions(Options(rest=2), 250)
        if every_move_allows_a_line(Table(state)) and not winning_moves(state)
    ]
    guarded = [replace(state, options=Options(rest=2, quiet_limit=1)) for state in lost]
    drawing = [[move for move in GAME.legal_moves(state, state.turn) if ends_match(state, move)] for state in guarded]
    assert sum(map(bool, drawing)) >= 5
    for state, moves in zip(guarded, drawing, strict=True):
        assert not moves or choose_move(state, Budget("expert", nodes=300)) in moves


def ends_match(state: Position, move: RainbowMove) -> bool:
    """Return whether a move ends the match."""
    return GAME.outcome(after(state, move)) is not None


def every_move_allows_a_line(table: Table) -> bool:
    """Return whether each move of the seat to move lets the next seat complete a line."""
    return all(exposure(table, act) for act in table.acts(table.usable(table.turn)))


def test_a_move_that_repeats_a_position_is_recognised() -> None:
    """The fourth of four moves back and forth, and no other move."""
    state = play_moves(parse_position(EMPTY), *PLACEMENTS, *BACK_AND_FORTH[:3])
    seen = Table(state)
    back = [act for act in seen.acts(seen.usable(state.turn)) if comes_back(state, act)]
    assert list(map(as_move, back)) == [BACK_AND_FORTH[3]]


def test_the_bot_does_not_move_back_and_forth() -> None:
    """A move that leads back to a position of the match is rarely played."""
    others = 0
    for state in sample_positions(Options(), 20):
        seen = Table(state)
        acts = [act for act in seen.acts(seen.usable(state.turn)) if not exposure(seen, act)]
        if len(acts) > 1 and not winning_moves(state):
            first = search_best(state, acts, ())
            others += search_best(state, acts, {first.act}).act != first.act
    assert others > 5


def search_best(state: Position, acts: list[Act], stale: Container[Act]) -> Node:
    """Return the best move after a short search."""
    search = Search(Table(state), acts, stale, Meter(Budget("expert", nodes=300)))
    search.run()
    return search.best()


# Proofs


def proved_positions(options: Options) -> Iterator[tuple[Position, Search]]:
    """Yield positions without an immediate win in which the search has proved who wins."""
    for state in sample_positions(replace(options, repetition=False, quiet_limit=0), 30):
        seen = Table(state)
        acts = list(seen.acts(seen.usable(state.turn)))
        safe = [act for act in acts if not seen.makes_line(act) and not exposure(seen, act)]
        if safe and not any(map(seen.makes_line, acts)):
            search = Search(seen, safe, (), Meter(Budget("expert", 3000, never)))
            search.run()
            if search.root.solved:
                yield state, search


@pytest.mark.parametrize("options", [Options(rest=2), Options(grid="hex", rest=3)], ids=["rest 2", "hex rest 3"])
def test_a_proof_holds_against_every_reply(options: Options) -> None:
    """The rules confirm each position of the proof: no reply is missing, and each line of it ends."""
    proofs = list(proved_positions(options))
    assert len(proofs) >= 3
    for state, search in proofs:
        check_proof(state, search.root, me=state.turn)


def check_proof(state: Position, node: Node, me: Seat) -> None:
    """Check that a solved position is solved correctly."""
    assert not winning_moves(state), "a position of the search has no immediate win"
    moves = {as_move(child.act): child for child in node.children}
    winner = me if node.proof == 0 else Seat(1 - me)
    if state.turn == winner:
        move, child = next((move, child) for move, child in moves.items() if is_solved_for(child, winner, me))
        check_proof(after(state, move), child, me)
        return
    for move in GAME.legal_moves(state, state.turn):
        then = after(state, move)
        if move in moves:
            assert is_solved_for(moves[move], winner, me)
            check_proof(then, moves[move], me)
        else:
            assert winning_moves(then), "a reply that is not in the proof loses at once"


def is_solved_for(node: Node, winner: Seat, me: Seat) -> bool:
    """Return whether a position is proved to be won by this seat."""
    return node.proof == 0 if winner == me else node.disproof == 0


# Strength


def measure(one: str, other: str, matches: int, nodes: int) -> Score:
    """Return the score of the better of two players after matches against each other."""
    plan = Plan(game="rainbow", players=(one, other), options={}, seed=5, opening=0, nodes=nodes)
    return ranking([play(plan, fixture(plan, number)) for number in range(matches)])[0]


def test_the_expert_beats_a_careful_player_in_a_few_matches() -> None:
    """Four matches with few positions per move."""
    score = measure("expert", "careful", 4, 1500)
    assert score.player == "expert"
    assert score.score >= 3 / 4


def test_weak_bots_end_their_misere_matches() -> None:
    """They overlook own lines sometimes, in other matches never; most of six matches end by one."""
    plan = Plan(game="rainbow", players=("easy", "casual"), options={"misere": True}, seed=5, opening=0, nodes=10)
    ends = [play(plan, fixture(plan, number)).reason for number in range(6)]
    assert ends.count("line") >= 4


@pytest.mark.soak
@pytest.mark.timeout(7200)
def test_the_expert_wins_nine_of_ten_matches_against_a_careful_player() -> None:
    """The requirement at full size, with about a fifth of the positions that can be searched in a second."""
    score = measure("expert", "careful", 100, 4000)
    assert score.player == "expert"
    assert score.score >= 0.9
