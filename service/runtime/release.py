"""What a process says of itself: which release runs, and under which settings."""

from functools import cache

import msgspec

from service.runtime.settings import SECRET, Settings


@cache
def release() -> str:
    """Return the version of the installed release, as in `0.1.0`."""
    from importlib.metadata import version  # noqa: PLC0415 - takes longer than the rest of a verb's help

    return version("turnstream")


def changed_settings(settings: Settings) -> dict[str, object]:
    """Return the settings that differ from their defaults, by name; of secrets only that they are set."""
    given, default = (msgspec.to_builtins(each, enc_hook=str) for each in (settings, Settings()))
    return {name: "..." if name in SECRET else value for name, value in given.items() if value != default[name]}
