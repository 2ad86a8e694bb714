"""The catalogue of all refusal codes, each with its HTTP status and its description for people."""

from typing import NamedTuple

from service.domain.catalog import GAMES
from service.domain.room.model.codes import ROOM_CODES
from service.domain.tournaments.codes import TOURNAMENT_CODES


class Code(NamedTuple):
    """A refusal's status and meaning."""

    status: int
    meaning: str


SERVICE_CODES: dict[str, Code] = {
    "malformed": Code(
        400,
        "The request is not valid HTTP, or its body is not valid: it must be JSON in UTF-8, without very deep nesting, "
        "without numbers beyond 2^53 - 1 and without two equal names in an object.",
    ),
    "unauthenticated": Code(
        401, "The token is missing or was not issued by this service; get one with POST /v1/players."
    ),
    "scope_missing": Code(403, "The token lacks the scope for this; use one with the scope in `params`."),
    "no_such_token": Code(404, "You have no token with this id, or it was revoked or has expired."),
    "too_many_nicknames": Code(429, "You have used as many different nicknames as allowed; use one of them again."),
    "too_many_tokens": Code(429, "You have as many tokens as allowed; revoke one first."),
    "no_such_code": Code(404, "The code is wrong, was used before, or has expired; ask for a new one."),
    "not_you": Code(403, "You can do this only to yourself; use your own id."),
    "own_block": Code(422, "You cannot block yourself."),
    "profile_hidden": Code(404, "This player's profile is hidden, or the player was erased."),
    "too_many_exports": Code(429, "You are already reading another export; wait until it has ended."),
    "too_many_blocks": Code(429, "You have blocked as many players as allowed; end a block first."),
    "wrong_host": Code(400, "This service does not serve the host named in the header Host."),
    "player_erased": Code(403, "This player was erased permanently; continue as another player."),
    "banned": Code(403, "An operator has banned this player."),
    "muted_by_operator": Code(403, "An operator has muted this player in the chat."),
    "not_found": Code(404, "There is nothing at this address; GET /openapi.json lists all addresses."),
    "no_such_room": Code(404, "There is no open room with this name, or you may not see it."),
    "muted": Code(403, "The creator of the room has muted you in its chat."),
    "no_such_match": Code(404, "There is no match with this id."),
    "no_such_game": Code(404, "There is no game with this name; GET /v1/games lists the games."),
    "no_such_ply": Code(404, "The match has fewer moves; `plies` in a response without `ply` is their number."),
    "no_such_version": Code(404, "The room has not reached this version yet."),
    "method_not_allowed": Code(
        405, "This address does not support the method; the header Allow lists the supported ones."
    ),
    "not_acceptable": Code(406, "None of the media types in the header Accept is available here."),
    "name_taken": Code(409, "Another open room has this name; choose another one, or join that room."),
    "still_playing": Code(
        409, "The match is still being played; its text, which includes the seed, is available once it has ended."
    ),
    "not_over": Code(409, "The match is still being played; it can be analysed once it has ended."),
    "position_too_late": Code(
        409, "So many events of the match precede this version that its position is not copied; choose an earlier one."
    ),
    "trimmed": Code(410, "These versions have been removed from the room's history."),
    "version_mismatch": Code(412, "The room is not at the version in If-Match; read it again."),
    "body_too_large": Code(413, "The request body is too large."),
    "unsupported_media_type": Code(415, "The body must be JSON; send it with Content-Type: application/json."),
    "unfit": Code(
        422, "The JSON or a parameter does not match the schema; `pointer` or `parameter` names the invalid part."
    ),
    "bad_line": Code(
        422, "A chat line must have 1 to 500 visible characters, without characters that change the text direction."
    ),
    "needs_a_seat": Code(
        409, "`/ready` and `/unready` are for players with a seat; send them to the chat of your room."
    ),
    "key_reused": Code(422, "This Idempotency-Key was already used with another body; use a new key for each command."),
    "key_not_supported": Code(
        422, "The answer would contain a new token and cannot be repeated; send the request without Idempotency-Key."
    ),
    "rate_limited": Code(429, "Too many requests; wait for `retry_after` seconds."),
    "too_many_rooms": Code(429, "You are a member of as many rooms as allowed; leave one first."),
    "room_crowded": Code(429, "The room has as many members as allowed; you can watch it without joining."),
    "too_many_watchers": Code(429, "The room has as many connections as allowed; try again later."),
    "no_such_seek": Code(404, "There is no such seek for you; it was matched, withdrawn, or not renewed in time."),
    "seek_not_compatible": Code(409, "The player of this seek wants others, for example with a closer rating."),
    "no_such_rating_list": Code(404, "There is no rating list for this game and class; GET /v1/games lists the games."),
    "no_such_challenge": Code(404, "You have no open challenge with this id; it was answered, withdrawn, or expired."),
    "opponent_unavailable": Code(409, "This player cannot be challenged now; `player` is the id."),
    "already_challenged": Code(409, "Your challenge to this player is still open; `player` is the id."),
    "too_many_challenges": Code(429, "You have as many open challenges as allowed; withdraw one first."),
    "not_a_bot_token": Code(403, "Only a bot can be listed; use a token with the scope `bot`."),
    "too_many_bots": Code(429, "The list has as many bots as allowed; try again later."),
    "already_paired": Code(409, "A room is waiting for you; see `pairing` at GET /v1/players/me/seeks."),
    "too_many_seeks": Code(429, "You have as many seeks as allowed; withdraw one first."),
    "seeking_paused": Code(
        429, "You were not ready for, or aborted, three found matches in a row; you can seek again at `until`."
    ),
    "no_such_webhook": Code(404, "There is no webhook with this id; it may have been deleted."),
    "too_many_webhooks": Code(429, "There are as many webhooks as allowed; delete one first."),
    "webhook_not_active": Code(409, "Nothing is sent to this webhook; have its endpoint verified first."),
    "no_such_event": Code(404, "There is no event with this version, or it is no longer stored."),
    "too_many_replays": Code(429, "As many events as allowed are waiting to be sent again; try again in a moment."),
    "too_many_sockets": Code(429, "This address or player has too many open sockets and streams; close one first."),
    "too_many_subscriptions": Code(
        429, "This socket has as many subscriptions as allowed; unsubscribe from a room first."
    ),
    "outcome_unknown": Code(
        503, "The store failed while the command was processed, so its outcome is unknown; repeat it with the same key."
    ),
    "store_unavailable": Code(503, "The store is not available, and nothing was changed; try again."),
    "store_lost_data": Code(
        503,
        "The store has lost data: rooms are read-only until an operator restores it or accepts the loss.",
    ),
    "counter_damaged": Code(
        503, "The count of events in a part of the store is damaged: its rooms are read-only until it is recounted."
    ),
    "store_unfit": Code(
        503, "The store's configuration is not suitable: rooms are read-only until an operator corrects it."
    ),
    "store_full": Code(
        503,
        "The store is short of disk space or memory: rooms can be read, but not opened or changed; try later.",
    ),
    "leaving": Code(503, "This process is shutting down; connect again to reach another one."),
    "no_hints": Code(403, "Hints are not available to you in this room; see its setting `hints`."),
    "too_many_hints": Code(
        429, "You are already waiting for two hints, or too many players are waiting; try again in a moment."
    ),
    "no_review": Code(409, "The bots of this game cannot evaluate positions, so its matches have no review."),
    "too_many_reviews": Code(429, "You are already waiting for two reviews; try again when one of them is done."),
    "busy": Code(503, "Too many other commands for this room arrived at the same time; try again."),
    "history_damaged": Code(
        503, "A history, or another part of the store, is not what was written; an operator has to examine it."
    ),
    "newer_events": Code(503, "A newer release has written to this room; this one cannot read its events."),
    "passwords_busy": Code(503, "Too many passwords are being checked; try again in a moment."),
    "internal": Code(500, "An internal error occurred and was logged."),
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
    "no_such_invitation": 404,
    "not_your_invitation": 403,
    "invitation_ended": 410,
}
"""The statuses of rejections by the rules of a room that are not `CONFLICT`."""


TOURNAMENT_STATUSES = {
    "no_such_tournament": 404,
    "not_the_organiser": 403,
    "removed_from_tournament": 403,
    "no_programs": 403,
}
"""The statuses of rejections by tournaments that are not `CONFLICT`."""


def all_codes() -> dict[str, Code]:
    """Return every code by name: those of the games, of the rooms, of tournaments, and of the service."""
    games = {code: Code(CONFLICT, meaning) for game in GAMES.values() for code, meaning in game.refusals.items()}
    rooms = {code: Code(ROOM_STATUSES.get(code, CONFLICT), meaning) for code, meaning in ROOM_CODES.items()}
    tournaments = {
        code: Code(TOURNAMENT_STATUSES.get(code, CONFLICT), meaning) for code, meaning in TOURNAMENT_CODES.items()
    }
    return {**games, **rooms, **tournaments, **SERVICE_CODES}


CODES = all_codes()

HAS_ENOUGH = (
    *("too_many_nicknames", "too_many_tokens", "too_many_exports", "too_many_blocks", "too_many_rooms"),
    *("room_crowded", "too_many_watchers", "too_many_challenges", "too_many_bots", "too_many_seeks"),
    *("too_many_webhooks", "too_many_sockets", "too_many_subscriptions"),
)
"""The refusals of more of what there is enough of, until something ends."""

NEEDS_OPERATOR = ("store_lost_data", "store_unfit", "store_full", "counter_damaged", "history_damaged")
"""The refusals that end once an operator has acted."""

RETRY_SECONDS = {**dict.fromkeys(HAS_ENOUGH, 60), **dict.fromkeys(NEEDS_OPERATOR, 5)}
"""After how many seconds a client should retry, by code; after one second where nothing is said."""
