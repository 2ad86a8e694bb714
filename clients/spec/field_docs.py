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

CONCEPTS: FieldDocs = {
    "as": "Whether the member plays or only watches.",
    "at": "A place on the board; the game's `geometry` has their names.",
    "colour": "The colour of the seat.",
    "draw": "The number of the draw of chance in its match.",
    "ended": "When the match ended; null while it is played.",
    "epoch": "The id of the room among all rooms of its name.",
    "events": "The events, oldest first.",
    "from": "A place on the board: where the move begins.",
    "game": "The slug of the game.",
    "legal_moves": "The legal moves of the viewer's seat; each can be sent unchanged.",
    "mark": "The mark of that version, which a client sends to resume.",
    "nickname": "The name that is shown for the player.",
    "number": "The number of the match in its room, from 1.",
    "offer": "The number of the offer in this room.",
    "offers": "The open offers.",
    "options": "The options of the game.",
    "player": "The player's id.",
    "players": "The members of the room, in the order in which they joined.",
    "rated": "Whether the match counts for a rating.",
    "rating_class": "The rating class: by the clock, or `bots` for matches against bots of the service.",
    "reason": "The reason.",
    "result": "How the match ended; null while it is played.",
    "room": "The room's name.",
    "rules_version": "The version of the game's rules.",
    "seat": "The number of the seat, from 0 in turn order.",
    "server_time": "The time of the server when it sent this.",
    "settings": "The settings of the room.",
    "slug": "The name of the game in addresses and events.",
    "started": "When the match started.",
    "status": "The status: what can happen next.",
    "time": "When it happened.",
    "tournament": "The id of the tournament.",
    "title": "The title that is shown to people.",
    "to": "A place on the board: where the move ends.",
    "to_move": "The numbers of the seats that are to move.",
    "type": "What this is; it determines the other fields.",
    "version": "The version of the room: the number of its latest event.",
    "versions": "The versions of the match's events.",
}
"""What fields of these names mean in all types that say no more; a field that means something else has a docstring."""


def field_docs(struct: type[Any]) -> FieldDocs:
    """Return the docstrings of a struct's fields, inherited ones included, by their JSON names.

    A field without one has the meaning of its name in `CONCEPTS`.
    """
    docs: FieldDocs = {}
    for kind in reversed(struct.__mro__):
        docs |= module_docs(kind.__module__).get(kind.__qualname__, {})
    found = {}
    for field in msgspec.structs.fields(struct):
        name = field.encode_name
        found[name] = docs.get(field.name) or CONCEPTS.get(name, "")
    return {name: text for name, text in found.items() if text}


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
