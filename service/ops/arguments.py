"""What the operators' verbs take, and the table of these verbs."""

import argparse
import shlex
from collections.abc import Callable
from pathlib import Path

from service.ops import verbs
from service.ops.verbs import Run

Add = Callable[[argparse.ArgumentParser], None]

LONGEST_HOURS = 24 * 366

KEEP_DAYS = (
    "delete backups that are older than so many days, and thin out those of earlier days to the newest of each; the "
    "newest complete ones always stay; 0 (default) deletes none; --keep is the old name"
)

THEN = (
    "run this command after each backup, without a shell, with the paths of the backup and of its manifest as its last "
    "arguments; it may take an hour"
)

OTHER_KEY = "don't look at the seal: the file comes from an installation with another signing key"


def hours(text: str) -> float:
    """Return a time that a loop can wait for. Raises `ValueError`."""
    if not 0 < (found := float(text)) <= LONGEST_HOURS:
        raise ValueError(text)
    return found


def count(text: str) -> int:
    """Return how many. Raises `ValueError`."""
    if (found := int(text)) < 0:
        raise ValueError(text)
    return found


def command(text: str) -> tuple[str, ...]:
    """Return the words of a command, of which there is one at least. Raises `ValueError`."""
    if not (words := shlex.split(text)):
        raise ValueError(text)
    return tuple(words)


def no_arguments(_verb: argparse.ArgumentParser) -> None:
    """Take nothing."""


def export(verb: argparse.ArgumentParser) -> None:
    """Take a file and rooms."""
    verb.add_argument("file", metavar="FILE", type=Path, help="where to write; it must not exist yet")
    verb.add_argument("room", metavar="ROOM", nargs="*", help=f"{verbs.ROOMS}; all rooms if absent")


def import_(verb: argparse.ArgumentParser) -> None:
    """Take a file."""
    verb.add_argument("file", metavar="FILE", type=Path, help="an export, compressed or not")
    verb.add_argument("--other-key", action="store_true", help=OTHER_KEY)


def backup(verb: argparse.ArgumentParser) -> None:
    """Take a folder, and how often."""
    verb.add_argument("folder", metavar="FOLDER", type=Path, help="where backups lie")
    verb.add_argument("--every", metavar="HOURS", type=hours, help="go on, with a backup every so many hours")
    verb.add_argument("--keep-days", "--keep", metavar="DAYS", type=count, default=0, help=KEEP_DAYS)
    verb.add_argument("--then", metavar="COMMAND", type=command, default=(), help=THEN)
    verb.add_argument(
        "--watch",
        metavar="FOLDER",
        type=Path,
        action="append",
        default=[],
        help="also report this folder's free space in the metrics",
    )


def restore(verb: argparse.ArgumentParser) -> None:
    """Take a backup."""
    verb.add_argument("file", metavar="FILE", type=Path, help="a backup; its manifest is next to it")
    verb.add_argument("--check", action="store_true", help="only check that it is as it was made")
    verb.add_argument("--other-key", action="store_true", help=OTHER_KEY)


def accept_loss(verb: argparse.ArgumentParser) -> None:
    """Take whether to accept, why, and what is expected where no witness tells."""
    verb.add_argument("--yes", action="store_true", help="accept it; without this it is only shown")
    verb.add_argument("--reason", default="", help="for the operators' log")
    verb.add_argument(
        "--expected", metavar="ID", action="append", default=[], help="a store's id that processes report as expected"
    )


def rooms(verb: argparse.ArgumentParser) -> None:
    """Take what to do with rooms."""
    things = verb.add_subparsers(dest="thing", metavar="THING", required=True)
    listing = things.add_parser("list", help="a line a room: name, game, status, seats, version, latest event")
    listing.add_argument("--all", action="store_true", help="closed rooms, too")
    listing.set_defaults(work=verbs.list_rooms)
    inspecting = things.add_parser("inspect", help="what is known of a room, without its secrets")
    inspecting.add_argument("name", metavar="ROOM", help=verbs.ROOMS)
    inspecting.set_defaults(work=verbs.inspect_room)
    closing = things.add_parser("close", help="close a room; a running match counts for nobody")
    closing.add_argument("name", metavar="ROOM", help=verbs.ROOMS)
    closing.add_argument("--reason", default="", help="for the operators' log")
    closing.set_defaults(work=verbs.close_room)


OPERATING: dict[str, tuple[Run | None, str, Add]] = {
    "check-config": (verbs.check_config, "Check the settings and the store.", no_arguments),
    "export": (verbs.export, "Write rooms to a file, a line an event, checked and sealed.", export),
    "import": (verbs.import_, "Read rooms from an export; a file that was changed is refused.", import_),
    "backup": (verbs.backup, "Write every room to a compressed file with a manifest.", backup),
    "restore": (verbs.restore, "Check a backup and read it into an empty store.", restore),
    "accept-loss": (verbs.accept_loss, "Show what the store has lost, and with --yes go on without it.", accept_loss),
    "rooms": (None, "List, inspect or close rooms.", rooms),
}
"""By name: what runs (None: the argument `work` says), what it is for, what it takes."""
