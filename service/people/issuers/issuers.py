"""Verifies tokens of other issuers (RFC 8725).

The issuers and the sources of their keys are those of the settings.
"""

import base64
from collections import OrderedDict
from collections.abc import Callable, Iterable
from ipaddress import ip_network
from pathlib import Path
from typing import NamedTuple

import jwt
import msgspec

from service.domain.ids import Millis
from service.people.fetching.fetcher import Fetcher, FetchFailed, FetchPolicy
from service.people.issuers.configuration import IssuerSettings, read_issuers
from service.people.issuers.foreign_players import ForeignPlayer, UnusableToken, nickname, player_id, scopes
from service.people.issuers.keys import Key, UnreadableKeys, public_keys, secret_keys
from service.people.issuers.sources import Fetch, FileSource, FixedSource, KeySource, UrlSource
from service.runtime.os_errors import reason_of
from service.runtime.settings import BadSettings

LEEWAY = 60
"""Seconds by which the clocks of issuers may differ."""

LONGEST_TOKEN = 8192
CACHED = 5000
"""How many verified tokens are cached."""

REQUIRED = ["iss", "aud", "exp", "sub"]
LONGEST_SUBJECT = 255
"""Characters of the claim `sub` (OpenID Connect Core, 2)."""


class Header(msgspec.Struct, frozen=True):
    """What is read of a token's header before its signature is checked."""

    alg: str
    kid: str = ""
    crit: object = None


class Unchecked(msgspec.Struct, frozen=True):
    """What is read of a token's claims before its signature is checked."""

    iss: str


class Claims(msgspec.Struct, frozen=True):
    """The claims of a token with a valid signature."""

    sub: str
    exp: float
    name: object = None
    scope: object = None


HEADER, UNCHECKED = msgspec.json.Decoder(Header), msgspec.json.Decoder(Unchecked)


class TrustedIssuer(NamedTuple):
    """An issuer, the audience for which its tokens have to be, and its keys."""

    issuer: str
    audience: str
    source: KeySource


class Issuers:
    """The issuers that the operator trusts."""

    def __init__(self, issuers: Iterable[TrustedIssuer], fetch: Fetch) -> None:
        self._fetch = fetch
        self._issuers = {each.issuer: each for each in issuers}
        self._verified: OrderedDict[bytes, tuple[ForeignPlayer, object]] = OrderedDict()
        """Tokens that were verified, each with the keys of that time; the least recently used first."""
        self.close = self._fetch.close

    async def prepare(self, token: bytes) -> None:
        """Read the keys again if a token names an unknown one."""
        named = self._named(token)
        if named is not None and not named[0].source.is_known(named[1].kid):
            await named[0].source.refresh()

    def verify(self, token: bytes) -> ForeignPlayer | None:
        """Return the player of a token, None if it is invalid. Raises `UnusableToken`.

        Whether it has expired since is left to the caller.
        """
        named = self._named(token)
        if named is None:
            return None
        issuer, header = named
        keys = issuer.source.keys
        known = self._verified.get(token)
        if known is not None and known[1] is keys:
            self._verified.move_to_end(token)
            return known[0]
        candidates = keys.get(header.kid) or keys.get("", ())
        claims = next((found for key in candidates if (found := verified(token, key, issuer, header.alg))), None)
        if claims is None:
            return None
        player = player_of(issuer.issuer, claims)
        self._verified[token] = player, keys
        if len(self._verified) > CACHED:
            self._verified.popitem(last=False)
        return player

    def _named(self, token: bytes) -> tuple[TrustedIssuer, Header] | None:
        """Return the issuer that a token names, and its header; None if it is not one of the trusted."""
        parts = token.split(b".")
        if len(parts) != 3 or len(token) > LONGEST_TOKEN:
            return None
        try:
            header, claims = HEADER.decode(decoded(parts[0])), UNCHECKED.decode(decoded(parts[1]))
        except (ValueError, RecursionError):
            return None
        issuer = self._issuers.get(claims.iss)
        return None if issuer is None or header.crit is not None else (issuer, header)


def decoded(part: bytes) -> bytes:
    """Return the bytes of a part of a token in base64url. Raises `ValueError`."""
    return base64.urlsafe_b64decode(part + b"=" * (-len(part) % 4))


def verified(token: bytes, key: Key, issuer: TrustedIssuer, algorithm: str) -> Claims | None:
    """Return the claims of a token that this key has signed for this service; None if they are not valid now."""
    if algorithm != key.algorithm:
        return None
    try:
        claims = jwt.decode(
            token,
            key.value,
            algorithms=[key.algorithm],
            audience=issuer.audience,
            issuer=issuer.issuer,
            leeway=LEEWAY,
            options={"require": REQUIRED},
        )
        found = msgspec.convert(claims, Claims)
    except (jwt.PyJWTError, ValueError, TypeError, OverflowError, RecursionError):
        return None
    return found if found.sub else None


def player_of(issuer: str, claims: Claims) -> ForeignPlayer:
    """Return the player that claims describe. Raises `UnusableToken`."""
    if (length := len(claims.sub)) > LONGEST_SUBJECT:
        raise UnusableToken(f"The claim `sub` has {length} characters; {LONGEST_SUBJECT} are allowed.")
    player = player_id(issuer, claims.sub)
    expires = Millis(int((claims.exp + LEEWAY) * 1000))
    return ForeignPlayer(player, nickname(claims.name, player), scopes(claims.scope), expires)


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
