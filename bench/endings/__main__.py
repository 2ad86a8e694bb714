"""Solves the endings of Nine Men's Morris, and writes their tables to where the bot reads them.

`python -m bench.endings` takes a minute of one core, and a C compiler: CC, or cc.
"""

import os
import subprocess
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from zlib import compress

HERE = Path(__file__).parent
TABLES = HERE.parent.parent / "service/domain/games/morris"


def solve(names: Sequence[str]) -> dict[str, bytes]:
    """Return the tables that the program for these names writes, each under the name of its file."""
    with TemporaryDirectory() as folder:
        program, tables = Path(folder, "solve"), Path(folder, "tables")
        tables.mkdir()
        subprocess.run([os.environ.get("CC", "cc"), "-O2", "-o", program, HERE / "solve.c"], check=True)
        subprocess.run([program, tables, *names], check=True)
        return {path.name: path.read_bytes() for path in sorted(tables.iterdir())}


if __name__ == "__main__":
    for name, table in solve(["33", "43", "44"]).items():
        packed = compress(table, 9)
        (TABLES / f"{name}.zlib").write_bytes(packed)
        print(f"{name}: {len(table):,} bytes, {len(packed):,} compressed")
