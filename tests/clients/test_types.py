"""The libraries' types are those of the API's documents."""

from pathlib import Path

import pytest

from clients.generate import modules


@pytest.mark.parametrize("path", modules(), ids=lambda path: path.name)
def test_the_types_are_up_to_date(path: Path) -> None:
    """`make openapi` writes them."""
    assert path.read_text() == modules()[path]
