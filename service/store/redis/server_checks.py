"""Checks of a server's version and settings: some are required at the start, others only lead to warnings."""

from collections.abc import Sequence
from typing import Any

import hiredis

from service.store.contract import StoreNode
from service.store.redis.client.cluster import Cluster
from service.store.redis.client.pipeline import Pipeline
from service.store.redis.client.resp import NotPermitted
from service.store.redis.keys import Keys

OLDEST = (6, 2)
OLDEST_CLUSTER = (7, 0)
NODE_BYTES = 1024

NOT_KEPT = "the store loses all rooms when it stops: set `appendonly yes`"
NOT_ALWAYS = "a power cut may lose answered events: set `appendfsync always`, which costs a few percent"
NOT_DURING_REWRITES = (
    "a power cut during a rewrite of the store's file may lose answered events: set `no-appendfsync-on-rewrite no`"
)
NOT_LEGIBLE = (
    "the store's user may not read its settings, so it is unknown whether every event is kept: allow CONFIG GET, or "
    "set TURNSTREAM_STORE_VOUCHED=true if you know that the store keeps every answered event"
)
DROPS_TRANSACTIONS = (
    "the store may drop every event when it loads its file: it loads it with the rights of the user `default`, who "
    "may not write to every key: set `user default off resetpass ~* &* +@all`, so that nobody can log in as that user"
)
MAY_DROP_TRANSACTIONS = (
    "this version of Redis drops every event when it loads its file if the user `default` lacks rights, which cannot "
    "be checked (allow ACL DRYRUN): make sure that the ACL has `user default ... ~* &* +@all`, also if it is off"
)
LOSSY = (NOT_KEPT, NOT_ALWAYS, NOT_DURING_REWRITES, DROPS_TRANSACTIONS)
"""Warnings about a store that may lose answered events."""
LOADS_AS_DEFAULT = ((7, 0), (8, 6))
"""The version of Redis since which loading depends on the rights of `default`, and the one that corrected it."""
WIDE_NODES = "idle rooms take three times the memory that they need: set `stream-node-max-bytes 1024`"
SILENT = "the store's user may not publish, so new events are noticed late: allow the channels `&*`"


class UnsuitableStore(Exception):  # noqa: N818 - a finding, not a failure
    """The store cannot be used: it may evict keys, is too old, or was set up with another number of partitions."""


async def check_servers(cluster: Cluster, keys: Keys) -> list[str]:
    """Return warnings about the settings of every server. Raises `UnsuitableStore`."""
    [first] = cluster.urls[:1]
    warnings = dict.fromkeys(await check_server(cluster.pipeline(first), clustered=cluster.is_clustered))
    await cluster.rediscover()
    for url in cluster.urls:
        warnings.update(dict.fromkeys(await check_server(cluster.pipeline(url), clustered=cluster.is_clustered)))
    await require_partitions(cluster, keys)
    warnings.update(dict.fromkeys(await publishing_warnings(cluster, keys)))
    return list(warnings)


async def check_server(server: Pipeline, *, clustered: bool) -> list[str]:
    """Return warnings about the settings of one server. Raises `UnsuitableStore`."""
    info = await server_info(server)
    require_version(info["redis_version"], OLDEST_CLUSTER if clustered else OLDEST)
    if (policy := info["maxmemory_policy"]) != "noeviction":  # rooms would be lost when memory is short
        raise UnsuitableStore(
            f"the store evicts keys (maxmemory-policy is {policy}): set `maxmemory-policy noeviction`"
        )
    require_mode(is_cluster=info.get("cluster_enabled") == "1", configured=clustered)
    appending = info.get("aof_enabled") == "1"
    lossy = [*await loading_warnings(server, info)] if appending else [NOT_KEPT]
    return [*lossy, *await settings_warnings(server, appending=appending)]


async def loading_warnings(server: Pipeline, info: dict[str, str]) -> list[str]:
    """Return a warning if the server may drop transactions when it loads its file."""
    if is_corrected(info):
        return []
    write = (b"XADD", b"{p00}:room:any", b"1-0", b"e", b"d")
    try:
        verdict = await server.send(b"ACL", b"DRYRUN", b"default", *write)
    except NotPermitted:
        return [MAY_DROP_TRANSACTIONS] if obeys_default(info) else []
    except hiredis.ReplyError:  # an older version, which does not load its file as that user
        return []
    return [] if verdict == b"OK" else [DROPS_TRANSACTIONS]


def is_corrected(info: dict[str, str]) -> bool:
    """Return whether this version of Redis loads its file with all rights, whatever `default` may do."""
    return info.get("server_name") != "valkey" and version_of(info["redis_version"]) >= LOADS_AS_DEFAULT[1]


def obeys_default(info: dict[str, str]) -> bool:
    """Return whether this version of Redis, when it loads its file, drops the writes that `default` may not do."""
    first, corrected = LOADS_AS_DEFAULT
    return info.get("server_name") != "valkey" and first <= version_of(info["redis_version"]) < corrected


async def server_info(server: Pipeline) -> dict[str, str]:
    """Return the server's INFO by field. Raises `UnsuitableStore` where it is not permitted."""
    try:
        text = str_of(await server.send(b"INFO"))
    except NotPermitted as refusal:
        raise UnsuitableStore(
            "the store's user must be allowed INFO, which says whether rooms may be evicted"
        ) from refusal
    pairs = (line.split(":", 1) for line in text.splitlines() if ":" in line)
    return {name: value.strip() for name, value in pairs}


def store_node(info: dict[str, str]) -> StoreNode:
    """Return the parts of a server's INFO that operators need."""
    number = {name: int(info.get(name, 0)) for name in ("used_memory", "maxmemory", "aof_current_size")}
    return StoreNode(
        memory=number["used_memory"],
        memory_limit=number["maxmemory"],
        file=number["aof_current_size"],
        writes=info.get("aof_last_write_status", "ok") == "ok",
        replicas=int(info.get("connected_slaves", 0)),
    )


def require_version(version: str, oldest: tuple[int, int]) -> None:
    """Raise `UnsuitableStore` for a server older than `oldest`. Valkey reports the Redis version that it matches."""
    if version_of(version) < oldest:
        raise UnsuitableStore(f"the store is Redis {version}; {oldest[0]}.{oldest[1]} or later (or Valkey) is needed")


def version_of(version: str) -> tuple[int, ...]:
    """Return the first two numbers of a version."""
    return tuple(int(part) for part in version.split(".")[:2])


def require_durability(warnings: Sequence[str], *, vouched: bool = False) -> None:
    """Raise `UnsuitableStore` if one of the warnings says that the server may lose answered events.

    `vouched` says that the operator guarantees the settings where they cannot be read.
    """
    refused = LOSSY if vouched else (*LOSSY, NOT_LEGIBLE)
    if lossy := [warning for warning in warnings if warning in refused]:
        raise UnsuitableStore("; ".join(lossy))


def require_mode(*, is_cluster: bool, configured: bool) -> None:
    """Raise `UnsuitableStore` for a cluster that is configured as a single server, or the reverse."""
    if is_cluster and not configured:
        raise UnsuitableStore("the store is a cluster but is not configured as one")
    if configured and not is_cluster:
        raise UnsuitableStore("the store is a single server but is configured as a cluster")


async def require_partitions(cluster: Cluster, keys: Keys) -> None:
    """Store the number of partitions at the first start. Raises `UnsuitableStore` if another number is stored."""
    wanted = b"%d" % keys.count
    await cluster.ask(keys.all[0], b"SETNX", keys.partitions, wanted)
    fixed = await cluster.ask(keys.all[0], b"GET", keys.partitions)
    if fixed != wanted:
        raise UnsuitableStore(f"the store was set up with {str_of(fixed)} partitions, not {keys.count}")


async def settings_warnings(server: Pipeline, *, appending: bool) -> list[str]:
    """Return warnings about settings that only CONFIG GET returns."""
    try:
        sync = await setting(server, b"appendfsync")
        pauses = await setting(server, b"no-appendfsync-on-rewrite")
        width = await setting(server, b"stream-node-max-bytes")
    except (NotPermitted, hiredis.ReplyError):
        return [NOT_LEGIBLE]
    warnings = [NOT_ALWAYS] if appending and sync != "always" else []
    warnings += [NOT_DURING_REWRITES] if appending and pauses == "yes" else []
    return warnings + ([WIDE_NODES] if width and not 0 < int(width) <= NODE_BYTES else [])


async def setting(server: Pipeline, name: bytes) -> str:
    """Return a setting of the server, "" if it has none of that name."""
    found = await server.send(b"CONFIG", b"GET", name)
    return str_of(found[1]) if found else ""


async def publishing_warnings(cluster: Cluster, keys: Keys) -> list[str]:
    """Return a warning if notifications cannot be published."""
    try:
        await cluster.ask(keys.all[0], b"SPUBLISH" if cluster.is_clustered else b"PUBLISH", keys.partitions, b"0")
    except NotPermitted:
        return [SILENT]
    return []


def str_of(reply: Any) -> str:
    """Return a reply as text."""
    return bytes(reply).decode(errors="replace")
