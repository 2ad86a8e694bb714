"""The named start layouts: what lies on d4-f6 before red's first move."""

from collections.abc import Mapping
from typing import Literal, TypeAlias

LayoutName = Literal["even", "first", "latin"]
"""A name, once given, means the same block for ever; a better layout gets a name of its own."""

Block: TypeAlias = tuple[str, str, str]
"""The rows d6-f6, d5-f5, d4-f4, three discs of each colour."""

LAYOUTS: Mapping[LayoutName, Block] = {
    # Of all 192 the one from which bots of equal strength win most nearly a third each: docs/ternio-start.md.
    "even": ("bgb", "grr", "grb"),
    # The default until `even` was found; rooms that were opened with it keep it.
    "first": ("bbg", "grg", "brr"),
    # A cyclic Latin square, kept for comparison: mirrored at its diagonal d4-f6 it is the same, so never the default.
    "latin": ("gbr", "rgb", "brg"),
}
