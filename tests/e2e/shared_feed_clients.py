"""Clients that follow what `/v1/feed` offers through every fault, and record what it delivers."""

import asyncio
import itertools
from abc import ABC, abstractmethod
from collections.abc import Sequence

import jsonpatch
import msgspec
from websockets.asyncio.client import ClientConnection, connect

from tests.e2e.client import Json, Player
from tests.e2e.history import Delivery, Subscriber
from tests.e2e.recording_clients import CONNECTION_ERRORS, PAUSE, encode
from tests.e2e.tournament_history import ShownView


class SharedFeedClient(ABC):
    """Subscribes again, by the next API process, whenever a connection is lost."""

    def __init__(self, urls: Sequence[str]) -> None:
        """Use these API processes in turn."""
        self._urls = itertools.cycle(urls)

    @property
    @abstractmethod
    def request(self) -> Json:
        """What the next subscription asks for."""

    @abstractmethod
    def receive(self, frame: Json) -> None:
        """Record what a frame delivers."""

    async def follow(self) -> None:
        """Follow until cancelled."""
        while True:
            try:
                address = f"{next(self._urls).replace('http', 'ws', 1)}/v1/feed"
                async with connect(address, compression=None, proxy=None) as socket:
                    await self._run(socket)
            except CONNECTION_ERRORS:
                await asyncio.sleep(PAUSE)

    async def _run(self, socket: ClientConnection) -> None:
        await socket.send(encode({"type": "subscribe", **self.request}))
        async for text in socket:
            frame: Json = msgspec.json.decode(text)
            if frame["type"] == "error":  # 503 while the store is unavailable: subscribe again
                await asyncio.sleep(PAUSE)
                return
            self.receive(frame)


class OwnFeedClient(SharedFeedClient):
    """Follows a player's own feed."""

    def __init__(self, urls: Sequence[str], player: Player) -> None:
        """Start at the first version."""
        super().__init__(urls)
        self.player = player
        self.recorded = Subscriber("@me", player.id)
        self._position: Json = {"since": 0}

    @property
    def request(self) -> Json:
        """Everything after the last frame."""
        return {"me": True, "token": self.player.token, **self._position}

    def receive(self, frame: Json) -> None:
        """Record the events of a frame."""
        if frame["type"] in {"player_update", "player_snapshot"}:
            self._position = {"since": frame["version"], "mark": frame["mark"]}
            events, reason = tuple(frame.get("events", ())), frame.get("reason", "")
            self.recorded.deliveries.append(Delivery(frame["version"], events, reason))

    @property
    def version(self) -> int:
        """The version of the last frame."""
        return int(self._position["since"])


class TournamentSubscriber(SharedFeedClient):
    """Follows a tournament, and patches its view."""

    def __init__(self, urls: Sequence[str], tournament: str) -> None:
        """Start without a view."""
        super().__init__(urls)
        self.tournament = tournament
        self.views = list[ShownView]()

    @property
    def request(self) -> Json:
        """The tournament, from its current view on."""
        return {"tournament": self.tournament}

    def receive(self, frame: Json) -> None:
        """Record the view of a frame. A patch of another view is not applied, and the checker finds it."""
        if frame["type"] == "tournament_snapshot":
            self.views.append(ShownView(frame["version"], frame["view"]))
        elif frame["type"] == "tournament_update":
            view = self.views[-1].view
            if frame["from"] == self.version:
                view = jsonpatch.apply_patch(view, frame["patch"])
            self.views.append(ShownView(frame["version"], view, frame["from"]))

    @property
    def version(self) -> int:
        """The version of the last view."""
        return self.views[-1].version if self.views else 0

    @property
    def round(self) -> int:
        """The number of the latest round."""
        return int(self.views[-1].view["tournament"]["round"]) if self.views else 0
