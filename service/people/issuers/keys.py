"""The keys of an issuer, each with the one algorithm that it is used with.

The algorithm follows from the key, never from the token: so no token can have a public key taken for a shared secret.
"""

from typing import Any

import jwt
import msgspec

from service.people.issuers.configuration import SHORTEST_SECRET

MOST_KEYS = 50
"""How many keys of a set are read."""

ALGORITHMS = {("RSA", ""): "RS256", ("EC", "P-256"): "ES256", ("OKP", "Ed25519"): "EdDSA"}
"""The algorithm of a key by its type and curve; other keys are left out."""

SHORTEST_RSA = 2048
"""The least number of bits of an RSA key (RFC 7518, 3.3)."""


class UnreadableKeys(Exception):  # noqa: N818 - an answer of the issuer
    """What should be keys are none; the message says why."""


class Key(msgspec.Struct, frozen=True):
    """A key that verifies signatures."""

    algorithm: str
    value: Any
    """A shared secret, or a public key of the library `cryptography`."""


Keys = dict[str, tuple[Key, ...]]
"""Keys by their id, "" for those without one."""


class JwkSet(msgspec.Struct, frozen=True):
    """A JSON Web Key Set (RFC 7517)."""

    keys: list[dict[str, Any]]


SET = msgspec.json.Decoder(JwkSet)


def public_keys(data: bytes) -> Keys:
    """Return the keys of a JSON Web Key Set that this service can use. Raises `UnreadableKeys` if there are none."""
    try:
        listed = SET.decode(data).keys[:MOST_KEYS]
    except (msgspec.DecodeError, RecursionError) as fault:
        raise UnreadableKeys(f"not a JSON Web Key Set: {fault}") from None
    found: Keys = {}
    for each in listed:
        key, kid = public_key(each), each.get("kid", "")
        if key is not None and isinstance(kid, str):
            found[kid] = (*found.get(kid, ()), key)
    if not found:
        raise UnreadableKeys("no key for RS256, ES256 or EdDSA")
    return found


def public_key(jwk: dict[str, Any]) -> Key | None:
    """Return a public key; None for one of another kind, for another use, or that is too short."""
    curve = jwk.get("crv", "") if jwk.get("kty") != "RSA" else ""
    algorithm = ALGORITHMS.get((str(jwk.get("kty")), str(curve)))
    if algorithm is None or jwk.get("use", "sig") != "sig" or jwk.get("alg", algorithm) != algorithm:
        return None
    public = {name: value for name, value in jwk.items() if name not in {"d", "p", "q", "dp", "dq", "qi", "oth"}}
    try:
        value = jwt.PyJWK(public, algorithm).key
    except (jwt.PyJWTError, ValueError, TypeError):
        return None
    is_short = algorithm == "RS256" and value.key_size < SHORTEST_RSA
    return None if is_short else Key(algorithm, value)


def secret_keys(data: bytes) -> Keys:
    """Return the shared secrets in a file, one per line. Raises `UnreadableKeys` if there are none, or a short one."""
    secrets = [line.strip() for line in data.splitlines() if line.strip()]
    if not secrets or min(map(len, secrets)) < SHORTEST_SECRET:
        raise UnreadableKeys(f"expected lines of at least {SHORTEST_SECRET} bytes")
    return {"": tuple(Key("HS256", secret) for secret in secrets)}
