"""The service's settings, and what a process needs of them before it starts.

They are read from environment variables, and everything that is wrong is named at once.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from difflib import get_close_matches
from functools import cache
from ipaddress import ip_network
from pathlib import Path
from typing import Annotated, Any, Literal, get_args, get_origin
from urllib.parse import quote, urlsplit, urlunsplit

import msgspec

from service.runtime.os_errors import reason_of

PREFIX = "TURNSTREAM_"
SHORTEST_SECRET = 32
SECRET = ("redis_url", "secret", "admin_token", "traces")
"""Settings whose values, which may contain a password, are not repeated in messages."""


class BadSettings(Exception):  # noqa: N818 - an answer to the operator
    """Settings are invalid; each argument names a variable and says what was expected."""

    def __str__(self) -> str:
        """Return the problem, or all of them in lines of their own."""
        if len(self.args) == 1:
            return str(self.args[0])
        return "\n  ".join([f"{len(self.args)} settings are wrong:", *self.args])


Limit = Annotated[int, msgspec.Meta(ge=0)]
"""A number; 0 is no limit."""


class Settings(msgspec.Struct, frozen=True):
    """The settings; each field is read from `TURNSTREAM_<FIELD>`."""

    host: str = "127.0.0.1"
    """The address that the API listens on."""
    port: Annotated[int, msgspec.Meta(ge=1, le=65535)] = 8000
    data: Path = Path("data")
    """The folder of `turnstream up`, with the embedded store's files and the signing key."""
    mode: Literal["development", "production"] = "development"
    """`production` rejects unsafe defaults, and a store that may lose acknowledged commands."""
    redis_url: str = ""
    """The store's URL, `redis://`, `rediss://` or `unix://`; see `docs/operating/start.md`. Set by `turnstream up`."""
    redis_password_file: Path | None = None
    """A file with the password of the user in `redis_url`."""
    redis_cluster: bool = False
    """Whether the store is a Redis Cluster; `redis_url` may name any of its nodes."""
    store_folder: Path | None = None
    """The folder of the store's files, if on this machine; writes are rejected before its disk is full."""
    acknowledge: Literal["local", "replicated"] = "local"
    """When a command is acknowledged: when it is on the store's disk, or when replicas have it as well."""
    replicas: Annotated[int, msgspec.Meta(ge=1, le=5)] = 1
    """How many replicas must have a command before it is acknowledged, if `acknowledge` is `replicated`."""
    partitions: Annotated[int, msgspec.Meta(ge=1, le=4096)] = 16
    """The number of partitions that rooms are distributed over; fixed when a store is first used."""
    store_vouched: bool = False
    """Whether the operator guarantees that a store with unreadable configuration keeps acknowledged commands."""
    witness: Path | None = None
    """A folder outside the store for a small file by which a loss of data in the store is detected."""
    secret: str = ""
    """The key that signs tokens and marks, at least 32 characters, the same for all processes."""
    secret_file: Path | None = None
    """A file with that key, instead of `secret`; tokens signed with the keys on further lines are accepted, too."""
    unsigned: Literal["refuse", "accept"] = "refuse"
    """Whether a room's newest events may lack the MAC that earlier ones have; `accept` while older releases run."""
    issuers: Path | None = None
    """A TOML or JSON file that names the front ends whose own tokens are accepted; see `docs/identity.md`."""
    admin_token: str = ""
    """The operator token, at least 32 characters, for `/v1/admin` and for reading every room. Empty for none."""
    admin_token_file: Path | None = None
    """A file with that token, instead of `admin_token`."""
    origins: tuple[str, ...] = ("*",)
    """Comma-separated origins whose pages may call the API and open sockets."""
    hosts: tuple[str, ...] = ("*",)
    """Comma-separated host names of this service, with or without a port; `*.example` for all subdomains."""
    public_url: str = ""
    """The address of this service as players reach it, as in `https://play.example`, for previews of links. No path."""
    trusted_proxies: tuple[str, ...] = ()
    """Comma-separated addresses or networks of proxies whose `X-Forwarded-For` is trusted."""
    rooms_in_memory: Annotated[int, msgspec.Meta(ge=10)] = 10_000
    """How many rooms a process keeps in memory."""
    heartbeat: Annotated[float, msgspec.Meta(gt=0, le=300)] = 15.0
    """Seconds between heartbeats of a feed, and between comparisons of all that a process follows with the store."""
    compress_sockets: bool = False
    """Whether sockets accept compression (permessage-deflate): fewer bytes for more CPU time and memory."""
    drain: Annotated[float, msgspec.Meta(ge=0, le=300)] = 5.0
    """Seconds over which an API process closes its sockets when it shuts down."""
    metrics_port: Annotated[int, msgspec.Meta(ge=0, le=65535)] = 0
    """A port on `host` for the metrics of a process; with 0 only the API has metrics, at `/metrics` on its own port.

    Under `up` this is the API's port, and the worker uses the next one.
    """
    access_log: bool = False
    """Whether each request over HTTP has a line in the log, at the level `info`."""
    traces: str = ""
    """The URL for OpenTelemetry traces, by OTLP over HTTP; needs the extra `otel`. Empty for no traces."""
    retention: Annotated[float, msgspec.Meta(ge=0, le=36_500)] = 0.0
    """Days after which a closed room's events are moved from the store to `archive`; 0 for never."""
    archive: Path = Path("data/archive")
    """The folder for the events of closed rooms, if `retention` is set."""
    thinkers: Annotated[int, msgspec.Meta(ge=0, le=256)] = 0
    """How many processes of a worker compute bots' moves; 0 for one per core."""
    webhook_http: bool = False
    """Whether webhooks may have URLs with `http://`, which anyone on the way can read."""
    webhook_networks: tuple[str, ...] = ()
    """Comma-separated networks that are not public, but may be connected to for webhooks."""
    log_level: Literal["debug", "info", "warning", "error"] = "info"
    log_format: Literal["json", "console"] = "json"
    limit_rooms: Limit = 2000
    """Rooms that a player may be a member of. Here and below, 0 is no limit."""
    limit_members: Limit = 200
    """Members of a room, including spectators who joined."""
    limit_watchers: Limit = 5000
    """Subscribers of one room, per process."""
    limit_subscriptions: Limit = 100
    """Rooms that one socket may subscribe to."""
    limit_sockets_address: Limit = 2000
    """Open sockets and streams per address and process."""
    limit_sockets_player: Limit = 200
    """Open sockets and streams per player and process."""
    limit_commands: Limit = 500
    """Commands per second, player and process, with bursts of four seconds' worth."""
    limit_reads: Limit = 500
    """Reads per second, player and process, with bursts of four seconds' worth; an expensive read counts as several."""
    limit_reads_address: Limit = 3000
    """Reads per second, address and process, with or without a token."""
    limit_lines: Limit = 60
    """Lines of chat per minute, player and process, with bursts of ten."""
    limit_hints: Limit = 30
    """Hints per minute, player and process, with bursts of the same number."""
    limit_reviews: Limit = 20
    """Reviews of matches requested per hour, player and process."""
    limit_reports: Limit = 10
    """Reports about other players per hour, address and process."""
    limit_exports: Limit = 1
    """Exports of players' matches at a time and process, per player, or per address without a token."""
    limit_guests: Limit = 3000
    """New guests per minute, address and process; a whole school may share one address."""
    limit_passwords: Limit = 6
    """Passwords per minute, player, room and process."""
    limit_passwords_address: Limit = 120
    """Passwords per minute, address and process; checking one takes some hundredths of a second of CPU time."""
    limit_openings: Limit = 300
    """New rooms per minute, address and process; a whole school may share one address."""
    limit_challenges: Limit = 20
    """Challenges per minute, player and process."""
    limit_tournaments: Limit = 2
    """Tournaments created per minute, address and process."""
    limit_invitations: Limit = 60
    """Wrong codes of invitations per minute, address and process; after that even a right one is rejected."""
    limit_tokens: Limit = 10
    """Tokens, link codes and recovery codes that a player may make per minute and process."""
    limit_codes: Limit = 5
    """Link codes and recovery codes, right or wrong, per minute, address and process."""
    limit_codes_all: Limit = 100
    """Link codes and recovery codes, right or wrong, per minute and process, from all addresses."""
    limit_webhooks: Limit = 20
    """Webhooks that are registered, changed or verified per minute, address and process; each leads to a challenge."""
    limit_admin_tokens: Limit = 10
    """Wrong operator tokens per minute, address and process; the right one is always accepted."""

    @property
    def keys(self) -> tuple[bytes, ...]:
        """The signing key, then older ones. Raises `BadSettings` if there is none or one is too short."""
        secret = read_secret("SECRET", self.secret, self.secret_file)
        keys = tuple(line.strip().encode() for line in secret.splitlines() if line.strip())
        if not keys or min(map(len, keys)) < SHORTEST_SECRET:
            raise BadSettings(
                "The signing key is missing or shorter than 32 characters: set TURNSTREAM_SECRET or "
                "TURNSTREAM_SECRET_FILE (`turnstream up` creates one in its data folder)."
            )
        return keys

    @property
    def key(self) -> bytes:
        """The signing key. Raises `BadSettings` if there is none or it is too short."""
        return self.keys[0]

    @property
    def operators(self) -> bytes | None:
        """The operator token, None for none. Raises `BadSettings` if it is too short."""
        token = read_secret("ADMIN_TOKEN", self.admin_token, self.admin_token_file).strip()
        if token and len(token) < SHORTEST_SECRET:
            raise BadSettings("TURNSTREAM_ADMIN_TOKEN is shorter than 32 characters.")
        return token.encode() or None

    @property
    def store_url(self) -> str:
        """The store's URL, with the password from its file, if any. Raises `BadSettings` without a URL or password."""
        if not self.redis_url:
            raise BadSettings(
                "No store is configured: set TURNSTREAM_REDIS_URL, or run `turnstream up`, which has its own."
            )
        if self.redis_password_file is None:
            return self.redis_url
        password = read_secret("REDIS_PASSWORD", "", self.redis_password_file).strip()
        if not password:
            raise BadSettings(f"The file in {PREFIX}REDIS_PASSWORD_FILE is empty.")
        parts = urlsplit(self.redis_url)
        user, _, host = parts.netloc.rpartition("@")
        return urlunsplit(parts._replace(netloc=f"{user.partition(':')[0]}:{quote(password, safe='')}@{host}"))


def read_secret(name: str, given: str, file: Path | None) -> str:
    """Return a secret from its file, if there is one. Raises `BadSettings` for an unreadable file."""
    try:
        return file.read_text() if file else given
    except (OSError, UnicodeError) as failure:
        raise BadSettings(f"The file in {PREFIX}{name}_FILE cannot be read: {reason_of(failure)}.") from None


REQUIRED = ("keys", "operators", "store_url")
"""The settings that a process needs and that may be in files."""


def check(settings: Settings, required: Sequence[str] = REQUIRED) -> None:
    """Raise `BadSettings` with all that prevents a start: missing secrets, and in production mode unsafe defaults."""
    problems: list[str] = []
    for name in required:
        try:
            getattr(settings, name)
        except BadSettings as bad:
            problems += bad.args
    if settings.mode == "production":
        problems += unsafe_defaults(settings)
    if problems:
        raise BadSettings(*problems)


def unsafe_defaults(settings: Settings) -> list[str]:
    """Return which settings have defaults that are only safe in development."""
    found = {
        "TURNSTREAM_ORIGINS: in production mode, list the origins of your pages": "*" in settings.origins,
        "TURNSTREAM_HOSTS: in production mode, list your host names": "*" in settings.hosts,
        "TURNSTREAM_REDIS_URL: in production mode, with a password": has_no_password(settings),
        "TURNSTREAM_LOG_LEVEL: debug logs too much in production mode": settings.log_level == "debug",
    }
    return [problem for problem, is_found in found.items() if is_found]


def has_no_password(settings: Settings) -> bool:
    """Return whether the store's URL has no password, so that anyone in the network could use the store."""
    parts = urlsplit(settings.redis_url)
    return parts.scheme not in {"", "unix"} and not parts.password and settings.redis_password_file is None


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


@cache
def release() -> str:
    """Return the version of the installed release, as in `0.1.0`."""
    from importlib.metadata import version  # noqa: PLC0415 - takes longer than the rest of a verb's help

    return version("turnstream")


def changed_settings(settings: Settings) -> dict[str, object]:
    """Return the settings that differ from their defaults, by name; of secrets only that they are set."""
    given, default = (msgspec.to_builtins(each, enc_hook=str) for each in (settings, Settings()))
    return {name: "..." if name in SECRET else value for name, value in given.items() if value != default[name]}
