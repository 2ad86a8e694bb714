"""The tables of the search, as Markdown: the results of every layout in each round."""

from collections.abc import Sequence

from bench.arena.report import facts
from bench.balance.blocks import BlockText, class_name
from bench.balance.matches import OPENING, Batch
from bench.balance.rounds import Plan, Share, shares
from service.domain.games.ternio.model import LAYOUTS

NAMES: dict[BlockText, str] = {class_name(block): name for name, block in LAYOUTS.items()}
"""The names of Ternio's layouts, by class."""


def page(plan: Plan, blocks: Sequence[BlockText], batches: Sequence[Batch], command: str) -> str:
    """Return the page."""
    rounds = [shares(batch for batch in batches if batch.round == number) for number in range(len(plan.rounds))]
    text = ["# Ternio: the search for the start", "", ABOUT.format(layouts=len(blocks), opening=OPENING), ""]
    for number, found in enumerate(rounds):
        this = plan.rounds[number]
        text += [
            f"## Round {number + 1}: {len(found)} layouts, {this.matches:,} matches each, {this.nodes:,} positions",
            "",
        ]
        text += [HEAD, "| --- |" + " ---: |" * 4, *map(row, found), ""]
    total = sum(count for batch in batches for count in batch.winners.values())
    text += [f"* Command: `{command}`", f"* Seed {plan.seed}, {total:,} matches in all. {facts()}"]
    return "\n".join(text) + "\n"


ABOUT = """\
There are {layouts} layouts of three discs of each colour on d4 to f6 in which red can move and which have no symmetry;
rotations and reflections of a layout count as the same one. A layout is written as its rows, the top row first. In each
round every remaining layout plays the same number of matches between three bots of equal strength: the level `expert`
with 0.5 to 1.5 times the stated number of positions, drawn for each move. The first {opening} moves of a match are
drawn from all legal ones. A shared first place is divided equally; ± is the standard error of a share. The distance is
that of the three shares from one third each: the root of the sum of squares. The layouts with the least distance remain
for the next round; the numbers of a round are from its own matches only."""

HEAD = "| layout | red | green | blue | distance |"


def row(one: Share) -> str:
    """Return a layout's row."""
    cells = [f"{share:.3f} ± {error:.3f}" for share, error in zip(one.shares, one.errors, strict=True)]
    name = f" (`{NAMES[one.block]}`)" if one.block in NAMES else ""
    return f"| `{one.block}`{name} | {' | '.join(cells)} | {one.distance:.3f} |"
