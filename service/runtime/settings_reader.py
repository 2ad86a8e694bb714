"""Reading the settings from environment variables: everything that is wrong is named at once."""

import re
from collections.abc import Callable, Mapping
from difflib import get_close_matches
from ipaddress import ip_network
from typing import Annotated, Any, Literal, get_args, get_origin

import msgspec

from service.runtime.settings import PREFIX, SECRET, SHORTEST_SECRET, BadSettings, Settings

NOT_SETTINGS = ("TURNSTREAM_TEST_", "TURNSTREAM_LIFELINE")
"""Prefixes of variables that are not settings: those of the tests, and of the supervisor for its children."""

LISTS = ("origins", "hosts", "trusted_proxies", "webhook_networks")


def is_network(text: str) -> bool:
    """Return whether a text is an address or a network."""
    try:
        ip_network(text, strict=False)
    except ValueError:
        return False
    return True


def is_long(text: str) -> bool:
    """Return whether each line of a secret is long enough."""
    return all(len(line.strip()) >= SHORTEST_SECRET for line in text.splitlines() if line.strip())


NETWORK = (is_network, "an address or a network, as in 10.0.0.0/8")
LONG = (is_long, f"at least {SHORTEST_SECRET} characters")
CHECKS: dict[str, tuple[Callable[[str], object], str]] = {
    "redis_url": (
        re.compile(r"(rediss?|unix)://\S+").fullmatch,
        "redis://user:password@host:6379, rediss:// or unix://",
    ),
    "secret": LONG,
    "admin_token": LONG,
    "origins": (
        re.compile(r"\*|null|[a-z][a-z0-9+.-]*://[^/\sA-Z]+").fullmatch,
        "an origin in lower case and without a path, as in https://play.example",
    ),
    "hosts": (
        re.compile(r"[^/\s]+").fullmatch,
        "a host name without a scheme or a path, as in play.example",
    ),
    "public_url": (
        re.compile(r"https?://([a-z0-9.-]+|\[[0-9a-f:]+\])(:[0-9]{1,5})?").fullmatch,
        "the address of a service: http or https, in lower case and without a path, as in https://play.example",
    ),
    "trusted_proxies": NETWORK,
    "webhook_networks": NETWORK,
}
"""By name: a check of each value that is not empty, and what it accepts."""


def read(environment: Mapping[str, str]) -> Settings:
    """Return the settings of an environment. Raises `BadSettings` with all unknown names and all invalid values."""
    kinds = {field.name: field.type for field in msgspec.structs.fields(Settings)}
    values: dict[str, Any] = {}
    problems: list[str] = []
    for variable in sorted(environment):
        if not variable.startswith(PREFIX) or variable.startswith(NOT_SETTINGS):
            continue
        name = variable.removeprefix(PREFIX).lower()
        try:
            values[name] = value_of(name, environment[variable], kinds)
        except ValueError as wrong:
            problems.append(f"{variable}: {wrong}")
    if problems:
        raise BadSettings(*problems)
    return Settings(**values)


def value_of(name: str, text: str, kinds: Mapping[str, Any]) -> Any:
    """Return the value of a setting. Raises `ValueError` with what was expected."""
    if name not in kinds:
        raise ValueError(f"unknown, {advice(name, kinds)}")
    given = [part.strip() for part in text.split(",") if part.strip()] if name in LISTS else text
    try:
        value = msgspec.convert(given, kinds[name], strict=False, dec_hook=lambda kind, value: kind(value))
    except msgspec.ValidationError:
        raise ValueError(f"{text!r} is invalid, expected {expected(kinds[name])}") from None
    accepts, what = CHECKS.get(name, (bool, ""))
    for entry in given if isinstance(given, list) else [text]:
        if entry and not accepts(entry):
            raise ValueError(f"expected {what}" if name in SECRET else f"{entry!r} is invalid, expected {what}")
    return value


def advice(name: str, known: Mapping[str, Any]) -> str:
    """Return what to do about an unknown name."""
    near = get_close_matches(name, known, 1)
    return f"did you mean {PREFIX}{near[0].upper()}?" if near else "see docs/settings.md"


def expected(kind: Any) -> str:
    """Return which values a type has: a range of numbers, a list of words, or true and false."""
    if get_origin(kind) is Literal:
        return f"one of: {', '.join(get_args(kind))}"
    if get_origin(kind) is not Annotated:
        return "true or false"
    number, meta = get_args(kind)
    bounds = (("more than", meta.gt), ("at least", meta.ge), ("at most", meta.le))
    said = " and ".join(f"{words} {bound}" for words, bound in bounds if bound is not None)
    return f"a {'whole number' if number is int else 'number'}, {said}"
