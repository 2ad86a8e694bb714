"""This release over the recorded stores of earlier ones: it shows what they showed, finds no damage, and continues."""

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.client import ApiClient, Player, connect_to
from tests.e2e.community_figures import played_match, shown_tallies, tallies
from tests.e2e.endpoint import Endpoint, run_endpoint
from tests.e2e.processes import ApiProcess, ServiceProcess, run_processes
from tests.programs.ops.conftest import Verb, verb
from tests.releases import recordings
from tests.releases.differences import compare_views
from tests.releases.recordings import Recording, put_back, recorded, stored
from tests.releases.scenario import SETTINGS, done, kinds, paired_room, settle, wait_for_turn
from tests.store_server import StoreServer
from tests.waiting import wait_for

__all__ = ["verb"]

RELEASES = recordings.names()


@pytest.fixture(params=RELEASES)
def release(request: pytest.FixtureRequest, own_server: StoreServer) -> str:
    """Write the recorded store of each release in turn, and return its name."""
    put_back(stored(request.param), own_server)
    return str(request.param)


@contextlib.contextmanager
def api_over(server: StoreServer, folder: Path) -> Iterator[ApiClient]:
    """Run an API process of this release."""
    api = ApiProcess(server.url, folder / "log", **SETTINGS)
    with run_processes(api), connect_to(api.url) as client:
        yield client


@pytest.mark.parametrize("keeps_snapshots", [True, False])
def test_everything_is_shown_as_by_the_release(
    release: str, own_server: StoreServer, tmp_path: Path, *, keeps_snapshots: bool
) -> None:
    """To everybody, from its snapshots and from events alone, except for the listed differences."""
    if not keeps_snapshots:
        for key in own_server.execute("KEYS", "*:states:*"):
            own_server.execute("DEL", key)
    recording = recorded(release)
    with api_over(own_server, tmp_path) as client:
        views = recordings.views(client, recording.tokens, recording.names)
    assert compare_views(release, recording.views, views) == []


def test_nothing_is_damaged(release: str, own_server: StoreServer, verb: Verb, tmp_path: Path) -> None:
    """Neither rooms nor other streams, nor what is computed from them; and everything can be exported and restored."""
    assert release
    for arguments in (("verify", "--all"), ("ratings", "verify"), ("export", str(tmp_path / "export.jsonl"))):
        assert verb(own_server, *arguments).code == 0


def test_matches_count_by_the_rules_of_this_release(release: str, own_server: StoreServer, tmp_path: Path) -> None:
    """Whatever the index of the release says: histories and results follow from the events of the matches."""
    recording = recorded(release)
    with api_over(own_server, tmp_path) as client:
        operator, aborted = Player(client, recording.tokens["operator"]), 0
        for player in (value for name, value in recording.names.items() if name.startswith("player ")):
            results = [shown_tallies(done(operator.get(f"/v1/players/{player}"))["results"])]
            rows = done(operator.get(f"/v1/players/{player}/matches", limit=100))["matches"]
            results.append(shown_tallies(done(operator.get(f"/v1/players/{player}"))["results"]))
            matches = [played_match(operator, done(operator.get(f"/v1/matches/{row['id']}"))) for row in rows]
            assert [row["counts"] for row in rows] == [match.counts for match in matches]
            outcomes = [match.outcome(player) for match in matches]
            assert [row["outcome"] for row in rows] == outcomes
            assert results == [tallies(zip((match.game for match in matches), outcomes, strict=True))] * 2
            aborted += sum(not match.counts for match in matches)
    assert aborted


class Continued:
    """A recorded store over which this release runs."""

    def __init__(
        self,
        client: ApiClient,
        server: StoreServer,
        worker: ServiceProcess,
        endpoint: Endpoint,
        recording: Recording,
    ) -> None:
        """Continue what was recorded."""
        self.client, self.server, self.worker = client, server, worker
        self.endpoint, self.recording = endpoint, recording

    def __getitem__(self, name: str) -> Player:
        return Player(self.client, self.recording.tokens[name], self.recording.names.get(f"player {name}", ""))

    def thing(self, name: str) -> str:
        """Return the id of something."""
        return self.recording.names[name]

    def before(self, path: str, viewer: str) -> Any:
        """Return what was shown when it was recorded."""
        return self.recording.views[path][viewer]["body"]


@pytest.fixture
def continued(release: str, own_server: StoreServer, tmp_path: Path) -> Iterator[Continued]:
    """Run an API and a worker of this release over the recorded store, and the endpoint of its webhooks."""
    recording = recorded(release)
    worker = ServiceProcess("service worker --webhooks", own_server.url, tmp_path / "worker.log", **SETTINGS)
    with (
        run_endpoint(recording.webhooks_at) as endpoint,
        api_over(own_server, tmp_path) as client,
        run_processes(worker),
    ):
        settle(own_server)
        yield Continued(client, own_server, worker, endpoint, recording)


def test_every_kind_continues(continued: Continued, tmp_path: Path, verb: Verb) -> None:
    """First what was left undelivered and due, then commands; afterwards another process sees the same, undamaged."""
    for check in (delivered, webhooks, accounts, seeks, talk, rooms, tournaments):
        check(continued)
    settle(continued.server)
    continued.worker.stop()  # so that nothing changes meanwhile
    recording = continued.recording
    recordings.views(continued.client, recording.tokens, recording.names)  # reading feeds adds keys, as do all below
    with api_over(continued.server, tmp_path) as other:
        cold = recordings.views(other, recording.tokens, recording.names)
    warm = recordings.views(continued.client, recording.tokens, recording.names)
    assert compare_views("", warm, cold) == []
    assert verb(continued.server, "verify", "--all").code == 0
    assert verb(continued.server, "ratings", "verify").code == 0


def delivered(continued: Continued) -> None:
    """Check what was in the outboxes and in the due sets when the release stopped."""
    anna = continued["anna"]
    path = "/v1/ratings/morris/rapid/entries"
    assert len(done(anna.get(path))["entries"]) == len(continued.before(path, "")["entries"]) + 1
    new = kinds(anna)[len(continued.before("/v1/players/me/events?limit=1000", "anna")["events"]) :]
    assert {"match_began", "turn_began", "match_finished", "rating_changed", "challenge_accepted"} <= set(new)
    wait_for(lambda: "challenge_opened" in kinds(continued["clara"]))
    wait_for_turn(continued["dora"], "solo")


def webhooks(continued: Continued) -> None:
    """Check that what was not sent yet is sent."""
    path = f"/v1/players/me/webhooks/{continued.thing('webhook of anna')}"
    sent = len(continued.before(path, "anna")["deliveries"])
    wait_for(lambda: len(done(continued["anna"].get(path))["deliveries"]) >= min(50, sent + 5))
    assert continued.endpoint.next().json["type"]


def accounts(continued: Continued) -> None:
    """Check that valid tokens and codes are accepted and others are not; make another one and revoke it."""
    anna, anybody = continued["anna"], continued.client.anonymous()
    for name in ("anna", "anna's phone", "anna's laptop", "ben", "dora"):
        assert done(continued[name].get("/v1/players/me"))
    for name in ("anna's tablet", "ben before", "emil"):
        assert continued[name].get("/v1/players/me").status == 401
    assert continued["banned"].get("/v1/players/me").status == 403
    linked = done(anybody.post("/v1/link_codes", {"code": continued.thing("code to link")}))["token"]
    made = done(Player(continued.client, linked).post("/v1/players/me/tokens", {"name": "TV", "scopes": ["read"]}))
    done(anna.send("DELETE", f"/v1/players/me/tokens/{made['entry']['id']}"))
    wait_for(lambda: Player(continued.client, made["token"]).get("/v1/players/me").status == 401)


def seeks(continued: Continued) -> None:
    """Match the open seek, and begin the match."""
    seeker = continued["rival 6"]
    done(seeker.post("/v1/seeks", {"game": "rainbow"}))
    room = paired_room(seeker)
    for player in (seeker, continued["clara"]):
        done(player.command(room, "ready"))


def talk(continued: Continued) -> None:
    """Repeat a line, which is not said again, and say another one; mutes and bans last."""
    repeated = continued["anna"].post("/v1/lobby/chat", {"text": "anna says hello"}, {"idempotency-key": "hello"})
    assert repeated.headers["idempotency-replayed"] == "true"
    done(continued["anna"].post("/v1/lobby/chat", {"text": "Still here"}))
    lines = done(continued["anna"].get("/v1/lobby/chat"))["lines"]
    assert [line["text"] for line in lines][-1] == "Still here"
    assert len(lines) == len(continued.before("/v1/lobby/chat", "anna")["lines"]) + 1
    assert continued["rival 0"].post("/v1/lobby/chat", {"text": "Hm"}).status == 403


def rooms(continued: Continued) -> None:
    """Repeat commands, which are remembered; accept the offered draws and the invitation."""
    anna, ben, dora = (continued[name] for name in ("anna", "ben", "dora"))
    for game, players in {"morris": (ben,), "ternio": (ben, dora), "rainbow": (ben,), "turncoat": (ben,)}.items():
        before = continued.before(f"/v1/rooms/{game}", "anna")
        again = ben.command(game, "join", key="join-0")
        assert (again.status, again.headers["idempotency-replayed"]) == (200, "true")
        for player in players:
            done(player.command(game, "answer", offer=before["offers"][0]["id"], accept=True))
        assert done(anna.read_room(game, at=before["version"]))["match"]["status"] == "playing"
        assert done(anna.read_room(game))["match"]["status"] == "finished"
    done(continued["rival 7"].post(f"/v1/invitations/{continued.thing('invitation open')}", {"as": "spectator"}))


def tournaments(continued: Continued) -> None:
    """Register for one that has not begun; in another one the next round begins."""
    running, waiting = (f"/v1/tournaments/{continued.thing(f'tournament {name}')}" for name in ("running", "waiting"))
    done(continued["rival 8"].post(f"{waiting}/commands", {"type": "register"}))

    def has_begun() -> bool:
        tables = done(continued["anna"].get(f"{running}/tables"))["tables"]
        return tables[0]["round"] == 2 and all(table["room"] for table in tables)

    wait_for(has_begun)
