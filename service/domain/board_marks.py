"""What is drawn on a board: values from which any client can draw a position without knowing its game."""

from typing import Literal

from msgspec import Struct

Tint = Literal["red", "orange", "yellow", "green", "blue", "violet", "white", "black", "grey"]
Shape = Literal["disc", "square", "diamond", "wall"]
"""A disc, a square or a diamond is drawn on its cell; a wall fills the cell."""


class Mark(Struct, frozen=True):
    """What is drawn on a cell. Its letter and shape distinguish it without colours."""

    cell: str
    tint: Tint
    letter: str = ""
    shape: Shape = "disc"
    rim: Tint | None = None
    """The colour of its border, if it has a meaning; `corner` is then a letter for it."""
    corner: str = ""
    owner: int | None = None
    """The number of the seat whose piece it is, if its tint does not say so."""
    lit: bool = False
    """Whether it is highlighted, like a winning line."""


class Picture(Struct, frozen=True):
    """A position to draw: the marks of each board, by the board's name in the geometry, and lines of text."""

    boards: dict[str, tuple[Mark, ...]]
    captions: tuple[str, ...] = ()
    """Lines of text that are written next to the boards."""
