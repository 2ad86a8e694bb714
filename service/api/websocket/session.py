"""The session of a socket: its player, its subscriptions, and its commands."""

import asyncio
from collections.abc import Callable
from contextlib import ExitStack, suppress
from typing import Any, Protocol, assert_never

import msgspec

from service.api.close_codes import (
    BAD_TOKEN,
    BANNED,
    FLOODED,
    LEAVING,
    NO_FIRST_FRAME,
    NO_FRAMES,
    OTHER_TOKEN,
    TOO_MANY_SOCKETS,
    TOO_SLOW,
    TRY_AGAIN,
)
from service.api.http import commands
from service.api.http.callers import Caller
from service.api.http.context import AppContext
from service.api.http.peers import Peer
from service.api.http.read_limits import CHAT_COST, SUBSCRIPTION_COST, limit_guess, limit_read
from service.api.http.requests import parse_json
from service.api.http.responses import as_problem
from service.api.server.socket_listener import LEAVE
from service.api.websocket.subscriptions import SocketSeeks, SocketSubscriptions
from service.domain.accounts.model import Scope
from service.domain.ids import Player, PlayerId, RoomName
from service.domain.room.model.commands import Invite, Leave, Play
from service.domain.validation import Invalid
from service.rooms.access.passwords import has_password
from service.rooms.access.policy import require_player, require_scope
from service.rooms.commands.requests import CommandRequest, with_fingerprint
from service.rooms.feeds import frames
from service.rooms.feeds.frames import FromClient, OutgoingFrame
from service.rooms.feeds.send_queue import SendQueue, Transport
from service.streams.errors import Problem, ServiceError


class Closed(Exception):  # noqa: N818 - an end, not an error
    """The session has ended; the socket is closed with this code."""

    def __init__(self, code: int, reason: str) -> None:
        """`code` is one of those in `close_codes`."""
        super().__init__(reason)
        self.code = code
        self.reason = reason


def closing(refused: ServiceError) -> Closed:
    """Return how a socket is closed whose token is refused."""
    match refused.problem.code:
        case "rate_limited":
            return Closed(FLOODED, "too many wrong tokens from this address")
        case "banned":
            return Closed(BANNED, "an operator has banned this player")
        case "store_unavailable" | "history_damaged" | "newer_events":
            return Closed(TRY_AGAIN, "the store cannot be read; resume")
    return Closed(BAD_TOKEN, "the token is not accepted")


class Authentication:
    """The caller of one socket."""

    def __init__(self, context: AppContext, peer: Peer, leave: Callable[[], None]) -> None:
        """Start without a token; `leave` asks the session to close, and `refusal` then has the reason."""
        self._context = context
        self._peer = peer
        self._leave = leave
        self._caller: Caller | None = None
        self.is_named = False
        """Whether the token is a named one, which has to be confirmed before it is used."""
        self._counted = ExitStack()
        self._watched = ExitStack()
        self.refusal: ServiceError | None = None
        """Why the socket is being closed; None while it is not."""

    @property
    def player(self) -> PlayerId | None:
        """The player, None without a token."""
        return None if self._caller is None else self._caller.player.id

    async def take(self, token: str) -> None:
        """Authenticate the whole socket with its first token; another one of the same player replaces it.

        Raises `Closed`.
        """
        data = token.encode()
        try:
            limit_guess(self._context, self._peer, data)
            await self._context.callers.prepare(data)
            caller = self._context.callers.of_token(data)
        except ServiceError as refused:
            raise closing(refused) from None
        known = self._caller
        if known is None:
            self._count(caller.player)
        elif known.player.id != caller.player.id or not known.scopes <= caller.scopes:
            raise Closed(OTHER_TOKEN, "a socket acts for one player")
        self._caller, self.is_named = caller, caller.token is not None
        self._watched.close()
        self._watched.enter_context(self._context.callers.hold(caller, self.refuse))

    def _count(self, player: Player) -> None:
        """Count this socket against the player's limit. Raises `Closed`."""
        try:
            self._counted.enter_context(self._context.limits.players.hold(player.id))
        except ServiceError:
            raise Closed(TOO_MANY_SOCKETS, "too many sockets of this player") from None

    def refuse(self, refusal: ServiceError) -> None:
        """Close the socket: its token is no longer accepted, or a feed cannot be continued."""
        self.refusal = refusal
        self._leave()

    async def confirm(self) -> None:
        """Compare a named token with the store if that could not be read for a while. Raises `ServiceError`."""
        if self._caller is not None:
            await self._context.callers.confirm(self._caller)

    def require(self, scope: Scope) -> Player:
        """Return the player if the token has this scope. Raises `ServiceError`."""
        caller = self._checked()
        if caller is not None:
            require_scope(caller.scopes, scope)
        return require_player(None if caller is None else caller.player)

    def reader(self) -> Player | None:
        """Return the player who subscribes, None without a token that may `read`. Raises `ServiceError`."""
        caller = self._checked()
        return caller.player if caller is not None and "read" in caller.scopes else None

    def _checked(self) -> Caller | None:
        """Return the caller, None without a token. Raises `ServiceError` if the token is no longer accepted."""
        if self.refusal is not None:
            raise self.refusal
        return self._caller

    def close(self) -> None:
        """End the socket's share of the player's limit, and the checks of the token."""
        self._counted.close()
        self._watched.close()


FRAME = msgspec.json.Decoder(FromClient)
WITH_ID = msgspec.json.Decoder(frames.WithId)

FIRST_FRAME_SECONDS = 10
LAST_FRAMES_SECONDS = 1
STRIKES = 16
"""How many unreadable frames a socket may send before it is closed."""

Message = dict[str, Any]


class Socket(Transport, Protocol):
    """An accepted socket: ASGI's `receive` and `send`, and the transport of frames."""

    async def receive(self) -> Any:
        """Wait for a message."""

    async def send(self, message: Any) -> None:
        """Send a message."""

    def leave(self) -> None:
        """Append a `LEAVE` message after everything received so far."""


def is_known(frame: FromClient, data: str | bytes) -> bool:
    """Return whether a frame has a known command and three other fields, none of them twice: four colons more."""
    if type(frame) is not frames.Command or isinstance(data, bytes):
        return False
    command = bytes(frame.command)
    return command in commands.known_commands and data.count(":") == command.count(b":") + 4


def answer_to_invalid(data: str | bytes, failure: ServiceError | Invalid) -> frames.Reply | frames.Error:
    """Return the answer to an invalid frame: a reply if it is JSON with a valid id, else an error."""
    try:
        number = WITH_ID.decode(data).id if isinstance(failure, Invalid) else None
    except msgspec.ValidationError:
        number = None
    refusal = as_problem(failure)
    return frames.Error(refusal) if number is None else frames.Reply(number, problem=refusal)


class Session:
    """Serves one socket until it closes."""

    def __init__(self, context: AppContext, socket: Socket, peer: Peer, only: RoomName | None) -> None:
        """Serve an accepted socket of this peer; `only` is the only room that it is for, None for any room."""
        self._peer = peer
        self._context = context
        self._socket = socket
        self._queue = SendQueue(socket, self._resync, self._overflow)
        self._authentication = Authentication(context, peer, socket.leave)
        self._subscriptions = SocketSubscriptions(
            context, only, self._queue, lambda: self._authentication.player, self._authentication.refuse
        )
        self._seeks = SocketSeeks(context)
        self._strikes = 0

    async def run(self) -> None:
        """Answer frames until the client disconnects or violates the protocol."""
        try:
            await self._serve()
        except Closed as closed:
            self._queue.close()
            await self._close(closed.code, closed.reason)
        finally:
            self._queue.close()
            self._subscriptions.close()
            self._seeks.close()
            self._authentication.close()
            self._context.limits.frames.forget(self)

    async def _serve(self) -> None:
        message = await self._first_message()
        while message["type"] != "websocket.disconnect":
            if message["type"] == LEAVE:
                await self._leave()
            frame = self._read(message.get("text") or message.get("bytes") or "")
            match frame:
                case frames.Command():
                    await self._command(frame)
                case frames.Subscribe():
                    await self._subscribe(frame)
                case frames.Unsubscribe():
                    self._unsubscribe(frame)
                case frames.SeekFrame() | frames.WithdrawSeek():
                    await self._seek(frame)
                case frames.Ping():
                    self._pong(frame)
                case None:
                    pass
                case _:
                    assert_never(frame)
            message = await self._socket.receive()

    async def _first_message(self) -> Message:
        try:
            async with asyncio.timeout(FIRST_FRAME_SECONDS):
                message: Message = await self._socket.receive()
        except TimeoutError:
            raise Closed(NO_FIRST_FRAME, "no frame arrived in time") from None
        return message

    async def _leave(self) -> None:
        """Send the queued frames, then close; at once if the token is no longer accepted."""
        if self._authentication.refusal is not None:
            raise closing(self._authentication.refusal)
        with suppress(TimeoutError):
            async with asyncio.timeout(LAST_FRAMES_SECONDS):
                await self._queue.drained()
        raise Closed(LEAVING, "this process is shutting down; resume elsewhere")

    def _read(self, data: str | bytes) -> FromClient | None:
        """Return the frame in a message; None for an invalid one, to which an error frame is the answer."""
        if self._context.limits.frames.try_take(self) > 0:
            raise Closed(FLOODED, "too many frames")
        try:
            frame: FromClient = parse_json(data, FRAME, is_known)
        except (ServiceError, Invalid) as failure:
            self._strikes += 1
            if self._strikes > STRIKES:
                raise Closed(NO_FRAMES, "too many invalid frames") from None
            self._offer(answer_to_invalid(data, failure))
            return None
        return frame

    async def _command(self, frame: frames.Command) -> None:
        try:
            reply = await self._execute(frame)
        except Invalid as invalid:
            problem = as_problem(Invalid(invalid.detail, f"/command{invalid.pointer}"))
            self._offer(frames.Reply(frame.id, problem=problem))
        except Exception as failure:  # noqa: BLE001 - the edge: whatever it is becomes a problem, and faults are logged
            self._offer(frames.Reply(frame.id, problem=as_problem(failure)))
        else:
            self._queue.offer(OutgoingFrame(reply))

    async def _execute(self, frame: frames.Command) -> bytes:
        """Execute a command and return its `Reply`, with the view unless this socket gets that as an update."""
        if self._authentication.is_named:
            await self._authentication.confirm()
        player = self._authentication.require("play")
        self._context.limits.commands.take(player.id)
        command = commands.parse_command(frame.command)
        name = self._subscriptions.room(frame.room)
        if type(command) is not Play and has_password(command):
            commands.limit_password(self._context, self._peer, player.id, name)
        key = None if frame.key is None else with_fingerprint(frame.key, command)
        request = CommandRequest(command, player, key, frame.if_version)
        answer = await self._context.rooms.command(name, request)
        if type(command) is Leave:
            await self._context.matchmaking.seeks.decline(player.id, answer.room.table.key)
        has_view = frame.view or name not in self._subscriptions.rooms
        invitation = commands.new_invitation(self._context, answer) if type(command) is Invite else None
        result = commands.result_json(answer, player, command, self._context.now() if has_view else None, invitation)
        end = b',"replayed":true}' if answer.replayed else b"}"
        return b"".join((b'{"type":"reply","id":', msgspec.json.encode(frame.id), b',"result":', result, end))

    async def _seek(self, frame: frames.SeekFrame | frames.WithdrawSeek) -> None:
        try:
            await self._authentication.confirm()
            player = self._authentication.require("play")
            self._context.limits.commands.take(player.id)
            if isinstance(frame, frames.SeekFrame):
                reply = await self._seeks.make(frame, player)
            else:
                reply = await self._seeks.withdraw(frame, player)
        except Invalid as invalid:
            reply = frames.Reply(frame.id, problem=as_problem(Invalid(invalid.detail, f"/seek{invalid.pointer}")))
        except Exception as failure:  # noqa: BLE001 - the edge, as in _command
            reply = frames.Reply(frame.id, problem=as_problem(failure))
        self._offer(reply)

    async def _subscribe(self, frame: frames.Subscribe) -> None:
        if frame.token is not None:
            await self._authentication.take(frame.token)
        try:
            self._count_read(SUBSCRIPTION_COST if frame.chat is None else CHAT_COST)
            await self._authentication.confirm()
            reader = self._authentication.require("read") if frame.me else self._authentication.reader()
            await self._subscriptions.follow(frame, reader)
        except Exception as failure:  # noqa: BLE001 - the edge, as in _command
            self._acknowledge(frame, as_problem(failure))
        else:
            self._acknowledge(frame)

    def _acknowledge(self, frame: frames.Subscribe | frames.Unsubscribe, refusal: Problem | None = None) -> None:
        """Reply to a request that has an id; a refusal of one without it is an `error`."""
        if frame.id is not None:
            self._offer(frames.Reply(frame.id, problem=refusal or msgspec.UNSET))
        elif refusal is not None:
            self._offer(frames.Error(refusal, frame.room))

    def _unsubscribe(self, frame: frames.Unsubscribe) -> None:
        try:
            self._subscriptions.leave(frame)
        except ServiceError as refused:
            self._acknowledge(frame, refused.problem)
        else:
            self._acknowledge(frame)

    def _pong(self, frame: frames.Ping) -> None:
        try:
            self._count_read(1)
        except ServiceError as refused:
            problem = refused.problem
            self._offer(frames.Error(problem) if frame.id is None else frames.Reply(frame.id, problem=problem))
        else:
            self._offer(frames.Pong(frame.id))

    def _count_read(self, weight: int) -> None:
        limit_read(self._context, self._peer, self._authentication.player, weight)

    def _offer(self, frame: frames.ServerFrame) -> None:
        self._queue.offer(OutgoingFrame(msgspec.json.encode(frame)))

    def _resync(self, rooms: set[str]) -> None:
        self._subscriptions.resync(rooms)

    async def _overflow(self) -> None:
        await self._close(TOO_SLOW, "too slow; resume")

    async def _close(self, code: int, reason: str) -> None:
        await self._socket.send({"type": "websocket.close", "code": code, "reason": reason})
