"""Whether this machine has a container engine with the image of the store that tests use."""

import contextlib
import os
import socket
from urllib.parse import urlsplit

from tests.waiting import PATIENCE

IMAGE = "redis:8-alpine"


def engine_answers() -> bool:
    """Return at once whether a container engine answers; the engine's own client would wait for it."""
    url = urlsplit(os.environ.get("DOCKER_HOST", "unix:///var/run/docker.sock"))
    is_unix = url.scheme == "unix"
    address = url.path if is_unix else (url.hostname or "localhost", url.port or 2375)
    with socket.socket(socket.AF_UNIX if is_unix else socket.AF_INET) as probe:
        probe.settimeout(1)
        try:
            probe.connect(address)
            probe.sendall(b"GET /_ping HTTP/1.1\r\nHost: engine\r\nConnection: close\r\n\r\n")
            return b" 200 " in probe.recv(64)
        except OSError:
            return False


def engine_has_image() -> bool:
    """Return whether the engine answers and has the image or can pull it."""
    if not engine_answers():
        return False
    from docker.errors import DockerException, ImageNotFound  # type: ignore[import-untyped]  # noqa: PLC0415 - few tests need it
    from testcontainers.core.config import testcontainers_config  # noqa: PLC0415 - as above
    from testcontainers.core.docker_client import DockerClient  # noqa: PLC0415 - as above

    testcontainers_config.ryuk_disabled = True  # the fixtures remove what they start; the reaper is one image more
    try:
        with contextlib.closing(DockerClient(timeout=PATIENCE).client) as engine:
            try:
                engine.images.get(IMAGE)
            except ImageNotFound:
                engine.images.pull(IMAGE)
    except (DockerException, OSError):
        return False
    return True
