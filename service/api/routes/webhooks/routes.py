"""The routes of webhooks: the same for players and for the operator."""

from collections.abc import Callable, Sequence
from typing import Any

from litestar import delete, get, patch, post
from litestar.handlers import HTTPRouteHandler

from service.api.http.route_docs import CHANGE_CODES, NEGOTIATION_CODES, ROOMS_CODES, document_route
from service.api.routes.admin import FOR_OPERATORS, OPERATOR_CODES
from service.api.routes.webhooks import handlers
from service.api.routes.webhooks.bodies import (
    MadeWebhook,
    WebhookChange,
    WebhookDetails,
    WebhookEntry,
    WebhookList,
    WebhookRequest,
)

CHANGES = (*CHANGE_CODES, "rate_limited")
READ_CODES = (*ROOMS_CODES, *NEGOTIATION_CODES)
ONE = "/{webhook:str}"

Add = Callable[..., HTTPRouteHandler]


def webhook_routes(path: str, more: dict[str, Any], codes: Sequence[str] = ()) -> tuple[HTTPRouteHandler, ...]:
    """Return the routes of webhooks under a path; `more` documents who may use them, `codes` how they are refused."""

    def docs(summary: str, answers: dict[int, Any], *refusals: str, **rest: Any) -> dict[str, Any]:
        return document_route(summary, answers, compressed=False, refusals=(*codes, *refusals), **rest, **more)

    def route(method: Add, place: str, handler: Any, opt: dict[str, Any], status: int = 200) -> HTTPRouteHandler:
        return method(f"{path}{place}", status_code=status, opt=opt)(handler)

    unknown = "no_such_webhook"
    add = docs(
        "Register a webhook",
        {201: MadeWebhook},
        *CHANGES,
        "too_many_webhooks",
        "key_not_supported",
        body=WebhookRequest,
    )
    rotate = docs("Rotate a webhook's secret", {200: MadeWebhook}, *CHANGES, unknown, "key_not_supported")
    change = docs("Change a webhook", {200: WebhookEntry}, *CHANGES, unknown, body=WebhookChange)
    replays = ("no_such_event", "webhook_not_active", "too_many_replays")
    replay = docs("Send an event again", {202: WebhookDetails}, *CHANGES, unknown, *replays)
    return (
        route(post, "", handlers.add_webhook, add, 201),
        route(get, "", handlers.read_webhooks, docs("List webhooks", {200: WebhookList}, *READ_CODES)),
        route(get, ONE, handlers.read_webhook, docs("Read a webhook", {200: WebhookDetails}, *READ_CODES, unknown)),
        route(patch, ONE, handlers.change_webhook, change),
        route(delete, ONE, handlers.remove_webhook, docs("Delete a webhook", {204: None}, *CHANGES, unknown)),
        route(post, f"{ONE}/rotate", handlers.rotate_secret, rotate),
        route(
            post,
            f"{ONE}/verify",
            handlers.verify_webhook,
            docs("Verify a webhook again", {202: WebhookEntry}, *CHANGES, unknown),
            202,
        ),
        route(post, f"{ONE}/deliveries/{{event:str}}/replay", handlers.replay_delivery, replay, 202),
    )


OF_PLAYERS = webhook_routes("/v1/players/me/webhooks", {"caller": "required", "tag": "Webhooks"})
OF_OPERATOR = webhook_routes("/v1/admin/webhooks", FOR_OPERATORS, OPERATOR_CODES)
