"""The libraries show clocks in the server's time, whatever the device's clock says."""

import asyncio
import copy
import json
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from turnstream_client.frames import decode_frame
from turnstream_client.state import RoomState

from tests.clients.node import FLAGS, NODE, needs_node
from tests.clients.test_javascript import PROGRAMS
from tests.clients.test_patches import SNAPSHOT

AHEAD = timedelta(hours=1)
"""How far the server's clock is ahead of the device's."""
DELAYS = (timedelta(seconds=9), timedelta(), timedelta(seconds=5))
"""How late frames arrive."""
PASSED = 30_000
"""How long ago, in milliseconds, the server computed the remaining times."""
REMAINING = [300_000, 10_000]
ROUNDED = 2
"""Milliseconds that may be lost by rounding times."""
SLOW = 10_000
"""How many milliseconds this machine may take between two readings of its clock."""


def rfc3339(time: datetime) -> str:
    """Return a time as on the wire."""
    return time.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def match(to_move: list[int], *, is_running: bool) -> dict[str, Any]:
    """Return a match in which some seats are to move."""
    now = datetime.now(UTC) + AHEAD
    computed = rfc3339(now - timedelta(milliseconds=PASSED))
    clock = {
        "remaining": REMAINING,
        "deadline": rfc3339(now) if is_running else None,
        "server_time": computed,
        "allowance_ms": 150,
    }
    return {**copy.deepcopy(SNAPSHOT["view"]["match"]), "to_move": to_move, "clock": clock}


def server_times() -> list[str]:
    """Return what frames with these delays say when they arrive."""
    return [rfc3339(datetime.now(UTC) + AHEAD - delay) for delay in DELAYS]


CASES = pytest.mark.parametrize(
    ("to_move", "is_running", "expected"),
    [
        ([0], True, [REMAINING[0] - PASSED, REMAINING[1]]),
        ([1], True, [REMAINING[0], 0]),
        ([0], False, REMAINING),
    ],
    ids=["the seat to move loses time", "no seat has less than none", "a stopped clock stands still"],
)


@CASES
def test_the_python_library(to_move: list[int], is_running: bool, expected: list[int]) -> None:  # noqa: FBT001 - a parameter of a test
    """The frame that arrived fastest counts."""
    state = RoomState()
    view = {**SNAPSHOT["view"], "match": match(to_move, is_running=is_running), "server_time": server_times()[0]}
    frames = [{**SNAPSHOT, "view": view}]
    frames += [{"type": "heartbeat", "room": "any", "version": 1, "server_time": time} for time in server_times()]
    for frame in frames:
        decoded = decode_frame(json.dumps(frame))
        assert decoded is not None
        state.apply(decoded)
    assert abs(state.now() - datetime.now(UTC) - AHEAD) < timedelta(milliseconds=SLOW)
    assert is_close(state.remaining_ms(), expected)


@needs_node
@CASES
async def test_the_javascript_library(to_move: list[int], is_running: bool, expected: list[int]) -> None:  # noqa: FBT001 - a parameter of a test
    """The same."""
    arguments = [json.dumps(match(to_move, is_running=is_running)), *server_times()]
    program = [NODE, *FLAGS, str(PROGRAMS / "clock.js"), *arguments]
    process = await asyncio.create_subprocess_exec(*program, stdout=asyncio.subprocess.PIPE)
    output, _ = await process.communicate()
    printed = json.loads(output)
    assert abs(printed["ahead"] - AHEAD / timedelta(milliseconds=1)) < SLOW
    assert is_close(printed["remaining"], expected)


def is_close(remaining: list[int] | None, expected: list[int]) -> bool:
    """Return whether the times are these, apart from what passed while they were computed."""
    assert remaining is not None
    pairs = zip(remaining, expected, strict=True)
    return all(wanted - SLOW < found <= wanted + ROUNDED for found, wanted in pairs)
