"""The issuers of the settings, with their keys."""

from collections.abc import Callable
from ipaddress import ip_network
from pathlib import Path

from service.people.fetching.fetcher import Fetcher, FetchFailed, FetchPolicy
from service.people.issuers.configuration import IssuerSettings, read_issuers
from service.people.issuers.issuers import Issuers, TrustedIssuer
from service.people.issuers.keys import UnreadableKeys, public_keys, secret_keys
from service.people.issuers.sources import Fetch, FileSource, FixedSource, KeySource, UrlSource
from service.runtime.os_errors import reason_of
from service.runtime.settings import BadSettings

EVERYWHERE = (ip_network("0.0.0.0/0"), ip_network("::/0"))

OK = 200

HEADERS = {"Accept": "application/jwk-set+json, application/json"}


class KeySetFetcher:
    """Returns what is at a URL: within 10 seconds, up to 64 KB, without redirects."""

    def __init__(self, user_agent: str) -> None:
        """Allow http, for which the configuration asks by name."""
        self._fetcher = Fetcher(FetchPolicy(allows_http=True, networks=EVERYWHERE), user_agent)
        self.close = self._fetcher.close

    async def __call__(self, url: str) -> bytes:
        """Return what is at a URL. Raises `OSError`."""
        try:
            response = await self._fetcher.fetch("GET", url, HEADERS)
        except FetchFailed as failed:
            raise OSError(failed.code) from None
        if response.status != OK:
            raise OSError(f"status {response.status}")
        if response.is_truncated:
            raise OSError("too long")
        return response.body


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
