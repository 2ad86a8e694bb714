"""The messages to endpoints of webhooks, as the section `webhooks` of the API document."""

import inspect
from typing import Any, Protocol, get_args

from clients.spec.json_schema import Named, Schema
from service.api.http.responses import JSON
from service.domain.players.kind import Delivered, ToOperator
from service.people.webhooks.messages import CHALLENGE, EndpointChallenge

TIME = {"type": "string", "format": "date-time", "description": "When it happened."}

HEADERS = {
    "webhook-id": (
        "The id of the message: the same for every attempt, so that repetitions can be dropped.",
        "w-5jx2kq7fzc4wnh3a-41",
    ),
    "webhook-timestamp": ("When it was sent, in seconds since 1970.", "1700000000"),
    "webhook-signature": (
        "Signatures as in Standard Webhooks, separated by spaces: two after a rotation.",
        "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
    ),
}
"""The headers of every message, each with an example."""


Messages = dict[str, Any]
"""What messages have as `data`, by their type."""


def messages_of(events: Any) -> Messages:
    """Return the messages to an owner who gets these events."""
    return {CHALLENGE: EndpointChallenge, **{str(kind.__struct_config__.tag): kind for kind in get_args(events)}}


TO_PLAYERS, TO_OPERATOR = messages_of(Delivered), messages_of(ToOperator)


class KnownSchemas(Protocol):
    """The schemas of the types of messages."""

    def of(self, kind: Any) -> Schema:
        """Return the schema of a type."""

    def examples(self, schema: Schema) -> Named:
        """Return examples of a schema by name."""


def webhooks(messages: Messages, schemas: KnownSchemas) -> dict[str, Schema]:
    """Return the operations of messages, by their type."""
    return {name: message(name, inspect.getdoc(kind) or "", kind, schemas) for name, kind in messages.items()}


def message(name: str, about: str, kind: Any, schemas: KnownSchemas) -> Schema:
    """Return the operation of a message whose `data` has this type."""
    data = schemas.of(kind)
    [example] = schemas.examples(data).values()
    answer = "The text of the challenge." if name == CHALLENGE else "Accepted; it is not sent again."
    body = {
        "type": "object",
        "required": ["type", "timestamp", "data"],
        "properties": {
            "type": {"const": name, "description": "What happened."},
            "timestamp": TIME,
            "data": {"allOf": [data], "description": "The event, as in the owner's feed."},
        },
    }
    return {
        "post": {
            "operationId": f"receive_{name}",
            "summary": f"Receive `{name}`",
            "description": about,
            "tags": ["Webhooks"],
            "security": [],
            "parameters": [header(name, *each) for name, each in HEADERS.items()],
            "requestBody": {
                "required": True,
                "content": {JSON: {"schema": body, "examples": {name: {"value": example_of(name, example["value"])}}}},
            },
            "responses": {"2XX": {"description": answer}},
        }
    }


def example_of(name: str, data: dict[str, Any]) -> dict[str, Any]:
    """Return an example of the body of a message with this `data`."""
    return {"type": name, "timestamp": data.get("time", "2026-01-02T03:04:05.678Z"), "data": data}


def header(name: str, about: str, example: str) -> Schema:
    """Return a header of a message."""
    return {
        "name": name,
        "in": "header",
        "required": True,
        "description": about,
        "schema": {"type": "string"},
        "example": example,
    }
