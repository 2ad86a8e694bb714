"""Webhooks, the events of an owner's stream of webhooks, and its state."""

from typing import Annotated, Literal

import msgspec

from service.domain.game import Event
from service.domain.ids import Millis, PlayerId, Version
from service.domain.streams import Summary

WebhookId = Annotated[str, msgspec.Meta(max_length=40)]

LOGGED = 50
"""How many deliveries of a webhook are logged, the latest ones."""

Status = Literal["unverified", "active", "disabled"]
StopReason = Literal["failing", "gone", "no_secret"]
"""It failed for a day; the endpoint answered 410; the signing key of its secret is no longer in the settings."""


class Secret(msgspec.Struct, frozen=True):
    """What a secret is derived from; the secret itself is not stored."""

    generation: int
    """How often it was rotated, from 1."""
    key: str
    """Which of the installation's keys it is derived from."""


class Attempt(msgspec.Struct, frozen=True):
    """A request to an endpoint, and its outcome."""

    at: Millis
    took: Millis
    """How many milliseconds it took."""
    status: int | None = None
    """The status of the response; None without a response."""
    failure: str | None = None
    """Why it failed; None for a delivery."""


class LoggedDelivery(msgspec.Struct, frozen=True):
    """What is logged of an event that was sent, or could not be."""

    event: Version
    """The version of the event in its owner's stream."""
    type: str
    """The type of the event."""
    attempts: int
    last: Attempt
    """The latest attempt."""


class Webhook(msgspec.Struct, frozen=True):
    """An endpoint to which an owner wants events to be sent."""

    id: WebhookId
    url: str
    events: tuple[str, ...]
    """The types of the events that are sent; empty for all."""
    made: Millis
    secret: Secret
    previous: Secret | None = None
    """The secret before the latest rotation, which also signs until `previous_until`."""
    previous_until: Millis = Millis(0)
    status: Status = "unverified"
    reason: StopReason | None = None
    """Why it is disabled."""
    cursor: Version | None = None
    """The version of the owner's stream up to which every wanted event was sent; None until it was verified."""
    failures: int = 0
    """How many attempts failed in a row."""
    failing_since: Millis | None = None
    """When the first of them was made."""
    next_attempt: Millis | None = None
    """When the next attempt is made: of a challenge, or of an event after a failure."""
    challenge: Attempt | None = None
    """The latest challenge."""
    log: tuple[LoggedDelivery, ...] = ()
    """The latest deliveries, the oldest first."""
    replays: tuple[Version, ...] = ()
    """Events that the owner wants to be sent again."""
    numbered: Millis = Millis(0)
    """When the owner's events got new versions, by a restore; 0 if they never did."""

    def wants(self, event_type: str) -> bool:
        """Return whether events of a type are sent."""
        return not self.events or event_type in self.events

    @property
    def due(self) -> Millis | None:
        """When a request has to be made; 0 for one that is active, as soon as there is an event."""
        if self.status == "disabled":
            return None
        if self.status == "unverified":
            return self.next_attempt
        return Millis(0) if self.replays else self.next_attempt or Millis(0)


class WebhookAdded(Event, frozen=True):
    """A webhook was registered."""

    webhook: WebhookId
    url: str
    events: tuple[str, ...]
    secret: Secret


class WebhookChanged(Event, frozen=True):
    """A webhook got a new URL, which has to be verified, or other types of events."""

    webhook: WebhookId
    url: str
    events: tuple[str, ...]


class WebhookRemoved(Event, frozen=True):
    """A webhook was deleted."""

    webhook: WebhookId


class SecretRotated(Event, frozen=True):
    """A webhook got a new secret; the previous one also signs for a while."""

    webhook: WebhookId
    secret: Secret
    previous_until: Millis


class VerificationRequested(Event, frozen=True):
    """The owner wants the endpoint to be verified again; an active one is tried again at once."""

    webhook: WebhookId


class EndpointVerified(Event, frozen=True):
    """The endpoint echoed its challenge; events are sent from now on."""

    webhook: WebhookId
    cursor: Version
    attempt: Attempt


class VerificationFailed(Event, frozen=True):
    """The endpoint did not echo its challenge."""

    webhook: WebhookId
    attempt: Attempt
    retry_at: Millis | None
    """When it gets another challenge; None if only its owner can ask for one."""


class EventSent(Event, frozen=True):
    """The endpoint accepted an event."""

    webhook: WebhookId
    event: Version
    event_type: str
    attempt: Attempt
    replay: bool = False


class SendingFailed(Event, frozen=True):
    """The endpoint did not accept an event."""

    webhook: WebhookId
    event: Version
    event_type: str
    attempt: Attempt
    retry_at: Millis | None
    """When it is sent again; None if it is not."""
    replay: bool = False


class EventsPassed(Event, frozen=True):
    """The webhook continues after this version: earlier events are not wanted, or no longer stored."""

    webhook: WebhookId
    cursor: Version


class SendingStopped(Event, frozen=True):
    """Nothing is sent to a webhook until its owner has it verified again."""

    webhook: WebhookId
    reason: StopReason


class ReplayRequested(Event, frozen=True):
    """The owner wants an event to be sent again."""

    webhook: WebhookId
    event: Version


class WebhooksSummarised(Summary, frozen=True):
    """The state of the stream at this point, so that everything before can be deleted."""

    webhooks: tuple[Webhook, ...]


WebhookEvent = (
    WebhookAdded
    | WebhookChanged
    | WebhookRemoved
    | SecretRotated
    | VerificationRequested
    | EndpointVerified
    | VerificationFailed
    | EventSent
    | SendingFailed
    | EventsPassed
    | SendingStopped
    | ReplayRequested
    | WebhooksSummarised
)
"""Every event of an owner's stream of webhooks."""


class Webhooks(msgspec.Struct, frozen=True):
    """All webhooks of an owner."""

    owner: PlayerId
    webhooks: dict[WebhookId, Webhook] = {}
    """In the order in which they were registered."""

    @property
    def is_active(self) -> bool:
        """Whether events are sent to any of them."""
        return any(webhook.status == "active" for webhook in self.webhooks.values())
