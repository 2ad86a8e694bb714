"""`python -m bench.arena.manners GAME`: how often bots agree to a draw, by how their matches then end.

Every seat is asked at every third ply of matches of a level against itself. What it would have answered is counted for
those who then win alone, those who come last, those whose match is drawn, and the first fifth of all matches.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Iterator, Sequence

import msgspec

from bench.arena.match_runner import Table
from bench.arena.program import read_options
from bench.arena.schedule import Plan, fixture
from service.domain.catalog import GAMES
from service.domain.game import Budget, Outcome, Seat

EVERY = 3
"""How many plies are between two questions."""

YOUNG = 1 / 5
"""The share of a match's plies in which it is young."""


class Answer(msgspec.Struct, frozen=True):
    """What a seat's bot would have answered to an offer."""

    ply: int
    seat: Seat
    agreed: bool


def main(given: Sequence[str] | None = None) -> int:
    """Play the matches and print the table; returns 0."""
    verb = argparse.ArgumentParser(prog="bench.arena.manners", description="Count the draws that bots would agree to.")
    verb.add_argument("game", choices=GAMES, metavar="GAME")
    verb.add_argument("--level", default="expert", help="the level of all bots (default: expert)")
    verb.add_argument("--matches", type=int, default=20, metavar="N")
    verb.add_argument("--nodes", type=int, default=1500, metavar="N", help="the positions for a move or an answer")
    verb.add_argument("--options", nargs="*", default=[], metavar="NAME=VALUE")
    verb.add_argument("--seed", type=int, default=1, metavar="N")
    asked = verb.parse_args(given)
    game = GAMES[asked.game]
    options = read_options(asked.options, game.options)
    seats = len(game.seats(msgspec.convert(options, game.options)))
    plan = Plan(asked.game, (asked.level,) * seats, options, asked.seed, seats, nodes=asked.nodes)
    agreed, answers = Counter[str](), Counter[str]()
    for number in range(asked.matches):
        table = Table(plan, fixture(plan, number))
        given_answers = list(answers_of(table))
        outcome = table.outcome()
        assert outcome is not None  # noqa: S101 - the match was played to its end
        for answer in given_answers:
            group = group_of(answer, outcome, table.plies)
            answers[group] += 1
            agreed[group] += answer.agreed
    sys.stdout.write("| seats that then | asked | agreed | |\n| --- | ---: | ---: | ---: |\n")
    for group, count in sorted(answers.items()):
        sys.stdout.write(f"| {group} | {count} | {agreed[group]} | {agreed[group] / count:.0%} |\n")
    return 0


def answers_of(table: Table) -> Iterator[Answer]:
    """Play a match, and yield what each seat's bot would have answered before every third ply."""
    accepts, plan = table.game.accepts_draw, table.plan
    assert accepts is not None  # noqa: S101 - all games of the catalogue have bots
    while table.outcome() is None:
        if table.plies >= plan.opening and table.plies % EVERY == 0 and table.game.to_move(table.state):
            for seat, known in enumerate(table.known):
                budget = Budget(plan.players[seat], plan.nodes)  # type: ignore[arg-type]  # a level by its name
                yield Answer(table.plies, Seat(seat), accepts(known, Seat(seat), budget))
        table.ply()


def group_of(answer: Answer, outcome: Outcome, plies: int) -> str:
    """Return the row in which an answer is counted."""
    place = outcome.places[answer.seat]
    if answer.ply < YOUNG * plies:
        return "play on: the first fifth"
    if len(set(outcome.places)) == 1:
        return "draw"
    if place == 1:
        return "win" if outcome.places.count(1) == 1 else "share the first place"
    return "come last" if place == max(outcome.places) else "come second"


if __name__ == "__main__":
    sys.exit(main())
