"""Problems: what they contain for a client, and after how long to retry."""

import pytest

from service.api.http.responses import as_problem
from service.domain.game import Rejected
from service.domain.ids import Millis
from service.streams.codes import CODES, HAS_ENOUGH, NEEDS_OPERATOR
from service.streams.errors import problem, problem_of
from tests.rooms.processes import NOON


def test_times_in_parameters_are_rfc_3339() -> None:
    """As in all other answers; one that is not known stays null."""
    refused = as_problem(Rejected("not_abandoned", seat=1, since=None, claimable_at=Millis(NOON + 1)))
    assert refused.params == {"seat": 1, "since": None, "claimable_at": "2023-11-14T22:13:20.001Z"}


def test_a_rejection_can_say_how_long_to_wait() -> None:
    """Its parameters do not repeat it."""
    refused = problem_of(Rejected("seeking_paused", until=NOON, retry_after=299))
    assert refused is not None
    assert (refused.retry_after, refused.params) == (299, {"until": NOON})


@pytest.mark.parametrize(("codes", "seconds"), [(HAS_ENOUGH, 60), (NEEDS_OPERATOR, 5), (("busy", "too_many_hints"), 1)])
def test_the_time_to_wait_is_that_of_the_code(codes: tuple[str, ...], seconds: int) -> None:
    """Longer where something has to end first, or an operator has to act."""
    assert {problem(code).retry_after for code in codes} == {seconds}


def test_every_refusal_for_now_has_a_time_to_wait() -> None:
    """And no other refusal."""
    waiting = {code for code in CODES if problem(code).retry_after is not None}
    assert waiting == {code for code, (status, _) in CODES.items() if status in {429, 503}}
