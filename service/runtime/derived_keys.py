"""The keys for the purposes of this installation, each derived from the signing key."""

import hashlib

from service.runtime.settings import Settings


def purpose_key(settings: Settings, purpose: str) -> bytes:
    """Return the key for one purpose, derived from the settings' signing key."""
    return derive_key(settings.key, purpose)


def derive_key(key: bytes, purpose: str) -> bytes:
    """Derive the key for one purpose from a signing key."""
    return hashlib.blake2b(key, person=purpose.encode()).digest()
