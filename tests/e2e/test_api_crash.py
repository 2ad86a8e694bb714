"""The API dies with sockets open; whoever followed a room comes back with the place where they were."""

import time
from concurrent.futures import ThreadPoolExecutor

import httpx
from websockets.exceptions import WebSocketException

from tests.e2e.client import Feed, Json, Player
from tests.e2e.conftest import StartApi
from tests.e2e.tables import seated, select

SPECTATORS = 4
MOVES = 120
CUT_OFF = (WebSocketException, OSError, EOFError)
"""What a client meets when the process behind its socket has gone."""


class Reader:
    """Follows a match over any number of sockets, each of which takes up where the last one was cut off."""

    def __init__(self, player: Player, room: str) -> None:
        """Begin at the first version."""
        self.events: list[Json] = []
        self.sockets = 0
        self._player, self._room = player, room
        self._place: Json = {"since": 0}

    def read(self) -> None:
        """Read to the end of the match."""
        while not self._has_ended():
            try:
                with self._player.follows(self._room, state=False, **self._place) as feed:
                    self._listen(feed)
            except CUT_OFF:
                time.sleep(0.05)

    def _has_ended(self) -> bool:
        return bool(self.events) and self.events[-1]["type"] == "match_ended"

    def _listen(self, feed: Feed) -> None:
        assert feed.next("subscribed")["recovered"]
        self.sockets += 1
        while not self._has_ended():
            frame = feed.next()
            assert frame["type"] in {"update", "caught_up"}
            if frame["type"] == "update":
                self.events += frame["events"]
                self._place = {"since": frame["version"], "mark": frame["mark"]}


def insist(player: Player, room: str, key: str, **command: object) -> None:
    """Send a command under its key until it is answered."""
    while True:
        try:
            answer = player.posts(f"/v1/rooms/{room}/commands", command, {"idempotency-key": key})
        except httpx.TransportError:
            time.sleep(0.02)
        else:
            assert answer.status == 200 or answer.code == "no_disc", answer
            return


def test_readers_of_an_api_that_was_killed_end_with_one_and_the_same_history(start_api: StartApi) -> None:
    """They reconnect with `since` and `mark`; seats see their own selections, and nothing comes twice or not at all."""
    api, door = start_api()
    room, (red, yellow) = seated(door, "turncoat", 2, settings={"restart": None})
    audience = [red, yellow, *(door.stranger() for _ in range(SPECTATORS))]
    readers = [Reader(player, room) for player in audience]

    def play() -> None:
        for number in range(MOVES):
            insist(red if number % 2 else yellow, room, str(number), type="play", move=select(number))
        insist(red, room, "last", type="resign")

    with ThreadPoolExecutor(len(readers) + 1) as pool:
        running = [pool.submit(play), *(pool.submit(reader.read) for reader in readers)]
        for share in (MOVES // 3, 2 * MOVES // 3):
            while min(len(reader.events) for reader in readers) < share and not any(each.done() for each in running):
                time.sleep(0.005)
            api.kill()
            api.start()
        for each in running:
            each.result()
    for player, reader in zip(audience, readers, strict=True):
        assert reader.sockets == 3
        assert reader.events == player.gets(f"/v1/rooms/{room}/events", limit=1000).body["events"]
