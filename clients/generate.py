"""Write the libraries' types from the API's documents: `python clients/generate.py`.

`clients/python/turnstream_client/schema.py` and `clients/javascript/schema.d.ts` are what it writes, from `openapi/`.
"""

import json
import textwrap
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import Any

Schema = dict[str, Any]

ROOT = Path(__file__).parents[1]
PYTHON = ROOT / "clients/python/turnstream_client/schema.py"
TYPESCRIPT = ROOT / "clients/javascript/schema.d.ts"
WIDTH = 120

ROOTS = (
    *("AnyMove", "AnyEvent", "UnknownEvent", "AnyCommand", "RoomView", "OpenRoomRequest", "RequestedSettings"),
    *("OpenRoomResponse", "Guest", "CurrentPlayer", "LobbyPage", "LobbyEntryKey", "ChatPage", "PlayerPresence"),
    *("GameList", "GameDetails", "MatchAnalysis", "ReviewState", "Problem"),
    *("AcceptInvitation", "InvitationList", "InvitationView", "NewInvitation"),
    *("PlayerEvent", "SeekRequest", "OwnSeek", "OwnSeeks", "OpenSeeks"),
    *("TokenRequest", "MadeToken", "TokenList", "BlockList", "ReportRequest"),
    *("MadeLinkCode", "UsedLinkCode", "MadeRecoveryCode", "UsedRecoveryCode", "LetIn"),
    *("ChallengeRequest", "Challenge", "OpenChallenges", "Decline", "ChallengeSettings"),
    *("Bots", "BotRegistration", "ListedBot"),
    *("RatingLists", "Leaderboard", "PlayerRatings", "MatchRatings", "RatingEntries", "RatingHistory"),
    "TvMatch",
    *("NewTournament", "TournamentList", "TournamentAnswer", "StandingsPage", "TablesPage", "FollowedTournament"),
    *("PlayerProfile", "PlayerMatches", "HeadToHead", "ProfileSettings", "NotableMatches"),
    *("WebhookRequest", "WebhookChange", "MadeWebhook", "WebhookList", "WebhookDetails", "WebhookEntry"),
)
"""The schemas that the libraries name; those that they refer to come with them."""
FRAMES = (
    *("SubscribedFrame", "SnapshotFrame", "UpdateFrame", "CaughtUpFrame", "ChatFrame", "PresenceFrame"),
    "ChatSnapshotFrame",
    *("PlayerSubscribedFrame", "PlayerSnapshotFrame", "PlayerUpdateFrame", "PlayerCaughtUpFrame"),
    *("HeartbeatFrame", "LobbyFrame", "TvFrame", "ErrorFrame", "ReplyFrame", "PongFrame"),
    *("TournamentSnapshotFrame", "TournamentUpdateFrame"),
    *("SubscribeFrame", "UnsubscribeFrame", "CommandFrame", "PingFrame"),
)
"""The frames of a socket. In Python they are written by hand, for they hold events that are decoded later."""
EVENT_FIELDS = ("version", "time", "match", "by")
"""What every event has, in Python inherited."""
KEYWORDS = frozenset({"as", "from"})
TAGS = ("type", "game")
"""The fields by which a union's members are told apart."""
CODES = "The stable code of an error; later releases of the service may have more."


class Documents:
    """The schemas of `openapi/`, and what both languages ask about them."""

    def __init__(self, roots: tuple[str, ...]) -> None:
        """Take the schemas that `roots` need."""
        self._roots = roots
        names = ("openapi", "asyncapi")  # where both have a schema, the second says more
        documents = [json.loads((ROOT / f"openapi/{name}.json").read_text()) for name in names]
        self._all: dict[str, Schema] = {}
        for document in documents:
            self._all |= document["components"]["schemas"]
        self._all["RoomEvent"] = {
            "description": "An event of the room itself, the same in every game.",
            "oneOf": [each for each in self._all["AnyEvent"]["oneOf"] if not self._is_of_game(each)],
        }
        self._all["AnyMove"] = self._by_game("Move")
        self._all["AnyEvent"] = self._by_game("Event", "RoomEvent")

    def _is_of_game(self, event: Schema) -> bool:
        """Return whether the event with this reference belongs to one of some games."""
        return literals(self._all[referred(event)]["properties"].get("game", {})) is not None

    def _by_game(self, kind: str, *others: str) -> Schema:
        """Return the union of all moves or events under their games' names, where the API has those of each type."""
        names = [referred(view).removesuffix("RoomView") + kind for view in self._all["RoomView"]["oneOf"]]
        return {**self._all[f"Any{kind}"], "oneOf": [{"$ref": f"#/{name}"} for name in (*others, *names)]}

    @cached_property
    def schemas(self) -> dict[str, Schema]:
        """The needed schemas by name, each behind those that it refers to."""
        found: dict[str, Schema] = {}
        for root in sorted(self._roots):
            self._visit(root, found)
        return found

    @cached_property
    def codes(self) -> list[str]:
        """The codes of all errors, which the list of codes names."""
        return literals(self._all["RefusalCode"]["properties"]["code"]) or []

    def _visit(self, name: str, found: dict[str, Schema]) -> None:
        if name not in found:
            for inner in sorted(references(self._all[name])):
                self._visit(inner, found)
            found[name] = self._all[name]


def references(schema: Any) -> Iterator[str]:
    """Yield the names of the schemas that this one refers to."""
    if isinstance(schema, dict):
        if "$ref" in schema:
            yield referred(schema)
        for key, value in schema.items():
            if key not in {"default", "x-default", "examples", "discriminator"}:
                yield from references(value)
    elif isinstance(schema, list):
        for each in schema:
            yield from references(each)


def referred(schema: Schema) -> str:
    """Return the name of the schema that a reference names."""
    return str(schema["$ref"]).rpartition("/")[2]


def alternatives(schema: Schema) -> list[Schema] | None:
    """Return the members of a union, None if it is none."""
    return schema.get("oneOf") or schema.get("anyOf")


def literals(schema: Schema) -> list[Any] | None:
    """Return the values that are allowed, None if they are not listed."""
    return [schema["const"]] if "const" in schema else schema.get("enum")


def joined(members: list[Schema]) -> list[Schema]:
    """Return the members of a union with their literals as one of them."""
    values = [value for each in members for value in literals(each) or ()]
    others = [each for each in members if not literals(each)]
    return [{"enum": values}, *others] if values else others


def tag(schema: Schema) -> str | None:
    """Return the field by which this object is told from others in a union."""
    properties = schema.get("properties", {})
    return next((name for name in TAGS if len(literals(properties.get(name, {})) or ()) == 1), None)


def docstring(text: str, indent: str = "") -> list[str]:
    """Return the lines of a description between quotes."""
    lines = []
    for paragraph in text.replace("\\", "\\\\").split("\n\n"):
        lines += [*textwrap.wrap(paragraph, WIDTH - len(indent) - 6), ""]
    lines.pop()
    lines[0] = '"""' + lines[0]
    lines[-1:] = [lines[-1] + '"""'] if len(lines) == 1 else [lines[-1], '"""']
    return [indent + line if line else "" for line in lines]


# Python

PYTHON_HEAD = '''"""The types of the API, written by `clients/generate.py` from `openapi/`; a test compares them.

Fields that the wire names with a keyword have an underscore behind them here: `from_`, `as_`.
"""

from datetime import datetime
from typing import Any, ClassVar, Literal

import msgspec


class Schema(msgspec.Struct, frozen=True, omit_defaults=True):
    """What every type here is: immutable, comparable, and encoded without the fields that have their default."""


class Event(Schema, frozen=True, kw_only=True, tag_field="type"):
    """What every event has. A secret field that the viewer may not know is None."""

    version: int
    """The event's number in its room."""
    time: datetime
    match: int | None = None
    """The number of the match that the event belongs to, if any."""
    by: str | None = None
    """The player whose command caused the event; None if the service caused it."""
'''
PYTHON_NAMES = {"string": "str", "integer": "int", "number": "float", "boolean": "bool", "null": "None"}


def python_module(documents: Documents) -> str:
    """Return the module with the types for Python."""
    parts = [PYTHON_HEAD]
    for name, schema in documents.schemas.items():
        parts.append(python_class(name, schema) if "properties" in schema else python_union(name, schema))
    parts.append(python_table(documents))
    parts.append(python_codes(documents))
    return "\n\n".join(parts)


def python_union(name: str, schema: Schema) -> str:
    """Return the alias of a union, or of an object whose fields have no names."""
    members = [python_type(each) for each in alternatives(schema) or (schema,)]
    line = f"{name} = {' | '.join(members)}"
    if len(line) > WIDTH:
        line = f"{name} = (\n    " + "\n    | ".join(members) + "\n)"
    return "\n".join([line, *docstring(schema["description"]), ""])


def python_class(name: str, schema: Schema) -> str:
    """Return a struct; an event inherits what all events have."""
    own = dict(schema["properties"])
    tagged_by, is_event = tag(schema), name.endswith("Event") and "version" in own
    head = ["Event" if is_event else "Schema", "frozen=True"]
    if is_event:
        head.append("kw_only=True")
        own = {field: value for field, value in own.items() if field not in EVENT_FIELDS}
    lines = docstring(schema["description"], "    ")
    body: list[str] = []
    if tagged_by:
        [value] = literals(own.pop(tagged_by)) or [""]
        head += [f'tag="{value}"', *([] if is_event else [f'tag_field="{tagged_by}"'])]
        body = [f'    {tagged_by}: ClassVar[Literal["{value}"]] = "{value}"']
    required = schema.get("required", [])
    for field in sorted(own, key=lambda field: field not in required):
        body += python_field(name, field, own[field], is_required=field in required)
    return "\n".join([f"class {name}({', '.join(head)}):", *lines, *([""] if body else []), *body, ""])


def python_field(owner: str, name: str, schema: Schema, *, is_required: bool) -> list[str]:
    """Return a field with its default and its description."""
    kind = python_type(schema)
    if not owner.endswith(("Command", "Request")):
        kind = kind.replace("AnyMove", "dict[str, Any]")  # those of several games look alike: it stays as it came
    default = None if is_required else python_default(schema)
    if default == "None" and "None" not in kind.split(" | "):
        kind += " | None"
    attribute = name
    if name in KEYWORDS:
        attribute = f"{name}_"
        default = f'msgspec.field(name="{name}"' + (f", default={default})" if default else ")")
    line = f"    {attribute}: {kind}" + (f" = {default}" if default else "")
    if len(line) > WIDTH:
        raise ValueError(f"this field is longer than a line: {line}")
    return [line, *(docstring(schema["description"], "    ") if "description" in schema else [])]


def python_default(schema: Schema) -> str:
    """Return what a field is if it is left out."""
    value = schema.get("x-default", schema.get("default"))
    match value:
        case [] | dict() if not value and not {"$ref", "anyOf", "oneOf"} & schema.keys():
            return json.dumps(value)
        case dict() if "$ref" in schema:
            return f"{referred(schema)}()"
        case dict():
            return next(f"{referred(each)}()" for each in alternatives(schema) or () if "$ref" in each)
        case str():
            return json.dumps(value)
        case list():
            return f"msgspec.field(default_factory=lambda: {json.dumps(value)})"
    return repr(value)


def python_type(schema: Schema) -> str:  # noqa: PLR0911 - one for each form that a schema has
    """Return a schema's annotation."""
    if "$ref" in schema:
        return referred(schema)
    if members := alternatives(schema):
        return " | ".join(dict.fromkeys(python_type(each) for each in joined(members)))
    if values := literals(schema):
        return f"Literal[{', '.join(json.dumps(value) for value in values)}]"
    match schema.get("type"):
        case "array":
            return python_array(schema)
        case "object":
            inner = schema.get("additionalProperties")
            return f"dict[str, {python_type(inner) if isinstance(inner, dict) else 'Any'}]"
        case "string" if schema.get("format") == "date-time":
            return "datetime"
        case str(kind):
            return PYTHON_NAMES[kind]
    return "Any"


def python_array(schema: Schema) -> str:
    """Return a list's annotation, or a tuple's."""
    items = schema.get("prefixItems") or schema["items"]
    if isinstance(items, list):
        return f"tuple[{', '.join(python_type(each) for each in items)}]"
    return f"list[{python_type(items)}]"


def python_table(documents: Documents) -> str:
    """Return the tables that lead from a game to its types."""
    views = [referred(each) for each in documents.schemas["RoomView"]["oneOf"]]
    lines = ["EVENTS: dict[str, Any] = {"]
    moves = ["MOVES: dict[str, Any] = {"]
    for view in views:
        [game] = literals(documents.schemas[view]["properties"]["game"]) or [""]
        title = view.removesuffix("RoomView")
        lines.append(f'    "{game}": RoomEvent | {title}Event,')
        moves.append(f'    "{game}": {title}Move,')
    about = ['"""The events that a room of each game can have."""', ""]
    return "\n".join([*lines, "}", *about, *moves, "}", '"""The moves of each game."""', ""])


def python_codes(documents: Documents) -> str:
    """Return the type of errors' codes."""
    return "\n".join(["Code = Literal[", *(f'    "{code}",' for code in documents.codes), "]", f'"""{CODES}"""', ""])


# TypeScript

TYPESCRIPT_HEAD = """/**
 * The types of the API, written by `clients/generate.py` from `openapi/`; a test compares them.
 */
"""
TYPESCRIPT_NAMES = {"string": "string", "integer": "number", "number": "number", "boolean": "boolean", "null": "null"}


def typescript_module(documents: Documents) -> str:
    """Return the declarations for JavaScript and TypeScript."""
    parts = [TYPESCRIPT_HEAD]
    for name, schema in documents.schemas.items():
        parts.append(
            "\n".join([*comment(schema["description"]), f"export type {name} = {typescript_type(schema)};", ""])
        )
    parts.append(typescript_codes(documents))
    return "\n".join(parts)


def typescript_codes(documents: Documents) -> str:
    """Return the type of errors' codes."""
    return "\n".join([*comment(CODES), "export type Code =", *(f'  | "{code}"' for code in documents.codes)]) + ";\n"


def comment(text: str, indent: str = "") -> list[str]:
    """Return the lines of a description as a comment."""
    paragraphs = [textwrap.wrap(paragraph, WIDTH - len(indent) - 7) for paragraph in text.split("\n\n")]
    lines = [line for paragraph in paragraphs for line in [*paragraph, ""]][:-1]
    if len(lines) == 1:
        return [f"{indent}/** {lines[0]} */"]
    return [f"{indent}/**", *(f"{indent} * {line}".rstrip() for line in lines), f"{indent} */"]


def typescript_type(schema: Schema, indent: str = "") -> str:  # noqa: PLR0911 - as in Python
    """Return a schema's type."""
    if "$ref" in schema:
        return referred(schema)
    if members := alternatives(schema):
        return " | ".join(dict.fromkeys(typescript_type(each, indent) for each in members))
    if values := literals(schema):
        return " | ".join(json.dumps(value) for value in values)
    match schema.get("type"):
        case "array":
            return typescript_array(schema, indent)
        case "object":
            return typescript_object(schema, indent)
        case str(kind):
            return TYPESCRIPT_NAMES[kind]
    return "unknown"


def typescript_array(schema: Schema, indent: str) -> str:
    """Return an array's type, or a tuple's."""
    items = schema.get("prefixItems") or schema["items"]
    if isinstance(items, list):
        return f"[{', '.join(typescript_type(each, indent) for each in items)}]"
    inner = typescript_type(items, indent)
    return f"({inner})[]" if " | " in inner else f"{inner}[]"


def typescript_object(schema: Schema, indent: str) -> str:
    """Return an object's type."""
    if "properties" not in schema:
        inner = schema.get("additionalProperties")
        return f"Record<string, {typescript_type(inner, indent) if isinstance(inner, dict) else 'unknown'}>"
    lines, deeper = ["{"], indent + "  "
    for name, value in schema["properties"].items():
        optional = "" if name in schema.get("required", []) else "?"
        lines += comment(value["description"], deeper) if "description" in value else []
        lines.append(f"{deeper}{name}{optional}: {typescript_type(value, deeper)};")
    return "\n".join([*lines, indent + "}"])


def modules() -> dict[Path, str]:
    """Return what each of the two files should hold."""
    return {PYTHON: python_module(Documents(ROOTS)), TYPESCRIPT: typescript_module(Documents((*ROOTS, *FRAMES)))}


if __name__ == "__main__":
    for path, text in modules().items():
        path.write_text(text)
