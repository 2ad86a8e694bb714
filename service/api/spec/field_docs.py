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
    "by": "The player whose command caused it.",
    "colour": "The colour of the seat.",
    "creator": "The player who has the creator's rights.",
    "draw": "The number of the draw of chance in its match.",
    "ended": "When the match ended; null while it is played.",
    "epoch": "The id of the room among all rooms of its name.",
    "events": "The events, oldest first.",
    "from": "A place on the board: where the move begins.",
    "game": "The slug of the game.",
    "geometry": "The board, from which any client can draw it.",
    "legal_moves": "The legal moves of the viewer's seat; each can be sent unchanged.",
    "level": "The level of the bot.",
    "mark": "The mark of that version, which a client sends to resume.",
    "match": "The running match, or the latest one until the next one starts; null before the first.",
    "matches": "The matches, newest first.",
    "nickname": "The name that is shown for the player.",
    "name_ref": "Where the nickname is stored; absent for bots of the service and in what earlier releases stored.",
    "number": "The number of the match in its room, from 1.",
    "offer": "The number of the offer in this room.",
    "offers": "The open offers.",
    "opened": "When the room was opened.",
    "options": "The options of the game.",
    "owner": "The colour of the seat that it belongs to.",
    "player": "The player's id.",
    "players": "The members of the room, in the order in which they joined.",
    "problem": "Why it was refused.",
    "rated": "Whether the match counts for a rating.",
    "rating_class": "The rating class: by the clock, or `bots` for matches against bots of the service.",
    "reason": "The reason.",
    "restart_at": "When the next match begins automatically; null if it does not.",
    "result": "How the match ended; null while it is played.",
    "room": "The room's name.",
    "rooms": "The rooms.",
    "rules_version": "The version of the game's rules.",
    "seat": "The number of the seat, from 0 in turn order.",
    "seats": "The seats, in turn order.",
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
    "token": "The token that authenticates a player.",
    "type": "What this is; it determines the other fields.",
    "value": "What was rolled.",
    "version": "The version of the room: the number of its latest event.",
    "versions": "The versions of the match's events.",
    "view": "The room as the caller may see it.",
}
"""What fields of these names mean, wherever their type says no more."""


def field_docs(struct: type[Any]) -> FieldDocs:
    """Return the docstrings of a struct's fields, inherited ones included, by their JSON names.

    A field without one has the meaning of its name in `CONCEPTS`, or that of a field of this name in its module.
    """
    docs: FieldDocs = {}
    for kind in reversed(struct.__mro__):
        docs |= module_docs(kind.__module__).get(kind.__qualname__, {})
    found = {}
    for field in msgspec.structs.fields(struct):
        name = field.encode_name
        found[name] = docs.get(field.name) or CONCEPTS.get(name) or first_docs(struct.__module__).get(field.name, "")
    return {name: text for name, text in found.items() if text}


@cache
def module_docs(module: str) -> dict[str, FieldDocs]:
    """Return the docstrings of the fields of a module's classes; nothing if the source is not available."""
    try:
        source = inspect.getsource(sys.modules[module])
    except (OSError, TypeError):
        return {}
    return {node.name: dict(class_docs(node)) for node in ast.parse(source).body if isinstance(node, ast.ClassDef)}


@cache
def first_docs(module: str) -> FieldDocs:
    """Return the first docstring of each field name in a module."""
    docs: FieldDocs = {}
    for fields in module_docs(module).values():
        docs = {**fields, **docs}
    return docs


def class_docs(node: ast.ClassDef) -> Iterator[tuple[str, str]]:
    """Return each field that is followed by a string, with that string."""
    for field, after in pairwise(node.body):
        match field, after:
            case (ast.AnnAssign(target=ast.Name(id=name)), ast.Expr(value=ast.Constant(value=str(text)))):
                yield name, inspect.cleandoc(text)
