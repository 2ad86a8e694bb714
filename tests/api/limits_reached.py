"""Which test reaches which limit among the settings, checked while it runs."""

from collections.abc import Callable
from functools import wraps
from typing import ParamSpec

from service.rooms.codes import CODES

P = ParamSpec("P")

TOO_MUCH = 429

REACHED: dict[str, str] = {}
"""The code that answers whoever reaches a limit, by the setting's name."""

SET: set[str] = set()
"""The limits that the running test has set for a process."""

ANSWERED: set[tuple[str, str]] = set()
"""The codes with which the running test was refused, each with the limit that the answer names, "" for none."""


def name_in_answer(limit: str, code: str) -> str:
    """Return what an answer with this code calls a limit: `rate_limited` says which of many it is."""
    return limit.removeprefix("limit_") if code == "rate_limited" else ""


def reaches(**codes: str) -> Callable[[Callable[P, None]], Callable[P, None]]:
    """Note that a test reaches these limits, each answered with its code, and check that it does."""
    assert {CODES[code].status for code in codes.values()} == {TOO_MUCH}
    REACHED.update(codes)

    def checked(test: Callable[P, None]) -> Callable[P, None]:
        @wraps(test)
        def run(*arguments: P.args, **named: P.kwargs) -> None:
            SET.clear()
            ANSWERED.clear()
            test(*arguments, **named)
            assert codes.keys() <= SET, "the limit was not set"
            expected = {(code, name_in_answer(limit, code)) for limit, code in codes.items()}
            assert expected <= ANSWERED, "the limit was not reached"

        return run

    return checked
