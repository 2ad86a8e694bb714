"""Matches with clocks as text and as exports: a flag, a substitute's move and returned time change no rule."""

from typing import Any

import pytest

from service.domain.ids import Millis, Outage
from service.domain.notation.reading import read_export, read_text
from service.domain.notation.sheet import read_match, sheet_of
from service.domain.room.model import commands
from service.domain.room.model.clock import PerMove
from service.domain.room.model.commands import CommandContext
from service.domain.room.process import run
from service.programs.replay.checking import checks
from service.rooms.views.event_view import event_lines
from tests.domain.room.given_when_then import ANNA, BEN, CLARA, NOON, SEED, Given, given, join, new_room
from tests.laws.sheets import text

QUICK = PerMove(Millis(1000))


def run_out_of_time(game: str, on_timeout: str) -> Given:
    """Return a room in which all run out of time until the match is over, after down time."""
    players = (ANNA, BEN, CLARA)[: 3 if game in {"ternio", "triboard"} else 2]
    joins = [join(player, seat) for seat, player in enumerate(players)]
    options: dict[str, Any] = {"morris": {"quiet_limit": 4}, "turncoat": {"round_limit": 2}}.get(game, {})
    settings: dict[str, Any] = {"start": "creator", "clock": QUICK, "on_timeout": on_timeout, "restart": None}
    room = given(new_room(game, options, **settings), *joins).after(commands.Start(), ANNA)
    now, outages = NOON, (Outage(Millis(NOON + 100), Millis(NOON + 600)),)
    while room.room.playing:
        now = Millis(now + 1200)
        story = run(room.room, commands.Proceed(), CommandContext(None, "", now, SEED, outages=outages))
        assert story.room is not None
        room = Given(story.room, [*room.history, *story.recorded])
    return room


@pytest.mark.parametrize("on_timeout", ["lose", "random_move"])
@pytest.mark.parametrize("game", ["morris", "ternio", "rainbow", "triboard", "turncoat"])
def test_a_match_with_clocks_is_verified(game: str, on_timeout: str) -> None:
    """From its export and from its text; the events of clocks are no moves."""
    own = [recorded for recorded in run_out_of_time(game, on_timeout).history if recorded.match == 1]
    assert "ClocksExtended" in {type(recorded.event).__name__ for recorded in own}
    match = read_match((recorded.version, recorded.event) for recorded in own)
    exported = read_export(event_lines(own, None, game))
    assert all(check.holds for check in checks(sheet_of(exported), exported))
    sheet = read_text(text(sheet_of(match).heading, match.events))
    assert all(check.holds for check in checks(sheet, None))
