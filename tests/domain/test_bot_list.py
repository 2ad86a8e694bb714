"""The list of bots: who is in it, for how long, and what its summary keeps."""

from functools import reduce

import pytest

from service.domain import bot_list
from service.domain.bot_list import LIFETIME, MOST_BOTS, BotList, BotRegistration
from service.domain.game import Event, Rejected
from service.domain.ids import Millis, NameRef, PlayerId, Version
from service.domain.streams import Record

NOON = Millis(1_700_000_000_000)
MORRIS = BotRegistration(("morris",))


def after(state: BotList, *events: Event) -> BotList:
    """Return the list after events."""
    return reduce(bot_list.evolve, (Record(Version(1), NOON, event) for event in events), state)


def full() -> BotList:
    """Return a full list."""
    state = BotList()
    for number in range(MOST_BOTS):
        state = after(state, *bot_list.register(state, MORRIS, PlayerId(f"p-{number}"), NameRef("p/1"), NOON))
    return state


def test_a_full_list_takes_no_more() -> None:
    """But those who are in it can renew, and those whose time is over make room."""
    state, new = full(), PlayerId("p-new")
    with pytest.raises(Rejected, match="too_many_bots"):
        bot_list.register(state, MORRIS, new, NameRef("p-new/1"), NOON)
    renewed = after(state, *bot_list.register(state, MORRIS, PlayerId("p-0"), NameRef("p-0/1"), Millis(NOON + 1)))
    assert list(renewed.bots)[-1] == "p-0"
    later = Millis(NOON + LIFETIME)
    assert bot_list.register(renewed, MORRIS, new, NameRef("p-new/1"), later)
    assert list(after(renewed, *bot_list.expire(renewed, later)).bots) == ["p-0"]


def test_a_summary_keeps_the_list() -> None:
    """In its order, with the time at which the first one is due."""
    state = full()
    assert after(BotList(), bot_list.summary(state, NOON)) == state
    assert bot_list.due(state) == NOON + LIFETIME
    assert bot_list.due(BotList()) is None


def test_a_bot_that_is_not_listed_is_not_removed() -> None:
    """Nothing is appended."""
    state = full()
    assert bot_list.remove(state, PlayerId("p-new")) == []
    assert PlayerId("p-7") not in after(state, *bot_list.remove(state, PlayerId("p-7"))).bots
