"""Reading a match from a file, standard input or an address, as its text or as an export of its events."""

import sys
from pathlib import Path
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit, urlunsplit
from urllib.request import Request, urlopen

import msgspec

from service.domain.notation.reading import read_export, read_text
from service.domain.notation.sheet import MatchRecord, Sheet, Unreadable

PATIENCE = 30.0
"""Seconds that a service may take to answer."""


def match_from(place: str) -> Sheet | MatchRecord:
    """Return the match at a place. Raises `Unreadable`, and `OSError` if it cannot be read."""
    data = bytes_from(place)
    if data.lstrip().startswith(b"{"):
        return read_export(data.lstrip())
    try:
        return read_text(data.decode("utf-8-sig"))
    except UnicodeDecodeError as fault:
        raise Unreadable(f"not UTF-8: {fault}") from None


def bytes_from(place: str) -> bytes:
    """Return the bytes at a place. Raises `OSError`, and `Unreadable` if a service refuses."""
    if place == "-":
        return sys.stdin.buffer.read()
    return fetch(export_address(place)) if is_address(place) else Path(place).read_bytes()


def is_address(place: str) -> bool:
    """Return whether a place is an http address."""
    return place.lower().startswith(("http://", "https://"))


def fetch(address: str) -> bytes:
    """Return the events at an http address. Raises `OSError`, and `Unreadable` if a service refuses."""
    request = Request(address, headers={"Accept": "application/x-ndjson"})  # noqa: S310 - http, by `is_address`
    try:
        with urlopen(request, timeout=PATIENCE) as answer:  # noqa: S310 - the same
            return bytes(answer.read())
    except HTTPError as refusal:
        with refusal:
            raise Unreadable(f"{address}: {refusal.code} {reason(refusal.read())}".rstrip()) from None
    except URLError as failure:  # the error beneath it says why
        raise failure.reason if isinstance(failure.reason, OSError) else failure from None


def export_address(place: str) -> str:
    """Return the address of a match's export, from that address or the match's own."""
    parts = urlsplit(place)
    path = parts.path.rstrip("/")
    return urlunsplit(parts._replace(path=path if path.endswith("/export") else f"{path}/export"))


class Problem(msgspec.Struct):
    """The part that is read of a service's problem."""

    code: str
    detail: str


def reason(body: bytes) -> str:
    """Return why a service refused, "" if it does not say so."""
    try:
        problem = msgspec.json.decode(body, type=Problem)
    except ValueError:
        return ""
    return f"{problem.code}: {problem.detail}"
