"""The application's only entry to accounts: named tokens, link codes and recovery codes.

With a code a player signs in on another device, or recovers a lost guest. The store has only the hashes of codes.
"""

import asyncio
import hashlib
import hmac
import re
from base64 import b32encode
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from typing import NamedTuple

import msgspec

from service.domain.accounts import decide
from service.domain.accounts.kind import ACCOUNTS
from service.domain.accounts.model import Account, Challengers, NamedToken, Recovery, Scope, TokenId
from service.domain.game import Event, Rejected
from service.domain.ids import PLAYER_ID, Millis, Player, PlayerId
from service.domain.streams import Record, Stored
from service.people.known_tokens import FollowedAccounts, ReplacedGuestTokens, account_key
from service.rooms.commands.requests import Environment
from service.store.contract import StoreUnavailable
from service.streams.background import BackgroundTasks
from service.streams.errors import ServiceError
from service.streams.heartbeat import Heartbeat
from service.streams.loaded import LoadedStream
from service.streams.processor import StreamProcessor
from service.streams.repository import StreamRepository

SCOPES_OF_PEOPLE: tuple[Scope, ...] = ("read", "play", "chat", "account", "tournaments")
SCOPES_OF_BOTS: tuple[Scope, ...] = (*SCOPES_OF_PEOPLE, "bot")


def scopes_of(player: Player) -> tuple[Scope, ...]:
    """Return the scopes of a token that can do everything."""
    return SCOPES_OF_BOTS if player.bot else SCOPES_OF_PEOPLE


class NewToken(msgspec.Struct, frozen=True):
    """The properties of a new token."""

    name: str
    scopes: tuple[Scope, ...]
    expires: Millis | None = None


class LinkCode(NamedTuple):
    """A link code, and when it expires."""

    code: str
    expires: Millis


class AdmittedPlayer(NamedTuple):
    """A player who signed in with a code, and their new token."""

    player: Player
    token: NamedToken


ALPHABET = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"
"""32 digits and capital letters that are not easily confused."""

LINK_LENGTH = 8
LINK_LASTS = Millis(5 * 60 * 1000)
"""How long a link code is valid."""

RECOVERY_BYTES = 16
RECOVERY_CODE = re.compile(rf"r1\.(?P<player>{PLAYER_ID})\.(?P<secret>[a-z2-7]{{26}})")


def link_code(seed: bytes) -> str:
    """Return the link code of random bytes, at least 8: 40 bits."""
    return "".join(ALPHABET[byte % len(ALPHABET)] for byte in seed[:LINK_LENGTH])


def normalized_link_code(text: str) -> str | None:
    """Return a link code as it was typed, without spaces and hyphens and in capitals; None for another text."""
    code = text.upper().replace(" ", "").replace("-", "")
    return code if len(code) == LINK_LENGTH and all(letter in ALPHABET for letter in code) else None


def link_code_hash(key: bytes, code: str) -> str:
    """Return the keyed hash of a link code, which is too short for a plain one."""
    return hmac.digest(key, code.encode(), "sha256").hex()


def recovery_code(player: PlayerId, seed: bytes) -> str:
    """Return the recovery code of a player with random bytes, at least 16: 128 bits."""
    return f"r1.{player}.{b32encode(seed[:RECOVERY_BYTES]).decode().rstrip('=').lower()}"


def recovery_code_hash(code: str) -> str:
    """Return the hash of a recovery code, which is random enough for a plain one."""
    return hashlib.sha256(code.encode()).hexdigest()


PLAYER = msgspec.json.Decoder(Player)

MOST_RECORDED = 100_000
"""For how many tokens a process remembers that it has recorded today's use."""


class AccountService:
    """The accounts of a store, as one process serves them."""

    def __init__(
        self,
        heartbeat: Heartbeat,
        environment: Environment,
        new_id: Callable[[], str],
        code_keys: Sequence[bytes],
        on_change: Callable[[PlayerId], None] = lambda _: None,
        size: int = 10_000,
    ) -> None:
        """Keep up to `size` accounts of the store in memory, up to date; `new_id` returns an unused id.

        `on_change` is called with each player whose account in use, or whose guest token, has changed. Link
        codes are hashed with the first of the keys, which all processes share; the others are known, too.
        """
        self.heartbeat = heartbeat
        """Keeps the streams that this process follows up to date."""
        self._store = heartbeat.store
        self._environment = environment
        self._new_id = new_id
        self._code_keys = code_keys
        self._repository: StreamRepository[Account] = StreamRepository(self._store, ACCOUNTS, size, heartbeat)
        self._repository.on_change = self._changed
        self._processor = StreamProcessor(self._repository, environment.now)
        self._followed = FollowedAccounts(self._repository, size)
        self.is_current = self._followed.is_current
        """Returns whether the tokens of a player are loaded for `token`, and were the same in the store recently."""
        self.hold = self._followed.hold
        """Keeps the tokens of a player in memory while a context lasts."""
        self._background = BackgroundTasks("token_use_not_recorded")
        self._recorded: dict[TokenId, Millis] = {}
        """The day for which this process has recorded the use of each token."""
        self.replaced = ReplacedGuestTokens(self._store.admin_store, on_change)
        self._on_change = on_change
        self.proceed = self._processor.proceed
        """Deletes an account's events that are too old; its state stays in a summary."""

    # Check tokens

    async def load(self, player: PlayerId) -> None:
        """Load the tokens of a player for `token`. If the store fails, they are not current; see `is_current`."""
        with suppress(ServiceError, StoreUnavailable):
            await self._followed.load(player)

    def token(self, player: PlayerId, token_id: TokenId) -> NamedToken | None:
        """Return a token of a loaded account; None if it is unknown, revoked or has expired."""
        account = self._followed.get(player)
        token = None if account is None else account.tokens.get(token_id)
        if token is None or token.expires is None:
            return token
        return token if token.is_live(self._environment.now()) else None

    def record_use(self, player: PlayerId, token: NamedToken) -> None:
        """Record that a token was used today, in the background and once per process and day."""
        day = decide.day_of(self._environment.now())
        if (token.used is not None and token.used >= day) or self._recorded.get(token.id) == day:
            return
        if len(self._recorded) >= MOST_RECORDED:
            self._recorded.clear()
        self._recorded[token.id] = day
        self._background.start(self._execute_quietly(player, token.id))

    async def _execute_quietly(self, player: PlayerId, token_id: TokenId) -> None:
        await self._execute(player, lambda state, now: decide.use_token(state, token_id, now))

    # Change an account

    async def tokens(self, player: PlayerId) -> list[NamedToken]:
        """Return the tokens of a player that have not expired, the oldest first."""
        account = await self._account(player)
        return account.live_tokens(self._environment.now())

    async def make_token(self, player: PlayerId, asked: NewToken) -> NamedToken:
        """Create a token. Raises `Rejected` (`too_many_tokens`) and what `StreamProcessor.execute` raises."""
        token = self._new_token(asked)
        await self._execute(player, lambda state, now: decide.make_token(state, token, now))
        return token

    async def revoke_token(self, player: PlayerId, token_id: TokenId) -> None:
        """Revoke a token. Raises `Rejected` (`no_such_token`) and what `StreamProcessor.execute` raises."""
        await self._execute(player, lambda state, _: decide.revoke_token(state, token_id))

    async def revoke_others(self, player: PlayerId, kept: TokenId | None) -> None:
        """Revoke all tokens of a player but one; None keeps the guest token."""
        if kept is not None:
            await self.replaced.record(player)
        await self._execute(player, lambda state, _: decide.revoke_others(state, kept))

    # Block others

    async def block(self, player: PlayerId, other: PlayerId) -> None:
        """Block another player. Raises `Rejected` (`own_block`, `too_many_blocks`)."""
        await self._execute(player, lambda state, _: decide.block(state, other))

    async def unblock(self, player: PlayerId, other: PlayerId) -> None:
        """End a block."""
        await self._execute(player, lambda state, _: decide.unblock(state, other))

    async def blocked_by(self, players: Iterable[PlayerId]) -> dict[PlayerId, Mapping[PlayerId, Millis]]:
        """Return whom each of some players has blocked, the earliest first, and since when."""
        accounts = await asyncio.gather(*map(self._account, set(players)))
        return {account.id: account.blocked for account in accounts}

    async def is_blocked(self, one: PlayerId, other: PlayerId) -> bool:
        """Return whether one of two players has blocked the other."""
        found = await self.blocked_by((one, other))
        return other in found[one] or one in found[other]

    async def prepare(self, players: Collection[PlayerId]) -> None:
        """Load the blocks of some players. If the store fails, `hides` may not know all of them."""
        await asyncio.gather(*map(self.load, players))

    def is_ready(self, players: Collection[PlayerId]) -> bool:
        """Return whether the blocks of all of these players are loaded."""
        return all(map(self.is_current, players))

    def hides(self, one: PlayerId, other: PlayerId) -> bool:
        """Return whether one of two players is known to have blocked the other."""
        return self._has_blocked(one, other) or self._has_blocked(other, one)

    def _has_blocked(self, by: PlayerId, player: PlayerId) -> bool:
        account = self._followed.get(by)
        return account is not None and player in account.blocked

    # Hide the profile

    async def hide(self, player: PlayerId, *, hidden: bool) -> None:
        """Hide a player's profile from others, or show it again. Raises what `StreamProcessor.execute` raises."""
        await self._execute(player, lambda state, _: decide.hide(state, hidden=hidden))

    async def is_hidden(self, player: PlayerId) -> bool:
        """Return whether others may not see a player's profile; that of an erased player is gone."""
        account = await self._account(player)
        return account.hidden or account.erased is not None

    async def admit_challengers(self, player: PlayerId, challengers: Challengers) -> None:
        """Choose who may challenge a player. Raises what `StreamProcessor.execute` raises."""
        await self._execute(player, lambda state, _: decide.admit_challengers(state, challengers))

    async def challengers_of(self, player: PlayerId) -> Challengers:
        """Return who may challenge a player."""
        return (await self._account(player)).challengers

    # Sign in with a code

    async def make_link_code(self, player: Player) -> LinkCode:
        """Create a code with which another device can sign in, once and for some minutes."""
        code = link_code(self._environment.seed())
        data = msgspec.json.encode(player)
        await self._store.side_channels.record_link_code(link_code_hash(self._code_keys[0], code), data, LINK_LASTS)
        return LinkCode(code, Millis(self._environment.now() + LINK_LASTS))

    async def use_link_code(self, text: str, name: str) -> AdmittedPlayer:
        """Use a link code: create a token with all scopes. Raises `Rejected` (`no_such_code`, `too_many_tokens`)."""
        code = normalized_link_code(text)
        for key in self._code_keys if code is not None else ():
            data = await self._store.side_channels.take_link_code(link_code_hash(key, code or ""))
            if data is not None:
                player = PLAYER.decode(data)
                return AdmittedPlayer(player, await self.make_token(player.id, NewToken(name, scopes_of(player))))
        raise Rejected("no_such_code")

    async def make_recovery_code(self, player: Player) -> str:
        """Create the recovery code of a player, which replaces an earlier one."""
        code = recovery_code(player.id, self._environment.seed())
        name_ref = await self._store.player_names.refer(player.id, player.nickname)
        recovery = Recovery(recovery_code_hash(code), "", player.bot, name_ref)
        await self._execute(player.id, lambda _, __: decide.make_recovery_code(recovery))
        return code

    async def recover(self, code: str, name: str) -> AdmittedPlayer:
        """Use a recovery code: revoke all tokens and create one with all scopes. Raises `Rejected` (`no_such_code`).

        The guest token is rejected first, so that a failure in between leaves no token that should be revoked.
        """
        found = RECOVERY_CODE.fullmatch(code)
        player_id = PlayerId(found["player"]) if found else None
        account = None if player_id is None else await self._account(player_id)
        recovery = None if account is None else account.recovery
        if account is None or recovery is None or not hmac.compare_digest(recovery_code_hash(code), recovery.hash):
            raise Rejected("no_such_code")
        nickname = await self._store.player_names.shown(account.id, recovery.nickname, recovery.name_ref)
        player = Player(account.id, nickname, recovery.bot)
        token, code_hash = self._new_token(NewToken(name, scopes_of(player))), recovery.hash
        await self.replaced.record(player.id)
        await self._execute(player.id, lambda state, _: decide.recover(state, code_hash, token))
        return AdmittedPlayer(player, token)

    def _new_token(self, asked: NewToken) -> NamedToken:
        return NamedToken(self._new_id(), asked.name, asked.scopes, self._environment.now(), asked.expires)

    async def _account(self, player: PlayerId) -> Account:
        return (await self._repository.current(account_key(player))).state

    async def _execute(self, player: PlayerId, decision: Callable[[Account, Millis], list[Event]]) -> list[Record]:
        """Execute a command; an erased account accepts none. Raises `Rejected` (`player_erased`) and what it raises."""

        def decide_unless_erased(state: Account, now: Millis) -> list[Event]:
            decide.refuse_erased(state)
            return decision(state, now)

        return await self._processor.decide(account_key(player), decide_unless_erased)

    # Erase a player

    async def erase(self, player: PlayerId) -> None:
        """Delete the account of a player permanently; none of their tokens is accepted from now on."""
        await self.replaced.record(player)
        await self._processor.decide(account_key(player), lambda state, _: decide.erase(state))
        await self._processor.discard(account_key(player))

    async def is_erased(self, player: PlayerId) -> bool:
        """Return whether a player was erased."""
        return (await self._account(player)).erased is not None

    async def is_being_erased(self, player: PlayerId) -> bool:
        """Return whether a player was erased, and something is left to delete elsewhere."""
        account = await self._account(player)
        return account.erased is not None and not account.is_erasure_finished

    async def finish_erasure(self, player: PlayerId) -> None:
        """Record that nothing is left to delete."""
        await self._processor.decide(account_key(player), lambda state, _: decide.finish_erasure(state))

    def _changed(self, stream: LoadedStream[Account], _: Sequence[Stored]) -> None:
        self._on_change(stream.state.id)

    # Serve as a worker

    async def close(self) -> None:
        """Finish all background work."""
        await self._background.close()
        await self._processor.close()
