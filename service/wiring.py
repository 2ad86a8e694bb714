"""The composition root: builds the service from its settings. Only this module and `__main__` know all packages."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager, suppress
from datetime import timedelta
from functools import partial
from importlib.metadata import version
from typing import TYPE_CHECKING

import structlog
from litestar import Litestar

from service.api.app import MAX_BODY_BYTES, create_app
from service.api.asgi import FastPath
from service.api.callers.addresses import ClientAddresses
from service.api.callers.callers import Callers
from service.api.callers.connections import Connections
from service.api.callers.hosts import AllowedHosts
from service.api.callers.tokens import Tokens
from service.api.context import AppContext
from service.api.limits import ClientLimits, LimitSettings
from service.api.shutdown import GracefulShutdown
from service.bot_engine.analyses import Analyses
from service.bot_engine.hints import Hints
from service.bot_engine.pool import BotPool
from service.derived_keys import derive_key, purpose_key
from service.domain.room.model.ids import Millis
from service.environment import HashedNames, SystemEnvironment, new_player, new_process
from service.ops.probes import watch_loop, watch_store
from service.ops.store_watch import StoreWatch
from service.ops.verbs import Site
from service.people_setup import accounts_of, people_of
from service.rooms.access.audit_log import AuditLog
from service.rooms.access.moderation import Moderation
from service.rooms.access.policy import EntryLimits
from service.rooms.archive import RoomArchive
from service.rooms.commands.invitations import InvitationCodes
from service.rooms.service import RoomCore, RoomService
from service.rooms.social.feeds import SocialFeeds
from service.service_clock import ServiceClock
from service.settings import BadSettings, Settings
from service.store.contract import Store, StoreLost
from service.store.side_channels import ProcessId
from service.store_setup import require_ready, store_of, wait_for_store, watched_store
from service.streams.outboxes import Outboxes
from service.telemetry import metrics, metrics_server
from service.telemetry.tracing import TRACING, start_export
from service.tv.service import TvService
from service.webhooks.service import WebhookService
from service.webhooks_setup import sender_of
from service.workers.bots import Bots
from service.workers.housekeeping import Housekeeping, Retention
from service.workers.scrubbing import Rate, Scrub
from service.workers.sending import SendingWorker
from service.workers.worker import Worker

if TYPE_CHECKING:
    from service.issuers.issuers import Issuers

log = structlog.get_logger()


def tokens_of(settings: Settings) -> Tokens:
    """Return the `Tokens` of an installation, which sign and read players' tokens."""
    key, *older = (derive_key(key, "tokens") for key in settings.keys)
    return Tokens(key, older)


def foreign_of(settings: Settings) -> "Issuers | None":
    """Return the other issuers whose tokens are accepted, None if there are none. Raises `BadSettings`."""
    if settings.issuers is None:
        return None
    from service.issuers.fetch import KeySetFetcher  # noqa: PLC0415 - as below
    from service.issuers.setup import issuers_of  # noqa: PLC0415 - cryptography takes 0.2 s and 10 MB, few need it

    return issuers_of(settings.issuers, KeySetFetcher(f"turnstream/{version('turnstream')}"), time.monotonic)


def core_of(settings: Settings, store: Store, environment: SystemEnvironment) -> RoomCore:
    """Return the parts of which the rooms of a store consist."""
    return RoomCore(store, environment, purpose_key(settings, "marks"), settings.rooms_in_memory)


def rooms_of(settings: Settings, core: RoomCore, social: SocialFeeds | None = None) -> RoomService:
    """Return the rooms of a store, with chat and presence if `social` is given."""
    limits = EntryLimits(settings.limit_rooms, settings.limit_members)
    codes = InvitationCodes([derive_key(key, "invitations") for key in settings.keys])
    return RoomService(core, HashedNames(purpose_key(settings, "names")), social, limits, codes)


def limits_of(settings: Settings) -> LimitSettings:
    """Return the limits of the settings: those named `limit_...`."""
    names = LimitSettings.__struct_fields__
    return LimitSettings(**{name: getattr(settings, f"limit_{name}") for name in names})


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
    core = core_of(settings, store, environment := SystemEnvironment(clock))
    moderation, bot_pool, shutdown = Moderation(), BotPool(processes=1), GracefulShutdown()
    accounts = accounts_of(settings, core, environment)
    social = SocialFeeds(
        core.processor, core.hub, ProcessId(new_process()), leaving=lambda: shutdown.is_closing, blocks=accounts
    )
    rooms = rooms_of(settings, core, social)
    callers = Callers(
        tokens := tokens_of(settings),
        accounts,
        moderation,
        clock.now,
        settings.operators,
        foreign := foreign_of(settings),
    )
    connections = Connections(callers, accounts, clock.now)
    accounts.on_change = accounts.replaced.on_change = moderation.on_ban = connections.check
    people = people_of(settings, environment, core, rooms, accounts, moderation)
    people.eraser.on_erasure = connections.check
    _, players, matchmaking, webhooks, matches, tournaments = people.services
    context = AppContext(
        rooms,
        players,
        webhooks,
        accounts,
        matchmaking,
        people.ratings,
        people.notable,
        matches,
        tv := TvService(store, social.lobby, people.ratings, clock.now),
        tournaments,
        people.erasure,
        tokens,
        callers,
        connections,
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
        settings.public_url,
        shows_metrics=not settings.metrics_port,
    )

    @asynccontextmanager
    async def lifespan(_app: Litestar) -> AsyncIterator[None]:
        metrics.ROOMS_IN_MEMORY.set_function(rooms.count)
        async with keep_up_with(store, clock, watch, beats=False):
            await people.moderation.catch_up()
            await accounts.replaced.catch_up()
            loops = (
                *(people.moderation.keep_up(), accounts.replaced.keep_up()),
                *(rooms.run_heartbeats(settings.heartbeat), social.presence.run()),
                matchmaking.held_seeks.run(),
            )
            async with bot_pool.running(), running(*loops):
                yield
        await social.presence.leave()
        await tv.close()
        TRACING.stop()
        await rooms.close()
        await people.close()
        if foreign is not None:
            await foreign.close()
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


async def work(settings: Settings, stop: asyncio.Event, *, sends: bool = False) -> None:
    """Run a worker until `stop` is set, one that also sends to webhooks if `sends`."""
    (store, _, watch), clock = watched_store(settings), ServiceClock()
    environment = SystemEnvironment(clock)
    core = core_of(settings, store, environment)
    rooms = rooms_of(settings, core)
    accounts = accounts_of(settings, core, environment)
    people = people_of(settings, environment, core, rooms, accounts, Moderation())
    services = people.services
    await wait_for_store(store, settings, stop)
    async with keep_up_with(store, clock, watch, beats=True):
        observe(settings, "turnstream-worker")
        if settings.metrics_port:
            metrics_server.serve(settings.host, settings.metrics_port)
        loops = [*housekeeping(settings, store, clock.now), people.moderation.keep_up()]
        async with BotPool(settings.thinkers).running() as bot_pool, running(*loops):
            bots = Bots(rooms, bot_pool, purpose_key(settings, "bots"))
            outboxes = Outboxes(store, people.receivers)
            working = Worker(rooms, bots, outboxes, services, people.erasure).run(stop)
            await asyncio.gather(working, *([send_due(settings, services.webhooks, stop)] if sends else []))
    TRACING.stop()
    await rooms.close()
    await people.close()
    await store.close()


async def send(settings: Settings, stop: asyncio.Event) -> None:
    """Send to webhooks until `stop` is set."""
    (store, _, watch), clock = watched_store(settings), ServiceClock()
    environment = SystemEnvironment(clock)
    core = core_of(settings, store, environment)
    rooms = rooms_of(settings, core)
    people = people_of(settings, environment, core, rooms, accounts_of(settings, core, environment), Moderation())
    await wait_for_store(store, settings, stop)
    async with keep_up_with(store, clock, watch, beats=False), running(people.moderation.keep_up()):
        observe(settings, "turnstream-webhooks")
        if settings.metrics_port:
            metrics_server.serve(settings.host, settings.metrics_port)
        await send_due(settings, people.services.webhooks, stop)
    TRACING.stop()
    await rooms.close()
    await people.close()
    await store.close()


async def send_due(settings: Settings, webhooks: WebhookService, stop: asyncio.Event) -> None:
    """Send what is due to webhooks until `stop` is set."""
    async with sender_of(settings, webhooks) as sender:
        await SendingWorker(webhooks, sender).run(stop)
