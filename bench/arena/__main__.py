"""`python -m bench.arena`."""

import sys

from bench.arena.program import main

if __name__ == "__main__":
    sys.exit(main())
