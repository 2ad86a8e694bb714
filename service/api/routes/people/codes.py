"""Link codes and recovery codes: how a player signs in on another device, and recovers a lost guest."""

from typing import Annotated

import msgspec

from service.api.http.common_headers import count
from service.api.http.json_routes import Call, change
from service.api.http.route_docs import CHANGE_CODES
from service.api.routes.people.tokens import LetIn, entry_of, token_name
from service.domain.ids import Player
from service.domain.timestamps import rfc3339
from service.people.admission import AdmittedPlayer

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
    return let_in(call, await call.context.accounts.use_link_code(asked.code, token_name(asked.name)))


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
    return let_in(call, await call.context.accounts.recover(asked.code, token_name(asked.name)))


def count_try(call: Call) -> None:
    """Count an attempt with a code, right or wrong. Raises `ServiceError` (`rate_limited`)."""
    call.count(call.context.limits.codes)
    count(call.peer, call.context.limits.codes_all, EVERYBODY)


def let_in(call: Call, admitted: AdmittedPlayer) -> LetIn:
    """Return a player who signed in, with their token."""
    token = call.context.tokens.named(admitted.player, admitted.token.id)
    return LetIn(admitted.player, token, entry_of(admitted.token, admitted.token.id))
