"""Names of rooms and people: normalised, limited in length, and free of invisible or misleading characters.

`confusables.txt` has the characters that look like others: each word is a target, `=`, and all characters that look
like the target. `scripts.txt` has the scripts of letters: each row has a script and the ranges of its letters, in
hexadecimal. `python -m tests.domain.room.unicode_tables` makes both from files of Unicode with these names; the first
lines have the version. Copyright Unicode, Inc.; under the Unicode License, https://www.unicode.org/license.txt.
"""

import re
import unicodedata
from bisect import bisect_right
from typing import get_args

from service.domain.game import Level, Rejected, Seat
from service.domain.ids import RoomName
from service.domain.presentation import read_text

CONFUSABLES = read_text(__name__, "confusables.txt")
CONFUSABLES_TABLE = CONFUSABLES.partition("\n")[2].encode().decode("unicode_escape")

PROTOTYPES = {
    ord(source): target
    for target, _, sources in (word.rpartition("=") for word in CONFUSABLES_TABLE.split())
    for source in sources
}
"""What each character looks like, for `str.translate`."""


SCRIPTS = read_text(__name__, "scripts.txt")

LAST = 0x10FFFF
"""The highest code point."""


def ranges() -> list[tuple[int, int, str]]:
    """Return the first and last code point of each range, and its script, in order."""
    found = []
    for row in SCRIPTS.splitlines()[1:]:
        script, *spans = row.split()
        for span in spans:
            first, _, last = span.partition("-")
            found.append((int(first, 16), int(last or first, 16), script))
    return sorted(found)


SCRIPT_RANGES = ranges()


def script_of(letter: str) -> str | None:
    """Return the script of a letter; None for a character of several scripts or of none."""
    index = bisect_right(SCRIPT_RANGES, (ord(letter), LAST, "")) - 1
    return SCRIPT_RANGES[index][2] if index >= 0 and ord(letter) <= SCRIPT_RANGES[index][1] else None


NICKNAME_LENGTH = 24
TITLE_LENGTH = 60

ROOM_NAME = re.compile(r"[a-z0-9-]{3,40}")
# Letters, marks, numbers, punctuation, symbols; no controls, direction marks, surrogates or unassigned code points.
VISIBLE = frozenset("LMNPS")
# Letters by category, but invisible: the Hangul fillers, the Khmer inherent vowels, the blank Braille pattern.
BLANK = frozenset("\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
# Invisible marks: the grapheme joiner and the variation selectors. Emoji need some of them.
INVISIBLE_MARKS = frozenset(map(chr, (0x34F, *range(0x180B, 0x1810), *range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0))))
# Joiners combine several emoji into one, and decide how Persian and Indic letters are written.
ZWNJ, ZWJ = "\u200c", "\u200d"
VIRAMA = 9
"""The combining class of the signs that suppress a vowel."""
MODIFIERS = "\ufe0f" + "".join(map(chr, range(0x1F3FB, 0x1F400))) + "".join(map(chr, range(0x64B, 0x660)))
"""What may occur between a joiner and what it joins: modifiers of emoji, and Arabic vowel signs."""
EMOJI_CATEGORIES = frozenset({"So", "Sm"})
"""The categories of emoji that can be joined."""
SCRIPT_SETS = (
    frozenset({"Latin", "Han", "Hiragana", "Katakana"}),
    frozenset({"Latin", "Han", "Bopomofo"}),
    frozenset({"Latin", "Han", "Hangul"}),
)
"""Scripts whose letters may be mixed in one name: the level "highly restrictive" of UTS 39, section 5.2."""
# Digits that look like letters, then letters, by their small or capital forms: Cyrillic, Greek, Armenian, Cherokee,
# Lisu, and Latin ones that are not recognised by their names. Normalisation removes accents and widths.
LOOK_ALIKES = str.maketrans(
    "015i|"
    "\u0430\u0435\u043e\u0440\u0441\u0445\u0443\u0456\u0432\u043a\u043c\u043d\u0442\u0455\u0458\u04bb\u043f\u0433"
    "\u03bf\u03b1\u03b9\u03bd\u03b2\u03b5\u03b6\u03b7\u03ba\u03bc\u03c1\u03c4\u03c5\u03c7"
    "\u0585\u0578\u057d\u0570\u0581\u0566"
    "\u13aa\u13f4\u13df\u13a0\u13ac\u13c0\u13bb\u13ab\u13e6\u13de\u13b7\u13e2\u13a1\u13da\u13a2\u13d9\u13b3\u13bd\u13c3"
    "\ua4ee\ua4d0\ua4da\ua4d3\ua4f0\ua4dd\ua4d6\ua4e7\ua4f2\ua4d9\ua4d7\ua4e1\ua4df\ua4e0\ua4f3\ua4d1\ua4e3\ua4e2"
    "\ua4d4\ua4f4\ua4e6\ua4ea\ua4eb\ua4ec\ua4dc"
    "\u0251\u0261\u0131",
    "olsllaeopcxylbkmhtsjhnroalvbezhkmptyxonuhgqabcdeghjklmprstvwyzabcdefghljklmnoprstuvwxyzagl",
)
ALIKE: dict[int, str | int | None] = {**PROTOTYPES, **LOOK_ALIKES}
LATIN = re.compile(r"LATIN (?:SMALL LETTER|LETTER SMALL CAPITAL) ([A-Z])(?: WITH .*)?")


def normalize(text: str) -> str:
    """Return the text normalised (NFKC), with every run of spaces replaced by one space."""
    return " ".join(unicodedata.normalize("NFKC", text).split())


def is_visible(text: str) -> bool:
    """Return whether every character is visible and none changes the direction of others.

    A joiner in its place counts as visible, as it changes how its neighbours look.
    """
    return all(
        unicodedata.category(letter) == "Zs"
        or (unicodedata.category(letter)[0] in VISIBLE and letter not in BLANK)
        or (letter in {ZWNJ, ZWJ} and is_joiner_in_place(text, index))
        for index, letter in enumerate(text)
    )


def is_joiner_in_place(text: str, index: int) -> bool:
    """Return whether the joiner at this index is meaningful: within emoji, after a virama, between Arabic letters.

    Follows RFC 5892, appendix A, without the joining types of letters, because names are compared without joiners.
    """
    before, after = text[:index], text[index + 1 :].lstrip(MODIFIERS)
    if not before or not after:
        return bool(before) and unicodedata.combining(before[-1]) == VIRAMA
    previous = before.rstrip(MODIFIERS)[-1:]
    if unicodedata.combining(before[-1]) == VIRAMA:
        return True
    if text[index] == ZWJ:
        return bool(previous) and {unicodedata.category(previous), unicodedata.category(after[0])} <= EMOJI_CATEGORIES
    return bool(previous) and script_of(previous) == script_of(after[0]) == "Arabic"


def new_nickname(text: str) -> str:
    """Return a new nickname in its displayed form. Raises `Rejected` with `bad_nickname` and the reason."""
    name = existing_nickname(text)
    scripts = scripts_of(name)
    if len(scripts) > 1 and not any(scripts <= allowed for allowed in SCRIPT_SETS):
        raise Rejected("bad_nickname", longest=NICKNAME_LENGTH, reason="mixed_scripts")
    if is_reserved(name):
        raise Rejected("bad_nickname", longest=NICKNAME_LENGTH, reason="reserved")
    return name


def existing_nickname(text: str) -> str:
    """Return a nickname that a player already has. Raises `Rejected` with `bad_nickname` and the reason."""
    name = normalize(text)
    if not is_visible(text) or not is_visible(name):
        visible = is_visible(text.replace(ZWNJ, "").replace(ZWJ, ""))
        raise Rejected("bad_nickname", longest=NICKNAME_LENGTH, reason="joiner" if visible else "invisible")
    if not 1 <= len(name) <= NICKNAME_LENGTH:
        raise Rejected("bad_nickname", longest=NICKNAME_LENGTH, reason="length")
    if not strip_marks(name):
        raise Rejected("bad_nickname", longest=NICKNAME_LENGTH, reason="invisible")
    return name


def choose_nickname(requested: str | None, current: str) -> str:
    """Return the requested nickname, or else the player's current one. Raises `Rejected`."""
    return new_nickname(requested) if requested and requested != current else existing_nickname(current)


def numbered_nickname(nickname: str, seat: Seat) -> str:
    """Return a nickname for a player who enters a room in which another one has the same."""
    return f"{nickname[: NICKNAME_LENGTH - 2]} {seat + 1}"


def scripts_of(name: str) -> frozenset[str]:
    """Return the scripts of a name's letters."""
    letters = (letter for letter in name if unicodedata.category(letter)[0] == "L")
    return frozenset(script for letter in letters if (script := script_of(letter)) is not None)


def is_reserved(name: str) -> bool:
    """Return whether people could mistake a name for one of the service's own."""
    letters = "".join(letter for letter in skeleton(name) if letter.isalnum())
    return letters in RESERVED or BOT.fullmatch(letters) is not None


def skeleton(name: str) -> str:
    """Return the skeleton of a name, which is equal for names that people could confuse (UTS 39, 4); ignores case."""
    letters = strip_marks(name)
    for _ in range(2):  # a capital letter may look like something other than its small letter
        letters = strip_marks(letters.translate(ALIKE).casefold())
    letters = "".join(map(base_letter, letters))
    return letters.translate(ALIKE).replace("rn", "m")


def strip_marks(name: str) -> str:
    """Return a name without spaces and without marks."""
    letters = unicodedata.normalize("NFKD", name).replace(" ", "")
    return "".join(letter for letter in letters if not is_mark(letter))


def is_mark(letter: str) -> bool:
    """Return whether a character only modifies another one; the vowel signs of many scripts do more."""
    return (
        bool(unicodedata.combining(letter))
        or letter in INVISIBLE_MARKS
        or letter in {ZWNJ, ZWJ}
        or unicodedata.category(letter) == "Me"
    )


def base_letter(letter: str) -> str:
    """Return the Latin letter without its strokes or hooks, found by its Unicode name; any other letter unchanged."""
    match = None if letter.isascii() else LATIN.fullmatch(unicodedata.name(letter, ""))
    return match[1].lower() if match else letter


def room_title(text: str) -> str:
    """Return a room's title as typed, normalised. Raises `Rejected` with `bad_name`."""
    shown = normalize(text) if is_visible(text) else ""
    if not 1 <= len(shown) <= TITLE_LENGTH or not is_visible(shown):
        raise Rejected("bad_name")
    return shown


def room_name(text: str) -> RoomName:
    """Return a room's name, without differences in case, accents and spaces. Raises `Rejected` with `bad_name`."""
    if ROOM_NAME.fullmatch(text):
        return RoomName(text)
    letters = "".join(letter for letter in unicodedata.normalize("NFKD", text) if not unicodedata.combining(letter))
    folded = "-".join(letters.casefold().split())
    if not ROOM_NAME.fullmatch(folded):
        raise Rejected("bad_name")
    return RoomName(folded)


RESERVED = frozenset(
    map(
        skeleton,
        ("operator", "admin", "administrator", "moderator", "turnstream", "system", "erased player", "unreadable name"),
    )
)
"""Skeletons of names that could pass for the service's own."""
BOT = re.compile(rf"bot.{{0,4}}(?:{'|'.join(map(skeleton, get_args(Level)))})")
"""Matches the skeletons of bots' names, such as `Bot 1 (easy)`."""
