"""The libraries' types are those of the API's documents."""

from pathlib import Path
from typing import get_args

import pytest
from turnstream_client.schema import Code

from clients.generate import modules
from service.streams.codes import CODES


@pytest.mark.parametrize("path", modules(), ids=lambda path: path.name)
def test_the_types_are_up_to_date(path: Path) -> None:
    """`make openapi` writes them."""
    assert path.read_text() == modules()[path]


def test_the_codes_of_errors_are_those_of_the_service() -> None:
    """All of them, whatever the request."""
    assert list(get_args(Code)) == sorted(CODES)
