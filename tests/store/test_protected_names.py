"""MACs of nicknames: a changed one is not shown, and one without a MAC only until all have one."""

from collections.abc import AsyncIterator, Iterator

import pytest

from service.domain.ids import NameRef, PlayerId
from service.rooms.access.audit_log import AuditLog, PlayerErased, know_erased
from service.rooms.scrub import sign_page
from service.runtime import metrics
from service.store.player_names import ERASED, UNREADABLE
from service.store.redis.keys import Keys
from service.store.redis.store import RedisStore
from service.store.signing import Signer
from tests.store_server import StoreServer

ADA, BEN = PlayerId("p-ada"), PlayerId("p-ben")
KEY, NEXT_KEY = b"k" * 32, b"n" * 32
NAMES, MACS = Keys(16).of("names", ADA), Keys(16).of("name_macs", ADA)


@pytest.fixture
async def stores() -> AsyncIterator[list[RedisStore]]:
    """Return a list of the stores of processes, which are closed at the end."""
    stores: list[RedisStore] = []
    yield stores
    for store in stores:
        await store.close()


class Installation:
    """A store whose processes are started again and again, also with other keys, or of the release before MACs."""

    def __init__(self, server: StoreServer, stores: list[RedisStore]) -> None:
        """Use this server."""
        self.server = server
        self._stores = stores

    def start(self, *keys: bytes, accepts_unsigned: bool = False) -> RedisStore:
        """Return the store of a process that has read nothing yet."""
        signer = Signer(keys or (KEY,), accepts_unsigned=accepts_unsigned)
        self._stores.append(RedisStore(self.server.url, signer=signer))
        return self._stores[-1]

    async def shown(self, store: RedisStore | None = None) -> list[str]:
        """Return what a new process shows as the nicknames of Ada and Ben."""
        refs = [NameRef("p-ada/1"), NameRef("p-ben/1")]
        found = await (store or self.start()).player_names.find(refs)
        return [found[ref] for ref in refs]

    def write_as_before(self, player: PlayerId, number: int, nickname: str) -> None:
        """Add a nickname as the release before MACs does."""
        self.server.execute("HSETNX", Keys(16).of("names", player), str(number), nickname)


@pytest.fixture
async def installation(store_server: StoreServer, stores: list[RedisStore]) -> Installation:
    """Return an installation with the nicknames of two players."""
    installation = Installation(store_server, stores)
    names = installation.start().player_names
    await names.refer(ADA, "Ada ä")
    await names.refer(BEN, "Ben")
    return installation


async def sign_all(store: RedisStore) -> tuple[int, int, bool]:
    """Sign everything; return how many were signed, how many are damaged, and whether the store got its sign-off."""
    page = await sign_page(store, None)
    assert page.next is None
    return page.signed, page.damaged, not page.signed and await store.admin_store.finish_signing()


def counted() -> float:
    """Return how many damaged nicknames were read so far."""
    return float(metrics.DAMAGED_VALUES.labels("names")._value.get())


def flips(name: bytes) -> Iterator[bytes]:
    """Yield a name with each of its bits changed in turn."""
    for bit in range(8 * len(name)):
        changed = bytearray(name)
        changed[bit // 8] ^= 1 << bit % 8
        yield bytes(changed)


async def test_no_flipped_bit_of_a_nickname_is_shown(installation: Installation) -> None:
    """Whether it leaves valid text or not; the damage is counted, and other nicknames are shown."""
    for changed in flips("Ada ä".encode()):
        before = counted()
        installation.server.execute("HSET", NAMES, "1", changed)
        assert await installation.shown() == [UNREADABLE, "Ben"]
        assert counted() == before + 1


@pytest.mark.parametrize(
    "edit",
    [
        ("HSET", NAMES, "1", "Eve"),
        ("HDEL", NAMES, "1"),
        ("HSET", MACS, "1", b"\0" * 20),
        ("SET", NAMES, "text"),
        ("RENAME", Keys(16).of("names", BEN), NAMES),
    ],
)
async def test_no_edited_nickname_is_shown(installation: Installation, edit: tuple[str | bytes, ...]) -> None:
    """Neither another text, nor one of another player, nor a key of another type; and a missing one is not erased."""
    await sign_all(installation.start())
    installation.server.execute(*edit)
    assert (await installation.shown())[0] == UNREADABLE
    assert (await sign_all(installation.start()))[1] >= 1


async def test_another_nickname_can_be_used_after_damage(installation: Installation) -> None:
    """It gets a new number, also where the damaged one is gone."""
    installation.server.execute("HDEL", NAMES, "1")
    assert await installation.start().player_names.refer(ADA, "Ada ä") == "p-ada/2"
    assert await installation.start().player_names.refer(ADA, "Ada ä") == "p-ada/2"


async def test_the_release_before_reads_and_writes_the_nicknames(installation: Installation) -> None:
    """Their hash has nothing but numbers and names; what that release writes is accepted until all names are signed."""
    assert installation.server.execute("HGETALL", NAMES) == [b"1", "Ada ä".encode()]
    installation.write_as_before(ADA, 2, "Countess")
    assert await installation.start().player_names.refer(ADA, "Countess") == "p-ada/2"
    assert await sign_all(installation.start()) == (1, 0, False)
    installation.write_as_before(BEN, 2, "Benjamin")
    assert await sign_all(installation.start()) == (1, 0, False)
    assert await sign_all(installation.start()) == (0, 0, True)
    installation.server.execute("HSET", NAMES, "2", "Duchess")
    installation.server.execute("HDEL", MACS, "2")
    assert await installation.start().player_names.refer(ADA, "Countess") == "p-ada/3"


async def test_after_a_rollback_nicknames_without_macs_are_accepted_on_request(installation: Installation) -> None:
    """And signed; the store keeps its sign-off, which counts again when the setting is removed."""
    await sign_all(installation.start())
    installation.server.execute("DEL", Keys(16).of("names", BEN), Keys(16).of("name_macs", BEN))
    installation.write_as_before(BEN, 1, "Ben")
    assert await installation.shown() == ["Ada ä", UNREADABLE]
    assert await installation.shown(installation.start(accepts_unsigned=True)) == ["Ada ä", "Ben"]
    assert await sign_all(installation.start(accepts_unsigned=True)) == (1, 0, False)
    assert await installation.shown() == ["Ada ä", "Ben"]


async def test_an_erased_player_leaves_no_name_and_no_mac(installation: Installation) -> None:
    """Nor any damage, also if the release before has erased the player and left the MACs."""
    await installation.start().player_names.erase(BEN)
    assert installation.server.execute("KEYS", "*p-ben") == []
    assert await installation.shown() == ["Ada ä", ERASED]
    installation.server.execute("DEL", NAMES)
    store, before = installation.start(), counted()
    await AuditLog(store).record(PlayerErased("by a test", ADA))
    await know_erased(store)
    assert await installation.shown(store) == [ERASED, ERASED]
    assert await sign_all(store) == (0, 0, True)
    assert installation.server.execute("KEYS", "*p-ada") == []
    assert counted() == before


async def test_nicknames_are_signed_again_with_a_new_key(installation: Installation) -> None:
    """Before that, the sign-off of the old key does not count, so removing the old key early hides no nickname."""
    await sign_all(installation.start())
    assert await installation.shown(installation.start(NEXT_KEY)) == ["Ada ä", "Ben"]
    assert await sign_all(installation.start(NEXT_KEY, KEY)) == (2, 0, False)
    assert await sign_all(installation.start(NEXT_KEY, KEY)) == (0, 0, True)
    assert await installation.shown(installation.start(NEXT_KEY)) == ["Ada ä", "Ben"]
    assert await installation.shown(installation.start(KEY)) == ["Ada ä", "Ben"]


async def test_without_a_key_nothing_is_signed(installation: Installation) -> None:
    """And everything is shown."""
    store = RedisStore(installation.server.url)
    assert await installation.shown(store) == ["Ada ä", "Ben"]
    assert await sign_all(store) == (0, 0, False)
    await store.close()
