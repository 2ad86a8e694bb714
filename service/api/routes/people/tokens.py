"""How a player signs in: named tokens, link codes for another device, and recovery codes for a lost guest."""

from typing import Annotated

import msgspec

from service.api.http.headers import count
from service.api.http.json_routes import Call, change, read
from service.api.http.parameters import CHANGE_CODES
from service.domain.accounts.model import NamedToken, Scope, TokenId
from service.domain.ids import DAY, Millis, Player, rfc3339
from service.domain.room.model.names import is_visible, normalize
from service.domain.structs import copied
from service.domain.validation import Invalid
from service.people.account_service import AdmittedPlayer, NewToken

NAME_LENGTH = 40

LONGEST_DAYS = 3650


class TokenRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A new token."""

    name: Annotated[str, msgspec.Meta(min_length=1, max_length=200)]
    """The name by which you recognise it: 1 to 40 visible characters after normalisation."""
    scopes: Annotated[tuple[Scope, ...], msgspec.Meta(min_length=1, max_length=6)]
    """The scopes. `read`: what only you may read. `play`: commands, rooms, seeks and invitations. `chat`: lines of
    chat. `account`: tokens, codes and webhooks. `tournaments`: creating and managing tournaments. With `bot`, it is the
    token of a declared bot."""
    expires_days: Annotated[int, msgspec.Meta(ge=1, le=LONGEST_DAYS)] | None = None
    """After how many days it expires; by default never."""


class TokenEntry(msgspec.Struct, frozen=True):
    """A token of the caller, without its secret."""

    id: TokenId
    """The id of the token, by which it is revoked."""
    name: str
    """The name by which the player recognises it."""
    scopes: tuple[Scope, ...]
    """Its scopes."""
    made: str
    """When it was created."""
    expires: str | None
    """When it expires; null for never."""
    used_on: str | None
    """The day in UTC on which it was last used; null for never."""
    current: bool
    """Whether this request was sent with it."""


class MadeToken(msgspec.Struct, frozen=True):
    """A new token. It is not stored, so it cannot be read again."""

    entry: TokenEntry
    """Its entry in the list."""
    token: str
    """The token itself, for the header `Authorization`."""


class TokenList(msgspec.Struct, frozen=True):
    """The tokens of the caller, the oldest first."""

    tokens: tuple[TokenEntry, ...]
    """The tokens that are neither revoked nor expired, without the guest token."""


class LetIn(msgspec.Struct, frozen=True):
    """A player who signed in with a code, and their new token."""

    player: Player
    """The player who signed in."""
    token: str
    """A token with all scopes."""
    entry: TokenEntry
    """The token's entry in the list."""


@change(
    "POST",
    "/v1/players/me/tokens",
    "Create a token",
    {201: MadeToken},
    scope="account",
    limit="tokens",
    secret=True,
    body=TokenRequest,
    refusals=(*CHANGE_CODES, "too_many_tokens"),
    tag="Players",
)
async def make_token(call: Call, player: Player, asked: TokenRequest) -> MadeToken:
    """Create a token for another program of yours, such as a bot; it is limited to its scopes.

    A player can have 20 of them. Needs the scope `account`, which the token of a new guest has.
    """
    context, days = call.context, asked.expires_days
    expires = None if days is None else Millis(context.now() + days * DAY)
    scopes = tuple(dict.fromkeys(asked.scopes))
    made = await context.accounts.make_token(player.id, NewToken(visible_text(asked.name), scopes, expires))
    return MadeToken(entry_of(made), context.tokens.named(player, made.id))


def visible_text(text: str, longest: int = NAME_LENGTH, pointer: str = "/name") -> str:
    """Return the name of a token, or another text of one line, normalised. Raises `Invalid`."""
    found = normalize(text)
    if not 1 <= len(found) <= longest or not is_visible(found):
        raise Invalid(f"Expected 1 to {longest} visible characters", pointer)
    return found


@read("/v1/players/me/tokens", "List the caller's tokens", TokenList, scope="account", tag="Players")
async def read_tokens(call: Call, player: Player) -> TokenList:
    """List the caller's named tokens, without their secrets. Needs the scope `account`."""
    tokens, current = await call.context.accounts.tokens(player.id), call.token
    return TokenList(tuple(entry_of(token, current) for token in tokens))


@change("DELETE", "/v1/players/me/tokens", "Sign out everywhere else", {204: None}, scope="account", tag="Players")
async def revoke_other_tokens(call: Call, player: Player) -> None:
    """Revoke all tokens of the caller except the one of this request, which needs the scope `account`.

    With a named token, this also revokes the token that the guest was created with. It takes effect within two seconds
    and closes sockets and streams.
    """
    await call.context.accounts.revoke_others(player.id, call.token)


@change(
    "DELETE",
    "/v1/players/me/tokens/{token:str}",
    "Revoke a token",
    {204: None},
    scope="account",
    refusals=(*CHANGE_CODES, "no_such_token"),
    tag="Players",
)
async def revoke_token(call: Call, player: Player, token: str) -> None:
    """Revoke a named token. It takes effect within two seconds, and closes sockets and streams of the token.

    Needs the scope `account`.
    """
    await call.context.accounts.revoke_token(player.id, token)


def entry_of(token: NamedToken, current: TokenId | None = None) -> TokenEntry:
    """Return a token as its player sees it; `current` is the one of the request."""
    return copied(
        TokenEntry,
        token,
        made=rfc3339(token.made),
        expires=None if token.expires is None else rfc3339(token.expires),
        used_on=None if token.used is None else rfc3339(token.used)[:10],
        current=token.id == current,
    )


EVERYBODY = "everybody"
"""The client of limits that all clients of a process share."""

Name = Annotated[str, msgspec.Meta(min_length=1, max_length=200)]


class MadeLinkCode(msgspec.Struct, frozen=True):
    """A code with which another device can sign in once."""

    code: str
    """Eight digits and capital letters without 0, 1, I and O."""
    expires: str
    """When it expires, five minutes after it was created."""


class MadeRecoveryCode(msgspec.Struct, frozen=True):
    """A code that gives a player who has lost all tokens a new one. It is not stored, so it cannot be read again."""

    code: str
    """The code, to be kept in a safe place; it can be used once."""


class UsedLinkCode(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A link code, typed on another device."""

    code: Annotated[str, msgspec.Meta(max_length=40)]
    """The code; case, spaces and hyphens do not matter."""
    name: Name = "Linked device"
    """The name of the new token."""


class UsedRecoveryCode(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A recovery code."""

    code: Annotated[str, msgspec.Meta(max_length=120)]
    """The code."""
    name: Name = "Recovered"
    """The name of the new token."""


USE_CODES = ("no_such_code", "rate_limited", *CHANGE_CODES)


@change(
    "POST",
    "/v1/players/me/link_codes",
    "Create a link code",
    {201: MadeLinkCode},
    scope="account",
    limit="tokens",
    secret=True,
    refusals=("store_unavailable", "store_full"),
    tag="Players",
)
async def make_link_code(call: Call, player: Player) -> MadeLinkCode:
    """Create a code to enter on another device, which then gets a token of the same player.

    Needs the scope `account`.
    """
    made = await call.context.accounts.make_link_code(player)
    return MadeLinkCode(made.code, rfc3339(made.expires))


@change(
    "POST",
    "/v1/link_codes",
    "Use a link code",
    {201: LetIn},
    scope=None,
    secret=True,
    body=UsedLinkCode,
    refusals=(*USE_CODES, "too_many_tokens"),
    tag="Players",
)
async def use_link_code(call: Call, asked: UsedLinkCode) -> LetIn:
    """Get a token with all scopes for the player who created the code."""
    count_try(call)
    return let_in(call, await call.context.accounts.use_link_code(asked.code, visible_text(asked.name)))


@change(
    "POST",
    "/v1/players/me/recovery_code",
    "Create a recovery code",
    {201: MadeRecoveryCode},
    scope="account",
    limit="tokens",
    secret=True,
    refusals=(*CHANGE_CODES, "too_many_nicknames"),
    tag="Players",
)
async def make_recovery_code(call: Call, player: Player) -> MadeRecoveryCode:
    """Create a recovery code for the caller, which replaces an earlier one. Needs the scope `account`."""
    return MadeRecoveryCode(await call.context.accounts.make_recovery_code(player))


@change(
    "POST",
    "/v1/recovery",
    "Use a recovery code",
    {201: LetIn},
    scope=None,
    secret=True,
    body=UsedRecoveryCode,
    refusals=USE_CODES,
    tag="Players",
)
async def recover(call: Call, asked: UsedRecoveryCode) -> LetIn:
    """Get a new token with all scopes for the player of the code. All earlier tokens of the player are revoked."""
    count_try(call)
    return let_in(call, await call.context.accounts.recover(asked.code, visible_text(asked.name)))


def count_try(call: Call) -> None:
    """Count an attempt with a code, right or wrong. Raises `ServiceError` (`rate_limited`)."""
    call.count(call.context.limits.codes)
    count(call.peer, call.context.limits.codes_all, EVERYBODY)


def let_in(call: Call, admitted: AdmittedPlayer) -> LetIn:
    """Return a player who signed in, with their token."""
    token = call.context.tokens.named(admitted.player, admitted.token.id)
    return LetIn(admitted.player, token, entry_of(admitted.token, admitted.token.id))
