"""The issuers of the settings, with their keys."""

from collections.abc import Callable
from pathlib import Path

from service.people.issuers.configuration import IssuerSettings, read_issuers
from service.people.issuers.issuers import Issuers, TrustedIssuer
from service.people.issuers.keys import UnreadableKeys, public_keys, secret_keys
from service.people.issuers.sources import Fetch, FileSource, FixedSource, KeySource, UrlSource
from service.runtime.os_errors import reason_of
from service.runtime.settings import BadSettings


def issuers_of(path: Path, fetch: Fetch, clock: Callable[[], float]) -> Issuers:
    """Return the issuers that a file names. Raises `BadSettings`, also for files with keys that cannot be read.

    `fetch` returns what is at a URL; `clock` returns seconds.
    """
    trusted = []
    for each in read_issuers(path):
        try:
            source = source_of(each, fetch, clock)
        except (OSError, UnreadableKeys) as fault:
            raise BadSettings(f"TURNSTREAM_ISSUERS: {path}: {each.issuer}: {reason_of(fault)}") from None
        trusted.append(TrustedIssuer(each.issuer, each.audience, source))
    return Issuers(trusted, fetch)


def source_of(issuer: IssuerSettings, fetch: Fetch, clock: Callable[[], float]) -> KeySource:
    """Return where the keys of an issuer come from. Raises `OSError` and `UnreadableKeys`."""
    if issuer.jwks_url:
        return UrlSource(issuer.issuer, issuer.jwks_url, public_keys, fetch, clock)
    if issuer.jwks_file is not None:
        return FileSource(issuer.issuer, issuer.jwks_file, public_keys, clock)
    if issuer.secret_file is not None:
        return FileSource(issuer.issuer, issuer.secret_file, secret_keys, clock)
    return FixedSource(secret_keys(issuer.secret.encode()))
