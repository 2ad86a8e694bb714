"""The arguments of `python -m bench.arena`."""

import argparse
from collections.abc import Sequence
from pathlib import Path


def parsed(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Return the arguments of a command line, by default those of this process."""
    verb = argparse.ArgumentParser(prog="bench.arena", description="Let bots play many matches and print their scores.")
    verb.add_argument("game", metavar="GAME", help="the game's slug in the catalogue, as in morris")
    verb.add_argument("--players", nargs="+", required=True, metavar="NAME", help=PLAYERS)
    verb.add_argument("--matches", type=positive, default=20, metavar="N", help="the number of matches (default: 20)")
    verb.add_argument(
        "--time", type=float, metavar="SECONDS", help="the time for each move (default: that of the player's level)"
    )
    verb.add_argument(
        "--nodes", type=positive, metavar="N", help="the number of positions for each move, instead of a time"
    )
    verb.add_argument("--clock", choices=("wall", "processor"), default="wall", help=CLOCK)
    verb.add_argument("--options", nargs="*", default=[], metavar="NAME=VALUE", help="the game's options")
    verb.add_argument(
        "--opening", type=int, metavar="PLIES", help="the number of random first plies (default: one per seat)"
    )
    verb.add_argument(
        "--turn-limit", type=positive, metavar="N", help="the number of turns after which a match is drawn"
    )
    verb.add_argument("--seed", type=int, default=1, metavar="N", help="the seed of the openings (default: 1)")
    verb.add_argument(
        "--processes", type=positive, default=1, metavar="N", help="the number of concurrent matches (default: 1)"
    )
    verb.add_argument("--out", type=Path, metavar="FILE.jsonl", help=OUT)
    return verb.parse_args(arguments)


PLAYERS = "a level from easy to expert, random, or a player of the game; NAME:DETAIL passes a number, as in mcts:1000"
CLOCK = "the clock for moves: `wall`, or `processor` for CPU time, on a machine with other work (default: wall)"
OUT = "write the matches to this file and the table next to it as .md; run the same command again to continue"


def positive(text: str) -> int:
    """Parse a number of at least 1."""
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{number} is less than 1")
    return number
