"""The arguments of the operators' verbs, and the table of these verbs."""

import argparse
import shlex
from collections.abc import Callable
from pathlib import Path

from service.programs.command_line import import_later, no_arguments

Add = Callable[[argparse.ArgumentParser], None]

ROOMS = "names of open rooms; name:epoch for a closed one"
LONGEST_HOURS = 24 * 366

KEEP_DAYS = (
    "delete backups that are older than so many days, and keep only the newest of each earlier day; the "
    "newest complete ones are always kept; 0 (default) deletes none; --keep is the old name"
)

THEN = (
    "run this command after each backup, without a shell, with the paths of the backup and of its manifest as its last "
    "arguments; it may take up to an hour"
)

ERASED = "a file with the ids of players who were erased since, one per line, as `turnstream erasures` prints them"
players_in = import_later("service.programs.ops.erasures.players_in")
OTHER_KEY = "do not check the seal: the file is from an installation with another signing key"


def hours(text: str) -> float:
    """Parse the hours between two backups. Raises `ValueError`."""
    if not 0 < (found := float(text)) <= LONGEST_HOURS:
        raise ValueError(text)
    return found


def count(text: str) -> int:
    """Parse a number of days. Raises `ValueError`."""
    if (found := int(text)) < 0:
        raise ValueError(text)
    return found


def command(text: str) -> tuple[str, ...]:
    """Parse a command, which has at least one word. Raises `ValueError`."""
    if not (words := shlex.split(text)):
        raise ValueError(text)
    return tuple(words)


def set_work(verb: argparse.ArgumentParser, name: str) -> None:
    """Let a function of this package, given as `module.function`, do what the verb promises."""
    verb.set_defaults(work=import_later(f"service.programs.ops.{name}"))


def done_by(name: str, add: Add = no_arguments) -> Add:
    """Return a function that adds a verb's arguments and sets its work."""

    def added(verb: argparse.ArgumentParser) -> None:
        add(verb)
        set_work(verb, name)

    return added


def export(verb: argparse.ArgumentParser) -> None:
    """Add a file and rooms."""
    verb.add_argument("file", metavar="FILE", type=Path, help="a new file, or - for standard output")
    verb.add_argument("room", metavar="ROOM", nargs="*", help=f"{ROOMS}; all rooms if none is named")


def import_(verb: argparse.ArgumentParser) -> None:
    """Add a file."""
    verb.add_argument("file", metavar="FILE", type=Path, help="an export, compressed or not")
    verb.add_argument("--other-key", action="store_true", help=OTHER_KEY)
    verb.add_argument("--erased", metavar="FILE", type=players_in, default=(), help=ERASED)


def backup(verb: argparse.ArgumentParser) -> None:
    """Add a folder and the interval."""
    verb.add_argument("folder", metavar="FOLDER", type=Path, help="the folder of the backups")
    verb.add_argument("--every", metavar="HOURS", type=hours, help="keep running, and make a backup at this interval")
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
    """Add a backup."""
    verb.add_argument("file", metavar="FILE", type=Path, help="a backup; its manifest is next to it")
    verb.add_argument("--check", action="store_true", help="only check that the backup is unchanged")
    verb.add_argument("--other-key", action="store_true", help=OTHER_KEY)
    verb.add_argument("--erased", metavar="FILE", type=players_in, default=(), help=ERASED)


def accept_loss(verb: argparse.ArgumentParser) -> None:
    """Add the confirmation, the reason, and the expected stores if there is no witness."""
    verb.add_argument("--yes", action="store_true", help="accept the loss; without this it is only shown")
    verb.add_argument("--reason", default="", help="for the audit log")
    verb.add_argument(
        "--expected",
        metavar="ID",
        action="append",
        default=[],
        help="the id of a store that processes expect, as their log says",
    )


def rooms(verb: argparse.ArgumentParser) -> None:
    """Add the subcommands for rooms."""
    things = verb.add_subparsers(dest="thing", metavar="THING", required=True)
    list_verb = things.add_parser(
        "list", help="print one line per room: name, game, status, seats, version, latest event"
    )
    list_verb.add_argument("--all", action="store_true", help="also list closed rooms")
    list_verb.add_argument("--json", action="store_true", help="print each room as a JSON object")
    set_work(list_verb, "rooms.list_rooms")
    inspect_verb = things.add_parser("inspect", help="print the state of a room, without its secrets")
    inspect_verb.add_argument("name", metavar="ROOM", help=ROOMS)
    set_work(inspect_verb, "rooms.inspect_room")
    close_verb = things.add_parser("close", help="close a room; a running match does not count")
    close_verb.add_argument("name", metavar="ROOM", help=ROOMS)
    close_verb.add_argument("--reason", default="", help="for the audit log")
    set_work(close_verb, "rooms.close_room")


def rating_lists(verb: argparse.ArgumentParser) -> None:
    """Add the subcommands for rating lists."""
    things = verb.add_subparsers(dest="thing", metavar="THING", required=True)
    verify_verb = things.add_parser("verify", help="check each entry against its match, and recompute its figures")
    rebuild_verb = things.add_parser("rebuild", help="rebuild leaderboards from the rated matches")
    for part, work in ((verify_verb, "ratings.verify_ratings"), (rebuild_verb, "ratings.rebuild_ratings")):
        part.add_argument("list", metavar="LIST", nargs="*", help="lists such as morris.blitz; all if none is named")
        set_work(part, work)
    void_verb = things.add_parser("void", help="undo what a match changed in the ratings of its players")
    void_verb.add_argument("match", metavar="MATCH", help="the id of a rated match")
    void_verb.add_argument("--reason", required=True, help="for the entry and for the audit log")
    set_work(void_verb, "ratings.void_match")


def matches_of_players(verb: argparse.ArgumentParser) -> None:
    """Add the subcommands for the index of players' matches."""
    things = verb.add_subparsers(dest="thing", metavar="THING", required=True)
    verify_verb = things.add_parser("verify", help="compare the index with the rooms, and its results with its matches")
    set_work(verify_verb, "player_matches.verify_player_matches")
    rebuild_verb = things.add_parser("rebuild", help="rebuild the index from the rooms; it is incomplete meanwhile")
    set_work(rebuild_verb, "player_matches.rebuild_player_matches")


def notable_matches(verb: argparse.ArgumentParser) -> None:
    """Add the subcommands for notable matches."""
    things = verb.add_subparsers(dest="thing", metavar="THING", required=True)
    verify_verb = things.add_parser("verify", help="check the boards, and compare each match on them with its events")
    set_work(verify_verb, "notable.verify_notable")
    rebuild_verb = things.add_parser("rebuild", help="rebuild the boards from the matches of all rooms")
    set_work(rebuild_verb, "notable.rebuild_notable")


OPERATING: dict[str, tuple[str, Add]] = {
    "check-config": ("Check the settings and the store.", done_by("verbs.check_config")),
    "export": ("Write rooms to a file, one line per event, checked and sealed.", done_by("verbs.export", export)),
    "import": (
        "Read rooms from an export; a file that was changed is rejected.",
        done_by("verbs.import_", import_),
    ),
    "backup": ("Write every room to a compressed file with a manifest.", done_by("verbs.backup", backup)),
    "restore": ("Check a backup and read it into an empty store.", done_by("verification.restore", restore)),
    "accept-loss": (
        "Show what the store has lost, and with --yes continue without it.",
        done_by("verbs.accept_loss", accept_loss),
    ),
    "erasures": (
        "Print the ids of erased players, for `restore --erased`.",
        done_by("erasures.erasures"),
    ),
    "recount": ("Correct damaged counters of appended events.", done_by("recount.recount")),
    "sign": ("Sign the nicknames that an older release has stored.", done_by("signing.sign")),
    "rooms": ("List, inspect or close rooms.", rooms),
    "notable": ("Verify the boards of notable matches, or rebuild them.", notable_matches),
    "player-matches": ("Verify the index of players' matches, or rebuild it.", matches_of_players),
    "ratings": ("Verify ratings, rebuild leaderboards, or void matches.", rating_lists),
}
"""By name: the description, and the function that adds arguments and sets the work."""
