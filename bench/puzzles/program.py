"""`python -m bench.puzzles`, or `turnstream puzzles`: prints the puzzles in the matches of a running service.

It reads public matches that are over through the API, and changes nothing there.
"""

import argparse
import asyncio
import sys
from collections.abc import AsyncIterator, Sequence
from itertools import islice
from typing import Any
from urllib.parse import quote

import msgspec

from bench.arena.arguments import positive
from bench.puzzles.finder import CHECKED, puzzles_in
from service.domain.catalog import GAMES, AnyGame
from service.domain.notation.reading import read_export
from service.domain.notation.replay import Refuted, replay
from service.domain.notation.sheet import Heading, Sheet, Takeback, Unreadable, sheet_of
from service.programs.demo.api import Api, Json, Problem, room_path
from service.programs.ops.progress import Progress
from service.runtime.os_errors import reason_of

DONE, REFUSED, STOPPED = 0, 2, 130
"""The exit codes."""

URL = "http://127.0.0.1:8000"
NODES = 3000
PAGE = 50


def main(given: Sequence[str] | None = None) -> int:
    """Print an object in JSON for each puzzle; returns 0, 2 if nothing can be read, 130 after Ctrl-C."""
    arguments = parsed(given)
    suitable = [slug for slug, game in GAMES.items() if not game.simultaneous and game.evaluate]
    if arguments.game not in suitable:
        known = ", ".join(suitable)
        say(f"{arguments.game} is not a game in which the seats move one after another; these are {known}")
        return REFUSED
    try:
        asyncio.run(print_puzzles(GAMES[arguments.game], Api(arguments.url.rstrip("/")), arguments))
    except (Problem, OSError) as failure:
        say(reason_of(failure))
        return REFUSED
    except KeyboardInterrupt:
        return STOPPED
    return DONE


def parsed(given: Sequence[str] | None) -> argparse.Namespace:
    """Return the arguments of a command line, by default those of this process."""
    verb = argparse.ArgumentParser(prog="turnstream puzzles", description="Print the puzzles in a service's matches.")
    verb.add_argument("game", metavar="GAME", help="the game's slug in the catalogue, as in morris")
    verb.add_argument("match", metavar="MATCH", nargs="*", help="ids of matches; if none is named, those of rooms")
    verb.add_argument("--room", metavar="ROOM", action="append", help="an open room (default: all in the lobby)")
    verb.add_argument("--url", default=URL, help=f"the address of the service (default: {URL})")
    nodes = f"the positions of a search at first; those of the check are {CHECKED} times as many (default: {NODES})"
    verb.add_argument("--nodes", type=positive, default=NODES, metavar="N", help=nodes)
    verb.add_argument("--limit", type=positive, metavar="N", help="stop after so many puzzles")
    return verb.parse_intermixed_args(given)  # options may be before the matches


async def print_puzzles(game: AnyGame, api: Api, arguments: argparse.Namespace) -> None:
    """Print the puzzles of the chosen matches. Raises `Problem`, and `OSError` if the service does not answer."""
    progress, left = Progress("matches read"), arguments.limit or sys.maxsize
    async for match in chosen_matches(api, arguments):
        sheet, positions = await match_at(api, match)
        if sheet is not None and sheet.heading.game == game.slug:
            for ply, puzzle in islice(puzzles_in(game, positions, arguments.nodes), left):
                found = {**await place_of(api, sheet.heading, ply), **msgspec.to_builtins(puzzle)}
                sys.stdout.write(f"{msgspec.json.encode(found).decode()}\n")
                sys.stdout.flush()
                left -= 1
        progress.add()
        if not left:
            break
    progress.end()


async def chosen_matches(api: Api, arguments: argparse.Namespace) -> AsyncIterator[str]:
    """Yield the ids of the matches that are named, or else of those in rooms that are over."""
    for match in arguments.match:
        yield match
    if arguments.match:
        return
    for room in arguments.room or [entry["room"] async for entry in pages(api, "/v1/rooms", "rooms")]:
        async for entry in pages(api, room_path(room, "/matches"), "matches"):
            if entry["game"] == arguments.game and entry["result"] is not None:
                yield entry["id"]


async def pages(api: Api, path: str, field: str) -> AsyncIterator[Json]:
    """Yield what the pages of a list have in a field."""
    page = await api.get(f"{path}?limit={PAGE}")
    while True:
        for each in page[field]:
            yield each
        if page["next"] is None:
            return
        page = await api.get(f"{path}?limit={PAGE}&cursor={quote(str(page['next']))}")


async def match_at(api: Api, match: str) -> tuple[Sheet | None, list[Any]]:
    """Return a match that is over with its positions; None, and a line that says why, if it cannot be replayed."""
    try:
        lines = await api.get(f"/v1/matches/{quote(match)}/export")
        sheet = sheet_of(read_export(b"\n".join(msgspec.json.encode(line) for line in lines)))
        return sheet, positions_of(sheet)
    except (Problem, Unreadable, Refuted) as fault:
        say(f"{match} is left out: {fault}")
        return None, []


def positions_of(sheet: Sheet) -> list[Any]:
    """Return the positions of a match by ply, but not the last one. Raises `Unreadable` and `Refuted`."""
    positions: list[Any] = []
    for step in replay(sheet):
        if isinstance(step.entry, Takeback):
            del positions[-step.entry.entries :]
            positions[-1] = step.after
        else:
            positions.append(step.after)
    return positions[:-1]


async def place_of(api: Api, heading: Heading, ply: int) -> Json:
    """Return where a position is: in which match and at which version, and its address in the browser."""
    match = quote(heading.match)
    [position] = (await api.get(f"/v1/matches/{match}/analysis?ply={ply}"))["positions"]
    return {
        "game": heading.game,
        "match": heading.match,
        "ply": ply,
        "version": position["version"],
        "link": f"{api.url}/m/{match}?ply={ply}",
        "options": heading.options,
    }


def say(line: str) -> None:
    """Print a line on standard error."""
    sys.stderr.write(f"turnstream puzzles: {line}\n")
