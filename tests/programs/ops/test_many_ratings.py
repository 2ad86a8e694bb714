"""A long rating list is rated, and its leaderboard made again and verified, on the command line."""

import asyncio
import random
import re
import time
from datetime import UTC, datetime
from pathlib import Path

import msgspec
import pytest

from service.contests.rating_service import RatingService
from service.domain.ids import Millis, PlayerId, Version
from service.domain.ratings.model import RatedMatchEnded, SeatResult
from service.domain.streams import Source
from service.programs.store_setup import signer_of
from service.runtime.settings import Settings
from service.store.redis.store import RedisStore
from service.streams.outboxes import Arrival
from tests.e2e.processes import SECRET
from tests.e2e.results import record_result
from tests.programs.ops.conftest import Verb
from tests.rooms.processes import NOON
from tests.store_server import StoreServer

LIST = "morris.blitz"
ROOM_SIZE = 1000
"""How many matches each archived room has."""

PAGE = 256
EVERY = 10_000
"""Milliseconds between two matches, so that no two players meet more often in a day than counts."""


class Season:
    """Matches between players of different strength, whose rooms are archived."""

    def __init__(self, matches: int, players: int, archive: Path) -> None:
        """Play all matches, and archive their rooms."""
        self.dice = random.Random(7)  # noqa: S311 - the same season in every run
        self.players = [PlayerId(f"p-{number:05}") for number in range(players)]
        self.ended = [self._play(number, archive) for number in range(matches)]

    def _play(self, number: int, archive: Path) -> RatedMatchEnded:
        """Return the end of a match, which the stronger player wins more often."""
        pair = self.dice.sample(range(len(self.players)), 2)
        first_wins = self.dice.random() < 1 / (1 + 10 ** ((pair[0] - pair[1]) / len(self.players)))
        seats = tuple(
            SeatResult(self.players[player], 1 if first_wins == (seat == 0) else 2) for seat, player in enumerate(pair)
        )
        room, match, time_ended = f"room-{number // ROOM_SIZE}", number % ROOM_SIZE + 1, Millis(NOON + EVERY * number)
        folder = archive / f"{room}.e1"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{match}.ndjson").write_bytes(archived(seats, time_ended))
        return RatedMatchEnded(f"{room}.e1.{match}", time_ended, seats)

    async def rate(self, url: str) -> float:
        """Rate all matches, and return how many seconds that took."""
        store = RedisStore(url, signer=signer_of(Settings(secret=SECRET)))
        ratings = RatingService(store, lambda: Millis(NOON + EVERY * len(self.ended)))
        began = time.monotonic()
        for at in range(0, len(self.ended), PAGE):
            arrivals = [
                Arrival(Source(each.match, Version(1)), msgspec.Raw(msgspec.json.encode(each)))
                for each in self.ended[at : at + PAGE]
            ]
            await ratings.receive({LIST: arrivals})
        seconds = time.monotonic() - began
        await ratings.close()
        await store.close()
        return seconds


def archived(seats: tuple[SeatResult, ...], ended: Millis) -> bytes:
    """Return the first and the last line of a match's file."""
    first = {"type": "match_started", "game": "morris", "seats": [seat.player for seat in seats]}
    places = [seat.place for seat in seats]
    result = {"reason": "resigned", "places": places, "scores": None, "winners": [places.index(1)]}
    when = datetime.fromtimestamp(ended / 1000, UTC).isoformat()
    last = {"type": "match_ended", "time": when, "result": result}
    return msgspec.json.encode(first) + b"\n" + msgspec.json.encode(last) + b"\n"


def content(server: StoreServer, keys: list[bytes]) -> dict[bytes, object]:
    """Return what is stored under some keys: sets with scores, and hashes."""
    read = {b"zset": ("ZRANGE", 0, -1, "WITHSCORES"), b"hash": ("HGETALL",), b"string": ("GET",)}
    found: dict[bytes, object] = {}
    for key in keys:
        command, *more = read[server.execute("TYPE", key)]
        answer = server.execute(str(command), key, *more)
        is_hash = command == "HGETALL"
        found[key] = dict(zip(answer[::2], answer[1::2], strict=True)) if is_hash else answer
    return found


@pytest.mark.parametrize(("matches", "players"), [(600, 120), pytest.param(100_000, 5_000, marks=pytest.mark.soak)])
def test_a_long_list_is_made_again_and_verified(
    own_server: StoreServer, verb: Verb, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, matches: int, players: int
) -> None:
    """The rows are the same as before, each entry agrees with its match, and a changed match is found."""
    monkeypatch.setenv("TURNSTREAM_ARCHIVE", str(tmp_path))
    season = Season(matches, players, tmp_path)
    seconds = asyncio.run(season.rate(own_server.url))
    keys = sorted(
        key for key in own_server.execute("KEYS", f"*:{LIST}*") if own_server.execute("TYPE", key) != b"stream"
    )
    assert len(keys) > 1
    before = content(own_server, keys)
    for key in keys:
        own_server.execute("DEL", key)
    began = time.monotonic()
    rebuilt = verb(own_server, "ratings", "rebuild", LIST)
    rebuild_seconds = time.monotonic() - began
    assert (rebuilt.code, f"{players} players" in rebuilt.lines[-1]) == (0, True)
    assert content(own_server, keys) == before
    began = time.monotonic()
    verified = verb(own_server, "ratings", "verify")
    verify_seconds = time.monotonic() - began
    assert verified.lines == [f"{matches} entries, {players} ratings, problems: 0"]
    assert re.search(r"entries checked", verified.error)
    (tmp_path / "room-0.e1/7.ndjson").write_bytes(archived(season.ended[7].seats, season.ended[6].ended))
    changed = verb(own_server, "ratings", "verify")
    assert changed.code == 1
    assert "room-0.e1.7" in changed.lines[0]
    if matches >= 100_000:
        figures = f"rated in {seconds:.0f} s, made again in {rebuild_seconds:.1f} s, verified in {verify_seconds:.0f} s"
        record_result(f"ratings: {matches} matches of {players} players", figures)
