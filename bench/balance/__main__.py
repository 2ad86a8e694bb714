"""`python -m bench.balance`."""

import sys

from bench.balance.program import main

if __name__ == "__main__":
    sys.exit(main())
