"""A sixth game is one folder: laid into a copy of the service, it is offered, described, played, exported and judged.

The folder is `sixth_game/connect_four`, beside this file; no other file of the copy differs from the original.
"""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from tests.api.browser import new_page
from tests.e2e.client import Door, Json, Player, door_to
from tests.e2e.processes import ROOT, ApiProcess, started
from tests.e2e.tables import Table, seated
from tests.store_server import StoreServer
from tests.web.person import Person

SLUG = "connect_four"
SIXTH = Path(__file__).parent / "sixth_game" / SLUG

RED_WINS = "dededed"
"""Columns in turn order: red piles four discs on d, yellow three on e."""

JUDGES = (
    "tests/laws",
    "tests/domain/test_notation.py",
    "tests/rooms/test_loading.py",
    "tests/api/test_document.py",
    "tests/test_architecture.py",
    "tests/test_replay.py",
    "tests/test_verify.py",
)
"""Tests that are made for every game in the catalogue."""

OWED = ("test_every_game_has_three_transcripts", "test_every_game_has_its_own_tests")
"""What a game brings into the house besides its folder, and this one does not."""


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a copy of the service and its tests with one folder more."""
    copy = tmp_path_factory.mktemp("copy")
    for folder in ("service", "tests"):
        shutil.copytree(ROOT / folder, copy / folder, ignore=shutil.ignore_patterns("__pycache__", "sixth_game"))
    shutil.copy(ROOT / "pyproject.toml", copy)
    shutil.copytree(SIXTH, copy / "service/domain/games" / SLUG, ignore=shutil.ignore_patterns("__pycache__"))
    return copy


@pytest.fixture(scope="module")
def door(copy: Path, shared_server: StoreServer) -> Iterator[Door]:
    """Run the copy's API on an empty store and return the way to it."""
    shared_server.order("FLUSHDB")
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("PYTHONPATH", str(copy))
        environment.setenv(
            "PYTHONSAFEPATH", "1"
        )  # or the folder that it starts in, which is the original's, comes first
        api = ApiProcess(shared_server.url, copy / "log")
    with started(api), door_to(api.url) as door:
        yield door


@pytest.fixture
def stranger(door: Door) -> Player:
    """Return somebody without a token."""
    return door.stranger()


@pytest.fixture
def table(door: Door) -> Table:
    """Return two players whose match has begun."""
    return seated(door, SLUG, 2, {"restart": None})


def place(column: str) -> Json:
    """Return a move."""
    return {"type": "place", "column": column}


def played(table: Table, columns: str) -> Json:
    """Let the players place discs in turn, each move being among the legal ones; return the match as it is then."""
    for column in columns:
        match = table.red.sees(table.room).body["match"]
        player = table.players[match["to_move"][0]]
        assert place(column) in player.sees(table.room).body["match"]["legal_moves"]
        assert player.plays(table.room, place(column)).status == 200
    shown: Json = table.red.sees(table.room).body["match"]
    return shown


def test_it_is_not_part_of_the_service(copy: Path) -> None:
    """Else this file would show nothing; and nothing but its folder is added to the copy."""
    there = {file.relative_to(copy / "service") for file in (copy / "service").rglob("*.py")}
    here = {file.relative_to(ROOT / "service") for file in (ROOT / "service").rglob("*.py")}
    assert there - here == {Path("domain/games") / SLUG / "__init__.py"}
    assert here - there == set()


def test_it_is_in_the_catalogue(stranger: Player) -> None:
    """The list names it among the other games, and its page has what a client needs to offer and draw it."""
    card = next(game for game in stranger.gets("/v1/games").body["games"] if game["slug"] == SLUG)
    page = stranger.gets(f"/v1/games/{SLUG}").body
    assert {name: page[name] for name in card} == card
    assert [[seat["colour"] for seat in count["seats"]] for count in card["seats"]] == [["red", "yellow"]]
    assert page["title"] == "Connect Four"
    assert page["rules"].startswith("Connect Four is played by two seats")
    assert page["options"]["$defs"]["Options"]["properties"]["length"] == {"enum": [4, 5], "default": 4}
    assert page["moves"]["$defs"]["Place"]["properties"]["column"] == {"enum": list("abcdefg")}
    assert (page["geometry"]["width"], page["geometry"]["height"], len(page["geometry"]["cells"])) == (7, 6, 42)


def test_its_refusals_are_in_the_catalogue_of_codes(stranger: Player) -> None:
    """A client can look up what they mean."""
    told = {code["code"]: code for code in stranger.gets("/v1/codes").body["codes"]}["column_full"]
    assert told == {"code": "column_full", "status": 409, "meaning": "No square of that column is empty."}


@pytest.mark.parametrize("name", ["openapi", "asyncapi"])
def test_it_is_described(name: str, stranger: Player) -> None:
    """Its move, events, options and views stand under names of their own, and the unions over all games lead there."""
    schemas = stranger.gets(f"/{name}.json").body["components"]["schemas"]
    assert schemas["ConnectFourPlaceMove"]["properties"]["column"]["enum"] == list("abcdefg")
    assert {"ConnectFourPlacedEvent", "ConnectFourRoomView", "ConnectFourMatchView"} <= schemas.keys()
    assert {"$ref": "#/components/schemas/ConnectFourMove"} in schemas["AnyMove"]["anyOf"]
    assert {"$ref": "#/components/schemas/ConnectFourEvent"} in schemas["AnyEvent"]["anyOf"]


def test_it_is_played_to_a_win(table: Table) -> None:
    """Two players make legal moves in turn, until four discs stand in a line."""
    match = played(table, RED_WINS)
    assert match["state"]["board"] == [
        ".......",
        ".......",
        "...r...",
        "...ry..",
        "...ry..",
        "...ry..",
    ]
    assert match["state"]["line"] == ["d1", "d2", "d3", "d4"]
    assert (match["to_move"], match["legal_moves"]) == ([], [])
    assert (match["result"]["reason"], match["result"]["places"]) == ("line", [1, 2])


def test_its_options_are_kept(door: Door) -> None:
    """Where five make a line, four don't; and what is no option is refused."""
    table = seated(door, SLUG, 2, {"restart": None}, {"length": 5})
    assert played(table, RED_WINS)["result"] is None
    assert played(table, "ad")["result"]["reason"] == "line"
    refused = table.red.opens(SLUG, options={"length": 6})
    assert (refused.status, refused.code) == (422, "unfit")


def test_its_refusals_are_answered(table: Table) -> None:
    """Its own code, the turn and a move that it does not know; the full column is no legal move."""
    played(table, "aaaaaa")
    before = table.red.sees(table.room)
    full = table.red.plays(table.room, place("a"))
    assert (full.status, full.code, full.body["params"]["column"]) == (409, "column_full", "a")
    assert [move["column"] for move in before.body["match"]["legal_moves"]] == list("bcdefg")
    out_of_turn = table.yellow.plays(table.room, place("b"))
    assert (out_of_turn.status, out_of_turn.code) == (409, "not_your_turn")
    beside = table.red.plays(table.room, place("h"))
    assert (beside.status, beside.code) == (422, "unfit")
    assert table.red.sees(table.room).etag == before.etag


def test_its_match_is_exported(table: Table, stranger: Player) -> None:
    """As the text of its moves and as one event a line."""
    match_id = played(table, RED_WINS)["id"]
    text = stranger.gets(f"/v1/matches/{match_id}/export", {"accept": "text/plain"})
    lines = stranger.gets(f"/v1/matches/{match_id}/export", {"accept": "application/x-ndjson"})
    assert (text.status, lines.status) == (200, 200)
    assert f"game: {SLUG}\n" in text.content.decode()
    assert re.findall(r"(red|yellow) ([a-g])\b", text.content.decode()) == [
        (("red", "yellow")[ply % 2], column) for ply, column in enumerate(RED_WINS)
    ]
    events = [msgspec.json.decode(line) for line in lines.content.splitlines()]
    assert [event["type"] for event in events] == ["match_started", *["placed"] * len(RED_WINS), "match_ended"]
    assert [event["at"][0] for event in events[1:-1]] == list(RED_WINS)


def test_it_is_told_to_a_listener(table: Table, stranger: Player) -> None:
    """The feed of the room brings its events."""
    with stranger.follows(table.room) as feed:
        _, snapshot, _ = feed.until(lambda frame: frame["type"] == "caught_up")
        played(table, "d")
        told = [event for event in feed.update()["events"] if event["type"] == "placed"]
    assert snapshot["view"]["match"]["state"]["board"] == ["." * 7] * 6
    assert [(event["seat"], event["at"], event["line"]) for event in told] == [(0, "d1", [])]


def test_a_browser_plays_it(door: Door, tmp_path: Path) -> None:
    """The client draws it from its geometry, offers its choices as buttons, and tells how it ended."""
    with new_page(tmp_path) as page:
        ada = Person(page, door.url, "Ada")
        ada.resizes(1280, 900)
        ada.opens()
        ada.opens_room("Connect Four", "device")
        for count, column in enumerate(RED_WINS, 1):
            ada.clicks(".choices button", column)
            page.waits_for(
                f"document.querySelectorAll('.ply').length === {count} && !document.querySelector('.pending')"
            )
        ada.sees("Red wins")
        red = "document.querySelectorAll('.board .cell .piece.red').length"
        assert (page.value(red), page.complaints) == (4, [])


def test_every_law_holds_for_it(copy: Path) -> None:
    """The tests in the copy pick it up: what every game must pass, and the house's rules for its file."""
    chosen = f"{SLUG} and not ({' or '.join(OWED)})"
    environment = {**os.environ, "PYTHONPATH": str(copy)}
    command = (sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-m", "not soak", "-k", chosen, *JUDGES)
    judged = subprocess.run(command, cwd=copy, env=environment, capture_output=True, text=True, check=False)
    counts = {word: int(count) for count, word in re.findall(r"(\d+) (\w+)", judged.stdout.splitlines()[-1])}
    assert judged.returncode == 0, judged.stdout
    assert counts["passed"] > 50
    assert not counts.keys() & {"failed", "error", "errors", "skipped"}
