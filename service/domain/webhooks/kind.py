"""The streams of owners' webhooks: their fold, their summary, and what they deliver to their owners."""

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from service.domain.ids import Millis, PlayerId
from service.domain.players.kind import WebhookDisabled
from service.domain.streams import Outgoing, Record, StreamKind
from service.domain.webhooks import model
from service.domain.webhooks.decide import due
from service.domain.webhooks.model import LOGGED, LoggedDelivery, Webhook, Webhooks


def evolve(state: Webhooks, record: Record) -> Webhooks:
    """Return the state after an event."""
    match record.event:
        case model.WebhookAdded(webhook_id, url, events, secret):
            made = Webhook(webhook_id, url, events, record.time, secret, next_attempt=record.time)
            return replace(state, webhooks={**state.webhooks, webhook_id: made})
        case model.WebhookRemoved(webhook_id):
            left = {each: webhook for each, webhook in state.webhooks.items() if each != webhook_id}
            return replace(state, webhooks=left)
        case model.WebhooksSummarised(webhooks=webhooks):
            return replace(state, webhooks={webhook.id: webhook for webhook in webhooks})
    webhook_id = record.event.webhook  # type: ignore[attr-defined]  # all other events of the stream have it
    changed = evolve_webhook(state.webhooks[webhook_id], record)
    return replace(state, webhooks={**state.webhooks, webhook_id: changed})


def evolve_webhook(webhook: Webhook, record: Record) -> Webhook:  # noqa: C901, PLR0911 - one arm per event
    """Return a webhook after one of its events."""
    match record.event:
        case model.WebhookChanged(_, url, events):
            changed = replace(webhook, url=url, events=events)
            return changed if url == webhook.url else awaiting_challenge(changed, record.time)
        case model.VerificationRequested():
            is_paused = webhook.status == "active"
            return replace(webhook, next_attempt=record.time) if is_paused else awaiting_challenge(webhook, record.time)
        case model.SecretRotated(_, secret, until):
            return replace(webhook, secret=secret, previous=webhook.secret, previous_until=until)
        case model.ReplayRequested(_, event):
            return replace(webhook, replays=(*webhook.replays, event))
        case model.EventsPassed(_, cursor):
            return replace(webhook, cursor=cursor)
        case model.EndpointVerified(_, cursor, attempt):
            return replace(succeeded(webhook), status="active", cursor=cursor, challenge=attempt)
        case model.VerificationFailed(_, attempt, retry_at):
            return replace(failed(webhook, record.time, retry_at), challenge=attempt)
        case model.SendingStopped(_, reason):
            return replace(webhook, status="disabled", reason=reason, next_attempt=None, replays=())
        case model.EventSent(_, event) as sent:
            done = succeeded(logged(webhook, sent))
            return done if sent.replay else replace(done, cursor=event)
        case model.SendingFailed(retry_at=retry_at) as sent:
            tried = logged(webhook, sent)
            return tried if sent.replay else failed(tried, record.time, retry_at)
    raise NotImplementedError(type(record.event))


def logged(webhook: Webhook, sent: model.EventSent | model.SendingFailed) -> Webhook:
    """Return a webhook with one more attempt in its log; a repeated event no longer waits to be repeated."""
    earlier = [each for each in webhook.log if each.event == sent.event]
    others = [each for each in webhook.log if each.event != sent.event]
    entry = LoggedDelivery(sent.event, sent.event_type, 1 + sum(each.attempts for each in earlier), sent.attempt)
    waiting = tuple(each for each in webhook.replays if not sent.replay or each != sent.event)
    return replace(webhook, log=(*others, entry)[-LOGGED:], replays=waiting)


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


def summary(state: Webhooks, until: Millis) -> model.WebhooksSummarised:
    """Return the summary of a state."""
    return model.WebhooksSummarised(until, tuple(state.webhooks.values()))


def deliveries(state: Webhooks, records: Sequence[Record]) -> Iterator[Outgoing]:
    """Yield that a webhook was disabled, for the feed of its owner."""
    for record in records:
        if isinstance(record.event, model.SendingStopped):
            webhook = state.webhooks[record.event.webhook]
            yield Outgoing(state.owner, WebhookDisabled(webhook.id, webhook.url, record.event.reason))
        state = evolve(state, record)


WEBHOOKS: StreamKind[Webhooks] = StreamKind(
    event=model.WebhookEvent,
    start=lambda name: Webhooks(PlayerId(name)),
    evolve=evolve,
    summary=summary,
    due=due,
    deliveries=deliveries,
)
"""The streams of webhooks, one for each owner who has any."""
