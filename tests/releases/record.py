"""Records this release: `python -m tests.releases.record NAME` plays the scenario, and writes a recording."""

import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from tests.e2e.client import connect_to
from tests.e2e.endpoint import run_endpoint
from tests.e2e.processes import OPERATORS, ApiProcess, ServiceProcess, run_processes
from tests.releases import recordings
from tests.releases.recordings import Recording, StoreCommand
from tests.releases.scenario import SETTINGS, Cast, Stage, play
from tests.store_server import StoreServer, new_server, run_server

LAUNCHER = "tests.releases.fixed_entropy"


class Played(NamedTuple):
    """What the scenario left."""

    store: list[StoreCommand]
    recording: Recording


def record(server: StoreServer, folder: Path) -> Played:
    """Play the scenario over an empty store with this release, and return what it stored and what its API shows."""
    log = folder / "log"
    api = ApiProcess(server.url, log, f"{LAUNCHER} api", **SETTINGS)
    worker = ServiceProcess(f"{LAUNCHER} worker --webhooks", server.url, log, **SETTINGS)
    with run_endpoint() as endpoint, run_processes(api, worker), connect_to(api.url) as client:
        cast = Cast(Stage(client, server, worker, endpoint))
        play(cast)
        store = list(recordings.dump(server))
        tokens = {"": "", "operator": OPERATORS, **cast.tokens}
        views = recordings.views(client, tokens, cast.names)
        return Played(store, Recording(tokens, cast.names, endpoint.server_address[1], views))


@contextmanager
def own_folder() -> Iterator[Path]:
    """Return a folder that is deleted afterwards."""
    with tempfile.TemporaryDirectory() as folder:
        yield Path(folder)


if __name__ == "__main__":
    with own_folder() as folder, run_server(new_server()) as server:
        recordings.write(sys.argv[1], *record(server, folder))
