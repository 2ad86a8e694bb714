"""The history checker for tournaments: compares what clients recorded with the stored events, by a fold of its own.

- Versions are contiguous. No round is begun twice, no table is opened or ended twice, and in each round every player
  who takes part has one match or a bye.
- After a `register` or `withdraw` that was acknowledged at a version, the player takes part or does not. No player
  enters or leaves more often than commands were sent that may have done it.
- Each frame of a feed continues the one before, and every view that a feed or GET has shown has the rounds, tables and
  standings of its version, counted again from the events.
- A player whose `resign` was acknowledged is last at that table.
- Own feeds name each match of their player once, and the end of the tournament once.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, NamedTuple

from service.domain.ids import PlayerId
from service.domain.tournaments.standings import PlayedTable
from tests.domain.tournaments.test_standings import Recount
from tests.e2e.history import Command

Json = dict[str, Any]

TIE_BREAKS = {
    "swiss": ("buchholz", "sonneborn_berger"),
    "round_robin": ("sonneborn_berger", "wins"),
    "arena": ("wins", "sonneborn_berger"),
}

UNTOUCHED: Json = {"room": None, "epoch": None, "match_id": None, "places": None, "absent": []}
"""What happens to a table, before it has."""


class ShownView(NamedTuple):
    """A view of a tournament that a client was sent, patched if only the changes were sent."""

    version: int
    view: Json
    since: int | None = None
    """The version of the view that was patched; None for a whole view."""


class Tally:
    """A tournament as its events up to a version describe it."""

    def __init__(self) -> None:
        """Start before the first event."""
        self.version = self.round = 0
        self.status = "registration"
        self.terms: Json = {}
        self.left: dict[str, str | None] = {}
        """Why players left, None while they take part."""
        self.tables: dict[int, Json] = {}
        self.byes: dict[int, list[str]] = {}
        """The players without a match, by round."""
        self.faults: list[str] = []

    @property
    def active(self) -> set[str]:
        """The players who take part."""
        return {player for player, reason in self.left.items() if reason is None}

    @property
    def rooms(self) -> set[str | None]:
        """The rooms of all tables."""
        return {table["room"] for table in self.tables.values()}

    @property
    def busy(self) -> dict[str, int]:
        """The tables of running matches by player."""
        return {
            player: number for number, each in self.tables.items() if not each["places"] for player in each["players"]
        }

    def add(self, event: Json) -> None:
        """Fold an event, unless it cannot follow those before, which is noted."""
        self.faults += [f"version {event['version']}: {fault}" for fault in self._misfits(event)]
        if self.faults:
            return
        self.version = event["version"]
        match event["type"]:
            case "tournament_created":
                self.terms = event["terms"]
            case "player_registered":
                self.left[event["player"]] = None
            case "player_withdrawn" if self.status == "registration":
                self.left.pop(event["player"], None)
            case "player_withdrawn":
                self.left[event["player"]] = event["reason"]
            case "play_began":
                self.status = "playing"
            case "round_paired":
                self.round, self.byes[event["round"]] = event["round"], event["byes"]
                untouched = {**UNTOUCHED, "round": event["round"]}
                self.tables |= {each["number"]: {**untouched, "players": each["players"]} for each in event["tables"]}
            case "table_opened" | "table_ended":
                self.tables[event["table"]] |= {name: event[name] for name in event.keys() & UNTOUCHED.keys()}
            case "tournament_finished":
                self.status = "finished"

    def _misfits(self, event: Json) -> Iterator[str]:
        """Yield why an event cannot follow those before."""
        if event["version"] != self.version + 1:
            yield f"follows {self.version}"
        if (event["type"] == "tournament_created") == bool(self.terms):
            yield f"{event['type']} of a tournament with the terms {self.terms}"
        enters = {"player_registered": True, "player_withdrawn": False}.get(event["type"])
        if enters is not None and enters == (event["player"] in self.active):
            yield f"{event['type']} of {event['player']} is repeated"
        table = self.tables.get(event.get("table", 0), {})
        match event["type"]:
            case "play_began" if self.status != "registration":
                yield "began twice"
            case "round_paired":
                yield from self._misfits_of_round(event)
            case "table_opened" if not table or table["room"] or event["room"] in self.rooms:
                yield f"{event['room']} was opened for table {event['table']}, which is {table}"
            case "table_ended" if not table.get("room") or table["places"]:
                yield f"table {event['table']} ended as {event['places']} after {table}"
            case "tournament_finished" if self.busy or self.status != "playing":
                yield f"finished while {self.status}, and {self.busy} play"

    def _misfits_of_round(self, event: Json) -> Iterator[str]:
        """Yield what is wrong with a round."""
        named = [player for each in event["tables"] for player in each["players"]] + event["byes"]
        if event["round"] != self.round + 1 or self.busy:
            yield f"round {event['round']} follows {self.round}, of which {self.busy} play"
        if sorted(named) != sorted(self.active):
            yield f"round {event['round']} has {named} of {self.active}"

    def counted(self) -> list[PlayedTable]:
        """Return the results that count."""
        ended = [
            PlayedTable(each["round"], tuple(each["players"]), tuple(each["places"]), tuple(each["absent"]))
            for each in self.tables.values()
            if each["places"]
        ]
        return self._without_leavers(ended) if self.terms["format"] == "round_robin" else ended

    def _without_leavers(self, ended: list[PlayedTable]) -> list[PlayedTable]:
        """Return what counts in a round robin: leavers before half of their matches never were there, others lose."""
        gone = [PlayerId(player) for player in self.left if player not in self.active and player not in self.busy]
        present = Counter(
            player for table in ended for seat, player in enumerate(table.players) if seat not in table.absent
        )
        void = {player for player in gone if present[player] < (len(self.left) - 1) / 2}
        lost = [
            PlayedTable(0, (PlayerId(other), player), (1, 2), is_walkover=True)
            for player in set(gone) - void
            for other in self.left.keys() - gone - {player}
            if not any({other, player} <= set(table.players) for table in ended)
        ]
        return [table for table in ended if not void & set(table.players)] + lost

    def standings(self) -> Json:
        """Return the rows of those who take part or have taken part, by player."""
        form, tables, busy = self.terms["format"], self.counted(), self.busy
        met = {player for each in self.tables.values() for player in each["players"]}
        byes = Counter(PlayerId(player) for players in self.byes.values() for player in players)
        recount = Recount(form, self.terms["seats"], tables, dict(byes), self.round - bool(busy))
        rows = Json()
        shown = [PlayerId(player) for player in self.left if player in self.active | met | byes.keys()]
        for player, rank, (points, *tie_breaks) in recount.rows(shown):
            had = recount.had(player)
            first = [table for table in had if table.places[table.players.index(player)] == 1]
            wins = sum(table.places.count(1) == 1 for table in first)
            rows[player] = {
                "rank": rank,
                "points": float(points),
                "tie_breaks": dict(zip(TIE_BREAKS[form], map(float, tie_breaks), strict=True)),
                "played": sum(not table.is_walkover for table in had),
                "wins": wins,
                "draws": len(first) - wins,
                "byes": byes[player],
                "table": busy.get(player),
                "left": self.left[player],
            }
        return rows

    def misfits(self, view: Json) -> list[str]:
        """Return what a view of this version shows otherwise."""
        tournament = view.get("tournament", {})
        shown = {
            "status": tournament.get("status"),
            "round": tournament.get("round"),
            "players": tournament.get("players"),
            "standings": {
                player: {
                    name: value for name, value in row.items() if name not in {"player", "nickname", "rating", "bot"}
                }
                for player, row in view.get("standings", {}).items()
            },
            "tables": {
                int(number): {name: value for name, value in table.items() if name not in {"number", "players"}}
                | {"players": [each["player"] for each in table["players"]]}
                for number, table in view.get("tables", {}).items()
            },
        }
        latest = [self.round] if "byes" in view else range(1, self.round + 1)
        expected = {
            "status": self.status,
            "round": self.round,
            "players": len(self.active),
            "standings": self.standings(),
            "tables": {number: each for number, each in self.tables.items() if each["round"] in latest},
        }
        return [
            f"{name} at version {self.version} are {shown[name]} instead of {expected[name]}"
            for name in expected
            if shown[name] != expected[name]
        ]


def tournament_faults(
    events: Sequence[Json],
    commands: Sequence[Command],
    feeds: Sequence[Sequence[ShownView]],
    shown: ShownView,
    own: Mapping[str, Sequence[Json]],
) -> list[str]:
    """Return everything that is wrong with a finished tournament.

    `commands` are those to the tournament and to its rooms, `feeds` what subscribers were shown, `shown` what GET
    returns now, and `own` the events of the players' own feeds.
    """
    tally, active, views = Tally(), dict[int, set[str]](), dict[int, dict[str, Json]]()
    for view in chain([shown], *feeds):
        views.setdefault(view.version, {})[repr(view.view)] = view.view
    faults = list[str]()
    for event in events:
        tally.add(event)
        if tally.faults:
            return faults + tally.faults
        active[tally.version] = tally.active
        faults += [fault for each in views.pop(tally.version, {}).values() for fault in tally.misfits(each)]
    faults += [f"version {version} was shown and is not stored" for version in views]
    if tally.status != "finished":
        faults.append(f"is {tally.status}")
    for feed in feeds:
        faults += feed_faults(feed, tally.version)
    faults += command_faults(commands, events, active, tally)
    for player, received in own.items():
        faults += own_faults(player, received, tally)
    return faults


def feed_faults(feed: Sequence[ShownView], head: int) -> Iterator[str]:
    """Yield where a frame does not continue the one before."""
    before = 0
    for view in feed:
        if view.since is not None and (view.since != before or view.version <= before):
            yield f"a patch from {view.since} to {view.version} was sent after {before}"
        if view.version < before or view.view.get("tournament", {}).get("version") != view.version:
            yield f"version {view.version} after {before}"
        before = view.version
    if before != head:
        yield f"a feed ended at {before}, the tournament is at {head}"


def command_faults(
    commands: Sequence[Command], events: Sequence[Json], active: Mapping[int, set[str]], tally: Tally
) -> Iterator[str]:
    """Yield which acknowledged command has no effect, and what happened without a command."""
    stored = Counter(
        (event["player"], event["type"])
        for event in events
        if event["type"] == "player_registered" or event.get("reason") == "withdrew"
    )
    names = {"register": "player_registered", "withdraw": "player_withdrawn"}
    for command in commands:
        kind, version = command.body["type"], command.accepted[-1].version if command.accepted else None
        if kind in names:
            may_be_stored = command.accepted or any(attempt.is_unknown for attempt in command.attempts)
            stored[command.player, names[kind]] -= bool(may_be_stored)
            takes_part = command.player in active.get(version or 0, ())
            if version is not None and takes_part != (kind == "register"):
                yield f"{kind} of {command.player} was acknowledged at {version}, and is not stored by then"
        elif kind == "resign" and version is not None:
            [table] = [each for each in tally.tables.values() if each["room"] == command.room] or [{"players": []}]
            result = dict(zip(table["players"], table.get("places") or (), strict=False))
            if result.get(command.player) != len(result):
                yield f"{command.player} resigned in {command.room}, whose result is {result}"
    yield from (f"{player}: {kind} without a command" for (player, kind), count in stored.items() if count > 0)


def own_faults(player: str, received: Sequence[Json], tally: Tally) -> Iterator[str]:
    """Yield where the matches in the own feed of a player differ from those of the tournament."""
    named = sorted((event["round"], event["room"]) for event in received if event["type"] == "tournament_match")
    played = sorted((each["round"], each["room"]) for each in tally.tables.values() if player in each["players"])
    over = sum(event["type"] == "tournament_over" for event in received)
    if named != played or over != (player in tally.active):
        yield f"{player} was sent {named} and {over} ends, and had {played}"
