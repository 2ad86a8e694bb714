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

ANSWERED: set[str] = set()
"""The codes with which the running test was refused."""


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
            assert set(codes.values()) <= ANSWERED, "the limit was not reached"

        return run

    return checked
