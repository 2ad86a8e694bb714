"""The arguments of the operators' verbs, and the table of these verbs."""

import argparse
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

from service.programs.command_line import import_later

Described = tuple[str, Callable[[argparse.ArgumentParser], None]]
"""What a verb does, and the function that adds its arguments and sets its work."""

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
players_in = import_later("service.programs.ops.maintenance.players_in")
WATCH = "also report this folder's free space in the metrics"


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


def verb(about: str, work: str, *arguments: tuple[str, dict[str, Any]]) -> Described:
    """Describe a verb, whose work is a function of this package, given as `module.function`.

    An argument is its names, separated by spaces, and what `add_argument` needs.
    """

    def add(parser: argparse.ArgumentParser) -> None:
        for names, given in arguments:
            parser.add_argument(*names.split(), **given)
        parser.set_defaults(work=import_later(f"service.programs.ops.{work}"))

    return about, add


def group(about: str, **verbs: Described) -> Described:
    """Describe a verb that consists of others."""

    def add(parser: argparse.ArgumentParser) -> None:
        things = parser.add_subparsers(dest="thing", metavar="THING", required=True)
        for name, (part, add_arguments) in verbs.items():
            add_arguments(things.add_parser(name, help=part, description=part))

    return about, add


FLAG = {"action": "store_true"}
REASON = ("--reason", {"default": "", "help": "for the audit log"})
ROOM = ("name", {"metavar": "ROOM", "help": ROOMS})
LISTS = ("list", {"metavar": "LIST", "nargs": "*", "help": "lists such as morris.blitz; all if none is named"})
IMPORTING = (
    (
        "--other-key",
        {**FLAG, "help": "do not check the seal: the file is from an installation with another signing key"},
    ),
    ("--erased", {"metavar": "FILE", "type": players_in, "default": (), "help": ERASED}),
)
VOID_REASON = {"required": True, "help": "for the entry and for the audit log"}
EXPECTED = "the id of a store that processes expect, as their log says"

DOCTOR = verb(
    "Check settings, store, clock, ports and folders, and say what to do.",
    "doctor.main",
    ("--json", {**FLAG, "help": "print each finding as a JSON object"}),
)

OPERATING: dict[str, Described] = {
    "check-config": verb("Check the settings and the store.", "verbs.check_config"),
    "export": verb(
        "Write rooms to a file, one line per event, checked and sealed.",
        "verbs.export",
        ("file", {"metavar": "FILE", "type": Path, "help": "a new file, or - for standard output"}),
        ("room", {"metavar": "ROOM", "nargs": "*", "help": f"{ROOMS}; all rooms if none is named"}),
    ),
    "import": verb(
        "Read rooms from an export; a file that was changed is rejected.",
        "verbs.import_",
        ("file", {"metavar": "FILE", "type": Path, "help": "an export, compressed or not"}),
        *IMPORTING,
    ),
    "backup": verb(
        "Write every room to a compressed file with a manifest.",
        "verbs.backup",
        ("folder", {"metavar": "FOLDER", "type": Path, "help": "the folder of the backups"}),
        ("--every", {"metavar": "HOURS", "type": hours, "help": "keep running, and make a backup at this interval"}),
        ("--keep-days --keep", {"metavar": "DAYS", "type": count, "default": 0, "help": KEEP_DAYS}),
        ("--then", {"metavar": "COMMAND", "type": command, "default": (), "help": THEN}),
        ("--watch", {"metavar": "FOLDER", "type": Path, "action": "append", "default": [], "help": WATCH}),
    ),
    "restore": verb(
        "Check a backup and read it into an empty store.",
        "verification.restore",
        ("file", {"metavar": "FILE", "type": Path, "help": "a backup; its manifest is next to it"}),
        ("--check", {**FLAG, "help": "only check that the backup is unchanged"}),
        *IMPORTING,
    ),
    "accept-loss": verb(
        "Show what the store has lost, and with --yes continue without it.",
        "verbs.accept_loss",
        ("--yes", {**FLAG, "help": "accept the loss; without this it is only shown"}),
        REASON,
        ("--expected", {"metavar": "ID", "action": "append", "default": [], "help": EXPECTED}),
    ),
    "erasures": verb("Print the ids of erased players, for `restore --erased`.", "maintenance.erasures"),
    "recount": verb("Correct damaged counters of appended events.", "maintenance.recount"),
    "sign": verb("Sign the nicknames that an older release has stored.", "maintenance.sign"),
    "rooms": group(
        "List, inspect or close rooms.",
        list=verb(
            "print one line per room: name, game, status, seats, version, latest event",
            "rooms.list_rooms",
            ("--all", {**FLAG, "help": "also list closed rooms"}),
            ("--json", {**FLAG, "help": "print each room as a JSON object"}),
        ),
        inspect=verb("print the state of a room, without its secrets", "rooms.inspect_room", ROOM),
        close=verb("close a room; a running match does not count", "rooms.close_room", ROOM, REASON),
    ),
    "notable": group(
        "Verify the boards of notable matches, or rebuild them.",
        verify=verb("check the boards, and compare each match on them with its events", "notable.verify_notable"),
        rebuild=verb("rebuild the boards from the matches of all rooms", "notable.rebuild_notable"),
    ),
    "player-matches": group(
        "Verify the index of players' matches, or rebuild it.",
        verify=verb(
            "compare the index with the rooms, and its results with its matches", "player_matches.verify_player_matches"
        ),
        rebuild=verb(
            "rebuild the index from the rooms; it is incomplete meanwhile", "player_matches.rebuild_player_matches"
        ),
    ),
    "ratings": group(
        "Verify ratings, rebuild leaderboards, or void matches.",
        verify=verb("check each entry against its match, and recompute its figures", "ratings.verify_ratings", LISTS),
        rebuild=verb("rebuild leaderboards from the rated matches", "ratings.rebuild_ratings", LISTS),
        void=verb(
            "undo what a match changed in the ratings of its players",
            "ratings.void_match",
            ("match", {"metavar": "MATCH", "help": "the id of a rated match"}),
            ("--reason", VOID_REASON),
        ),
    ),
}
"""The operators' verbs by name."""
