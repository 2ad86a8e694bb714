"""A community: people who look for matches, play, leave, resign and come back at random, by the public API alone.

Each request that changes something has a key, and is repeated with another process until its outcome is known.
"""

import asyncio
import itertools
import random
from collections import Counter
from collections.abc import Awaitable, Sequence

import httpx
import msgspec

from tests.api.tournaments import tournament_request
from tests.e2e.client import WITHOUT_TLS, Json, Player, fresh_name
from tests.e2e.recording_clients import PATIENCE, PAUSE

CLOCK: Json = {"type": "per_move", "ms": 4_000}
"""A player who is awaited and has left loses soon."""

SEATS = {"morris": 2, "turncoat": 2, "rainbow": 2, "ternio": 3, "triboard": 3}

KINDS: Sequence[Json] = (
    {"rated": True, "clock": CLOCK},
    {"rated": True, "clock": CLOCK, "spectators": False},
    {"rated": True, "clock": {"type": "fischer", "initial_ms": 60_000, "increment_ms": 5_000}, "grace_ms": 2_000},
    {"clock": CLOCK, "restart": 500},
    {"clock": CLOCK, "spectators": False},
)
"""The settings of the rooms that people open."""

UNKNOWN = frozenset({429, 500, 502, 503, 504})
"""Statuses after which a request is repeated."""


class Person:
    """Somebody who does one thing after another."""

    def __init__(self, player: Player, name: str, urls: Sequence[str], http: httpx.AsyncClient, number: int) -> None:
        """Use these API processes in turn."""
        self.player, self.name = player, name
        self.rooms = set[tuple[str, str]]()
        """The names and epochs of all rooms that this person has seen from inside."""
        self.is_going = False
        """Whether this person ends everything and begins nothing."""
        self.answers = Counter[str]()
        self._http = http
        self._urls = itertools.cycle((*urls[number % len(urls) :], *urls[: number % len(urls)]))
        self._dice = random.Random(number)  # noqa: S311 - what people do
        self._keys = itertools.count(1)

    async def get(self, path: str) -> Json:
        """Return what is read; a problem for a refusal."""
        return await self._send("GET", path, None, {})

    async def post(self, path: str, body: Json) -> Json:
        """Return the answer to a request, or a problem for a refusal."""
        return await self._send("POST", path, body, {"idempotency-key": f"{self.player.id} {next(self._keys)}"})

    async def _send(self, method: str, path: str, body: Json | None, headers: dict[str, str]) -> Json:
        own = {"authorization": f"Bearer {self.player.token}", **headers}
        while True:
            try:
                answer = await self._http.request(method, f"{next(self._urls)}{path}", headers=own, json=body)
            except httpx.TransportError:
                self.answers["no answer"] += 1
            else:
                found: Json = msgspec.json.decode(answer.content) if answer.content else {}
                self.answers["200" if answer.is_success else str(found["code"])] += 1
                if found.get("code") == "key_not_supported":
                    del own["idempotency-key"]
                elif answer.status_code not in UNKNOWN:
                    return found
            await asyncio.sleep(PAUSE)

    async def command(self, room: str, kind: str, **fields: object) -> Json:
        """Send a command to a room."""
        return await self.post(f"/v1/rooms/{room}/commands", {"type": kind, **fields})

    def chance(self, share: float) -> bool:
        """Return whether something happens that happens so often."""
        return self._dice.random() < share

    async def think(self, pause: float) -> None:
        """Wait for some seconds, `pause` on average."""
        await asyncio.sleep(self._dice.uniform(0, 2 * pause))

    async def act(self, others: Sequence[str]) -> bool:
        """Do what is to do in all rooms, or look for a match; return whether there was anything."""
        rooms = (await self.get("/v1/players/me"))["rooms"]
        for room in rooms:
            await self._act_in(room["room"])
        if not self.is_going and len(rooms) < 2:
            await self._dice.choice((self._seek, self._challenge, self._open, self._join))(others)
        if self.is_going or self.chance(0.5):
            await self._answer()
        return bool(rooms)

    async def _act_in(self, room: str) -> None:
        view = await self.get(f"/v1/rooms/{room}")
        if "epoch" not in view:  # it was closed, or this person was removed
            return
        self.rooms.add((view["room"], view["epoch"]))
        match, seats = view["match"], [seat["player"] for seat in view["seats"]]
        if match is None or match["status"] != "playing":
            gives_up = self.is_going or self.chance(0.2 if None in seats else 0.02)  # who is expected mostly stays
            await self.command(room, "leave" if gives_up else "ready")
        elif self.player.id not in seats:
            if self.is_going or self.chance(0.3):
                await self.command(room, "leave")
        elif self.is_going or self.chance(0.06):
            await self.command(room, self._dice.choice(("resign", "leave", "leave_seat")))
        elif view["offers"] and view["offers"][0]["by"] != self.player.id:
            await self.command(room, "answer", offer=view["offers"][0]["id"], accept=self.chance(0.5))
        elif self.chance(0.03):
            await self.command(room, "offer_draw")
        elif match["legal_moves"] and seats.index(self.player.id) in match["to_move"]:
            commits = [move for move in match["legal_moves"] if move["type"] == "commit"]
            await self.command(room, "play", move=self._dice.choice(commits or match["legal_moves"]))

    async def _answer(self) -> None:
        """Answer what was received, and withdraw what was made, at the end."""
        found = await self.get("/v1/players/me/challenges")
        for challenge in found["received"]:
            verb = "accept" if not self.is_going and self.chance(0.7) else "decline"
            await self.post(f"/v1/challenges/{challenge['id']}/{verb}", {})
        if self.is_going:
            for challenge in found["made"]:
                await self._send("DELETE", f"/v1/challenges/{challenge['id']}", None, {})
            for seek in (await self.get("/v1/players/me/seeks"))["seeks"]:
                await self._send("DELETE", f"/v1/seeks/{seek['id']}", None, {})

    async def _seek(self, _: Sequence[str]) -> None:
        game = self._dice.choice(("morris", "morris", "turncoat", "ternio"))
        await self.post("/v1/seeks", {"game": game, "clock": CLOCK, "rated": self.chance(0.7)})

    async def _challenge(self, others: Sequence[str]) -> None:
        game = self._dice.choice(list(SEATS))
        asked = self._dice.sample([each for each in others if each != self.player.id], SEATS[game] - 1)
        await self.post("/v1/challenges", {"game": game, "opponents": asked, "clock": CLOCK, "rated": self.chance(0.5)})

    async def _open(self, _: Sequence[str]) -> None:
        settings = {"start": self._dice.choice(("full", "ready")), **self._dice.choice(KINDS)}
        nickname = {"nickname": f"{self.name}'s guest"} if self.chance(0.2) else {}
        game = self._dice.choice(list(SEATS))
        await self.post("/v1/rooms", {"game": game, "name": fresh_name(), "settings": settings, **nickname})

    async def _join(self, _: Sequence[str]) -> None:
        lobby = (await self.get("/v1/rooms?status=open"))["rooms"]
        if lobby:
            nickname = {"nickname": f"{self.name} {self._dice.randint(2, 4)}"} if self.chance(0.3) else {}
            await self.command(self._dice.choice(lobby)["room"], "join", **nickname)


class Community:
    """Some people, and the tournaments that they play."""

    def __init__(self, players: Sequence[Player], names: Sequence[str], urls: Sequence[str], pause: float) -> None:
        """Let everybody do something about once in `pause` seconds."""
        self.http = httpx.AsyncClient(verify=WITHOUT_TLS, timeout=PATIENCE, trust_env=False)
        self.people = [
            Person(*each, urls, self.http, number) for number, each in enumerate(zip(players, names, strict=True))
        ]
        self.tournaments: list[str] = []
        self._pause = pause

    async def live(self, person: Person) -> None:
        """Let somebody act until everybody goes and nothing is left."""
        others = [each.player.id for each in self.people]
        while await person.act(others) or not person.is_going or await self._plays_on(person):
            await person.think(self._pause)

    async def _plays_on(self, person: Person) -> bool:
        """Return whether a tournament in which somebody takes part is not over."""
        found = (await person.get(f"/v1/tournaments?player={person.player.id}"))["tournaments"]
        return bool(found)

    async def hold(self, organiser: Person, entrants: Sequence[Person], **terms: object) -> None:
        """Create a tournament, in which some people play; a few withdraw."""
        made = await organiser.post("/v1/tournaments", tournament_request(**terms))
        name = str(made["tournament"]["id"])
        self.tournaments.append(name)
        path = f"/v1/tournaments/{name}/commands"
        for person in entrants:
            await person.post(path, {"type": "register"})
        await organiser.post(path, {"type": "begin"})

    async def wind_up(self, doing: Awaitable[object]) -> None:
        """Let everybody end what they do."""
        for person in self.people:
            person.is_going = True
        await doing
