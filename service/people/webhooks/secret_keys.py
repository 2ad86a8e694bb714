"""The secrets of webhooks. They are derived from the installation's signing key, so that none of them is stored."""

import base64
import hashlib
import hmac
from collections.abc import Sequence

from service.domain.ids import PlayerId
from service.domain.webhooks.model import Secret, WebhookId


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
