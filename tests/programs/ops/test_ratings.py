"""`turnstream ratings`: verify, rebuild and void on the command line."""

import asyncio
from argparse import Namespace
from types import SimpleNamespace
from typing import Any

import pytest

from service.contests.rating_service import RatingService
from service.programs.ops import ratings as ratings_verbs
from service.programs.store_setup import signer_of
from service.runtime.settings import Settings
from service.store.redis.store import RedisStore
from tests.contests.ratings.matches import match_won_by
from tests.e2e.processes import SECRET
from tests.memory_store.store import MemoryStore
from tests.programs.ops.conftest import Verb
from tests.rooms.processes import ANNA, BEN, CLARA, Clock
from tests.store_server import StoreServer


async def fill_lists(url: str) -> None:
    """Rate matches in two lists; their rooms are not in the store."""
    store = RedisStore(url, signer=signer_of(Settings(secret=SECRET)))
    ratings = RatingService(store, Clock().now)
    blitz = [match_won_by(ANNA, BEN, 1), match_won_by(CLARA, ANNA, 2)]
    await ratings.receive({"morris.blitz": blitz, "ternio.rapid": [match_won_by(BEN, ANNA, 3)]})
    await ratings.close()
    await store.close()


def test_lists_are_verified_rebuilt_and_corrected(own_server: StoreServer, verb: Verb) -> None:
    """All of them or those named, with figures; a void is in the audit log."""
    asyncio.run(fill_lists(own_server.url))
    verified = verb(own_server, "ratings", "verify")
    assert verified.code == 1
    assert verified.lines[-1] == "3 entries, 5 ratings, problems: 3"
    missing = "is neither in the store nor in the archive"
    assert verified.lines[0] == f"DAMAGED morris.blitz version 1: room-1.e1.1 {missing}"
    assert "3 entries checked" in verified.error
    rebuilt = verb(own_server, "ratings", "rebuild", "morris.blitz")
    assert (rebuilt.code, rebuilt.lines) == (0, ["morris.blitz: 3 players, 0 of them with a place"])
    voided = verb(own_server, "ratings", "void", "room-3.e1.1", "--reason", "the same person")
    assert (voided.code, voided.lines) == (0, ["room-3.e1.1 is voided in ternio.rapid"])
    assert verb(own_server, "ratings", "verify", "ternio.rapid").lines[-1] == "2 entries, 2 ratings, problems: 1"
    assert verb(own_server, "ratings", "void", "room-9.e1.1", "--reason", "none").code == 2
    assert verb(own_server, "ratings", "verify", "chess.blitz").code == 2
    assert verb(own_server, "verify", "--all").code == 0


async def test_a_rebuild_that_was_overtaken_says_so(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """And its exit code is 1; the other lists are rebuilt."""
    store = MemoryStore()
    site: Any = SimpleNamespace(store=store, settings=None)

    async def done(*_: object) -> None:
        pass

    async def overtaken(_: RatingService, board: str) -> int | None:
        return None if board == "morris.blitz" else 0

    monkeypatch.setattr(ratings_verbs, "require_no_loss", done)
    monkeypatch.setattr(RatingService, "rebuild", overtaken)
    assert await ratings_verbs.rebuild_ratings(site, Namespace(list=["morris.blitz", "ternio.blitz"])) == 1
    written = capsys.readouterr()
    assert written.out == "ternio.blitz: 0 players, 0 of them with a place\n"
    assert "morris.blitz: another rebuild has taken over; this one has stopped" in written.err
