"""The subscriptions of a socket: to rooms, the lobby, the caller's own feed, TV, tournaments, and the chat."""

from collections.abc import Callable

import msgspec

from service.api.http.context import AppContext
from service.api.http.requests import parse_json, room_name
from service.contests.tournament_feed import FEED as TOURNAMENT_FEED
from service.contests.tv import CHANNELS
from service.domain.catalog import game_named
from service.domain.game import Seat
from service.domain.ids import Player, PlayerId, RoomName, Version
from service.domain.seeks.decide import SeekRequest
from service.domain.seeks.model import SeekId
from service.domain.tournaments.model import TournamentId
from service.people.matchmaking.seeks import own_seek
from service.people.player_service import FEED
from service.rooms.access.policy import require_player
from service.rooms.feeds import frames
from service.rooms.feeds.frames import CHAT, LOBBY
from service.rooms.feeds.lobby import LobbyFilter
from service.rooms.feeds.send_queue import SendQueue
from service.rooms.repository import LoadedRoom
from service.rooms.views.match_view import Omitted
from service.rooms.views.room_view import SentView
from service.streams.errors import ServiceError

Refuse = Callable[[ServiceError], None]
"""Closes a socket for this reason, so that its client resumes on another one."""


class RoomSubscription:
    """The subscription of a socket to one room."""

    def __init__(
        self, live: LoadedRoom, player: Player | None, frame: frames.Subscribe, queue: SendQueue, *, on_own_feed: bool
    ) -> None:
        """Subscribe to `live` as requested; `on_own_feed` if the socket is for this room only."""
        self.live = live
        self.on_own_feed = on_own_feed
        self.player = player.id if player else None
        self.wanted: Seat | None = frame.seat
        self.state = frame.state
        self.omitted: Omitted = frozenset(frame.omit)
        self.at = Version(0)
        self.view: SentView | None = None
        self.offer = queue.offer
        """Queues a frame for the socket."""
        self._queue = queue
        self.drained = self._queue.drained
        """Waits until the frames offered so far have been sent."""


class LobbySubscription:
    """The subscription of a socket to the lobby."""

    def __init__(self, wanted: LobbyFilter, queue: SendQueue, player: Callable[[], PlayerId | None]) -> None:
        """Subscribe to the rooms that are wanted; `player` returns whom the socket acts for."""
        self.wanted = wanted
        self._player = player
        self.offer = queue.offer
        """Queues a frame for the socket."""

    @property
    def player(self) -> PlayerId | None:
        """The player, None before the socket has a token."""
        return self._player()


class OwnSubscription:
    """The subscription of a socket to the feed of its player."""

    def __init__(self, player: PlayerId, queue: SendQueue, refuse: Refuse) -> None:
        """Subscribe to the feed of this player."""
        self.player = player
        self.refuse = refuse
        """Closes the socket."""
        self.offer = queue.offer
        """Queues a frame for the socket."""


class TvSubscription:
    """The subscription of a socket to a channel of TV."""

    def __init__(self, channel: str, queue: SendQueue) -> None:
        """Subscribe to this channel."""
        self.channel = channel
        self.offer = queue.offer
        """Queues a frame for the socket."""


class TournamentSubscription:
    """The subscription of a socket to a tournament."""

    def __init__(self, tournament: TournamentId, queue: SendQueue, refuse: Refuse) -> None:
        """Subscribe to this tournament."""
        self.tournament = tournament
        self.refuse = refuse
        """Closes the socket."""
        self.offer = queue.offer
        """Queues a frame for the socket."""


class ChatSubscription:
    """The subscription of a socket to a view of the chat."""

    def __init__(self, view: str, live: LoadedRoom | None, player: PlayerId | None, queue: SendQueue) -> None:
        """Subscribe to this view, which is that of one room if there is one."""
        self.view = view
        self.live = live
        self.player = player
        self.offer = queue.offer
        """Queues a frame for the socket."""


class SocketSubscriptions:
    """All subscriptions of one socket."""

    def __init__(
        self,
        context: AppContext,
        only: RoomName | None,
        queue: SendQueue,
        player: Callable[[], PlayerId | None],
        refuse: Refuse,
    ) -> None:
        """Start without subscriptions; `only` is the only room that this socket may subscribe to.

        `player` returns whom the socket acts for. `refuse` closes it when a feed cannot be continued.
        """
        self._context = context
        self._refuse = refuse
        self._player = player
        self._only = only
        self._queue = queue
        self.rooms: dict[RoomName, RoomSubscription] = {}
        self._lobby: LobbySubscription | None = None
        self._own: OwnSubscription | None = None
        self._tv: dict[str, TvSubscription] = {}
        self._tournaments: dict[TournamentId, TournamentSubscription] = {}
        self._chat: ChatSubscription | None = None

    async def follow(self, frame: frames.Subscribe, player: Player | None) -> None:
        """Subscribe as requested; this replaces an earlier subscription to the same feed."""
        if frame.room is None and self._only is not None:
            raise ServiceError("no_such_room", "This socket is for one room only. Other feeds are at /v1/feed.")
        if frame.me:
            await self._follow_own(frame, require_player(player))
            return
        if frame.tv is not None:
            await self._follow_tv(frame.tv)
            return
        if frame.tournament is not None:
            await self._follow_tournament(frame.tournament)
            return
        if frame.chat is not None:
            await self._follow_chat(room_name(frame.chat), player.id if player else None)
            return
        if frame.room is None:
            await self._enter_lobby(LobbyFilter(frame.game, frame.joinable))
            return
        name = self.room(frame.room)
        live = await self._context.rooms.read(name, player.id if player else None)
        self._drop(name)
        self._has_place()
        self._context.limits.check_subscribers(self._context.rooms.subscriber_count(live))
        own_feed = self._only is not None
        subscription = self.rooms[name] = RoomSubscription(live, player, frame, self._queue, on_own_feed=own_feed)
        try:
            await self._context.rooms.subscribe(live, subscription, frame.since, frame.mark)
        except BaseException:
            del self.rooms[name]
            raise

    def leave(self, frame: frames.Unsubscribe) -> None:
        """End a subscription."""
        if frame.me:
            self._leave_own()
        elif frame.tv is not None:
            self._leave_tv(frame.tv)
        elif frame.tournament is not None:
            self._leave_tournament(frame.tournament)
        elif frame.chat is not None:
            self._leave_chat()
        elif frame.room is None:
            self._leave_lobby()
        else:
            self._drop(self.room(frame.room))

    def room(self, name: str) -> RoomName:
        """Return a normalised room name. Raises `ServiceError` (`no_such_room`) for another room than the socket's."""
        if name in self.rooms:
            return RoomName(name)
        folded = room_name(name)
        if self._only is not None and folded != self._only:
            raise ServiceError("no_such_room", "This socket is for one room only, the one in its URL.")
        return folded

    def resync(self, rooms: set[str]) -> None:
        """Send a snapshot of a subscription for which the socket was too slow."""
        for subscription in self.rooms.values():
            if subscription.live.key.name in rooms:
                self._context.rooms.resync(subscription.live, subscription, "too_slow")
        if LOBBY in rooms and self._lobby is not None:
            self._context.social.lobby.resync(self._lobby)
        if FEED in rooms and self._own is not None:
            self._context.players.resync(self._own.player, self._own)
        if CHAT in rooms and self._chat is not None:
            self._context.social.views.resync(self._chat)
        for name, followed in self._tournaments.items():
            if f"{TOURNAMENT_FEED}{name}" in rooms:
                self._context.tournaments.feeds.resync(name, followed)

    def close(self) -> None:
        """End all subscriptions."""
        self._leave_lobby()
        self._leave_own()
        self._leave_chat()
        for channel in list(self._tv):
            self._leave_tv(channel)
        for name in list(self.rooms):
            self._drop(name)
        for tournament in list(self._tournaments):
            self._leave_tournament(tournament)

    def _has_place(self) -> None:
        most = self._context.limits.settings.limit_subscriptions
        if most and len(self.rooms) + len(self._tournaments) >= most:
            raise ServiceError("too_many_subscriptions", params={"most": most})

    async def _enter_lobby(self, wanted: LobbyFilter) -> None:
        if wanted.game is not None:
            game_named(wanted.game, "/game")
        self._leave_lobby()
        subscription = self._lobby = LobbySubscription(wanted, self._queue, self._player)
        await self._context.social.lobby.follow(subscription)

    async def _follow_own(self, frame: frames.Subscribe, player: Player) -> None:
        self._leave_own()
        subscription = self._own = OwnSubscription(player.id, self._queue, self._refuse)
        try:
            await self._context.players.follow(player.id, subscription, frame.since, frame.mark)
        except BaseException:
            self._own = None
            raise

    async def _follow_tv(self, channel: str) -> None:
        if channel not in CHANNELS:
            game_named(channel, "/tv")
        self._leave_tv(channel)
        subscription = self._tv[channel] = TvSubscription(channel, self._queue)
        try:
            await self._context.tv.follow(subscription)
        except BaseException:
            del self._tv[channel]
            raise

    def _leave_tv(self, channel: str) -> None:
        subscription = self._tv.pop(channel, None)
        if subscription is not None:
            self._context.tv.unfollow(subscription)

    async def _follow_tournament(self, tournament: TournamentId) -> None:
        self._leave_tournament(tournament)
        self._has_place()
        subscription = self._tournaments[tournament] = TournamentSubscription(tournament, self._queue, self._refuse)
        try:
            await self._context.tournaments.feeds.follow(tournament, subscription)
        except BaseException:
            self._tournaments.pop(tournament, None)
            raise

    def _leave_tournament(self, tournament: TournamentId) -> None:
        followed = self._tournaments.pop(tournament, None)
        if followed is not None:
            self._context.tournaments.feeds.unfollow(tournament, followed)

    async def _follow_chat(self, view: RoomName, player: PlayerId | None) -> None:
        live = await self._context.rooms.of_view(view, player)
        self._leave_chat()
        subscription = self._chat = ChatSubscription(view, live, player, self._queue)
        try:
            await self._context.social.views.follow(subscription)
        except BaseException:
            self._chat = None
            raise

    def _leave_chat(self) -> None:
        if self._chat is not None:
            self._context.social.views.unfollow(self._chat)
            self._chat = None

    def _leave_own(self) -> None:
        if self._own is not None:
            self._context.players.unfollow(self._own.player, self._own)
            self._own = None

    def _leave_lobby(self) -> None:
        if self._lobby is not None:
            self._context.social.lobby.unfollow(self._lobby)
            self._lobby = None

    def _drop(self, name: RoomName) -> None:
        subscription = self.rooms.pop(name, None)
        if subscription is not None:
            self._context.rooms.unsubscribe(subscription.live, subscription)


REQUEST = msgspec.json.Decoder(SeekRequest)


class SocketSeeks:
    """Makes seeks that last as long as the socket."""

    def __init__(self, context: AppContext) -> None:
        """Start without any."""
        self._matchmaking = context.matchmaking
        self._held: set[SeekId] = set()

    async def make(self, frame: frames.SeekFrame, player: Player) -> frames.Reply:
        """Make a seek or hold the same one. Raises `Rejected`, `Invalid` and `ServiceError`."""
        made = await self._matchmaking.seeks.seek(parse_json(frame.seek, REQUEST), player)
        if made.seek.id not in self._held:
            self._held.add(made.seek.id)
            self._matchmaking.held_seeks.hold(made.seek.id)
        seek = msgspec.json.encode(own_seek(made.seek, is_paired=made.is_paired))
        return frames.Reply(frame.id, seek=msgspec.Raw(seek))

    async def withdraw(self, frame: frames.WithdrawSeek, player: Player) -> frames.Reply:
        """Withdraw a seek. Raises `Rejected` and `ServiceError`."""
        await self._matchmaking.seeks.withdraw(frame.seek, player.id)
        self._held.discard(frame.seek)
        return frames.Reply(frame.id)

    def close(self) -> None:
        """Let the seeks end soon."""
        self._matchmaking.held_seeks.release(self._held)
