"""A sixth game is one folder: in a copy of the service with that folder it is offered, documented, played and exported.

The folder is `sixth_game/connect_four`; no other file of the copy differs from the original.
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
from tests.e2e.client import ApiClient, Json, Player, connect_to
from tests.e2e.processes import ROOT, ApiProcess, run_processes
from tests.e2e.seated_rooms import SeatedRoom, seat_players
from tests.store_server import StoreServer
from tests.web.person import Person

SLUG = "connect_four"
SIXTH = Path(__file__).parent / "sixth_game" / SLUG

RED_WINS = "dededed"
"""Columns in turn order: red piles four discs on d, yellow three on e."""

SUITES = (
    "tests/laws",
    "tests/domain/test_notation.py",
    "tests/rooms/test_loading.py",
    "tests/api/test_document.py",
    "tests/test_architecture.py",
    "tests/test_replay.py",
    "tests/test_verify.py",
)
"""Tests that are parametrized over every game in the catalogue."""

NOT_REQUIRED = ("test_every_game_has_three_transcripts", "test_every_game_has_its_own_tests")
"""Tests for what a game of the repository has in addition to its folder, and this one does not."""


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a copy of the service and its tests with the additional folder."""
    copy = tmp_path_factory.mktemp("copy")
    for folder in ("service", "tests"):
        shutil.copytree(ROOT / folder, copy / folder, ignore=shutil.ignore_patterns("__pycache__", "sixth_game"))
    shutil.copy(ROOT / "pyproject.toml", copy)
    shutil.copytree(SIXTH, copy / "service/domain/games" / SLUG, ignore=shutil.ignore_patterns("__pycache__"))
    return copy


@pytest.fixture(scope="module")
def client(copy: Path, shared_server: StoreServer) -> Iterator[ApiClient]:
    """Run the copy's API on an empty store and return a client of it."""
    shared_server.execute("FLUSHDB")
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("PYTHONPATH", str(copy))
        environment.setenv("PYTHONSAFEPATH", "1")  # otherwise the current folder, which is the original's, has priority
        api = ApiProcess(shared_server.url, copy / "log")
        api.is_forked = False  # it has to import the copy
    with run_processes(api), connect_to(api.url) as client:
        yield client


@pytest.fixture
def anonymous(client: ApiClient) -> Player:
    """Return a client without a token."""
    return client.anonymous()


@pytest.fixture
def seated(client: ApiClient) -> SeatedRoom:
    """Return a room of two players whose match has begun."""
    return seat_players(client, SLUG, 2, {"restart": None})


def place(column: str) -> Json:
    """Return a move."""
    return {"type": "place", "column": column}


def play_columns(seated: SeatedRoom, columns: str) -> Json:
    """Let the players place discs in turn, each a legal move; return the match after that."""
    for column in columns:
        match = seated.red.read_room(seated.room).body["match"]
        player = seated.players[match["to_move"][0]]
        assert place(column) in player.read_room(seated.room).body["match"]["legal_moves"]
        assert player.play(seated.room, place(column)).status == 200
    match_after: Json = seated.red.read_room(seated.room).body["match"]
    return match_after


def test_it_is_not_part_of_the_original(copy: Path) -> None:
    """Otherwise these tests would prove nothing; and nothing but its folder is added to the copy."""
    copied = {file.relative_to(copy / "service") for file in (copy / "service").rglob("*.py")}
    original = {file.relative_to(ROOT / "service") for file in (ROOT / "service").rglob("*.py")}
    assert copied - original == {Path("domain/games") / SLUG / "__init__.py"}
    assert original - copied == set()


def test_it_is_in_the_catalogue(anonymous: Player) -> None:
    """The list has it, and its page has what a client needs to offer and draw it."""
    entry = next(game for game in anonymous.get("/v1/games").body["games"] if game["slug"] == SLUG)
    page = anonymous.get(f"/v1/games/{SLUG}").body
    assert {name: page[name] for name in entry} == entry
    assert [[seat["colour"] for seat in count["seats"]] for count in entry["seats"]] == [["red", "yellow"]]
    assert page["title"] == "Connect Four"
    assert (page["lesson_steps"], page["lesson"]) == (0, None)
    assert page["rules"].startswith("Connect Four is played by two seats")
    assert page["options"]["$defs"]["Options"]["properties"]["length"] == {"enum": [4, 5], "default": 4}
    assert page["moves"]["$defs"]["Place"]["properties"]["column"] == {"enum": list("abcdefg")}
    assert (page["geometry"]["width"], page["geometry"]["height"], len(page["geometry"]["cells"])) == (7, 6, 42)


def test_its_refusals_are_in_the_catalogue_of_codes(anonymous: Player) -> None:
    """A client can look up what they mean."""
    codes = {code["code"]: code for code in anonymous.get("/v1/codes").body["codes"]}["column_full"]
    assert codes == {"code": "column_full", "status": 409, "meaning": "No square of that column is empty."}


@pytest.mark.parametrize("name", ["openapi", "asyncapi"])
def test_it_is_in_the_api_documents(name: str, anonymous: Player) -> None:
    """Its move, events, options and views have schemas of their own, which the unions over all games refer to."""
    schemas = anonymous.get(f"/{name}.json").body["components"]["schemas"]
    assert schemas["ConnectFourPlaceMove"]["properties"]["column"]["enum"] == list("abcdefg")
    assert {"ConnectFourPlacedEvent", "ConnectFourRoomView", "ConnectFourMatchView"} <= schemas.keys()
    assert {"$ref": "#/components/schemas/ConnectFourPlaceMove"} in schemas["AnyMove"]["oneOf"]
    assert {"$ref": "#/components/schemas/ConnectFourEvent"} in schemas["AnyEvent"]["oneOf"]


def test_it_can_be_played_to_a_win(seated: SeatedRoom) -> None:
    """Two players make legal moves in turn, until four discs form a line."""
    match = play_columns(seated, RED_WINS)
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


def test_its_options_apply(client: ApiClient) -> None:
    """Where five discs are required, four do not win; an invalid option is refused."""
    seated = seat_players(client, SLUG, 2, {"restart": None}, {"length": 5})
    assert play_columns(seated, RED_WINS)["result"] is None
    assert play_columns(seated, "ad")["result"]["reason"] == "line"
    refused = seated.red.open_room(SLUG, options={"length": 6})
    assert (refused.status, refused.code) == (422, "unfit")


def test_its_illegal_moves_are_refused(seated: SeatedRoom) -> None:
    """With its own code, the code for the turn, and that for an invalid move; a full column is no legal move."""
    play_columns(seated, "aaaaaa")
    before = seated.red.read_room(seated.room)
    full = seated.red.play(seated.room, place("a"))
    assert (full.status, full.code, full.body["params"]["column"]) == (409, "column_full", "a")
    assert [move["column"] for move in before.body["match"]["legal_moves"]] == list("bcdefg")
    out_of_turn = seated.yellow.play(seated.room, place("b"))
    assert (out_of_turn.status, out_of_turn.code) == (409, "not_your_turn")
    invalid = seated.red.play(seated.room, place("h"))
    assert (invalid.status, invalid.code) == (422, "unfit")
    assert seated.red.read_room(seated.room).etag == before.etag


def test_its_match_can_be_exported(seated: SeatedRoom, anonymous: Player) -> None:
    """As the text of its moves, and as one event per line."""
    match_id = play_columns(seated, RED_WINS)["id"]
    text = anonymous.get(f"/v1/matches/{match_id}/export", {"accept": "text/plain"})
    lines = anonymous.get(f"/v1/matches/{match_id}/export", {"accept": "application/x-ndjson"})
    assert (text.status, lines.status) == (200, 200)
    assert f"game: {SLUG}\n" in text.content.decode()
    assert re.findall(r"(red|yellow) ([a-g])\b", text.content.decode()) == [
        (("red", "yellow")[ply % 2], column) for ply, column in enumerate(RED_WINS)
    ]
    events = [msgspec.json.decode(line) for line in lines.content.splitlines()]
    assert [event["type"] for event in events] == ["match_started", *["placed"] * len(RED_WINS), "match_ended"]
    assert [event["at"][0] for event in events[1:-1]] == list(RED_WINS)


def test_its_events_reach_a_subscriber(seated: SeatedRoom, anonymous: Player) -> None:
    """The room's feed delivers its events."""
    with anonymous.subscribe(seated.room) as feed:
        _, snapshot, _ = feed.until(lambda frame: frame["type"] == "caught_up")
        play_columns(seated, "d")
        placed = [event for event in feed.update()["events"] if event["type"] == "placed"]
    assert snapshot["view"]["match"]["state"]["board"] == ["." * 7] * 6
    assert [(event["seat"], event["at"], event["line"]) for event in placed] == [(0, "d1", [])]


def test_a_browser_can_play_it(client: ApiClient, tmp_path: Path) -> None:
    """The client draws it from its geometry, offers its choices as buttons, and shows the result."""
    with new_page(tmp_path) as page:
        ada = Person(page, client.url, "Ada")
        ada.resize(1280, 900)
        ada.open()
        assert ada.has(".game a", "Learn Ternio")
        assert not ada.has(".game a", "Learn Connect Four")
        ada.open_room("Connect Four", "device")
        for count, column in enumerate(RED_WINS, 1):
            ada.click(".choices button", column)
            page.wait_for(
                f"document.querySelectorAll('.ply').length === {count} && !document.querySelector('.pending')"
            )
        ada.wait_for(".result", "Red won")
        red = "document.querySelectorAll('.board .cell .piece.red').length"
        assert (page.value(red), page.errors) == (4, [])


def test_every_law_holds_for_it(copy: Path) -> None:
    """The tests in the copy include it: the laws for every game, and the repository's rules for its files."""
    expression = f"{SLUG} and not ({' or '.join(NOT_REQUIRED)})"
    environment = {**os.environ, "PYTHONPATH": str(copy)}
    command = (
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        "-m",
        "not soak",
        "-k",
        expression,
        *SUITES,
    )
    result = subprocess.run(command, cwd=copy, env=environment, capture_output=True, text=True, check=False)
    counts = {word: int(count) for count, word in re.findall(r"(\d+) (\w+)", result.stdout.splitlines()[-1])}
    assert result.returncode == 0, result.stdout
    assert counts["passed"] > 50
    assert not counts.keys() & {"failed", "error", "errors", "skipped"}
