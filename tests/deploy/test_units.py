"""The units of systemd: what they name exists, their settings are valid, and they may do no more than they need."""

import re
import shutil
import subprocess
from configparser import ConfigParser
from pathlib import Path

import pytest

from service.__main__ import VERBS
from service.api.shutdown import LAST_SECONDS
from service.runtime import settings
from service.serving import FINISH_SECONDS
from tests.test_deploy import DEPLOY, ROOT

UNITS = DEPLOY / "systemd"
GUIDE = (ROOT / "docs/systemd.md").read_text()
OURS = sorted(file for file in UNITS.glob("*.service") if file.name != "turnstream-store.service")
NAMES = [file.name.replace("@.", "@1.") for file in UNITS.glob("*.service")]
ANALYZE = shutil.which("systemd-analyze")
MOST_EXPOSED = 1.2
"""As rated by `systemd-analyze security`, from 0 to 10; the guide has this number."""


def values(file: Path, name: str) -> list[str]:
    """Return the values of an option of a unit, which may occur more than once, with `%i` as 1."""
    text = file.read_text().replace("\\\n", " ").replace("%i", "1")
    return re.findall(rf"^{name}=(.*)$", text, re.MULTILINE)


def environment(file: Path) -> dict[str, str]:
    """Return the environment of a unit, with the folders of systemd."""
    found = " ".join(values(file, "Environment")).replace("%d", "/run/credentials").replace("%S", "/var/lib")
    given = [line for line in (UNITS / "turnstream.env").read_text().splitlines() if not line.startswith("#")]
    return dict(part.split("=", 1) for part in [*found.split(), *given])


@pytest.mark.parametrize("file", OURS, ids=lambda file: str(file.name))
def test_a_unit_runs_a_verb_under_settings_that_exist(file: Path) -> None:
    """With its own user of the store, its own folder, and every secret from systemd."""
    [(program, verb)] = [command.split()[:2] for command in values(file, "ExecStart")]
    assert program == "/opt/turnstream/bin/turnstream"
    assert verb in VERBS
    assert file.name.startswith(f"turnstream-{verb}")
    read = settings.read(environment(file))
    settings.check(read, required=())
    assert read.redis_url.startswith(f"unix://{verb}@/run/turnstream-store/")
    [folder] = values(file, "StateDirectory")
    assert read.witness == Path("/var/lib", folder)
    loaded = dict(value.split(":") for value in values(file, "LoadCredential"))
    used = [read.secret_file, read.redis_password_file, read.admin_token_file]
    assert {path.name for path in used if path} == set(loaded)
    assert {Path(path).parent for path in loaded.values()} == {Path("/var/lib/turnstream-store/secrets", verb)}
    [patience] = values(file, "TimeoutStopSec")
    assert float(patience) > read.drain + LAST_SECONDS + FINISH_SECONDS


def test_no_two_processes_share_a_port() -> None:
    """Two API processes run, on the ports of the Caddyfile."""
    read = [settings.read(environment(file)) for file in OURS]
    ports = [each.metrics_port for each in read]
    assert len(set(ports)) == len(ports)
    assert all(f"| {port}" in GUIDE or f"{port}, " in GUIDE for port in ports)
    behind = re.findall(r"127\.0\.0\.1:(\d+)", (UNITS / "Caddyfile").read_text())
    started = re.findall(r"turnstream-api@(\d)\.service", (UNITS / "turnstream.target").read_text())
    assert behind == [f"800{number}" for number in started]


def test_the_store_creates_the_secrets_of_every_unit() -> None:
    """By the script of the containers, in folders that systemd creates."""
    store = UNITS / "turnstream-store.service"
    folders = " ".join(values(store, "StateDirectory")).split()
    assert {f"turnstream-store/secrets/{name}" for name in ("store", "api", "worker", "webhooks", "backup")} < set(
        folders
    )
    assert values(store, "PrivateNetwork") == ["yes"]
    for installed in re.findall(r"/usr/local/lib/turnstream/(\S+)", store.read_text()):
        assert f"deploy/{installed}" in GUIDE
        assert (DEPLOY / installed).is_file()


def test_the_target_starts_every_unit_and_a_drop_in_applies_to_all() -> None:
    """Stopping the target stops them."""
    wanted = " ".join(values(UNITS / "turnstream.target", "Wants")).split()
    assert {re.sub(r"@\d", "@", name) for name in wanted} == {file.name for file in UNITS.glob("*.service")}
    parsed = ConfigParser(strict=False, interpolation=None)
    parsed.read(UNITS / "turnstream-.service.d/hardening.conf")
    assert parsed["Unit"]["PartOf"] == "turnstream.target"
    assert parsed["Service"]["Restart"] == "always"


@pytest.mark.skipif(ANALYZE is None, reason="systemd is not installed here")
@pytest.mark.parametrize("name", NAMES)
def test_a_unit_is_hardly_exposed(name: str, tmp_path: Path) -> None:
    """By the rating of systemd, from 0 to 10."""
    shutil.copytree(UNITS, tmp_path / "etc/systemd/system")
    command = [str(ANALYZE), f"--root={tmp_path}", "security", "--offline=true", "--no-pager", name]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    [rating] = re.findall(r"Overall exposure level for \S+: ([\d.]+)", done.stdout)
    assert float(rating) <= MOST_EXPOSED
    assert f"at {MOST_EXPOSED} or better" in GUIDE
