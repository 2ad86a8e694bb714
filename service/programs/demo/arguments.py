"""The arguments of `turnstream demo`, without what plays."""

import argparse

TTY_PAUSE = 40
"""Milliseconds after each board on a terminal."""


def add_arguments(verb: argparse.ArgumentParser) -> None:
    """Add the server, the game, the seed and the pace."""
    verb.add_argument("--url", help="the address of a running server (default: a server is started for the demo)")
    verb.add_argument("--game", metavar="SLUG", help="play only this game of the catalogue")
    verb.add_argument("--seed", type=int, default=12, metavar="N", help="the seed of the random moves (default: 12)")
    pause = f"milliseconds after each board (default: {TTY_PAUSE} on a terminal); 0 shows only the last one"
    verb.add_argument("--pause", type=int, metavar="MS", help=pause)
