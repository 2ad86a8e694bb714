"""A sixth game is one folder: in a copy of the service with that folder it is offered, documented, played and exported.

The copy has the folders in `sixth_game` in addition, and no other file of it differs. Connect Four has
an option and refusals of its own; Tic-Tac-Toe has nothing that the contract does not require.
"""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
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
FOLDERS = Path(__file__).parent / "sixth_game"
SLUGS = sorted(folder.name for folder in FOLDERS.iterdir() if (folder / "__init__.py").exists())

RED_WINS = "dededed"
"""Columns in turn order: red piles four discs on d, yellow three on e."""

SUITES = (
    "tests/laws",
    "tests/domain",
    "tests/rooms",
    "tests/bots",
    "tests/api/test_analyses.py",
    "tests/api/test_document.py",
    "tests/api/test_languages.py",
    "tests/test_architecture.py",
    "tests/test_replay.py",
    "tests/test_verify.py",
)
"""The folders and files with tests that are parametrized over every game in the catalogue."""

NOT_REQUIRED = ("test_every_game_has_three_transcripts", "test_every_game_has_its_own_tests")
"""Tests for what a game of the repository has in addition to its folder, and these do not."""

COMPILED = ("service.domain.games.morris.compiled", "service.domain.search.compiled")
"""Modules whose tests are skipped, with a reason, where there was no compiler for them."""


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a copy of the service and its tests with the additional folders, and the documents generated again."""
    copy = tmp_path_factory.mktemp("copy")
    for folder in ("service", "tests", "bench"):
        shutil.copytree(ROOT / folder, copy / folder, ignore=shutil.ignore_patterns("sixth_game"))
    shutil.copy(ROOT / "pyproject.toml", copy)
    for slug in SLUGS:
        shutil.copytree(
            FOLDERS / slug, copy / "service/domain/games" / slug, ignore=shutil.ignore_patterns("__pycache__")
        )
    shutil.copytree(ROOT / "clients", copy / "clients", ignore=shutil.ignore_patterns("node_modules"))
    generator = (sys.executable, "-m", "clients.documents")
    subprocess.run(generator, cwd=copy, env={**os.environ, "PYTHONPATH": str(copy)}, check=True)
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
    """Otherwise these tests would prove nothing; and nothing but the folders is added to the copy."""
    copied = {file.relative_to(copy / "service") for file in (copy / "service").rglob("*.py")}
    original = {file.relative_to(ROOT / "service") for file in (ROOT / "service").rglob("*.py")}
    assert copied - original == {Path("domain/games") / slug / "__init__.py" for slug in SLUGS}
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
    """Its move, events, options and views have schemas of their own, and the unions over all games have its fields."""
    schemas = anonymous.get(f"/{name}.json").body["components"]["schemas"]
    assert schemas["ConnectFourPlaceMove"]["properties"]["column"]["enum"] == list("abcdefg")
    assert {"ConnectFourPlacedEvent", "ConnectFourRoomView", "ConnectFourMatchView"} <= schemas.keys()
    assert "PlaceMove" in named_by(schemas, "AnyMove")
    assert "column" in schemas["PlaceMove"]["properties"]
    assert "AnyPlacedEvent" in named_by(schemas, "AnyEvent")
    assert "ConnectFourPlacedEvent" in named_by(schemas, "AnyPlacedEvent")


def named_by(schemas: Json, union: str) -> set[str]:
    """Return the names of the schemas that a union refers to."""
    return {each["$ref"].rpartition("/")[2] for each in schemas[union]["oneOf"]}


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


def test_a_game_without_a_translation_is_in_english(anonymous: Player) -> None:
    """Its page says so, and its tag is the same for every reader."""
    english, german = (
        anonymous.get("/v1/games/tic_tac_toe", {"accept-language": language}) for language in ("en", "de")
    )
    assert english.headers["content-language"] == german.headers["content-language"] == "en"
    assert english.etag == german.etag


def test_a_game_with_nothing_optional_can_be_played(client: ApiClient) -> None:
    """Cross wins on the diagonal; the picture shows the board as text, and positions in the analysis have no values."""
    seated = seat_players(client, "tic_tac_toe", 2, {"restart": None})
    for ply, at in enumerate(("a1", "a2", "b2", "a3", "c3")):
        assert seated.players[ply % 2].play(seated.room, {"type": "place", "at": at}).status == 200
    match = seated.red.read_room(seated.room).body["match"]
    assert (match["state"]["board"], match["result"]["winners"]) == (["o.x", "ox.", "x.."], [0])
    assert (
        "O\N{NO-BREAK SPACE}.\N{NO-BREAK SPACE}X"
        in seated.red.get(f"/v1/rooms/{seated.room}/board.svg").content.decode()
    )
    analysis = seated.red.get(f"/v1/matches/{match['id']}/analysis").body
    assert (analysis["plies"], analysis["measure"], analysis["positions"][0]["values"]) == (5, None, None)


def test_every_law_holds_for_them(copy: Path) -> None:
    """The tests in the copy include them: the laws for every game, and the repository's rules for its files."""
    expression = f"({' or '.join(SLUGS)}) and not ({' or '.join(NOT_REQUIRED)})"
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
    assert counts["passed"] > 200
    assert not counts.keys() & {"failed", "error", "errors"}
    assert counts.get("skipped", 0) == sum(find_spec(name) is None for name in COMPILED)
