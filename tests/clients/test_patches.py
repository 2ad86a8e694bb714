"""How the Python library keeps a view by patches, and what it does with frames that do not fit."""

import copy
import json
from pathlib import Path
from typing import Any

import msgspec
import pytest
from turnstream_client import EventsMissedError, RoomReplacedError
from turnstream_client.errors import GapError
from turnstream_client.frames import Frame, decode_frame
from turnstream_client.patch import PatchOperation, apply_patch
from turnstream_client.state import RoomState

from tests.clients.patch_cases import IMPOSSIBLE, PATCHES, Patch

MESSAGES = json.loads((Path(__file__).parents[2] / "openapi/asyncapi.json").read_text())["components"]["messages"]
SNAPSHOT = next(example["payload"] for example in MESSAGES["SnapshotFrame"]["examples"])
SUBSCRIBED = {
    "type": "subscribed",
    "room": SNAPSHOT["room"],
    "epoch": SNAPSHOT["epoch"],
    "mark": "m",
    "recovered": True,
}
VERSION = SNAPSHOT["version"]


def applied(value: Any, patch: Patch) -> Any:
    """Return a value after a patch, as the library reads it."""
    return apply_patch(value, msgspec.convert(patch, list[PatchOperation]))


def test_a_patch_is_applied_as_the_standard_says() -> None:
    """To the same value as by an independent implementation, while the value itself stays as it was."""
    for value, patch, (result,) in PATCHES:
        before = copy.deepcopy(value)
        assert applied(value, patch) == result
        assert value == before


@pytest.mark.parametrize(("value", "patch"), IMPOSSIBLE)
def test_a_path_that_leads_nowhere_is_refused(value: Any, patch: Patch) -> None:
    """Like an operation that the service does not send."""
    with pytest.raises((LookupError, msgspec.ValidationError)):
        applied(value, patch)


def frame(payload: dict[str, Any], **changes: Any) -> Frame:
    """Return a frame, with some fields changed."""
    decoded = decode_frame(json.dumps({**payload, **changes}))
    assert decoded is not None
    return decoded


def update(version: int, patch: Patch, based_on: int = VERSION) -> Frame:
    """Return the frame of an event, with a patch of a view."""
    event = {"type": "seat_returned", "version": version, "time": "2026-01-16T19:02:40.000Z", "seat": 0}
    return frame(
        {"type": "update", "version": version, "mark": "m", "events": [event], "from": based_on, "patch": patch}
    )


def to_version(version: int) -> dict[str, Any]:
    """Return the operation that every patch has."""
    return {"op": "replace", "path": "/version", "value": version}


@pytest.fixture
def state() -> RoomState:
    """Return what a client knows after its first snapshot."""
    state = RoomState()
    assert state.apply(frame(SUBSCRIBED)) == []
    assert state.apply(frame(SNAPSHOT)) == []
    return state


def test_one_patch_follows_the_other(state: RoomState) -> None:
    """Each changes the view of the one before."""
    title = {"op": "replace", "path": "/title", "value": "Saturday Night"}
    assert len(state.apply(update(VERSION + 1, [to_version(VERSION + 1), title]))) == 1
    assert len(state.apply(update(VERSION + 2, [to_version(VERSION + 2)], VERSION + 1))) == 1
    assert state.view is not None
    assert (state.version, state.view.version, state.view.title) == (VERSION + 2, VERSION + 2, "Saturday Night")


def test_who_is_connected_does_not_disturb_the_patches(state: RoomState) -> None:
    """The next patch is for the view as it was sent."""
    state.apply(frame({"type": "presence", "players": {}, "watchers": 41}))
    assert state.view is not None
    assert state.view.watchers == 41
    state.apply(update(VERSION + 1, [to_version(VERSION + 1)]))
    assert state.view.watchers == SNAPSHOT["view"]["watchers"]


@pytest.mark.parametrize(
    ("version", "patch", "based_on"),
    [
        (VERSION + 2, [], VERSION),
        (VERSION + 1, [], VERSION - 1),
        (VERSION + 1, [{"op": "remove", "path": "/no_such_field"}], VERSION),
    ],
    ids=["an event is missing", "a view is missing", "the patch does not fit"],
)
def test_what_is_missing_is_noticed(state: RoomState, version: int, patch: Patch, based_on: int) -> None:
    """Nothing is taken from the frame, so resuming brings it again."""
    with pytest.raises(GapError):
        state.apply(update(version, patch, based_on))
    assert state.view is not None
    assert (state.version, state.view.version) == (VERSION, VERSION)


def test_an_update_that_was_seen_is_ignored(state: RoomState) -> None:
    """It takes nothing back."""
    assert state.apply(update(VERSION - 1, [], VERSION - 2)) == []
    assert state.version == VERSION


def test_a_snapshot_behind_the_events_misses_nothing(state: RoomState) -> None:
    """After resuming; any other snapshot leaves events out."""
    assert state.apply(frame(SNAPSHOT, reason="subscribed")) == []
    [missed] = state.apply(frame(SNAPSHOT, reason="too_slow"))
    assert isinstance(missed, EventsMissedError)
    assert missed.reason == "too_slow"


def test_another_room_of_the_same_name_is_not_followed(state: RoomState) -> None:
    """Its epoch is another one."""
    with pytest.raises(RoomReplacedError):
        state.apply(frame(SUBSCRIBED, epoch="another"))
