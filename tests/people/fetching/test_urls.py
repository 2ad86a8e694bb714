"""The URLs that can be fetched."""

import pytest

from service.people.fetching.urls import BadUrl, HttpUrl, parse_url

GOOD = [
    ("https://Hooks.Example/A?b=C", HttpUrl("https", "hooks.example", 443, "/A?b=C"), "hooks.example"),
    ("HTTPS://hooks.example", HttpUrl("https", "hooks.example", 443, "/"), "hooks.example"),
    ("https://hooks.example:8443/", HttpUrl("https", "hooks.example", 8443, "/"), "hooks.example:8443"),
    ("https://[2606:4700::1]:444/x", HttpUrl("https", "2606:4700::1", 444, "/x"), "[2606:4700::1]:444"),
    ("https://xn--bcher-kva.example/%C3%BC", HttpUrl("https", "xn--bcher-kva.example", 443, "/%C3%BC"), None),
]

BAD = [
    "",
    "hooks.example",
    "ftp://hooks.example/",
    "file:///etc/passwd",
    "http://hooks.example/",
    "https://",
    "https:///path",
    "https://user@hooks.example/",
    "https://user:secret@hooks.example/",
    "https://hooks.example#fragment",
    "https://hooks.example/#fragment",
    "https://hooks.example\\@evil.example/",
    "https://hooks.example/a b",
    "https://hooks.example/\r\nX: 1",
    "https://hooks.example:0/",
    "https://hooks.example:65536/",
    "https://hooks.example:/",
    "https://hooks..example/",
    "https://-hooks.example/",
    "https://bücher.example/",
    "https://hooks.example./",
    "https://hooks.example?x",
    "https://hooks.example/" + "x" * 500,
    "https://" + "x." * 130 + "example/",
]


@pytest.mark.parametrize(("text", "url", "authority"), GOOD)
def test_a_url_has_parts(text: str, url: HttpUrl, authority: str | None) -> None:
    """The host is in lower case; the path is kept."""
    assert parse_url(text) == url
    assert authority in {None, url.authority}


@pytest.mark.parametrize("text", BAD)
def test_another_text_is_refused(text: str) -> None:
    """Especially one that different parsers understand differently."""
    with pytest.raises(BadUrl):
        parse_url(text)


def test_an_operator_can_allow_plain_http() -> None:
    """Its port is 80."""
    assert parse_url("http://receiver/x", allows_http=True) == HttpUrl("http", "receiver", 80, "/x")
