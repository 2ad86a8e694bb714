"""`python -m bench.arena.manners GAME`: how often bots agree to a draw, by how their matches then end.

Every seat is asked at every third ply of matches of a level against itself. What it would have answered is counted for
those who then win alone, those who come last, those whose match is drawn, and the first fifth of all matches. So are
the turns in which it would have resigned, or offered a draw; the matches go on.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from bench.arena.match_runner import Table
from bench.arena.program import read_options
from bench.arena.schedule import Plan, fixture
from service.bots.messages import BotRequest
from service.bots.process import ending
from service.bots.requests import with_endings
from service.domain.catalog import GAMES
from service.domain.game import Budget, Level, Outcome, Seat
from service.domain.room.subjects.bots import LAST_TWO

EVERY = 3
"""How many plies are between two questions."""

YOUNG = 1 / 5
"""The share of a match's plies in which it is young."""


class Answer(msgspec.Struct, frozen=True):
    """What a seat's bot would have answered to an offer, or how it would have ended the match in its turn."""

    ply: int
    seat: Seat
    agreed: bool
    ending: str | None = None


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
    endings, matches = Counter[tuple[str, str]](), Counter[tuple[str, str]]()
    for number in range(asked.matches):
        table = Table(plan, fixture(plan, number))
        given_answers = list(answers_of(table))
        outcome = table.outcome()
        assert outcome is not None  # noqa: S101 - the match was played to its end
        for answer in given_answers:
            group = group_of(answer, outcome, table.plies)
            if answer.ending:
                endings[answer.ending, group] += 1
                continue
            answers[group] += 1
            agreed[group] += answer.agreed
        first = {(answer.ending, group_of(answer, outcome, table.plies)) for answer in given_answers if answer.ending}
        for kind, group in first:
            matches[kind or "", group] += 1
    sys.stdout.write("| seats that then | asked | agreed | |\n| --- | ---: | ---: | ---: |\n")
    for group, count in sorted(answers.items()):
        sys.stdout.write(f"| {group} | {count} | {agreed[group]} | {agreed[group] / count:.0%} |\n")
    for (kind, group), count in sorted(endings.items()):
        sys.stdout.write(f"{kind}: {group} in {count} turns of {matches[kind, group]} matches\n")
    return 0


def answers_of(table: Table) -> Iterator[Answer]:
    """Play a match, and yield what each seat's bot would have answered before every third ply."""
    accepts, plan = table.game.accepts_draw, table.plan
    assert accepts is not None  # noqa: S101 - all games of the catalogue have bots
    turns: list[list[Any]] = [[] for _ in table.known]
    awaited: tuple[Seat, ...] = ()
    while table.outcome() is None:
        before, awaited = awaited, table.game.to_move(table.state)
        for seat in awaited:
            if seat not in before and table.plies >= plan.opening:
                level: Level = plan.players[seat]  # type: ignore[assignment]  # a level by its name
                request = BotRequest(plan.game, table.known[seat], seat, level, b"", 0.0)
                request = with_endings(request, reversed(turns[seat]), resigns=len(table.known) == LAST_TWO)
                if found := ending(request):
                    yield Answer(table.plies, seat, agreed=False, ending=found)
            if seat not in before:
                turns[seat].append(table.known[seat])
        if table.plies >= plan.opening and table.plies % EVERY == 0 and table.game.to_move(table.state):
            for at, known in enumerate(table.known):
                budget = Budget(plan.players[at], plan.nodes)  # type: ignore[arg-type]  # a level by its name
                yield Answer(table.plies, Seat(at), accepts(known, Seat(at), budget))
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
