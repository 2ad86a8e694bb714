"""Tic-Tac-Rainbow's bot: it sees what the rules see, takes every win, hands none over, and its proofs are true."""

import random
import sys
from collections.abc import Container, Iterator
from functools import reduce
from typing import Any

import pytest
from msgspec.structs import replace

from service.arena.match_runner import play
from service.arena.report import Score, ranking
from service.arena.schedule import Plan, fixture
from service.domain.chance import Chance, DrawNumber
from service.domain.game import Budget, Seat, never
from service.domain.games.rainbow import GAME
from service.domain.games.rainbow.bot import choose, comes_back
from service.domain.games.rainbow.engine.odds import exposure
from service.domain.games.rainbow.engine.proof import Node, Search
from service.domain.games.rainbow.engine.table import MEMBERS, Act, Table, as_move
from service.domain.games.rainbow.model import COLOURS, Flip, Options, Position, RainbowMove, Rolled
from service.domain.search.meter import Meter
from tests.domain.games.test_rainbow import EMPTY, played, table
from tests.domain.games.test_rainbow_endings import PLACEMENTS, THERE_AND_BACK

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
"""How many positions of a family `make test` and `make soak` look at."""


def positions(options: Options, seed: int) -> Iterator[Position]:
    """Yield the positions of a match in which most acts are safe, and some only make no line."""
    dice = random.Random(seed)  # noqa: S311 - the positions of the study
    state = begun(GAME.start(options), dice)
    while GAME.outcome(state) is None:
        yield state
        table = Table(state)
        acts = [act for act in table.acts(table.usable(state.turn, state.die)) if not table.makes_line(act)]
        if not acts:
            return
        tried = dice.sample(acts, min(len(acts), dice.choice((1, 30))))
        state = begun(after(state, as_move(min(tried, key=lambda act: exposure(table, act)))), dice)


def begun(state: Position, dice: random.Random) -> Position:
    """Return the state after the roll, where one is due."""
    return reduce(GAME.evolve, GAME.follow(state, Chance(dice.randbytes(32), (), DrawNumber(0))), state)


def after(state: Position, move: RainbowMove) -> Position:
    """Return the state after a move, before any roll."""
    return reduce(GAME.evolve, GAME.decide(state, state.turn, move), state)


def asked(state: Position, budget: Budget, seed: int = 0) -> RainbowMove:
    """Return what the bot plays with the chance of this seed."""
    return choose(state, state.turn, Chance(seed.to_bytes(32, "big"), (), DrawNumber(0)), budget)


def sampled(options: Options, number: int) -> Iterator[Position]:
    """Yield so many positions, about one out of three of each match."""
    dice, found, seed = random.Random(str(options)), 0, 0  # noqa: S311 - the positions of the study
    while True:
        for state in positions(options, seed):
            if dice.random() < 1 / 3:
                yield state
                found += 1
                if found == number:
                    return
        seed += 1


# What the bot sees


@families
def test_the_bot_sees_the_acts_and_lines_that_the_rules_see(options: Options) -> None:
    """Every legal move is an act and the other way round; a line is foreseen; an act undone leaves no trace."""
    compare_acts(options, FEW)


@pytest.mark.soak
@pytest.mark.timeout(3600)
@families
def test_the_bot_sees_the_acts_and_lines_that_the_rules_see_at_many_positions(options: Options) -> None:
    """The same at a thousand positions: about a million acts over all families."""
    sys.stderr.write(f"{compare_acts(options, MANY):,} acts compared\n")


def compare_acts(options: Options, count: int) -> int:
    """Compare the acts that the bot's table knows with the moves of the rules, and return how many there were."""
    compared = 0
    for state in sampled(options, count):
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
    """Return all that changes on a table; which side is up of a peg in the hand doesn't matter."""
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


# Wins in one, and no gifts


def wins_at_once(state: Position) -> list[RainbowMove]:
    """Return the moves by which the seat to move ends the match as its only winner."""
    ends = [(move, GAME.outcome(after(state, move))) for move in GAME.legal_moves(state, state.turn)]
    return [move for move, outcome in ends if outcome and outcome.winners == (state.turn,)]


def loses_at_once(state: Position, move: RainbowMove) -> bool:
    """Tell whether a move ends the match without the mover among the winners, or lets the next seat win at once."""
    then = after(state, move)
    outcome = GAME.outcome(then)
    if outcome:
        return state.turn not in outcome.winners
    rolls = [Rolled(then.turn, colour, DrawNumber(0)) for colour in COLOURS] if state.options.dice else []
    return any(wins_at_once(start) for start in [GAME.evolve(then, roll) for roll in rolls] or [then])


def check(state: Position) -> None:
    """Hold a position's move to the figure: no win missed, none handed over that could be kept."""
    move = asked(state, Budget("hard", nodes=300))
    winning = [] if state.options.misere and state.options.players == 2 else wins_at_once(state)
    assert not winning or move in winning
    if not winning and loses_at_once(state, move):
        assert all(loses_at_once(state, other) for other in GAME.legal_moves(state, state.turn))


@families
def test_no_win_is_missed_and_none_handed_over_while_there_is_a_choice(options: Options) -> None:
    """A few positions of each family of variants."""
    for state in sampled(options, FEW):
        check(state)


@pytest.mark.soak
@pytest.mark.timeout(3600)
@families
def test_no_win_is_missed_and_none_handed_over_over_a_thousand_positions(options: Options) -> None:
    """The figure that the bot is held to."""
    for number, state in enumerate(sampled(options, MANY)):
        check(state)
        sys.stderr.write(f"\r{number + 1} of {MANY} positions")
    sys.stderr.write("\n")


TWO_REDS_AND_ONE_UNDERNEATH = """
         .   .   .
     .   .   .   .   .
     .  1OR 2RV 1RV  .
     .   .   .   .   .
         .   .   .
"""


def test_a_win_is_taken_however_little_time_there_is() -> None:
    """Turning 1OR over is the only act that makes a line here."""
    state = table(TWO_REDS_AND_ONE_UNDERNEATH)
    for budget in (Budget("hard", nodes=0), Budget("hard", late=lambda: True)):
        assert {asked(state, budget, seed) for seed in range(12)} == {Flip("b3")}


def test_easy_overlooks_a_win_now_and_then() -> None:
    """And not always."""
    state = table(TWO_REDS_AND_ONE_UNDERNEATH)
    assert 0 < [asked(state, Budget("easy"), seed) for seed in range(24)].count(Flip("b3")) < 24


def test_who_is_lost_takes_a_draw_that_is_there() -> None:
    """Where every act hands a line over, one that ends the match by the guard before it can be made is played."""
    lost = [state for state in sampled(Options(rest=2), 250) if all_exposed(Table(state)) and not wins_at_once(state)]
    guarded = [replace(state, options=Options(rest=2, quiet_limit=1)) for state in lost]
    drawing = [[move for move in GAME.legal_moves(state, state.turn) if ends(state, move)] for state in guarded]
    assert sum(map(bool, drawing)) >= 5
    for state, moves in zip(guarded, drawing, strict=True):
        assert not moves or asked(state, Budget("hard", nodes=300)) in moves


def ends(state: Position, move: RainbowMove) -> bool:
    """Tell whether a move ends the match."""
    return GAME.outcome(after(state, move)) is not None


def all_exposed(table: Table) -> bool:
    """Tell whether each act of the seat to move lets the next one make a line."""
    return all(exposure(table, act) for act in table.acts(table.usable(table.turn)))


def test_an_act_that_restores_a_position_is_noticed() -> None:
    """The fourth of four moves to and fro, and no other act."""
    state = played(table(EMPTY), *PLACEMENTS, *THERE_AND_BACK[:3])
    seen = Table(state)
    back = [act for act in seen.acts(seen.usable(state.turn)) if comes_back(state, act)]
    assert list(map(as_move, back)) == [THERE_AND_BACK[3]]


def test_the_bot_does_not_go_to_and_fro() -> None:
    """What it would play otherwise it seldom plays if that leads back to a position of the match."""
    others = 0
    for state in sampled(Options(), 20):
        seen = Table(state)
        acts = [act for act in seen.acts(seen.usable(state.turn)) if not exposure(seen, act)]
        if len(acts) > 1 and not wins_at_once(state):
            first = searched(state, acts, ())
            others += searched(state, acts, {first.act}).act != first.act
    assert others > 5


def searched(state: Position, acts: list[Act], stale: Container[Act]) -> Node:
    """Return the best act after a short search."""
    search = Search(Table(state), acts, stale, Meter(Budget("hard", nodes=300)))
    search.run()
    return search.best()


# Proofs


def proved(options: Options) -> Iterator[tuple[Position, Search]]:
    """Yield positions without a win at once in which the search found out who wins by force."""
    for state in sampled(replace(options, repetition=False, quiet_limit=0), 30):
        seen = Table(state)
        acts = list(seen.acts(seen.usable(state.turn)))
        safe = [act for act in acts if not seen.makes_line(act) and not exposure(seen, act)]
        if safe and not any(map(seen.makes_line, acts)):
            search = Search(seen, safe, (), Meter(Budget("hard", 3000, never)))
            search.run()
            if search.root.solved:
                yield state, search


@pytest.mark.parametrize("options", [Options(rest=2), Options(grid="hex", rest=3)], ids=["rest 2", "hex rest 3"])
def test_a_proof_holds_against_every_reply(options: Options) -> None:
    """The rules are asked at each position of the proof: no reply is left out, and each line of it ends."""
    proofs = list(proved(options))
    assert len(proofs) >= 3
    for state, search in proofs:
        hold(state, search.root, me=state.turn)


def hold(state: Position, node: Node, me: Seat) -> None:
    """Check that a solved position is solved rightly."""
    assert not wins_at_once(state), "a position of the search has no win at once"
    moves = {as_move(child.act): child for child in node.children}
    winner = me if node.proof == 0 else Seat(1 - me)
    if state.turn == winner:
        move, child = next((move, child) for move, child in moves.items() if solved_for(child, winner, me))
        hold(after(state, move), child, me)
        return
    for move in GAME.legal_moves(state, state.turn):
        then = after(state, move)
        if move in moves:
            assert solved_for(moves[move], winner, me)
            hold(then, moves[move], me)
        else:
            assert wins_at_once(then), "a reply that isn't in the proof loses at once"


def solved_for(node: Node, winner: Seat, me: Seat) -> bool:
    """Tell whether a position is proved to be this seat's."""
    return node.proof == 0 if winner == me else node.disproof == 0


# Strength


def measured(one: str, other: str, matches: int, nodes: int) -> Score:
    """Return how the better of two players stands after matches against the other one."""
    plan = Plan(game="rainbow", players=(one, other), options={}, seed=5, opening=0, nodes=nodes)
    return ranking([play(plan, fixture(plan, number)) for number in range(matches)])[0]


def test_hard_beats_a_careful_player_in_a_few_matches() -> None:
    """Four matches with few positions a move."""
    stands = measured("hard", "careful", 4, 1500)
    assert stands.player == "hard"
    assert stands.score >= 3 / 4


@pytest.mark.soak
@pytest.mark.timeout(7200)
def test_hard_wins_nine_of_ten_matches_against_a_careful_player() -> None:
    """The figure that the bot is held to, with about a fifth of the positions that a second has room for."""
    stands = measured("hard", "careful", 100, 4000)
    assert stands.player == "hard"
    assert stands.score >= 0.9
