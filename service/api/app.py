"""The Litestar application: its routes, exception handlers and documents."""

from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager

from litestar import Litestar
from litestar.config.compression import CompressionConfig
from litestar.config.cors import CORSConfig
from litestar.datastructures import State
from litestar.exceptions import HTTPException, NotFoundException
from litestar.types import ControllerRouterHandler

from service.api.http.context import AppContext
from service.api.http.headers import HeadAndOptions, methods_by_path
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
    invitations,
    matches,
    meta,
    pictures,
    rooms,
    static_files,
)
from service.api.routes.contests import ratings, tournaments, watch
from service.api.routes.people import blocks as player_blocks
from service.api.routes.people import bots, challenges, guests, player_matches, profiles, seeks, webhooks
from service.api.routes.people import tokens as player_tokens
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

ROUTES: Sequence[ControllerRouterHandler] = (
    guests.create_player,
    guests.read_me,
    guests.erase_player,
    player_tokens.make_token,
    player_tokens.read_tokens,
    player_tokens.revoke_other_tokens,
    player_tokens.revoke_token,
    player_tokens.make_link_code,
    player_tokens.use_link_code,
    player_tokens.make_recovery_code,
    player_tokens.recover,
    player_blocks.block_player,
    player_blocks.unblock_player,
    player_blocks.read_blocks,
    games.read_games,
    games.read_game,
    meta.read_codes,
    rooms.open_room,
    rooms.read_lobby,
    rooms.read_room,
    rooms.command_room,
    invitations.read_invitations,
    invitations.read_invitation,
    invitations.accept_invitation,
    invitations.decline_invitation,
    rooms.read_events,
    rooms.read_legal_moves,
    pictures.draw_room,
    pictures.draw_invitation,
    analyses.read_hint,
    chat.read_chat,
    chat.read_room_chat,
    chat.say_in_room,
    chat.read_lobby_chat,
    chat.say_in_lobby,
    matches.read_matches,
    watch.read_notable_matches,
    matches.read_match,
    matches.export_match,
    analyses.read_analysis,
    analyses.request_review,
    event_stream.stream_room,
    event_stream.stream_me,
    event_stream.read_my_events,
    seeks.make_seek,
    seeks.accept_seek,
    seeks.withdraw_seek,
    seeks.read_seeks,
    seeks.read_my_seeks,
    watch.read_tv,
    ratings.read_rating_lists,
    profiles.read_profile,
    profiles.read_head_to_head,
    profiles.set_profile,
    player_matches.read_player_matches,
    tournaments.create_tournament,
    tournaments.read_tournaments,
    tournaments.read_tournament,
    tournaments.read_standings,
    tournaments.read_tables,
    tournaments.command_tournament,
    ratings.read_leaderboard,
    ratings.read_entries,
    ratings.read_player_ratings,
    profiles.read_rating_history,
    ratings.read_match_ratings,
    bots.read_bots,
    bots.list_bot,
    bots.unlist_bot,
    challenges.make_challenge,
    challenges.accept_challenge,
    challenges.decline_challenge,
    challenges.withdraw_challenge,
    challenges.read_my_challenges,
    challenges.decline_all_challenges,
    challenges.read_challengers,
    challenges.set_challengers,
    *webhooks.OF_PLAYERS,
    endpoint.follow_room,
    endpoint.follow_all,
    *static_files.ROOM_PAGES,
    invitations.read_invitation_page,
    *static_files.PAGES,
    static_files.read_static_file,
    static_files.read_static_part,
    static_files.read_worker,
    static_files.read_library,
    static_files.read_library_part,
    meta.read_docs,
    meta.read_docs_file,
    meta.read_openapi,
    meta.read_asyncapi,
    meta.read_metrics,
    meta.read_live,
    meta.read_ready,
)

OPERATOR_ROUTES: Sequence[ControllerRouterHandler] = (
    admin.list_all_rooms,
    admin.inspect_room,
    admin.shut_room,
    admin.mute_player,
    admin.ban_player,
    admin.read_log,
    *webhooks.OF_OPERATOR,
    admin.read_admin_openapi,
    meta.read_admin,
)
"""Routes that have their own document."""


async def admit_request(request: HttpRequest) -> None:
    """Count a request against the limits, and check its parameters. Raises `ServiceError` or `Invalid`."""
    await limit_request(request)
    check_query(request)


Lifespan = Callable[[Litestar], AbstractAsyncContextManager[None]]


def create_app(context: AppContext, lifespan: Lifespan) -> Litestar:
    """Return the API; `lifespan` runs what belongs to it in the background."""
    served = [*(route for route in ROUTES if context.shows_metrics or route is not meta.read_metrics), *OPERATOR_ROUTES]
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
