"""The composition root: builds the service from its settings. Only this module and `__main__` know all packages."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from contextlib import asynccontextmanager, suppress
from datetime import timedelta
from functools import partial
from importlib.metadata import version

import structlog
from litestar import Litestar

from service.api.app import MAX_BODY_BYTES, create_app
from service.api.asgi import FastPath
from service.api.callers.addresses import ClientAddresses
from service.api.callers.hosts import AllowedHosts
from service.api.callers.tokens import Tokens
from service.api.context import AppContext
from service.api.limits import ClientLimits, LimitSettings
from service.api.shutdown import GracefulShutdown
from service.bot_engine.analyses import Analyses
from service.bot_engine.hints import Hints
from service.bot_engine.pool import BotPool
from service.derived_keys import derive_key, purpose_key, signer_of
from service.domain.room.model.ids import Millis
from service.environment import HashedNames, SystemEnvironment, new_player, new_process
from service.ops.probes import watch_loop, watch_store
from service.ops.store_watch import NO_WITNESS, StoreWatch
from service.ops.verbs import Site
from service.rooms.access.audit_log import AuditLog, ModerationFollower
from service.rooms.access.moderation import Moderation
from service.rooms.access.policy import EntryLimits
from service.rooms.archive import RoomArchive
from service.rooms.errors import ServiceError
from service.rooms.service import RoomCore, RoomService
from service.rooms.social.feeds import SocialFeeds
from service.service_clock import ServiceClock
from service.settings import BadSettings, Settings, check_production
from service.store.contract import Store, StoreLost, StoreUnavailable
from service.store.free_space import FreeSpace
from service.store.redis.server_checks import UnsuitableStore, require_durability
from service.store.redis.store import RedisStore
from service.store.side_channels import ProcessId
from service.store.write_guard import NOT_CHECKED, WriteGuard
from service.telemetry import metrics, metrics_server
from service.telemetry.tracing import TRACING, start_export
from service.workers.bots import Bots
from service.workers.housekeeping import Housekeeping, Retention
from service.workers.scrubbing import Rate, Scrub
from service.workers.worker import Worker

log = structlog.get_logger()

STORE_PATIENCE = timedelta(seconds=60)
"""How long a start waits for a store, which may still be loading its file."""


def tokens_of(settings: Settings, moderation: Moderation) -> Tokens:
    """Return the `Tokens` of an installation, which issue and verify players' tokens."""
    key, *older = (derive_key(key, "tokens") for key in settings.keys)
    return Tokens(key, older, moderation, settings.operators)


def store_of(settings: Settings, guard: WriteGuard | None = None) -> RedisStore:
    """Return the store of the settings. Raises `BadSettings`, in production also for unsafe settings.

    `guard` checks every command.
    """
    replicas = settings.replicas if settings.acknowledge == "replicated" else 0
    cluster = settings.redis_cluster
    try:
        check_production(settings)
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
            "%2F for a / in the password, %40 for an @ and so on. docs/operating.md describes its options."
        ) from None


def core_of(settings: Settings, store: Store, environment: SystemEnvironment) -> RoomCore:
    """Return the parts of which the rooms of a store consist."""
    return RoomCore(store, environment, purpose_key(settings, "marks"), settings.rooms_in_memory)


def rooms_of(settings: Settings, core: RoomCore, social: SocialFeeds | None = None) -> RoomService:
    """Return the rooms of a store, with chat and presence if `social` is given."""
    limits = EntryLimits(settings.limit_rooms, settings.limit_members)
    return RoomService(core, HashedNames(purpose_key(settings, "names")), social, limits)


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
    """Raise `StoreLost`, `StoreUnavailable` or `ServiceError` if the store cannot be used."""
    if guard.lost is not None:
        raise StoreLost(str(guard.lost))
    if not guard.is_open(0):
        raise StoreUnavailable(NOT_CHECKED)
    if guard.unfit:
        raise ServiceError("store_unfit", guard.unfit)


def limits_of(settings: Settings) -> LimitSettings:
    """Return the limits of the settings: those named `limit_...`."""
    names = LimitSettings.__struct_fields__
    return LimitSettings(**{name: getattr(settings, f"limit_{name}") for name in names})


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


def housekeeping(settings: Settings, store: Store, now: Callable[[], Millis]) -> list[Coroutine[None, None, None]]:
    """Return the loop that checks all rooms, and with a retention also the one that archives closed rooms."""
    scrub = Scrub(store, now, Rate())
    if not settings.retention:
        return [scrub.run()]
    return [
        scrub.run(),
        Housekeeping(RoomArchive(store), Retention(timedelta(days=settings.retention), settings.archive)).run(),
    ]


def observe(settings: Settings, service: str) -> None:
    """Publish the release in the metrics, and send traces if the settings name a collector."""
    metrics.BUILD.info({"version": version("turnstream")})
    if settings.traces:
        try:
            start_export(settings.traces, service)
        except ImportError:
            raise BadSettings("TURNSTREAM_TRACES needs `pip install turnstream[otel]`.") from None


def api(settings: Settings) -> tuple[FastPath, Store]:
    """Return the API and its store."""
    observe(settings, "turnstream-api")
    (store, guard, watch), clock = watched_store(settings), ServiceClock()
    core = core_of(settings, store, SystemEnvironment(clock))
    moderation, bot_pool, shutdown = Moderation(), BotPool(processes=1), GracefulShutdown()
    social = SocialFeeds(core.processor, core.hub, ProcessId(new_process()), leaving=lambda: shutdown.is_closing)
    rooms = rooms_of(settings, core, social)
    context = AppContext(
        rooms,
        tokens_of(settings, moderation),
        new_player,
        clock.now,
        settings.origins,
        shutdown,
        social,
        AuditLog(store),
        Hints(rooms, bot_pool, purpose_key(settings, "hints")),
        Analyses(rooms, bot_pool, purpose_key(settings, "analyses")),
        ClientLimits(limits_of(settings), time.monotonic),
        moderation,
        ClientAddresses(settings.trusted_proxies),
        AllowedHosts(settings.hosts),
        partial(require_ready, guard),
        settings.operators,
        shows_metrics=not settings.metrics_port,
    )

    @asynccontextmanager
    async def lifespan(_app: Litestar) -> AsyncIterator[None]:
        metrics.ROOMS_IN_MEMORY.set_function(rooms.count)
        moderation_follower = ModerationFollower(store, moderation)
        async with keep_up_with(store, clock, watch, beats=False):
            await moderation_follower.catch_up()
            loops = (moderation_follower.keep_up(), rooms.run_heartbeats(settings.heartbeat), social.presence.run())
            async with bot_pool.running(), running(*loops):
                yield
        await social.presence.leave()
        TRACING.stop()
        await rooms.close()
        await store.close()

    return FastPath(create_app(context, lifespan), context, MAX_BODY_BYTES), store


def site(settings: Settings) -> Site:
    """Return the installation for operators' verbs."""
    store = store_of(settings)
    rooms = rooms_of(settings, core_of(settings, store, SystemEnvironment(ServiceClock())))
    return Site(store, rooms, purpose_key(settings, "exports"), settings)


@asynccontextmanager
async def keep_up_with(store: Store, clock: ServiceClock, watch: StoreWatch, *, beats: bool) -> AsyncIterator[None]:
    """Observe the store and measure its clock while the context lasts; with `beats` as a worker."""
    await watch.start()
    with suppress(StoreLost):
        await clock.report(store.worker_store, beats=beats)
    async with running(watch_loop(), watch_store(store), watch.run(), clock.keep(store.worker_store, beats=beats)):
        yield


@asynccontextmanager
async def running(*loops: Coroutine[None, None, None]) -> AsyncIterator[None]:
    """Run loops while the context lasts."""
    tasks = [asyncio.create_task(loop) for loop in loops]
    for task in tasks:
        task.add_done_callback(log_failure)
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def log_failure(loop: asyncio.Task[None]) -> None:
    """Log the exception that ended a loop."""
    if not loop.cancelled() and (fault := loop.exception()) is not None:
        log.error("loop_failed", exc_info=fault)


async def work(settings: Settings, stop: asyncio.Event) -> None:
    """Run a worker until `stop` is set."""
    (store, _, watch), clock = watched_store(settings), ServiceClock()
    rooms = rooms_of(settings, core_of(settings, store, SystemEnvironment(clock)))
    await wait_for_store(store, settings, stop)
    async with keep_up_with(store, clock, watch, beats=True):
        observe(settings, "turnstream-worker")
        if settings.metrics_port:
            metrics_server.serve(settings.host, settings.metrics_port)
        loops = housekeeping(settings, store, clock.now)
        async with BotPool(settings.thinkers).running() as bot_pool, running(*loops):
            await Worker(rooms, Bots(rooms, bot_pool, purpose_key(settings, "bots"))).run(stop)
    TRACING.stop()
    await rooms.close()
    await store.close()
