"""Link codes and recovery codes: how a player signs in on another device, and recovers a lost guest."""

from typing import Annotated

import msgspec
from litestar import post
from litestar.response.base import ASGIResponse

from service.api.callers.identify import require_caller
from service.api.callers.peers import peer_of
from service.api.context import AppContext
from service.api.http.common_headers import count
from service.api.http.parameters import HttpRequest
from service.api.http.requests import context_of, headers_of, idempotency_key, read_json, refuse_key
from service.api.http.responses import respond_json
from service.api.http.route_docs import CHANGE_CODES, document_route
from service.api.routes.players.tokens import LetIn, entry_of, token_name
from service.people.accounts.admission import AdmittedPlayer
from service.rooms.views.timestamps import rfc3339

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


LINK = msgspec.json.Decoder(UsedLinkCode)
RECOVERY = msgspec.json.Decoder(UsedRecoveryCode)

USE_CODES = ("no_such_code", "rate_limited", "key_not_supported", *CHANGE_CODES)


@post(
    "/v1/players/me/link_codes",
    opt=document_route(
        "Create a link code",
        {201: MadeLinkCode},
        compressed=False,
        refusals=("store_unavailable", "store_full", "rate_limited", "key_not_supported"),
        caller="required",
        tag="Players",
    ),
)
async def make_link_code(request: HttpRequest) -> ASGIResponse:
    """Create a code to enter on another device, which then gets a token of the same player.

    Needs the scope `account`.
    """
    context, headers = context_of(request), headers_of(request)
    caller = require_caller(context.callers, headers, "account")
    refuse_key(idempotency_key(headers))
    count(peer_of(dict(request.scope)), context.limits.tokens, caller.player.id)
    made = await context.accounts.make_link_code(caller.player)
    return respond_json(MadeLinkCode(made.code, rfc3339(made.expires)), 201)


@post(
    "/v1/link_codes",
    opt=document_route(
        "Use a link code",
        {201: LetIn},
        compressed=False,
        body=UsedLinkCode,
        refusals=(*USE_CODES, "too_many_tokens"),
        caller="none",
        tag="Players",
    ),
)
async def use_link_code(request: HttpRequest) -> ASGIResponse:
    """Get a token with all scopes for the player who created the code."""
    context = context_of(request)
    refuse_key(idempotency_key(headers_of(request)))
    asked = await read_json(request, headers_of(request), LINK)
    count_try(request, context)
    return let_in(context, await context.accounts.use_link_code(asked.code, token_name(asked.name)))


@post(
    "/v1/players/me/recovery_code",
    opt=document_route(
        "Create a recovery code",
        {201: MadeRecoveryCode},
        compressed=False,
        refusals=(*CHANGE_CODES, "rate_limited", "key_not_supported", "too_many_nicknames"),
        caller="required",
        tag="Players",
    ),
)
async def make_recovery_code(request: HttpRequest) -> ASGIResponse:
    """Create a recovery code for the caller, which replaces an earlier one. Needs the scope `account`."""
    context, headers = context_of(request), headers_of(request)
    caller = require_caller(context.callers, headers, "account")
    refuse_key(idempotency_key(headers))
    count(peer_of(dict(request.scope)), context.limits.tokens, caller.player.id)
    return respond_json(MadeRecoveryCode(await context.accounts.make_recovery_code(caller.player)), 201)


@post(
    "/v1/recovery",
    opt=document_route(
        "Use a recovery code",
        {201: LetIn},
        compressed=False,
        body=UsedRecoveryCode,
        refusals=USE_CODES,
        caller="none",
        tag="Players",
    ),
)
async def recover(request: HttpRequest) -> ASGIResponse:
    """Get a new token with all scopes for the player of the code. All earlier tokens of the player are revoked."""
    context = context_of(request)
    refuse_key(idempotency_key(headers_of(request)))
    asked = await read_json(request, headers_of(request), RECOVERY)
    count_try(request, context)
    return let_in(context, await context.accounts.recover(asked.code, token_name(asked.name)))


def count_try(request: HttpRequest, context: AppContext) -> None:
    """Count an attempt with a code, right or wrong. Raises `ServiceError` (`rate_limited`)."""
    peer = peer_of(dict(request.scope))
    count(peer, context.limits.codes, peer.address(context.addresses))
    count(peer, context.limits.codes_all, EVERYBODY)


def let_in(context: AppContext, admitted: AdmittedPlayer) -> ASGIResponse:
    """Return the response with the token of a player who signed in."""
    token = context.tokens.named(admitted.player, admitted.token.id)
    return respond_json(LetIn(admitted.player, token, entry_of(admitted.token, admitted.token.id)), 201)
