"""Tournaments over HTTP."""

from datetime import UTC, datetime, timedelta
from typing import Any

from tests.e2e.client import Player

BLITZ = {"type": "fischer", "initial_ms": 180_000, "increment_ms": 2_000}


def tournament_request(**more: Any) -> dict[str, Any]:
    """Return the request for a Swiss system that starts in an hour."""
    starts = datetime.now(UTC) + timedelta(hours=1)
    asked = {"title": "Friday", "game": "morris", "format": "swiss", "starts": starts.isoformat(), "clock": BLITZ}
    return {**asked, **more}


def new_tournament(player: Player, **more: Any) -> str:
    """Return the id of a tournament that a player makes and for which they register."""
    made = player.post("/v1/tournaments", tournament_request(**more))
    assert made.status == 201, made.body
    tournament = str(made.body["tournament"]["id"])
    assert send(player, tournament, "register")["own"] is not None
    return tournament


def send(by: Player, tournament: str, kind: str, **more: Any) -> dict[str, Any]:
    """Send a command to a tournament, and return the answer."""
    answer = by.post(f"/v1/tournaments/{tournament}/commands", {"type": kind, **more})
    body: dict[str, Any] = answer.body
    return body
