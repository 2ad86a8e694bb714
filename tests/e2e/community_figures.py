"""Recounts what a community has played, from its matches, and compares it with every figure that the API shows.

The matches are those of all rooms in which its people were, as everybody can read them, or operators if they are for
members only. From them follow the histories of the players, their profiles, the results of two against each other, what
is rated, the standings of tournaments, and who has to be notified of the end of a match.
"""

import itertools
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from tests.e2e.client import Json, Player
from tests.e2e.tournament_history import Tally

MOVES = frozenset({"placed", "moved", "flipped"})
"""The events of moves, in games in which players take turns; in Turncoat `turned` reveals the moves of both."""

MET_PER_DAY = 5
"""How many matches between the same two players are rated per day and list."""

PAGE = 1000


class PlayedMatch(NamedTuple):
    """A match, as a reader is shown it."""

    id: str
    game: str
    players: list[str]
    names: list[str]
    """The nicknames of the players when it began."""
    sat: set[str]
    """All who have had a seat."""
    moved: set[int]
    """The seats that have moved."""
    places: list[int]
    ended: str
    is_rated: bool
    rating_class: str | None
    members_only: bool
    in_tournament: bool
    reader: Player

    @property
    def counts(self) -> bool:
        """Whether it counts for its players."""
        return len(self.moved) > 1 or self.in_tournament

    def place(self, player: str) -> int | None:
        """Return the place of a player, None without a result."""
        return self.places[self.players.index(player)] if self.places else None

    def outcome(self, player: str) -> str | None:
        """Return how it ended for a player, None if it does not count."""
        place = self.place(player)
        if place is None or not self.counts:
            return None
        return "lost" if place > 1 else "won" if self.places.count(1) == 1 else "drawn"

    def outcome_against(self, player: str, other: str) -> str | None:
        """Return how it ended for a player against another one, None if it does not count."""
        one, two = self.place(player), self.place(other)
        if one is None or two is None or not self.counts:
            return None
        return "drawn" if one == two else "won" if one < two else "lost"

    @property
    def may_be_rated(self) -> bool:
        """Whether it is rated unless its players have met too often."""
        return self.is_rated and bool(self.places) and len(self.moved) > 1


def read_matches(rooms: Iterable[tuple[str, str]], *readers: Player) -> list[PlayedMatch]:
    """Return all matches of some rooms, given by name and epoch; each as the first reader sees it who may read it."""
    found = []
    for room, epoch in rooms:
        for number in itertools.count(1):
            path = f"/v1/matches/{room}.{epoch}.{number}"
            read = ((reader, reader.get(path)) for reader in readers)
            first = next(((reader, answer.body) for reader, answer in read if answer.status == 200), None)
            if first is None:
                break
            found.append(played_match(*first))
    return found


def played_match(reader: Player, details: Json) -> PlayedMatch:
    """Return a match from what a reader is shown of it."""
    path, first = f"/v1/matches/{details['id']}", details["versions"]["first"]
    view = reader.get(path, at=first).body["view"]
    events = [msgspec.json.decode(line) for line in reader.get(f"{path}/export").content.splitlines()]
    names = {each["id"]: each["nickname"] for each in view["players"]}
    players = [seat["player"] for seat in details["players"]]
    ended = events[-1]["result"] if events[-1]["type"] == "match_ended" else {"places": []}
    took = {event["player"] for event in events if event["type"] == "seat_taken"}
    settings = view["settings"]
    return PlayedMatch(
        details["id"],
        details["game"],
        players,
        [names[player] for player in players],
        {*players, *took},
        moved_seats(events, len(players)),
        ended["places"],
        details["ended"],
        events[0]["rated"],
        rating_class(settings["clock"]),
        settings["visibility"] == "private" or not settings["spectators"],
        details["tournament"] is not None,
        reader,
    )


def moved_seats(events: Sequence[Json], seats: int) -> set[int]:
    """Return the seats that have moved."""
    turned = any(event["type"] == "turned" for event in events)
    return set(range(seats)) if turned else {event["seat"] for event in events if event["type"] in MOVES}


def rating_class(clock: Json) -> str | None:
    """Return the class of a clock, by the time that it gives for 30 turns."""
    if clock["type"] in {"none", "days"}:
        return "correspondence" if clock["type"] == "days" else None
    per_move = clock["type"] == "per_move"
    seconds = 30 * clock["ms"] / 1000 if per_move else (clock["initial_ms"] + 30 * clock["increment_ms"]) / 1000
    limits = {"bullet": 180, "blitz": 600, "rapid": 86_400}
    return next((name for name, limit in limits.items() if seconds < limit), "correspondence")


class Recount:
    """The figures that follow from matches, compared with those that are shown."""

    def __init__(self, people: Sequence[Player], matches: Sequence[PlayedMatch], tournaments: Sequence[str]) -> None:
        """Compare what these people, and everybody else, are shown."""
        self.people, self.matches, self.tournaments = people, matches, tournaments
        self.anonymous = people[0].client.anonymous()
        self.of: dict[str, list[PlayedMatch]] = defaultdict(list)
        for match in sorted(matches, key=lambda match: (match.ended, match.id)):
            for player in match.players:
                self.of[player].append(match)
        self.not_rated = dict[str, str | None]()
        """Why matches do not count for ratings, as it is shown; None for those that do."""
        self.rated = {match.id: self._rated(match) for match in matches}
        """How matches were rated, None for those that were not."""

    def _rated(self, match: PlayedMatch) -> Json | None:
        found: Json = match.reader.get(f"/v1/matches/{match.id}/ratings").body
        self.not_rated[match.id] = found["not_rated"]
        return found if found["version"] is not None else None

    def faults(self) -> list[str]:
        """Return everything that is shown otherwise."""
        faults = [*self._rating_faults(), *self._list_faults()]
        for player in self.people:
            parts = (self._row_faults, self._profile_faults, self._standing_faults, self._notice_faults)
            faults += [f"{player.id}: {fault}" for part in parts for fault in part(player)]
        faults += [fault for name in self.tournaments for fault in self._tournament_faults(name)]
        return faults

    # Histories, profiles, head to head

    def _row_faults(self, player: Player) -> Iterator[str]:
        """Yield how the history of a player differs from the matches, as the player sees it."""
        content = player.get(f"/v1/players/{player.id}/matches", {"accept": "application/x-ndjson"}).content
        shown = {row["id"]: shown_row(row) for row in map(msgspec.json.decode, content.splitlines())}
        expected = {
            match.id: expected_row(match, player.id, rated=self.rated[match.id] is not None)
            for match in self.of[player.id]
        }
        yield from differences("the history", shown, expected)

    def _profile_faults(self, player: Player) -> Iterator[str]:
        """Yield how a profile differs from the public matches, and from all of them for the player."""
        for reader in (self.anonymous, player):
            seen = [match for match in self.of[player.id] if reader is player or not match.members_only]
            shown = reader.get(f"/v1/players/{player.id}").body
            latest = seen[-10:][::-1]
            expected = {
                "nickname": name_in(latest[0], player.id) if latest else None,
                "results": tallies((match.game, match.outcome(player.id)) for match in seen),
                "latest": [match.id for match in latest],
            }
            found: Json = {
                "nickname": shown["nickname"],
                "results": shown_tallies(shown["results"]),
                "latest": [each["id"] for each in shown["latest"]],
            }
            yield from differences("the profile", found, expected)
        for other in sorted({each for match in self.of[player.id] for each in match.players} - {player.id}):
            both = [match for match in self.of[player.id] if other in match.players]
            results = player.get(f"/v1/players/{player.id}/against/{other}").body["results"]
            counted = tallies((match.game, match.outcome_against(player.id, other)) for match in both)
            yield from differences(f"against {other}", shown_tallies(results), counted)

    # Ratings

    def _rating_faults(self) -> Iterator[str]:
        """Yield which matches were rated, or not, against the rules."""
        met, missing = Counter[tuple[str, ...]](), list[PlayedMatch]()
        for match in sorted(self.matches, key=lambda match: (self.rated[match.id] or {"version": 0})["version"]):
            rated = self.rated[match.id]
            if self.not_rated[match.id] != (None if rated else why_not_rated(match)):
                yield f"{match.id} is not rated because of {self.not_rated[match.id]}: {match}"
            if rated is None:
                missing += [match] if match.may_be_rated else []
                continue
            if not match.may_be_rated:
                yield f"{match.id} was rated: {match}"
            if [seat["place"] for seat in rated["seats"]] != match.places:
                yield f"{match.id} was rated with other places than {match.places}"
            met.update(meetings(match))
            if any(met[pair] > MET_PER_DAY for pair in meetings(match)):
                yield f"{match.id} was rated although its players had met {MET_PER_DAY} times"
        for match in missing:
            if all(met[pair] < MET_PER_DAY for pair in meetings(match)):
                yield f"{match.id} was not rated: {match}"

    def _list_faults(self) -> Iterator[str]:
        """Yield what is wrong with each list: its entries, their figures, and the leaderboard."""
        program = (Path(__file__).parents[2] / "docs/ratings.md").read_text()
        program = program.partition("```python\n")[2].partition("```")[0]
        names = {(each["game"], each["rating_class"]) for each in self.rated.values() if each is not None}
        for game, name in sorted(names):
            path = f"/v1/ratings/{game}/{name}"
            rated = [
                each for each in self.rated.values() if each and (each["game"], each["rating_class"]) == (game, name)
            ]
            entries = self._entries(path)
            public = {match.id for match in self.matches if not match.members_only}
            shown = {entry["version"]: entry["match_id"] for entry in entries}
            expected = {each["version"]: each["match_id"] if each["match_id"] in public else None for each in rated}
            yield from differences(f"{path}/entries", shown, expected)
            here = program.replace(
                "http://127.0.0.1:8000/v1/ratings/morris/blitz", f"{self.anonymous.client.url}{path}"
            )
            checked = subprocess.run([sys.executable, "-c", here], capture_output=True, text=True, check=True)
            yield from (f"{path}: {line}" for line in checked.stdout.splitlines())
            yield from self._board_faults(path)

    def _entries(self, path: str) -> list[Json]:
        entries, since = list[Json](), 0
        while since is not None:
            page = self.anonymous.get(f"{path}/entries", since=since, limit=PAGE).body
            entries, since = entries + page["entries"], page["next"]
        return entries

    def _board_faults(self, path: str) -> Iterator[str]:
        """Yield where a leaderboard is not sorted, or shows another rating or name than the player's own."""
        page = self.anonymous.get(path, limit=100).body
        board = page["places"]
        while page["next"] is not None:
            page = self.anonymous.get(path, cursor=page["next"], limit=100).body
            board += page["places"]
        if len(board) != page["total"] or [each["place"] for each in board] != list(range(1, len(board) + 1)):
            yield f"{path} has {len(board)} places of {page['total']}"
        if [each["rating"] for each in board] != sorted((each["rating"] for each in board), reverse=True):
            yield f"{path} is not sorted"
        for each in board:
            public = [match for match in self.of[each["player"]] if not match.members_only]
            if each["nickname"] != (name_in(public[-1], each["player"]) if public else None):
                yield f"{path}: {each['player']} is called {each['nickname']}"

    def _standing_faults(self, player: Player) -> Iterator[str]:
        """Yield how the ratings of a player differ from those after the latest matches, as the player sees them."""
        expected: dict[str, Json] = {}
        rated = [each for match in self.of[player.id] if (each := self.rated[match.id]) is not None]
        for each in sorted(rated, key=lambda each: each["version"]):
            [seat] = [seat for seat in each["seats"] if seat["player"] == player.id]
            firsts = [seat["place"] for seat in each["seats"]].count(1)
            won, drew = seat["place"] == 1 == firsts, seat["place"] == 1 < firsts
            own = expected.setdefault(f"{each['game']}.{each['rating_class']}", {"matches": 0, "wins": 0, "draws": 0})
            own |= {"rating": seat["rating"], "deviation": seat["deviation"], "matches": own["matches"] + 1}
            own |= {"wins": own["wins"] + won, "draws": own["draws"] + drew}
        shown = player.get(f"/v1/players/{player.id}/ratings").body["ratings"]
        names = ("rating", "deviation", "matches", "wins", "draws")
        found = {f"{each['game']}.{each['rating_class']}": {name: each[name] for name in names} for each in shown}
        yield from differences("the ratings", found, expected)

    # Tournaments

    def _tournament_faults(self, name: str) -> Iterator[str]:
        """Yield how the standings of a tournament differ from its tables, and its tables from the matches."""
        path = f"/v1/tournaments/{name}"
        tournament = self.anonymous.get(path).body["tournament"]
        standings = self.anonymous.get(f"{path}/standings", limit=PAGE).body["standings"]
        page = self.anonymous.get(f"{path}/tables", limit=PAGE).body
        tally = Tally()
        tally.version, tally.status, tally.round = tournament["version"], tournament["status"], tournament["round"]
        tally.terms = tournament
        tally.left = {row["player"]: row["left"] for row in standings}
        for bye in page["byes"]:
            tally.byes.setdefault(bye["round"], []).append(bye["player"])
        for each in page["tables"]:
            players = [player["player"] for player in each["players"]]
            tally.tables[each["number"]] = {key: value for key, value in each.items() if key != "number"}
            tally.tables[each["number"]]["players"] = players
        view = {
            "tournament": tournament,
            "standings": {row["player"]: row for row in standings},
            "tables": {each["number"]: each for each in page["tables"]},
        }
        yield from (f"{name}: {fault}" for fault in tally.misfits(view))
        by_id = {match.id: match for match in self.matches}
        for each in page["tables"]:
            match = by_id.get(each["match_id"])
            if match is None or (match.places and match.places != each["places"]):
                yield f"{name}: table {each['number']} ended as {each['places']}, its match was {match}"

    # Own feeds

    def _notice_faults(self, player: Player) -> Iterator[str]:
        """Yield which beginning, end or rating of a match was sent to a player more or less often than once."""
        events = own_events(player)
        sat = [match for match in self.matches if player.id in match.sat]
        for kind, expected in (
            ("match_began", [match.id for match in self.of[player.id]]),
            ("match_finished", [match.id for match in sat]),
            ("rating_changed", [match.id for match in self.of[player.id] if self.rated[match.id]]),
        ):
            shown = Counter(event["match_id"] for event in events if event["type"] == kind)
            yield from differences(kind, shown, Counter(expected))


def own_events(player: Player) -> list[Json]:
    """Return all events of a player's own feed."""
    events, since = list[Json](), 0
    while page := player.get("/v1/players/me/events", since=since, limit=PAGE).body["events"]:
        events, since = events + page, page[-1]["version"]
    return events


def why_not_rated(match: PlayedMatch) -> str:
    """Return why a match that no rating list has does not count for ratings."""
    if len(match.moved) < 2:
        return "aborted"
    return "pair_limit" if match.may_be_rated else "casual" if match.places else "no_result"


def expected_row(match: PlayedMatch, player: str, *, rated: bool) -> Json:
    """Return what the history of a player shows of a match."""
    return {
        "players": list(zip(match.players, match.names, strict=True)),
        "seats": [match.players.index(player)],
        "places": match.places,
        "place": match.place(player),
        "outcome": match.outcome(player),
        "counts": match.counts,
        "rated": rated,
        "not_rated": None if rated else why_not_rated(match),
        "rating_class": match.rating_class,
        "members_only": match.members_only,
        "ended": match.ended,
    }


def shown_row(row: Json) -> Json:
    """Return the same of a row as it is shown."""
    names = ("seats", "place", "outcome", "counts", "rated", "not_rated", "rating_class", "members_only", "ended")
    players = [(seat["player"], seat["nickname"]) for seat in row["players"]]
    return {"players": players, "places": row["result"]["places"], **{name: row[name] for name in names}}


def name_in(match: PlayedMatch, player: str) -> str:
    """Return the nickname of a player in a match."""
    return match.names[match.players.index(player)]


def meetings(match: PlayedMatch) -> Iterator[tuple[str, ...]]:
    """Yield the pairs of players of a match, with its list and the day on which it ended."""
    for pair in itertools.combinations(sorted(match.players), 2):
        yield match.game, str(match.rating_class), match.ended[:10], *pair


def tallies(outcomes: Iterable[tuple[str, str | None]]) -> dict[str, list[int]]:
    """Return the numbers of wins, draws and losses by game."""
    counts = Counter(outcomes)
    games = {game for game, outcome in counts if outcome is not None}
    return {game: [counts[game, outcome] for outcome in ("won", "drawn", "lost")] for game in games}


def shown_tallies(results: Sequence[Json]) -> dict[str, list[int]]:
    """Return the same of results as they are shown."""
    return {each["game"]: [each["wins"], each["draws"], each["losses"]] for each in results}


def differences(what: str, shown: Mapping[Any, object], expected: Mapping[Any, object]) -> Iterator[str]:
    """Yield where something is shown otherwise than expected."""
    for key in {**expected, **shown}:
        if shown.get(key) != expected.get(key):
            yield f"{what}: {key} is {shown.get(key)}, expected {expected.get(key)}"
