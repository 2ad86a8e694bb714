"""The header `Link` to the next page."""

from typing import Any

from litestar import Request

from service.api.http.responses import next_link

SCOPE: Any = {
    "type": "http",
    "path": "/v1/x",
    "raw_path": b"/v1/x",
    "query_string": b"limit=2&around=p-a&game=morris",
}


def test_the_page_after_the_one_around_a_player_is_not_around_them() -> None:
    """Its link would lead to the same page for ever; other parameters stay."""
    request: Any = Request(SCOPE)
    assert next_link(request, "cursor", 7) == [("link", '</v1/x?limit=2&game=morris&cursor=7>; rel="next"')]
    assert next_link(request, "cursor", None) == []
