"""One match of one game, from opening the room to the proofs.

They show that what the clients received of the match agrees: sockets, history and export.
"""

import asyncio
import secrets
import sys
from collections.abc import Sequence
from random import Random
from urllib.parse import quote

from service.programs.demo.api import Api, Json, history, room_path
from service.programs.demo.client import Client, Player, is_over
from service.programs.replay.checking import Check, checked, say
from service.programs.replay.screen import Screen
from service.programs.replay.source import match_from
from service.programs.replay.watching import frames, shown_of


async def proofs(players: Sequence[Client], audience: Client) -> list[Check]:
    """Return the checks of one match that has ended."""
    viewers = [*players, audience]
    return [sockets(viewers), await stream(viewers), await look_back(viewers), await export(audience.api, audience)]


def sockets(clients: Sequence[Client]) -> Check:
    """Check that every socket sent each version once and in order, also the one that was resumed."""
    last = clients[0].view["version"]
    faults = [fault for client in clients if (fault := version_errors([e["version"] for e in client.events], last))]
    resumed = sum(client.resumed for client in clients)
    claim = f"{len(clients)} sockets sent versions 1 to {last} without a gap or a duplicate; {resumed} had been resumed"
    return Check("feed", not faults, "; ".join([claim, *faults]))


def version_errors(versions: Sequence[int], last: int) -> str:
    """Return what is wrong with the versions received over a socket; "" if they are 1 to `last`, each once."""
    missing = sorted(set(range(1, last + 1)) - set(versions))
    double = sorted({version for version in versions if versions.count(version) > 1})
    unruly = list(versions) != sorted(versions)
    faults = (("missing", missing), ("double", double), ("out of order", list(versions) if unruly else []))
    return ", ".join(f"{fault}: {about}" for fault, about in faults if about)


async def stream(clients: Sequence[Client]) -> Check:
    """Check for each viewer that the history over HTTP equals the events of the socket."""
    equal = [await history(client.api, client.room) == client.events for client in clients]
    claim = f"GET .../events returns each viewer the same {len(clients[0].events)} events as the socket"
    return Check("events", all(equal), claim)


async def look_back(clients: Sequence[Client]) -> Check:
    """Check that the server's own replay up to the last version leads to the match that each socket showed."""
    last = clients[0].view["version"]
    views = [await client.api.get(room_path(client.room, f"?at={last}")) for client in clients]
    same = [view["match"] == client.view["match"] for view, client in zip(views, clients, strict=True)]
    return Check("view", all(same), f"GET ...?at={last} shows the same final position")


async def export(api: Api, audience: Client) -> Check:
    """Check that the match's export has the same events."""
    match = audience.view["match"]
    lines = await api.get(f"/v1/matches/{quote(match['id'])}/export")
    own = [event for event in audience.events if event.get("match") == match["number"]]
    return Check("export", lines == own, f"/v1/matches/{match['id']}/export has the match's {len(own)} events")


NICKNAMES = ("Ada", "Ben", "Cleo", "Dan", "Eve", "Finn", "Gwen", "Hal")
HANGS_UP_AFTER = 3
"""The number of moves after which the last seat's client drops its socket and has to resume."""


async def play_match(api: Api, slug: str, seed: int, pause: float) -> list[Check]:
    """Play a random match of a game, show it with `pause` seconds after each board, and return what was checked."""
    game = await api.get(f"/v1/games/{slug}")
    say(f"\nPlaying {game['title']}, for {len(seats(game))} ...")
    players, audience = await seated(api, game, seed)
    await played(players, audience)
    place = f"{api.url}/v1/matches/{quote(audience.view['match']['id'])}"
    await show(place, pause)
    _, found = await asyncio.to_thread(checked, place)
    found += await proofs([player.client for player in players], audience)
    await players[0].client.command({"type": "close"})
    return found


def seats(game: Json) -> list[Json]:
    """Return a game's seats under its default options."""
    without_options: list[Json] = game["seats"][0]["seats"]
    return without_options


async def seated(api: Api, game: Json, seed: int) -> tuple[list[Player], Client]:
    """Make a guest for each seat, open a room as the first of them and let the others join it by its name."""
    room = f"demo-{game['slug']}-{secrets.token_hex(3)}"
    players = []
    for seat in range(len(seats(game))):
        guest = await api.post("/v1/players", {"nickname": NICKNAMES[seat % len(NICKNAMES)] + "*" * (seat // 8)})
        client = Client(Api(api.url, guest["token"]), room)
        if seat == 0:
            settings = {"restart": None}
            await client.api.post("/v1/rooms", {"game": game["slug"], "name": room, "settings": settings})
        else:
            await client.command({"type": "join"})
        chance = Random(f"{seed} {game['slug']} {seat}")  # noqa: S311 - a game, not a secret
        players.append(Player(client, guest["player"]["id"], chance))
    return players, Client(Api(api.url), room)


async def played(players: Sequence[Player], audience: Client) -> None:
    """Let all players follow the room, declare ready and play to the end."""
    viewers = [*(player.client for player in players), audience]
    async with asyncio.TaskGroup() as following:
        tasks = [following.create_task(viewer.follow()) for viewer in viewers]
        for viewer in viewers:
            await viewer.reach(lambda view: len(view["players"]) == len(players))
        for player in players:
            await player.client.command({"type": "ready", "salt": "demo"})
        async with asyncio.TaskGroup() as playing:
            for player in players:
                playing.create_task(player.play(HANGS_UP_AFTER if player is players[-1] else None))
        for viewer in viewers:
            await viewer.reach(is_over)
        for task in tasks:
            task.cancel()


async def show(place: str, pause: float) -> None:
    """Show the match at an address: every board if there is a pause after each, else the last one."""
    shown = shown_of(await asyncio.to_thread(match_from, place))
    screen = Screen(sys.stdout, shown.seats)
    boards = list(frames(shown))
    for frame in boards if pause else boards[-1:]:
        screen.show(frame.events, frame.board)
        await asyncio.sleep(pause)
    screen.say(shown.ends)
