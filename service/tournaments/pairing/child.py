"""The pairing process: reads tasks from standard input and writes their answers until its input ends.

    python -m service.tournaments.pairing.child <seconds>

It has a low priority. It ends itself if one task takes more than this many seconds and its parent has not killed it by
then.
"""

import os
import signal
import sys
import traceback
from collections.abc import Sequence

from service.tournaments.pairing.compute import compute
from service.tournaments.pairing.messages import Answer, Task, decode_task, encode

NICENESS = 10
"""The niceness of the process, so that bots' moves do not wait for it."""


def main(arguments: Sequence[str]) -> None:
    """Answer tasks."""
    seconds = float(arguments[0])
    for number in (signal.SIGINT, signal.SIGTERM):  # a signal to the process group is handled by the parent
        signal.signal(number, signal.SIG_IGN)
    os.nice(NICENESS)
    for line in sys.stdin.buffer:
        signal.setitimer(signal.ITIMER_REAL, seconds)
        message = encode(answer(decode_task(line)))
        signal.setitimer(signal.ITIMER_REAL, 0)
        sys.stdout.buffer.write(message)
        sys.stdout.buffer.flush()


def answer(task: Task) -> Answer:
    """Return the answer to a task."""
    try:
        return Answer(compute(task.request, task.window, strict=task.strict))
    except Exception:  # noqa: BLE001 - the outermost edge: the parent raises it
        return Answer(None, traceback.format_exc())


if __name__ == "__main__":
    main(sys.argv[1:])
