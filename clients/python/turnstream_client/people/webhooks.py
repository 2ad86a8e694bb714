"""Webhooks: endpoints to which the player's events are sent."""

from urllib.parse import quote

from turnstream_client.requests import Requests
from turnstream_client.schema import (
    MadeWebhook,
    WebhookChange,
    WebhookDetails,
    WebhookEntry,
    WebhookList,
    WebhookRequest,
)

WEBHOOKS = "/v1/players/me/webhooks"


class Webhooks:
    """`client.webhooks`. Every method raises `RefusedError` and `UnreachableError`."""

    def __init__(self, requests: Requests) -> None:
        """Send requests as this player; `Client` does this."""
        self._requests = requests

    async def make(self, request: WebhookRequest) -> MadeWebhook:
        """Register an endpoint, such as `WebhookRequest("https://bot.example/in")`. Its secret is shown once."""
        made: MadeWebhook = await self._requests.post_without_key(WEBHOOKS, request, MadeWebhook)
        return made

    async def list(self) -> WebhookList:
        """Return the player's webhooks, the oldest first."""
        found: WebhookList = await self._requests.get(WEBHOOKS, WebhookList)
        return found

    async def details(self, webhook: str) -> WebhookDetails:
        """Return a webhook with its latest deliveries."""
        found: WebhookDetails = await self._requests.get(path_of(webhook), WebhookDetails)
        return found

    async def change(self, webhook: str, change: WebhookChange) -> WebhookEntry:
        """Change the events or the URL, which then has to be verified."""
        changed: WebhookEntry = await self._requests.patch(path_of(webhook), change, WebhookEntry)
        return changed

    async def rotate(self, webhook: str) -> MadeWebhook:
        """Create a new secret; for a day, messages are also signed with the previous one."""
        made: MadeWebhook = await self._requests.post_without_key(f"{path_of(webhook)}/rotate", {}, MadeWebhook)
        return made

    async def verify(self, webhook: str) -> WebhookEntry:
        """Send the endpoint another challenge. When it echoes that, it gets the events that it has missed."""
        found: WebhookEntry = await self._requests.post(f"{path_of(webhook)}/verify", {}, WebhookEntry)
        return found

    async def replay(self, webhook: str, event: int) -> WebhookDetails:
        """Send an event again, once, by the number in its delivery."""
        path = f"{path_of(webhook)}/deliveries/{event}/replay"
        found: WebhookDetails = await self._requests.post(path, {}, WebhookDetails)
        return found

    async def delete(self, webhook: str) -> None:
        """Delete a webhook."""
        await self._requests.delete(path_of(webhook))


def path_of(webhook: str) -> str:
    """Return the path of a webhook."""
    return f"{WEBHOOKS}/{quote(webhook, safe='')}"
