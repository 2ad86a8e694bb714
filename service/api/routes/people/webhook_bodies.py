"""The bodies of the routes of webhooks."""

from typing import Annotated

import msgspec

from service.domain.ids import Version
from service.domain.timestamps import rfc3339
from service.domain.webhooks.model import Attempt, LoggedDelivery, Status, StopReason, Webhook, WebhookId
from service.people.fetching.urls import LONGEST_URL
from service.people.webhooks.messages import message_id
from service.people.webhooks.service import OwnedWebhook

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
    return WebhookEntry(
        id=webhook.id,
        url=webhook.url,
        events=webhook.events,
        status=webhook.status,
        reason=webhook.reason,
        made=rfc3339(webhook.made),
        failures=webhook.failures,
        failing_since=None if webhook.failing_since is None else rfc3339(webhook.failing_since),
        next_attempt=None if webhook.next_attempt is None else rfc3339(webhook.next_attempt),
        challenge=None if webhook.challenge is None else attempt_view(webhook.challenge),
        previous_secret_until=None if webhook.previous is None else rfc3339(webhook.previous_until),
    )


def details_of(webhook: Webhook) -> WebhookDetails:
    """Return a webhook with its log."""
    deliveries = tuple(delivery_view(webhook, each) for each in reversed(webhook.log))
    return WebhookDetails(entry_of(webhook), deliveries, webhook.replays)


def delivery_view(webhook: Webhook, logged: LoggedDelivery) -> DeliveryView:
    """Return an entry of the log."""
    last = attempt_view(logged.last)
    return DeliveryView(message_id(webhook, logged.event), logged.event, logged.type, logged.attempts, last)


def attempt_view(attempt: Attempt) -> AttemptView:
    """Return an attempt in its wire form."""
    return AttemptView(rfc3339(attempt.at), attempt.took, attempt.status, attempt.failure)
