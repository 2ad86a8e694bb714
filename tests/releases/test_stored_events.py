"""This release stores the events that earlier ones know as they do, byte for byte, apart from ids and times."""

from itertools import chain, zip_longest
from pathlib import Path

import pytest

from tests.releases.differences import EVENTS, plain_events
from tests.releases.record import Played, record
from tests.releases.recordings import names, recorded, stored
from tests.store_server import StoreServer, new_server, run_server


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Played:
    """Return what the scenario leaves with this release."""
    server: StoreServer
    with run_server(new_server()) as server:
        return record(server, Path(tmp_path_factory.mktemp("recording")))


@pytest.mark.parametrize("release", names())
def test_the_same_commands_store_the_same_bytes(played: Played, release: str) -> None:
    """In every stream of every kind."""
    before = plain_events(stored(release), recorded(release).names, EVENTS)
    after = plain_events(played.store, played.recording.names, EVENTS)
    assert after.keys() == before.keys()
    pairs = [(stream, chain(*before[stream]), chain(*after[stream])) for stream in before]
    events = [(stream, *pair) for stream, one, other in pairs for pair in zip_longest(one, other)]
    assert [(stream, one, other) for stream, one, other in events if one != other] == []
