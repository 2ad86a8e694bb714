"""`turnstream notable` on the command line."""

import asyncio
import random

from service.programs.store_setup import signer_of
from service.rooms.service import RoomCore, RoomService
from service.runtime.environment import HashedNames
from service.runtime.settings import Settings
from service.store.redis.store import RedisStore
from tests.contests.notable.test_notable import play_random
from tests.e2e.processes import SECRET
from tests.programs.ops.conftest import Verb
from tests.rooms.processes import ANNA, BEN, MARK_KEY, Clock
from tests.store_server import StoreServer


async def play_one(url: str) -> str:
    """Play a match to its end, and return its id."""
    store = RedisStore(url, signer=signer_of(Settings(secret=SECRET)))
    core = RoomCore(store, Clock(), MARK_KEY)
    rooms = RoomService(core, HashedNames())
    match = await play_random(core, rooms, "random", random.Random(3), ANNA, BEN)  # noqa: S311 - a test's
    await rooms.close()
    await store.close()
    return match


def test_boards_are_made_again(full_store: StoreServer, verb: Verb) -> None:
    """Matches that were given up are not among those that can be notable."""
    assert verb(full_store, "notable", "rebuild").lines == ["0 matches can be notable"]
    match = asyncio.run(play_one(full_store.url))
    for _ in range(2):
        assert verb(full_store, "notable", "rebuild").lines == ["1 matches can be notable"]
    keys = full_store.execute("KEYS", "*:notable:rainbow:longest:all")
    assert full_store.execute("ZRANGE", keys[0], 0, -1) == [match.encode()]
