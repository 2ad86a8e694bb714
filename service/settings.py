"""The service's settings: one frozen struct, read from the environment once and checked before anything starts."""

import re
from collections.abc import Mapping
from ipaddress import ip_network
from pathlib import Path
from typing import Annotated, Literal, get_args, get_origin
from urllib.parse import quote, urlsplit, urlunsplit

import msgspec

PREFIX = "TURNSTREAM_"
NOT_SETTINGS = ("TURNSTREAM_TEST_", "TURNSTREAM_LIFELINE")
"""Names that begin alike but are not the service's to read: the tests' own, and the supervisor's to its children."""

LISTS = ("origins", "hosts", "trusted_proxies")
SHORTEST_SECRET = 32
ORIGIN = re.compile(r"\*|null|[a-z][a-z0-9+.-]*://[^/\sA-Z]+")
HOST = re.compile(r"[^/\s]+")


class BadSettings(Exception):  # noqa: N818 - an answer to whoever starts it
    """The environment asks for something that can't be; the message names the variable and says what to do."""


Limit = Annotated[int, msgspec.Meta(ge=0)]
"""How many; 0 is no limit."""


class Settings(msgspec.Struct, frozen=True):
    """Each field is read from `TURNSTREAM_<FIELD>`."""

    host: str = "127.0.0.1"
    """Where the API listens."""
    port: Annotated[int, msgspec.Meta(ge=1, le=65535)] = 8000
    data: Path = Path("data")
    """The folder of `turnstream up`: the embedded store's files and the signing key."""
    mode: Literal["development", "production"] = "development"
    """`production` refuses unsafe defaults, and a store that may lose what was answered."""
    redis_url: str = ""
    """The store: `redis://`, `rediss://` or `unix://`; `docs/operating.md` has its options. `turnstream up` sets it."""
    redis_password_file: Path | None = None
    """A file with the password of the user in `redis_url`."""
    redis_cluster: bool = False
    """Whether the store is a Redis Cluster; any of its nodes in `redis_url` will do."""
    store_folder: Path | None = None
    """The folder of the store's files where this machine has them: writes are refused before its disk is full."""
    acknowledge: Literal["local", "replicated"] = "local"
    """When a command is answered: when it is on the store's disk, or when replicas have it too."""
    replicas: Annotated[int, msgspec.Meta(ge=1, le=5)] = 1
    """How many replicas must have a command before it is answered, where `acknowledge` is `replicated`."""
    partitions: Annotated[int, msgspec.Meta(ge=1, le=4096)] = 16
    """Into how many parts the rooms are spread; fixed when a store is first used."""
    store_vouched: bool = False
    """Whether the operator vouches that a store keeps what it answered, where its settings can't be read."""
    witness: Path | None = None
    """A folder outside the store for a small file by which a store that has lost data is recognised."""
    secret: str = ""
    """The key that signs tokens and marks, at least 32 characters; shared by all processes."""
    secret_file: Path | None = None
    """A file with that key, instead of `secret`; tokens of the keys on further lines are accepted too."""
    unsigned: Literal["refuse", "accept"] = "refuse"
    """Whether a room's newest events may lack a MAC that earlier ones have: `accept` while older releases still run."""
    admin_token: str = ""
    """The operators' token, at least 32 characters: it opens `/v1/admin`, absent without it, and reads every room."""
    admin_token_file: Path | None = None
    """A file with that token, instead of `admin_token`."""
    origins: tuple[str, ...] = ("*",)
    """Comma-separated origins whose pages may call the API and open sockets."""
    hosts: tuple[str, ...] = ("*",)
    """Comma-separated names by which this service may be called, with or without a port; `*.example` for all below."""
    trusted_proxies: tuple[str, ...] = ()
    """Comma-separated addresses or networks of proxies whose `X-Forwarded-For` counts."""
    rooms_in_memory: Annotated[int, msgspec.Meta(ge=10)] = 10_000
    """How many rooms a process keeps folded at hand."""
    heartbeat: Annotated[float, msgspec.Meta(gt=0, le=300)] = 15.0
    """Seconds between a feed's heartbeats."""
    drain: Annotated[float, msgspec.Meta(ge=0, le=300)] = 5.0
    """Seconds over which a leaving API process sends its sockets elsewhere."""
    metrics_port: Annotated[int, msgspec.Meta(ge=0, le=65535)] = 0
    """A port for the metrics of a process, on `host`; 0 for none. Without it the API serves its own at `/metrics`.

    Under `up` it is the API's, and the worker has the next one.
    """
    traces: str = ""
    """Where OpenTelemetry traces go, by OTLP over HTTP; needs the extra `otel`. Empty for nowhere."""
    retention: Annotated[float, msgspec.Meta(ge=0, le=36_500)] = 0.0
    """Days after which a closed room's events go from the store into `archive`; 0 = never."""
    archive: Path = Path("data/archive")
    """The folder for the events of closed rooms, where `retention` is set."""
    thinkers: Annotated[int, msgspec.Meta(ge=0, le=256)] = 0
    """How many processes of a worker think for bots; 0 = as many as there are cores."""
    log_level: Literal["debug", "info", "warning", "error"] = "info"
    log_format: Literal["json", "console"] = "json"
    limit_rooms: Limit = 2000
    """Rooms that a player may be in. Here and below, 0 is no limit."""
    limit_members: Limit = 200
    """People whom a room takes in, spectators who joined included."""
    limit_watchers: Limit = 5000
    """Connections that follow one room, a process."""
    limit_subscriptions: Limit = 100
    """Rooms that one socket may follow."""
    limit_sockets_address: Limit = 2000
    """Sockets and streams from one address, a process."""
    limit_sockets_player: Limit = 200
    """Sockets and streams with one player's token, a process."""
    limit_commands: Limit = 500
    """Commands a second by one player, a process; four seconds' worth can be saved up."""
    limit_reads: Limit = 500
    """Reads a second by one player, per process; four seconds' worth can be saved up. Some count as several."""
    limit_reads_address: Limit = 3000
    """Reads a second from one address, per process, with a token and without."""
    limit_lines: Limit = 60
    """Lines of chat a minute by one player, a process; ten can be said at once."""
    limit_hints: Limit = 30
    """Hints a minute by one player, per process; as many can be saved up."""
    limit_guests: Limit = 3000
    """Guests a minute from one address, a process; a whole school may sit behind one."""
    limit_passwords: Limit = 6
    """Passwords a minute by one player for one room, per process."""
    limit_passwords_address: Limit = 120
    """Passwords a minute from one address, per process; each costs some hundredths of a second of a core."""
    limit_admin_tokens: Limit = 10
    """Wrong operators' tokens a minute from one address, per process; then the right one is refused there, too."""

    @property
    def keys(self) -> tuple[bytes, ...]:
        """The signing key, then older ones. Raises `BadSettings` where there is none or one is too short."""
        secret = secret_in("SECRET", self.secret, self.secret_file)
        keys = tuple(line.strip().encode() for line in secret.splitlines() if line.strip())
        if not keys or min(map(len, keys)) < SHORTEST_SECRET:
            raise BadSettings(
                "The signing key is missing or shorter than 32 characters: set TURNSTREAM_SECRET or "
                "TURNSTREAM_SECRET_FILE (`turnstream up` makes one in its data folder)."
            )
        return keys

    @property
    def key(self) -> bytes:
        """The signing key. Raises `BadSettings` where there is none or it is too short."""
        return self.keys[0]

    @property
    def operators(self) -> bytes | None:
        """The operators' token. Raises `BadSettings` for one that can be guessed."""
        token = secret_in("ADMIN_TOKEN", self.admin_token, self.admin_token_file).strip()
        if token and len(token) < SHORTEST_SECRET:
            raise BadSettings("TURNSTREAM_ADMIN_TOKEN is shorter than 32 characters.")
        return token.encode() or None

    @property
    def store_url(self) -> str:
        """The store's URL, with the password where it stands in a file. Raises `BadSettings`."""
        if not self.redis_url:
            raise BadSettings("No store: set TURNSTREAM_REDIS_URL, or run `turnstream up`, which brings its own.")
        if self.redis_password_file is None:
            return self.redis_url
        password = secret_in("REDIS_PASSWORD", "", self.redis_password_file).strip()
        parts = urlsplit(self.redis_url)
        user, _, _ = parts.netloc.rpartition("@")
        host = parts.netloc.rpartition("@")[2]
        return urlunsplit(parts._replace(netloc=f"{user.partition(':')[0]}:{quote(password, safe='')}@{host}"))


def secret_in(name: str, given: str, file: Path | None) -> str:
    """Return a secret from its file if there is one. Raises `BadSettings`."""
    try:
        return file.read_text() if file else given
    except (OSError, UnicodeError) as failure:
        raise BadSettings(f"The file in {PREFIX}{name}_FILE can't be read: {failure}") from None


def refuse_unsafe(settings: Settings) -> None:
    """Raise `BadSettings` in production mode for each default that is there for trying things out."""
    if settings.mode != "production":
        return
    wrong = [
        *(["TURNSTREAM_ORIGINS: name the origins of your pages"] if "*" in settings.origins else []),
        *(["TURNSTREAM_HOSTS: name your hosts"] if "*" in settings.hosts else []),
        *(["TURNSTREAM_REDIS_URL: the store has to ask for a password"] if is_open(settings.store_url) else []),
        *(["TURNSTREAM_LOG_LEVEL: debug tells too much"] if settings.log_level == "debug" else []),
    ]
    if wrong:
        raise BadSettings("\n  ".join(["Not in production mode:", *wrong]))


def is_open(url: str) -> bool:
    """Tell whether anybody in the network who finds a store may use it."""
    parts = urlsplit(url)
    return parts.scheme != "unix" and not parts.password


def read(environment: Mapping[str, str]) -> Settings:
    """Return the settings of an environment. Raises `BadSettings` for unknown names and values that don't fit."""
    given = {
        name.removeprefix(PREFIX).lower(): value
        for name, value in environment.items()
        if name.startswith(PREFIX) and not name.startswith(NOT_SETTINGS)
    }
    known = [field.name for field in msgspec.structs.fields(Settings)]
    unknown = sorted(set(given) - set(known))
    if unknown:
        names = ", ".join(PREFIX + name.upper() for name in unknown)
        raise BadSettings(f"Unknown settings: {names}. Known: {', '.join(PREFIX + name.upper() for name in known)}.")
    try:
        chosen = msgspec.convert(
            {name: spread(name, value) for name, value in given.items()},
            Settings,
            strict=False,
            dec_hook=lambda kind, value: kind(value),
        )
    except msgspec.ValidationError as misfit:
        detail, _, path = str(misfit).partition(" - at `$.")
        field = path.rstrip("`")
        raise BadSettings(f"{PREFIX}{field.upper()}: {detail}{choices(field)}") from None
    refuse_misfits(chosen)
    return chosen


def choices(name: str) -> str:
    """Return what a setting may be, where that is one of a few words."""
    kind = {field.name: field.type for field in msgspec.structs.fields(Settings)}.get(name)
    return f"; it is one of: {', '.join(get_args(kind))}" if get_origin(kind) is Literal else ""


def refuse_misfits(chosen: Settings) -> None:
    """Raise `BadSettings` for what stands in a list and can't be meant: nothing would ever match it."""
    for origin in chosen.origins:
        if not ORIGIN.fullmatch(origin):
            raise BadSettings(
                f"{PREFIX}ORIGINS: {origin!r} is no origin: in small letters, without a path, as in https://play.example"
            )
    for host in chosen.hosts:
        if not HOST.fullmatch(host):
            raise BadSettings(
                f"{PREFIX}HOSTS: {host!r} is no name: without https:// and without a path, as in play.example"
            )
    for network in chosen.trusted_proxies:
        try:
            ip_network(network, strict=False)
        except ValueError as fault:
            raise BadSettings(f"{PREFIX}TRUSTED_PROXIES: {fault}") from None


def spread(name: str, value: str) -> str | list[str]:
    """Return a list's parts, and any other value as it is."""
    return [part.strip() for part in value.split(",") if part.strip()] if name in LISTS else value
