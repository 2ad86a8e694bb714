"""The served document against the running service: what its schemas allow, and much that they don't, is answered so.

Feeds never end and are left out. Half of the requests name a room that is there, a match of it, and one of its players.
"""

import itertools
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, settings
from schemathesis.checks import not_a_server_error
from schemathesis.generation.meta import TestPhase
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from service.domain.catalog import GAMES
from tests.api.documents import OPENAPI
from tests.e2e.client import ApiClient, Player

DOCUMENT = schemathesis.pytest.from_fixture("document").exclude(path_regex="/feed$")
CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]
EXAMPLES = 8
"""Requests of one operation, where it takes that many different ones."""
DENSE, SPARSE = 24, 96
"""Of the requests that cover the combinations of an operation's properties, the first ones are sent, and then each of
these. There are 1,800 for a new room."""

CHOICES = itertools.count()
COVERED: dict[str, Iterator[int]] = defaultdict(itertools.count)
"""By operation, how many of these requests there have been."""


class Table:
    """A room with a running match and its players' tokens; opened again if the match was ended."""

    def __init__(self, client: ApiClient, game: str) -> None:
        """Lay the table."""
        self._door = client
        self.game = game
        self.players: list[Player] = []
        self.lay()

    def lay(self) -> None:
        """Open a room with every seat taken; all are ready, so the match begins."""
        creator = self._door.guest("Ada")
        self.room = creator.open_room(self.game).body["room"]
        seats = len(creator.read_room(self.room).body["seats"])
        self.players = [creator, *(self._door.guest(f"Guest {number}") for number in range(1, seats))]
        for player in self.players[1:]:
            player.command(self.room, "join")
        for player in self.players:
            player.command(self.room, "ready")
        self.match = creator.read_room(self.room).body["match"]["id"]

    def fills(self, case: Any, choice: int) -> None:
        """Name this room, its match, one of its players and a legal move where the case has a place for them."""
        if self.players[0].read_room(self.room).body.get("status") != "playing":
            self.lay()
        player = self.players[choice % len(self.players)]
        real = {"room": self.room, "game": self.game, "match_id": self.match, "name": "docs.html"}
        if choice % 4:
            case.path_parameters = {name: real.get(name, given) for name, given in (case.path_parameters or {}).items()}
        if choice % 8 < 6:
            case.headers["Authorization"] = f"Bearer {player.token}"
        if choice % 3 and "If-Match" in case.headers:
            del case.headers["If-Match"]
        if choice % 2 and isinstance(case.body, dict) and case.body.get("type") == "play":
            moves = player.get(f"/v1/rooms/{self.room}/legal-moves").body["legal_moves"]
            case.body = {"type": "play", "move": moves[choice % len(moves)]} if moves else case.body


@pytest.fixture(scope="module")
def document() -> Any:
    """Return the document's operations: a fixture, as building their cases takes seconds in every process."""
    return schemathesis.openapi.from_dict(OPENAPI)


@pytest.fixture(scope="module")
def tables(client: ApiClient) -> list[Table]:
    """Return a table of every game."""
    return [Table(client, game) for game in GAMES]


@DOCUMENT.parametrize()
@settings(
    max_examples=EXAMPLES,
    derandomize=True,
    database=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)
def test_every_request_is_answered_as_documented(case: Any, tables: list[Table], client: ApiClient) -> None:
    """No 500, no undocumented status, media type or header, and no body off its schema."""
    if case.meta.phase.name is TestPhase.COVERAGE:
        number = next(COVERED[case.operation.label])
        if number > DENSE and number % SPARSE:
            return
    choice = next(CHOICES)
    tables[choice % len(tables)].fills(case, choice)
    case.call_and_validate(base_url=client.url, checks=CHECKS)
