"""What a position looks like: values from which any board can be drawn without knowing its game."""

from typing import Literal

from msgspec import Struct

Tint = Literal["red", "orange", "yellow", "green", "blue", "violet", "white", "black", "grey"]
Shape = Literal["disc", "square", "diamond", "wall"]
"""A disc, a square or a diamond lies on its cell; a wall fills it."""


class Mark(Struct, frozen=True):
    """What lies on a cell. The letter and the shape tell it from others without its colours."""

    cell: str
    tint: Tint
    letter: str = ""
    shape: Shape = "disc"
    rim: Tint | None = None
    """The colour around it, where that means something; then `corner` tells it by a letter."""
    corner: str = ""
    lit: bool = False
    """Whether it stands out, as a winning line does."""


class Picture(Struct, frozen=True):
    """The marks of each board by its name in the geometry, and what is to be told beside, a line each."""

    boards: dict[str, tuple[Mark, ...]]
    beside: tuple[str, ...] = ()
