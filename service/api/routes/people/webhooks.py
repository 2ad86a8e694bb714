"""The routes of webhooks with their bodies: the same for players and for the operator."""

from collections.abc import Sequence
from typing import Annotated, Any, Literal

import msgspec
from litestar.handlers import HTTPRouteHandler

from service.api.http.json_routes import Call, Declaration, change, read
from service.api.http.parameters import CHANGE_CODES, ROOMS_CODES, AnyVersion, parse_number
from service.api.routes.admin import OPERATOR_CODES, TAG
from service.domain.ids import Player, Version, rfc3339
from service.domain.room.subjects.privacy import OPERATOR
from service.domain.structs import copied
from service.domain.webhooks.model import Attempt, Status, StopReason, Webhook, WebhookId
from service.people.fetching.urls import LONGEST_URL, parse_url
from service.people.webhooks.messages import message_id
from service.people.webhooks.service import OwnedWebhook
from service.rooms.access.audit_log import OperatorWebhook

Url = Annotated[str, msgspec.Meta(min_length=1, max_length=LONGEST_URL)]
EventTypes = Annotated[tuple[str, ...], msgspec.Meta(max_length=30)]


class WebhookRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A new webhook."""

    url: Url
    """Where events are sent: an https URL."""
    events: EventTypes = ()
    """The types of the events that are sent, as in your own feed; all by default."""


class WebhookChange(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What changes in a webhook."""

    url: Url | None = None
    """A new URL, which has to be verified before events are sent; by default the same."""
    events: EventTypes | None = None
    """The types of the events that are sent; an empty list means all; by default the same."""


class AttemptView(msgspec.Struct, frozen=True):
    """A request to an endpoint, and its outcome."""

    time: str
    """When it was made."""
    took_ms: int
    """How many milliseconds it took."""
    status: int | None
    """The HTTP status of the response; null without a response."""
    failure: str | None
    """Why it failed, such as `status` for a status other than 2xx, `not_echoed`, `timed_out`, `no_public_address`,
    `not_connected`, `tls_failed` or `invalid_response`; null if it did not."""


class WebhookEntry(msgspec.Struct, frozen=True):
    """A webhook, without its secret."""

    id: WebhookId
    """The id of the webhook."""
    url: str
    """Where events are sent."""
    events: tuple[str, ...]
    """The types of the events that are sent; empty for all."""
    status: Status
    """`unverified` until the endpoint has echoed a challenge, then `active`; nothing is sent to a `disabled` one."""
    reason: StopReason | None
    """Why it is disabled: it was `failing` for a day, the endpoint answered 410 and is `gone`, or its secret is lost
    (`no_secret`) and has to be rotated. Otherwise null."""
    made: str
    """When it was registered."""
    failures: int
    """How many attempts failed in a row."""
    failing_since: str | None
    """When the first of them was made; null if the latest did not fail."""
    next_attempt: str | None
    """When the next attempt is made after a failure, or the next challenge; null if none is planned."""
    challenge: AttemptView | None
    """The latest challenge; null before the first one."""
    previous_secret_until: str | None
    """Until when messages are also signed with the previous secret; null if the secret was never rotated."""


class MadeWebhook(msgspec.Struct, frozen=True):
    """A webhook with a new secret, which cannot be read again."""

    webhook: WebhookEntry
    """The webhook."""
    secret: str
    """The secret of the Standard Webhooks with which messages are signed."""


class WebhookList(msgspec.Struct, frozen=True):
    """Webhooks, the oldest first."""

    webhooks: tuple[WebhookEntry, ...]
    """The webhooks."""


class DeliveryView(msgspec.Struct, frozen=True):
    """An event that was sent to an endpoint, or could not be."""

    id: str
    """The header `webhook-id` of its messages: the same for every attempt."""
    event: Version
    """The version of the event in its owner's feed, by which it can be sent again."""
    event_type: str
    """The type of the event."""
    attempts: int
    """How many attempts were made."""
    last: AttemptView
    """The latest attempt."""


class WebhookDetails(msgspec.Struct, frozen=True):
    """A webhook with its log."""

    webhook: WebhookEntry
    """The webhook."""
    deliveries: tuple[DeliveryView, ...]
    """The latest 50 events that were sent or failed, the newest first."""
    replays: tuple[Version, ...]
    """The events that wait to be sent again."""


def made_webhook(made: OwnedWebhook) -> MadeWebhook:
    """Return a webhook with its secret."""
    return MadeWebhook(entry_of(made.webhook), made.secret)


def entry_of(webhook: Webhook) -> WebhookEntry:
    """Return a webhook as its owner sees it."""
    return copied(
        WebhookEntry,
        webhook,
        made=rfc3339(webhook.made),
        failing_since=None if webhook.failing_since is None else rfc3339(webhook.failing_since),
        next_attempt=None if webhook.next_attempt is None else rfc3339(webhook.next_attempt),
        challenge=None if webhook.challenge is None else attempt_view(webhook.challenge),
        previous_secret_until=None if webhook.previous is None else rfc3339(webhook.previous_until),
    )


def details_of(webhook: Webhook) -> WebhookDetails:
    """Return a webhook with its log."""
    deliveries = tuple(
        DeliveryView(message_id(webhook, each.event), each.event, each.type, each.attempts, attempt_view(each.last))
        for each in reversed(webhook.log)
    )
    return WebhookDetails(entry_of(webhook), deliveries, webhook.replays)


def attempt_view(attempt: Attempt) -> AttemptView:
    """Return an attempt in its wire form."""
    return AttemptView(rfc3339(attempt.at), attempt.took, attempt.status, attempt.failure)


Action = Literal["added", "changed", "removed", "rotated"]


def count_challenge(call: Call, owner: Player) -> None:
    """Count a call that leads to a challenge by the caller's address. Raises `ServiceError` (`rate_limited`)."""
    if owner.id != OPERATOR:
        call.count(call.context.limits.webhooks)


async def record(call: Call, owner: Player, webhook: Webhook, action: Action) -> None:
    """Record in the audit log what the operator did to a webhook."""
    if owner.id == OPERATOR:
        host = parse_url(webhook.url, allows_http=True).host
        await call.context.audit_log.record(OperatorWebhook("", webhook.id, action, host, by=owner.nickname))


async def add_webhook(call: Call, owner: Player, asked: WebhookRequest) -> MadeWebhook:
    """Register an endpoint for events, and return the secret with which its messages are signed.

    Events are sent after the endpoint has echoed a challenge, which is sent at once. A player can have three webhooks.
    Needs the scope `account`.
    """
    count_challenge(call, owner)
    made = await call.context.webhooks.add(owner.id, asked.url, asked.events)
    await record(call, owner, made.webhook, "added")
    return made_webhook(made)


async def read_webhooks(call: Call, owner: Player) -> WebhookList:
    """List the webhooks, without their secrets. Needs the scope `account`."""
    return WebhookList(tuple(map(entry_of, await call.context.webhooks.of(owner.id))))


async def read_webhook(call: Call, owner: Player, webhook: str) -> WebhookDetails:
    """Return a webhook and the log of its latest deliveries. Needs the scope `account`."""
    return details_of(await call.context.webhooks.find(owner.id, webhook))


async def change_webhook(call: Call, owner: Player, asked: WebhookChange, webhook: str) -> WebhookEntry:
    """Change the URL of a webhook, which then has to be verified, or the types of its events.

    Events before the new URL is verified are sent afterwards. Needs the scope `account`.
    """
    if asked.url is not None:
        count_challenge(call, owner)
    changed = await call.context.webhooks.change(owner.id, webhook, asked.url, asked.events)
    await record(call, owner, changed, "changed")
    return entry_of(changed)


async def remove_webhook(call: Call, owner: Player, webhook: str) -> None:
    """Delete a webhook and its log. Needs the scope `account`."""
    removed = await call.context.webhooks.find(owner.id, webhook)
    await call.context.webhooks.remove(owner.id, webhook)
    await record(call, owner, removed, "removed")


async def rotate_secret(call: Call, owner: Player, webhook: str) -> MadeWebhook:
    """Give a webhook a new secret, and return it. For a day, messages are also signed with the previous one.

    Needs the scope `account`.
    """
    rotated = await call.context.webhooks.rotate(owner.id, webhook)
    await record(call, owner, rotated.webhook, "rotated")
    return made_webhook(rotated)


async def verify_webhook(call: Call, owner: Player, webhook: str) -> WebhookEntry:
    """Send a challenge to the endpoint of a webhook that is unverified or disabled.

    If it is active and waits after a failure, the event that is due is sent again at once instead.
    Once it is active again, it gets all events since its latest one that are still stored. Needs the scope `account`.
    """
    count_challenge(call, owner)
    return entry_of(await call.context.webhooks.verify(owner.id, webhook))


async def replay_delivery(call: Call, owner: Player, webhook: str, event: str) -> WebhookDetails:
    """Send an event again, under the same `webhook-id`, if it is still stored.

    `event` is the version of the event in its owner's feed. One attempt is made. Needs the scope `account`.
    """
    version: Version = parse_number(event, AnyVersion, "event")
    return details_of(await call.context.webhooks.replay(owner.id, webhook, version))


ONE = "/{webhook:str}"


def webhook_routes(
    path: str, limit: str | None, codes: Sequence[str] = (), **more: Any
) -> tuple[HTTPRouteHandler, ...]:
    """Return the routes of webhooks under a path; `codes` are further refusals, `more` says who may use them."""

    def get(place: str, summary: str, answer: Any, *refusals: str) -> Declaration:
        refused = (*codes, *ROOMS_CODES, *refusals)
        return read(f"{path}{place}", summary, answer, refusals=refused, compressed=False, **more)

    def send(
        method: str, place: str, summary: str, answers: dict[int, Any], *refusals: str, **rest: Any
    ) -> Declaration:
        refused = (*codes, *CHANGE_CODES, *refusals)
        return change(method, f"{path}{place}", summary, answers, limit=limit, refusals=refused, **rest, **more)

    unknown = "no_such_webhook"
    added, replayed = {201: MadeWebhook}, {202: WebhookDetails}
    replays = (unknown, "no_such_event", "webhook_not_active", "too_many_replays")
    add = send("POST", "", "Register a webhook", added, "too_many_webhooks", body=WebhookRequest, secret=True)
    alter = send("PATCH", ONE, "Change a webhook", {200: WebhookEntry}, unknown, body=WebhookChange)
    rotate = send("POST", f"{ONE}/rotate", "Rotate a webhook's secret", {200: MadeWebhook}, unknown, secret=True)
    return (
        add(add_webhook),
        get("", "List webhooks", WebhookList)(read_webhooks),
        get(ONE, "Read a webhook", WebhookDetails, unknown)(read_webhook),
        alter(change_webhook),
        send("DELETE", ONE, "Delete a webhook", {204: None}, unknown)(remove_webhook),
        rotate(rotate_secret),
        send("POST", f"{ONE}/verify", "Verify a webhook again", {202: WebhookEntry}, unknown)(verify_webhook),
        send("POST", f"{ONE}/deliveries/{{event:str}}/replay", "Send an event again", replayed, *replays)(
            replay_delivery
        ),
    )


OF_PLAYERS = webhook_routes("/v1/players/me/webhooks", "commands", scope="account", tag="Webhooks")
OF_OPERATOR = webhook_routes("/v1/admin/webhooks", None, OPERATOR_CODES, scope="operator", tag=TAG)
