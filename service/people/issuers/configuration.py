"""The file of the setting `issuers`: which front ends are trusted, and where their keys are."""

import tomllib
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import urlsplit

import msgspec

from service.runtime.os_errors import reason_of
from service.runtime.settings import BadSettings

SHORTEST_SECRET = 32
"""Bytes of a shared secret: as long as the hash of HS256 (RFC 7518, 3.2)."""

Text = Annotated[str, msgspec.Meta(min_length=1, max_length=1000)]


class IssuerSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A front end that is trusted. Exactly one of `jwks_url`, `jwks_file`, `secret` and `secret_file` is set."""

    issuer: Text
    """The claim `iss` of its tokens."""
    audience: Text
    """What the claim `aud` of its tokens names, which are meant for this service."""
    jwks_url: str = ""
    """Where its public keys are (RFC 7517)."""
    jwks_file: Path | None = None
    """A file with its public keys."""
    secret: str = ""
    """A secret that it shares with this service."""
    secret_file: Path | None = None
    """A file with that secret; with several lines, each is one."""
    allow_http: bool = False
    """Whether `jwks_url` may be without TLS, as within a private network."""


class IssuersFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The file of the setting."""

    issuers: tuple[IssuerSettings, ...]


def read_issuers(path: Path | None) -> tuple[IssuerSettings, ...]:
    """Return the issuers in a TOML or JSON file, none without a file. Raises `BadSettings`."""
    if path is None:
        return ()
    try:
        issuers = msgspec.convert(parse(path), IssuersFile, dec_hook=lambda kind, value: kind(value)).issuers
    except OSError as failure:
        raise BadSettings(f"TURNSTREAM_ISSUERS: {reason_of(failure)}") from None
    except ValueError as fault:  # both parsers, and msgspec, raise kinds of it
        raise BadSettings(f"TURNSTREAM_ISSUERS: {path}: {fault}") from None
    for each in issuers:
        if (wrong := fault_in(each)) is not None:
            raise BadSettings(f"TURNSTREAM_ISSUERS: {path}: {each.issuer}: {wrong}")
    if len({each.issuer for each in issuers}) < len(issuers):
        raise BadSettings(f"TURNSTREAM_ISSUERS: {path}: an issuer is named more than once")
    return tuple(with_folder(each, path.parent) for each in issuers)


def parse(path: Path) -> Any:
    """Return the content of a file: JSON if its name ends so, otherwise TOML. Raises `OSError` and `ValueError`."""
    data = path.read_bytes()
    return msgspec.json.decode(data) if path.suffix == ".json" else tomllib.loads(data.decode())


def fault_in(issuer: IssuerSettings) -> str | None:
    """Return what is wrong with an issuer, None if nothing is."""
    given = [issuer.jwks_url, issuer.jwks_file, issuer.secret, issuer.secret_file]
    if sum(map(bool, given)) != 1:
        return "expected exactly one of jwks_url, jwks_file, secret and secret_file"
    if issuer.secret and len(issuer.secret.encode()) < SHORTEST_SECRET:
        return f"the secret is shorter than {SHORTEST_SECRET} bytes"
    if issuer.jwks_url:
        schemes = ("https", "http") if issuer.allow_http else ("https",)
        parts = urlsplit(issuer.jwks_url)
        if parts.scheme not in schemes or not parts.hostname:
            return f"jwks_url: expected {' or '.join(schemes)}://..."
    return None


def with_folder(issuer: IssuerSettings, folder: Path) -> IssuerSettings:
    """Return an issuer whose files are relative to the folder of the settings."""
    files = {name: folder / path for name in ("jwks_file", "secret_file") if (path := getattr(issuer, name))}
    return msgspec.structs.replace(issuer, **files)
