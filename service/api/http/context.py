"""What every handler works with: the application, and what identifies and limits its callers."""

from collections.abc import Awaitable, Callable

import msgspec

from service.api.http.callers import Caller, Callers
from service.api.http.parameters import HttpRequest
from service.api.http.peers import AllowedHosts, ClientAddresses, Peer
from service.api.http.tokens import Tokens
from service.api.limits import ClientLimits
from service.api.shutdown import GracefulShutdown
from service.bots.hints import Hints
from service.contests.notable import NotableService
from service.contests.rating_service import RatingService
from service.contests.reviews import Analyses
from service.contests.tournament_service import TournamentService
from service.contests.tv import TvService
from service.domain.ids import Millis, Player, PlayerId
from service.people.account_service import AccountService
from service.people.matchmaking.service import Matchmaking
from service.people.player_matches.service import PlayerMatchService
from service.people.player_service import PlayerService
from service.people.webhooks.service import WebhookService
from service.rooms.access.audit_log import AuditLog, Moderation
from service.rooms.access.directory import Directory
from service.rooms.access.reports import Reports
from service.rooms.service import RoomService
from service.rooms.social.feeds import SocialFeeds


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
    erase: Callable[[Player], Awaitable[None]]
    """Erases a player; see `ErasureService`."""
    tokens: Tokens
    callers: Callers
    new_player: Callable[[], PlayerId]
    """Returns an unused player id."""
    now: Callable[[], Millis]
    origins: tuple[str, ...]
    """The origins whose pages may call the API; `*` for any."""
    shutdown: GracefulShutdown
    social: SocialFeeds
    audit_log: AuditLog
    reports: Reports
    directory: Directory
    hints: Hints
    analyses: Analyses
    limits: ClientLimits
    moderation: Moderation = msgspec.field(default_factory=Moderation)
    addresses: ClientAddresses = msgspec.field(default_factory=ClientAddresses)
    hosts: AllowedHosts = msgspec.field(default_factory=lambda: AllowedHosts("*"))
    require_ready: Callable[[], None] = lambda: None
    """Raises a `StoreUnavailable` while the store cannot be written to."""
    has_operators: bool = False
    """Whether an operator token is set; without it there are no operators' routes."""
    public_url: str = ""
    """The address of the service as players reach it, without a slash at the end; "" if unknown."""
    shows_metrics: bool = True
    """Whether `/metrics` is served here; false if the metrics have their own port."""

    def operator_of(self, peer: Peer, token: bytes) -> Caller | None:
        """Return the operator of a peer's token; count any other token. Raises `ServiceError` with `rate_limited`.

        The right token is never refused, because anybody can send wrong ones from an address that operators share.
        """
        if (operator := self.callers.operator_of(token)) is None:
            self.limits.admin_tokens.take(peer.address(self.addresses))
        return operator


def context_of(request: HttpRequest) -> AppContext:
    """Return the context of the application that serves this request."""
    context: AppContext = request.app.state.context
    return context
