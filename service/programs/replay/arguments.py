"""The arguments of `turnstream replay` and `turnstream verify`, without what reads matches."""

import argparse

ABOUT = "a file with a match's text or export, - for standard input, or a match's http address"

TTY_PAUSE = 700
"""Milliseconds between boards on a terminal; none elsewhere."""


def watching(verb: argparse.ArgumentParser) -> None:
    """Add the place of a match and the pace."""
    verb.add_argument("match", metavar="FILE_OR_URL", help=ABOUT)
    pace = verb.add_mutually_exclusive_group()
    pace.add_argument(
        "--pause", type=pause, metavar="MS", help=f"milliseconds to wait after each board ({TTY_PAUSE} on a terminal)"
    )
    pace.add_argument("--step", action="store_true", help="wait for Enter after each board")


def pause(text: str) -> int:
    """Parse a number of milliseconds, up to a minute."""
    if not text.isascii() or not text.isdigit() or int(text) > 60_000:
        raise argparse.ArgumentTypeError("expected milliseconds, 0 to 60000")
    return int(text)


def checking(verb: argparse.ArgumentParser) -> None:
    """Add the place of a match, or rooms of the store."""
    what = verb.add_mutually_exclusive_group(required=True)
    what.add_argument("match", metavar="FILE_OR_URL", nargs="?", help=ABOUT)
    what.add_argument("--room", action="append", metavar="ROOM", help="a room in the store, its whole history")
    what.add_argument("--all", action="store_true", help="every room in the store")
