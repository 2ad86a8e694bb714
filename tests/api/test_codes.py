"""The codes of refusals: each that the source can answer is in the list of codes, and none in the list is unused."""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from service.api.http.responses import LITESTAR_CODES
from service.domain.catalog import GAMES
from service.streams.codes import CATALOGUE, CODES
from tests.api.documents import SCHEMAS
from tests.e2e.client import Player

SERVICE = Path(__file__).parents[2] / "service"
LISTS = "streams/codes.py"
"""The file that lists codes; a code that is named nowhere else is never sent."""
RAISED_BY = frozenset({"Rejected", "ServiceError", "problem"})


@cache
def trees() -> dict[str, ast.Module]:
    """Return the modules of the service, parsed, by their paths."""
    return {path.relative_to(SERVICE).as_posix(): ast.parse(path.read_text()) for path in SERVICE.glob("**/*.py")}


def raised_codes(tree: ast.AST) -> Iterator[str]:
    """Return the codes that a module passes to an exception or to `problem` as a constant."""
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Name(id=name), args=[ast.Constant(value=str(code)), *_]) if name in RAISED_BY:
                yield code


def texts(tree: ast.AST) -> set[str]:
    """Return all texts in a module."""
    return {node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)}


def test_every_code_in_the_source_is_in_the_list() -> None:
    """Each code has a status and a meaning."""
    raised = {code for tree in trees().values() for code in raised_codes(tree)}
    assert raised | set(LITESTAR_CODES.values()) <= set(CODES)
    assert len(raised) > 100


def test_every_code_in_the_list_is_in_the_source() -> None:
    """A code of a room or of the service; the laws of games check theirs."""
    used = set().union(*(texts(tree) for path, tree in trees().items() if path != LISTS))
    own = set(CATALOGUE.codes)
    assert own <= used
    assert set(CODES) == own | {code for game in GAMES.values() for code in game.texts.refusals}


def test_the_list_is_served_and_documented(anonymous: Player) -> None:
    """Each code once, in the answer and in the schema of the answer."""
    served = [entry["code"] for entry in anonymous.get("/v1/codes").body["codes"]]
    assert served == sorted(CODES) == SCHEMAS["RefusalCode"]["properties"]["code"]["enum"]
