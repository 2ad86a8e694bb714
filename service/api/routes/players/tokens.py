"""The named tokens of the caller."""

from typing import Annotated

import msgspec
from litestar import delete, get, post
from litestar.params import FromPath
from litestar.response.base import ASGIResponse

from service.api.callers.identify import require_caller
from service.api.callers.peers import peer_of
from service.api.http.common_headers import count
from service.api.http.parameters import HttpRequest
from service.api.http.requests import context_of, headers_of, idempotency_key, negotiate, read_json, refuse_key
from service.api.http.responses import JSON, respond, respond_json
from service.api.http.route_docs import CHANGE_CODES, NEGOTIATION_CODES, document_route
from service.domain.accounts.model import NamedToken, Scope, TokenId
from service.domain.room.model.ids import Millis
from service.domain.room.names.names import is_visible, normalize
from service.domain.validation import Invalid
from service.people.accounts.admission import NewToken
from service.rooms.player import Player
from service.rooms.views.timestamps import rfc3339

READ_CODES = ("store_unavailable", "history_damaged", "newer_events", *NEGOTIATION_CODES)

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


TOKEN_REQUEST = msgspec.json.Decoder(TokenRequest)


@post(
    "/v1/players/me/tokens",
    opt=document_route(
        "Create a token",
        {201: MadeToken},
        compressed=False,
        body=TokenRequest,
        refusals=(*CHANGE_CODES, "too_many_tokens", "rate_limited", "key_not_supported"),
        caller="required",
        tag="Players",
    ),
)
async def make_token(request: HttpRequest) -> ASGIResponse:
    """Create a token for another program of yours, such as a bot; it is limited to its scopes.

    A player can have 20 of them. Needs the scope `account`, which the token of a new guest has.
    """
    context, headers = context_of(request), headers_of(request)
    caller = require_caller(context.callers, headers, "account")
    refuse_key(idempotency_key(headers))
    count(peer_of(dict(request.scope)), context.limits.tokens, caller.player.id)
    asked = await read_json(request, headers, TOKEN_REQUEST)
    days = asked.expires_days
    expires = None if days is None else Millis(context.now() + days * 24 * 3600 * 1000)
    scopes = tuple(dict.fromkeys(asked.scopes))
    made = await context.accounts.make_token(caller.player.id, NewToken(token_name(asked.name), scopes, expires))
    return respond_json(MadeToken(entry_of(made), context.tokens.named(caller.player, made.id)), 201)


def token_name(text: str) -> str:
    """Return the name of a token, normalised. Raises `Invalid`."""
    name = normalize(text)
    if not 1 <= len(name) <= NAME_LENGTH or not is_visible(name):
        raise Invalid(f"Expected 1 to {NAME_LENGTH} visible characters", "/name")
    return name


@get(
    "/v1/players/me/tokens",
    opt=document_route(
        "List the caller's tokens", {200: TokenList}, refusals=READ_CODES, caller="required", tag="Players"
    ),
)
async def read_tokens(request: HttpRequest) -> ASGIResponse:
    """List the caller's named tokens, without their secrets. Needs the scope `account`."""
    context, headers = context_of(request), headers_of(request)
    negotiate(headers, JSON)
    caller = require_caller(context.callers, headers, "account")
    tokens = await context.accounts.tokens(caller.player.id)
    return respond_json(TokenList(tuple(entry_of(token, caller.token) for token in tokens)))


@delete(
    "/v1/players/me/tokens",
    status_code=200,
    opt=document_route(
        "Sign out everywhere else",
        {204: None},
        refusals=(*CHANGE_CODES, "rate_limited"),
        caller="required",
        tag="Players",
    ),
)
async def revoke_other_tokens(request: HttpRequest) -> ASGIResponse:
    """Revoke all tokens of the caller except the one of this request, which needs the scope `account`.

    With a named token, this also revokes the token that the guest was created with. It takes effect within two seconds
    and closes sockets and streams.
    """
    context = context_of(request)
    caller = require_caller(context.callers, headers_of(request), "account")
    count(peer_of(dict(request.scope)), context.limits.commands, caller.player.id)
    await context.accounts.revoke_others(caller.player.id, caller.token)
    return respond(b"", 204)


@delete(
    "/v1/players/me/tokens/{token:str}",
    status_code=200,
    opt=document_route(
        "Revoke a token",
        {204: None},
        refusals=(*CHANGE_CODES, "no_such_token", "rate_limited"),
        caller="required",
        tag="Players",
    ),
)
async def revoke_token(request: HttpRequest, token: FromPath[str]) -> ASGIResponse:
    """Revoke a named token. It takes effect within two seconds, and closes sockets and streams of the token.

    Needs the scope `account`.
    """
    context = context_of(request)
    caller = require_caller(context.callers, headers_of(request), "account")
    count(peer_of(dict(request.scope)), context.limits.commands, caller.player.id)
    await context.accounts.revoke_token(caller.player.id, token)
    return respond(b"", 204)


def entry_of(token: NamedToken, current: TokenId | None = None) -> TokenEntry:
    """Return a token as its player sees it; `current` is the one of the request."""
    return TokenEntry(
        id=token.id,
        name=token.name,
        scopes=token.scopes,
        made=rfc3339(token.made),
        expires=None if token.expires is None else rfc3339(token.expires),
        used_on=None if token.used is None else rfc3339(token.used)[:10],
        current=token.id == current,
    )
