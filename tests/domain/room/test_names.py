"""Names of rooms and people: what is accepted, and what counts as equal."""

import pytest

from service.domain.game import Rejected
from service.domain.room.model import names


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
    """Names that read the same are one room's."""
    assert names.room_name(typed) == name
    assert names.room_name(name) == name


@pytest.mark.parametrize(
    "typed", ["", "ab", "x" * 41, "a/b/c", "naïve?", "пятниц\u0430", "a.b.c", "abc\x00", "abc\u202e", "🎲🎲🎲"]
)
def test_a_rooms_name_has_letters_digits_and_hyphens_only(typed: str) -> None:
    """It has 3 to 40 of them."""
    with pytest.raises(Rejected, match="bad_name"):
        names.room_name(typed)


@pytest.mark.parametrize(
    ("typed", "title"), [("Friday Night", "Friday Night"), (" Friday   Night ", "Friday Night"), ("Spaß!", "Spaß!")]
)
def test_a_title_keeps_what_was_typed(typed: str, title: str) -> None:
    """Only superfluous spaces are removed."""
    assert names.room_title(typed) == title


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
def test_a_nickname_may_have_any_visible_characters(typed: str, shown: str) -> None:
    """Any script, and emoji; normalised and without superfluous spaces."""
    assert names.new_nickname(typed) == shown


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
def test_a_nickname_is_not_empty_too_long_or_misleading(typed: str) -> None:
    """No invisible or blank characters, and none that change the direction of text or control a terminal."""
    with pytest.raises(Rejected, match="bad_nickname"):
        names.new_nickname(typed)


def test_a_displayed_nickname_can_be_typed_again() -> None:
    """Normalising twice changes nothing."""
    for typed in ("\uff21\uff4e\uff4e\uff41", "Jose\u0301", "①②③", "ﬁ", "½"):
        assert names.new_nickname(names.new_nickname(typed)) == names.new_nickname(typed)


@pytest.mark.parametrize(
    ("one", "other"), [("anna", "ANNA"), ("rnary", "mary"), ("Bo b", "8ob"), ("0ne", "one"), ("ⅷ", "viii")]
)
def test_names_that_people_could_confuse_share_a_skeleton(one: str, other: str) -> None:
    """Names that the eye distinguishes, such as 8 and B, do not."""
    assert (names.skeleton(one) == names.skeleton(other)) is ("8" not in other)


@pytest.mark.parametrize("name", ["Anna", "0l1|5", "rn", "Москв\u0430", "κόσμος", "İstanbul", "ŉ", "ǰ", "\u017f"])
def test_a_skeleton_is_its_own_skeleton(name: str) -> None:
    """So the order in which two names are compared makes no difference."""
    assert names.skeleton(names.skeleton(name)) == names.skeleton(name)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("0perator", "Operator"),
        ("\u041e\u0440\u0435\u0433", "Oper"),
        ("p\u0430ypal", "paypal"),
        ("\U0001d5e1ora", "Nora"),
        ("\uff21nna", "Anna"),
        ("\u13aa\u13bbN", "AHN"),
        ("|van", "Ivan"),
        ("\u0391nna", "Anna"),
        ("anna\u200d", "anna"),
    ],
    ids=ascii,
)
def test_look_alikes_of_every_alphabet_share_a_skeleton(one: str, other: str) -> None:
    """By Unicode's table, for capital and small letters; invisible characters are ignored."""
    assert names.skeleton(one) == names.skeleton(other)


def test_a_look_alike_by_the_table_has_the_skeleton_of_what_it_looks_like() -> None:
    """Each skeleton is its own skeleton, and the tables name their version of Unicode."""
    assert len(names.PROTOTYPES) > 1500
    for source, target in names.PROTOTYPES.items():
        skeleton = names.skeleton(chr(source))
        assert names.skeleton(skeleton) == skeleton, chr(source)
        assert source in names.LOOK_ALIKES or skeleton == names.skeleton(target), chr(source)
    assert names.CONFUSABLES.startswith("# Unicode 13.0.0")
    assert names.SCRIPTS.startswith("# Unicode 15.0.0")


RESERVED = [
    "Operator",
    "0perator",
    "OPERAT0R",
    "o p e r a t o r",
    "Admin",
    "Adm1n",
    "Moderator",
    "Turnstream",
    "System",
]
RESERVED += ["Bot 1 (easy)", "B0t 12 (HARD)", "Bot (medium)", "bot1easy", "*Operator*"]


@pytest.mark.parametrize("typed", RESERVED)
def test_new_nicknames_are_not_like_those_of_the_service_or_its_bots(typed: str) -> None:
    """Nor do they look like one; players who have such a name keep it."""
    with pytest.raises(Rejected, match="bad_nickname") as refused:
        names.new_nickname(typed)
    assert refused.value.params["reason"] == "reserved"
    assert names.choose_nickname(None, typed) == names.choose_nickname(typed, typed) == typed
    with pytest.raises(Rejected, match="bad_nickname"):
        names.choose_nickname(typed, "Anna")


@pytest.mark.parametrize("typed", ["Robot", "Botanist", "Bot", "Operatic", "Administer", "Easy", "Bottomless (easy)"])
def test_words_that_contain_a_reserved_name_are_free(typed: str) -> None:
    """An example is "Administration"."""
    assert names.new_nickname(typed) == typed


@pytest.mark.parametrize(
    "typed",
    [
        *("田中さくら", "カタカナ Taro", "らーめん", "佐々木ken", "김철수 Kim", "金김", "王小明 Ming", "ㄅㄆ李"),
        *("Борис", "Ελένη", "ქართული", "שלום", "Zoë 🦊 42", "O'Neil-Smith", "42", "🦊", "♥"),
    ],
)
def test_scripts_that_are_written_together_may_be_mixed(typed: str) -> None:
    """One script, or Latin with those of Japanese, Chinese or Korean."""
    assert names.new_nickname(typed) == typed


@pytest.mark.parametrize(
    "typed", ["Anna \u0411\u043e\u0431", "P\u0430ul", "\u0391nna", "さ김", "ㄅさ", "Anna שלום"], ids=ascii
)
def test_other_scripts_may_not_be_mixed(typed: str) -> None:
    """Players who have such a name keep it."""
    with pytest.raises(Rejected, match="bad_nickname") as refused:
        names.new_nickname(typed)
    assert refused.value.params["reason"] == "mixed_scripts"
    assert names.choose_nickname(None, typed) == typed


@pytest.mark.parametrize(
    "typed",
    [
        *("\U0001f469\u200d\U0001f4bb", "\U0001f468\U0001f3fd\u200d\U0001f680", "\u2764\ufe0f\u200d\U0001f525"),
        *("\U0001f468\u200d\U0001f469\u200d\U0001f467", "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645"),
        *("\u0915\u094d\u200d\u0937", "\u0915\u094d\u200c\u0937", "\u0d28\u0d4d\u200d"),
    ],
    ids=ascii,
)
def test_joiners_are_accepted_where_scripts_and_emoji_need_them(typed: str) -> None:
    """They are needed in combined emoji, between Persian letters, and after a virama."""
    assert names.new_nickname(typed) == typed
    assert names.room_title(typed) == typed


@pytest.mark.parametrize(
    "typed",
    [
        *("An\u200dna", "An\u200cna", "\u200dAnna", "Anna\u200d", "\u200d", "\u200c", "\U0001f469\u200d"),
        *("\U0001f469\u200c\U0001f4bb", "\U0001f469\u200d\u200d\U0001f4bb", "\U0001f469\u200dA", "\u0627\u200c"),
    ],
    ids=ascii,
)
def test_joiners_anywhere_else_are_rejected(typed: str) -> None:
    """They would be invisible, and make one name look like two; the reason says so."""
    with pytest.raises(Rejected, match="bad_nickname") as refused:
        names.new_nickname(typed)
    assert refused.value.params["reason"] == "joiner"


@pytest.mark.parametrize(
    ("typed", "reason"),
    [
        ("", "length"),
        ("x" * 25, "length"),
        ("An\u200bna", "invisible"),
        ("\u202eAnna", "invisible"),
        ("\u20dd", "invisible"),
    ],
    ids=ascii,
)
def test_a_rejected_nickname_has_a_reason(typed: str, reason: str) -> None:
    """Also one that a player of an earlier release has."""
    with pytest.raises(Rejected, match="bad_nickname") as refused:
        names.existing_nickname(typed)
    assert refused.value.params == {"longest": names.NICKNAME_LENGTH, "reason": reason}
