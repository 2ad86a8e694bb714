"""What every handler works with: the application, and what identifies and limits its callers."""

from collections.abc import Callable

import msgspec

from service.accounts.service import AccountService
from service.api.callers.addresses import ClientAddresses
from service.api.callers.callers import Callers
from service.api.callers.connections import Connections
from service.api.callers.hosts import AllowedHosts
from service.api.callers.tokens import Tokens
from service.api.limits import ClientLimits
from service.api.shutdown import GracefulShutdown
from service.bot_engine.analyses import Analyses
from service.bot_engine.hints import Hints
from service.domain.room.model.ids import Millis, PlayerId
from service.erasure.service import ErasureService
from service.matchmaking.service import Matchmaking
from service.notable.service import NotableService
from service.player_matches.service import PlayerMatchService
from service.players.service import PlayerService
from service.ratings.service import RatingService
from service.rooms.access.audit_log import AuditLog
from service.rooms.access.moderation import Moderation
from service.rooms.service import RoomService
from service.rooms.social.feeds import SocialFeeds
from service.tournaments.service import TournamentService
from service.tv.service import TvService
from service.webhooks.service import WebhookService


def always_ready() -> None:
    """Treat the store as ready; the default of `require_ready`."""


class AppContext(msgspec.Struct, frozen=True):
    """The application and the services of the API, passed to every handler."""

    rooms: RoomService
    players: PlayerService
    webhooks: WebhookService
    accounts: AccountService
    matchmaking: Matchmaking
    ratings: RatingService
    notable: NotableService
    player_matches: PlayerMatchService
    tv: TvService
    tournaments: TournamentService
    erasure: ErasureService
    tokens: Tokens
    callers: Callers
    connections: Connections
    new_player: Callable[[], PlayerId]
    """Returns an unused player id."""
    now: Callable[[], Millis]
    origins: tuple[str, ...]
    """The origins whose pages may call the API; `*` for any."""
    shutdown: GracefulShutdown
    social: SocialFeeds
    audit_log: AuditLog
    hints: Hints
    analyses: Analyses
    limits: ClientLimits
    moderation: Moderation = msgspec.field(default_factory=Moderation)
    addresses: ClientAddresses = msgspec.field(default_factory=ClientAddresses)
    hosts: AllowedHosts = msgspec.field(default_factory=lambda: AllowedHosts("*"))
    require_ready: Callable[[], None] = always_ready
    """Raises `ServiceError` or `StoreLost` while the store cannot serve new clients."""
    admin_token: bytes | None = None
    """The operator token; None for no operators' routes."""
    public_url: str = ""
    """The address of the service as players reach it, without a slash at the end; "" if unknown."""
    shows_metrics: bool = True
    """Whether `/metrics` is served here; false if the metrics have their own port."""
