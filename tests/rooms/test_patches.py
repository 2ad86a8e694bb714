"""Patches of views: a client that applies them has the same view as one that is sent whole views."""

import random
from typing import Any

import jsonpatch
import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as some

from service.domain.catalog import GAMES
from service.domain.game import Seat
from service.domain.ids import Player
from service.domain.room.model import commands
from service.rooms.feeds.frames import OutgoingFrame
from service.rooms.views.match_view import Omitted
from service.rooms.views.patches import Operations, add_operations
from tests.rooms.processes import ANNA, BEN, CLARA, DORA, Process, RecordingSubscriber, subscribe

PLAYERS = (ANNA, BEN, CLARA)
MOVES = 40
SMALLER = 0.75
"""An average update with a patch has at most this part of the bytes of one with the whole view."""

NAMES = some.sampled_from(["", "a", "b", "a/b", "~", "~1", "é"])
VALUES = some.recursive(
    some.none() | some.integers(2, 5) | some.text("xy/~", max_size=2),
    lambda inner: some.lists(inner, max_size=5) | some.dictionaries(NAMES, inner, max_size=4),
    max_leaves=20,
)


OMITTED: Omitted = frozenset({"legal_moves", "last"})


def patch_of(old: object, new: object) -> Any:
    """Return the patch that turns one value into the other."""
    changes: Operations = []
    add_operations(changes, b"", old, new)
    return msgspec.json.decode(b"[" + b",".join(changes) + b"]")


@given(VALUES, VALUES)
def test_a_patch_turns_one_value_into_the_other(old: object, new: object) -> None:
    """As an independent implementation of RFC 6902 applies it; equal values need no operation."""
    patch = patch_of(old, new)
    assert jsonpatch.apply_patch(old, patch) == new
    assert (patch == []) == (old == new)


def test_a_small_change_of_a_long_list_is_a_small_patch() -> None:
    """One element is removed, not the list replaced."""
    old = [{"type": "place", "at": f"a{number}"} for number in range(20)]
    patch = patch_of(old, [*old[:7], *old[8:]])
    assert patch == [{"op": "remove", "path": "/7"}]


class PatchedSubscriber(RecordingSubscriber):
    """A subscriber that keeps its view by patches."""

    def __init__(self, player: Player | None = None, *, omitted: Omitted = frozenset()) -> None:
        """Subscribe with `state: "patch"`."""
        super().__init__(player, state="patch", omitted=omitted)
        self.shown: Any = None

    def offer(self, frame: OutgoingFrame) -> None:
        """Apply a frame to the view."""
        super().offer(frame)
        latest = self.frames[-1]
        if latest["type"] == "snapshot":
            self.shown = latest["view"]
        if "patch" in latest:
            assert "view" not in latest
            assert latest["from"] == self.shown["version"]
            self.shown = jsonpatch.apply_patch(self.shown, latest["patch"])


def view_of(subscriber: RecordingSubscriber) -> Any:
    """Return the latest whole view that a subscriber was sent."""
    return next(frame["view"] for frame in reversed(subscriber.frames) if "view" in frame)


def without_lists(view: dict[str, Any]) -> dict[str, Any]:
    """Return a view with empty lists of legal moves and of the latest events."""
    match = view["match"]
    return view | {"match": match | {"legal_moves": [], "state": match["state"] | {"last": []}}}


def update_bytes(subscriber: RecordingSubscriber) -> int:
    """Return the size of all updates that a subscriber was sent."""
    return sum(len(msgspec.json.encode(frame)) for frame in subscriber.frames if frame["type"] == "update")


@pytest.mark.parametrize("game", GAMES)
async def test_a_patched_view_is_the_view(process: Process, game: str) -> None:
    """For each seat and for spectators, after every move of a match, and small on average.

    With `omit` it is that view with empty lists.
    """
    seats = len(GAMES[game].seats(GAMES[game].options()))
    live = await process.start_match(*PLAYERS[:seats], game=game)
    viewers: list[Player | None] = [*PLAYERS[:seats], None]
    pairs = [(PatchedSubscriber(who), RecordingSubscriber(who)) for who in viewers]
    lean = [(PatchedSubscriber(who, omitted=OMITTED), RecordingSubscriber(who, omitted=OMITTED)) for who in viewers]
    for subscriber in [subscriber for pair in pairs + lean for subscriber in pair]:
        await subscribe(process, subscriber)
    dice = random.Random(game)  # noqa: S311 - the same match every time
    for _ in range(MOVES):
        match = live.state.playing
        if match is None:
            break
        seat = match.game.to_move(match.state)[0]
        move = dice.choice(msgspec.to_builtins(list(match.game.legal_moves(match.state, seat))))
        await process.execute(PLAYERS[match.players.index(PLAYERS[seat].id)], commands.Play(move))
        for (patched, whole), (lean_patched, lean_whole) in zip(pairs, lean, strict=True):
            assert patched.shown == view_of(whole)
            assert lean_patched.shown == view_of(lean_whole) == without_lists(view_of(whole))
    assert sum(update_bytes(patched) for patched, _ in pairs) < SMALLER * sum(update_bytes(whole) for _, whole in pairs)


async def test_a_spectator_who_takes_a_seat_gets_a_snapshot(process: Process) -> None:
    """A spectator who takes a seat may know more: the events come first, then the whole view."""
    await process.open()
    await process.execute(BEN, commands.Join(role="spectator"))
    subscriber = PatchedSubscriber(BEN)
    await subscribe(process, subscriber)
    await process.execute(BEN, commands.TakeSeat(Seat(1)))
    assert subscriber.types[-2:] == ["update", "snapshot"]
    assert subscriber.shown["seats"][1]["player"] == BEN.id
    await process.execute(BEN, commands.LeaveSeat(Seat(1)))
    await process.execute(DORA, commands.Join(role="spectator"))
    assert subscriber.shown == view_of(await subscribe(process, RecordingSubscriber(BEN)))


async def test_a_subscription_that_resumes_begins_with_a_snapshot(process: Process) -> None:
    """It follows the missed events, because the subscription had no view before."""
    await process.start_match(ANNA, BEN)
    subscriber = PatchedSubscriber(ANNA)
    await subscribe(process, subscriber, since=1)
    assert set(subscriber.types[1:-2]) == {"update"}
    assert subscriber.types[-2:] == ["snapshot", "caught_up"]
    await process.place_man(ANNA, "a1")
    assert "patch" in subscriber.frames[-1]
    assert subscriber.shown == view_of(await subscribe(process, RecordingSubscriber(ANNA)))
