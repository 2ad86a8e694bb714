"""Routes, mostly of JSON: what they have in common is done as their declaration says, before and after their handler.

A handler takes the call, then the player who sends it if the declaration has a scope (the operator with the scope
`operator`), then the body if it has one, and the parameters of its path by name. It returns the body of the answer,
None for an answer without one, or a response.
"""

from collections.abc import Awaitable, Callable
from operator import attrgetter
from typing import Any, Literal

import msgspec
from litestar import delete, get, patch, post, put
from litestar.handlers import HTTPRouteHandler
from litestar.response.base import ASGIResponse
from msgspec.structs import replace

from service.api.http.callers import Caller, find_reader, require_caller
from service.api.http.context import AppContext, context_of
from service.api.http.headers import count
from service.api.http.parameters import CHANGE_CODES, NEGOTIATION_CODES, ROOMS_CODES, HttpRequest, document_route
from service.api.http.peers import Peer, peer_of
from service.api.http.requests import Headers, headers_of, negotiate, read_json, refuse_key
from service.api.http.responses import JSON, next_link, respond, respond_json
from service.api.http.tokens import bearer_token
from service.api.limits import RateLimiter
from service.domain.accounts.model import Scope, TokenId
from service.domain.ids import Player, PlayerId
from service.domain.room.subjects.privacy import OPERATOR
from service.streams.errors import ServiceError

Handler = Callable[..., Awaitable[Any]]
Declaration = Callable[[Handler], HTTPRouteHandler]
Needs = Scope | Literal["operator"] | None
"""What a route needs: a player's token that has a scope, the operator token, or neither."""

METHODS: dict[str, Callable[..., Declaration]] = {
    "DELETE": delete,
    "GET": get,
    "PATCH": patch,
    "POST": post,
    "PUT": put,
}


class Call(msgspec.Struct, frozen=True):
    """A request that its route has admitted."""

    request: HttpRequest
    context: AppContext
    headers: Headers
    peer: Peer
    media_type: str = JSON
    """The media type of the answer, among those of the route the one that the client prefers."""

    @property
    def address(self) -> str:
        """The address of the client, by which strangers are counted."""
        return self.peer.address(self.context.addresses)

    @property
    def reader(self) -> PlayerId | None:
        """The player who reads what everybody may read in part, None for a stranger. Raises `ServiceError`."""
        caller = find_reader(self.context.callers, self.headers)
        return None if caller is None else caller.player.id

    @property
    def token(self) -> TokenId | None:
        """The id of the named token with which it is sent, None for any other token. Raises `ServiceError`."""
        return self.context.callers.of_header(self.headers[b"authorization"]).token

    def count(self, limiter: RateLimiter) -> None:
        """Count the call by its address. Raises `ServiceError` with `rate_limited`."""
        count(self.peer, limiter, self.address)


def read(  # noqa: PLR0913 - all that a declaration can say
    path: str,
    summary: str,
    answer: Any,
    *,
    scope: Needs = None,
    link: str | None = None,
    media_types: tuple[str, ...] = (JSON,),
    refusals: tuple[str, ...] = ROOMS_CODES,
    headers: tuple[str, ...] = (),
    **docs: Any,
) -> Declaration:
    """Declare a GET. With a `scope`, it needs a token that has it. `link` is the parameter of the next page.

    Without `media_types` it answers with JSON whatever the client prefers.
    """
    negotiated = NEGOTIATION_CODES if media_types else ()
    docs |= {"refusals": (*refusals, *negotiated), "headers": (*(("Link",) if link else ()), *headers)}
    if scope:
        docs["caller"] = caller_of(scope)
    opt = document_route(summary, {200: answer}, **docs)

    def declared(handler: Handler) -> HTTPRouteHandler:
        async def serve(request: HttpRequest) -> ASGIResponse:
            call = call_of(request)
            if media_types:
                call = replace(call, media_type=negotiate(call.headers, *media_types))
            players = (sender(call, scope),) if scope else ()
            found = await handler(call, *players, **request.path_params)
            if isinstance(found, ASGIResponse):
                return found
            return respond_json(found, headers=next_link(request, link, found.next) if link else None)

        return route("GET", path, opt, handler, serve)

    return declared


def change(  # noqa: PLR0913 - as above
    method: str,
    path: str,
    summary: str,
    answers: dict[int, Any],
    *,
    scope: Needs = "play",
    limit: str | None = "commands",
    secret: bool = False,
    body: Any = None,
    refusals: tuple[str, ...] = CHANGE_CODES,
    **docs: Any,
) -> Declaration:
    """Declare a route that changes something, and answers with JSON or with nothing.

    With a `scope`, it needs a token that has it, whose player it is counted for against the `limit` of this name. An
    answer with a `secret` cannot be repeated, so that keys are refused.
    """
    more = (*(("rate_limited",) if limit else ()), *(("key_not_supported",) if secret else ()))
    docs |= {"refusals": (*refusals, *more), "body": body, "caller": caller_of(scope)}
    opt = document_route(summary, answers, compressed=False, **docs)
    decoder = None if body is None else msgspec.json.Decoder(body)
    limiter_of: Callable[[Any], RateLimiter] = attrgetter(limit or "commands")
    status = next(iter(answers))

    def declared(handler: Handler) -> HTTPRouteHandler:
        async def serve(request: HttpRequest) -> ASGIResponse:
            call = call_of(request)
            given: list[Any] = []
            if scope:
                given.append(sender(call, scope))
            if secret:
                refuse_key(call.headers)
            if scope and limit:
                count(call.peer, limiter_of(call.context.limits), given[0].id)
            if decoder is not None:
                given.append(await read_json(request, call.headers, decoder))
            found = await handler(call, *given, **request.path_params)
            if isinstance(found, ASGIResponse):
                return found
            return respond(b"", 204) if found is None else respond_json(found, status)

        return route(method, path, opt, handler, serve)

    return declared


def caller_of(scope: Needs) -> Literal["none", "operator", "required"]:
    """Return which token the document of a route names."""
    return "operator" if scope == "operator" else "required" if scope else "none"


def sender(call: Call, scope: Scope | Literal["operator"]) -> Player:
    """Return who sends a call, an operator under the name of the token. Raises `ServiceError` without a token."""
    if scope == "operator":
        return Player(OPERATOR, call.context.callers.name_of(require_operator(call)))
    return require_caller(call.context.callers, call.headers, scope).player


def require_operator(call: Call) -> Caller:
    """Return the operator who sends a call. Raises `ServiceError` unless it has an operator token.

    That is `not_found` if no token is configured, `unauthenticated` for another token, and `rate_limited` after too
    many wrong ones from one address.
    """
    if not call.context.has_operators:
        raise ServiceError("not_found")
    token = bearer_token(call.headers.get(b"authorization", b""))
    operator = call.context.operator_of(call.peer, token or b"")
    if operator is None:
        raise ServiceError("unauthenticated", "This URL needs an operator token.")
    return operator


def call_of(request: HttpRequest) -> Call:
    """Return a request as a call."""
    return Call(request, context_of(request), headers_of(request), peer_of(dict(request.scope)))


def route(method: str, path: str, opt: dict[str, Any], handler: Handler, serve: Handler) -> HTTPRouteHandler:
    """Return a route that `serve` answers, with the name and the description of its handler."""
    serve.__name__, serve.__doc__ = handler.__name__, handler.__doc__
    return METHODS[method](path, status_code=200, opt=opt)(serve)
