"""The streams of webhooks: their fold, their summary, and what they deliver to their owners."""

from collections.abc import Iterator, Sequence

from service.domain.ids import Millis, PlayerId
from service.domain.players.events import WebhookDisabled
from service.domain.streams import Outgoing, Record, StreamKind
from service.domain.webhooks.decide import due
from service.domain.webhooks.evolve import evolve
from service.domain.webhooks.model import SendingStopped, WebhookEvent, Webhooks, WebhooksSummarised


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
