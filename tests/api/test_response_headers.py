"""Headers that responses have as HTTP knows them: ids, limits, links, tags, origins and methods."""

import re
from collections.abc import Iterator

import pytest

from tests.e2e.client import ApiClient, Player, connect_to
from tests.e2e.processes import ApiProcess, run_processes
from tests.store_server import StoreServer

ORIGIN = {"origin": "https://play.example"}
PREFLIGHT = {**ORIGIN, "access-control-request-method": "POST"}
CACHEABLE = [
    "/v1/games",
    "/v1/games/ternio",
    "/v1/codes",
    "/openapi.json",
    "/asyncapi.json",
    "/docs",
    "/",
    "/client.js",
]


@pytest.fixture(scope="module")
def restricted(rooms_store: StoreServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ApiClient]:
    """Return the way to a process that admits one origin, and has limits."""
    log = tmp_path_factory.mktemp("restricted") / "log"
    limits = {"limit_reads": "50", "limit_reads_address": "100", "limit_commands": "20", "limit_lines": "60"}
    api = ApiProcess(rooms_store.url, log, origins="https://play.example", **limits)
    with run_processes(api), connect_to(api.url) as client:
        yield client


@pytest.mark.parametrize("path", ["/v1/games", "/v1/rooms/no-such-room", "/nothing", "/health/live", "/"])
def test_every_response_has_the_id_of_its_request(anonymous: Player, path: str) -> None:
    """The client's own id if it sent a valid one, else a random one, which shows nothing of other requests."""
    ids = [anonymous.get(path).headers["x-request-id"] for _ in range(2)]
    assert len({part for each in ids for part in (each[:8], each[8:])}) == 4
    assert anonymous.get(path, {"x-request-id": "mine-1"}).headers["x-request-id"] == "mine-1"
    assert anonymous.get(path, {"x-request-id": "not valid"}).headers["x-request-id"] != "not valid"


def test_a_command_has_the_id_of_its_request(ada: Player) -> None:
    """Both accepted and refused commands have it."""
    room = ada.open_room("ternio").body["room"]
    for command in ("ready", "veto_next", "fly"):
        assert ada.command(room, command).headers["x-request-id"]


def test_a_limited_response_names_its_limits(restricted: ApiClient) -> None:
    """What is allowed in which time, and what remains of it."""
    ada = restricted.guest("Ada")
    room = ada.open_room("ternio").body["room"]
    read, commanded, said = (
        ada.read_room(room),
        ada.command(room, "ready"),
        ada.post("/v1/lobby/chat", {"text": "hello"}),
    )
    for answer, names in ((read, ["reads_address", "reads"]), (commanded, ["commands"]), (said, ["lines"])):
        policies = answer.headers["ratelimit-policy"].split(", ")
        states = answer.headers["ratelimit"].split(", ")
        for name, policy, state in zip(names, policies, states, strict=True):
            assert re.fullmatch(rf'"{name}";q=\d+;w=\d+', policy)
            assert re.fullmatch(rf'"{name}";r=\d+;t=\d+', state)
    assert "ratelimit" not in ada.get("/health/live").headers


def test_the_remaining_part_of_a_limit_decreases(restricted: ApiClient) -> None:
    """Each chat line decreases it by one."""
    ada = restricted.guest("Ada")
    said = [ada.post("/v1/lobby/chat", {"text": f"line {n}"}).headers["ratelimit"] for n in range(3)]
    remaining = [int(state.partition("r=")[2].partition(";")[0]) for state in said]
    assert remaining == [remaining[0] - n for n in range(3)]


def follow_links(player: Player, path: str) -> list[str]:
    """Return the addresses of all pages of a list."""
    found = [path]
    while "link" in (headers := player.get(found[-1]).headers):
        assert headers["link"].endswith('>; rel="next"')
        found.append(headers["link"].removeprefix("<").removesuffix('>; rel="next"'))
    return found


def test_a_list_links_to_its_next_page(ada: Player) -> None:
    """With the other parameters kept; the last page has no link."""
    room = ada.open_room("ternio").body["room"]
    for n in range(3):
        ada.post(f"/v1/rooms/{room}/chat", {"text": f"line {n}"})
    version = ada.read_room(room).body["version"]
    events = follow_links(ada, f"/v1/rooms/{room}/events?limit=1")
    assert events[1:] == [f"/v1/rooms/{room}/events?limit=1&since={since}" for since in range(1, version)]
    lines = follow_links(ada, f"/v1/rooms/{room}/chat?limit=2")
    assert [len(ada.get(page).body["lines"]) for page in lines] == [2, 1]
    ada.open_room("ternio")
    assert "cursor=" in ada.get("/v1/rooms?limit=1").headers["link"]
    assert "link" not in ada.get(f"/v1/rooms/{room}/matches").headers


@pytest.mark.parametrize("path", CACHEABLE)
def test_a_response_that_is_the_same_for_everyone_has_a_tag(anonymous: Player, path: str) -> None:
    """And is 304 for a client that has it, or anything."""
    whole = anonymous.get(path)
    assert (whole.status, whole.headers["cache-control"]) == (200, "no-cache")
    strong = whole.etag.removeprefix("W/")
    assert whole.etag == f"W/{strong}"
    for known in (whole.etag, strong, f'"other", {whole.etag}', "*"):
        answer = anonymous.get(path, {"if-none-match": known})
        assert (answer.status, answer.content, answer.etag) == (304, b"", whole.etag)
    assert anonymous.get(path, {"if-none-match": '"other"'}).status == 200


def test_any_tag_matches_a_room(ada: Player) -> None:
    """`If-Match: *` matches every room that exists."""
    room = ada.open_room("ternio").body["room"]
    assert ada.get(f"/v1/rooms/{room}", {"if-none-match": "*"}).status == 304
    assert ada.get("/v1/rooms/no-such-room", {"if-none-match": "*"}).status == 404


def test_with_restricted_origins_every_response_varies(restricted: ApiClient) -> None:
    """This includes responses to commands and to requests without an origin."""
    ada = restricted.guest("Ada")
    room = ada.open_room("ternio").body["room"]
    answers = [ada.get("/v1/games"), ada.get("/v1/games", ORIGIN), ada.command(room, "ready"), ada.get("/nothing")]
    assert ["origin" in answer.headers.get("vary", "").lower() for answer in answers] == [True] * 4
    assert answers[1].headers["access-control-allow-origin"] == ORIGIN["origin"]
    other = ada.get("/v1/games", {"origin": "https://other.example"})
    assert "access-control-allow-origin" not in other.headers


@pytest.mark.parametrize(
    ("path", "methods"),
    [("/v1/rooms", "GET, HEAD, OPTIONS, POST"), ("/v1/games", "GET, HEAD, OPTIONS"), ("/v1/players", "OPTIONS, POST")],
)
def test_a_preflight_lists_the_methods_of_the_path(anonymous: Player, path: str, methods: str) -> None:
    """It lists no other methods."""
    answer = anonymous.send("OPTIONS", path, PREFLIGHT)
    assert (answer.status, answer.headers["access-control-allow-methods"]) == (204, methods)


@pytest.mark.parametrize("path", ["/nothing", "/v1/nothing", "/v1/admin/rooms"])
def test_a_preflight_offers_nothing_elsewhere(anonymous: Player, path: str) -> None:
    """Neither where there is nothing, nor to pages for operators."""
    answer = anonymous.send("OPTIONS", path, PREFLIGHT)
    assert "access-control-allow-methods" not in answer.headers
    assert answer.headers.get("allow", "OPTIONS")


@pytest.mark.parametrize("method", ["OPTIONS", "PUT", "POST", "GET"])
@pytest.mark.parametrize("path", ["/v1/feed", "/nothing", "/v1/rooms", "/static/any/web/main.js", "/v1/rooms/x/feed"])
def test_allow_is_never_empty(anonymous: Player, method: str, path: str) -> None:
    """A 405 names at least one method."""
    answer = anonymous.send(method, path)
    assert answer.headers.get("allow", "OPTIONS") != ""
    assert answer.status != 405 or answer.headers["allow"]
