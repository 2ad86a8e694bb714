"""The language of games and refusal codes: `Accept-Language`, and what caches need to know."""

import msgspec
import pytest

from service.api.http.responses import language_of
from service.domain.catalog import GAMES, texts_of
from service.streams.codes import CODES, meanings
from tests.e2e.client import Player, Response

TRANSLATED = [game for game in GAMES if "de" in GAMES[game].translations]
PATHS = ["/v1/games", "/v1/codes", *(f"/v1/games/{game}" for game in TRANSLATED)]
GERMAN = {"accept-language": "de"}


@pytest.mark.parametrize(
    ("header", "language"),
    [
        ("", "en"),
        ("de", "de"),
        ("DE-at", "de"),
        ("de-CH-1996, en;q=0.9", "de"),
        ("en, de", "en"),
        ("en;q=0.5, de", "de"),
        ("en;q=0.5,de;q=0.51", "de"),
        ("fr, de;q=0.8, en;q=0.7", "de"),
        ("fr, *", "en"),
        ("fr, *;q=0.5, de;q=0.8", "de"),
        ("de;q=0", "en"),
        ("de;q=0, *", "en"),
        ("den", "en"),
        ("fr", "en"),
        ("de;q=much", "de"),
        (" , ;;, de ;q=0.3", "de"),
        ("\xe4\xff", "en"),
    ],
)
def test_the_best_available_language_is_chosen(header: str, language: str) -> None:
    """By weight, the first of equals; a range with a region matches the language; English where nothing fits."""
    assert language_of({b"accept-language": header.encode("latin-1")}) == language


@pytest.mark.parametrize("path", PATHS)
def test_a_text_has_the_language_of_the_request(anonymous: Player, path: str) -> None:
    """It says which one that is, caches keep one for each language, and each has a tag of its own."""
    english, german, french = (anonymous.get(path, headers) for headers in ({}, GERMAN, {"accept-language": "fr"}))
    assert [said(each) for each in (english, german, french)] == ["en", "de", "en"]
    assert english.content == french.content != german.content
    assert english.etag == french.etag != german.etag
    assert all("Accept-Language" in each.headers["vary"] for each in (english, german))


def said(response: Response) -> str:
    """Return the language that a response names."""
    assert response.status == 200
    return response.headers["content-language"]


def test_a_game_has_the_name_that_it_has_in_the_language(anonymous: Player) -> None:
    """In lists and in its details: in German, Nine Men's Morris is Mühle."""
    listed = {game["slug"]: game["title"] for game in anonymous.get("/v1/games", GERMAN).body["games"]}
    assert listed["morris"] == "M\u00fchle"
    assert {slug: anonymous.get(f"/v1/games/{slug}", GERMAN).body["title"] for slug in listed} == listed
    assert anonymous.get("/v1/games/morris").body["title"] == "Nine Men's Morris"


@pytest.mark.parametrize("path", PATHS)
def test_a_tag_is_known_in_its_language_only(anonymous: Player, path: str) -> None:
    """A client that changes its language does not keep the texts that it has."""
    tag = anonymous.get(path).etag
    again = anonymous.get(path, {"if-none-match": tag})
    other = anonymous.get(path, {"if-none-match": tag, **GERMAN})
    assert (again.status, again.headers["content-language"]) == (304, "en")
    assert other.status == 200
    assert "Accept-Language" in again.headers["vary"]


@pytest.mark.parametrize("game", TRANSLATED)
def test_a_game_differs_in_its_texts_only(anonymous: Player, game: str) -> None:
    """Moves, cells, options and the codes of reasons are the same in every language."""
    english, german = (anonymous.get(f"/v1/games/{game}", headers).body for headers in ({}, GERMAN))
    texts = texts_of(GAMES[game], "de")
    assert german["rules"] == texts.rules
    assert german["labels"]["colours"] == texts.colours
    assert [step["praise"] for step in german["lesson"]["steps"]] == [step.praise for step in texts.steps]
    assert german["measure"] == msgspec.to_builtins(texts.measure)
    assert german["endings"].keys() == english["endings"].keys()
    assert without_texts(german) == without_texts(english)


def without_texts(details: dict[str, object]) -> dict[str, object]:
    """Return a game without what people read."""
    lesson = msgspec.convert(details["lesson"], dict[str, object])
    steps = msgspec.convert(lesson["steps"], list[dict[str, object]])
    moves = [(step["before"], step["solutions"]) for step in steps]
    others = {"title", "tagline", "summary", "rules", "endings", "lesson", "labels", "measure"}
    return {**{name: value for name, value in details.items() if name not in others}, "moves of the lesson": moves}


def test_codes_differ_in_their_meanings_only(anonymous: Player) -> None:
    """The same codes in the same order, with the same statuses."""
    german = anonymous.get("/v1/codes", GERMAN).body["codes"]
    assert [(entry["code"], entry["status"]) for entry in german] == [
        (code, CODES[code].status) for code in sorted(CODES)
    ]
    assert {entry["code"]: entry["meaning"] for entry in german} == meanings("de")


def test_a_problem_is_in_english(anonymous: Player) -> None:
    """Whatever is asked for: clients translate it by its code."""
    english, german = (anonymous.get("/v1/rooms/no-such-room", headers) for headers in ({}, GERMAN))
    assert english.body["detail"] == german.body["detail"] == CODES["no_such_room"].meaning
