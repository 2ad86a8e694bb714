"""Webhooks of a process, and an endpoint that checks and records what it receives."""

import asyncio
import itertools
import time
from collections.abc import Sequence
from ipaddress import ip_network
from typing import Any, Self

import msgspec
from standardwebhooks import Webhook as Verifier
from standardwebhooks import WebhookVerificationError

from service.domain.ids import Epoch, Millis, PlayerId, RoomName, Version
from service.domain.players.kind import PlayerState
from service.domain.room.model.notices import TurnBegan
from service.domain.streams import Change, Source
from service.domain.webhooks.model import Webhook
from service.people.fetching.fetcher import Fetcher, FetchPolicy, Network
from service.people.player_service import PlayerService, player_key
from service.people.webhooks.messages import SecretKeys
from service.people.webhooks.operator import OperatorEvents
from service.people.webhooks.sender import WebhookSender
from service.people.webhooks.service import OwnedWebhook, WebhookService
from service.streams.processor import Decide
from tests.people.fetching.receiver import Received, receiving, status
from tests.rooms.processes import ANNA, MARK_KEY, Process
from tests.waiting import PATIENCE

KEY = b"the key of all secrets of webhooks"
TOGETHER = 100
"""How many events are appended in one step."""

IDS = itertools.count(1)
LOCAL: tuple[Network, ...] = (ip_network("127.0.0.0/8"),)


async def local(_host: str, _port: int) -> Sequence[str]:
    """Resolve every host to this machine."""
    return ["127.0.0.1"]


def appending(changes: Sequence[Change]) -> Decide[PlayerState]:
    """Return the decision to append events."""
    return lambda _state, _now: changes


class Hooks:
    """One process that serves webhooks and sends to them."""

    def __init__(self, process: Process, keys: Sequence[bytes] = (KEY,)) -> None:
        """Serve the store of a process of rooms."""
        self.process = process
        self.fetcher = Fetcher(FetchPolicy(allows_http=True, networks=LOCAL), "test", resolve=local, seconds=PATIENCE)
        self.players = PlayerService(
            process.heartbeat, process.clock.now, MARK_KEY, process.rooms, address=OperatorEvents(process.store).address
        )
        self.service = WebhookService(
            process.store,
            process.clock,
            self.players,
            SecretKeys(keys),
            lambda: f"w-{next(IDS)}",
            allows_http=True,
        )
        self.sender = WebhookSender(self.service, self.fetcher, time.time)

    async def work(self) -> int:
        """Do what is due now, as the worker does; return for how many owners something was due."""
        served = 0
        while claimed := await self.service.claim_due(self.process.clock.now(), Millis(1500), 10):
            for key in claimed:
                await self.sender.proceed(key)  # type: ignore[arg-type]  # nothing else is claimed
                served += 1
        return served

    async def add(self, endpoint: "Endpoint", owner: PlayerId = ANNA.id, *events: str) -> OwnedWebhook:
        """Register an endpoint, which then checks signatures."""
        made = await self.service.add(owner, endpoint.url, events)
        endpoint.verifiers = [Verifier(made.secret)]
        return made

    async def happen(self, count: int = 1, owner: PlayerId = ANNA.id) -> None:
        """Let something happen to an owner, several times."""
        turn = TurnBegan(RoomName("room"), Epoch("e1"), "morris", 1, ())
        change = Change(turn, Source("room:e1", Version(1)))
        for left in range(count, 0, -TOGETHER):
            await self.players._processor.execute(player_key(owner), appending([change] * min(left, TOGETHER)))

    async def pass_time(self, millis: int) -> None:
        """Let time pass, and do what is due."""
        self.process.clock.time = Millis(self.process.clock.time + millis)
        await self.work()

    async def one(self, owner: PlayerId = ANNA.id) -> Webhook:
        """Return the first webhook of an owner."""
        return (await self.service.of(owner))[0]

    async def close(self) -> None:
        """Finish all background work."""
        await self.fetcher.close()
        await self.service.close()


class Endpoint:
    """An endpoint as its owner writes it: it verifies, echoes challenges and records events."""

    def __init__(self) -> None:
        """Accept everything."""
        self.verifiers: list[Verifier] = []
        self.messages: list[dict[str, Any]] = []
        """What was received with a valid signature, in order."""
        self.ids: list[str] = []
        """The ids of these messages."""
        self.statuses: list[int] = []
        """The next answers to events; 204 after them."""
        self.echoes = True
        """Whether challenges are echoed."""
        self.held: asyncio.Event | None = None
        """Where set, events are answered only after it."""
        self.reached = asyncio.Event()
        """Set when an event arrives."""
        self.port = 0
        self._last: Received | None = None
        self._serving: Any = None

    async def __aenter__(self) -> Self:
        self._serving = receiving(self.answer)
        self.port = (await self._serving.__aenter__()).port
        return self

    async def __aexit__(self, *failure: object) -> None:
        await self._serving.__aexit__(*failure)

    @property
    def url(self) -> str:
        """The URL of the endpoint."""
        return f"http://hooks.example:{self.port}/in"

    @property
    def types(self) -> list[str]:
        """The types of the messages."""
        return [message["type"] for message in self.messages]

    @property
    def versions(self) -> list[int]:
        """The versions of the events in the messages."""
        return [message["data"]["version"] for message in self.messages if "version" in message["data"]]

    def verifies(self, verifier: Verifier) -> bool:
        """Return whether the latest request has a signature by this secret."""
        assert self._last is not None
        try:
            verifier.verify(self._last.body, self._last.headers)
        except WebhookVerificationError:
            return False
        return True

    async def answer(self, request: Received, writer: asyncio.StreamWriter) -> None:
        """Answer a request; one that a secret does not verify is an error of the test."""
        for verifier in self.verifiers:
            verifier.verify(request.body, request.headers)
        message = msgspec.json.decode(request.body)
        self.messages.append(message)
        self.ids.append(request.headers["webhook-id"])
        self._last = request
        if message["type"] == "webhook_challenge":
            challenge = message["data"]["challenge"] if self.echoes else ""
            await status(200, msgspec.json.encode({"challenge": challenge}))(request, writer)
        else:
            self.reached.set()
            if self.held is not None:
                await self.held.wait()
            await status(self.statuses.pop(0) if self.statuses else 204)(request, writer)
