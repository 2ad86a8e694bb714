"""The schemas of all JSON that the API sends and reads: those shared by all games, and each game's own.

`NARROWED` lists the fields whose Python type says less than is known. Nothing here names a game.
"""

import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from service.api.http.bodies import CommandResponse, LegalMoves
from service.api.spec.examples.bodies import body_examples, move_bodies
from service.api.spec.examples.matches import examples_of
from service.api.spec.field_docs import CONCEPTS
from service.api.spec.json_schema import (
    ENVELOPE,
    Named,
    Schema,
    array_of,
    derive_schemas,
    nullable,
    ref,
    referenced_name,
)
from service.bot_engine.hints import Hint
from service.domain.catalog import GAMES, AnyGame
from service.domain.players.events import Delivered
from service.domain.room.model.commands import PlayerCommand
from service.domain.room.model.events import AnyRoomEvent
from service.domain.room.model.opening import OpenRoom
from service.domain.seeks.decide import SeekRequest
from service.matchmaking.own_seek import OwnSeek
from service.players.frames import PlayerFrame
from service.rooms.codes import CODES
from service.rooms.errors import Problem
from service.rooms.feeds import frames
from service.rooms.views.patches import PatchOperation
from service.rooms.views.room_view import RoomView
from service.tournaments.feed import FollowedTournament, TournamentFrame
from service.tv.frames import TvFrame

NARROWED: dict[tuple[str, str], Schema] = {
    ("PlayCommand", "move"): ref("AnyMove"),
    ("SeatMove", "move"): nullable(ref("AnyMove")),
    ("LessonMove", "move"): ref("AnyMove"),
    ("GameLesson", "options"): ref("AnyOptions"),
    ("RefusalCode", "code"): {"enum": sorted(CODES)},
    ("LogEntry", "deed"): {"type": "object"},
    ("Problem", "legal_moves"): array_of(ref("AnyMove")),
    ("Problem", "type"): {"type": "string", "format": "uri-reference"},
    ("LobbyEntry", "options"): ref("AnyOptions"),
    ("RoomOpenedEvent", "options"): ref("AnyOptions"),
    ("NextConfiguredEvent", "options"): ref("AnyOptions"),
    ("RoomConfiguredEvent", "options"): ref("AnyOptions"),
    ("NextMatchView", "options"): ref("AnyOptions"),
    ("MatchStartedEvent", "options"): ref("AnyOptions"),
    ("CommandResponse", "events"): array_of({"oneOf": [ref("AnyEvent"), ref("UnknownEvent")]}),
    ("AcceptedInvitation", "events"): array_of(ref("AnyEvent")),
    ("InvitationView", "options"): ref("AnyOptions"),
    ("Challenge", "options"): ref("AnyOptions"),
    ("ChallengeRequest", "options"): ref("AnyOptions"),
    ("NewTournament", "options"): ref("AnyOptions"),
    ("TournamentSummary", "options"): ref("AnyOptions"),
    ("TournamentView", "options"): ref("AnyOptions"),
    ("TournamentSnapshotFrame", "view"): ref("FollowedTournament"),
    ("TournamentUpdateFrame", "patch"): array_of(ref("PatchOperation")),
    ("CommandFrame", "command"): ref("AnyCommand"),
    ("SnapshotFrame", "view"): ref("RoomView"),
    ("UpdateFrame", "view"): ref("RoomView"),
    ("UpdateFrame", "events"): array_of(ref("AnyEvent")),
    ("PlayerUpdateFrame", "events"): array_of(ref("PlayerEvent")),
    ("UpdateFrame", "patch"): array_of(ref("PatchOperation")),
    ("ReplyFrame", "result"): ref("CommandResponse"),
    ("ReplyFrame", "seek"): ref("OwnSeek"),
    ("SeekFrame", "seek"): ref("SeekRequest"),
}
"""The schemas of fields whose Python type is wider than what is sent."""

UNIONS = {
    "AnyCommand": (PlayerCommand, "A command for a room; `type` names it."),
    "PlayerEvent": (Delivered, "An event of a player's own feed."),
    "RoomEvent": (AnyRoomEvent, "An event of the room itself, the same in every game."),
}
"""Named unions, each with its type and description."""

BY_GAME = ("RoomView", "OpenRoomRequest", "LegalMoves", "Hint")
"""Types with a variant for each game, which their field `game` names."""

ALWAYS_INCLUDED = (
    *(OpenRoom, RoomView, LegalMoves, Hint, CommandResponse, PatchOperation, Problem, SeekRequest, OwnSeek),
    *(frames.FromClient, frames.FromServer, PlayerFrame, TvFrame, TournamentFrame, FollowedTournament),
)
"""Types that the other schemas refer to."""

UNKNOWN_EVENT: Schema = {
    "title": "UnknownEvent",
    "description": "The last event of a dry run if what follows depends on a reveal or on chance.",
    "type": "object",
    "properties": {"type": {"enum": ["unknown"], "description": CONCEPTS["type"]}},
    "required": ["type"],
    "examples": [{"type": "unknown"}],
}


class Schemas:
    """The schemas of some types, and of all types that they contain, by name."""

    def __init__(self, kinds: Sequence[Any]) -> None:
        """Derive the schemas, including those of every game."""
        self._kinds = [*kinds, *ALWAYS_INCLUDED, *(kind for kind, _ in UNIONS.values())]
        self._schemas, self.named = derive_schemas(self._kinds, shared_examples())
        for (name, (_, about)), schema in zip(UNIONS.items(), self._schemas[-len(UNIONS) :], strict=True):
            self.named[name] = {"title": name, "description": about, **schema}
        for (name, field), schema in NARROWED.items():
            if name in self.named:
                self.named[name] = with_fields(self.named[name], name, {field: schema})
        for game in GAMES.values():
            self.named |= game_schemas(game, self.named)
        self.named |= across_games(self.named)

    def of(self, kind: Any) -> Schema:
        """Return the schema of one of the types, as a reference if it has a name."""
        for name, (union_type, _) in UNIONS.items():
            if kind == union_type:
                return ref(name)
        return self._schemas[self._kinds.index(kind)]

    def needed(self, document: Any) -> Named:
        """Return the schemas that a document refers to, directly or indirectly, sorted by name."""
        found: Named = {}
        waiting = list(referenced_names(document))
        while waiting:
            name = waiting.pop()
            if name not in found:
                found[name] = self.named[name]
                waiting += referenced_names(found[name])
        return dict(sorted(found.items()))

    def examples(self, schema: Schema) -> Named:
        """Return an example of every variant of a schema, by the variant's name."""
        if "$ref" in schema:
            name = referenced_name(schema)
            own = self.named[name].get("examples")
            return {name: {"value": own[0]}} if own else self.examples(self.named[name])
        return {name: value for part in schema.get("oneOf", ()) for name, value in self.examples(part).items()}


def shared_examples() -> dict[type, Any]:
    """Return an example of every shared type that occurs in the example match of some game."""
    played = [examples_of(slug) for slug in GAMES]
    found = {kind: example for each in played for kind, example in {**each.events, **each.commands}.items()}
    return {**found, **body_examples()}


def referenced_names(value: Any) -> list[str]:
    """Return the names of the schemas that a part of a document refers to directly."""
    if isinstance(value, list):
        return [name for part in value for name in referenced_names(part)]
    if not isinstance(value, dict):
        return []
    own = [referenced_name(value)] if str(value.get("$ref", "")).startswith("#/components/schemas/") else []
    return own + [name for part in value.values() for name in referenced_names(part)]


def game_schemas(game: AnyGame, shared: Named) -> Named:
    """Return the schemas of a game's types, and of rooms in which it is played."""
    begin, shown = game_prefix(game.slug), examples_of(game.slug)
    kinds = [game.move, game.event, game.options, shown.state]
    (move, event, options, state), named = derive_schemas(kinds, {**shown.moves, **shown.events}, begin)
    last = {"description": "The latest events on the board, for highlighting.", **array_of(ref(f"{begin}Event"))}
    chosen, requested = named[referenced_name(options)], f"{begin}RequestedOptions"
    played: Named = {"game": {"const": game.slug}}
    moves = array_of(ref(f"{begin}Move"))
    legal, hint = move_bodies(shown)
    narrowed: dict[str, tuple[Named, list[Any]]] = {
        "MatchView": ({"state": state, "legal_moves": moves}, []),
        "RoomView": ({**played, "options": options, "match": nullable(ref(f"{begin}MatchView"))}, [shown.view]),
        "OpenRoomRequest": ({**played, "options": ref(requested)}, [shown.opening]),
        "LegalMoves": ({**played, "legal_moves": moves}, [legal]),
        "Hint": ({**played, "move": ref(f"{begin}Move")}, [hint]),
    }
    drawn = with_fields(named[referenced_name(state)], referenced_name(state), {"last": last})
    return {
        **{name: with_game(part, game.slug) if name.endswith("Event") else part for name, part in named.items()},
        requested: {**chosen, "title": requested},
        referenced_name(options): complete(chosen),
        referenced_name(state): {**drawn, "required": [*drawn["required"], "last"]},
        f"{begin}Move": union(f"{begin}Move", f"A move of {game.title}.", move),
        f"{begin}Event": union(f"{begin}Event", f"An event of {game.title}.", event),
        **{
            begin + name: with_fields(shared[name], begin + name, fields) | ({"examples": shows} if shows else {})
            for name, (fields, shows) in narrowed.items()
        },
    }


def across_games(shared: Named) -> Named:
    """Return the schemas of what differs by game, each as the union of all games' variants."""
    begins = {slug: game_prefix(slug) for slug in GAMES}
    return {
        "UnknownEvent": UNKNOWN_EVENT,
        **any_move({begin: shared[f"{begin}Move"] for begin in begins.values()}, shared),
        "AnyOptions": one_of(
            "AnyOptions",
            "The options of any game.",
            [f"{begin}{GAMES[slug].options.__name__}" for slug, begin in begins.items()],
        ),
        "AnyEvent": one_of(
            "AnyEvent",
            "An event of a room or of the game played in it.",
            ["RoomEvent", *(f"{begin}Event" for begin in begins.values())],
        ),
        **{name: by_game(name, shared[name]["description"]) for name in BY_GAME},
    }


@cache
def game_prefix(slug: str) -> str:
    """Return the prefix of a game's schemas: `TicTacToe` for `tic-tac-toe`."""
    return "".join(part.title() for part in re.split(r"[^a-zA-Z0-9]+", slug))


def with_fields(schema: Schema, name: str, fields: Named) -> Schema:
    """Return an object's schema under another name with some fields replaced; descriptions of fields are kept."""
    properties = dict(schema["properties"])
    for field, narrow in fields.items():
        description = properties.get(field, {}).get("description")
        properties[field] = narrow if description is None else {"description": description, **narrow}
    return {**schema, "title": name, "properties": properties}


def union(name: str, about: str, schema: Schema) -> Schema:
    """Return a union under a name; a schema with only one variant becomes a union, too."""
    parts = {"oneOf": [schema]} if "$ref" in schema else schema
    return {"title": name, "description": about, **parts}


def one_of(name: str, about: str, parts: Sequence[str]) -> Schema:
    """Return the schema of a value that matches exactly one of several schemas."""
    return {"title": name, "description": about, "oneOf": [ref(part) for part in parts]}


def with_game(event: Schema, slug: str) -> Schema:
    """Return the schema of a game's event with the field that names the game."""
    game = {"const": slug, "description": "The game that the event belongs to."}
    head = {name: event["properties"][name] for name in ("type", *ENVELOPE)}
    return {
        **event,
        "properties": {**head, "game": game, **event["properties"]},
        "required": [*event["required"][:3], "game", *event["required"][3:]],
    }


def complete(options: Schema) -> Schema:
    """Return the schema of options as sent: all of them, with defaults for those that were not requested."""
    return {**options, "required": list(options["properties"])}


def any_move(unions: Mapping[str, Schema], named: Named) -> Named:
    """Return the union of all games' moves by the prefixes of the games; what looks alike in several games is one type.

    So a move matches exactly one type of the union.
    """
    alike: dict[tuple[str, ...], dict[str, Schema]] = {}
    for begin, union_of in unions.items():
        for part in union_of["oneOf"]:
            move = named[referenced_name(part)]
            fields = [name for name in move["properties"] if name != "type"]
            alike.setdefault((*move["properties"]["type"]["enum"], *fields), {})[begin] = move
    found = [next(iter(same.values())) if len(same) == 1 else shared_move(key, same) for key, same in alike.items()]
    titles = [move["title"] for move in found]
    return {**dict(zip(titles, found, strict=True)), "AnyMove": one_of("AnyMove", "A move of any game.", titles)}


def shared_move(key: tuple[str, ...], same: Mapping[str, Schema]) -> Schema:
    """Return the schema of a move with the same type and fields in several games, which differ in their boards."""
    first, title = next(iter(same.values())), "".join(part.title().replace("_", "") for part in key) + "Move"
    fields = {
        name: field
        if all(move["properties"][name] == field for move in same.values())
        else {"type": field["type"], "description": "A place on the board; each game has its own."}
        for name, field in first["properties"].items()
    }
    about = f"`{key[0]}` as several games have it: {', '.join(sorted(same))}."
    return {**first, "title": title, "description": about, "properties": fields}


def by_game(name: str, about: str) -> Schema:
    """Return the schema of an object with one variant per game; the field `game` distinguishes them."""
    forms = {slug: ref(game_prefix(slug) + name) for slug in GAMES}
    mapping = {slug: form["$ref"] for slug, form in forms.items()}
    discriminator = {"propertyName": "game", "mapping": mapping}
    return {"title": name, "description": about, "oneOf": list(forms.values()), "discriminator": discriminator}
