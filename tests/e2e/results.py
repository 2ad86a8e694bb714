"""Where the long studies leave their figures: one line each in RESULTS.md."""

from pathlib import Path

RESULTS = Path(__file__).parent / "RESULTS.md"
HEADING = """# What the long studies found

Written by `make soak`, one line a study, the latest run only.

| study | result |
| --- | --- |
"""


def note(study: str, result: str) -> None:
    """Write a study's line anew and keep the others'."""
    text = RESULTS.read_text() if RESULTS.exists() else HEADING
    lines = [line for line in text.removeprefix(HEADING).splitlines() if not line.startswith(f"| {study} |")]
    RESULTS.write_text(HEADING + "".join(f"{line}\n" for line in sorted([*lines, f"| {study} | {result} |"])))
