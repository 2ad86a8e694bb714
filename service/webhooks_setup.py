"""Webhooks and what sends to them, built from the settings."""

import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.metadata import version
from ipaddress import ip_network

from service.derived_keys import derive_key
from service.environment import SystemEnvironment, new_webhook
from service.fetching.fetcher import Fetcher, FetchPolicy
from service.players.service import PlayerService
from service.settings import Settings
from service.store.contract import Store
from service.webhooks.secret_keys import SecretKeys
from service.webhooks.sender import WebhookSender
from service.webhooks.service import WebhookService


def webhooks_of(
    settings: Settings, store: Store, environment: SystemEnvironment, players: PlayerService
) -> WebhookService:
    """Return the webhooks of a store."""
    keys = SecretKeys([derive_key(key, "webhooks") for key in settings.keys])
    return WebhookService(store, environment, players, keys, new_webhook, allows_http=settings.webhook_http)


@asynccontextmanager
async def sender_of(settings: Settings, webhooks: WebhookService) -> AsyncIterator[WebhookSender]:
    """Yield what sends to webhooks, to the addresses that the settings allow."""
    networks = tuple(ip_network(network, strict=False) for network in settings.webhook_networks)
    fetcher = Fetcher(FetchPolicy(settings.webhook_http, networks), f"Turnstream/{version('turnstream')}")
    try:
        yield WebhookSender(webhooks, fetcher, time.time)
    finally:
        await fetcher.close()
