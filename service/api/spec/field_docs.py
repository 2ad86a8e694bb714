"""The docstrings of a struct's fields: the strings under them, which Python does not keep at run time."""

import ast
import inspect
import sys
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from typing import Any

import msgspec

FieldDocs = dict[str, str]


def field_docs(struct: type[Any]) -> FieldDocs:
    """Return the docstrings of a struct's fields, inherited ones included, by their JSON names."""
    docs: FieldDocs = {}
    for kind in reversed(struct.__mro__):
        docs |= module_docs(kind.__module__).get(kind.__qualname__, {})
    return {field.encode_name: docs[field.name] for field in msgspec.structs.fields(struct) if field.name in docs}


@cache
def module_docs(module: str) -> dict[str, FieldDocs]:
    """Return the docstrings of the fields of a module's classes; nothing if the source is not available."""
    try:
        source = inspect.getsource(sys.modules[module])
    except (OSError, TypeError):
        return {}
    return {node.name: dict(class_docs(node)) for node in ast.parse(source).body if isinstance(node, ast.ClassDef)}


def class_docs(node: ast.ClassDef) -> Iterator[tuple[str, str]]:
    """Return each field that is followed by a string, with that string."""
    for field, after in pairwise(node.body):
        match field, after:
            case (ast.AnnAssign(target=ast.Name(id=name)), ast.Expr(value=ast.Constant(value=str(text)))):
                yield name, inspect.cleandoc(text)
