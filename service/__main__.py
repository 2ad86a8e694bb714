"""The command line: `turnstream up` runs everything on this machine; the other verbs are its parts and tools."""

import sys
from collections.abc import Sequence

from service.command_line import run
from service.standalone.program import UP


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one verb and return its exit code: 0 success, 1 failure, 2 invalid arguments, settings or store.

    The supervisor that `up` runs stays small: it imports nothing of the other verbs.
    """
    given = sys.argv[1:] if arguments is None else arguments
    if given[:1] == ["up"]:
        return run(UP, given)
    from service import programs

    return programs.main(given)


if __name__ == "__main__":
    sys.exit(main())
