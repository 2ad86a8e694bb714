"""What `docker-compose.yml`, the images and the proxy guarantee, as far as it can be tested without a container engine.

Each service's command is also run by hand, with its own environment, over a server program of this machine.
"""

import asyncio
import re
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest
import yaml  # type: ignore[import-untyped]  # the package comes without types

from service.__main__ import VERBS
from service.api.shutdown import LAST_SECONDS
from service.programs.embedded_store import server_binary
from service.programs.store_setup import STORE_PATIENCE
from service.runtime import settings
from service.runtime.settings import release
from service.serving import FINISH_SECONDS
from service.store.contract import StoreUnavailable
from service.store.redis.store import RedisStore

ROOT = Path(__file__).parents[1]
DEPLOY = ROOT / "deploy"
COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "docker-compose.yml").read_text())
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]
IMAGES = {name: service.get("image", name) for name, service in SERVICES.items()}
"""The name of the image of each service."""
BUILDS = {IMAGES[name]: service["build"] for name, service in SERVICES.items() if "build" in service}
"""How each image is built."""
DOCKERFILE = {name: BUILDS[image]["dockerfile"] for name, image in IMAGES.items()}
OURS = [name for name, file in DOCKERFILE.items() if file == "deploy/Dockerfile"]
DOCKERFILES = sorted([DEPLOY / "Dockerfile", *DEPLOY.glob("*.Dockerfile")])
BASES = {"python:3.13-slim", "redis:8"}
VARIABLE = re.compile(r"\$\{(\w+):-([^${}]*)\}")


def expand(value: object, **given: str) -> str:
    """Return a value of the compose file with its variables expanded, by their defaults unless given."""
    text = str(value)
    while (inner := VARIABLE.search(text)) is not None:
        text = text.replace(inner[0], given.get(inner[1], inner[2]))
    return text


def environment(name: str, **given: str) -> dict[str, str]:
    """Return the environment of a service."""
    return {key: expand(value, **given) for key, value in SERVICES[name].get("environment", {}).items()}


def seconds(text: str) -> float:
    """Return a time of the compose file."""
    return float(text.removesuffix("s"))


@pytest.mark.parametrize("name", OURS)
def test_a_service_runs_a_verb_under_settings_that_exist(name: str) -> None:
    """It could not start with an unknown verb or setting."""
    program, verb, *_ = SERVICES[name]["command"]
    assert program == "turnstream"
    assert verb in VERBS
    read = settings.read(environment(name))
    assert read.redis_url.split("@")[-1].split("//")[-1].split(":")[0] in SERVICES
    assert read.mode == "production"
    assert read.redis_password_file is not None
    assert read.redis_url.partition("://")[2].partition("@")[0] == name.removeprefix("cluster-")


@pytest.mark.parametrize("name", SERVICES)
def test_a_service_may_do_no_more_than_it_needs(name: str) -> None:
    """A read-only root, no capabilities, no new privileges, a user that isn't root, limits, loopback."""
    service = SERVICES[name]
    assert service["read_only"] is True
    assert service["cap_drop"] == ["ALL"]
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert service["init"] is True
    assert int(service["user"].split(":")[0]) > 10_000
    assert service["mem_limit"]
    assert service["pids_limit"] <= 256
    assert all(expand(port).startswith("127.0.0.1:") for port in service.get("ports", []))
    assert service["logging"]["options"]["max-size"]
    assert service["restart"] == "unless-stopped"


@pytest.mark.parametrize("name", SERVICES)
def test_a_service_has_a_health_check_without_curl_that_succeeds_within_a_minute(name: str) -> None:
    """With programs of its image, without starting an interpreter; a delay of a second does not fail it."""
    check = SERVICES[name]["healthcheck"]
    assert check["test"][0] in {"CMD", "CMD-SHELL"}
    program, *rest = check["test"][1:] if check["test"][0] == "CMD" else check["test"][1].split()
    assert program in {"bash", "redis-cli"}
    assert seconds(check["interval"]) <= 5
    assert seconds(check["timeout"]) >= 3
    assert check["retries"] >= 3
    if program == "bash":
        image = (ROOT / DOCKERFILE[name]).read_text()
        assert f"COPY deploy/{Path(rest[0]).name} {rest[0]}" in image


@pytest.mark.parametrize("name", [*OURS, "proxy"])
def test_a_health_check_waits_longer_than_its_service_may_take_to_start(name: str) -> None:
    """On a busy machine, too; the proxy starts together with the replicas and is healthy after them."""
    check, api = SERVICES[name]["healthcheck"], SERVICES["api"]["healthcheck"]
    longest = seconds(api["start_period"]) + api["retries"] * (seconds(api["interval"]) + seconds(api["timeout"]))
    needed = longest if name == "proxy" else STORE_PATIENCE.total_seconds() + 30
    assert seconds(check["start_period"]) >= needed


def test_the_proxy_removes_a_replica_that_is_not_ready_quickly_and_a_slow_one_slowly() -> None:
    """Three failures take less than two seconds if they are answered, and nine if each is a timeout."""
    settings = (DEPLOY / "haproxy.cfg").read_text()
    patience = float(re.findall(r"timeout check (\d+)s", settings)[0])
    [(inter, quickly, fall)] = re.findall(r"check inter (\d+)s fastinter (\d+)ms fall (\d+) rise 1", settings)
    assert float(inter) + (int(fall) - 1) * float(quickly) / 1000 < 2
    assert int(fall) * patience > 5


@pytest.mark.parametrize(("name", "entry"), [("api", "proxy"), ("cluster-api", "cluster-api")])
def test_pages_of_the_published_port_may_open_sockets(name: str, entry: str) -> None:
    """For any port."""
    for given in ({}, {"TURNSTREAM_PORT": "9999"}):
        published = expand(SERVICES[entry]["ports"][0], **given).split(":")[1]
        allowed = settings.read(environment(name, **given)).origins
        assert allowed[:2] == (f"http://localhost:{published}", f"http://127.0.0.1:{published}")


def test_pages_of_the_domain_may_open_sockets_over_tls() -> None:
    """Of `localhost` for a first look."""
    for given, domain in (({}, "localhost"), ({"TURNSTREAM_DOMAIN": "play.example"}, "play.example")):
        read = settings.read(environment("api", **given))
        assert environment("tls", **given)["TURNSTREAM_DOMAIN"] == domain
        assert read.origins[2:] == (f"https://{domain}",)
        assert domain in read.hosts


@pytest.mark.parametrize("name", SERVICES)
def test_a_service_has_time_to_shut_down(name: str) -> None:
    """The API has more time than it needs to close its sockets and to finish running requests."""
    given = seconds(SERVICES[name]["stop_grace_period"])
    drain = settings.read(environment(name)).drain if name in OURS else 0
    assert given > drain + LAST_SECONDS + FINISH_SECONDS


def test_only_the_proxy_is_published_and_the_store_has_no_route_outside() -> None:
    """The store is on an internal network; the services of profiles are started on request only."""
    published = [name for name, service in SERVICES.items() if "ports" in service and "profiles" not in service]
    assert published == ["proxy"]
    assert COMPOSE["networks"]["back"]["internal"] is True
    assert SERVICES["redis"]["networks"] == SERVICES["worker"]["networks"] == ["back"]
    with_internet = {
        name: service["networks"] for name, service in SERVICES.items() if "outside" in service["networks"]
    }
    assert with_internet == {
        "webhooks": ["back", "outside"],
        "cluster-webhooks": ["cluster", "outside"],
        "tls": ["front", "outside"],
        "alertmanager": ["front", "outside"],
    }
    assert COMPOSE["networks"]["cluster"]["internal"] is True
    assert {profile for service in SERVICES.values() for profile in service.get("profiles", [])} == {
        "tls",
        "metrics",
        "cluster",
    }


def test_everything_that_is_named_exists() -> None:
    """Volumes, networks and services that others wait for; the file contains no secret."""
    for name, service in SERVICES.items():
        for volume in service.get("volumes", []):
            source = volume["source"] if isinstance(volume, dict) else volume.split(":")[0]
            is_folder = isinstance(volume, dict) and volume["type"] == "bind"
            assert (ROOT / expand(source)).is_dir() if is_folder else source in COMPOSE["volumes"], name
        assert set(service["networks"]) <= set(COMPOSE["networks"])
        assert set(service.get("depends_on", {})) <= set(SERVICES)
        assert not [key for key in environment(name) if re.search(r"(PASSWORD|SECRET|TOKEN)$", key)]


def test_each_secret_is_mounted_by_its_service_only() -> None:
    """Read-only, except in the store, which creates them."""
    for volume in ("secrets-api", "secrets-worker", "secrets-webhooks", "secrets-backup"):
        for name, service in SERVICES.items():
            for mount in service.get("volumes", []):
                if isinstance(mount, dict) and mount["source"] == volume:
                    assert name.removeprefix("cluster-") == volume.removeprefix("secrets-")
                    assert mount["read_only"] is True
                elif isinstance(mount, str) and mount.startswith(f"{volume}:"):
                    assert name == "redis"


def test_the_cluster_uses_the_users_of_the_store() -> None:
    """Created by the store, read by the nodes when it is healthy; no other service mounts the original secrets."""
    for name, service in SERVICES.items():
        mounts = [mount for mount in service.get("volumes", []) if "secrets-store" in str(mount)]
        if name.removeprefix("cluster-").isdigit():
            assert [mount["read_only"] for mount in mounts] == [True]
            assert service["depends_on"]["redis"]["condition"] == "service_healthy"
            assert "--aclfile" in (DEPLOY / service["command"][0]).read_text()
        else:
            assert bool(mounts) == (name == "redis")


@pytest.mark.parametrize("file", DOCKERFILES, ids=lambda file: str(file.name))
def test_an_image_is_built_from_existing_files_and_runs_without_root(file: Path) -> None:
    """Two bases, which variables replace, no curl, each source in the build's context, a fixed user that isn't root."""
    lines = file.read_text().replace("\\\n", " ").splitlines()
    steps = [line.split(maxsplit=1) for line in lines if line.strip() and not line.startswith("#")]
    [(name, base)] = [rest.split("=") for word, rest in steps if word == "ARG"]
    assert {rest.split()[0] for word, rest in steps if word == "FROM"} == {f"${{{name}}}"}
    assert base in BASES
    assert steps[0][0] == "ARG"  # before the first stage, as the engine requires
    [given] = {expand(build["args"][name]) for build in BUILDS.values()}
    assert given == base
    assert not [line for line in lines if line.lower().startswith("# syntax") or "curl" in line]
    included = [line[1:] for line in (ROOT / ".dockerignore").read_text().splitlines() if line.startswith("!")]
    for word, rest in steps:
        if word == "COPY" and not rest.startswith("--from"):
            for source in rest.split()[:-1]:
                assert (ROOT / source).exists()
                assert any(Path(source).is_relative_to(kept) for kept in included)
    users = [rest for word, rest in steps if word == "USER"]
    built = [name for name in SERVICES if DOCKERFILE[name] == f"deploy/{file.name}"]
    assert built
    assert {SERVICES[name]["user"] for name in built} == {users[-1]}


@pytest.mark.parametrize("name", SERVICES)
def test_a_service_writes_only_to_its_own_volumes(name: str) -> None:
    """Each is mounted on a folder of its image that belongs to its user."""
    service = SERVICES[name]
    image = (ROOT / DOCKERFILE[name]).read_text().replace("\\\n", " ")
    [given] = re.findall(r"chown (?:-R )?(\S+) ([^\n]*)", image) or [("", "")]
    for mount in service.get("volumes", []):
        if isinstance(mount, str):
            folder = mount.split(":")[1]
            assert given[0] == service["user"]
            assert any(Path(folder).is_relative_to(own) for own in given[1].split() if own.startswith("/"))


def test_the_project_has_a_name() -> None:
    """Regardless of its folder, because the guide names its volumes."""
    assert COMPOSE["name"] == "turnstream"
    guide = "".join(page.read_text() for page in (ROOT / "docs/operating").glob("*.md"))
    named = set(re.findall(r"volume (?:rm )?turnstream_([a-z]\w*)", guide))
    assert named
    assert named <= set(COMPOSE["volumes"])


def test_every_service_that_runs_the_program_has_one_image_named_by_its_release() -> None:
    """Two variables name another one, so that an upgrade and a rollback are another version."""
    assert {expand(IMAGES[name]) for name in OURS} == {f"turnstream:{release()}"}
    other = {"TURNSTREAM_IMAGE": "registry.example/turnstream", "TURNSTREAM_VERSION": "0.2.0"}
    assert {expand(IMAGES[name], **other) for name in OURS} == {"registry.example/turnstream:0.2.0"}


def test_no_two_services_build_an_image_of_the_same_name() -> None:
    """Engines build them concurrently, and some reject the second one; without a name, each has its service's name."""
    assert len(BUILDS) == len([name for name, service in SERVICES.items() if "build" in service])
    assert [name for name in OURS if "build" in SERVICES[name]] == ["worker"]  # whose `run` is all that a restore needs


KB_A_ROOM, KB_A_SOCKET, MB_ITSELF = 320, 26, 75
"""The memory of a room with a long match, of a socket and of the process, from docs/operating/grow.md."""


@pytest.mark.parametrize("name", ["api", "worker", "webhooks"])
def test_the_cluster_has_every_service_that_serves(name: str) -> None:
    """With the same command and the same rights, on the network of the nodes instead of the store's."""
    plain, clustered = SERVICES[name], SERVICES[f"cluster-{name}"]
    assert clustered["command"] == plain["command"]
    assert clustered["profiles"] == ["cluster"]
    assert set(clustered["networks"]) == {each.replace("back", "cluster") for each in plain["networks"]}
    assert settings.read(environment(f"cluster-{name}")).redis_cluster is True
    assert {mount["source"] for mount in plain["volumes"] if isinstance(mount, dict)} <= {
        mount["source"] for mount in clustered["volumes"] if isinstance(mount, dict)
    }


@pytest.mark.parametrize("name", ["api", "cluster-api", "worker", "webhooks", "cluster-worker", "cluster-webhooks"])
def test_the_rooms_in_memory_fit_into_the_container(name: str) -> None:
    """Even if all have long matches and there are 5,000 sockets."""
    limit = expand(SERVICES[name]["mem_limit"])
    given = int(limit[:-1]) * {"m": 1, "g": 1024}[limit[-1]]
    sockets = 5000 if name.endswith("api") else 0
    rooms = settings.read(environment(name)).rooms_in_memory
    assert MB_ITSELF + (rooms * KB_A_ROOM + sockets * KB_A_SOCKET) / 1024 < given


@pytest.mark.parametrize("script", sorted(DEPLOY.glob("*.sh")), ids=lambda script: str(script.name))
def test_a_script_can_be_run_in_every_image(script: Path) -> None:
    """It is executable, for sh or bash, with Unix line ends on every system."""
    assert script.stat().st_mode & 0o111 == 0o111
    shell = script.read_text().splitlines()[0].removeprefix("#!")
    assert shell == ("/bin/bash" if script.name == "health.sh" else "/bin/sh")
    assert b"\r" not in script.read_bytes()
    assert subprocess.run([shell, "-n", script], check=False).returncode == 0
    assert "*.sh text eol=lf" in (ROOT / ".gitattributes").read_text().splitlines()


def test_the_image_of_the_service_is_built_in_stages() -> None:
    """It does not contain the build tools, and not those of the guide."""
    *_, last = (DEPLOY / "Dockerfile").read_text().split("\nFROM ")
    assert "pip" not in last
    assert re.findall(r"--from=(\w+) (\S+)", last) == [("build", "/opt/turnstream"), ("build", "/package")]


async def test_a_store_with_the_settings_in_deploy_is_suitable(tmp_path: Path) -> None:
    """The check at startup has no warnings."""
    program = server_binary()
    if program is None:
        pytest.skip("no server program is installed here")
    socket = tmp_path / "store.sock"
    command = (program, DEPLOY / "redis.conf", "--port", "0", "--unixsocket", socket, "--dir", tmp_path)
    process = await asyncio.create_subprocess_exec(*map(str, command), stdout=asyncio.subprocess.DEVNULL)
    store = RedisStore(f"unix://{socket}")
    try:
        assert await first_answer(store) == []
    finally:
        await store.close()
        process.terminate()
        await process.wait()


async def first_answer(store: RedisStore) -> list[str]:
    """Return the warnings of the check as soon as the store answers."""
    deadline = time.monotonic() + 20
    while True:
        try:
            return await store.check()
        except StoreUnavailable:
            assert time.monotonic() < deadline
            await asyncio.sleep(0.1)
