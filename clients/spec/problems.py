"""The responses of refusals: one for each set of codes, to which operations refer. The schema of all is `Problem`."""

from typing import Any

from clients.spec.headers import header_references
from clients.spec.json_schema import Named, Schema, ref
from clients.spec.names import pascal_case
from service.api.http.responses import PROBLEM_JSON
from service.streams.codes import CODES
from service.streams.errors import problem

NAMES: dict[tuple[str, ...], str] = {
    ("banned", "player_erased", "scope_missing"): "Forbidden",
    ("history_damaged", "newer_events", "store_unavailable"): "Unreadable",
    (
        *("busy", "counter_damaged", "history_damaged", "newer_events", "outcome_unknown", "store_full"),
        *("store_lost_data", "store_unavailable", "store_unfit"),
    ): "Unwritable",
}
"""The names of sets of three and more codes that many operations share."""

HEADERS = {
    401: ("WWW-Authenticate",),
    429: ("Retry-After", "RateLimit", "RateLimit-Policy"),
    503: ("Retry-After",),
}
"""The headers of refusals by status, besides those of every response."""


class Problems:
    """The responses of refusals that some operations refer to, by name, and the examples in them by code."""

    def __init__(self) -> None:
        """Begin without any."""
        self._names: dict[tuple[str, ...], str] = {}

    def reference(self, operation_id: str, status: int, codes: tuple[str, ...]) -> Schema:
        """Return a reference to the response with these codes of one status, in their order.

        One or two codes name it, or `NAMES`; else the first operation that refers to it.
        """
        given = NAMES.get(codes) if len(codes) > 2 else "Or".join(pascal_case(code) for code in codes)
        name = self._names.setdefault(codes, given or f"{pascal_case(operation_id)}{status}")
        return {"$ref": f"#/components/responses/{name}"}

    def components(self) -> dict[str, Named]:
        """Return the sections of the document's components."""
        codes = sorted({code for each in self._names for code in each})
        return {
            "responses": dict(sorted((name, response(codes)) for codes, name in self._names.items())),
            "examples": {code: {"summary": CODES[code].meaning, "value": problem(code)} for code in codes},
        }


def response(codes: tuple[str, ...]) -> dict[str, Any]:
    """Return the response with some codes of the same status, each with its meaning and an example.

    The schema is `Problem` with these codes. Generators of clients read only the reference, so that there is one type.
    """
    status = CODES[codes[0]].status
    schema = {**ref("Problem"), "properties": {"code": {"enum": list(codes), "description": "The stable code."}}}
    examples = {code: {"$ref": f"#/components/examples/{code}"} for code in codes}
    return {
        "description": "\n".join(f"- `{code}`: {CODES[code].meaning}" for code in codes),
        "headers": header_references("X-Request-Id", *HEADERS.get(status, ())),
        "content": {PROBLEM_JSON: {"schema": schema, "examples": examples}},
    }
