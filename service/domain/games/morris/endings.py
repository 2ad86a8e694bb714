"""The solved endings of Nine Men's Morris: all positions with three or four men a side, all placed, of the usual rules.

A table has a block for each set of the mover's men that is the least of its sixteen images under the symmetries of the
board. A block has a byte for each set of the other side's men: 0 for a draw, or one more than the number of turns until
the end. `python -m bench.endings` makes the tables. Each is read when its first position is looked up.
"""

from functools import lru_cache
from math import comb
from pkgutil import get_data
from typing import TypeAlias
from zlib import decompress

from service.domain.games.morris.model import Options
from service.domain.games.morris.turns import ALL, OTHER, TO_PLACE, Men, Packed, points_of

Blocks: TypeAlias = dict[Men, bytes]
FEW = {3, 4}


def are_solved(positions: list[Packed], options: Options) -> bool:
    """Return whether all of these positions are over or in a table, for a match with these options."""
    if options.flying != "both" or options.all_in_mills != "none":
        return False  # with three or four men a side, no other option changes what a turn does
    return all(
        at < 0 or (not at >> TO_PLACE and {(at & ALL).bit_count(), (at >> OTHER & ALL).bit_count()} <= FEW)
        for at in positions
    )


def turns_left(position: Packed) -> int | None:
    """Return in how many turns a position in a table ends, None for a draw; the side to move wins by an odd one."""
    mine, other = min(zip(images(position & ALL), images(position >> OTHER), strict=True))
    block = table(mine.bit_count(), other.bit_count())[mine]
    places = [(at - 1 & ~mine).bit_count() for at in points_of(other)]
    byte = block[sum([comb(place, number) for number, place in enumerate(places, 1)])]
    return byte - 1 if byte else None


@lru_cache(4)
def table(mine: int, other: int) -> Blocks:
    """Return the table for these numbers of men, the mover's first."""
    data = get_data(__name__, f"endings_{mine}_{other}.zlib")
    assert data is not None  # noqa: S101 - a part of the package
    table, size = decompress(data), 3 + comb(24 - mine, other)
    return {int.from_bytes(table[at : at + 3]): table[at + 3 : at + size] for at in range(0, len(table), size)}


def images(men: Men) -> list[Men]:
    """Return a set's images under the symmetries of the board, in the same order for each set."""
    found = [men, men >> 16 | men & 0xFF00 | (men & 0xFF) << 16]
    found += [reflect(each) for each in found]
    for _ in range(3):
        found += [each << 2 & 0xFCFCFC | each >> 6 & 0x030303 for each in found[-4:]]
    return found


def reflect(men: Men) -> Men:
    """Return a set's image in the mirror between the first corners and the opposite ones."""
    swapped = (men & 0x020202) << 6 | (men & 0x040404) << 4 | (men & 0x080808) << 2
    return men & 0x111111 | swapped | (men & 0x808080) >> 6 | (men & 0x404040) >> 4 | (men & 0x202020) >> 2
