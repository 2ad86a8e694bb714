"""The schemas of all JSON that the API sends and reads: those shared by all games, and each game's own.

`NARROWED` lists the fields whose Python type says less than is known. Nothing here names a game.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from clients.spec.examples.bodies import body_examples, move_bodies
from clients.spec.examples.matches import examples_of
from clients.spec.field_docs import CONCEPTS
from clients.spec.json_schema import (
    ENVELOPE,
    Named,
    Schema,
    array_of,
    derive_schemas,
    nullable,
    ref,
    referenced_name,
)
from clients.spec.names import pascal_case
from service.api.http.bodies import CommandResponse, LegalMoves
from service.bots.hints import Hint
from service.contests.tournament_feed import FollowedTournament, TournamentFrame
from service.contests.tv import TvFrame
from service.domain.catalog import GAMES, AnyGame
from service.domain.players.kind import Delivered
from service.domain.room.model.commands import PlayerCommand
from service.domain.room.model.events import AnyRoomEvent
from service.domain.room.model.settings import OpenRoom
from service.domain.seeks.decide import SeekRequest
from service.people.matchmaking.seeks import OwnSeek
from service.people.player_service import PlayerFrame
from service.rooms.feeds import frames
from service.rooms.views.patches import PatchOperation
from service.rooms.views.room_view import RoomView
from service.streams.codes import CODES
from service.streams.errors import Problem

NARROWED: dict[tuple[str, str], Schema] = {
    ("PlayCommand", "move"): ref("AnyMove"),
    ("SeatMove", "move"): nullable(ref("AnyMove")),
    ("LessonMove", "move"): ref("AnyMove"),
    ("GameLesson", "options"): ref("GameOptions"),
    ("RefusalCode", "code"): {"enum": sorted(CODES)},
    ("LogEntry", "deed"): {"type": "object"},
    ("Problem", "legal_moves"): array_of(ref("AnyMove")),
    ("Problem", "type"): {"type": "string", "format": "uri-reference"},
    ("LobbyEntry", "options"): ref("GameOptions"),
    ("RoomOpenedEvent", "options"): ref("GameOptions"),
    ("NextConfiguredEvent", "options"): ref("GameOptions"),
    ("RoomConfiguredEvent", "options"): ref("GameOptions"),
    ("NextMatchView", "options"): ref("GameOptions"),
    ("MatchStartedEvent", "options"): ref("GameOptions"),
    ("CopiedPosition", "options"): ref("GameOptions"),
    ("CommandResponse", "events"): array_of({"oneOf": [ref("AnyEvent"), ref("UnknownEvent")]}),
    ("AcceptedInvitation", "events"): array_of(ref("AnyEvent")),
    ("InvitationView", "options"): ref("GameOptions"),
    ("Challenge", "options"): ref("GameOptions"),
    ("ChallengeRequest", "options"): ref("GameOptions"),
    ("NewTournament", "options"): ref("GameOptions"),
    ("TournamentSummary", "options"): ref("GameOptions"),
    ("TournamentView", "options"): ref("GameOptions"),
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
        # A request with `from` needs no `game`, but by it the variants of the schema are distinguished.
        self.named["OpenRoomRequest"] = {**self.named["OpenRoomRequest"], "required": ["game"]}
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
    begin, shown = pascal_case(game.slug), examples_of(game.slug)
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
        f"{begin}Move": union(f"{begin}Move", f"A move of {game.texts.title}.", move, named),
        f"{begin}Event": union(f"{begin}Event", f"An event of {game.texts.title}.", event, named),
        **{
            begin + name: with_fields(shared[name], begin + name, fields) | ({"examples": shows} if shows else {})
            for name, (fields, shows) in narrowed.items()
        },
    }


def across_games(shared: Named) -> Named:
    """Return the schemas of what differs by game, each as the union of all games' variants."""
    begins = [pascal_case(slug) for slug in GAMES]
    return {
        "UnknownEvent": UNKNOWN_EVENT,
        **any_move([shared[f"{begin}Move"] for begin in begins], shared),
        **any_event([shared[name] for name in ("RoomEvent", *(f"{begin}Event" for begin in begins))], shared),
        "GameOptions": {
            "title": "GameOptions",
            "description": "The options of a game by name; `GET /v1/games/{game}` has their schema.",
            "type": "object",
            "additionalProperties": {"anyOf": [{"type": kind} for kind in ("boolean", "integer", "string")]},
        },
        **{name: by_game(name, shared[name]["description"]) for name in BY_GAME},
    }


def with_fields(schema: Schema, name: str, fields: Named) -> Schema:
    """Return an object's schema under another name with some fields replaced; descriptions of fields are kept."""
    properties = dict(schema["properties"])
    for field, narrow in fields.items():
        description = properties.get(field, {}).get("description")
        properties[field] = narrow if description is None else {"description": description, **narrow}
    return {**schema, "title": name, "properties": properties}


def union(name: str, about: str, schema: Schema, named: Named) -> Schema:
    """Return a union by type under a name; a schema with only one variant becomes a union, too."""
    names = [referenced_name(part) for part in schema.get("oneOf", [schema])]
    return one_of(name, about, "type", {named[part]["properties"]["type"]["enum"][0]: part for part in names})


def one_of(name: str, about: str, tag: str, parts: Mapping[str, str]) -> Schema:
    """Return the schema of a value that matches exactly one of several schemas, whose names are by the value's tag."""
    forms = {value: ref(part) for value, part in parts.items()}
    mapping = {value: form["$ref"] for value, form in forms.items()}
    discriminator = {"propertyName": tag, "mapping": mapping}
    return {"title": name, "description": about, "oneOf": list(forms.values()), "discriminator": discriminator}


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


def by_type(unions: Sequence[Schema], named: Named) -> dict[str, list[Schema]]:
    """Return the members of several unions by their type, which may be the same in several games."""
    found: dict[str, list[Schema]] = {}
    for member in (named[referenced_name(part)] for union_of in unions for part in union_of["oneOf"]):
        found.setdefault(member["properties"]["type"]["enum"][0], []).append(member)
    return found


def any_move(unions: Sequence[Schema], named: Named) -> Named:
    """Return the union of all games' moves by their type; moves of several games with the same type are one schema.

    A move does not name its game.
    """
    grouped = by_type(unions, named)
    found = {kind: same[0] if len(same) == 1 else shared_move(kind, same) for kind, same in grouped.items()}
    titles = {kind: move["title"] for kind, move in found.items()}
    return {
        **{move["title"]: move for move in found.values()},
        "AnyMove": one_of("AnyMove", "A move of any game.", "type", titles),
    }


def shared_move(kind: str, same: Sequence[Schema]) -> Schema:
    """Return the schema of a move that several games have; a field that some of them lack is optional."""
    fields = {name: field for move in same for name, field in move["properties"].items()}
    for name, field in fields.items():
        if any(move["properties"].get(name, field) != field for move in same):
            fields[name] = {"type": field["type"], "description": "A place on the board; each game has its own."}
    return {
        **same[0],
        "title": f"{kind.title()}Move",
        "description": f"`{kind}` as several games have it: {', '.join(move['title'] for move in same)}.",
        "properties": fields,
        "required": [name for name in fields if all(name in move["required"] for move in same)],
    }


def any_event(unions: Sequence[Schema], named: Named) -> Named:
    """Return the union of all events by their type; those of several games with the same type are a union by game."""
    found = by_type(unions, named)
    shared = {kind: shared_event(kind, same) for kind, same in found.items() if len(same) > 1}
    titles = {kind: shared.get(kind, same[0])["title"] for kind, same in found.items()}
    about = "An event of a room or of the game played in it."
    return {
        **{event["title"]: event for event in shared.values()},
        "AnyEvent": one_of("AnyEvent", about, "type", titles),
    }


def shared_event(kind: str, same: Sequence[Schema]) -> Schema:
    """Return the schema of an event that several games have.

    It names the type, too, because openapi-typescript reads no union as a member of a union with a discriminator.
    """
    games = {event["properties"]["game"]["const"]: event["title"] for event in same}
    return {
        **one_of(f"Any{pascal_case(kind)}Event", f"`{kind}` as several games have it.", "game", games),
        "type": "object",
        "properties": {
            "type": {"enum": [kind], "description": CONCEPTS["type"]},
            "game": {"enum": list(games), "description": CONCEPTS["game"]},
        },
        "required": ["type", "game"],
    }


def by_game(name: str, about: str) -> Schema:
    """Return the schema of an object with one variant per game; the field `game` distinguishes them."""
    return one_of(name, about, "game", {slug: pascal_case(slug) + name for slug in GAMES})
