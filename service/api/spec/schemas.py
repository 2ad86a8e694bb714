"""The schemas of everything on the wire, by name: the house's, and each game's under names of its own.

What the types say too widely, because it depends on the game or is encoded ahead, stands in one table. Nothing here
names a game.
"""

import re
from collections.abc import Sequence
from functools import cache
from typing import Any

from service.api.http.bodies import Commanded
from service.api.spec.examples.bodies import answer_examples
from service.api.spec.examples.matches import examples
from service.api.spec.json_schema import Named, Schema, derived, listed, name_of, nullable, ref
from service.domain.catalog import GAMES, AnyGame
from service.domain.room.model.commands import OpenRoom, PlayerCommand
from service.domain.room.model.events import AnyRoomEvent
from service.rooms.errors import Problem
from service.rooms.feeds import frames
from service.rooms.views.room_view import RoomView

WIDE: dict[tuple[str, str], Schema] = {
    ("Play", "move"): ref("Move"),
    ("LegalMoves", "legal_moves"): listed(ref("Move")),
    ("Hint", "move"): ref("Move"),
    ("Problem", "legal_moves"): listed(ref("Move")),
    ("Problem", "type"): {"type": "string", "format": "uri-reference"},
    ("LobbyCard", "options"): ref("Options"),
    ("RoomOpened", "options"): ref("Options"),
    ("NextConfigured", "options"): ref("Options"),
    ("RoomConfigured", "options"): ref("Options"),
    ("PlanView", "options"): ref("Options"),
    ("MatchStarted", "options"): ref("Options"),
    ("Commanded", "events"): listed({"anyOf": [ref("WireEvent"), ref("UnknownEvent")]}),
    ("Command", "command"): ref("PlayerCommand"),
    ("Snapshot", "view"): ref("RoomView"),
    ("Update", "view"): ref("RoomView"),
    ("Update", "events"): listed(ref("WireEvent")),
    ("Reply", "result"): ref("Commanded"),
}
"""What a field of the house's is, where its type says less."""

UNIONS = {"PlayerCommand": PlayerCommand, "AnyRoomEvent": AnyRoomEvent}
"""Unions with a name of their own, each with what its parts are."""

ALWAYS = (OpenRoom, RoomView, Commanded, Problem, frames.FromClient, frames.FromServer)
"""What the others refer to."""

UNKNOWN: Schema = {
    "title": "UnknownEvent",
    "description": "Ends a dry run's events where a reveal or a draw of chance would decide what comes next.",
    "type": "object",
    "properties": {"type": {"enum": ["unknown"]}},
    "required": ["type"],
    "examples": [{"type": "unknown"}],
}


class Schemas:
    """The schemas of some types, and of all that they consist of, by name."""

    def __init__(self, kinds: Sequence[Any]) -> None:
        """Derive them, those of every game included."""
        self._kinds = [*kinds, *ALWAYS, *UNIONS.values()]
        self._schemas, self.named = derived(self._kinds, house_examples())
        for name, schema in zip(UNIONS, self._schemas[-len(UNIONS) :], strict=True):
            self.named[name] = {"title": name, **schema}
        for (struct, field), schema in WIDE.items():
            if struct in self.named:
                self.named[struct] = with_fields(self.named[struct], struct, {field: schema})
        for game in GAMES.values():
            self.named |= game_schemas(game, self.named)
        self.named |= across_games(self.named)

    def of(self, kind: Any) -> Schema:
        """Return the schema of one of the types, by reference where it has a name."""
        for name, named in UNIONS.items():
            if kind == named:
                return ref(name)
        return self._schemas[self._kinds.index(kind)]

    def needed(self, document: Any) -> Named:
        """Return the schemas that a document refers to, directly or through others, in the order of their names."""
        found: Named = {}
        waiting = list(references(document))
        while waiting:
            name = waiting.pop()
            if name not in found:
                found[name] = self.named[name]
                waiting += references(found[name])
        return dict(sorted(found.items()))

    def examples(self, schema: Schema) -> Named:
        """Return the examples of every form that a schema has, by name."""
        if "$ref" in schema:
            name = name_of(schema)
            own = self.named[name].get("examples")
            return {name: {"value": own[0]}} if own else self.examples(self.named[name])
        return {name: value for part in schema.get("oneOf", ()) for name, value in self.examples(part).items()}


def house_examples() -> dict[type, Any]:
    """Return an example of every type of the house's that some game's evening shows."""
    evenings = [examples(slug) for slug in GAMES]
    seen = {kind: example for shown in evenings for kind, example in {**shown.events, **shown.asks}.items()}
    return {**seen, **answer_examples()}


def references(value: Any) -> list[str]:
    """Return the names of the schemas that a part of a document refers to."""
    if isinstance(value, list):
        return [name for part in value for name in references(part)]
    if not isinstance(value, dict):
        return []
    own = [name_of(value)] if str(value.get("$ref", "")).startswith("#/components/schemas/") else []
    return own + [name for part in value.values() for name in references(part)]


def game_schemas(game: AnyGame, house: Named) -> Named:
    """Return the schemas of a game's own types, and of a room in which it is played."""
    begin, shown = prefix(game.slug), examples(game.slug)
    kinds = [game.move, game.event, game.options, shown.state]
    (move, event, options, state), named = derived(kinds, {**shown.moves, **shown.events}, begin)
    last = {"description": "The latest events on the board, for drawing.", **listed(ref(f"Any{begin}Event"))}
    played = {"game": {"const": game.slug}, "options": options}
    match = {"state": state, "legal_moves": listed(ref(f"Any{begin}Move"))}
    room = {**played, "match": nullable(ref(f"{begin}MatchView"))}
    opening = with_fields(house["OpenRoom"], f"{begin}OpenRoom", played)
    drawn = with_fields(named[name_of(state)], name_of(state), {"last": last})
    return {
        **named,
        name_of(state): {**drawn, "required": [*drawn["required"], "last"]},
        f"Any{begin}Move": union(f"Any{begin}Move", f"A move of {game.title}.", move),
        f"Any{begin}Event": union(f"Any{begin}Event", f"An event of {game.title}.", event),
        f"{begin}MatchView": with_fields(house["MatchView"], f"{begin}MatchView", match),
        f"{begin}RoomView": {**with_fields(house["RoomView"], f"{begin}RoomView", room), "examples": [shown.view]},
        f"{begin}OpenRoom": {**opening, "examples": [shown.opening]},
    }


def across_games(house: Named) -> Named:
    """Return the schemas of what differs by game, each as all of its forms."""
    begins = {slug: prefix(slug) for slug in GAMES}
    return {
        "UnknownEvent": UNKNOWN,
        "Move": any_of("Move", "A move of some game.", [f"Any{begin}Move" for begin in begins.values()]),
        "Options": any_of(
            "Options",
            "The options of some game.",
            [f"{begin}{GAMES[slug].options.__name__}" for slug, begin in begins.items()],
        ),
        "WireEvent": any_of(
            "WireEvent",
            "What happened in a room or on its board.",
            ["AnyRoomEvent", *(f"Any{begin}Event" for begin in begins.values())],
        ),
        **{name: by_game(name, house[name]["description"]) for name in ("RoomView", "OpenRoom")},
    }


@cache
def prefix(slug: str) -> str:
    """Return what the names of a game's schemas begin with: `tic-tac-toe` has a `TicTacToeMove`."""
    return "".join(part.title() for part in re.split(r"[^a-zA-Z0-9]+", slug))


def with_fields(schema: Schema, name: str, fields: Named) -> Schema:
    """Return an object's schema under another name with these fields set; what was said of a field stays."""
    properties = dict(schema["properties"])
    for field, narrow in fields.items():
        said = properties.get(field, {}).get("description")
        properties[field] = narrow if said is None else {"description": said, **narrow}
    return {**schema, "title": name, "properties": properties}


def union(name: str, about: str, schema: Schema) -> Schema:
    """Return a union, or the only type that there is of it, under a name."""
    parts = {"oneOf": [schema]} if "$ref" in schema else schema
    return {"title": name, "description": about, **parts}


def any_of(name: str, about: str, parts: Sequence[str]) -> Schema:
    """Return the schema of what is one of several, which a value alone may not tell."""
    return {"title": name, "description": about, "anyOf": [ref(part) for part in parts]}


def by_game(name: str, about: str) -> Schema:
    """Return the schema of what has one form a game, told apart by its field `game`."""
    forms = {slug: ref(prefix(slug) + name) for slug in GAMES}
    mapping = {slug: form["$ref"] for slug, form in forms.items()}
    discriminator = {"propertyName": "game", "mapping": mapping}
    return {"title": name, "description": about, "oneOf": list(forms.values()), "discriminator": discriminator}
