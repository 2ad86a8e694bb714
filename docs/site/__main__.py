"""Build the site into `service/guide`, which the service sends at `/guide/`: `make guide`."""

import shutil
import sys
import tempfile
from pathlib import Path

from sphinx.cmd.build import build_main

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
TARGET = ROOT / "service/guide"


def main() -> None:
    """Build all pages; a warning, such as a link that leads nowhere, is an error, and leaves what was there."""
    with tempfile.TemporaryDirectory() as folder:
        options = ("-q", "-W", "--keep-going", "-c", str(HERE), "-d", f"{folder}/trees")
        if status := build_main([*options, "-b", "html", str(ROOT), f"{folder}/site"]):
            sys.exit(status)
        shutil.rmtree(TARGET, ignore_errors=True)
        shutil.copytree(
            f"{folder}/site", TARGET, ignore=shutil.ignore_patterns(".*", "_sources", "objects.inv", "pygments.css")
        )


if __name__ == "__main__":
    main()
