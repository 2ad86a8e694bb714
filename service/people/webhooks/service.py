"""The application's only entry to webhooks: owners register them here, and the sender records the results."""

from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from typing import get_args

import msgspec

from service.domain.game import Event, Rejected
from service.domain.ids import DAY, Millis, PlayerId, Version
from service.domain.players.kind import Delivered, ToOperator
from service.domain.room.subjects.privacy import OPERATOR
from service.domain.validation import Invalid
from service.domain.webhooks import decide
from service.domain.webhooks.decide import Sent
from service.domain.webhooks.kind import WEBHOOKS
from service.domain.webhooks.model import (
    Secret,
    StopReason,
    Webhook,
    WebhookAdded,
    WebhookId,
    Webhooks,
)
from service.people.fetching.urls import BadUrl, parse_url
from service.people.player_service import PlayerService
from service.people.webhooks.messages import KeyLostError, SecretKeys
from service.rooms.commands.requests import Environment
from service.store.contract import Store, every
from service.store.stream_keys import WEBHOOKS as WEBHOOKS_STREAMS
from service.store.stream_keys import DueKey, webhooks_key
from service.streams.processor import StreamProcessor
from service.streams.repository import StreamRepository

MOST_WEBHOOKS = 3
"""How many webhooks a player can have."""

MOST_OF_OPERATOR = 10
"""How many webhooks the operator can have."""

CHECKED_AFTER = Millis(DAY)
"""After how long a webhook without events is checked."""

PLAYER_TYPES = tuple(str(kind.__struct_config__.tag) for kind in get_args(Delivered))
"""The types of events that can be sent to a player."""

OPERATOR_TYPES = tuple(str(kind.__struct_config__.tag) for kind in get_args(ToOperator))
"""The types of events that can be sent to the operator."""


class OwnedWebhook(msgspec.Struct, frozen=True):
    """A webhook, and its secret."""

    webhook: Webhook
    secret: str


class WebhookService:
    """The webhooks of a store, as one process serves them."""

    def __init__(
        self,
        store: Store,
        environment: Environment,
        players: PlayerService,
        keys: SecretKeys,
        new_id: Callable[[], WebhookId],
        *,
        allows_http: bool = False,
    ) -> None:
        self.keys = keys
        self.environment = environment
        self.players = players
        self._store = store
        self._new_id = new_id
        self._allows_http = allows_http
        self._repository: StreamRepository[Webhooks] = StreamRepository(store, WEBHOOKS, size=1000)
        self._processor = StreamProcessor(self._repository, environment.now)
        self.now = self.environment.now
        self.extend_claim = self._store.worker_store.extend_claim
        """Changes the end of a claim from `held` to `until`; returns False if the claim was lost."""
        self.close = self._processor.close

    # Owners

    async def add(self, owner: PlayerId, url: str, events: tuple[str, ...]) -> OwnedWebhook:
        """Register a webhook, and return it with its secret. Raises `Rejected` and `Invalid`."""
        checked_url, checked_events = self._checked_url(url), checked_types(owner, events)
        added = WebhookAdded(self._new_id(), checked_url, checked_events, Secret(1, self.keys.current))
        most = MOST_OF_OPERATOR if owner == OPERATOR else MOST_WEBHOOKS
        await self._execute(owner, lambda state, _: decide.add(state, added, most))
        return await self._with_secret(owner, added.webhook)

    async def of(self, owner: PlayerId) -> list[Webhook]:
        """Return the webhooks of an owner, in the order in which they were registered."""
        return list((await self.state(owner)).webhooks.values())

    async def find(self, owner: PlayerId, webhook: WebhookId) -> Webhook:
        """Return a webhook of an owner. Raises `Rejected`."""
        return decide.find(await self.state(owner), webhook)

    async def change(
        self, owner: PlayerId, webhook: WebhookId, url: str | None, events: tuple[str, ...] | None
    ) -> Webhook:
        """Change the given fields, and return it. A new URL has to be verified. Raises `Rejected` and `Invalid`."""
        checked_url = None if url is None else self._checked_url(url)
        checked_events = None if events is None else checked_types(owner, events)
        await self._execute(owner, lambda state, _: decide.change(state, webhook, checked_url, checked_events))
        return await self.find(owner, webhook)

    async def remove(self, owner: PlayerId, webhook: WebhookId) -> None:
        """Delete a webhook. Raises `Rejected`."""
        await self._execute(owner, lambda state, _: decide.remove(state, webhook))

    async def delete_all(self, owner: PlayerId) -> None:
        """Delete all webhooks of an owner, and all stored data about earlier ones."""
        for webhook in await self.of(owner):
            with suppress(Rejected):  # it was deleted meanwhile
                await self.remove(owner, webhook.id)
        await self._processor.discard(webhooks_key(owner))

    async def rotate(self, owner: PlayerId, webhook: WebhookId) -> OwnedWebhook:
        """Give a webhook a new secret, and return it; the previous one also signs for a day. Raises `Rejected`."""
        await self._execute(owner, lambda state, now: decide.rotate(state, webhook, self.keys.current, now))
        return await self._with_secret(owner, webhook)

    async def verify(self, owner: PlayerId, webhook: WebhookId) -> Webhook:
        """Have the endpoint of a webhook verified again, and return the webhook. Raises `Rejected`."""
        await self._execute(owner, lambda state, _: decide.verify(state, webhook))
        return await self.find(owner, webhook)

    async def replay(self, owner: PlayerId, webhook: WebhookId, event: Version) -> Webhook:
        """Have an event sent again, and return the webhook. Raises `Rejected`, also if it is no longer stored."""
        decide.find(await self.state(owner), webhook)
        if not await self.players.event(owner, event):
            raise Rejected("no_such_event")
        await self._execute(owner, lambda state, _: decide.replay(state, webhook, event))
        return await self.find(owner, webhook)

    async def _with_secret(self, owner: PlayerId, webhook: WebhookId) -> OwnedWebhook:
        found = await self.find(owner, webhook)
        return OwnedWebhook(found, self.keys.secret(owner, webhook, found.secret))

    async def _execute(self, owner: PlayerId, decision: Callable[[Webhooks, Millis], list[Event]]) -> None:
        await self._processor.decide(webhooks_key(owner), decision)

    def _checked_url(self, url: str) -> str:
        try:
            parse_url(url, allows_http=self._allows_http)
        except BadUrl as bad:
            raise Invalid(str(bad), "/url") from None
        return url

    # The sender

    async def state(self, owner: PlayerId) -> Webhooks:
        """Return the webhooks of an owner."""
        return (await self._repository.current(webhooks_key(owner))).state

    def secrets(self, owner: PlayerId, webhook: Webhook, now: Millis) -> list[str]:
        """Return the secrets that sign: for a day after a rotation also the previous one. Raises `KeyLostError`."""
        secrets = [self.keys.secret(owner, webhook.id, webhook.secret)]
        if webhook.previous is not None and webhook.previous_until > now:
            with suppress(KeyLostError):
                secrets.append(self.keys.secret(owner, webhook.id, webhook.previous))
        return secrets

    async def record(self, owner: PlayerId, sent: Sent, *, challenge: bool = False) -> None:
        """Record what an endpoint answered to an event, or to a challenge. The sender has claimed the webhooks."""
        jitter = self.environment.seed()[0] / 255
        result = decide.challenged if challenge else decide.answered
        await self._record(owner, lambda state, _: result(state, sent, jitter))

    async def pass_to(self, owner: PlayerId, webhook: WebhookId, cursor: Version) -> None:
        """Let a webhook continue after a version. The sender has claimed the webhooks."""
        await self._record(owner, lambda state, _: decide.pass_to(state, webhook, cursor))

    async def stop(self, owner: PlayerId, webhook: WebhookId, reason: StopReason) -> None:
        """Send nothing more to a webhook. The sender has claimed the webhooks."""
        await self._record(owner, lambda state, _: decide.stop(state, webhook, reason))

    async def _record(self, owner: PlayerId, decision: Callable[[Webhooks, Millis], list[Event]]) -> None:
        await self._processor.decide(webhooks_key(owner), decision, is_claimed=True)

    async def read_turns(self, owner: PlayerId | None = None) -> None:
        """Have the turns of an owner stored, or of all, for longer than until their webhooks are checked.

        Raises `StoreFailed` and `ServiceError`.
        """
        keys = await every(partial(self._store.admin_store.streams, WEBHOOKS_STREAMS)) if owner is None else ()
        for each in (owner,) if owner else (PlayerId(key.id) for key in keys):
            state = await self.state(each)
            if any(webhook.status != "disabled" for webhook in state.webhooks.values()):
                await self.players.read_turns(each, Millis(self.now() + 2 * CHECKED_AFTER))

    async def settle(
        self, owner: PlayerId, served: Mapping[WebhookId, Webhook], seen_of_owner: Version, due: Millis | None
    ) -> None:
        """End a claim: set when the webhooks are due again, at once if they or their owner have newer events.

        `served` are the webhooks as the sender left them; if they have changed since, or there are others, they are
        due. Active webhooks are also due after a day without events. Events that are too old are deleted.
        """
        key = webhooks_key(owner)
        expires = await self._processor.expire(key)
        stream = await self._repository.get(key)
        checked = Millis(self.environment.now() + CHECKED_AFTER) if stream.state.is_active else None
        changed = None if stream.state.webhooks == served else Millis(0)
        times = [moment for moment in (due, expires, checked, changed) if moment is not None]
        await self._store.settle_webhooks(key, stream.head.version, seen_of_owner, min(times, default=None))

    # Run

    async def claim_due(self, now: Millis, lease: Millis, limit: int) -> list[DueKey]:
        """Claim and return webhooks that are due, which are hidden from other senders for the time of the lease."""
        return await self._store.claim_due(now, lease, limit, webhooks=True)


def checked_types(owner: PlayerId, events: tuple[str, ...]) -> tuple[str, ...]:
    """Return the types of events without repetitions. Raises `Invalid` for an unknown one."""
    known = OPERATOR_TYPES if owner == OPERATOR else PLAYER_TYPES
    for number, event_type in enumerate(events):
        if event_type not in known:
            raise Invalid(f"Unknown type of event; expected one of {', '.join(known)}", f"/events/{number}")
    return tuple(dict.fromkeys(events))
