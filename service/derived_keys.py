"""The keys for the purposes of this installation, each derived from the signing key."""

import hashlib

from service.settings import Settings
from service.store.signing import Signer


def purpose_key(settings: Settings, purpose: str) -> bytes:
    """Return the key for one purpose, derived from the settings' signing key."""
    return derive_key(settings.key, purpose)


def derive_key(key: bytes, purpose: str) -> bytes:
    """Derive the key for one purpose from a signing key."""
    return hashlib.blake2b(key, person=purpose.encode()).digest()


def signer_of(settings: Settings) -> Signer:
    """Return the `Signer` of histories, with the signing key and the older keys."""
    keys = [derive_key(key, "histories") for key in settings.keys]
    return Signer(keys, accepts_unsigned=settings.unsigned == "accept")
