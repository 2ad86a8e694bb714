"""The arguments of `python -m bench.balance`."""

import argparse
from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct

from bench.arena.arguments import positive

ROUNDS = "192:40:20 64:100:20 20:300:30 5:2000:60 2:300:1000"


class Round(Struct, frozen=True):
    """A round: the number of layouts, of matches per layout, and of positions per move."""

    layouts: int
    """The maximum; the first round has all admissible layouts."""
    matches: int
    nodes: int


def parsed(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Return the arguments of a command line, by default those of this process."""
    verb = argparse.ArgumentParser(
        prog="bench.balance", description="Let bots play Ternio from every layout to find the most balanced start."
    )
    rounds = [*map(read_round, ROUNDS.split())]
    verb.add_argument("--rounds", nargs="+", type=read_round, default=rounds, metavar=ROUND, help=ROUNDS_HELP)
    verb.add_argument("--seed", type=int, default=1, metavar="N", help="the seed of the matches (default: 1)")
    verb.add_argument(
        "--processes", type=positive, default=1, metavar="N", help="the number of concurrent batches (default: 1)"
    )
    verb.add_argument("--out", type=Path, required=True, metavar="FILE.jsonl", help=OUT)
    return verb.parse_args(arguments)


ABOUT = "Let bots play Ternio from every layout to find the most balanced start."
ROUND = "LAYOUTS:MATCHES:NODES"
ROUNDS_HELP = f"by round the number of layouts, matches per layout, and positions per move (default: {ROUNDS})"
OUT = "write the matches to this file and the table next to it as .md; run the same command again to continue"


def read_round(text: str) -> Round:
    """Parse a round."""
    try:
        layouts, matches, nodes = (positive(number) for number in text.split(":"))
    except ValueError as failure:
        raise argparse.ArgumentTypeError(f"{text} is not {ROUND}, as in 20:300:40") from failure
    return Round(layouts, matches, nodes)
