"""The store of the settings: made, watched, and waited for at the start."""

import asyncio
import time
from collections.abc import Sequence
from datetime import timedelta
from functools import partial

import structlog

from service.programs.command_line import Refusals
from service.runtime import logs
from service.runtime.environment import derive_key
from service.runtime.settings import BadSettings, Settings, check
from service.store.contract import Store, StoreFailed, StoreUnavailable
from service.store.redis.server_checks import UnsuitableStore, require_durability
from service.store.redis.store import RedisStore
from service.store.signing import Signer
from service.store.watch.store_watch import NO_WITNESS, StoreWatch
from service.store.write_guard import NOT_CHECKED, FreeSpace, WriteGuard

log = structlog.get_logger()

STORE_PATIENCE = timedelta(seconds=60)
"""How long a start waits for a store, which may still be loading its file."""


def store_of(settings: Settings, guard: WriteGuard | None = None) -> RedisStore:
    """Return the store of the settings. Raises `BadSettings` as `check` does.

    `guard` checks every command.
    """
    replicas = settings.replicas if settings.acknowledge == "replicated" else 0
    cluster = settings.redis_cluster
    try:
        check(settings)
        return RedisStore(
            settings.store_url,
            partitions=settings.partitions,
            cluster=cluster,
            replicas=replicas,
            signer=signer_of(settings),
            guard=guard,
        )
    except ValueError:  # its message may contain a part of the password
        raise BadSettings(
            "TURNSTREAM_REDIS_URL is invalid: expected redis://user:password@host:6379, rediss:// or unix://, with "
            "%2F for a / in the password, %40 for an @ and so on. docs/operating/start.md describes its options."
        ) from None


def signer_of(settings: Settings) -> Signer:
    """Return the `Signer` of histories, with the signing key and the older keys."""
    keys = [derive_key(key, "histories") for key in settings.keys]
    return Signer(keys, accepts_unsigned=settings.unsigned == "accept")


def set_up_logs(settings: Settings) -> Refusals:
    """Configure logging for a program that uses the store, and return the errors that are answers to the operator."""
    logs.set_up(settings)
    return (UnsuitableStore, StoreFailed)


def watched_store(settings: Settings) -> tuple[RedisStore, WriteGuard, StoreWatch]:
    """Return the store of the settings, its write guard, and the watch that controls the guard."""
    guard = WriteGuard(range(settings.partitions), FreeSpace(settings.store_folder))
    store = store_of(settings, guard)
    return store, guard, StoreWatch(store, guard, settings.witness, partial(settings_problem, store, settings))


async def settings_problem(store: Store, settings: Settings) -> str:
    """Return why the store's settings are unsuitable, "" if they are suitable. Raises `StoreUnavailable`."""
    try:
        check_durability(await store.check(), settings)
    except UnsuitableStore as unsuitable:
        return str(unsuitable)
    return ""


def check_durability(warnings: Sequence[str], settings: Settings) -> None:
    """Raise `UnsuitableStore` in production for a store that may lose acknowledged commands."""
    if settings.mode == "production":
        require_durability(warnings, vouched=settings.store_vouched)


def require_ready(guard: WriteGuard) -> None:
    """Raise a `StoreUnavailable` if the store cannot be used."""
    guard.require_sound()
    if not guard.is_compared(0):
        raise StoreUnavailable(NOT_CHECKED)


async def wait_for_store(store: Store, settings: Settings, stop: asyncio.Event | None = None) -> None:
    """Wait for the store and check its settings. Raises `UnsuitableStore`, or `StoreUnavailable` if it does not answer.

    Stops waiting when `stop` is set. In production a store that may lose acknowledged commands is rejected.
    """
    warnings = await wait_for_check(store, stop)
    for warning in [*warnings, *([] if settings.witness else [NO_WITNESS])]:
        log.warning("store_setting", warning=warning)
    check_durability(warnings, settings)


async def wait_for_check(store: Store, stop: asyncio.Event | None) -> list[str]:
    """Return the warnings of the store's check as soon as the store answers. Raises what `wait_for_store` raises."""
    began, is_logged = time.monotonic(), False
    while True:
        try:
            return await store.check()
        except StoreUnavailable as away:
            if time.monotonic() - began > STORE_PATIENCE.total_seconds() or (stop and stop.is_set()):
                raise
            if not is_logged:
                log.warning("store_awaited", error=str(away), seconds=STORE_PATIENCE.total_seconds())
                is_logged = True
        await asyncio.sleep(0.2)
