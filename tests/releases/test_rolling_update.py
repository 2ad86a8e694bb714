"""A rolling update from the release before this one and back: both serve one store side by side, and take turns."""

import contextlib
import itertools
from collections.abc import Iterator
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.e2e.client import ApiClient, Feed, Json, Player, connect_to, events_of
from tests.e2e.endpoint import run_endpoint
from tests.e2e.processes import ROOT, ApiProcess, ServiceProcess, run_processes
from tests.programs.ops.conftest import Verb, verb
from tests.releases import recordings
from tests.releases.differences import Difference, compare_views
from tests.releases.older import OLDER, Release, older
from tests.releases.recordings import put_back, recorded, stored
from tests.releases.scenario import BLITZ, RATED, SETTINGS, done, kinds, paired_room, settle
from tests.store_server import StoreServer
from tests.waiting import wait_for

__all__ = ["older", "verb"]


READINGS = 5
"""How often all views are read at most until nothing has changed between two processes."""


class Running(NamedTuple):
    """A running API and worker of a release."""

    api: ApiProcess
    worker: ServiceProcess
    client: ApiClient


def is_accepted(device: Player) -> bool:
    """Return whether the token of a device is accepted."""
    return device.get("/v1/players/me").status == 200


def is_refused(device: Player) -> bool:
    """Return whether the token of a device is not accepted."""
    return device.get("/v1/players/me").status == 401


@contextlib.contextmanager
def run_release(release: Release) -> Iterator[Running]:
    """Run an API and a worker of a release."""
    api, worker = release.api(), release.worker()
    with run_processes(api, worker), connect_to(api.url) as client:
        yield Running(api, worker, client)


class Play:
    """Matches and everything else that goes on while releases are replaced, through their APIs in turn."""

    def __init__(self, server: StoreServer, tokens: dict[str, str], names: dict[str, str]) -> None:
        """Play with the players of the recording."""
        self._server, self._tokens, self._names = server, tokens, names
        self._numbers = itertools.count(1)
        self._delivered = 0
        """The last version of a player's feed that the webhook has; the first ones are trimmed after some rounds."""
        self._rooms: dict[str, int] = {}
        """The rooms whose matches go on, each with the number of moves so far."""

    def player(self, name: str, client: ApiClient) -> Player:
        """Return a player as a client of a process."""
        return Player(client, self._tokens[name], self._names.get(f"player {name}", ""))

    def go_on(self, one: ApiClient, other: ApiClient) -> None:
        """Do something of every kind, each command through the other process than the one before."""
        number = next(self._numbers)
        self._matches(number, one, other)
        self._accounts(number, one, other)
        self._chat(number, one, other)
        self._challenges(one, other)
        self._seeks(one, other)
        self.rate_match(number, one, other)
        self._tournaments(number, one, other)
        settle(self._server)
        self._webhooks(one)

    def _matches(self, number: int, one: ApiClient, other: ApiClient) -> None:
        """Continue the matches that began earlier, and begin another one; each process notifies its subscribers."""
        anna, ben = self.player("anna", one), self.player("ben", other)
        name = f"update-{number}"
        done(anna.open_room("ternio", name=name, settings={"start": "full", "restart": None}))
        done(ben.command(name, "join"))
        done(self.player("dora", one).command(name, "join"))
        self._rooms[name] = 0
        for room in tuple(self._rooms):
            with anna.subscribe(room) as near, anna.via(other).subscribe(room, state="patch") as far:
                for feed in (near, far):
                    feed.until(lambda frame: frame["type"] == "caught_up")
                for client in (one, other, one):
                    if room in self._rooms:
                        self._move(room, client, (near, far))

    def _move(self, room: str, client: ApiClient, feeds: tuple[Feed, ...]) -> None:
        players = [self.player(name, client) for name in ("anna", "ben", "dora")]
        to_move = done(players[0].read_room(room))["match"]["to_move"]
        if not to_move:  # after four or five rounds
            del self._rooms[room]
            return
        [seat] = to_move
        mover, self._rooms[room] = players[seat], self._rooms[room] + 1
        move, key = done(mover.read_room(room))["match"]["legal_moves"][0], f"move-{self._rooms[room]}"
        sent = done(mover.play(room, move, key=key))
        for feed in feeds:
            assert sent["events"] == self._events(feed, sent["events"])
        repeated = mover.play(room, move, key=key)
        assert (repeated.headers["idempotency-replayed"], repeated.body["events"]) == ("true", sent["events"])

    @staticmethod
    def _events(feed: Feed, sent: list[Json]) -> list[Json]:
        """Return the events of a command from a feed, which also has those of players who come and go."""
        events = events_of(feed.up_to(sent[-1]["version"]))
        return [event for event in events if event["version"] >= sent[0]["version"]]

    def _accounts(self, number: int, one: ApiClient, other: ApiClient) -> None:
        """Make a token by one process; the other accepts it until it is revoked there, then neither does."""
        anna = self.player("anna", one)
        made = done(anna.post("/v1/players/me/tokens", {"name": f"Token {number}", "scopes": ["read"]}))
        devices = [Player(client, made["token"]) for client in (one, other)]
        for device in devices:
            wait_for(partial(is_accepted, device))  # the older release may have an account as it was
        done(anna.via(other).send("DELETE", f"/v1/players/me/tokens/{made['entry']['id']}"))
        for device in devices:
            wait_for(partial(is_refused, device))

    def _webhooks(self, client: ApiClient) -> None:
        """Wait until everything in a player's own feed was sent to the player's webhook."""
        anna, path = self.player("anna", client), f"/v1/players/me/webhooks/{self._names['webhook of anna']}"
        latest = done(anna.get("/v1/players/me/events", since=self._delivered, limit=1))["version"]
        wait_for(lambda: done(anna.get(path))["deliveries"][0]["event"] >= latest)
        self._delivered = latest

    def _chat(self, number: int, one: ApiClient, other: ApiClient) -> None:
        """Say a line through one process, and read it through the other."""
        done(self.player("ben", one).post("/v1/lobby/chat", {"text": f"Line {number}"}))
        lines = done(self.player("clara", other).get("/v1/lobby/chat", limit=100))["lines"]
        assert lines[-1]["text"] == f"Line {number}"

    def _challenges(self, one: ApiClient, other: ApiClient) -> None:
        """Challenge through one process and accept through the other; a worker of either opens the room."""
        asking, asked = self.player("rival 1", one), self.player("rival 2", other)
        before = kinds(asking).count("challenge_opened")
        made = done(asking.post("/v1/challenges", {"game": "morris", "opponents": [asked.id]}))["id"]
        done(asked.post(f"/v1/challenges/{made}/accept", {}))
        wait_for(lambda: kinds(asking).count("challenge_opened") > before)

    def _seeks(self, one: ApiClient, other: ApiClient) -> None:
        """Seek through both processes, and begin the match."""
        players = (self.player("rival 3", one), self.player("rival 4", other))
        for player in players:
            done(player.post("/v1/seeks", {"game": "morris", "clock": BLITZ}))
        room = paired_room(players[1])
        for player in players:
            done(player.command(room, "ready"))
        assert done(players[0].read_room(room))["status"] == "playing"

    def rate_match(self, number: int, one: ApiClient, other: ApiClient) -> None:
        """Play a rated match through both processes, which is rated once."""
        winner, loser = self.player("rival 5", one), other.guest("Newcomer")
        path, room = "/v1/ratings/morris/rapid/entries?limit=1000", f"rated-update-{number}"
        settle(self._server)  # the recorded store has the end of a match that was not delivered
        before = len(done(winner.get(path))["entries"])
        done(winner.open_room("morris", name=room, settings=RATED))
        done(loser.command(room, "join"))
        for player, at in ((winner, "a1"), (loser, "d1")):
            done(player.play(room, {"type": "place", "at": at}))
        done(loser.command(room, "resign"))
        settle(self._server)
        for client in (one, other):
            assert len(done(winner.via(client).get(path))["entries"]) == before + 1

    def _tournaments(self, number: int, one: ApiClient, other: ApiClient) -> None:
        """Play a tournament to its end that was created through the other process."""
        organiser, players = self.player("operator", one), (self.player("rival 7", one), self.player("rival 8", other))
        starts = datetime.fromisoformat(done(organiser.read_room("morris"))["server_time"]) + timedelta(hours=1)
        terms = {"title": f"Update {number}", "game": "morris", "format": "round_robin", "clock": BLITZ}
        made = done(organiser.post("/v1/tournaments", {**terms, "starts": starts.isoformat()}))["tournament"]["id"]
        path = f"/v1/tournaments/{made}"
        for player in players:
            done(player.post(f"{path}/commands", {"type": "register"}))
        done(organiser.via(other).post(f"{path}/commands", {"type": "begin"}))
        [table] = wait_for(lambda: [each for each in done(organiser.get(f"{path}/tables"))["tables"] if each["room"]])
        done(players[1].command(table["room"], "resign"))
        wait_for(lambda: done(organiser.get(path))["tournament"]["status"] == "finished")


@pytest.fixture
def play(own_server: StoreServer) -> Play:
    """Return a play over the recorded store of the older release."""
    put_back(stored(OLDER), own_server)
    recording = recorded(OLDER)
    return Play(own_server, recording.tokens, recording.names)


def differences(old: Running, new: Running, recording: recordings.Recording) -> list[Difference]:
    """Return how the views differ that two releases show; read again if a process recorded meanwhile who has left."""
    found: list[Difference] = []
    for _ in range(READINGS):
        views = [recordings.views(each.client, recording.tokens, recording.names) for each in (old, new)]
        found = compare_views(OLDER, *views)
        if not found:
            break
    return found


@pytest.mark.parametrize("rounds", [1, pytest.param(20, marks=pytest.mark.soak)])
def test_an_update_and_a_rollback_lose_nothing(
    play: Play, own_server: StoreServer, tmp_path: Path, older: Path, verb: Verb, rounds: int
) -> None:
    """First only the older release runs, then both, then only the newer one; then all that again, backwards."""
    recording = recorded(OLDER)
    with run_endpoint(recording.webhooks_at):
        before = Release(older, own_server.url, tmp_path / "older.log", **SETTINGS)
        after = Release(ROOT, own_server.url, tmp_path / "newer.log", **SETTINGS)
        for number in range(rounds):
            with run_release(before) as old:
                play.go_on(old.client, old.client)
                with run_release(after) as new:
                    play.go_on(old.client, new.client)
                    play.go_on(new.client, old.client)
                    old.worker.stop()
                    old.api.stop()
                    play.go_on(new.client, new.client)
                    old.api.start()
                    old.worker.start()
                    play.go_on(new.client, old.client)
                    new.worker.stop()
                    play.rate_match(1000 + number, old.client, old.client)  # then its leaderboard has everything
                    old.worker.stop()  # so that nothing changes meanwhile
                    new.api.stop()
                    new.api.start()  # which looks whether its own leaderboard is behind
                    assert differences(old, new, recording) == []
                    old.worker.start()
                play.go_on(old.client, old.client)
    for derived in ("player-matches", "ratings", "notable"):
        assert (
            verb(own_server, derived, "rebuild").code == 0
        )  # the release before has changed values, and not their MACs
    assert verb(own_server, "verify", "--all").code == 0


def test_each_release_has_its_own_leaderboard(
    play: Play, own_server: StoreServer, tmp_path: Path, older: Path, verb: Verb
) -> None:
    """The older one's has what this one has rated when it rates again, this one's has everything when it is read."""
    seen = list[int]()
    for number, code in enumerate((ROOT, older, ROOT)):
        with run_release(Release(code, own_server.url, tmp_path / "log", **SETTINGS)) as running:
            rival = play.player("rival 5", running.client)
            ratings = done(rival.get(f"/v1/players/{rival.id}/ratings"))["ratings"]
            seen += [rating["matches"] for rating in ratings if rating["rating_class"] == "rapid"]
            play.rate_match(number, running.client, running.client)
    assert seen == [seen[0], seen[0], seen[0] + 2]
    assert verb(own_server, "ratings", "verify").code == 0
