"""The pairing process: it answers tasks until its parent ends.

    python -m service.contests.pairing.child <seconds> <file descriptor>

It has a low priority. It ends itself if one task takes more than this many seconds and its parent has not killed it by
then.
"""

import os
import signal
import socket
import sys
import traceback
from collections.abc import Sequence

from service.contests.pairing.arena import pair_arena, pair_arena_of_three
from service.contests.pairing.messages import Answer, Task, decode_task, encode
from service.contests.pairing.swiss import pair_swiss
from service.contests.pairing.threes import pair_threes
from service.domain.tournaments.pairings import Pairing, PairingRequest, round_robin
from service.runtime.child_messages import answer_requests


def compute(request: PairingRequest, window: int, *, strict: bool) -> Pairing | None:
    """Return a pairing in which each player meets one of about `window` opponents; None if the window has none.

    Only a pairing that is not strict may have repeats or unbalanced seats, or let more than one player of an
    arena wait. Tables of three need no window.
    """
    match request:
        case PairingRequest(format="round_robin", seats=2):
            return round_robin(request)
        case PairingRequest(format="arena", seats=2):
            return pair_arena(request, window, strict=strict)
        case PairingRequest(format="arena"):
            return pair_arena_of_three(request)
        case PairingRequest(seats=3):
            return pair_threes(request)
        case _:
            return pair_swiss(request, window, strict=strict)


NICENESS = 10
"""The niceness of the process, so that bots' moves do not wait for it."""


def main(arguments: Sequence[str]) -> None:
    """Answer tasks."""
    seconds = float(arguments[0])
    for number in (signal.SIGINT, signal.SIGTERM):  # a signal to the process group is handled by the parent
        signal.signal(number, signal.SIG_IGN)
    os.nice(NICENESS)

    def answer_in_time(message: bytes) -> bytes:
        signal.setitimer(signal.ITIMER_REAL, seconds)
        answered = encode(answer(decode_task(message)))
        signal.setitimer(signal.ITIMER_REAL, 0)
        return answered

    answer_requests(socket.socket(fileno=int(arguments[1])), answer_in_time)


def answer(task: Task) -> Answer:
    """Return the answer to a task."""
    try:
        return Answer(compute(task.request, task.window, strict=task.strict))
    except Exception:  # noqa: BLE001 - the outermost edge: the parent raises it
        return Answer(None, traceback.format_exc())


if __name__ == "__main__":
    main(sys.argv[1:])
