"""A process of the service whose chance is always the same: `python -m tests.releases.fixed_entropy VERB`.

Seeds, which are longer than ids, are one and the same, no matter how often or in which blocks they are drawn. So the
same commands lead to the same dice, layouts and seats in every release. Ids differ from each other, as they have to.
Snapshots and summaries are stored after fewer events than usual, so that a small store has them.
"""

import secrets
import sys
from importlib import import_module

SEED = 32
"""The bytes of a seed; ids and salts have fewer."""

FEWER = {
    ("service.streams.loaded", "SNAPSHOT_EVERY"): 16,
    ("service.streams.retention", "SUMMARY_EVERY"): 16,
}
"""After how many events a snapshot and a summary are stored."""

entropy = secrets.token_bytes


def fixed_bytes(nbytes: int | None = None) -> bytes:
    """Return the same seeds each time, and different ids."""
    size = SEED if nbytes is None else nbytes
    return entropy(size) if size < SEED else (bytes(range(SEED)) * (size // SEED + 1))[:size]


def main() -> int:
    """Run a verb of the service."""
    secrets.token_bytes = fixed_bytes
    for (module, name), events in FEWER.items():
        if not hasattr(found := import_module(module), name):
            raise AttributeError(f"{module} has no {name}: see where it is now")
        setattr(found, name, events)
    return int(import_module("service.__main__").main(sys.argv[1:]))


if __name__ == "__main__":
    sys.exit(main())
