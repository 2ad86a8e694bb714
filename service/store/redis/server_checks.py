"""Whether a server may hold rooms: what is refused at the start, and what people are told about its settings."""

from collections.abc import Sequence
from typing import Any

import hiredis

from service.store.admin_types import StoreNode
from service.store.redis.client.cluster import Nodes
from service.store.redis.client.errors import NotPermitted
from service.store.redis.client.pipeline import Link
from service.store.redis.keys import Keys

OLDEST = (6, 2)
OLDEST_CLUSTER = (7, 0)
NODE_BYTES = 1024

NOT_KEPT = "the store forgets its rooms when it stops: set `appendonly yes`"
NOT_ALWAYS = "a power cut may lose events that were answered: set `appendfsync always`, it costs a few percent"
NOT_DURING_REWRITES = (
    "a power cut during a rewrite of the store's file may lose events that were answered: "
    "set `no-appendfsync-on-rewrite no`"
)
NOT_LEGIBLE = (
    "the store's user may not read its settings, so it is not known whether every event is kept: allow it CONFIG GET, "
    "or set TURNSTREAM_STORE_VOUCHED=true if you know that the store keeps what it answered"
)
DROPS_TRANSACTIONS = (
    "the store may drop every event when it loads its file: it loads it with the rights of the user `default`, which "
    "may not write to every key: set `user default off resetpass ~* &* +@all`, so that nobody can log in as it"
)
MAY_DROP_TRANSACTIONS = (
    "this version of Redis drops every event when it loads its file, if the user `default` has not all rights, which "
    "can't be seen (allow ACL DRYRUN): make sure that it reads `user default ... ~* &* +@all`, also where it is off"
)
LOSSY = (NOT_KEPT, NOT_ALWAYS, NOT_DURING_REWRITES, DROPS_TRANSACTIONS)
"""Warnings of a store that may lose what was answered."""
LOADS_AS_DEFAULT = ((7, 0), (8, 6))
"""Since which version of Redis the rights of `default` matter for loading, and in which one that was corrected."""
WIDE_NODES = "idle rooms take three times the memory they need: set `stream-node-max-bytes 1024`"
SILENT = "the store's user may not publish, so nobody is told of new events at once: allow it the channels `&*`"


class UnfitStore(Exception):  # noqa: N818 - what was found
    """The store may evict keys, is too old, or was laid out with another number of partitions."""


async def fitness(nodes: Nodes, keys: Keys, *, cluster: bool) -> list[str]:
    """Return warnings about the settings of every node. Raises `UnfitStore`."""
    [first] = nodes.urls[:1]
    warnings = dict.fromkeys(await node_fitness(nodes.link(first), cluster=cluster))
    await nodes.relearn()
    for url in nodes.urls:
        warnings.update(dict.fromkeys(await node_fitness(nodes.link(url), cluster=cluster)))
    await refuse_other_layout(nodes, keys)
    warnings.update(dict.fromkeys(await publishing_warnings(nodes, keys, cluster=cluster)))
    return list(warnings)


async def node_fitness(node: Link, *, cluster: bool) -> list[str]:
    """Return warnings about the settings of one node. Raises `UnfitStore`."""
    said = await information(node)
    refuse_version(said["redis_version"], OLDEST_CLUSTER if cluster else OLDEST)
    refuse_eviction(said["maxmemory_policy"])
    refuse_wrong_mode(clustered=said.get("cluster_enabled") == "1", cluster=cluster)
    appending = said.get("aof_enabled") == "1"
    lossy = [*await loading_warnings(node, said)] if appending else [NOT_KEPT]
    return [*lossy, *await settings_warnings(node, appending=appending)]


async def loading_warnings(node: Link, said: dict[str, str]) -> list[str]:
    """Return a warning where the server may drop transactions when it loads its file."""
    if is_corrected(said):
        return []
    write = (b"XADD", b"{p00}:room:any", b"1-0", b"e", b"d")
    try:
        verdict = await node.send(b"ACL", b"DRYRUN", b"default", *write)
    except NotPermitted:
        return [MAY_DROP_TRANSACTIONS] if obeys_default(said) else []
    except hiredis.ReplyError:  # an earlier version, which does not load its file as that user
        return []
    return [] if verdict == b"OK" else [DROPS_TRANSACTIONS]


def is_corrected(said: dict[str, str]) -> bool:
    """Return whether this is a version of Redis that loads its file whatever rights `default` has."""
    return said.get("server_name") != "valkey" and version_of(said["redis_version"]) >= LOADS_AS_DEFAULT[1]


def obeys_default(said: dict[str, str]) -> bool:
    """Return whether this is a version of Redis that drops what `default` may not do when it loads its file."""
    first, corrected = LOADS_AS_DEFAULT
    return said.get("server_name") != "valkey" and first <= version_of(said["redis_version"]) < corrected


async def information(node: Link) -> dict[str, str]:
    """Return what the server says of itself."""
    try:
        text = str_of(await node.send(b"INFO"))
    except NotPermitted as refusal:
        raise UnfitStore("the store's user must be allowed INFO, which tells whether rooms may be evicted") from refusal
    pairs = (line.split(":", 1) for line in text.splitlines() if ":" in line)
    return {name: value.strip() for name, value in pairs}


def node_of(said: dict[str, str]) -> StoreNode:
    """Return what a server says of itself as far as it matters in operation."""
    number = {name: int(said.get(name, 0)) for name in ("used_memory", "maxmemory", "aof_current_size")}
    return StoreNode(
        memory=number["used_memory"],
        memory_limit=number["maxmemory"],
        file=number["aof_current_size"],
        writes=said.get("aof_last_write_status", "ok") == "ok",
        replicas=int(said.get("connected_slaves", 0)),
    )


def refuse_version(version: str, oldest: tuple[int, int]) -> None:
    """Raise `UnfitStore` for a server older than `oldest`. Valkey tells here which Redis it equals."""
    if version_of(version) < oldest:
        raise UnfitStore(f"the store is Redis {version}; {oldest[0]}.{oldest[1]} or later (or Valkey) is needed")


def version_of(version: str) -> tuple[int, ...]:
    """Return the first two numbers of a version."""
    return tuple(int(part) for part in version.split(".")[:2])


def refuse_eviction(policy: str) -> None:
    """Raise `UnfitStore` for a server that throws keys away when memory is short: rooms would vanish in mid-match."""
    if policy != "noeviction":
        raise UnfitStore(f"the store evicts keys (maxmemory-policy is {policy}): set `maxmemory-policy noeviction`")


def refuse_lossy(warnings: Sequence[str], *, vouched: bool = False) -> None:
    """Raise `UnfitStore` for a server that may lose what was answered, by the warnings about it.

    Where the settings can't be read, the operator may have `vouched` for them.
    """
    refused = LOSSY if vouched else (*LOSSY, NOT_LEGIBLE)
    if lossy := [warning for warning in warnings if warning in refused]:
        raise UnfitStore("; ".join(lossy))


def refuse_wrong_mode(*, clustered: bool, cluster: bool) -> None:
    """Raise `UnfitStore` when a cluster is used as one server or the other way round."""
    if clustered and not cluster:
        raise UnfitStore("the store is a cluster but isn't configured as one")
    if cluster and not clustered:
        raise UnfitStore("the store is one server but is configured as a cluster")


async def refuse_other_layout(nodes: Nodes, keys: Keys) -> None:
    """Fix the number of partitions at the first start. Raises `UnfitStore` when it was fixed to another number."""
    wanted = b"%d" % keys.count
    await nodes.ask(keys.all[0], b"SETNX", keys.partitions, wanted)
    fixed = await nodes.ask(keys.all[0], b"GET", keys.partitions)
    if fixed != wanted:
        raise UnfitStore(f"the store is laid out in {str_of(fixed)} partitions, not {keys.count}")


async def settings_warnings(node: Link, *, appending: bool) -> list[str]:
    """Return warnings about settings that only CONFIG GET tells."""
    try:
        sync = await setting(node, b"appendfsync")
        pauses = await setting(node, b"no-appendfsync-on-rewrite")
        width = await setting(node, b"stream-node-max-bytes")
    except (NotPermitted, hiredis.ReplyError):
        return [NOT_LEGIBLE]
    warnings = [NOT_ALWAYS] if appending and sync != "always" else []
    warnings += [NOT_DURING_REWRITES] if appending and pauses == "yes" else []
    return warnings + ([WIDE_NODES] if width and not 0 < int(width) <= NODE_BYTES else [])


async def setting(node: Link, name: bytes) -> str:
    """Return a setting of the server, nothing if it has none of that name."""
    found = await node.send(b"CONFIG", b"GET", name)
    return str_of(found[1]) if found else ""


async def publishing_warnings(nodes: Nodes, keys: Keys, *, cluster: bool) -> list[str]:
    """Return a warning if notifications can't be sent."""
    try:
        await nodes.ask(keys.all[0], b"SPUBLISH" if cluster else b"PUBLISH", keys.partitions, b"0")
    except NotPermitted:
        return [SILENT]
    return []


def str_of(reply: Any) -> str:
    """Return a string reply as text."""
    return bytes(reply).decode(errors="replace")
