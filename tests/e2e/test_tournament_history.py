"""The history checker finds each kind of fault in a tournament, and none in a correct one."""

import copy
from typing import Any

import pytest

from tests.e2e.history import Attempt, Command
from tests.e2e.tournament_history import ShownView, Tally, tournament_faults

Json = dict[str, Any]

STORED: list[Json] = [
    {"type": "tournament_created", "terms": {"format": "swiss", "seats": 2}},
    *({"type": "player_registered", "player": player} for player in ("ada", "bob", "cleo")),
    {"type": "player_withdrawn", "player": "cleo", "reason": "withdrew"},
    {"type": "player_registered", "player": "cleo"},
    {"type": "play_began"},
    {"type": "round_paired", "round": 1, "tables": [{"number": 1, "players": ["ada", "bob"]}], "byes": ["cleo"]},
    {"type": "table_opened", "table": 1, "room": "friday", "epoch": "e1"},
    {"type": "table_ended", "table": 1, "places": [1, 2], "match_id": "friday.e1.1", "absent": []},
    {"type": "tournament_finished"},
]
MATCH: Json = {"type": "tournament_match", "round": 1, "room": "friday"}
OVER: Json = {"type": "tournament_over"}


def numbered(events: list[Json]) -> list[Json]:
    """Return events with versions from 1."""
    return [{**event, "version": version} for version, event in enumerate(events, 1)]


def view_at(version: int, since: int | None = None) -> ShownView:
    """Return the view of a version as a feed shows it."""
    tally = Tally()
    for event in numbered(STORED)[:version]:
        tally.add(event)
    summary = {"status": tally.status, "round": tally.round, "players": len(tally.active), "version": version}
    tables = {
        str(number): {**table, "players": [{"player": player} for player in table["players"]]}
        for number, table in tally.tables.items()
    }
    view = {"tournament": summary, "standings": tally.standings(), "tables": tables, "byes": []}
    return ShownView(version, copy.deepcopy(view), since)


def acknowledged(player: str, kind: str, version: int, room: str = "t1") -> Command:
    """Return a command that was acknowledged at a version."""
    return Command(room, player, "k", {"type": kind}, [Attempt(200, version=version)])


class Recorded:
    """What the clients of the correct tournament recorded."""

    def __init__(self) -> None:
        """Record everything as it was."""
        self.stored = copy.deepcopy(STORED)
        self.commands = [
            *(acknowledged(player, "register", version) for player, version in (("ada", 2), ("bob", 4), ("cleo", 4))),
            *(acknowledged("cleo", kind, version) for kind, version in (("withdraw", 5), ("register", 6))),
            acknowledged("bob", "resign", 9, "friday"),
        ]
        self.feed = [view_at(1), view_at(5, since=1), view_at(9), view_at(10, since=9), view_at(11, since=10)]
        self.own = {"ada": [MATCH, OVER], "bob": [MATCH, OVER], "cleo": [OVER]}

    def faults(self) -> str:
        """Return what the checker finds."""
        shown = self.feed[-1]
        return "\n".join(tournament_faults(numbered(self.stored), self.commands, [self.feed], shown, self.own))


def test_a_correct_tournament_has_no_faults() -> None:
    """Nor has one with a command whose outcome is unknown."""
    recorded = Recorded()
    assert not recorded.faults()
    recorded.commands.append(Command("t1", "dora", "k", {"type": "register"}, [Attempt()]))
    assert not recorded.faults()


@pytest.mark.parametrize("index", range(len(STORED)))
def test_an_event_that_is_missing_or_stored_twice_is_found(index: int) -> None:
    """At whatever place."""
    missing, doubled = Recorded(), Recorded()
    del missing.stored[index]
    doubled.stored.insert(index, doubled.stored[index])
    assert missing.faults()
    assert doubled.faults()


@pytest.mark.parametrize(
    ("index", "changes", "fault"),
    [
        (9, {"places": [2, 1]}, "bob resigned in friday"),
        (9, {"places": [1, 1]}, "standings at version 10"),
        (8, {"room": "sunday"}, "tables at version 9"),
        (7, {"byes": ["cleo", "ada"]}, "round 1 has"),
        (7, {"byes": []}, "round 1 has"),
        (7, {"round": 2}, "round 2 follows 0"),
        (2, {"player": "dora"}, "standings at version 5"),
    ],
)
def test_an_event_that_is_stored_otherwise_is_found(index: int, changes: Json, fault: str) -> None:
    """By what clients were answered or sent."""
    recorded = Recorded()
    recorded.stored[index] |= changes
    assert fault in recorded.faults()


def test_what_clients_were_not_sent_or_did_not_ask_for_is_found() -> None:
    """Commands, frames, and events of own feeds."""
    [lost, unasked, refused, skipped, returned, unsent, sent_twice] = [Recorded() for _ in range(7)]
    lost.commands.append(acknowledged("dora", "register", 7))
    assert "register of dora was acknowledged at 7" in lost.faults()
    del unasked.commands[0]
    assert "ada: player_registered without a command" in unasked.faults()
    refused.commands[0].attempts = [Attempt(409, "tournament_full")]
    assert "ada: player_registered without a command" in refused.faults()
    del skipped.feed[3]
    assert "a patch from 10 to 11 was sent after 9" in skipped.faults()
    returned.feed.insert(3, view_at(8))
    assert "version 8 after 9" in returned.faults()
    unsent.own["ada"] = [OVER]
    assert "ada was sent []" in unsent.faults()
    sent_twice.own["bob"] = [MATCH, MATCH, OVER]
    assert "bob was sent" in sent_twice.faults()


@pytest.mark.parametrize(
    ("path", "value"),
    [(("standings", "ada", "points"), 2.0), (("standings", "bob", "rank"), 1), (("tournament", "round"), 2)],
)
def test_a_view_that_is_not_that_of_its_version_is_found(path: tuple[str, ...], value: object) -> None:
    """In the middle of a feed."""
    recorded, found = Recorded(), Recorded().feed[3]
    inner: Json = found.view
    for name in path[:-1]:
        inner = inner[name]
    inner[path[-1]] = value
    recorded.feed[3] = found
    assert f"{path[0] if path[0] == 'standings' else 'round'} at version 10" in recorded.faults()
