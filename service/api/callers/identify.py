"""The caller of a request, and whether their token has the scope that the request needs."""

from collections.abc import Mapping

from service.api.callers.caller import Caller
from service.api.callers.callers import Callers
from service.domain.accounts.model import Scope
from service.rooms.access.policy import require_player, require_scope
from service.rooms.player import Player
from service.streams.errors import ServiceError


def find_caller(callers: Callers, headers: Mapping[bytes, bytes], scope: Scope | None) -> Caller | None:
    """Return who sent a request, None without a token. `scope` is None where the body of the request decides on it.

    Raises `ServiceError`: `unauthenticated` or `banned` for a token that is not accepted, `scope_missing` for one
    without the scope.
    """
    header = headers.get(b"authorization")
    if header is None:
        return None
    caller = callers.of_header(header)
    if scope is not None:
        require_scope(caller.scopes, scope)
    return caller


def require_caller(callers: Callers, headers: Mapping[bytes, bytes], scope: Scope) -> Caller:
    """Return who sent a request.

    Raises `ServiceError` like `find_caller`, and `unauthenticated` without a token or with the operator token.
    """
    caller = find_caller(callers, headers, scope)
    if caller is None:
        raise ServiceError("unauthenticated")
    require_player(caller.player)
    return caller


def find_reader(callers: Callers, headers: Mapping[bytes, bytes]) -> Caller | None:
    """Return for whom a request reads what everybody may read in part, None for a stranger.

    A token without the scope `read` reads as a stranger does. Raises `ServiceError` for a token that is not accepted.
    """
    caller = find_caller(callers, headers, None)
    return caller if caller is not None and "read" in caller.scopes else None


def identify_reader(callers: Callers, headers: Mapping[bytes, bytes]) -> Player | None:
    """Return the player for whom a request reads, None for a stranger. Raises what `find_reader` raises."""
    caller = find_reader(callers, headers)
    return None if caller is None else caller.player


def identify_player(callers: Callers, headers: Mapping[bytes, bytes], scope: Scope) -> Player:
    """Return the player who sent a request. Raises what `require_caller` raises."""
    return require_caller(callers, headers, scope).player
