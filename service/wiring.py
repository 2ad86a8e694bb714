"""The composition root: builds the service from its settings. Only this module and `__main__` know all packages."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager, suppress
from datetime import timedelta
from functools import partial
from ipaddress import ip_network
from typing import TYPE_CHECKING

import structlog
from litestar import Litestar

from service.api.app import create_app
from service.api.asgi import EntryPoint
from service.api.http.callers import Callers, Connections
from service.api.http.context import AppContext
from service.api.http.peers import AllowedHosts, ClientAddresses
from service.api.http.tokens import Tokens
from service.api.limits import ClientLimits
from service.api.shutdown import GracefulShutdown
from service.bots.hints import Hints
from service.bots.pool import BotPool
from service.bots.requests import evaluate_position
from service.contests.notable import NotableService
from service.contests.pairing.process import PairingProcess
from service.contests.rating_service import RatingService
from service.contests.reviews import Analyses, Reviews
from service.contests.tournament_service import TournamentService
from service.contests.tv import TvService
from service.domain.ids import Millis
from service.people.account_service import AccountService
from service.people.erasure import ErasureService, NicknameEraser, PlayerServices
from service.people.fetching.fetcher import Fetcher, FetchPolicy
from service.people.matchmaking.blocks import Asking
from service.people.matchmaking.service import Matchmaking
from service.people.player_matches.service import PlayerMatchService
from service.people.player_service import PlayerService
from service.people.webhooks.messages import SecretKeys
from service.people.webhooks.operator import OperatorEvents
from service.people.webhooks.sender import WebhookSender
from service.people.webhooks.service import WebhookService
from service.programs.ops.verbs import Site
from service.programs.store_setup import require_ready, store_of, wait_for_store, watched_store
from service.rooms.access.audit_log import AuditLog, Moderation, ModerationFollower
from service.rooms.access.directory import Directory
from service.rooms.access.policy import EntryLimits
from service.rooms.access.reports import Reports
from service.rooms.archive import RoomArchive
from service.rooms.commands.invitations import InvitationCodes
from service.rooms.service import RoomCore, RoomService
from service.rooms.social.feeds import SocialFeeds
from service.runtime import metrics, metrics_server
from service.runtime.environment import (
    HashedNames,
    SystemEnvironment,
    derive_key,
    new_player,
    new_process,
    new_webhook,
    purpose_key,
)
from service.runtime.settings import BadSettings, Settings, changed_settings, release
from service.runtime.tracing import TRACING, start_export
from service.store.contract import Store, StoreLost
from service.store.side_channels import ProcessId
from service.store.stream_keys import NOTABLE, PLAYED, PLAYER, RATINGS
from service.store.watch.probes import watch_loop, watch_store
from service.store.watch.service_clock import ServiceClock
from service.streams.background import BackgroundTasks
from service.streams.outboxes import Outboxes, Receiver
from service.workers.bots import Bots
from service.workers.housekeeping import Housekeeping, Rate, Retention, Scrub
from service.workers.sending import SendingWorker
from service.workers.worker import Worker

if TYPE_CHECKING:
    from service.people.issuers.issuers import Issuers

log = structlog.get_logger()


def derived(settings: Settings, purpose: str) -> list[bytes]:
    """Return the keys for one purpose: the one that is used, and those of older signing keys, which are accepted."""
    return [derive_key(key, purpose) for key in settings.keys]


def foreign_of(settings: Settings) -> "Issuers | None":
    """Return the other issuers whose tokens are accepted, None if there are none. Raises `BadSettings`."""
    if settings.issuers is None:
        return None
    # cryptography takes 0.2 s and 10 MB, and few need it
    from service.people.issuers.issuers import KeySetFetcher, issuers_of  # noqa: PLC0415 - as above

    return issuers_of(settings.issuers, KeySetFetcher(f"turnstream/{release()}"), time.monotonic)


def core_of(settings: Settings, store: Store, environment: SystemEnvironment) -> RoomCore:
    """Return the parts of which the rooms of a store consist."""
    return RoomCore(store, environment, purpose_key(settings, "marks"), settings.rooms_in_memory, settings.heartbeat)


def rooms_of(settings: Settings, core: RoomCore, social: SocialFeeds | None = None) -> RoomService:
    """Return the rooms of a store, with chat and presence if `social` is given."""
    limits = EntryLimits(settings.limit_rooms, settings.limit_members)
    codes = InvitationCodes(derived(settings, "invitations"))
    return RoomService(core, HashedNames(purpose_key(settings, "names")), social, limits, codes)


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
    """Name the release in the log and in the metrics; serve these and send traces where the settings say so."""
    port = settings.port if service == "turnstream-api" else settings.metrics_port
    log.info("process_started", service=service, version=release(), port=port, settings=changed_settings(settings))
    metrics.BUILD.info({"version": release()})
    try:
        start_export(settings.traces, service)
    except ImportError:
        raise BadSettings("TURNSTREAM_TRACES needs `pip install turnstream[otel]`.") from None
    if settings.metrics_port:
        metrics_server.serve(settings.host, settings.metrics_port)


class Installation:
    """The services of one process over the store of its settings: the same for the API, a worker and a sender."""

    def __init__(self, settings: Settings) -> None:
        """Create the services, from the store upwards; nothing is read or written before `running`."""
        self.settings = settings
        self.store, self.guard, self.watch = watched_store(settings)
        self.clock = ServiceClock()
        store, now, environment = self.store, self.clock.now, SystemEnvironment(self.clock)
        core = core_of(settings, store, environment)
        self.shutdown, self.connections = GracefulShutdown(), Connections(now)
        self.eraser = NicknameEraser(core.repository, self.connections.check)
        self.moderation = Moderation(self.connections.check, self.eraser.erase)
        self.moderation_log = ModerationFollower(store, self.moderation)
        self.accounts = AccountService(
            core.heartbeat, environment, new_process, derived(settings, "link codes"), self.connections.check
        )
        self.social = SocialFeeds(
            core.processor,
            core.hub,
            ProcessId(new_process()),
            self.accounts,
            leaving=lambda: self.shutdown.is_closing,
        )
        self.rooms = rooms_of(settings, core, self.social)
        self.players = PlayerService(
            core.heartbeat, now, purpose_key(settings, "marks"), self.rooms, address=OperatorEvents(store).address
        )
        self.ratings, self.notable = RatingService(store, now), NotableService(store, self.rooms, now)
        self.player_matches = PlayerMatchService(store, self.rooms, self.accounts.is_erased, self.ratings.state_in)
        asking = Asking(self.players.can_be_asked, self.accounts, self.player_matches.have_met)
        self.matchmaking = Matchmaking(store, environment, self.rooms, asking, self.ratings.points, new_process)
        secret_keys = SecretKeys(derived(settings, "webhooks"))
        self.webhooks = WebhookService(
            store, environment, self.players, secret_keys, new_webhook, allows_http=settings.webhook_http
        )
        self.pairing = PairingProcess()
        self.tournaments = TournamentService(
            core.heartbeat, environment, self.rooms, self.ratings.points, self.pairing.pair, new_process
        )
        self.services = PlayerServices(
            accounts=self.accounts,
            players=self.players,
            matchmaking=self.matchmaking,
            webhooks=self.webhooks,
            matches=self.player_matches,
            tournaments=self.tournaments,
        )
        self.erasure = ErasureService(store, self.rooms, self.services, self.moderation_log)

    @property
    def receivers(self) -> dict[str, Receiver]:
        """What receives from outboxes, by kind of stream."""
        own = {PLAYER: self.players.receive, RATINGS: self.ratings.receive, PLAYED: self.player_matches.receive}
        return {**own, NOTABLE: self.notable.receive, **self.tournaments.receivers}

    @asynccontextmanager
    async def running(self, *, beats: bool = False) -> AsyncIterator[None]:
        """Observe the store, measure its clock and follow moderation while the context lasts; with `beats` as a worker.

        Everything is closed at the end.
        """
        worker_store = self.store.worker_store
        try:
            await self.watch.start()
            with suppress(StoreLost):
                await self.clock.report(worker_store, beats=beats)
            loops = (watch_loop(), watch_store(self.store, self.watch.space), self.watch.run())
            async with running(*loops, self.clock.keep(worker_store, beats=beats), self.moderation_log.keep_up()):
                yield
        finally:
            await self.close()

    async def close(self) -> None:
        """Finish all background work, of what was created last first; the store is closed last."""
        TRACING.stop()
        for part in (
            self.tournaments,
            self.pairing,
            self.webhooks,
            self.matchmaking,
            self.ratings,
            self.players,
            self.rooms,
            self.accounts,
            self.eraser,
            self.store,
        ):
            await part.close()


def api(settings: Settings) -> tuple[EntryPoint, Store]:
    """Return the API and its store."""
    installation = Installation(settings)
    observe(settings, "turnstream-api")
    store, rooms, now = installation.store, installation.rooms, installation.clock.now
    accounts, social = installation.accounts, installation.social
    tokens, foreign, bot_pool = Tokens(*derived(settings, "tokens")), foreign_of(settings), BotPool(processes=1)
    reviews = Reviews(store, rooms, partial(evaluate_position, bot_pool), now)
    tv = TvService(store, social.lobby, installation.ratings, now)
    context = AppContext(
        rooms=rooms,
        players=installation.players,
        webhooks=installation.webhooks,
        accounts=accounts,
        matchmaking=installation.matchmaking,
        ratings=installation.ratings,
        notable=installation.notable,
        player_matches=installation.player_matches,
        tv=tv,
        tournaments=installation.tournaments,
        erase=installation.erasure.erase,
        tokens=tokens,
        callers=Callers(
            tokens, accounts, installation.moderation, installation.connections, settings.operators, foreign
        ),
        new_player=new_player,
        now=now,
        origins=settings.origins,
        shutdown=installation.shutdown,
        social=social,
        audit_log=AuditLog(store),
        reports=Reports(store),
        directory=Directory(store),
        hints=Hints(rooms, bot_pool, purpose_key(settings, "hints")),
        analyses=Analyses(rooms, reviews),
        limits=ClientLimits(settings, time.monotonic),
        moderation=installation.moderation,
        addresses=ClientAddresses(settings.trusted_proxies),
        hosts=AllowedHosts(settings.hosts),
        require_ready=partial(require_ready, installation.guard),
        has_operators=settings.operators is not None,
        public_url=settings.public_url,
        shows_metrics=not settings.metrics_port,
    )

    @asynccontextmanager
    async def lifespan(_app: Litestar) -> AsyncIterator[None]:
        metrics.ROOMS_IN_MEMORY.set_function(rooms.count)
        async with installation.running():
            await installation.moderation_log.catch_up()
            await accounts.replaced.catch_up()
            loops = (
                *(accounts.replaced.keep_up(), accounts.heartbeat.run(), rooms.run_heartbeats(settings.heartbeat)),
                *(
                    social.presence.run(),
                    social.views.run(settings.heartbeat),
                    installation.matchmaking.held_seeks.run(),
                    installation.players.keep_reading(),
                ),
            )
            async with bot_pool.running(), running(*loops):
                yield
            await social.presence.leave()
            await tv.close()
            await reviews.close()
            if foreign is not None:
                await foreign.close()

    return EntryPoint(create_app(context, lifespan), context), store


async def work(settings: Settings, stop: asyncio.Event, *, sends: bool = False) -> None:
    """Run a worker until `stop` is set, one that also sends to webhooks if `sends`."""
    installation = Installation(settings)
    store, rooms = installation.store, installation.rooms
    await wait_for_store(store, settings, stop)
    async with installation.running(beats=True):
        observe(settings, "turnstream-worker")
        loops = housekeeping(settings, store, installation.clock.now)
        async with BotPool(settings.thinkers).running() as bot_pool, running(*loops):
            bots = Bots(rooms, bot_pool, purpose_key(settings, "bots"))
            outboxes = Outboxes(store, installation.receivers)
            reviews = Reviews(store, rooms, partial(evaluate_position, bot_pool), installation.clock.now)
            worker = Worker(rooms, bots, outboxes, installation.services, installation.erasure, reviews.proceed)
            sending = [send_due(settings, installation.webhooks, stop)] if sends else []
            await asyncio.gather(worker.run(stop), *sending)
            await reviews.close()


async def send(settings: Settings, stop: asyncio.Event) -> None:
    """Send to webhooks until `stop` is set."""
    installation = Installation(settings)
    await wait_for_store(installation.store, settings, stop)
    async with installation.running():
        observe(settings, "turnstream-webhooks")
        await send_due(settings, installation.webhooks, stop)


async def send_due(settings: Settings, webhooks: WebhookService, stop: asyncio.Event) -> None:
    """Send what is due to webhooks, to the addresses that the settings allow, until `stop` is set."""
    networks = tuple(ip_network(network, strict=False) for network in settings.webhook_networks)
    reading = BackgroundTasks("turns_not_read")
    reading.start(webhooks.read_turns())
    fetcher = Fetcher(FetchPolicy(settings.webhook_http, networks), f"Turnstream/{release()}")
    try:
        await SendingWorker(webhooks, WebhookSender(webhooks, fetcher, time.time)).run(stop)
    finally:
        await reading.close()
        await fetcher.close()


def site(settings: Settings) -> Site:
    """Return the installation for operators' verbs."""
    store = store_of(settings)
    rooms = rooms_of(settings, core_of(settings, store, SystemEnvironment(ServiceClock())))
    return Site(store, rooms, purpose_key(settings, "exports"), settings)


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
