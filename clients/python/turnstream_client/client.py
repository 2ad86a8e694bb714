"""A player's requests over HTTP."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from urllib.parse import quote

from msgspec.structs import replace

from turnstream_client.chat import ChatView
from turnstream_client.errors import RefusedError
from turnstream_client.frames import Result
from turnstream_client.lobby import Lobby
from turnstream_client.own_feed import OwnFeed
from turnstream_client.people.account import Account
from turnstream_client.people.bots import Bots
from turnstream_client.people.challenges import Challenges
from turnstream_client.people.players import Players
from turnstream_client.people.ratings import Ratings
from turnstream_client.people.tournaments import Tournaments
from turnstream_client.people.webhooks import Webhooks
from turnstream_client.requests import Requests
from turnstream_client.retries import Retries
from turnstream_client.room import Room
from turnstream_client.schema import (
    AcceptInvitation,
    AnyCommand,
    ChatLine,
    ChatPage,
    CurrentPlayer,
    GameDetails,
    GameList,
    Guest,
    InvitationList,
    InvitationView,
    InviteCommand,
    JoinCommand,
    LobbyPage,
    MatchAnalysis,
    NewInvitation,
    OpenRoomRequest,
    OpenRoomResponse,
    OpenSeeks,
    OwnSeek,
    OwnSeeks,
    ReviewState,
    RoomView,
    Schema,
    SeekRequest,
)
from turnstream_client.search import Search
from turnstream_client.tournament import Tournament
from turnstream_client.tv import Tv


class Made(Schema, frozen=True):
    """What is read of the reply to `invite`."""

    invitation: NewInvitation


class Joined(Schema, frozen=True):
    """What is read of the reply to an accepted invitation."""

    room: str


class Client(Requests):
    """A player of one server, or a spectator without a token: sends requests, and follows rooms and the lobby."""

    def __init__(self, url: str, token: str | None = None, *, retries: Retries | None = None) -> None:
        """Use the server at `url`, such as `http://127.0.0.1:8000`; `token` is that of an earlier guest."""
        super().__init__(url, token, retries=retries)
        self.account = Account(self)
        """Tokens, link codes, the recovery code, and blocked players."""
        self.challenges = Challenges(self)
        """Requests to particular players to play."""
        self.bots = Bots(self)
        """The list of bots that can be challenged."""
        self.players = Players(self)
        """Profiles, matches and results of players."""
        self.ratings = Ratings(self)
        """Leaderboards, ratings, and the data from which they are computed."""
        self.tournaments = Tournaments(self)
        """Round robins, Swiss systems and arenas."""
        self.webhooks = Webhooks(self)
        """Endpoints to which the player's events are sent."""

    # Players

    async def create_guest(self, nickname: str, *, bot: bool = False) -> Guest:
        """Become a new guest; `bot` shows everyone that a program plays. Keep the token, or create a recovery code."""
        guest: Guest = await self.post_without_key("/v1/players", {"nickname": nickname, "bot": bot}, Guest)
        self.become(guest)
        return guest

    async def player(self) -> str | None:
        """Return the id of the player that the token is for, None without a token."""
        if self._player is None and self.token is not None:
            self._player = (await self.me()).player.id
        return self._player

    async def me(self) -> CurrentPlayer:
        """Return the player that the token is for, with their rooms and whether it is their turn there."""
        current: CurrentPlayer = await self.get("/v1/players/me", CurrentPlayer)
        return current

    # Games

    async def games(self) -> GameList:
        """Return what can be played."""
        games: GameList = await self.get("/v1/games", GameList)
        return games

    async def game(self, game: str) -> GameDetails:
        """Return a game's rules, options, moves, bots and boards."""
        details: GameDetails = await self.get(f"/v1/games/{quote(game, safe='')}", GameDetails)
        return details

    # Rooms

    async def open_room(self, request: OpenRoomRequest) -> OpenRoomResponse:
        """Open a room, such as `TernioOpenRoomRequest(seats=["me", BotSeat("easy"), BotSeat("easy")])`.

        Without a token, this first becomes a guest with the request's nickname.
        """
        if self.token is None and request.nickname is not None:
            await self.create_guest(request.nickname)
        opened: OpenRoomResponse = await self.post("/v1/rooms", request, OpenRoomResponse)
        return opened

    async def rooms(
        self, game: str | None = None, cursor: str | None = None, *, joinable: bool = False, live: bool = False
    ) -> LobbyPage:
        """Return a page of the lobby, newest room first; its `next` is the `cursor` of the following page.

        `joinable` selects rooms with a free seat in which somebody waits, `live` matches that everybody can watch.
        """
        query = {name: value for name, value in {"game": game, "cursor": cursor}.items() if value is not None}
        query |= {name: "true" for name, wanted in {"joinable": joinable, "live": live}.items() if wanted}
        page: LobbyPage = await self.get("/v1/rooms", LobbyPage, query)
        return page

    async def analysis(self, match: str, ply: int | None = None) -> MatchAnalysis:
        """Return all positions of a finished match, or with `ply` that one; they are evaluated if it was reviewed."""
        path = f"/v1/matches/{quote(match, safe='')}/analysis"
        found: MatchAnalysis = await self.get(path, MatchAnalysis, None if ply is None else {"ply": str(ply)})
        while found.next is not None:
            page: MatchAnalysis = await self.get(path, MatchAnalysis, {"cursor": str(found.next)})
            found = replace(found, positions=[*found.positions, *page.positions], next=page.next)
        return found

    async def request_review(self, match: str) -> ReviewState:
        """Have bots evaluate a finished match, once for everybody; its analysis has `review` `done` when they have."""
        path = f"/v1/matches/{quote(match, safe='')}/review"
        state: ReviewState = await self.post(path, {}, ReviewState)
        return state

    async def view(self, room: str) -> RoomView:
        """Return a room as this player may see it now."""
        view: RoomView = await self.get(f"/v1/rooms/{quote(room, safe='')}", RoomView)
        return view

    async def send(self, room: str, command: AnyCommand) -> int:
        """Send a command to a room that need not be followed, and return the version of its last event."""
        path = f"/v1/rooms/{quote(room, safe='')}/commands"
        result: Result = await self.post(path, command, Result, {"Prefer": "return=minimal"})
        return result.version

    @asynccontextmanager
    async def join(self, room: str, command: JoinCommand | None = None) -> AsyncIterator[Room]:
        """Join a room and follow it in a block; a player who has already joined only follows it.

        `command` names a seat, a nickname, or the password of a private room, which only its members can follow.
        """
        try:
            await self.send(room, command or JoinCommand())
        except RefusedError as refused:
            if refused.code != "already_joined":
                raise
        async with self.follow(room) as followed:
            yield followed

    @asynccontextmanager
    async def follow(self, room: str, *, seat: int | None = None) -> AsyncIterator[Room]:
        """Follow a room in a block: `async with client.follow("friday-night") as room`. See `Room`.

        `seat` is for a player who holds several: the one whose view to receive.
        """
        player = await self.player()
        async with Room(self.url, room, token=self.token, player=player, retries=self.retries, seat=seat) as followed:
            yield followed

    def follow_lobby(self, game: str | None = None, *, joinable: bool = False) -> Lobby:
        """Follow the public rooms, of all games or of one: `async with client.follow_lobby() as lobby`. See `Lobby`.

        With `joinable` it has only rooms in which others can take a seat.
        """
        return Lobby(self.url, token=self.token, retries=self.retries, game=game, joinable=joinable)

    def follow_chat(self, view: str = "all") -> ChatView:
        """Follow a view of the chat in a block: `async with client.follow_chat() as chat`. See `ChatView`.

        With `all` it has the lobby and the player's rooms in one order; others are `lobby` and the names of rooms.
        """
        return ChatView(self.url, token=self.token, retries=self.retries, view=view)

    def follow_tv(self, channel: str = "best") -> Tv:
        """Follow a channel of TV in a block: `async with client.follow_tv("morris") as tv`. See `Tv`.

        It shows the best running match of a game, or with `best` of all games.
        """
        return Tv(self.url, token=self.token, retries=self.retries, channel=channel)

    def follow_tournament(self, tournament: str) -> Tournament:
        """Follow a tournament in a block: `async with client.follow_tournament(id) as tournament`. See `Tournament`."""
        return Tournament(self.url, token=self.token, retries=self.retries, tournament=tournament)

    # Invitations

    async def invite(self, room: str, command: InviteCommand | None = None) -> NewInvitation:
        """Create an invitation to a room, by default for one player and a day. The page to send: `/i/` and its code."""
        path = f"/v1/rooms/{quote(room, safe='')}/commands"
        made: Made = await self.post(path, command or InviteCommand(), Made, {"Prefer": "return=minimal"})
        return made.invitation

    async def invitations(self, room: str) -> InvitationList:
        """Return the invitations of a room that this player may see, with the codes of the player's own ones."""
        found: InvitationList = await self.get(f"/v1/rooms/{quote(room, safe='')}/invitations", InvitationList)
        return found

    async def invitation(self, code: str) -> InvitationView:
        """Return who invites, and to which game and settings. Reading an invitation does not use it."""
        view: InvitationView = await self.get(invitation_path(code), InvitationView)
        return view

    async def accept_invitation(self, code: str, request: AcceptInvitation | None = None) -> str:
        """Join by an invitation and return the room's name.

        Without a token, this first becomes a guest with the request's nickname.
        """
        if self.token is None and request is not None and request.nickname is not None:
            await self.create_guest(request.nickname)
        joined: Joined = await self.post(invitation_path(code), request or AcceptInvitation(), Joined)
        return joined.room

    async def decline_invitation(self, code: str, nickname: str | None = None) -> None:
        """Show the room that this player is not coming; without a token, the nickname is required."""
        await self.post(f"{invitation_path(code)}/decline", {"nickname": nickname}, dict)

    # What happens to the player, and finding others

    def follow_me(self) -> OwnFeed:
        """Follow what happens to the player in all rooms: `async with client.follow_me() as feed`. See `OwnFeed`."""
        return OwnFeed(self.url, token=self.token, retries=self.retries)

    def find_matches(self, request: SeekRequest) -> Search:
        """Look for other players: `async with client.find_matches(SeekRequest("morris")) as matches`. See `Search`."""
        return Search(request, self.follow_me(), self.make_seek, self.withdraw_seek)

    async def make_seek(self, request: SeekRequest) -> OwnSeek:
        """Look for other players for a minute, or for another minute if the same request was sent before."""
        seek: OwnSeek = await self.post("/v1/seeks", request, OwnSeek)
        return seek

    async def accept_seek(self, seek: str) -> OwnSeek:
        """Take a given seek of another player; the own feed names the room."""
        made: OwnSeek = await self.post(f"/v1/seeks/{quote(seek, safe='')}/accept", {}, OwnSeek)
        return made

    async def withdraw_seek(self, seek: str) -> None:
        """End a seek; nothing happens if it has already ended."""
        try:
            await self.delete(f"/v1/seeks/{quote(seek, safe='')}")
        except RefusedError as refused:
            if refused.code != "no_such_seek":
                raise

    async def own_seeks(self) -> OwnSeeks:
        """Return the player's own seeks, and the room that waits for the player."""
        seeks: OwnSeeks = await self.get("/v1/players/me/seeks", OwnSeeks)
        return seeks

    async def open_seeks(
        self, game: str | None = None, *, cursor: str | None = None, limit: int | None = None
    ) -> OpenSeeks:
        """Return what others are looking for, in all games or in one."""
        values = {"game": game, "cursor": cursor, "limit": limit}
        query = {name: str(value) for name, value in values.items() if value is not None}
        seeks: OpenSeeks = await self.get("/v1/seeks", OpenSeeks, query)
        return seeks

    # Chat

    async def say(self, room: str | None, text: str) -> ChatLine:
        """Send a line to the chat of a room, or with None to that of the lobby."""
        line: ChatLine = await self.post(chat_path(room), {"text": text}, ChatLine)
        return line

    async def chat(self, room: str | None, *, cursor: str | None = None, since: str | None = None) -> ChatPage:
        """Return the latest lines of a chat, those before a `cursor`, or those after the line with the id `since`."""
        query = {name: value for name, value in {"cursor": cursor, "since": since}.items() if value is not None}
        page: ChatPage = await self.get(chat_path(room), ChatPage, query)
        return page

    async def chat_view(self, view: str = "all", *, cursor: str | None = None, since: str | None = None) -> ChatPage:
        """Return lines of a view (`all`, `lobby` or a room) in one order: the latest, or those before or after one."""
        values = {"view": view, "cursor": cursor, "since": since}
        query = {name: value for name, value in values.items() if value is not None}
        page: ChatPage = await self.get("/v1/chat", ChatPage, query)
        return page


def chat_path(room: str | None) -> str:
    """Return the path of the chat of a room, or of the lobby."""
    return "/v1/lobby/chat" if room is None else f"/v1/rooms/{quote(room, safe='')}/chat"


def invitation_path(code: str) -> str:
    """Return the path of an invitation."""
    return f"/v1/invitations/{quote(code, safe='')}"
