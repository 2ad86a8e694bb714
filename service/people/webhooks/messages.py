"""What is sent to endpoints: the body, and the headers of the Standard Webhooks with its signatures.

The secrets are derived from the installation's signing key, so that none of them is stored.
"""

import base64
import hashlib
import hmac
from collections.abc import Sequence
from datetime import UTC, datetime

import msgspec
from standardwebhooks import Webhook as Signer

from service.domain.ids import Millis, PlayerId, Version, rfc3339
from service.domain.streams import Record
from service.domain.webhooks.model import Secret, Webhook, WebhookId
from service.people.player_service import record_json


class KeyLostError(Exception):
    """The key from which a secret is derived is no longer in the settings."""


class SecretKeys:
    """The keys of this purpose, one for each signing key in the settings."""

    def __init__(self, keys: Sequence[bytes]) -> None:
        self._keys = {name_of(key): key for key in keys}
        self.current = name_of(keys[0])
        """The name of the first key."""

    def secret(self, owner: PlayerId, webhook: WebhookId, secret: Secret) -> str:
        """Return a secret in the form of the Standard Webhooks. Raises `KeyLostError`."""
        key = self._keys.get(secret.key)
        if key is None:
            raise KeyLostError(secret.key)
        material = f"{owner}/{webhook}/{secret.generation}".encode()
        return "whsec_" + base64.b64encode(hmac.digest(key, material, hashlib.sha256)).decode()


def name_of(key: bytes) -> str:
    """Return a name for a key, from which the key cannot be found."""
    return hashlib.blake2b(key, digest_size=6, person=b"name").hexdigest()


CHALLENGE = "webhook_challenge"
"""The type of the message that an endpoint has to echo."""

WANTED = msgspec.json.Decoder(dict[str, object])


class EndpointChallenge(msgspec.Struct, frozen=True):
    """A text that a new endpoint has to send back, unchanged or as `{"challenge": ...}`, before it gets events."""

    challenge: str
    """The text."""


class Message(msgspec.Struct, frozen=True):
    """A message for an endpoint."""

    id: str
    """The same for every attempt to send it."""
    type: str
    body: bytes


def event_message(webhook: Webhook, record: Record) -> Message:
    """Return the message of an event, which has the event as in the owner's feed."""
    event_type = type_of(record)
    start = msgspec.json.encode({"type": event_type, "timestamp": rfc3339(record.time)})
    return Message(
        message_id(webhook, record.version), event_type, start[:-1] + b',"data":' + record_json(record) + b"}"
    )


def challenge_message(webhook: WebhookId, challenge: str, now: Millis) -> Message:
    """Return the message of a challenge."""
    body = {"type": CHALLENGE, "timestamp": rfc3339(now), "data": EndpointChallenge(challenge)}
    return Message(f"{webhook}-{now}", CHALLENGE, msgspec.json.encode(body))


def message_id(webhook: Webhook, version: Version) -> str:
    """Return the id of the message of an event: a restore, which gives events new versions, changes it."""
    return f"{webhook.id}-{webhook.numbered}-{version}" if webhook.numbered else f"{webhook.id}-{version}"


def type_of(record: Record) -> str:
    """Return the type of an event as clients see it."""
    return str(record.event.__struct_config__.tag)


def headers_of(message: Message, secrets: Sequence[str], seconds: float) -> dict[str, str]:
    """Return the headers of a message that is sent at a time in seconds since 1970, signed with all secrets."""
    at = datetime.fromtimestamp(int(seconds), UTC)
    signatures = [Signer(secret).sign(message.id, at, message.body.decode()) for secret in secrets]
    return {
        "Content-Type": "application/json",
        "webhook-id": message.id,
        "webhook-timestamp": str(int(seconds)),
        "webhook-signature": " ".join(signatures),
    }


def is_echo(body: bytes, challenge: str) -> bool:
    """Return whether a response is the challenge: as plain text, or in a JSON object as `challenge`."""
    try:
        found = WANTED.decode(body).get("challenge")
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        found = body.decode(errors="replace").strip()
    return isinstance(found, str) and hmac.compare_digest(found.encode(), challenge.encode())
