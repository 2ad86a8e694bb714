"""The service's settings: one frozen struct, read from the environment once and checked before anything starts."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Literal

import msgspec

PREFIX = "TURNSTREAM_"
NOT_SETTINGS = ("TURNSTREAM_TEST_", "TURNSTREAM_LIFELINE")
"""Names that begin alike but are not the service's to read: the tests' own, and the supervisor's to its children."""


class BadSettings(Exception):  # noqa: N818
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
    redis_url: str = ""
    """The store: `redis://`, `rediss://` or `unix://`. `turnstream up` sets it for its own store."""
    partitions: Annotated[int, msgspec.Meta(ge=1, le=4096)] = 16
    """Into how many parts the rooms are spread; fixed when a store is first used."""
    secret: str = ""
    """The key that signs tokens and marks, at least 32 characters; shared by all processes."""
    secret_file: Path | None = None
    """A file with that key, instead of `secret`."""
    origins: tuple[str, ...] = ("*",)
    """Comma-separated origins whose pages may call the API and open sockets."""
    rooms_in_memory: Annotated[int, msgspec.Meta(ge=10)] = 10_000
    """How many rooms a process keeps folded at hand."""
    heartbeat: Annotated[float, msgspec.Meta(gt=0, le=300)] = 15.0
    """Seconds between a feed's heartbeats."""
    drain: Annotated[float, msgspec.Meta(ge=0, le=300)] = 5.0
    """Seconds over which a leaving API process sends its sockets elsewhere."""
    metrics_port: Annotated[int, msgspec.Meta(ge=0, le=65535)] = 0
    """A port of the worker's own for its metrics, on `host`; 0 for none. The API serves its own at `/metrics`."""
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
    limit_subscriptions: Limit = 100
    """Rooms that one socket may follow."""

    @property
    def key(self) -> bytes:
        """The signing key. Raises `BadSettings` where there is none or it is too short."""
        try:
            secret = self.secret_file.read_text().strip() if self.secret_file else self.secret
        except (OSError, UnicodeError) as failure:
            raise BadSettings(f"The signing key in TURNSTREAM_SECRET_FILE can't be read: {failure}") from None
        if len(secret) < 32:
            raise BadSettings(
                "The signing key is missing or shorter than 32 characters: set TURNSTREAM_SECRET or "
                "TURNSTREAM_SECRET_FILE (`turnstream up` makes one in its data folder)."
            )
        return secret.encode()


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
        return msgspec.convert(
            {name: spread(name, value) for name, value in given.items()},
            Settings,
            strict=False,
            dec_hook=lambda kind, value: kind(value),
        )
    except msgspec.ValidationError as misfit:
        detail, _, path = str(misfit).partition(" - at `$.")
        raise BadSettings(f"{PREFIX}{path.rstrip('`').upper()}: {detail}") from None


def spread(name: str, value: str) -> str | list[str]:
    """Return a list's parts, and any other value as it is."""
    return [part.strip() for part in value.split(",") if part.strip()] if name == "origins" else value
