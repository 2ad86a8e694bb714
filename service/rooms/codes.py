"""The catalogue of every code that a refusal can carry: its HTTP status, and what it tells a person."""

from typing import NamedTuple

from service.domain.catalog import GAMES
from service.domain.room.model.codes import ROOM_CODES


class Code(NamedTuple):
    """A refusal's status and meaning."""

    status: int
    meaning: str


SERVICE_CODES: dict[str, Code] = {
    "malformed": Code(
        400, "This is no HTTP, or its body is not UTF-8, not JSON, nested too deep, or has a number out of range."
    ),
    "unauthenticated": Code(401, "No token, or one that this service did not sign: POST /v1/players gives one."),
    "wrong_host": Code(400, "This service doesn't go by the name in Host."),
    "banned": Code(403, "An operator has banned this player."),
    "muted_by_operator": Code(403, "An operator has muted this player."),
    "not_found": Code(404, "There is no such thing here."),
    "no_such_room": Code(404, "No live room has this name, or it is not yours to see."),
    "muted": Code(403, "The creator of the room has muted you in its chat."),
    "no_such_match": Code(404, "No match has this id."),
    "no_such_game": Code(404, "No game has this name; see GET /v1/games."),
    "no_such_version": Code(404, "The room has not come to this version yet."),
    "method_not_allowed": Code(405, "This address exists, but not for this method; see Allow."),
    "not_acceptable": Code(406, "None of the media types in Accept can be served here."),
    "name_taken": Code(409, "A live room has this name."),
    "still_playing": Code(409, "The match has not ended: its text, with the seed, is there when it has."),
    "trimmed": Code(410, "These versions were trimmed from the room's history."),
    "version_mismatch": Code(412, "The room is not at the version named by If-Match."),
    "body_too_large": Code(413, "The body is larger than this service reads."),
    "unsupported_media_type": Code(415, "Send JSON with Content-Type: application/json."),
    "unfit": Code(422, "The JSON doesn't fit the schema; the pointer says where."),
    "bad_line": Code(422, "A line has 1 to 500 visible characters, none of which changes direction."),
    "key_reused": Code(422, "This Idempotency-Key came with another body before; a new command needs a new key."),
    "rate_limited": Code(429, "Too much in too short a time; go on after `retry_after` seconds."),
    "too_many_rooms": Code(429, "You are in as many rooms as a player may be; leave one first."),
    "room_crowded": Code(429, "As many people are in this room as it may hold; you can follow it without joining."),
    "too_many_watchers": Code(429, "As many connections follow this room as may; try again later."),
    "too_many_sockets": Code(429, "Too many sockets and streams are open from this address or for this player."),
    "too_many_subscriptions": Code(429, "This socket follows as many rooms as it may; unsubscribe from one first."),
    "outcome_unknown": Code(503, "The store went away in the middle: repeat the same request with the same key."),
    "store_unavailable": Code(503, "The store does not answer; nothing was changed. Try again."),
    "store_lost_data": Code(
        503, "The store has lost data. Reading goes on; nothing is written until an operator restores or accepts it."
    ),
    "store_unfit": Code(503, "The store's settings don't do, so this process isn't ready; an operator has to look."),
    "store_full": Code(
        503, "The store's disk or memory is full: rooms can be read, nothing is written. Try again when there is room."
    ),
    "leaving": Code(503, "This process is about to leave; another one serves."),
    "no_hints": Code(403, "This room gives no hints here; see its setting `hints`."),
    "too_many_hints": Code(429, "You wait for two hints already, or too many others wait. Ask again in a moment."),
    "busy": Code(503, "Too many others wrote to this room at the same moment. Try again."),
    "history_damaged": Code(503, "This room's history does not match its digests; an operator has to look at it."),
    "newer_events": Code(503, "A newer release wrote to this room; this one can't read it."),
    "passwords_busy": Code(503, "Too many passwords are being checked here. Try again in a moment."),
    "internal": Code(500, "A fault of this service; it has been logged."),
}

CONFLICT = 409
"""The status of a rejection by the rules, of a room or of a game, unless said otherwise below."""

ROOM_STATUSES = {
    "not_a_member": 403,
    "not_seated": 403,
    "not_your_seat": 403,
    "not_the_creator": 403,
    "members_only": 403,
    "kicked": 403,
    "not_asked": 403,
    "not_your_offer": 403,
    "seat_required": 422,
    "no_such_seat": 422,
    "seats_count": 422,
    "bad_nickname": 422,
    "bad_name": 422,
    "no_such_level": 422,
}
"""The other statuses of rejections by the rules of a room."""


def all_codes() -> dict[str, Code]:
    """Return every code by name: those of the games, of the rooms, and of the service."""
    games = {code: Code(CONFLICT, meaning) for game in GAMES.values() for code, meaning in game.refusals.items()}
    rooms = {code: Code(ROOM_STATUSES.get(code, CONFLICT), meaning) for code, meaning in ROOM_CODES.items()}
    return {**games, **rooms, **SERVICE_CODES}


CODES = all_codes()
