"""Which test reaches which configured limit, checked while it runs."""

from collections.abc import Callable
from functools import wraps
from typing import ParamSpec

from service.streams.codes import CODES

P = ParamSpec("P")

TOO_MUCH = 429

CODES_BY_LIMIT: dict[str, str] = {}
"""The code of the refusal at a limit, by the setting's name."""

LIMITS_SET: set[str] = set()
"""The limits that the running test has set for a process."""

CODES_RECEIVED: set[tuple[str, str]] = set()
"""The codes of the refusals that the running test received, each with the limit in the response, "" for none."""


def name_in_response(limit: str, code: str) -> str:
    """Return the name of a limit in a response with this code: only `rate_limited` has one."""
    return limit.removeprefix("limit_") if code == "rate_limited" else ""


def reaches(**codes: str) -> Callable[[Callable[P, None]], Callable[P, None]]:
    """Record that a test reaches these limits, each with the code of its refusal, and check that it does."""
    assert {CODES[code].status for code in codes.values()} == {TOO_MUCH}
    CODES_BY_LIMIT.update(codes)

    def checked(test: Callable[P, None]) -> Callable[P, None]:
        @wraps(test)
        def run(*arguments: P.args, **named: P.kwargs) -> None:
            LIMITS_SET.clear()
            CODES_RECEIVED.clear()
            test(*arguments, **named)
            assert codes.keys() <= LIMITS_SET, "the limit was not set"
            expected = {(code, name_in_response(limit, code)) for limit, code in codes.items()}
            assert expected <= CODES_RECEIVED, "the limit was not reached"

        return run

    return checked
