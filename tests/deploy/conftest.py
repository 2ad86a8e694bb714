"""The services of the compose file on this machine: their commands and environments, other addresses and folders."""

import contextlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
import redis

from service.programs.embedded_store import server_binary
from tests.e2e.client import ApiClient, connect_to
from tests.store_server import free_port, memory
from tests.test_deploy import DEPLOY, ROOT, SERVICES, environment
from tests.waiting import PATIENCE


class Running(NamedTuple):
    """A running service: its process and its log file."""

    process: "subprocess.Popen[bytes]"
    log: Path


class Site:
    """The running services."""

    def __init__(self, folder: Path) -> None:
        """Use this folder for volumes and logs."""
        self.folder = folder
        self.store_port, self.proxy_port, self.tls_port, self.proxy_metrics_port = (free_port() for _ in range(4))
        self.api_ports = (free_port(), free_port())
        self.metrics_ports = {name: free_port() for name in ("api-0", "api-1", "worker", "webhooks", "backup")}
        self.running: dict[str, Running] = {}
        for volume in (
            "store",
            "backups",
            *(f"secrets/{name}" for name in ("store", "api", "worker", "webhooks", "backup")),
        ):
            (folder / volume).mkdir(parents=True)

    @property
    def proxy(self) -> str:
        """The URL for clients."""
        return f"http://127.0.0.1:{self.proxy_port}"

    def store(self, user: str) -> "redis.Redis":
        """Return a client of the store as one of its users."""
        password = (self.folder / "secrets" / user / "redis.password").read_text().strip()
        return redis.Redis(port=self.store_port, username=user, password=password)

    def start(self, name: str, command: list[str], settings: dict[str, str]) -> None:
        """Start a service."""
        log = self.folder / f"{name}.log"
        theirs = {key: value for key, value in os.environ.items() if not key.startswith("TURNSTREAM_")}
        path = f"{self.folder / 'bin'}:{theirs['PATH']}"
        with log.open("ab") as out:
            process = subprocess.Popen(
                command, cwd=ROOT, env={**theirs, **settings, "PATH": path}, stdout=out, stderr=out
            )
        self.running[name] = Running(process, log)

    def start_store(self) -> None:
        """Start the store by its own script."""
        folder = {"SECRETS": f"{self.folder}/secrets", "STORE": f"{self.folder}/store", "PORT": str(self.store_port)}
        settings = {**environment("redis"), **folder, "CONFIG": str(DEPLOY / "redis.conf")}
        self.start("redis", ["sh", str(DEPLOY / "redis-start.sh")], settings)
        self.wait_for("redis", lambda: bool(self.store("api").ping()))

    def start_service(self, name: str, service: str, port: int | None = None) -> None:
        """Start a service with the environment of the compose file, except for addresses and folders."""
        settings = {key: self.here(service, value) for key, value in environment(service).items()}
        if port is not None:
            settings["TURNSTREAM_PORT"] = str(port)
        settings["TURNSTREAM_HOST"] = "127.0.0.1"
        settings["TURNSTREAM_METRICS_PORT"] = str(self.metrics_ports[name])
        program, *rest = SERVICES[service]["command"]
        assert program == "turnstream"
        self.start(name, [sys.executable, "-m", "service", *(self.here(service, word) for word in rest)], settings)

    def here(self, service: str, text: str) -> str:
        """Return the local equivalent of an address or a folder in the containers."""
        places = {"/run/turnstream": f"{self.folder}/secrets/{service}", "/backups": f"{self.folder}/backups"}
        places |= {"/archive": f"{self.folder}/archive", "/witness": f"{self.folder}/witness-{service}"}
        places |= {"@redis:6379": f"@127.0.0.1:{self.store_port}", "10.0.0.0/8": "127.0.0.0/8,10.0.0.0/8"}
        for there, place in places.items():
            text = text.replace(there, place)
        return f"{self.folder}/store" if text == "/store" else text

    def start_proxy(self, name: str = "proxy", port: int = 0, **given: str) -> None:
        """Start the proxy as its image does, with the local addresses of the two replicas, and wait until it is ready.

        `given` are variables of the compose file.
        """
        ports = (port, free_port(), free_port()) if port else (self.proxy_port, self.tls_port, self.proxy_metrics_port)
        settings = (DEPLOY / "haproxy.cfg").read_text()
        for there, here in zip(("8080", "8081", "8405"), ports, strict=True):
            settings = settings.replace(f"bind :{there}", f"bind 127.0.0.1:{here}")
            settings = settings.replace(f"dst_port {there}", f"dst_port {here}")
        found = "    server-template api 20 api:8000\n"
        assert found in settings
        servers = [f"    server api{port} 127.0.0.1:{port}\n" for port in self.api_ports]
        settings = settings.replace(found, "".join(servers)).replace(" resolvers engine init-addr none", "")
        file = self.folder / f"{name}.cfg"
        file.write_text(settings)
        [words] = re.findall(r"^CMD (\[.*\])$", (DEPLOY / "proxy.Dockerfile").read_text(), re.MULTILINE)
        command = [word.replace("/etc/turnstream/haproxy.cfg", str(file)) for word in json.loads(words)]
        self.start(name, command, environment("proxy", **given))
        self.wait_for(name, lambda: is_ready(f"http://127.0.0.1:{port or self.proxy_port}"))

    def wait_for(self, name: str, well: Callable[[], bool]) -> None:
        """Wait until a service is healthy."""
        deadline = time.monotonic() + PATIENCE
        while True:
            running = self.running[name]
            assert running.process.poll() is None, running.log.read_text()
            with contextlib.suppress(OSError, redis.RedisError):
                if well():
                    return
            assert time.monotonic() < deadline, running.log.read_text()
            time.sleep(0.1)

    def stop(self, name: str) -> int:
        """Stop a service and return its exit code."""
        process = self.running.pop(name).process
        process.terminate()
        return process.wait(30)


def is_ready(url: str) -> bool:
    """Return whether the API answers at this address."""
    with connect_to(url) as client:
        try:
            return client.anonymous().get("/health/ready").status == 200
        except Exception as failure:
            raise OSError from failure


@pytest.fixture(scope="module")
def stores_folder() -> Iterator[Path]:
    """Return a folder in which a store that syncs every write answers in time, whatever else writes to the disk."""
    with tempfile.TemporaryDirectory(prefix="turnstream-", dir=memory()) as folder:
        yield Path(folder)


@pytest.fixture(scope="module")
def site(stores_folder: Path) -> Iterator[Site]:
    """Run the store, two API processes, a worker, what sends to webhooks, the backup service and the proxy."""
    program = server_binary()
    if program is None or shutil.which("haproxy") is None:
        pytest.skip("no server program or no haproxy (apt-get install haproxy) on this machine")
    site = Site(stores_folder)
    (site.folder / "bin").mkdir()
    (site.folder / "bin/redis-server").symlink_to(program)
    try:
        site.start_store()
        for number, port in enumerate(site.api_ports):
            site.start_service(f"api-{number}", "api", port)
        for name in ("worker", "webhooks", "backup"):
            site.start_service(name, name)
        for number, port in enumerate(site.api_ports):
            site.wait_for(f"api-{number}", lambda port=port: is_ready(f"http://127.0.0.1:{port}"))  # type: ignore[misc]  # a default
        site.start_proxy()
        time.sleep(2.5)  # the proxy checks each replica once a second
        yield site
    finally:
        for name in list(reversed(site.running)):
            site.stop(name)


@pytest.fixture
def front(site: Site) -> Iterator[ApiClient]:
    """Return a client of the proxy."""
    with connect_to(site.proxy) as client:
        yield client
