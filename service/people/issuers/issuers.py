"""Verifies tokens of other issuers (RFC 8725), and names their players."""

import base64
from collections import OrderedDict
from collections.abc import Iterable
from typing import NamedTuple

import jwt
import msgspec

from service.domain.ids import Millis
from service.people.issuers.keys import Key
from service.people.issuers.players import ForeignPlayer, UnusableToken, nickname, player_id, scopes
from service.people.issuers.sources import Fetch, KeySource

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
