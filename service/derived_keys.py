"""The keys for the purposes of this installation, each derived from the signing key."""

import hashlib

from service.settings import Settings
from service.store.signing import Signer


def keyed(settings: Settings, purpose: str) -> bytes:
    """Return the key for one purpose, derived from the signing key."""
    return derived(settings.key, purpose)


def derived(key: bytes, purpose: str) -> bytes:
    """Return what a signing key gives for one purpose."""
    return hashlib.blake2b(key, person=purpose.encode()).digest()


def signer_of(settings: Settings) -> Signer:
    """Return what makes and checks the MACs of histories, with the signing key and the older ones."""
    keys = [derived(key, "histories") for key in settings.keys]
    return Signer(keys, accepts_unsigned=settings.unsigned == "accept")
