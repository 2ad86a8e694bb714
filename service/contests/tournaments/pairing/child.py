"""The pairing process: it answers tasks until its parent ends.

    python -m service.contests.tournaments.pairing.child <seconds> <file descriptor>

It has a low priority. It ends itself if one task takes more than this many seconds and its parent has not killed it by
then.
"""

import os
import signal
import socket
import sys
import traceback
from collections.abc import Sequence

from service.contests.tournaments.pairing.compute import compute
from service.contests.tournaments.pairing.messages import Answer, Task, decode_task, encode
from service.runtime.processes.messages import answer_requests

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
