"""The client's types match those of the API: the TypeScript compiler compares them with `openapi/`.

Frames are those of the library, whose types are written from the documents.
"""

import json
import subprocess
from pathlib import Path

import pytest

from tests.web.typescript import bodies, document, responses

ROOT = Path(__file__).parents[2]
WEB = ROOT / "service/web"
COMPILER = ROOT / ".venv/node/node_modules/.bin/tsc"
CHECKS = Path(__file__).with_name("wire.ts")


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Return a folder with the client's types, those of the API, and the comparisons."""
    if not COMPILER.exists():
        pytest.skip("the TypeScript compiler is not installed: `make lint` does that where it finds npm")
    http = document("openapi.json")
    files = {
        "answers.ts": responses(http),
        "bodies.ts": bodies(http),
        "client.ts": f"export type * from {json.dumps(str(WEB / 'types.d.ts'))};",
        "wire.ts": CHECKS.read_text(),
        "tsconfig.json": json.dumps(
            {
                "extends": str(WEB / "tsconfig.json"),
                "compilerOptions": {"noUnusedLocals": False},
                "include": ["*.ts"],
            }
        ),
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    return tmp_path


def compiler_errors(project: Path) -> list[str]:
    """Return what the compiler reports about the comparisons, line by line."""
    compiled = subprocess.run((COMPILER, "--pretty", "false"), cwd=project, capture_output=True, text=True, check=False)
    assert compiled.stderr == ""
    return compiled.stdout.splitlines()


def test_the_types_match_the_documents(project: Path) -> None:
    """What the service sends can be read by the client, and the other way round."""
    assert compiler_errors(project) == []


@pytest.mark.parametrize(
    ("file", "before", "after"),
    [
        ("answers.ts", '"my_turn": boolean', '"your_turn": boolean'),
        ("answers.ts", '"removals_owed": number', '"removals_owed": string'),
        ("answers.ts", '"type": "player_kicked"', '"type": "player_removed"'),
        ("bodies.ts", '"accept": boolean', '"accepts": boolean'),
    ],
)
def test_a_difference_is_found(project: Path, file: str, before: str, after: str) -> None:
    """A field or a tag with another name than in the API does not compile."""
    source = (project / file).read_text()
    assert before in source
    (project / file).write_text(source.replace(before, after))
    assert any(line.startswith("wire.ts") for line in compiler_errors(project))
