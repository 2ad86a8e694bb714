"""The data folder of `turnstream up`: its signing key, and the settings with which verbs reach what runs on it."""

import os
import secrets
import socket
from pathlib import Path

from msgspec import structs

from service.runtime.settings import BadSettings, Settings

SIGNING_KEY = "secret.key"
STORE_LOCK = "store.lock"
"""The names of files in the folder; the lock file of the store contains the path of its socket."""


def paths_in(chosen: Settings) -> dict[str, Path]:
    """Return the settings of a service whose files are in its data folder."""
    data = chosen.data.resolve()
    witness = (chosen.witness or data / "witness").resolve()
    return {"secret_file": data / SIGNING_KEY, "witness": witness, "store_folder": data}


def with_store(chosen: Settings) -> Settings:
    """Return the settings with the store that `turnstream up` runs on the data folder, unless they name a store.

    Raises `BadSettings` if there is none, and `OSError` for a folder that cannot be read.
    """
    if chosen.redis_url:
        return chosen
    url = running_store(chosen.data)
    if url is None:
        raise BadSettings(
            f"No store is configured, and `turnstream up` does not run on the folder {chosen.data.resolve()}. Start it "
            "there, or set TURNSTREAM_DATA to the folder on which it runs, or TURNSTREAM_REDIS_URL to a store's URL."
        )
    return structs.replace(chosen, redis_url=url, **paths_in(chosen))


def running_store(data: Path) -> str | None:
    """Return the URL of the store that runs on a data folder, None if there is none. Raises `OSError`.

    It takes no lock, because a start at the same moment would then be refused.
    """
    try:
        path = (data / STORE_LOCK).read_text()
        with socket.socket(socket.AF_UNIX) as connection:
            connection.connect(path)
    except (FileNotFoundError, NotADirectoryError, ConnectionRefusedError):
        return None
    return f"unix://{path}"


def create_signing_key(data: Path) -> None:
    """Create this installation's signing key at the first start, for its owner only.

    An empty file, as a full disk leaves, does not count as a key.
    """
    path = data / SIGNING_KEY
    if not (path.exists() and path.stat().st_size):
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        with os.fdopen(descriptor, "a") as file:
            file.write(secrets.token_urlsafe(48) + "\n")
