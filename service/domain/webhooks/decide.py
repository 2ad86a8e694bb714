"""The decisions about webhooks: pure functions of the state and an owner's request or an endpoint's answer."""

import msgspec

from service.domain.game import Event, Rejected
from service.domain.ids import DAY, Millis, Version
from service.domain.webhooks import model
from service.domain.webhooks.model import Attempt, Secret, StopReason, Webhook, WebhookId, Webhooks

MOST_REPLAYS = 10
"""How many events of a webhook can wait to be sent again."""

ROTATION = Millis(DAY)
"""How long the secret before the latest rotation also signs."""

FAILS_FOR = Millis(DAY)
"""After how much time without success nothing more is sent."""

PAUSES = (5, 30, 120, 600, 1800, 3600, 7200, 14_400)
"""Seconds between attempts; the last pause repeats."""

CHALLENGE_PAUSES = (10, 60)
"""Seconds between challenges; after them the owner has to ask for another one."""

JITTER = 0.2
"""By what part of itself a pause can be longer, so that endpoints of one host are not tried at the same moment."""

GONE = 410
"""The status by which an endpoint declines all further events."""


class Sent(msgspec.Struct, frozen=True):
    """An event that was sent, and its outcome."""

    webhook: WebhookId
    url: str
    """Where it was sent."""
    event: Version
    event_type: str
    attempt: Attempt
    replay: bool = False


def find(state: Webhooks, webhook: WebhookId) -> Webhook:
    """Return a webhook of an owner. Raises `Rejected`."""
    if webhook not in state.webhooks:
        raise Rejected("no_such_webhook")
    return state.webhooks[webhook]


# What owners ask


def add(state: Webhooks, added: model.WebhookAdded, most: int) -> list[Event]:
    """Register a webhook, of which an owner can have `most`. Raises `Rejected`."""
    if len(state.webhooks) >= most:
        raise Rejected("too_many_webhooks", most=most)
    return [added]


def change(state: Webhooks, webhook: WebhookId, url: str | None, events: tuple[str, ...] | None) -> list[Event]:
    """Change the given fields; a new URL has to be verified. Raises `Rejected`."""
    known = find(state, webhook)
    changed = model.WebhookChanged(webhook, url or known.url, known.events if events is None else events)
    return [] if (changed.url, changed.events) == (known.url, known.events) else [changed]


def remove(state: Webhooks, webhook: WebhookId) -> list[Event]:
    """Delete a webhook. Raises `Rejected`."""
    return [model.WebhookRemoved(find(state, webhook).id)]


def rotate(state: Webhooks, webhook: WebhookId, key: str, now: Millis) -> list[Event]:
    """Give a webhook a new secret, derived from this key of the installation. Raises `Rejected`."""
    secret = Secret(find(state, webhook).secret.generation + 1, key)
    return [model.SecretRotated(webhook, secret, Millis(now + ROTATION))]


def verify(state: Webhooks, webhook: WebhookId) -> list[Event]:
    """Have an endpoint verified again, or, if it is active and in a pause after a failure, tried again at once.

    Does nothing if events are being sent to it. Raises `Rejected`.
    """
    known = find(state, webhook)
    return [] if known.status == "active" and not known.failures else [model.VerificationRequested(webhook)]


def replay(state: Webhooks, webhook: WebhookId, event: Version) -> list[Event]:
    """Send an event again; does nothing if it already waits for that. Raises `Rejected`."""
    known = find(state, webhook)
    if known.status != "active":
        raise Rejected("webhook_not_active")
    if event in known.replays:
        return []
    if len(known.replays) >= MOST_REPLAYS:
        raise Rejected("too_many_replays", most=MOST_REPLAYS)
    return [model.ReplayRequested(webhook, event)]


# What endpoints answered


def challenged(state: Webhooks, sent: Sent, jitter: float) -> list[Event]:
    """Record what an endpoint answered to a challenge; `sent.event` is the latest event of its owner.

    Nothing if the webhook changed meanwhile. `jitter` is a random number from 0 to 1.
    """
    webhook = state.webhooks.get(sent.webhook)
    if webhook is None or webhook.status != "unverified" or webhook.url != sent.url:
        return []
    if sent.attempt.failure is None:
        cursor = sent.event if webhook.cursor is None else min(webhook.cursor, sent.event)
        return [model.EndpointVerified(webhook.id, cursor, sent.attempt)]
    has_more = webhook.failures < len(CHALLENGE_PAUSES)
    retry = after(sent.attempt.at, CHALLENGE_PAUSES[webhook.failures], jitter) if has_more else None
    return [model.VerificationFailed(webhook.id, sent.attempt, retry)]


def answered(state: Webhooks, sent: Sent, jitter: float) -> list[Event]:
    """Record what an endpoint answered to an event. Nothing if that is outdated. `jitter` is as in `challenged`."""
    webhook = state.webhooks.get(sent.webhook)
    if webhook is None or webhook.status != "active" or webhook.url != sent.url or is_recorded(webhook, sent):
        return []
    if sent.attempt.failure is None:
        return [model.EventSent(webhook.id, sent.event, sent.event_type, sent.attempt, sent.replay)]
    reason, retry_at = what_follows(webhook, sent, jitter)
    failed = model.SendingFailed(webhook.id, sent.event, sent.event_type, sent.attempt, retry_at, sent.replay)
    return [failed, model.SendingStopped(webhook.id, reason)] if reason else [failed]


def is_recorded(webhook: Webhook, sent: Sent) -> bool:
    """Return whether an event was sent already, by another process."""
    if sent.replay:
        return sent.event not in webhook.replays
    return webhook.cursor is None or webhook.cursor >= sent.event


def what_follows(webhook: Webhook, sent: Sent, jitter: float) -> tuple[StopReason | None, Millis | None]:
    """Return why nothing more is sent after a failure, and when it is tried again; either can be None."""
    if sent.attempt.status == GONE:
        return "gone", None
    if sent.replay:
        return None, None
    at = sent.attempt.at
    give_up = Millis((at if webhook.failing_since is None else webhook.failing_since) + FAILS_FOR)
    if at >= give_up:
        return "failing", None
    return None, min(give_up, after(at, PAUSES[min(webhook.failures, len(PAUSES) - 1)], jitter))


def after(moment: Millis, seconds: int, jitter: float) -> Millis:
    """Return the time after a pause that is up to a fifth longer."""
    return Millis(moment + round(seconds * 1000 * (1 + JITTER * jitter)))


def stop(state: Webhooks, webhook: WebhookId, reason: StopReason) -> list[Event]:
    """Send nothing more to a webhook; does nothing if it is already disabled."""
    known = state.webhooks.get(webhook)
    return [] if known is None or known.status == "disabled" else [model.SendingStopped(webhook, reason)]


def pass_to(state: Webhooks, webhook: WebhookId, cursor: Version) -> list[Event]:
    """Continue after a version, because no earlier event is wanted or still stored."""
    known = state.webhooks.get(webhook)
    is_outdated = known is None or known.status != "active" or known.cursor == cursor
    return [] if is_outdated else [model.EventsPassed(webhook, cursor)]


def due(state: Webhooks) -> Millis | None:
    """Return when a request has to be made next; 0 if any webhook is active, as there may be events for it."""
    times = [time for webhook in state.webhooks.values() if (time := webhook.due) is not None]
    return min(times, default=None)
