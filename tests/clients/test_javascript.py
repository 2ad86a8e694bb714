"""The JavaScript library against a real service, by programs that Node runs."""

import asyncio
import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from turnstream_client.schema import (
    CloseCommand,
    JoinCommand,
    MorrisOpenRoomRequest,
    OpenRoomRequest,
    TurncoatOpenRoomRequest,
)

from service.domain.catalog import GAMES, texts_of
from tests.clients.cutting_proxy import CuttingProxy
from tests.clients.node import FLAGS, LIBRARY, NODE, VERSION, install_library, needs_node
from tests.clients.patch_cases import IMPOSSIBLE, PATCHES
from tests.clients.test_python import FULL, PRINTED, REQUESTS, ROOT, guest, stored
from tests.e2e.processes import ApiProcess, run_processes
from tests.store_server import StoreServer

NPM = shutil.which("npm")
TSC = ROOT / ".venv/node/node_modules/.bin"
PROGRAMS = Path(__file__).parent / "javascript"
README = (ROOT / "clients/javascript/README.md").read_text()


pytestmark = needs_node


async def start(program: Path, *arguments: str) -> asyncio.subprocess.Process:
    """Start a program in Node."""
    command = [NODE, *FLAGS, str(program), *arguments]
    pipe = asyncio.subprocess.PIPE
    return await asyncio.create_subprocess_exec(*command, stdin=pipe, stdout=pipe, cwd=program.parent)


async def printed(process: asyncio.subprocess.Process) -> Any:
    """End a program's input, wait until it ends, and return the JSON that it printed."""
    output, _ = await process.communicate(b"")
    assert process.returncode == 0
    return json.loads(output)


def at_rest(view: dict[str, Any]) -> dict[str, Any]:
    """Return a view without what changes although nothing happens in the room."""
    players = [{**player, "presence": None} for player in view["players"]]
    return {**view, "players": players, "watchers": None, "server_time": None}


@pytest.mark.parametrize("request_", REQUESTS, ids=lambda request: request.game)
async def test_a_match_of_every_game(url: str, request_: OpenRoomRequest) -> None:
    """Each seat follows and moves by a program of its own; the view kept by patches is the one sent in full."""
    async with await guest(url, "Ada") as ada:
        opened = await ada.open_room(request_)
        tokens = [ada.token]
        for number in range(1, len(opened.view.seats)):
            async with await guest(url, f"Guest {number}") as other:
                await other.send(opened.room, JoinCommand())
                tokens.append(other.token)
        started = [await start(PROGRAMS / "play.js", url, str(token), opened.room) for token in tokens]
        results = await asyncio.gather(*map(printed, started))
        view = await ada.view(opened.room)
    assert view.match is not None
    assert view.match.result is not None
    for patched, whole in results:
        assert at_rest(patched) == at_rest(whole)
        assert whole["match"]["result"]["winners"] == view.match.result.winners


@pytest.mark.parametrize("cuts", [20, pytest.param(1000, marks=[pytest.mark.soak, pytest.mark.timeout(900)])])
async def test_cut_connections_lose_and_double_nothing(url: str, cuts: int) -> None:
    """No gap, no version twice, no command executed twice, whenever a connection breaks."""
    async with CuttingProxy(cuts, most=12_000, seed=cuts).serve(url) as proxy, await guest(url, "Ada") as ada:
        opened = await ada.open_room(TurncoatOpenRoomRequest(settings=FULL))
        async with await guest(url, "Ben") as ben:
            await ben.send(opened.room, JoinCommand())
            program, room = PROGRAMS / "select.js", opened.room
            by_socket = await start(program, proxy.url, str(ada.token), room, "socket")
            by_request = await start(program, proxy.url, str(ben.token), room, "request")
            await proxy.enough.wait()
            did = dict(zip((ada, ben), await asyncio.gather(printed(by_socket), printed(by_request)), strict=True))
            history = {client: await stored(url, client, room) for client in did}
    assert proxy.cuts >= cuts
    for client, done in did.items():
        expected = [[event["version"], event["type"]] for event in history[client][done["first"] :]]
        assert done["heard"] == expected
        known = {str(event["version"]): event["at"] for event in history[client] if "at" in event}
        assert known == done["selected"]


async def test_a_command_is_sent_again_as_soon_as_the_feed_has_reconnected(
    shared_server: StoreServer, tmp_path: Path
) -> None:
    """Not after the pause that it waits for, and it is executed once."""
    api = ApiProcess(shared_server.url, tmp_path / "log")
    with run_processes(api):
        async with await guest(api.url, "Ada") as ada:
            opened = await ada.open_room(MorrisOpenRoomRequest(settings=FULL))
            process = await start(PROGRAMS / "resend.js", api.url, str(ada.token), opened.room)
            assert process.stdout is not None
            assert await process.stdout.readline() == b'"following"\n'
            api.kill()
            assert await process.stdout.readline() == b'"waiting"\n'
            api.start()
            assert (await printed(process))["version"] == opened.version + 1
            assert (await ada.view(opened.room)).version == opened.version + 1


async def test_a_refusal_has_its_code(url: str) -> None:
    """As an error, over HTTP and over the socket; without a server, patience ends."""
    codes = await printed(await start(PROGRAMS / "refusals.js", url))
    refused = ["404 no_such_room", "404 no_such_room", "409 already_joined"]
    assert codes == [*refused, "unreachable", "unreachable", "ended"]


async def test_a_client_has_a_language(url: str) -> None:
    """That of the games' texts; without one the service answers in English."""
    taglines = await printed(await start(PROGRAMS / "languages.js", url))
    assert taglines == [GAMES["ternio"].texts.tagline, texts_of(GAMES["ternio"], "de").tagline]


async def test_the_readmes_bot_plays_as_printed(url: str, tmp_path: Path) -> None:
    """In ten lines, from an installed package, and it ends when the room closes."""
    [bot, *_] = re.findall(r"^```javascript\n(.*?)^```", README, re.MULTILINE | re.DOTALL)
    assert len([line for line in bot.splitlines() if line.strip()]) <= 10
    install_library(tmp_path)
    (tmp_path / "bot.mjs").write_text(bot.replace(PRINTED, url))
    async with await guest(url, "Ada") as ada:
        await ada.open_room(MorrisOpenRoomRequest(name="Friday Night", settings=FULL))
        process = await start(tmp_path / "bot.mjs")
        player = await start(PROGRAMS / "play.js", url, str(ada.token), "friday-night")
        assert (await printed(player))[1]["match"]["result"]["reason"]
        await ada.send("friday-night", CloseCommand())
        await process.communicate()
    assert process.returncode == 0


async def test_one_player_sees_several_seats_in_turn(url: str) -> None:
    """In a room of the lobby: each selection only for its seat, and every event once."""
    done = await printed(await start(PROGRAMS / "hot_seat.js", url))
    assert all(done["selections"])
    assert done["versions"] == [1, 2]
    assert done["said"] == ["good luck", "good luck"]
    assert (done["rooms"], done["done"]) == (1, True)


async def test_patches_are_applied_as_the_standard_says() -> None:
    """To the same values as by an independent implementation; a path that leads nowhere is refused."""
    process = await start(PROGRAMS / "patch.js")
    cases = [*PATCHES, *[(value, patch, None) for value, patch in IMPOSSIBLE]]
    output, _ = await process.communicate(json.dumps([case[:2] for case in cases]).encode())
    assert process.returncode == 0
    assert json.loads(output) == [None if result is None else [result[0]] for *_, result in cases]


USES_TYPES = """
import { Client } from 'turnstream-client';
import type { TernioMove } from 'turnstream-client/schema';
export const move: TernioMove = { type: 'place', at: 'c3' };
const view = await new Client('http://127.0.0.1:8000').view('any');
if (view.game === 'ternio') view.match?.state.board.at(0)?.length;
"""
needs_npm = pytest.mark.skipif(NPM is None, reason="npm is not installed")
needs_tsc = pytest.mark.skipif(not (TSC / "tsc").exists(), reason="tsc is not installed: make .venv/node.stamp")


@needs_npm
@needs_tsc
def test_the_package_installs_without_a_build(tmp_path: Path) -> None:
    """From a copy of the repository's folder, and a program in TypeScript finds the types."""
    shutil.copytree(LIBRARY, tmp_path / "clients/javascript")
    environment = {"PATH": f"{Path(NODE).parent}:/usr/bin:/bin", "HOME": str(tmp_path)}
    install = [NPM or "npm", "install", "--silent", "--offline", "./clients/javascript"]
    subprocess.run(install, cwd=tmp_path, env=environment, check=True)
    (tmp_path / "use.mts").write_text(USES_TYPES)
    options = ["--strict", "--noEmit", "--target", "es2023", "--module", "nodenext", "--types", ""]
    subprocess.run([TSC / "tsc", *options, "use.mts"], cwd=tmp_path, check=True)


@needs_tsc
def test_the_committed_declarations_are_up_to_date(tmp_path: Path) -> None:
    """Otherwise run `make openapi`."""
    project = LIBRARY / "tsconfig.types.json"
    subprocess.run([TSC / "tsc", "--project", project, "--declarationDir", tmp_path], check=True)
    written = {path.relative_to(tmp_path): path.read_text() for path in tmp_path.rglob("*.d.ts")}
    committed = {path.relative_to(LIBRARY / "types"): path.read_text() for path in (LIBRARY / "types").rglob("*.d.ts")}
    del committed[Path("schema.d.ts")]  # refers to the generated one
    assert committed == written


def test_a_node_without_sockets_is_refused_with_the_one_that_is_needed() -> None:
    """At once, and not at the first connection."""
    program = f"import('{LIBRARY}/client.js').then(({{ Client }}) => new Client('http://127.0.0.1:8000'))"
    flags = ["--no-experimental-websocket"] if VERSION >= 22 else []
    done = subprocess.run([NODE, *flags, "-e", program], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "turnstream-client needs WebSocket: use Node 22 or later, Deno or a browser." in done.stderr


async def test_players_are_invited(url: str) -> None:
    """Into a private room, as a new guest."""
    done = await printed(await start(PROGRAMS / "invitations.js", url))
    assert done["view"] == ["Ada", "ternio", None, 2]
    assert (done["same"], done["listed"]) == ([True, True], [1, 1])
    assert done["seats"] == [False, False, True]
    assert done["found"] == [True, False], "a room to join, and no match to watch"


async def test_a_match_that_is_over_can_be_reviewed(url: str) -> None:
    """Its positions from all pages, one of them, its text, and a review that bots make of it."""
    done = await printed(await start(PROGRAMS / "analysis.js", url))
    assert done.pop("paged") == [6, "analysis", "analysis?cursor=1000"]
    assert done == {"plies": 2, "ply": 1, "isAsked": True, "text": "turnstream match 1"}
