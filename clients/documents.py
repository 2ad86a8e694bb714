"""Write the API's documents, `openapi/*.json`, from the code of its routes: `python -m clients.documents`.

A running service serves these files, and `spec`, which generates them, is no part of it.
"""

from clients.spec.asyncapi import asyncapi
from clients.spec.openapi import OPERATORS, openapi
from service.api.app import OPERATOR_ROUTES, ROUTES
from service.api.http.responses import DOCUMENTS


def generate() -> dict[str, bytes]:
    """Return all documents by name."""
    return {"openapi": openapi(ROUTES), "asyncapi": asyncapi(ROUTES), "admin": openapi(OPERATOR_ROUTES, OPERATORS)}


if __name__ == "__main__":
    for name, document in generate().items():
        (DOCUMENTS / f"{name}.json").write_bytes(document)
