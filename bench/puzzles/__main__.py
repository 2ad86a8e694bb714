"""`python -m bench.puzzles`."""

import sys

from bench.puzzles.program import main

if __name__ == "__main__":
    sys.exit(main())
