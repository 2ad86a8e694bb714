"""A front end that issues tokens of its own, with keys of every kind."""

import json
import time
from pathlib import Path
from typing import Any

import jwt
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa
from jwt.algorithms import ECAlgorithm, OKPAlgorithm, RSAAlgorithm

ISSUER, AUDIENCE = "https://front.example", "turnstream"
SECRET = "a secret of thirty-two bytes or more"  # noqa: S105 - a test's

RSA = rsa.generate_private_key(public_exponent=65537, key_size=2048)
SHORT_RSA = rsa.generate_private_key(public_exponent=65537, key_size=1024)  # noqa: S505 - which is refused
EC = ec.generate_private_key(ec.SECP256R1())
OTHER_EC = ec.generate_private_key(ec.SECP384R1())
ED = ed25519.Ed25519PrivateKey.generate()

Json = dict[str, Any]


def jwk(private: Any, kid: str | None, **more: str) -> Json:
    """Return the public key of a private one as a JSON Web Key."""
    public = private.public_key()
    kinds = ((rsa.RSAPublicKey, RSAAlgorithm), (ec.EllipticCurvePublicKey, ECAlgorithm))
    algorithm: Any = next((known for kind, known in kinds if isinstance(public, kind)), OKPAlgorithm)
    found: Json = json.loads(algorithm.to_jwk(public))
    return {**found, **({} if kid is None else {"kid": kid}), **more}


def key_set(*keys: Json) -> bytes:
    """Return a JSON Web Key Set."""
    return json.dumps({"keys": keys}).encode()


ALL_KEYS = key_set(jwk(RSA, "rsa"), jwk(EC, "ec"), jwk(ED, "ed"))


def claims(**changed: object) -> Json:
    """Return the claims of a token of Ada's that lasts an hour; None leaves one out."""
    plain = {"iss": ISSUER, "aud": AUDIENCE, "sub": "ada", "exp": int(time.time()) + 3600, "name": "Ada", **changed}
    return {name: value for name, value in plain.items() if value is not None}


def signed(key: Any, algorithm: str, kid: str | None = None, *, headers: Json | None = None, **changed: object) -> str:
    """Return a token with these claims."""
    head = {**({} if kid is None else {"kid": kid}), **(headers or {})}
    return jwt.encode(claims(**changed), key, algorithm, headers=head or None)


def issuers_file(folder: Path, *issuers: Json) -> Path:
    """Write the file of the setting, and return it."""
    path = folder / "issuers.json"
    path.write_text(json.dumps({"issuers": [{"issuer": ISSUER, "audience": AUDIENCE, **each} for each in issuers]}))
    return path
