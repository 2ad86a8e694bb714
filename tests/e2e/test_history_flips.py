"""A flipped bit in the append-only file: every read returns what it returned before, or says that it cannot."""

import random
import shutil
import sys
import tempfile
from collections import Counter
from pathlib import Path

import httpx
import pytest

from service.standalone.server_binary import server_binary
from tests.e2e import results
from tests.e2e.aof import piece_at, pieces
from tests.e2e.client import Json, fresh_name
from tests.e2e.clients import Guest
from tests.e2e.processes import ApiProcess, started
from tests.e2e.reading import Place, Reading, api_over, paths, read_all
from tests.e2e.study import WITHIN, scaled
from tests.store_server import ProgramServer
from tests.store_server import running as running_store

NOT_FOUND = {"no_such_room": " name ", "no_such_match": " matches "}
"""The keys that lead to a room and to its matches; what they do not name is not found."""

NOTICED = frozenset({(503, "history_damaged"), (503, "store_unavailable"), (410, "trimmed")})
"""Refusals. A stream whose first entries are missing looks like one that was trimmed."""

MOVES = {"turncoat": 6, "morris": 14, "rainbow": 8}
"""How many moves are made in a room of each game, in its second match; the first one is given up."""

Truth = dict[tuple[str, str], Reading]


async def populated(http: httpx.AsyncClient) -> list[Place]:
    """Play a little in a room of each game, and talk."""
    return [await played(http, game, moves) for game, moves in MOVES.items()]


async def played(http: httpx.AsyncClient, game: str, moves: int) -> Place:
    """Play a match that is given up, and some moves of the next one."""
    guests = [await guest(http, name) for name in ("Ada", "Ben")]
    room = fresh_name()
    settings = {"start": "ready", "restart": None}
    await posted(http, "/v1/rooms", guests[0], {"game": game, "name": room, "settings": settings})
    commands = f"/v1/rooms/{room}/commands"
    await posted(http, commands, guests[1], {"type": "join"})
    for each in guests:
        await posted(http, commands, each, {"type": "ready"})
    await posted(http, commands, guests[0], {"type": "resign"})
    for each in guests:
        await posted(http, commands, each, {"type": "ready"})
    made = 0
    while made < moves:
        for each in guests:
            found = (await http.get(f"/v1/rooms/{room}/legal-moves", headers=each.headers)).json()["legal_moves"]
            if found:
                await posted(http, commands, each, {"type": "play", "move": found[made % len(found)]})
                made += 1
    await posted(http, f"/v1/rooms/{room}/chat", guests[0], {"text": "well played"})
    matches = (await http.get(f"/v1/rooms/{room}/matches")).json()["matches"]
    version = (await http.get(f"/v1/rooms/{room}")).json()["version"]
    return Place(room, version, tuple(match["id"] for match in matches), tuple(guests))


async def guest(http: httpx.AsyncClient, nickname: str) -> Guest:
    """Return a new guest."""
    made = (await http.post("/v1/players", json={"nickname": nickname})).json()
    return Guest(made["player"]["id"], made["token"])


async def posted(http: httpx.AsyncClient, path: str, by: Guest, body: Json) -> None:
    """Send what must be accepted."""
    answer = await http.post(path, json=body, headers=by.headers)
    assert answer.is_success, answer.text


def flipped(content: bytes, place: int, bit: int) -> bytes:
    """Return a file with one bit changed."""
    changed = bytearray(content)
    changed[place] ^= 1 << bit
    return bytes(changed)


async def read_over(folder: Path, log: str, content: bytes, places: list[Place]) -> Truth | None:
    """Return all that is read of a store with this file, None where the store does not load it."""
    copy = Path(tempfile.mkdtemp(prefix="turnstream-"))
    shutil.copytree(folder / "appendonlydir", copy / "appendonlydir")
    (copy / "appendonlydir" / log).write_bytes(content)
    try:
        with running_store(ProgramServer(folder=copy)) as store:
            async with api_over(store.url) as http:
                return await read_all(http, places)
    except TimeoutError:
        return None


class Flips:
    """What came of each flip: outcomes, what was served wrongly of histories, and what differed beside them."""

    def __init__(self, places: list[Place], truth: Truth) -> None:
        """Compare with what was read before."""
        self.outcomes = Counter[str]()
        self.faults: list[str] = []
        self.beside = Counter[str]()
        self._truth = truth
        self._of_histories = {path for place in places for path in paths(place)}

    def note(self, where: str, found: Truth | None) -> None:
        """Note what was read after a flip there; None where the store did not load the file."""
        if found is None:
            self.outcomes["not loaded by the store"] += 1
            return
        other = {read: answer for read, answer in found.items() if answer != self._truth[read]}
        refused = {read for read, answer in other.items() if (answer.status, answer.code) in NOTICED}
        served = {read for read in other.keys() - refused if NOT_FOUND.get(other[read].code, "?") not in where}
        wrong = {read for read in served if read[0] in self._of_histories or other[read].status >= 500}
        self.faults += sorted(f"{where}: {read[0]} was {other[read]}" for read in wrong)
        if served - wrong:
            self.beside[where.partition(" (")[0]] += 1
        lost = other.keys() - refused - served
        self.outcomes[outcome(refused=bool(refused), lost=bool(lost), beside=bool(served))] += 1


def outcome(*, refused: bool, lost: bool, beside: bool) -> str:
    """Return what became of a flip in words."""
    if refused:
        return "refused with 503 or 410"
    if lost:
        return "in a key that leads to a room or match (404)"
    return "seen beside histories" if beside else "without effect"


@pytest.mark.soak
async def test_a_flipped_bit_is_never_served_as_another_history(tmp_path: Path) -> None:
    """Whatever is said of a room's history is true or refused; what is kept beside it never ends in a 500."""
    if server_binary() is None:
        pytest.skip("no server program whose file could be changed")
    chance = random.Random(21)  # noqa: S311 - places in a file
    with running_store(ProgramServer()) as store:
        api = ApiProcess(store.url, tmp_path / "log")
        with started(api):
            async with httpx.AsyncClient(base_url=api.url, timeout=WITHIN, trust_env=False) as http:
                places = await populated(http)
        store.kill()
        [file] = (store.folder / "appendonlydir").glob("*.incr.aof")
        content = file.read_bytes()
        truth = await read_over(store.folder, file.name, content, places)
        assert truth is not None
        assert {answer.status for answer in truth.values()} <= {200, 401}
        flips, arguments = Flips(places, truth), pieces(content)
        for number in range(scaled(200)):
            place, bit = chance.randrange(len(content)), chance.randrange(8)
            where = f"{piece_at(arguments, place)} (byte {place}, bit {bit})"
            flips.note(where, await read_over(store.folder, file.name, flipped(content, place, bit), places))
            sys.stdout.write(f"  flip {number + 1} in {where}: {dict(flips.outcomes)}\n")
    assert not flips.faults, "\n".join(flips.faults)
    figures = ", ".join(f"{count} {name}" for name, count in flips.outcomes.most_common())
    places_beside = ", ".join(f"{name} {count}" for name, count in flips.beside.most_common())
    results.note(
        "history: flipped bits in the append-only file",
        f"{flips.outcomes.total()} flips, one at a time, in {len(content)} bytes, {len(truth)} reads after each: "
        f"{figures}; never a 500, never another history; seen beside histories: {places_beside or 'none'}",
    )
