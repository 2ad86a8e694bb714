"""Tokens of other issuers: whom they name, and that nothing but a valid one is accepted."""

import base64
import json
import time
from pathlib import Path

import jwt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.domain.room.model.names import existing_nickname
from service.people.issuers.foreign_players import nickname, player_id, scopes
from service.people.issuers.issuers import CACHED, LEEWAY, Issuers, TrustedIssuer, issuers_of
from service.people.issuers.keys import UnreadableKeys, public_keys, secret_keys
from service.people.issuers.sources import FixedSource
from service.runtime.settings import BadSettings
from tests.people.issuers.front_end import (
    ALL_KEYS,
    AUDIENCE,
    EC,
    ED,
    ISSUER,
    OTHER_EC,
    RSA,
    SECRET,
    SHORT_RSA,
    Json,
    claims,
    issuers_file,
    jwk,
    key_set,
    signed,
)

SECRET_ISSUER = "https://second.example"  # noqa: S105 - not a secret


class NoFetch:
    """Fetches nothing."""

    async def __call__(self, url: str) -> bytes:
        """Raise `OSError`."""
        raise OSError(url)

    async def close(self) -> None:
        """Do nothing."""


@pytest.fixture
def issuers(tmp_path: Path) -> Issuers:
    """Return two issuers: one with public keys, one with a secret."""
    (tmp_path / "keys.json").write_bytes(ALL_KEYS)
    path = issuers_file(tmp_path, {"jwks_file": "keys.json"}, {"issuer": SECRET_ISSUER, "secret": SECRET})
    return issuers_of(path, NoFetch(), time.monotonic)


def is_valid(issuers: Issuers, token: str) -> bool:
    """Return whether a token is accepted."""
    return issuers.verify(token.encode()) is not None


KINDS = [(RSA, "RS256", "rsa"), (EC, "ES256", "ec"), (ED, "EdDSA", "ed")]


@pytest.mark.parametrize(("key", "algorithm", "kid"), KINDS, ids=[kid for *_, kid in KINDS])
def test_a_token_names_a_player(issuers: Issuers, key: object, algorithm: str, kid: str) -> None:
    """With any of the algorithms; the id depends on the issuer and its subject only."""
    found = issuers.verify(signed(key, algorithm, kid, exp=2_000_000_000).encode())
    assert found is not None
    assert found.id == player_id(ISSUER, "ada")
    assert found.nickname == "Ada"
    assert set(found.scopes) == {"read", "play", "chat"}
    assert found.expires == (2_000_000_000 + LEEWAY) * 1000
    assert issuers.verify(signed(key, algorithm, kid, name="Eve", iat=1).encode()) is not None


def test_a_shared_secret_signs_for_its_issuer_only(issuers: Issuers) -> None:
    """The same subject of another issuer is another player."""
    found = issuers.verify(signed(SECRET, "HS256", iss=SECRET_ISSUER).encode())
    assert found is not None
    assert found.id != player_id(ISSUER, "ada")
    assert not is_valid(issuers, signed(SECRET, "HS256"))
    assert not is_valid(issuers, signed(RSA, "RS256", "rsa", iss=SECRET_ISSUER))


def test_a_public_key_is_no_shared_secret(issuers: Issuers) -> None:
    """The confusion of algorithms: HMAC with the text of the public key, or with its modulus, is not accepted."""
    public = RSA.public_key()
    head, body = ({"alg": "HS256", "typ": "JWT", "kid": "rsa"}, claims())
    texts = [
        json.dumps(jwk(RSA, "rsa")).encode(),
        jwk(RSA, "rsa")["n"].encode(),
        str(public.public_numbers().n).encode(),
    ]
    for text in texts:
        unsigned = b".".join(encoded(part) for part in (head, body))
        signature = jwt.get_algorithm_by_name("HS256").sign(unsigned, text)
        assert not is_valid(issuers, (unsigned + b"." + base64.urlsafe_b64encode(signature).rstrip(b"=")).decode())


def encoded(part: Json) -> bytes:
    """Return a part of a token."""
    return base64.urlsafe_b64encode(json.dumps(part).encode()).rstrip(b"=")


@pytest.mark.parametrize("algorithm", ["none", "None", "NONE", "nOnE", ""])
def test_a_token_without_a_signature_is_refused(issuers: Issuers, algorithm: str) -> None:
    """However `none` is written."""
    unsigned = b".".join([encoded({"alg": algorithm, "kid": "rsa"}), encoded(claims())]).decode()
    assert not is_valid(issuers, f"{unsigned}.")
    assert not is_valid(issuers, unsigned)
    rightly = signed(RSA, "RS256", "rsa").split(".")
    assert not is_valid(issuers, ".".join([unsigned, rightly[2]]))


REFUSED: list[Json] = [
    {"iss": None},
    {"iss": "https://other.example"},
    {"iss": [ISSUER]},
    {"aud": None},
    {"aud": "another service"},
    {"aud": []},
    {"aud": AUDIENCE[:-1]},
    {"exp": None},
    {"exp": 1_000_000_000},
    {"exp": "tomorrow"},
    {"exp": float("inf")},
    {"exp": float("nan")},
    {"exp": 10**400},
    {"sub": None},
    {"sub": ""},
    {"sub": 7},
    {"nbf": 3_000_000_000},
]


@pytest.mark.parametrize("changed", REFUSED, ids=str)
def test_claims_are_checked(issuers: Issuers, changed: Json) -> None:
    """Those that are required, and those that limit a token."""
    body = {**claims(), **changed}
    body = {name: value for name, value in body.items() if value is not None}
    unsigned = b".".join([encoded({"alg": "RS256", "kid": "rsa"}), encoded(body)])
    signature = jwt.get_algorithm_by_name("RS256").sign(unsigned, RSA)
    assert not is_valid(issuers, (unsigned + b"." + base64.urlsafe_b64encode(signature).rstrip(b"=")).decode())


def test_clocks_may_differ_by_a_minute(issuers: Issuers) -> None:
    """And an audience may be one of several."""
    assert is_valid(issuers, signed(RSA, "RS256", "rsa", exp=int(time.time()) - LEEWAY + 30))
    assert is_valid(issuers, signed(RSA, "RS256", "rsa", nbf=int(time.time()) + LEEWAY - 30, aud=["else", AUDIENCE]))
    assert not is_valid(issuers, signed(RSA, "RS256", "rsa", exp=int(time.time()) - LEEWAY - 1))
    assert not is_valid(issuers, signed(RSA, "RS256", "rsa", nbf=int(time.time()) + LEEWAY + 600))


WRONG_HEADERS: list[Json] = [{"crit": ["exp"]}, {"kid": "unknown"}, {"kid": "ec"}, {"kid": ""}]


@pytest.mark.parametrize("headers", WRONG_HEADERS, ids=str)
def test_headers_are_checked(issuers: Issuers, headers: Json) -> None:
    """A key is used with its own algorithm only, and an extension that must be understood is not."""
    assert not is_valid(issuers, signed(RSA, "RS256", headers={"kid": "rsa", **headers}))


def test_a_key_for_another_algorithm_is_refused(issuers: Issuers) -> None:
    """Also one of the same family."""
    assert not is_valid(issuers, signed(RSA, "RS512", "rsa"))
    assert not is_valid(issuers, signed(RSA, "PS256", "rsa"))
    assert not is_valid(issuers, signed(EC, "ES256", "rsa"))


KNOWN = Issuers([TrustedIssuer(ISSUER, AUDIENCE, FixedSource(secret_keys(SECRET.encode())))], NoFetch())


@given(st.binary(max_size=60), st.integers(0, 2), st.integers(0, 400), st.integers(0, 20))
def test_a_changed_token_names_nobody_else(noise: bytes, part: int, place: int, left_out: int) -> None:
    """Whatever is changed in it, it is refused, or the change makes no difference to base64."""
    parts = signed(SECRET, "HS256").encode().split(b".")
    parts[part] = parts[part][:place] + noise + parts[part][place + left_out :]
    found = KNOWN.verify(b".".join(parts))
    assert found is None or found.id == player_id(ISSUER, "ada")


@pytest.mark.parametrize("text", ["", ".", "..", "eyJ..", "eyJhbGciOiJIUzI1NiJ9.e30.", "a.b.c.d", "é.é.é"])
def test_texts_of_other_forms_are_refused(issuers: Issuers, text: str) -> None:
    """Without an error."""
    assert not is_valid(issuers, text)


def test_deep_and_long_tokens_are_refused(issuers: Issuers) -> None:
    """Before anything costly is done with them."""
    deep = base64.urlsafe_b64encode(b'{"alg":' + b"[" * 3000 + b"]" * 3000 + b"}").decode()
    assert not is_valid(issuers, f"{deep}.{deep}.")
    assert not is_valid(issuers, signed(RSA, "RS256", "rsa", padding="x" * 9000))


def test_verified_tokens_are_cached_and_few(issuers: Issuers) -> None:
    """The least recently used are forgotten."""
    first = signed(SECRET, "HS256", iss=SECRET_ISSUER)
    known = issuers.verify(first.encode())
    assert issuers.verify(first.encode()) is known
    for number in range(CACHED):
        issuers.verify(signed(SECRET, "HS256", iss=SECRET_ISSUER, sub=f"s{number}").encode())
    assert issuers.verify(first.encode()) is not known


def test_keys_that_cannot_be_used_are_left_out() -> None:
    """Short ones, those of other kinds or for other uses; without any other, the set is rejected."""
    unusable = [
        jwk(SHORT_RSA, "short"),
        jwk(OTHER_EC, "curve"),
        jwk(RSA, "encryption", use="enc"),
        jwk(RSA, "other", alg="RS512"),
        {"kty": "oct", "k": "c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0", "kid": "secret", "alg": "HS256"},
        {"kty": "RSA", "n": "x", "e": "AQAB", "kid": "broken"},
        {"kty": "OKP", "crv": "Ed25519", "x": 7, "kid": "broken"},
    ]
    assert list(public_keys(key_set(*unusable, jwk(EC, "ec"), jwk(RSA, None)))) == ["ec", ""]
    for data in (key_set(*unusable), b"", b"[]", b"{}", b'{"keys": 7}', b"[" * 5000):
        with pytest.raises(UnreadableKeys):
            public_keys(data)
    with pytest.raises(UnreadableKeys):
        secret_keys(b"short")


NAMES = [
    ("Ada", "Ada"),
    ("  Ada\tLovelace ", "Ada Lovelace"),
    ("A\u202eda\u0000", "Ada"),
    ("Ada Lovelace, Countess of so much", "Ada Lovelace, Countess o"),
    ("Admin", None),
    ("Bot 1 (easy)", None),
    ("\u0410da", None),
    ("", None),
    ("\u200b\u200b", None),
    (None, None),
    (["Ada"], None),
]


@pytest.mark.parametrize(("name", "shown"), NAMES)
def test_names_follow_the_rules_for_nicknames(name: object, shown: str | None) -> None:
    """Or are replaced, where they cannot be made to."""
    player = player_id(ISSUER, "ada")
    assert nickname(name, player) == (shown or f"Player {player[2:6]}")


@given(st.text(max_size=60))
def test_every_name_gives_a_valid_nickname(name: str) -> None:
    """Which a room accepts."""
    shown = nickname(name, player_id(ISSUER, "ada"))
    assert existing_nickname(shown) == shown


def test_scopes_are_a_subset() -> None:
    """Those that are not known here are ignored; without the claim, all but the account."""
    assert scopes(None) == {"read", "play", "chat"}
    assert scopes("openid read bot profile") == {"read", "bot"}
    assert scopes("") == scopes("openid") == scopes(["read"]) == frozenset()


WRONG_FILES: list[tuple[Json, str]] = [
    ({}, "exactly one"),
    ({"secret": SECRET, "jwks_file": "keys.json"}, "exactly one"),
    ({"secret": "short"}, "shorter than 32"),
    ({"secret_file": "missing"}, "No such file"),
    ({"jwks_file": "issuers.json"}, "JSON Web Key Set"),
    ({"jwks_url": "http://keys.example"}, "https://"),
    ({"jwks_url": "ftp://keys.example", "allow_http": True}, "https or http"),
    ({"jwks_url": "https://"}, "https://"),
    ({"secret": SECRET, "audience": ""}, "length"),
    ({"secret": SECRET, "algorithm": "none"}, "algorithm"),
]


@pytest.mark.parametrize(("issuer", "why"), WRONG_FILES)
def test_wrong_settings_are_named(tmp_path: Path, issuer: Json, why: str) -> None:
    """At the start, with the file."""
    path = issuers_file(tmp_path, issuer)
    with pytest.raises(BadSettings, match=why) as wrong:
        issuers_of(path, NoFetch(), time.monotonic)
    assert str(path) in str(wrong.value)


def test_the_file_can_be_toml(tmp_path: Path) -> None:
    """Paths in it are relative to its folder; an issuer is named once."""
    (tmp_path / "secret").write_text(SECRET)
    path = tmp_path / "issuers.toml"
    entry = f'[[issuers]]\nissuer = "{ISSUER}"\naudience = "{AUDIENCE}"\nsecret_file = "secret"\n'
    path.write_text(entry)
    assert is_valid(issuers_of(path, NoFetch(), time.monotonic), signed(SECRET, "HS256"))
    path.write_text(entry * 2)
    with pytest.raises(BadSettings, match="more than once"):
        issuers_of(path, NoFetch(), time.monotonic)
