"""The demo recomputes the draws of chance, and finds draws that differ."""

from typing import Any

import msgspec
import pytest

from service.domain.catalog import GAMES
from service.programs.demo.draws import DRAWS, find_wrong_draws
from service.programs.demo.proofs import chance
from tests.laws.play import play
from tests.laws.sheets import export_of, match_of

CHANCY: list[tuple[str, dict[str, Any]]] = [
    ("turncoat", {}),
    ("triboard", {}),
    ("triboard", {"first": "blue"}),
    ("morris", {"first": "roll"}),
    ("rainbow", {"dice": True}),
]


def events_of(game: str, seed: int, options: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the events of a complete match as a client receives them."""
    rules = GAMES[game]
    match = match_of(play(rules, msgspec.convert(options, rules.options), seed, 2000))
    return [msgspec.json.decode(line) for line in export_of(match).splitlines()]


@pytest.mark.parametrize(("game", "options"), CHANCY)
def test_draws_follow_from_seed_and_salts(game: str, options: dict[str, Any]) -> None:
    """In every game with draws."""
    for seed in range(3):
        events = events_of(game, seed, options)
        assert any("draw" in event for event in events)
        assert find_wrong_draws(events) == []
        assert chance(game, events).holds


@pytest.mark.parametrize(("game", "options"), CHANCY)
def test_another_salt_leads_to_other_draws(game: str, options: dict[str, Any]) -> None:
    """So a service that draws other numbers is detected."""
    found = []
    for seed in range(5):  # two rolls of a die may be the same by chance
        events = events_of(game, seed, options)
        started = next(event for event in events if event["type"] == "match_started")
        started["salts"] = ["pepper", *started["salts"][1:]]
        found.append((bool(find_wrong_draws(events)), chance(game, events).holds))
    assert set(found) <= {(True, False), (False, True)}
    assert (True, False) in found


def test_the_draws_of_an_unknown_game_are_not_checked() -> None:
    """The client says that it cannot check them."""
    assert "go" not in DRAWS
    proof = chance("go", [{"type": "rolled", "draw": 0}])
    assert proof.holds
    assert "does not know" in proof.claim
