"""Names of rooms and people: folded, bounded, and without tricks."""

import re
import unicodedata

from service.domain.game import Rejected
from service.domain.room.values import RoomName

NICKNAME_LENGTH = 24
TITLE_LENGTH = 60

ROOM_NAME = re.compile(r"[a-z0-9-]{3,40}")
# Letters, marks, numbers, punctuation, symbols; no controls, direction marks, surrogates or unassigned code points.
VISIBLE = frozenset("LMNPS")
# Letters by category that show nothing: the Hangul fillers, the Khmer inherent vowels, the blank Braille pattern.
BLANK = frozenset("\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
# Digits read as letters, then Cyrillic a e o p c x y i v k m n t s j h and Greek o a i v b e z h k m p t y x (by their
# small letters or by their capitals); accents and widths fall away by folding.
LOOK_ALIKES = str.maketrans(
    "015i|"
    "\u0430\u0435\u043e\u0440\u0441\u0445\u0443\u0456\u0432\u043a\u043c\u043d\u0442\u0455\u0458\u04bb"
    "\u03bf\u03b1\u03b9\u03bd\u03b2\u03b5\u03b6\u03b7\u03ba\u03bc\u03c1\u03c4\u03c5\u03c7",
    "olsllaeopcxylbkmhtsjhoalvbezhkmptyx",
)


def spelled(text: str) -> str:
    """Return the text normalised (NFKC) with every run of spaces as one."""
    return " ".join(unicodedata.normalize("NFKC", text).split())


def visible(text: str) -> bool:
    """Tell whether every character can be seen and none changes the direction of others."""
    return all(
        unicodedata.category(letter) == "Zs" or (unicodedata.category(letter)[0] in VISIBLE and letter not in BLANK)
        for letter in text
    )


def nickname(text: str) -> str:
    """Return the nickname as it is shown. Raises `Rejected` with `bad_nickname`."""
    name = spelled(text) if visible(text) else ""
    if not 1 <= len(name) <= NICKNAME_LENGTH or not visible(name):
        raise Rejected("bad_nickname", longest=NICKNAME_LENGTH)
    return name


def skeleton(name: str) -> str:
    """Return what two names share when people could mistake one for the other."""
    bare = "".join(letter for letter in unicodedata.normalize("NFKD", name) if not unicodedata.combining(letter))
    return bare.casefold().translate(LOOK_ALIKES).replace(" ", "").replace("rn", "m")


def title(text: str) -> str:
    """Return a room's title as typed, made safe to show. Raises `Rejected` with `bad_name`."""
    shown = spelled(text) if visible(text) else ""
    if not 1 <= len(shown) <= TITLE_LENGTH or not visible(shown):
        raise Rejected("bad_name")
    return shown


def room_name(text: str) -> RoomName:
    """Fold a room's name: case, accents and spaces don't matter. Raises `Rejected` with `bad_name`."""
    if ROOM_NAME.fullmatch(text):
        return RoomName(text)
    bare = "".join(letter for letter in unicodedata.normalize("NFKD", text) if not unicodedata.combining(letter))
    folded = "-".join(bare.casefold().split())
    if not ROOM_NAME.fullmatch(folded):
        raise Rejected("bad_name")
    return RoomName(folded)
