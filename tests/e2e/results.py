"""The results of the long studies: one line each in RESULTS.md."""

from pathlib import Path

RESULTS = Path(__file__).parent / "RESULTS.md"
HEADING = """# Results of the long studies

Written by `make soak`, one line per study, the latest run only.

| study | result |
| --- | --- |
"""


def record_result(study: str, result: str, file: Path = RESULTS) -> None:
    """Write or replace the line of a study."""
    text = file.read_text() if file.exists() else HEADING
    lines = [line for line in text.removeprefix(HEADING).splitlines() if not line.startswith(f"| {study} |")]
    file.write_text(HEADING + "".join(f"{line}\n" for line in sorted([*lines, f"| {study} | {result} |"])))
