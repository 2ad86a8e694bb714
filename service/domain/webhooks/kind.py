"""The streams of owners' webhooks: their fold, their summary, and what they deliver to their owners."""

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from service.domain.ids import Millis, PlayerId
from service.domain.players.kind import WebhookDisabled
from service.domain.streams import Outgoing, Record, StreamKind
from service.domain.webhooks.decide import due
from service.domain.webhooks.model import (
    LOGGED,
    EndpointVerified,
    EventSent,
    EventsPassed,
    LoggedDelivery,
    ReplayRequested,
    SecretRotated,
    SendingFailed,
    SendingStopped,
    VerificationFailed,
    VerificationRequested,
    Webhook,
    WebhookAdded,
    WebhookChanged,
    WebhookEvent,
    WebhookRemoved,
    Webhooks,
    WebhooksSummarised,
)


def evolve(state: Webhooks, record: Record) -> Webhooks:
    """Return the state after an event."""
    match record.event:
        case WebhookAdded(webhook_id, url, events, secret):
            made = Webhook(webhook_id, url, events, record.time, secret, next_attempt=record.time)
            return replace(state, webhooks={**state.webhooks, webhook_id: made})
        case WebhookRemoved(webhook_id):
            left = {each: webhook for each, webhook in state.webhooks.items() if each != webhook_id}
            return replace(state, webhooks=left)
        case WebhooksSummarised(webhooks=webhooks):
            return replace(state, webhooks={webhook.id: webhook for webhook in webhooks})
    webhook_id = record.event.webhook  # type: ignore[attr-defined]  # all other events of the stream have it
    changed = evolve_webhook(state.webhooks[webhook_id], record)
    return replace(state, webhooks={**state.webhooks, webhook_id: changed})


def evolve_webhook(webhook: Webhook, record: Record) -> Webhook:
    """Return a webhook after one of its events."""
    match record.event:
        case EventSent() | SendingFailed():
            return evolve_sending(webhook, record)
        case EndpointVerified() | VerificationFailed() | SendingStopped():
            return evolve_status(webhook, record)
        case WebhookChanged(_, url, events):
            changed = replace(webhook, url=url, events=events)
            return changed if url == webhook.url else awaiting_challenge(changed, record.time)
        case VerificationRequested():
            is_paused = webhook.status == "active"
            return replace(webhook, next_attempt=record.time) if is_paused else awaiting_challenge(webhook, record.time)
    return evolve_details(webhook, record)


def evolve_details(webhook: Webhook, record: Record) -> Webhook:
    """Return a webhook after an event that changes one of its parts."""
    match record.event:
        case SecretRotated(_, secret, until):
            return replace(webhook, secret=secret, previous=webhook.secret, previous_until=until)
        case ReplayRequested(_, event):
            return replace(webhook, replays=(*webhook.replays, event))
        case EventsPassed(_, cursor):
            return replace(webhook, cursor=cursor)
    raise NotImplementedError(type(record.event))


def evolve_status(webhook: Webhook, record: Record) -> Webhook:
    """Return a webhook after an event that decides whether events are sent."""
    match record.event:
        case EndpointVerified(_, cursor, attempt):
            return replace(succeeded(webhook), status="active", cursor=cursor, challenge=attempt)
        case VerificationFailed(_, attempt, retry_at):
            return replace(failed(webhook, record.time, retry_at), challenge=attempt)
        case SendingStopped(_, reason):
            return replace(webhook, status="disabled", reason=reason, next_attempt=None, replays=())
    raise NotImplementedError(type(record.event))


def evolve_sending(webhook: Webhook, record: Record) -> Webhook:
    """Return a webhook after an attempt to send it an event."""
    match record.event:
        case EventSent(_, event, event_type, attempt, replay) | SendingFailed(_, event, event_type, attempt, _, replay):
            earlier = [each for each in webhook.log if each.event == event]
            entry = LoggedDelivery(event, event_type, 1 + sum(each.attempts for each in earlier), attempt)
            others = [each for each in webhook.log if each.event != event]
            webhook = replace(webhook, log=(*others, entry)[-LOGGED:])
            if replay:
                left = replace(webhook, replays=tuple(each for each in webhook.replays if each != event))
                return succeeded(left) if attempt.failure is None else left
    match record.event:
        case EventSent(_, event):
            return replace(succeeded(webhook), cursor=event)
        case SendingFailed(retry_at=retry_at):
            return failed(webhook, record.time, retry_at)
    raise NotImplementedError(type(record.event))


def awaiting_challenge(webhook: Webhook, now: Millis) -> Webhook:
    """Return a webhook whose endpoint has to echo a challenge."""
    return replace(succeeded(webhook), status="unverified", reason=None, next_attempt=now, replays=())


def succeeded(webhook: Webhook) -> Webhook:
    """Return a webhook without failures."""
    return replace(webhook, failures=0, failing_since=None, next_attempt=None)


def failed(webhook: Webhook, now: Millis, retry_at: Millis | None) -> Webhook:
    """Return a webhook after one more failure."""
    since = now if webhook.failing_since is None else webhook.failing_since
    return replace(webhook, failures=webhook.failures + 1, failing_since=since, next_attempt=retry_at)


def summary(state: Webhooks, until: Millis) -> WebhooksSummarised:
    """Return the summary of a state."""
    return WebhooksSummarised(until, tuple(state.webhooks.values()))


def deliveries(state: Webhooks, records: Sequence[Record]) -> Iterator[Outgoing]:
    """Yield that a webhook was disabled, for the feed of its owner."""
    for record in records:
        if isinstance(record.event, SendingStopped):
            webhook = state.webhooks[record.event.webhook]
            yield Outgoing(state.owner, WebhookDisabled(webhook.id, webhook.url, record.event.reason))
        state = evolve(state, record)


WEBHOOKS: StreamKind[Webhooks] = StreamKind(
    event=WebhookEvent,
    start=lambda name: Webhooks(PlayerId(name)),
    evolve=evolve,
    summary=summary,
    due=due,
    deliveries=deliveries,
)
"""The streams of webhooks, one for each owner who has any."""
