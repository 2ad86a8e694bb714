"""One match of one game, from opening the room to the proofs."""

import asyncio
import secrets
import time
from collections.abc import Sequence
from random import Random

from service.programs.demo.api import Api, Json
from service.programs.demo.client import Client, Player, is_over
from service.programs.demo.display import Stage
from service.programs.demo.narration import result_words, taken
from service.programs.demo.proofs import Proof, proofs

NICKNAMES = ("Ada", "Ben", "Cleo", "Dan", "Eve", "Finn", "Gwen", "Hal")
HANGS_UP_AFTER = 3
"""The number of moves after which the last seat's client drops its socket and has to resume."""


async def play_match(api: Api, slug: str, seed: int, pause: float, stage: Stage) -> bool:
    """Play a random match of a game and return whether every proof holds."""
    game = await api.get(f"/v1/games/{slug}")
    stage.open(f"{game['title']}, for {len(seats(game))}", game["geometry"])
    began = time.monotonic()
    players, audience = await seated(api, game, seed, stage)
    await played(players, audience, pause)
    print_result(audience, [seat["colour"] for seat in seats(game)], time.monotonic() - began, stage)
    found = await proofs(slug, [player.client for player in players], audience)
    await players[0].client.command({"type": "close"})
    return print_proofs(found, stage)


def seats(game: Json) -> list[Json]:
    """Return a game's seats under its default options."""
    without_options: list[Json] = game["seats"][0]["seats"]
    return without_options


async def seated(api: Api, game: Json, seed: int, stage: Stage) -> tuple[list[Player], Client]:
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
    return players, Client(Api(api.url), room, on_view=stage.show)


async def played(players: Sequence[Player], audience: Client, pause: float) -> None:
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
                hangs_up = HANGS_UP_AFTER if player is players[-1] else None
                playing.create_task(player.play(pause, hangs_up))
        for viewer in viewers:
            await viewer.reach(is_over)
        for task in tasks:
            task.cancel()


def print_result(audience: Client, colours: Sequence[str], seconds: float, stage: Stage) -> None:
    """Print how the match ended, and its counts."""
    match, events = audience.view["match"], audience.events
    own = [event for event in events if event.get("match") == match["number"]]
    passes = sum(event["type"] == "passed" for event in own)
    stage.say(f"   {result_words(match['result'], colours)}", "bold")
    stage.say(f"   events: {len(events)}, pieces taken: {taken(own)}, passes: {passes}, seconds: {seconds:.1f}")


def print_proofs(found: Sequence[Proof], stage: Stage) -> bool:
    """Print which proofs hold, and return whether all do."""
    for proof in found:
        stage.say(f"   {'ok  ' if proof.holds else 'NOT '} {proof.claim}", "green" if proof.holds else "red")
    return all(proof.holds for proof in found)
