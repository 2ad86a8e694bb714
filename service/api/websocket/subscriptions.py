"""The subscriptions of a socket: to rooms and to the lobby."""

from service.api.context import AppContext
from service.api.http.requests import room_name
from service.api.limits import RETRY_SECONDS
from service.domain.catalog import GAMES
from service.domain.game import Seat
from service.domain.room.model.ids import RoomName, Version
from service.domain.validation import Invalid
from service.rooms.errors import ServiceError
from service.rooms.feeds import frames
from service.rooms.feeds.frames import LOBBY
from service.rooms.feeds.send_queue import SendQueue
from service.rooms.loading.room import LoadedRoom
from service.rooms.player import Player
from service.rooms.views.match_view import Omitted
from service.rooms.views.room_view import SentView


class RoomSubscription:
    """The subscription of a socket to one room."""

    def __init__(self, live: LoadedRoom, player: Player | None, frame: frames.Subscribe, queue: SendQueue) -> None:
        """Subscribe to `live` as requested."""
        self.live = live
        self.player = player.id if player else None
        self.wanted: Seat | None = frame.seat
        self.state = frame.state
        self.omitted: Omitted = frozenset(frame.omit)
        self.at = Version(0)
        self.view: SentView | None = None
        self.offer = queue.offer
        """Queues a frame for the socket."""
        self._queue = queue

    async def drained(self) -> None:
        """Wait until the frames offered so far have been sent."""
        await self._queue.drained()


class LobbySubscription:
    """The subscription of a socket to the lobby."""

    def __init__(self, game: str | None, queue: SendQueue) -> None:
        """Subscribe to the rooms of a game, or to all rooms."""
        self.game = game
        self.offer = queue.offer
        """Queues a frame for the socket."""


class SocketSubscriptions:
    """All subscriptions of one socket."""

    def __init__(self, context: AppContext, only: RoomName | None, queue: SendQueue) -> None:
        """Start without subscriptions; `only` is the only room that this socket may subscribe to."""
        self._context = context
        self._only = only
        self._queue = queue
        self.rooms: dict[RoomName, RoomSubscription] = {}
        self._lobby: LobbySubscription | None = None

    async def follow(self, frame: frames.Subscribe, player: Player | None) -> None:
        """Subscribe as requested; this replaces an earlier subscription to the same room or to the lobby."""
        if frame.room is None:
            await self._enter_lobby(frame.game)
            return
        name = self.room(frame.room)
        live = await self._context.rooms.read(name, player.id if player else None)
        self._drop(name)
        self._has_place()
        self._context.limits.check_subscribers(self._context.rooms.subscriber_count(live))
        subscription = self.rooms[name] = RoomSubscription(live, player, frame, self._queue)
        try:
            await self._context.rooms.subscribe(live, subscription, frame.since, frame.mark)
        except BaseException:
            del self.rooms[name]
            raise

    def leave(self, frame: frames.Unsubscribe) -> None:
        """End a subscription."""
        if frame.room is None:
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

    def close(self) -> None:
        """End all subscriptions."""
        self._leave_lobby()
        for name in list(self.rooms):
            self._drop(name)

    def _has_place(self) -> None:
        most = self._context.limits.settings.subscriptions
        if most and len(self.rooms) >= most:
            raise ServiceError("too_many_subscriptions", params={"most": most}, retry_after=RETRY_SECONDS)

    async def _enter_lobby(self, game: str | None) -> None:
        if self._only is not None:
            raise ServiceError(
                "no_such_room", "This socket is for one room only. To follow the lobby, connect to /v1/feed."
            )
        if game is not None and game not in GAMES:
            raise Invalid(f"Unknown game; expected one of {', '.join(GAMES)}", "/game")
        self._leave_lobby()
        subscription = self._lobby = LobbySubscription(game, self._queue)
        await self._context.social.lobby.follow(subscription)

    def _leave_lobby(self) -> None:
        if self._lobby is not None:
            self._context.social.lobby.unfollow(self._lobby)
            self._lobby = None

    def _drop(self, name: RoomName) -> None:
        subscription = self.rooms.pop(name, None)
        if subscription is not None:
            self._context.rooms.unsubscribe(subscription.live, subscription)
