"""What the source says of a struct's fields: the strings under them, which Python itself forgets."""

import ast
import inspect
import sys
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from typing import Any

import msgspec

Told = dict[str, str]


def told_fields(struct: type[Any]) -> Told:
    """Return what is said of the fields of a struct, its bases' included, by their names on the wire."""
    said: Told = {}
    for kind in reversed(struct.__mro__):
        said |= told_in(kind.__module__).get(kind.__qualname__, {})
    return {field.encode_name: said[field.name] for field in msgspec.structs.fields(struct) if field.name in said}


@cache
def told_in(module: str) -> dict[str, Told]:
    """Return what a module says of its classes' fields; nothing where it comes without source."""
    try:
        source = inspect.getsource(sys.modules[module])
    except (OSError, TypeError):
        return {}
    return {node.name: dict(told_under(node)) for node in ast.parse(source).body if isinstance(node, ast.ClassDef)}


def told_under(node: ast.ClassDef) -> Iterator[tuple[str, str]]:
    """Return each field that has a string right under it, with that string."""
    for field, after in pairwise(node.body):
        match field, after:
            case (ast.AnnAssign(target=ast.Name(id=name)), ast.Expr(value=ast.Constant(value=str(said)))):
                yield name, inspect.cleandoc(said)
