"""Refusals by the application, other than by the rules, and their conversion to problems (RFC 9457)."""

from collections.abc import Awaitable
from typing import Any, TypeVar

import msgspec

from service.domain.game import Rejected
from service.domain.ids import Version
from service.domain.validation import Invalid
from service.store.contract import (
    CounterDamaged,
    OutcomeUnknown,
    StoreDamaged,
    StoreFull,
    StoreLost,
    StoreUnavailable,
    StoreUnfit,
)
from service.streams.codes import CATALOGUE, CODES, RETRY_SECONDS

Found = TypeVar("Found")


class Problem(msgspec.Struct, frozen=True, omit_defaults=True):
    """An error as `application/problem+json` (RFC 9457); `code` is stable, `detail` is for people."""

    type: str
    """The address of the description of the code."""
    title: str
    """The code in words."""
    status: int
    """The HTTP status."""
    code: str
    """The stable code; `GET /v1/codes` lists all of them."""
    detail: str
    """What is wrong, and what to do about it."""
    pointer: str | None = None
    """The JSON pointer (RFC 6901) to the invalid part of the body."""
    parameter: str | None = None
    """The name of the invalid query parameter or header."""
    params: dict[str, Any] | None = None
    """Details of this refusal, by name."""
    version: Version | None = None
    """The current version of the room."""
    legal_moves: list[Any] | None = None
    """The legal moves of the caller's seat, if a move was refused."""
    retry_after: int | None = None
    """The number of seconds to wait before retrying."""


class ServiceError(Exception):
    """A refusal by the application, sent to the client as a problem."""

    def __init__(self, code: str, detail: str = "", **more: Any) -> None:
        """`more` are further fields of the problem."""
        super().__init__(code)
        self.problem = problem(code, detail, **more)


async def unless_damaged(reading: Awaitable[Found]) -> Found | None:
    """Return what is read, None if its history is damaged. Raises every other `ServiceError`."""
    try:
        return await reading
    except ServiceError as refused:
        if refused.problem.code != "history_damaged":
            raise
        return None


def problem(code: str, detail: str = "", **more: Any) -> Problem:
    """Return the problem of a code; its detail is the code's meaning unless given.

    For the statuses 429 and 503, `retry_after` is that of the code unless given.
    """
    status, meaning = CODES[code]
    title = code.replace("_", " ").capitalize()
    if status in {429, 503}:
        more.setdefault("retry_after", RETRY_SECONDS.get(code, 1))
    return Problem(f"/v1/codes#{code}", title, status, code, detail or meaning, **more)


def store_problem(failure: StoreUnavailable) -> Problem:
    """Return the problem for a store that is not available."""
    match failure:
        case StoreLost():
            return problem("store_lost_data", str(failure))
        case StoreUnfit():
            return problem("store_unfit", str(failure))
        case StoreDamaged():
            return problem("history_damaged")
        case CounterDamaged():
            return problem("counter_damaged")
        case StoreFull():
            return problem("store_full")
    return problem("store_unavailable")


def problem_of(failure: Exception) -> Problem | None:
    """Return the problem for a refusal or an unavailable store; None for a bug."""
    match failure:
        case ServiceError():
            return failure.problem
        case Rejected():
            detail = CATALOGUE.reasons.get(failure.code, {}).get(str(failure.params.get("reason")), "")
            params = dict(failure.params)
            waiting = {"retry_after": params.pop("retry_after")} if "retry_after" in params else {}
            return problem(failure.code, detail, params=params or None, **waiting)
        case Invalid():
            code = "malformed" if failure.detail.startswith("Number out of range") else "unfit"
            place = {"pointer": failure.pointer} if failure.parameter is None else {"parameter": failure.parameter}
            return problem(code, failure.detail, **place)
        case StoreUnavailable():
            return store_problem(failure)
        case OutcomeUnknown():
            return problem("outcome_unknown")
    return None
