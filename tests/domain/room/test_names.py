"""What rooms and people may be called."""

import pytest

from service.domain.game import Rejected
from service.domain.room import names


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        ("friday", "friday"),
        ("Friday Night", "friday-night"),
        ("  Friday \t  Night ", "friday-night"),
        ("Übung macht Spaß", "ubung-macht-spass"),
        ("\uff26\uff32\uff29\uff24\uff21\uff39", "friday"),
        ("a-b", "a-b"),
        ("007", "007"),
        ("x" * 40, "x" * 40),
    ],
)
def test_case_accents_and_spaces_of_a_rooms_name_are_folded(typed: str, name: str) -> None:
    """What is typed differently but reads the same is one room."""
    assert names.room_name(typed) == name
    assert names.room_name(name) == name


@pytest.mark.parametrize(
    "typed", ["", "ab", "x" * 41, "a/b/c", "naïve?", "пятниц\u0430", "a.b.c", "abc\x00", "abc\u202e", "🎲🎲🎲"]
)
def test_a_rooms_name_keeps_to_letters_digits_and_hyphens(typed: str) -> None:
    """3 to 40 of them."""
    with pytest.raises(Rejected, match="bad_name"):
        names.room_name(typed)


@pytest.mark.parametrize(
    ("typed", "title"), [("Friday Night", "Friday Night"), (" Friday   Night ", "Friday Night"), ("Spaß!", "Spaß!")]
)
def test_a_title_keeps_what_was_typed(typed: str, title: str) -> None:
    """Apart from needless spaces."""
    assert names.title(typed) == title


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        ("Anna", "Anna"),
        ("  Anna   Maria ", "Anna Maria"),
        ("\uff21\uff4e\uff4e\uff41", "Anna"),
        ("Jose\u0301", "José"),
        ("李小龍", "李小龍"),
        ("علي", "علي"),
        ("🦊", "🦊"),
        ("Fox 🦊!", "Fox 🦊!"),
        ("\u2764\ufe0f", "\u2764\ufe0f"),
        ("किरण", "किरण"),
        ("♥ 2 €", "♥ 2 €"),
        ("x" * 24, "x" * 24),
        ("🦊" * 24, "🦊" * 24),
    ],
)
def test_a_nickname_may_be_anything_that_can_be_seen(typed: str, shown: str) -> None:
    """Any script, and emoji; composed and without needless spaces."""
    assert names.nickname(typed) == shown


UNSEEN = [
    *("", " ", "\t", "\u00a0", "\u3000"),
    *("\u200b", "An\u200bna", "An\u00adna", "An\ufeffna", "\u2060Anna"),
    *("\u202eAnna", "\u202aAnna", "Anna\u200f", "\u2066Anna\u2069", "\u061cAnna"),
    *("An\x00na", "Anna\x1b[2J", "An\nna", "An\u2028na", "\x7f", "An\x85na"),
    *("\u3164", "\u115f", "\u1160", "\uffa0", "\u2800", "\u17b4\u17b5", "An\u3164na"),
    *("\u0301", "\u20dd", "\u034f\u034f", "\ufe0f", "\u180b", "\U000e0100", "\u00a8"),
    *("\ud800", "\ue000", "\U000e0041", "\u0378"),
    *("x" * 25, "🦊" * 25, "ﷺ" * 2),
]


@pytest.mark.parametrize("typed", UNSEEN, ids=ascii)
def test_a_nickname_is_neither_empty_nor_long_nor_a_trick(typed: str) -> None:
    """Nothing that can't be seen, that turns the text around, that controls a terminal, or that is blank."""
    with pytest.raises(Rejected, match="bad_nickname"):
        names.nickname(typed)


def test_a_nickname_shown_is_a_nickname_that_may_be_typed() -> None:
    """Normalising twice changes nothing."""
    for typed in ("\uff21\uff4e\uff4e\uff41", "Jose\u0301", "①②③", "ﬁ", "½"):
        assert names.nickname(names.nickname(typed)) == names.nickname(typed)


@pytest.mark.parametrize(
    ("one", "other"), [("anna", "ANNA"), ("rnary", "mary"), ("Bo b", "8ob"), ("0ne", "one"), ("ⅷ", "viii")]
)
def test_names_that_people_could_mistake_share_a_skeleton(one: str, other: str) -> None:
    """Except where the eye tells them apart, as an 8 from a B."""
    assert (names.skeleton(one) == names.skeleton(other)) is ("8" not in other)


@pytest.mark.parametrize("name", ["Anna", "0l1|5", "rn", "Москв\u0430", "κόσμος", "İstanbul", "ŉ", "ǰ", "\u017f"])
def test_a_skeleton_is_its_own_skeleton(name: str) -> None:
    """So that two names compare alike whichever is looked at first."""
    assert names.skeleton(names.skeleton(name)) == names.skeleton(name)
