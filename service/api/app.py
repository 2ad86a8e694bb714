"""The Litestar application: its routes, exception handlers and documents."""

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from types import ModuleType
from typing import Any

from litestar import Litestar
from litestar.config.compression import CompressionConfig
from litestar.config.cors import CORSConfig
from litestar.datastructures import State
from litestar.exceptions import HTTPException, NotFoundException
from litestar.handlers import HTTPRouteHandler, WebsocketRouteHandler

from service.api.http.context import AppContext
from service.api.http.headers import ROUTE, HeadAndOptions, methods_by_path
from service.api.http.parameters import UNCOMPRESSED, HttpRequest
from service.api.http.read_limits import limit_request
from service.api.http.requests import MAX_BODY_BYTES, check_query
from service.api.http.responses import GZIP_LEVEL, handle_exception
from service.api.routes import (
    admin,
    analyses,
    chat,
    event_stream,
    games,
    guide,
    invitations,
    matches,
    meta,
    moderation,
    pictures,
    rooms,
    static_files,
)
from service.api.routes.contests import ratings, tournaments, watch
from service.api.routes.people import (
    blocks,
    bots,
    challenges,
    guests,
    player_matches,
    profiles,
    seeks,
    tokens,
    webhooks,
)
from service.api.websocket import endpoint

COMPRESSION = CompressionConfig(
    backend="gzip", minimum_size=1024, gzip_compress_level=GZIP_LEVEL, exclude_opt_key=UNCOMPRESSED
)
"""For JSON; streams, commands and answers with a token are never compressed, and constant content only once."""

EXPOSED_HEADERS = [
    "ETag",
    "Idempotency-Replayed",
    "Link",
    "Location",
    "Preference-Applied",
    "RateLimit",
    "RateLimit-Policy",
    "Retry-After",
    "X-Request-Id",
]

Handler = HTTPRouteHandler | WebsocketRouteHandler


def routes_of(*modules: ModuleType) -> tuple[Handler, ...]:
    """Return the routes that these modules declare, alone or in tuples, in the order of their declarations."""
    values = (value for module in modules for value in vars(module).values())
    found = (each for value in values for each in (value if isinstance(value, tuple) else (value,)))
    return tuple(each for each in found if isinstance(each, Handler))


def is_for_operators(route: Handler) -> bool:
    """Return whether a route belongs to the operators' document."""
    return any(path.removeprefix("/v1").startswith("/admin") for path in route.paths)


SERVED = routes_of(
    *(guests, tokens, blocks, profiles, player_matches, bots, challenges, seeks, webhooks),
    *(rooms, invitations, chat, matches, analyses, pictures, event_stream, endpoint),
    *(ratings, tournaments, watch, games, static_files, guide, meta, admin, moderation),
)
ROUTES = tuple(route for route in SERVED if not is_for_operators(route))
OPERATOR_ROUTES = tuple(route for route in SERVED if is_for_operators(route))
"""Routes that have their own document."""


async def admit_request(request: HttpRequest) -> None:
    """Note the route, count the request against limits, check its parameters. Raises `ServiceError` or `Invalid`."""
    extensions: Any = request.scope["extensions"]
    extensions[ROUTE] = request.scope["path_template"]
    await limit_request(request)
    check_query(request)


Lifespan = Callable[[Litestar], AbstractAsyncContextManager[None]]


def create_app(context: AppContext, lifespan: Lifespan) -> Litestar:
    """Return the API; `lifespan` runs what belongs to it in the background."""
    served = [route for route in SERVED if context.shows_metrics or route is not meta.read_metrics]
    app = Litestar(
        route_handlers=served,
        state=State({"context": context}),
        lifespan=[lifespan],
        before_request=admit_request,
        exception_handlers={
            Exception: handle_exception,
            HTTPException: handle_exception,
            NotFoundException: static_files.handle_unknown_address,
        },
        cors_config=CORSConfig(
            allow_origins=list(context.origins), allow_headers=["*"], expose_headers=EXPOSED_HEADERS, max_age=86_400
        ),
        compression_config=COMPRESSION,
        request_max_body_size=MAX_BODY_BYTES,
        openapi_config=None,
        logging_config=None,
    )
    app.asgi_handler = HeadAndOptions(app.asgi_handler, methods_by_path(served))
    return app
