"""The routes of webhooks: the same for players and for the operator."""

from collections.abc import Callable, Sequence
from typing import Any, Literal

import msgspec
from litestar import delete, get, patch, post
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath
from litestar.response.base import ASGIResponse

from service.api.http.callers import identify_player
from service.api.http.common_headers import count
from service.api.http.context import context_of
from service.api.http.parameters import AnyVersion, HttpRequest, parse_number
from service.api.http.peers import peer_of
from service.api.http.requests import headers_of, idempotency_key, negotiate, read_json, refuse_key
from service.api.http.responses import JSON, respond, respond_json
from service.api.http.route_docs import CHANGE_CODES, NEGOTIATION_CODES, ROOMS_CODES, document_route
from service.api.routes.admin import FOR_OPERATORS, OPERATOR_CODES, require_operator
from service.api.routes.people.webhook_bodies import (
    MadeWebhook,
    WebhookChange,
    WebhookDetails,
    WebhookEntry,
    WebhookList,
    WebhookRequest,
    details_of,
    entry_of,
    made_webhook,
)
from service.domain.ids import PlayerId, Version
from service.domain.room.subjects.privacy import OPERATOR
from service.domain.webhooks.model import Webhook
from service.people.fetching.urls import parse_url
from service.rooms.access.audit_log import OperatorWebhook

Action = Literal["added", "changed", "removed", "rotated"]

OPERATORS_PATH = "/v1/admin/"

REQUEST = msgspec.json.Decoder(WebhookRequest)
CHANGE = msgspec.json.Decoder(WebhookChange)


def owner_of(request: HttpRequest) -> PlayerId:
    """Return the owner of the webhooks that a request is for: the operator by its path, otherwise the caller.

    Raises what `require_operator` and `identify_player` raise.
    """
    if request.scope["path"].startswith(OPERATORS_PATH):
        require_operator(request)
        return OPERATOR
    return identify_player(context_of(request).callers, headers_of(request), "account").id


def changing_owner_of(request: HttpRequest) -> PlayerId:
    """Return whose webhooks a request changes, and count it. Raises what `owner_of` raises, and `rate_limited`."""
    owner = owner_of(request)
    if owner != OPERATOR:
        count(peer_of(dict(request.scope)), context_of(request).limits.commands, owner)
    return owner


def count_challenge(request: HttpRequest, owner: PlayerId) -> None:
    """Count a request that leads to a challenge by the caller's address. Raises `ServiceError` (`rate_limited`)."""
    context, peer = context_of(request), peer_of(dict(request.scope))
    if owner != OPERATOR:
        count(peer, context.limits.webhooks, peer.address(context.addresses))


async def record(request: HttpRequest, owner: PlayerId, webhook: Webhook, action: Action) -> None:
    """Record in the audit log what the operator did to a webhook."""
    if owner == OPERATOR:
        host = parse_url(webhook.url, allows_http=True).host
        await context_of(request).audit_log.record(OperatorWebhook("", webhook.id, action, host))


async def add_webhook(request: HttpRequest) -> ASGIResponse:
    """Register an endpoint for events, and return the secret with which its messages are signed.

    Events are sent after the endpoint has echoed a challenge, which is sent at once. A player can have three webhooks.
    Needs the scope `account`.
    """
    owner, headers = changing_owner_of(request), headers_of(request)
    refuse_key(idempotency_key(headers))
    asked = await read_json(request, headers, REQUEST)
    count_challenge(request, owner)
    made = await context_of(request).webhooks.add(owner, asked.url, asked.events)
    await record(request, owner, made.webhook, "added")
    return respond_json(made_webhook(made), 201)


async def read_webhooks(request: HttpRequest) -> ASGIResponse:
    """List the webhooks, without their secrets. Needs the scope `account`."""
    negotiate(headers_of(request), JSON)
    webhooks = await context_of(request).webhooks.of(owner_of(request))
    return respond_json(WebhookList(tuple(map(entry_of, webhooks))))


async def read_webhook(request: HttpRequest, webhook: FromPath[str]) -> ASGIResponse:
    """Return a webhook and the log of its latest deliveries. Needs the scope `account`."""
    negotiate(headers_of(request), JSON)
    return respond_json(details_of(await context_of(request).webhooks.find(owner_of(request), webhook)))


async def change_webhook(request: HttpRequest, webhook: FromPath[str]) -> ASGIResponse:
    """Change the URL of a webhook, which then has to be verified, or the types of its events.

    Events before the new URL is verified are sent afterwards. Needs the scope `account`.
    """
    owner = changing_owner_of(request)
    asked = await read_json(request, headers_of(request), CHANGE)
    if asked.url is not None:
        count_challenge(request, owner)
    changed = await context_of(request).webhooks.change(owner, webhook, asked.url, asked.events)
    await record(request, owner, changed, "changed")
    return respond_json(entry_of(changed))


async def remove_webhook(request: HttpRequest, webhook: FromPath[str]) -> ASGIResponse:
    """Delete a webhook and its log. Needs the scope `account`."""
    owner, webhooks = changing_owner_of(request), context_of(request).webhooks
    removed = await webhooks.find(owner, webhook)
    await webhooks.remove(owner, webhook)
    await record(request, owner, removed, "removed")
    return respond(b"", 204)


async def rotate_secret(request: HttpRequest, webhook: FromPath[str]) -> ASGIResponse:
    """Give a webhook a new secret, and return it. For a day, messages are also signed with the previous one.

    Needs the scope `account`.
    """
    owner = changing_owner_of(request)
    refuse_key(idempotency_key(headers_of(request)))
    rotated = await context_of(request).webhooks.rotate(owner, webhook)
    await record(request, owner, rotated.webhook, "rotated")
    return respond_json(made_webhook(rotated))


async def verify_webhook(request: HttpRequest, webhook: FromPath[str]) -> ASGIResponse:
    """Send a challenge to the endpoint of a webhook that is unverified or disabled.

    If it is active and waits after a failure, the event that is due is sent again at once instead.
    Once it is active again, it gets all events since its latest one that are still stored. Needs the scope `account`.
    """
    owner = changing_owner_of(request)
    count_challenge(request, owner)
    return respond_json(entry_of(await context_of(request).webhooks.verify(owner, webhook)), 202)


async def replay_delivery(request: HttpRequest, webhook: FromPath[str], event: FromPath[str]) -> ASGIResponse:
    """Send an event again, under the same `webhook-id`, if it is still stored.

    `event` is the version of the event in its owner's feed. One attempt is made. Needs the scope `account`.
    """
    owner = changing_owner_of(request)
    version: Version = parse_number(event, AnyVersion, "event")
    return respond_json(details_of(await context_of(request).webhooks.replay(owner, webhook, version)), 202)


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
        route(post, "", add_webhook, add, 201),
        route(get, "", read_webhooks, docs("List webhooks", {200: WebhookList}, *READ_CODES)),
        route(get, ONE, read_webhook, docs("Read a webhook", {200: WebhookDetails}, *READ_CODES, unknown)),
        route(patch, ONE, change_webhook, change),
        route(delete, ONE, remove_webhook, docs("Delete a webhook", {204: None}, *CHANGES, unknown)),
        route(post, f"{ONE}/rotate", rotate_secret, rotate),
        route(
            post,
            f"{ONE}/verify",
            verify_webhook,
            docs("Verify a webhook again", {202: WebhookEntry}, *CHANGES, unknown),
            202,
        ),
        route(post, f"{ONE}/deliveries/{{event:str}}/replay", replay_delivery, replay, 202),
    )


OF_PLAYERS = webhook_routes("/v1/players/me/webhooks", {"caller": "required", "tag": "Webhooks"})
OF_OPERATOR = webhook_routes("/v1/admin/webhooks", FOR_OPERATORS, OPERATOR_CODES)
