"""The subscriptions of a socket: to rooms, the lobby, the caller's own feed, TV, tournaments, and the chat."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import NamedTuple

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
from service.rooms.feeds.frames import CHAT, LOBBY, Offer
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

    def __init__(self, player: Player | None, frame: frames.Subscribe, queue: SendQueue, *, on_own_feed: bool) -> None:
        """Subscribe as requested; `on_own_feed` if the socket is for this room only."""
        self.on_own_feed = on_own_feed
        self.player = player.id if player else None
        self.wanted: Seat | None = frame.seat
        self.state = frame.state
        self.omitted: Omitted = frozenset(frame.omit)
        self.at = Version(0)
        self.view: SentView | None = None
        self.offer = queue.offer
        """Queues a frame for the socket."""
        self.drained = queue.drained
        """Waits until the frames offered so far have been sent."""


@dataclass(eq=False, slots=True)
class LobbySubscription:
    """The subscription of a socket to the lobby."""

    wanted: LobbyFilter
    offer: Offer
    socket_player: Callable[[], PlayerId | None]

    @property
    def player(self) -> PlayerId | None:
        """The player, None before the socket has a token."""
        return self.socket_player()


@dataclass(eq=False, slots=True)
class OwnSubscription:
    """The subscription of a socket to the feed of its player."""

    player: PlayerId
    offer: Offer
    refuse: Refuse


@dataclass(eq=False, slots=True)
class TvSubscription:
    """The subscription of a socket to a channel of TV."""

    channel: str
    offer: Offer


@dataclass(eq=False, slots=True)
class TournamentSubscription:
    """The subscription of a socket to a tournament."""

    offer: Offer
    refuse: Refuse


@dataclass(eq=False, slots=True)
class ChatSubscription:
    """The subscription of a socket to a view of the chat, which is that of one room if there is one."""

    view: str
    live: LoadedRoom | None
    player: PlayerId | None
    offer: Offer


class Followed(NamedTuple):
    """A feed that a socket follows; its service takes the arguments, the last of which is the subscription."""

    arguments: tuple[object, ...]
    leave: Callable[..., object]
    resync: Callable[..., object]
    """Sends a snapshot instead of the frames for which the socket was too slow."""


TV = "@tv/"
"""The beginning of the names of TV's channels among feeds."""


def feed_name(frame: frames.Targeted) -> str | None:
    """Return the name of the feed that a frame is about, as of the frames that wait in a queue; None for a room's."""
    if frame.me:
        return FEED
    if frame.tv is not None:
        return f"{TV}{frame.tv}"
    if frame.tournament is not None:
        return f"{TOURNAMENT_FEED}{frame.tournament}"
    if frame.chat is not None:
        return CHAT
    return LOBBY if frame.room is None else None


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
        self.rooms: dict[str, Followed] = {}
        self._others: dict[str, Followed] = {}

    async def follow(self, frame: frames.Subscribe, player: Player | None) -> None:
        """Subscribe as requested; this replaces an earlier subscription to the same feed."""
        if frame.room is None and self._only is not None:
            raise ServiceError("no_such_room", "This socket is for one room only. Other feeds are at /v1/feed.")
        if frame.me:
            await self._follow_own(frame, require_player(player))
        elif frame.tv is not None:
            await self._follow_tv(frame.tv)
        elif frame.tournament is not None:
            await self._follow_tournament(frame.tournament)
        elif frame.chat is not None:
            await self._follow_chat(room_name(frame.chat), player.id if player else None)
        elif frame.room is None:
            await self._enter_lobby(LobbyFilter(frame.game, frame.joinable))
        else:
            await self._follow_room(self.room(frame.room), frame, player)

    def leave(self, frame: frames.Unsubscribe) -> None:
        """End a subscription."""
        if (name := feed_name(frame)) is not None:
            end_feed(self._others, name)
        elif frame.room is not None:
            end_feed(self.rooms, self.room(frame.room))

    def room(self, name: str) -> RoomName:
        """Return a normalised room name. Raises `ServiceError` (`no_such_room`) for another room than the socket's."""
        if name in self.rooms:
            return RoomName(name)
        folded = room_name(name)
        if self._only is not None and folded != self._only:
            raise ServiceError("no_such_room", "This socket is for one room only, the one in its URL.")
        return folded

    def resync(self, names: set[str]) -> None:
        """Send a snapshot of each subscription, by its name, for which the socket was too slow."""
        for feeds in (self.rooms, self._others):
            for name in names & feeds.keys():
                feeds[name].resync(*feeds[name].arguments)

    def close(self) -> None:
        """End all subscriptions."""
        for feeds in (self._others, self.rooms):
            for name in list(feeds):
                end_feed(feeds, name)

    def _has_place(self) -> None:
        most = self._context.limits.settings.limit_subscriptions
        tournaments = sum(name.startswith(TOURNAMENT_FEED) for name in self._others)
        if most and len(self.rooms) + tournaments >= most:
            raise ServiceError("too_many_subscriptions", params={"most": most})

    async def _follow_room(self, name: RoomName, frame: frames.Subscribe, player: Player | None) -> None:
        rooms = self._context.rooms
        live = await rooms.read(name, player.id if player else None)
        end_feed(self.rooms, name)
        self._has_place()
        self._context.limits.check_subscribers(rooms.subscriber_count(live))
        one = RoomSubscription(player, frame, self._queue, on_own_feed=self._only is not None)
        followed = Followed((live, one), rooms.unsubscribe, rooms.resync)
        await begin_feed(self.rooms, name, followed, rooms.subscribe(live, one, frame.since, frame.mark))

    async def _enter_lobby(self, wanted: LobbyFilter) -> None:
        if wanted.game is not None:
            game_named(wanted.game, "/game")
        end_feed(self._others, LOBBY)
        lobby, one = self._context.social.lobby, LobbySubscription(wanted, self._queue.offer, self._player)
        followed = Followed((one,), lobby.unfollow, lobby.resync)
        await begin_feed(self._others, LOBBY, followed, lobby.follow(one))

    async def _follow_own(self, frame: frames.Subscribe, player: Player) -> None:
        end_feed(self._others, FEED)
        players, one = self._context.players, OwnSubscription(player.id, self._queue.offer, self._refuse)
        followed = Followed((player.id, one), players.unfollow, players.resync)
        await begin_feed(self._others, FEED, followed, players.follow(player.id, one, frame.since, frame.mark))

    async def _follow_tv(self, channel: str) -> None:
        if channel not in CHANNELS:
            game_named(channel, "/tv")
        end_feed(self._others, name := f"{TV}{channel}")
        tv, one = self._context.tv, TvSubscription(channel, self._queue.offer)
        followed = Followed((one,), tv.unfollow, lambda _: None)  # no snapshot replaces its frames
        await begin_feed(self._others, name, followed, tv.follow(one))

    async def _follow_tournament(self, tournament: TournamentId) -> None:
        end_feed(self._others, name := f"{TOURNAMENT_FEED}{tournament}")
        self._has_place()
        feeds, one = self._context.tournaments.feeds, TournamentSubscription(self._queue.offer, self._refuse)
        followed = Followed((tournament, one), feeds.unfollow, feeds.resync)
        await begin_feed(self._others, name, followed, feeds.follow(tournament, one))

    async def _follow_chat(self, view: RoomName, player: PlayerId | None) -> None:
        live = await self._context.rooms.of_view(view, player)
        end_feed(self._others, CHAT)
        views, one = self._context.social.views, ChatSubscription(view, live, player, self._queue.offer)
        followed = Followed((one,), views.unfollow, views.resync)
        await begin_feed(self._others, CHAT, followed, views.follow(one))


async def begin_feed(feeds: dict[str, Followed], name: str, followed: Followed, following: Awaitable[None]) -> None:
    """Add a feed once its service sends it; a failure leaves no trace."""
    feeds[name] = followed
    try:
        await following
    except BaseException:
        feeds.pop(name, None)
        raise


def end_feed(feeds: dict[str, Followed], name: str) -> None:
    """Leave a feed, if it is followed."""
    if (followed := feeds.pop(name, None)) is not None:
        followed.leave(*followed.arguments)


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
