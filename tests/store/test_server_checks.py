"""The checks at the start: which stores are refused, and the warnings about the others."""

from collections.abc import AsyncIterator

import pytest
import redis

from service.store.redis import server_checks
from service.store.redis.server_checks import UnsuitableStore, require_version
from service.store.redis.store import RedisStore
from tests.memory_store.store import MemoryStore
from tests.store.test_redis import as_user
from tests.store_server import StoreServer


@pytest.fixture
async def checked(own_server: StoreServer) -> AsyncIterator[RedisStore]:
    """Return a client of a server whose settings the test may change."""
    store = RedisStore(own_server.url)
    yield store
    await store.close()


async def test_a_store_set_up_as_advised_gives_no_warning(checked: RedisStore) -> None:
    """A second check gives none either."""
    assert await checked.check() == []
    assert await checked.check() == []


@pytest.mark.parametrize(
    "policy",
    [f"{keys}-{which}" for keys in ("allkeys", "volatile") for which in ("lru", "lfu", "random")] + ["volatile-ttl"],
)
async def test_a_store_that_may_evict_rooms_is_refused(
    checked: RedisStore, own_server: StoreServer, policy: str
) -> None:
    """And the setting to change is named."""
    own_server.execute("CONFIG", "SET", "maxmemory-policy", policy)
    with pytest.raises(UnsuitableStore, match="maxmemory-policy noeviction"):
        await checked.check()


async def test_the_number_of_partitions_is_fixed_at_the_first_start(
    checked: RedisStore, own_server: StoreServer
) -> None:
    """A start with another number would look for rooms where they aren't."""
    await checked.check()
    other = RedisStore(own_server.url, partitions=17)
    with pytest.raises(UnsuitableStore, match="16 partitions, not 17"):
        await other.check()
    await other.close()


async def test_one_server_is_no_cluster(own_server: StoreServer) -> None:
    """Sharded notifications would not arrive."""
    store = RedisStore(own_server.url, cluster=True)
    with pytest.raises(UnsuitableStore, match="cluster"):
        await store.check()
    await store.close()


@pytest.mark.parametrize(
    ("name", "value", "warning"),
    [
        ("appendonly", "no", server_checks.NOT_KEPT),
        ("appendfsync", "everysec", server_checks.NOT_ALWAYS),
        ("appendfsync", "no", server_checks.NOT_ALWAYS),
        ("no-appendfsync-on-rewrite", "yes", server_checks.NOT_DURING_REWRITES),
        ("stream-node-max-bytes", "4096", server_checks.WIDE_NODES),
        ("stream-node-max-bytes", "0", server_checks.WIDE_NODES),
    ],
)
async def test_a_setting_that_loses_events_or_memory_is_reported(
    checked: RedisStore, own_server: StoreServer, name: str, value: str, warning: str
) -> None:
    """The sentence names the setting."""
    own_server.execute("CONFIG", "SET", name, value)
    assert await checked.check() == [warning]
    assert name in warning


@pytest.mark.parametrize(
    ("rights", "warning"),
    [(("&*", "+@all", "-config"), server_checks.NOT_LEGIBLE), (("resetchannels", "+@all"), server_checks.SILENT)],
)
async def test_a_user_with_too_few_rights_is_reported(
    own_server: StoreServer, rights: tuple[str, ...], warning: str
) -> None:
    """The store is used nevertheless."""
    store = RedisStore(as_user(own_server, "narrow", "~*", *rights))
    assert await store.check() == [warning]
    await store.close()


async def test_a_store_whose_loader_may_not_write_is_reported(own_server: StoreServer) -> None:
    """Some versions drop every transaction at the next start, even if nobody can log in as that user."""
    administrator = as_user(own_server, "administrator", "~*", "&*", "+@all")
    store = RedisStore(administrator)
    own_server.execute("ACL", "SETUSER", "default", "resetkeys", "%R~*")
    assert await store.check() == [server_checks.DROPS_TRANSACTIONS]
    redis.Redis.from_url(administrator).acl_setuser("default", enabled=False, reset_passwords=True, keys=["*"])
    assert await store.check() == []
    await store.close()


@pytest.mark.parametrize(
    ("server_info", "obeys"),
    [
        ({"redis_version": "6.2.7"}, False),
        ({"redis_version": "7.0.0"}, True),
        ({"redis_version": "8.0.2"}, True),
        ({"redis_version": "8.6.0"}, False),
        ({"redis_version": "7.2.4", "server_name": "valkey"}, False),
    ],
)
def test_the_version_decides_where_the_rights_of_the_loader_are_unknown(
    server_info: dict[str, str], *, obeys: bool
) -> None:
    """Redis 7.0 and later, until it was corrected."""
    assert server_checks.obeys_default(server_info) == obeys
    assert not (obeys and server_checks.is_corrected(server_info))


def test_production_refuses_what_may_lose_events_unless_the_operator_vouches_for_what_cannot_be_seen() -> None:
    """A vouch is for settings that can't be read, never for those that can."""
    for warning in (*server_checks.LOSSY, server_checks.NOT_LEGIBLE):
        with pytest.raises(UnsuitableStore):
            server_checks.require_durability([warning])
    server_checks.require_durability([server_checks.NOT_LEGIBLE], vouched=True)
    for warning in server_checks.LOSSY:
        with pytest.raises(UnsuitableStore):
            server_checks.require_durability([warning], vouched=True)
    server_checks.require_durability(
        [server_checks.WIDE_NODES, server_checks.SILENT, server_checks.MAY_DROP_TRANSACTIONS]
    )


async def test_a_store_that_does_not_say_whether_it_evicts_is_refused(own_server: StoreServer) -> None:
    """The service must know that the store does not evict."""
    store = RedisStore(as_user(own_server, "blind", "~*", "&*", "+@all", "-info"))
    with pytest.raises(UnsuitableStore, match="INFO"):
        await store.check()
    await store.close()


def test_a_server_older_than_6_2_is_refused() -> None:
    """6.2 itself and later ones, Valkey's too, are not."""
    for version in ("6.2.0", "6.10.1", "7.2.4", "8.0", "10.0.0"):
        require_version(version, server_checks.OLDEST)
    for version in ("6.0.20", "5.0.14", "2.8"):
        with pytest.raises(UnsuitableStore, match=version):
            require_version(version, server_checks.OLDEST)


async def test_the_store_in_memory_warns_that_it_forgets() -> None:
    """A service must not be started on it unnoticed."""
    [warning] = await MemoryStore().check()
    assert "memory" in warning
