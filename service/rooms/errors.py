"""Errors of the application, and the catalogue of all refusal codes with their HTTP statuses."""

from typing import Any

import msgspec

from service.domain.catalog import GAMES
from service.domain.game import Rejected
from service.domain.room.model.codes import ROOM_CODES, Code
from service.domain.room.model.ids import Version
from service.domain.validation import Unfit
from service.store.contract import OutcomeUnknown, StoreFull, StoreLost, StoreUnavailable

SERVICE_CODES: dict[str, Code] = {
    "malformed": Code(
        400,
        "The request is not valid HTTP, or its body is not valid JSON in UTF-8, nested too deeply, or out of range.",
    ),
    "unauthenticated": Code(401, "The token is missing or not valid; get one from POST /v1/players."),
    "wrong_host": Code(400, "The host name in `Host` is not one of this service's."),
    "banned": Code(403, "An operator has banned this player."),
    "muted_by_operator": Code(403, "An operator has muted this player."),
    "not_found": Code(404, "Nothing was found at this URL."),
    "no_such_room": Code(404, "There is no open room with this name, or you may not see it."),
    "muted": Code(403, "The room's creator has muted you in its chat."),
    "no_such_match": Code(404, "There is no match with this id."),
    "no_such_game": Code(404, "There is no game with this name; see GET /v1/games."),
    "no_such_version": Code(404, "The room has not reached this version yet."),
    "method_not_allowed": Code(405, "This URL does not support the method; see the header `Allow`."),
    "not_acceptable": Code(406, "None of the media types in `Accept` is available here."),
    "name_taken": Code(409, "There is already an open room with this name."),
    "still_playing": Code(409, "The match has not ended; its text, which includes the seed, is available afterwards."),
    "trimmed": Code(410, "These versions have been removed from the room's history."),
    "version_mismatch": Code(412, "The room is not at the version named by `If-Match`."),
    "body_too_large": Code(413, "The body is too large; 64 KiB are allowed."),
    "unsupported_media_type": Code(415, "The body is not JSON; send it with `Content-Type: application/json`."),
    "unfit": Code(422, "The request does not match the schema; `pointer` names the invalid part."),
    "bad_line": Code(
        422, "A chat line needs 1 to 500 visible characters and no characters that change the text direction."
    ),
    "key_reused": Code(422, "This `Idempotency-Key` was used with a different body; use a new key for a new command."),
    "rate_limited": Code(429, "Too many requests; continue after `retry_after` seconds."),
    "too_many_rooms": Code(429, "You are a member of the maximum number of rooms; leave one first."),
    "room_crowded": Code(429, "The room has the maximum number of members; you can follow it without joining."),
    "too_many_watchers": Code(429, "The room has the maximum number of subscribers; try again later."),
    "too_many_sockets": Code(429, "Too many sockets and streams are open from this address or for this player."),
    "too_many_subscriptions": Code(
        429, "This socket has the maximum number of subscriptions; unsubscribe from a room first."
    ),
    "outcome_unknown": Code(503, "The store failed during the request; repeat the same request with the same key."),
    "store_unavailable": Code(503, "The store is not available; nothing was changed. Try again."),
    "store_lost_data": Code(
        503, "The store has lost data. Rooms can be read; writing resumes when an operator restores or accepts it."
    ),
    "store_unfit": Code(
        503, "The store's configuration is not suitable, so this process is not ready. The operator must correct it."
    ),
    "store_full": Code(503, "The store's disk or memory is full. Rooms can be read but not changed; try again later."),
    "leaving": Code(503, "This process is shutting down; another one serves requests."),
    "no_hints": Code(403, "Hints are not available in this match; see the room's setting `hints`."),
    "too_many_hints": Code(
        429, "You are already waiting for two hints, or too many players are waiting. Try again in a moment."
    ),
    "busy": Code(503, "Too many commands changed this room at the same time. Try again."),
    "history_damaged": Code(503, "This room's history does not match its digests. The operator must repair it."),
    "newer_events": Code(503, "This room was changed by a newer release, which this one cannot read."),
    "passwords_busy": Code(503, "Too many passwords are being checked. Try again in a moment."),
    "internal": Code(500, "An internal error occurred and was logged."),
}


FULL_RETRY_SECONDS = 5
"""After how many seconds to retry while the store is full; an operator has to free space first."""


def all_codes() -> dict[str, Code]:
    """Return every refusal code by name: of the service, of rooms, and of each game (409)."""
    games = {code: Code(409, meaning) for game in GAMES.values() for code, meaning in game.refusals.items()}
    return {**games, **ROOM_CODES, **SERVICE_CODES}


CODES = all_codes()


class Problem(msgspec.Struct, frozen=True, omit_defaults=True):
    """An error as `application/problem+json` (RFC 9457); `code` is stable, `detail` is for people."""

    type: str
    title: str
    status: int
    code: str
    detail: str
    pointer: str | None = None
    """A JSON pointer to the invalid part of the body, or the name of the invalid parameter."""
    params: dict[str, Any] | None = None
    version: Version | None = None
    legal_moves: list[Any] | None = None
    retry_after: int | None = None
    """The number of seconds to wait before retrying."""


class ServiceError(Exception):
    """A refusal by the application, sent to the client as a problem."""

    def __init__(self, code: str, detail: str = "", **more: Any) -> None:
        """Refuse with this code; `more` are further fields of the problem."""
        super().__init__(code)
        self.problem = problem(code, detail, **more)


def problem(code: str, detail: str = "", **more: Any) -> Problem:
    """Return the problem of a code; its detail is the code's meaning unless given.

    For the statuses 429 and 503, `retry_after` is one second unless given.
    """
    status, meaning = CODES[code]
    title = code.replace("_", " ").capitalize()
    if status in {429, 503}:
        more.setdefault("retry_after", 1)
    return Problem(f"/v1/codes#{code}", title, status, code, detail or meaning, **more)


def store_problem(failure: StoreUnavailable) -> Problem:
    """Return the problem for a store that is not available."""
    match failure:
        case StoreLost():
            return problem("store_lost_data", str(failure))
        case StoreFull():
            return problem("store_full", retry_after=FULL_RETRY_SECONDS)
    return problem("store_unavailable")


def problem_of(failure: Exception) -> Problem | None:
    """Return the problem for a refusal or an unavailable store; None for a bug."""
    match failure:
        case ServiceError():
            return failure.problem
        case Rejected():
            return problem(failure.code, params=dict(failure.params) or None)
        case Unfit():
            code = "malformed" if failure.detail.startswith("Number out of range") else "unfit"
            return problem(code, failure.detail, pointer=failure.pointer)
        case StoreUnavailable():
            return store_problem(failure)
        case OutcomeUnknown():
            return problem("outcome_unknown")
    return None
