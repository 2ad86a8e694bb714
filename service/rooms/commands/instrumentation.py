"""The metrics, the log line at debug level and the trace of each command."""

import time
from collections.abc import Awaitable, Callable
from functools import cache, wraps
from typing import ParamSpec

import structlog

from service.domain.ids import Millis
from service.domain.room.model.commands import AnswerFor, PlayFor, Proceed
from service.domain.room.model.state import audience
from service.rooms.commands.requests import CommandRequest, CommandResult
from service.rooms.repository import LoadedRoom
from service.runtime.current_operation import COMMAND_LOGGING, current
from service.runtime.metrics import COMMAND_SECONDS, COMMANDS, DUE_LATENESS, since
from service.runtime.tracing import TRACING, Span, command_span_ids
from service.streams.errors import problem_of

log = structlog.get_logger()

P = ParamSpec("P")

SYSTEM_COMMANDS = frozenset({Proceed, PlayFor, AnswerFor})
"""The commands of workers; the claim before such a command has changed the room's due time in the store."""


def record_opening(opening: Callable[P, Awaitable[CommandResult]]) -> Callable[P, Awaitable[CommandResult]]:
    """Trace every room that is opened."""

    @wraps(opening)
    async def recorded(*args: P.args, **kwargs: P.kwargs) -> CommandResult:
        began = time.perf_counter()
        result = await opening(*args, **kwargs)
        if TRACING.on:
            trace(result, "open", since(began), by_service=False)
        return result

    return recorded


def record_success(live: LoadedRoom, request: CommandRequest, result: CommandResult, began: float) -> None:
    """Record a command that was executed, now or at its first attempt."""
    seconds = record_command(live, request, "repeated" if result.replayed else "accepted", began)
    if TRACING.on and not result.replayed:
        by_service = request.by is None or isinstance(
            request.command, PlayFor | AnswerFor
        )  # a bot has a player id, and is part of the service
        trace(result, kind_of(type(request.command)), seconds, by_service=by_service)


def record_failure(live: LoadedRoom, request: CommandRequest, failure: Exception, began: float) -> None:
    """Record a command that was refused or failed."""
    record_command(live, request, result_of(failure), began)


def record_command(live: LoadedRoom, request: CommandRequest, result: str, began: float) -> float:
    """Count a command, log it at debug level, and return how many seconds it took."""
    seconds, kind = time.perf_counter() - began, kind_of(type(request.command))
    COMMANDS.count(kind, result)
    COMMAND_SECONDS.observe(seconds)
    if COMMAND_LOGGING.on:
        seat = audience(live.state.table, request.by.id, getattr(request.command, "seat", None)) if request.by else None
        where = {"room": live.key.name, "epoch": live.key.epoch, "seat": seat, "version": live.head.version}
        log.debug("command_done", command=kind, result=result, ms=round(seconds * 1000, 2), **where)
    return seconds


def trace(result: CommandResult, kind: str, seconds: float, *, by_service: bool) -> None:
    """Trace a stored command, linked to its caller's trace; a system command to the command that caused it."""
    key, version = result.room.table.key, result.recorded[0].version
    ended = time.time_ns()
    attributes: dict[str, str | int] = {
        "room": key.name,
        "game": result.room.table.game,
        "version": result.room.version,
    }
    caller = () if (doing := current()) is None or doing.trace is None else (doing.trace,)
    cause = (command_span_ids(key.name, key.epoch, version - 1),) if by_service else ()
    ids = command_span_ids(key.name, key.epoch, result.room.version)
    TRACING.record(
        Span(f"{kind} {result.room.table.game}", ids, (*caller, *cause), ended - int(seconds * 1e9), ended, attributes)
    )


def record_lateness(due: Millis, now: Millis) -> None:
    """Record the delay of a scheduled action."""
    DUE_LATENESS.observe(max(0, now - due) / 1000)


@cache
def kind_of(command: type) -> str:
    """Return the `type` of a command."""
    return str(command.__struct_config__.tag)  # type: ignore[attr-defined]  # every command is a tagged struct


def result_of(failure: Exception) -> str:
    """Return the result of a failed command as one word."""
    problem = problem_of(failure)
    if problem is None:
        return "fault"
    return "refused" if problem.status < 500 else "unavailable"
