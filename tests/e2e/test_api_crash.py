"""The API is killed with open sockets; subscribers resume where they were."""

import time
from concurrent.futures import ThreadPoolExecutor
from threading import Event

import httpx
from websockets.exceptions import WebSocketException

from tests.e2e.client import Feed, Json, Player
from tests.e2e.conftest import StartApi
from tests.e2e.seated_rooms import seat_players, select

SPECTATORS = 4
MOVES = 120
CONNECTION_ERRORS = (WebSocketException, OSError, EOFError)
"""What a client raises when the process behind its socket is lost."""


class ResumingSubscriber:
    """Follows a match over any number of sockets, each of which resumes where the previous one ended."""

    def __init__(self, player: Player, room: str) -> None:
        """Start at the first version."""
        self.events: list[Json] = []
        self.sockets = 0
        self._player, self._room = player, room
        self._position: Json = {"since": 0}

    def read(self) -> None:
        """Read to the end of the match."""
        while not self._has_ended():
            try:
                with self._player.subscribe(self._room, state=False, **self._position) as feed:
                    self._read_feed(feed)
            except CONNECTION_ERRORS:
                time.sleep(0.05)

    def _has_ended(self) -> bool:
        return bool(self.events) and self.events[-1]["type"] == "match_ended"

    def _read_feed(self, feed: Feed) -> None:
        assert feed.next("subscribed")["recovered"]
        self.sockets += 1
        while not self._has_ended():
            frame = feed.next()
            assert frame["type"] in {"update", "caught_up"}
            if frame["type"] == "update":
                self.events += frame["events"]
                self._position = {"since": frame["version"], "mark": frame["mark"]}


def repeat_until_answered(player: Player, room: str, key: str, **command: object) -> None:
    """Send a command with its key until there is a response."""
    while True:
        try:
            response = player.post(f"/v1/rooms/{room}/commands", command, {"idempotency-key": key})
        except httpx.TransportError:
            time.sleep(0.02)
        else:
            assert response.status == 200 or response.code == "no_disc", response
            return


def test_subscribers_of_a_killed_api_receive_the_whole_history(start_api: StartApi) -> None:
    """They reconnect with `since` and `mark`; players see their own selections, and nothing is repeated or missing."""
    api, client = start_api()
    room, (red, yellow) = seat_players(client, "turncoat", 2, settings={"restart": None})
    audience = [red, yellow, *(client.anonymous() for _ in range(SPECTATORS))]
    subscribers = [ResumingSubscriber(player, room) for player in audience]
    killed_twice = Event()

    def play() -> None:
        for number in range(MOVES):
            repeat_until_answered(red if number % 2 else yellow, room, str(number), type="play", move=select(number))
        killed_twice.wait()
        repeat_until_answered(red, room, "last", type="resign")

    with ThreadPoolExecutor(len(subscribers) + 1) as pool:
        running = [pool.submit(play), *(pool.submit(subscriber.read) for subscriber in subscribers)]
        for share in (MOVES // 3, 2 * MOVES // 3):
            while min(len(subscriber.events) for subscriber in subscribers) < share and not any(
                each.done() for each in running
            ):
                time.sleep(0.005)
            api.kill()
            api.start()
        killed_twice.set()
        for each in running:
            each.result()
    for player, subscriber in zip(audience, subscribers, strict=True):
        assert subscriber.sockets == 3
        assert subscriber.events == player.get(f"/v1/rooms/{room}/events", limit=1000).body["events"]
