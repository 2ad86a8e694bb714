"""Each proof of the demo can fail: changed events are detected."""

import hashlib
from typing import Any

import pytest

from service.programs.demo.expected_state import FOLDS
from service.programs.demo.proofs import folds_to_view, replay, seed_commitment, version_errors


@pytest.mark.parametrize(
    ("versions", "fault"),
    [
        ([1, 2, 3], ""),
        ([1, 3], "missing: [2]"),
        ([1, 2], "missing: [3]"),
        ([2, 3], "missing: [1]"),
        ([1, 2, 2, 3], "double: [2]"),
        ([1, 3, 2], "out of order: [1, 3, 2]"),
    ],
)
def test_versions_are_sent_from_one_to_the_last_each_once_and_in_order(versions: list[int], fault: str) -> None:
    """The versions that a socket sends for a room at version 3."""
    assert version_errors(versions, 3) == fault


EVENTS: list[dict[str, Any]] = [
    {"match": 1, "type": "laid_out", "board": ["r..", "gg."]},
    {"match": 1, "type": "placed", "seat": 0, "at": "c2", "captured": []},
]
VIEW = {
    "seats": [{"colour": "red"}, {"colour": "green"}],
    "match": {"number": 1, "state": {"board": ["r.r", "gg."], "scores": {"red": 2, "green": 2}, "last": EVENTS}},
}


def test_a_replay_gives_the_state_that_was_shown() -> None:
    """Events before and after the match are ignored."""
    assert folds_to_view("ternio", VIEW, [{"type": "room_opened"}, *EVENTS, {**EVENTS[1], "match": 2, "at": "a1"}])


@pytest.mark.parametrize(
    "tampered",
    [EVENTS[:1], [EVENTS[0], {**EVENTS[1], "at": "b2"}], [EVENTS[0], {**EVENTS[1], "captured": ["a1"]}]],
)
def test_a_replay_of_other_events_gives_another_state(tampered: list[dict[str, Any]]) -> None:
    """An event is missing, has another square, or another capture."""
    assert not folds_to_view("ternio", VIEW, tampered)


@pytest.mark.parametrize(("shown", "kept"), [("ab" * 32, True), ("ab" * 31 + "ac", False)])
def test_the_seed_has_to_match_the_published_hash(shown: str, kept: bool) -> None:  # noqa: FBT001 - the expectation
    """The hash is published first, so the seed cannot be chosen afterwards."""
    assert seed_commitment(events_with_seed(shown)).holds is kept


HASH = hashlib.sha256(b"\xab" * 32).hexdigest()


def events_with_seed(shown: str, published: str = HASH, version: int = 1) -> list[dict[str, Any]]:
    """Return the events of a room that publish its match's hash and seed."""
    return [
        {"version": version, "type": "room_opened", "next_seed_hash": published},
        {"version": 2, "type": "player_readied", "salt": "demo"},
        {"version": 3, "type": "match_started", "seed_hash": HASH},
        {"version": 4, "type": "match_ended", "seed": shown, "next_seed_hash": HASH},
    ]


def test_the_hash_has_to_be_published_before_any_salt() -> None:
    """And has to be equal to the hash in the match."""
    assert not seed_commitment(events_with_seed("ab" * 32, published="00" * 32)).holds
    assert not seed_commitment(events_with_seed("ab" * 32, version=3)).holds


async def test_a_game_without_a_fold_is_proved_only_by_the_servers_replay() -> None:
    """A client that does not know a game says that it cannot fold it."""
    assert "go" not in FOLDS
    proof = await replay("go", [])
    assert proof.holds
    assert "cannot fold this game" in proof.claim
