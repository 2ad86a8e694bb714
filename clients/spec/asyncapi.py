"""The AsyncAPI 3.0 document of the feeds, generated from the routes, their `FeedDocs`, and the types of frames."""

import inspect
import re
from collections.abc import Iterator, Sequence
from typing import Any, get_args

import msgspec
from litestar.handlers import HTTPRouteHandler, WebsocketRouteHandler
from litestar.types import ControllerRouterHandler

from clients.spec.examples.frames import frame_examples
from clients.spec.json_schema import Schema, ref
from clients.spec.names import component_name
from clients.spec.openapi import LICENSE, TAGS, serialize
from clients.spec.path_parameters import PATH_PARAMETERS
from clients.spec.schemas import Schemas
from service.api.close_codes import MEANINGS, REMEDIES, remedy
from service.api.http.parameters import FeedDocs, RouteDocs

DESCRIPTION = """\
Live updates of rooms, of the lobby and of TV, and commands over the same socket.

A client opens a socket and sends `subscribe` with its token, which authenticates the whole socket. The server sends \
nothing before that, and closes the socket if no frame arrives within ten seconds. The answer is `subscribed`, then a \
`snapshot` or the `update` frames since the version that the client named, then `caught_up`; everything after that is \
live. Versions are contiguous, so a client can detect a gap. To resume, a client sends `since` and `mark` of the last \
`update` or `snapshot` that it received. If they do not match the room's history, it receives one `snapshot` with the \
reason `history_changed`.

A refusal is a problem with a stable `code`: the body of a refused handshake, and in the frames `error` and `reply`. \
The codes are those of `GET /v1/codes`; only a socket answers `too_many_subscriptions`.

At `/v1/feed` one socket follows many rooms, each with its own `subscribe`; another `subscribe` for the same room \
replaces the first. `subscribe {lobby: true}` is answered by a `lobby` frame with the newest rooms, followed by one \
frame for every lobby entry that is new or changed (`upsert`) or no longer listed (`remove`). A `lobby` frame with \
`snapshot` replaces everything received before. `subscribe`, `unsubscribe` and `ping` may have an `id`, under which \
they are acknowledged: a `ping` by its `pong`, the others by a `reply`.

A subscriber of a room also receives its chat as `chat`, and who is connected as `presence`: once after subscribing, \
then whenever it changes. Neither is part of the room's history; read earlier or missed lines from the chat's URL. A \
subscriber of the lobby receives the lobby's chat.

`subscribe {chat: "all"}` is answered by a `chat_snapshot` with the latest lines of the lobby and of the caller's \
rooms (the newest fifty) in one order, by time and then id; each new line follows as `chat`. A later snapshot, such as \
after the caller has entered a room, replaces everything received before. The view `lobby` has only the lobby, and the \
name of a room only that room. A socket has one view at a time. It gets a line once, even if it also follows the room.

`subscribe {tv: "morris"}` is answered by a `tv` frame with the match that the channel shows, followed by one whenever \
that changes. It names the room, to which the client subscribes to see the match.

A client may offer compression (permessage-deflate, RFC 7692); the server accepts it if its operator allows that.

The room's URL also answers `GET` with server-sent events: the same frames as `data`, and the position as `id`, which \
a browser sends back as `Last-Event-ID`. The id contains the mark, so a replaced history is detected there, too.
"""

SOCKET, STREAM = "socket", "stream"
SERVERS = {
    SOCKET: {"host": "{host}", "protocol": "ws", "description": "WebSocket; `wss` behind a proxy that terminates TLS."},
    STREAM: {"host": "{host}", "protocol": "http", "description": "Server-sent events."},
}
HOST = {"host": {"default": "127.0.0.1:8000", "description": "The address of the API."}}

REPLIES = {
    "subscribe": ("subscribed", "lobby", "tv", "chat_snapshot", "reply", "error"),
    "command": ("reply",),
    "ping": ("pong", "reply", "error"),
    "unsubscribe": ("reply", "error"),
}
"""The frames that answer each client frame."""


class Feed(msgspec.Struct, frozen=True):
    """A route that sends frames."""

    name: str
    server: str
    path: str
    summary: str
    about: str
    takes: tuple[type[msgspec.Struct], ...]
    sends: tuple[type[msgspec.Struct], ...]


def asyncapi(routes: Sequence[ControllerRouterHandler]) -> bytes:
    """Return the AsyncAPI document of the feeds among these routes."""
    feeds = list(find_feeds(routes))
    kinds = list(dict.fromkeys(kind for feed in feeds for kind in (*feed.takes, *feed.sends)))
    schemas, examples = Schemas([]), frame_examples()
    messages = {component_name(kind): message(kind, examples.get(tag(kind), [])) for kind in kinds}
    document = {
        "asyncapi": "3.0.0",
        "info": {
            "title": "Turnstream feeds",
            "version": "1",
            "description": DESCRIPTION,
            "license": {"name": LICENSE["name"]},
            "tags": [{"name": "Feeds", "description": TAGS["Feeds"]}],
        },
        "defaultContentType": "application/json",
        "servers": {name: {**server, "variables": HOST} for name, server in SERVERS.items()},
        "channels": {feed.name: channel(feed) for feed in feeds},
        "operations": {name: operation for feed in feeds for name, operation in operations(feed)},
        "components": {"messages": messages, "schemas": as_draft_7(schemas.needed(messages))},
    }
    return serialize(document)


def find_feeds(routes: Sequence[ControllerRouterHandler]) -> Iterator[Feed]:
    """Return every route that sends frames."""
    for handler in routes:
        match handler:
            case WebsocketRouteHandler(opt={"feed_docs": FeedDocs() as docs}):
                yield feed(handler, SOCKET, docs.summary, takes=get_args(docs.takes), sends=get_args(docs.sends))
            case HTTPRouteHandler(opt={"docs": RouteDocs(frames=frames) as docs}) if frames is not None:
                yield feed(handler, STREAM, docs.summary, takes=(), sends=get_args(frames))
            case _:
                pass


def feed(handler: Any, server: str, summary: str, **frames: Any) -> Feed:
    """Return the feed of a route."""
    path = re.sub(r"{(\w+):\w+}", r"{\1}", *handler.paths)
    return Feed(handler.fn.__name__, server, path, summary, inspect.getdoc(handler.fn) or "", **frames)


def channel(feed: Feed) -> Schema:
    """Return the channel of a feed."""
    parameters = {}
    for name in re.findall(r"{(\w+)}", feed.path):
        description, example = PATH_PARAMETERS[name]
        parameters[name] = {"description": description, "examples": [example]}
    messages = {
        component_name(kind): {"$ref": f"#/components/messages/{component_name(kind)}"}
        for kind in feed.takes + feed.sends
    }
    closing = {"x-close-codes": [close_code(code) for code in sorted(MEANINGS)]} if feed.server == SOCKET else {}
    return {
        "address": feed.path,
        "title": feed.summary,
        "description": "\n\n".join([feed.about, *([close_code_table()] if closing else [])]),
        "servers": [{"$ref": f"#/servers/{feed.server}"}],
        "messages": messages,
        **({"parameters": parameters} if parameters else {}),
        **({"bindings": {"ws": {"method": "GET", "bindingVersion": "0.1.0"}}} if feed.server == SOCKET else {}),
        **closing,
    }


def close_code(code: int) -> Schema:
    """Return a close code with its reason and remedy."""
    return {"code": code, "reason": MEANINGS[code], "remedy": remedy(code)}


def close_code_table() -> str:
    """Return the close codes as Markdown."""
    ranges = [f"{codes.start}-{codes.stop - 1}: {what}." for codes, what in REMEDIES[:3]]
    rows = [f"| {code} | {MEANINGS[code]} | {remedy(code)} |" for code in sorted(MEANINGS)]
    return "\n".join([" ".join(ranges), "", "| code | reason | remedy |", "| --- | --- | --- |", *rows])


def operations(feed: Feed) -> Iterator[tuple[str, Schema]]:
    """Return the operations of a channel: one for each client frame, and one for all frames that the server sends."""
    where = {"$ref": f"#/channels/{feed.name}"}
    answers = {name for kind in feed.takes for name in REPLIES.get(tag(kind), ())}
    by_tag = {tag(kind): kind for kind in feed.sends}
    for kind in feed.takes:
        operation = {
            "action": "receive",
            "channel": where,
            "summary": f"Send `{tag(kind)}`",
            "description": summary(kind),
            "messages": [in_channel(feed, kind)],
        }
        replies = [in_channel(feed, by_tag[name]) for name in REPLIES.get(tag(kind), ()) if name in by_tag]
        yield f"{feed.name}_{tag(kind)}", {**operation, "reply": {"channel": where, "messages": replies}}
    sent = [kind for kind in feed.sends if tag(kind) not in answers - {"subscribed", "lobby", "tv", "error"}]
    messages = [in_channel(feed, kind) for kind in sent]
    yield (
        f"{feed.name}_send",
        {
            "action": "send",
            "channel": where,
            "summary": feed.summary,
            "description": feed.about,
            "messages": messages,
        },
    )


def in_channel(feed: Feed, kind: type[msgspec.Struct]) -> Schema:
    """Return a reference to a channel's message."""
    return {"$ref": f"#/channels/{feed.name}/messages/{component_name(kind)}"}


def tag(kind: type[msgspec.Struct]) -> str:
    """Return the `type` of a frame."""
    return str(kind.__struct_config__.tag)


def summary(kind: type[msgspec.Struct]) -> str:
    """Return the description of a frame."""
    return inspect.getdoc(kind) or ""


def message(kind: type[msgspec.Struct], examples: list[Any]) -> Schema:
    """Return the message of a frame."""
    shown = {"examples": [{"payload": example} for example in examples]} if examples else {}
    return {"name": tag(kind), "summary": summary(kind), "payload": ref(component_name(kind)), **shown}


def as_draft_7(schema: Any) -> Any:
    """Return schemas in JSON Schema draft 7, which AsyncAPI uses: tuples in `items`, no discriminators."""
    if isinstance(schema, list):
        return [as_draft_7(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    if "prefixItems" in schema:
        rest = {key: value for key, value in schema.items() if key not in {"prefixItems", "items"}}
        return as_draft_7({**rest, "items": schema["prefixItems"], "additionalItems": False})
    return {key: as_draft_7(value) for key, value in schema.items() if key != "discriminator"}
