"""A flipped bit in the append-only file: every read returns what it returned before, or an error."""

import random
import shutil
import sys
import tempfile
from collections import Counter
from pathlib import Path

import httpx
import pytest

from service.programs.embedded_store import server_binary
from tests.e2e import results
from tests.e2e.aof import describe_argument, parse_arguments
from tests.e2e.api_reads import ReadableRoom, Reading, api_client, read_all, room_paths
from tests.e2e.client import Json, fresh_name
from tests.e2e.processes import ApiProcess, run_processes
from tests.e2e.recording_clients import Guest
from tests.e2e.study import scaled
from tests.store_server import ProgramServer, run_server
from tests.waiting import PATIENCE

NOT_FOUND = {"no_such_room": " name "}
"""Problem codes that a flip in these keys may cause: they index rooms by name."""

REFUSALS = frozenset({(503, "history_damaged"), (503, "store_unavailable"), (410, "trimmed")})
"""Refusals that a flip may cause. A stream whose first entries are missing looks like one that was trimmed."""

MOVES = {"turncoat": 6, "morris": 14, "rainbow": 8}
"""How many moves are made in a room of each game, in its second match; the first one ends by resignation."""

Reads = dict[tuple[str, str], Reading]


async def populate(http: httpx.AsyncClient) -> list[ReadableRoom]:
    """Play some moves in a room of each game, and chat."""
    return [await play_room(http, game, moves) for game, moves in MOVES.items()]


async def play_room(http: httpx.AsyncClient, game: str, moves: int) -> ReadableRoom:
    """Play a match that ends by resignation, and some moves of the next one."""
    guests = [await new_guest(http, name) for name in ("Ada", "Ben")]
    room = fresh_name()
    settings = {"start": "ready", "restart": None}
    await post(http, "/v1/rooms", guests[0], {"game": game, "name": room, "settings": settings})
    commands = f"/v1/rooms/{room}/commands"
    await post(http, commands, guests[1], {"type": "join"})
    for each in guests:
        await post(http, commands, each, {"type": "ready"})
    await post(http, commands, guests[0], {"type": "resign"})
    for each in guests:
        await post(http, commands, each, {"type": "ready"})
    made = 0
    while made < moves:
        for each in guests:
            legal_moves = (await http.get(f"/v1/rooms/{room}/legal-moves", headers=each.headers)).json()["legal_moves"]
            if legal_moves:
                await post(http, commands, each, {"type": "play", "move": legal_moves[made % len(legal_moves)]})
                made += 1
    await post(http, f"/v1/rooms/{room}/chat", guests[0], {"text": "well played"})
    matches = (await http.get(f"/v1/rooms/{room}/matches")).json()["matches"]
    version = (await http.get(f"/v1/rooms/{room}")).json()["version"]
    return ReadableRoom(room, version, tuple(match["id"] for match in matches), tuple(guests))


async def new_guest(http: httpx.AsyncClient, nickname: str) -> Guest:
    """Create a guest."""
    guest = (await http.post("/v1/players", json={"nickname": nickname})).json()
    return Guest(guest["player"]["id"], guest["token"])


async def post(http: httpx.AsyncClient, path: str, by: Guest, body: Json) -> None:
    """Send a request that must be accepted."""
    response = await http.post(path, json=body, headers=by.headers)
    assert response.is_success, response.text


def flip(content: bytes, offset: int, bit: int) -> bytes:
    """Return a file with one bit changed."""
    changed = bytearray(content)
    changed[offset] ^= 1 << bit
    return bytes(changed)


async def read_with(folder: Path, log: str, content: bytes, rooms: list[ReadableRoom]) -> Reads | None:
    """Return every response of an API over a store with this file, None where the store cannot load it."""
    copy = Path(tempfile.mkdtemp(prefix="turnstream-"))
    shutil.copytree(folder / "appendonlydir", copy / "appendonlydir")
    (copy / "appendonlydir" / log).write_bytes(content)
    try:
        with run_server(ProgramServer(folder=copy)) as store:
            async with api_client(store.url) as http:
                return await read_all(http, rooms)
    except TimeoutError:
        return None


class FlipResults:
    """The effects of each flip: outcomes, wrong responses about histories, and differences in other responses."""

    def __init__(self, rooms: list[ReadableRoom], expected: Reads) -> None:
        """Compare with the responses before the flips."""
        self.outcomes = Counter[str]()
        self.faults: list[str] = []
        self.other_changes = Counter[str]()
        self._expected = expected
        self._history_paths = {path for room in rooms for path in room_paths(room)}

    def record(self, location: str, found: Reads | None) -> None:
        """Record the responses after a flip; None where the store could not load the file."""
        if found is None:
            self.outcomes["not loaded by the store"] += 1
            return
        changed = {read: response for read, response in found.items() if response != self._expected[read]}
        refused = {read for read, response in changed.items() if (response.status, response.code) in REFUSALS}
        served = {read for read in changed.keys() - refused if NOT_FOUND.get(changed[read].code, "?") not in location}
        wrong = {read for read in served if read[0] in self._history_paths or changed[read].status >= 500}
        self.faults += sorted(f"{location}: {read[0]} was {changed[read]}" for read in wrong)
        if served - wrong:
            self.other_changes[location.partition(" (")[0]] += 1
        lost = changed.keys() - refused - served
        self.outcomes[describe_outcome(refused=bool(refused), lost=bool(lost), elsewhere=bool(served))] += 1


def describe_outcome(*, refused: bool, lost: bool, elsewhere: bool) -> str:
    """Return the effect of a flip as a text."""
    if refused:
        return "refused with 503 or 410"
    if lost:
        return "in a key that leads to a room (404)"
    return "seen beside histories" if elsewhere else "without effect"


@pytest.mark.soak
async def test_a_flipped_bit_is_never_served_as_another_history(tmp_path: Path) -> None:
    """A room's history is returned unchanged or refused; other data never cause a 500."""
    if server_binary() is None:
        pytest.skip("no server program whose file could be changed")
    chance = random.Random(21)  # noqa: S311 - places in a file
    with run_server(ProgramServer()) as store:
        api = ApiProcess(store.url, tmp_path / "log")
        with run_processes(api):
            async with httpx.AsyncClient(base_url=api.url, timeout=PATIENCE, trust_env=False) as http:
                rooms = await populate(http)
        store.kill()
        [file] = (store.folder / "appendonlydir").glob("*.incr.aof")
        content = file.read_bytes()
        expected = await read_with(store.folder, file.name, content, rooms)
        assert expected is not None
        assert {response.status for response in expected.values()} <= {200, 401}
        flips, arguments = FlipResults(rooms, expected), parse_arguments(content)
        for number in range(scaled(200)):
            offset, bit = chance.randrange(len(content)), chance.randrange(8)
            location = f"{describe_argument(arguments, offset)} (byte {offset}, bit {bit})"
            flips.record(location, await read_with(store.folder, file.name, flip(content, offset, bit), rooms))
            sys.stdout.write(f"  flip {number + 1} in {location}: {dict(flips.outcomes)}\n")
    assert not flips.faults, "\n".join(flips.faults)
    figures = ", ".join(f"{count} {name}" for name, count in flips.outcomes.most_common())
    other_locations = ", ".join(f"{name} {count}" for name, count in flips.other_changes.most_common())
    results.record_result(
        "history: flipped bits in the append-only file",
        f"{flips.outcomes.total()} flips, one at a time, in {len(content)} bytes, {len(expected)} reads after each: "
        f"{figures}; never a 500, never another history; seen beside histories: {other_locations or 'none'}",
    )
