"""Generators of clients read the OpenAPI document as it is, and drop nothing."""

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from openapi_spec_validator import validate

from tests.waiting import PATIENCE

DOCUMENT = Path(__file__).parents[2] / "openapi/openapi.json"
UNSUPPORTED = "image/svg+xml"
"""A media type whose responses openapi-python-client leaves out, with a warning: it knows JSON, text and files only."""


def schemas_of(value: Any) -> Iterator[dict[str, Any]]:
    """Yield every object of a document that may be a schema, but no examples."""
    if isinstance(value, list):
        for part in value:
            yield from schemas_of(part)
    if isinstance(value, dict):
        yield value
        for key, part in value.items():
            if key not in {"example", "examples"}:
                yield from schemas_of(part)


def responds_only_with(operation: dict[str, Any], media_type: str) -> bool:
    """Return whether some response of an operation has this media type and no other."""
    return any(list(response.get("content", ())) == [media_type] for response in operation["responses"].values())


def test_the_document_is_valid() -> None:
    """It matches the schema of OpenAPI 3.1."""
    validate(json.loads(DOCUMENT.read_bytes()))


def test_the_document_has_only_what_generators_read() -> None:
    """Each of these has made some generator fail or drop a schema."""
    document = json.loads(DOCUMENT.read_bytes())
    assert document["servers"]
    for schema in schemas_of(document):
        assert not isinstance(schema.get("const"), str | int), schema
        assert not isinstance(schema.get("prefixItems"), list), schema
        assert schema.get("items") is not False, schema
        assert not (isinstance(schema.get("enum"), list) and "type" not in schema), schema


def test_a_python_client_is_generated_with_every_operation(tmp_path: Path) -> None:
    """openapi-python-client with its default options warns of nothing except responses of an unsupported media type."""
    client = tmp_path / "client"
    command = ["openapi_python_client", "generate", "--path", str(DOCUMENT), "--output-path", str(client)]
    done = subprocess.run(
        [sys.executable, "-m", *command], capture_output=True, text=True, check=True, cwd=tmp_path, timeout=PATIENCE
    )
    output = done.stdout + done.stderr
    operations = {
        f"{method.upper()} {path}": operation
        for path, methods in json.loads(DOCUMENT.read_bytes())["paths"].items()
        for method, operation in methods.items()
    }
    warnings = re.findall(r"^WARNING parsing (.+?)(?: within .*)?$", output, re.MULTILINE)
    assert warnings == [name for name, operation in operations.items() if responds_only_with(operation, UNSUPPORTED)], (
        output
    )
    wanted = {operation["operationId"] for operation in operations.values()}
    assert wanted <= {file.stem for file in client.glob("*/api/*/*.py")}
