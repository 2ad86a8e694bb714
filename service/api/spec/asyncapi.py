"""The document of the feeds: AsyncAPI 3.0, from the frames, the routes that carry them, and a match really followed."""

import inspect
import re
from collections.abc import Iterator, Sequence
from typing import Any, get_args

import msgspec
from litestar.handlers import HTTPRouteHandler, WebsocketRouteHandler
from litestar.types import ControllerRouterHandler

from service.api.close_codes import MEANINGS, REMEDIES, remedy
from service.api.http.route_docs import Described, Followed
from service.api.spec.examples.frames import frame_examples
from service.api.spec.json_schema import Schema, ref
from service.api.spec.openapi import written
from service.api.spec.schemas import Schemas

ABOUT = """\
What happens in rooms, as it happens, and commands over the same socket.

A client opens a socket and sends `subscribe` with its token, which then speaks for the whole socket; nothing is sent \
before that, and ten seconds without it close the socket. It is answered by `subscribed`, then by a `snapshot` or by \
the `update`s since the version that the client had, then by `caught_up`; what follows is live. Versions are \
contiguous, so a gap can be seen; a client that comes back sends `since` and `mark` of the last `update` or `snapshot` \
that it has. Where these don't match the room's history, it gets one `snapshot` with the reason `history_changed`.

At `/v1/feed` one socket follows many rooms, each by a `subscribe` of its own; a later one for the same room replaces \
the earlier one. `subscribe {lobby: true}` is answered by a `lobby` frame with the newest rooms, and from then on by \
one for every room whose card is new or changed (`upsert`) or that the lobby shows no more (`remove`). A frame with \
`snapshot` is the whole of it: drop what was told before.

Whoever follows a room is also told by `chat` what is said there, and by `presence` who is connected: soon after \
subscribing, then as it changes. Neither is a part of the room's history; what was said before, or while a socket was \
too slow, is read from the chat's address. To follow the lobby is to hear its chat.

The room's address also answers `GET` with server-sent events: the same frames as `data`, and the place as `id`, which \
a browser sends back as `Last-Event-ID`. It carries the mark, so a replaced history is noticed there, too.
"""

WS, SSE = "socket", "stream"
SERVERS = {
    WS: {"host": "{host}", "protocol": "ws", "description": "WebSocket; `wss` behind a proxy that speaks TLS."},
    SSE: {"host": "{host}", "protocol": "http", "description": "Server-sent events."},
}
HOST = {"host": {"default": "127.0.0.1:8000", "description": "Where the API listens."}}

ANSWERS = {
    "subscribe": ("subscribed", "lobby", "error"),
    "command": ("reply",),
    "ping": ("pong",),
    "unsubscribe": ("error",),
}
"""The frames that answer a client's, the first of several."""


class Feed(msgspec.Struct, frozen=True):
    """A route that carries frames."""

    name: str
    server: str
    path: str
    summary: str
    about: str
    takes: tuple[type[msgspec.Struct], ...]
    sends: tuple[type[msgspec.Struct], ...]


def asyncapi(routes: Sequence[ControllerRouterHandler]) -> bytes:
    """Return the document of the feeds among these routes."""
    feeds = list(feeds_in(routes))
    kinds = list(dict.fromkeys(kind for feed in feeds for kind in (*feed.takes, *feed.sends)))
    schemas, examples = Schemas([]), frame_examples()
    messages = {kind.__name__: message(kind, examples.get(tag(kind), [])) for kind in kinds}
    document = {
        "asyncapi": "3.0.0",
        "info": {"title": "Turnstream feeds", "version": "1", "description": ABOUT},
        "defaultContentType": "application/json",
        "servers": {name: {**server, "variables": HOST} for name, server in SERVERS.items()},
        "channels": {feed.name: channel(feed) for feed in feeds},
        "operations": {name: told for feed in feeds for name, told in operations(feed)},
        "components": {"messages": messages, "schemas": as_draft_7(schemas.needed(messages))},
    }
    return written(document)


def feeds_in(routes: Sequence[ControllerRouterHandler]) -> Iterator[Feed]:
    """Return every route that carries frames."""
    for handler in routes:
        match handler:
            case WebsocketRouteHandler(opt={"followed": Followed() as told}):
                yield feed(handler, WS, told.summary, takes=get_args(told.takes), sends=get_args(told.sends))
            case HTTPRouteHandler(opt={"described": Described(frames=frames) as told}) if frames is not None:
                yield feed(handler, SSE, told.summary, takes=(), sends=get_args(frames))
            case _:
                pass


def feed(handler: Any, server: str, summary: str, **frames: Any) -> Feed:
    """Return a feed from its route."""
    path = re.sub(r"{(\w+):\w+}", r"{\1}", *handler.paths)
    return Feed(handler.fn.__name__, server, path, summary, inspect.getdoc(handler.fn) or "", **frames)


def channel(feed: Feed) -> Schema:
    """Return a feed as the channel that it is."""
    parameters = {name: {"description": "The room's name."} for name in re.findall(r"{(\w+)}", feed.path)}
    messages = {kind.__name__: {"$ref": f"#/components/messages/{kind.__name__}"} for kind in feed.takes + feed.sends}
    closing = {"x-close-codes": [closed(code) for code in sorted(MEANINGS)]} if feed.server == WS else {}
    return {
        "address": feed.path,
        "title": feed.summary,
        "description": "\n\n".join([feed.about, *([close_table()] if closing else [])]),
        "servers": [{"$ref": f"#/servers/{feed.server}"}],
        "messages": messages,
        **({"parameters": parameters} if parameters else {}),
        **({"bindings": {"ws": {"method": "GET", "bindingVersion": "0.1.0"}}} if feed.server == WS else {}),
        **closing,
    }


def closed(code: int) -> Schema:
    """Return a close code with its reason and what to do about it."""
    return {"code": code, "reason": MEANINGS[code], "remedy": remedy(code)}


def close_table() -> str:
    """Return the close codes as Markdown."""
    ranges = [f"{codes.start}-{codes.stop - 1}: {what}." for codes, what in REMEDIES[:3]]
    rows = [f"| {code} | {MEANINGS[code]} | {remedy(code)} |" for code in sorted(MEANINGS)]
    return "\n".join([" ".join(ranges), "", "| code | why | then |", "| --- | --- | --- |", *rows])


def operations(feed: Feed) -> Iterator[tuple[str, Schema]]:
    """Return what the service does on a channel: it receives each frame of a client's, and sends the others."""
    where = {"$ref": f"#/channels/{feed.name}"}
    answers = {name for kind in feed.takes for name in ANSWERS.get(tag(kind), ())}
    by_tag = {tag(kind): kind for kind in feed.sends}
    for kind in feed.takes:
        told = {"action": "receive", "channel": where, "summary": summary(kind), "messages": [in_channel(feed, kind)]}
        replies = [in_channel(feed, by_tag[name]) for name in ANSWERS.get(tag(kind), ()) if name in by_tag]
        yield f"{feed.name}_{tag(kind)}", {**told, "reply": {"channel": where, "messages": replies}}
    told_freely = [kind for kind in feed.sends if tag(kind) not in answers - {"subscribed", "lobby", "error"}]
    messages = [in_channel(feed, kind) for kind in told_freely]
    yield f"{feed.name}_told", {"action": "send", "channel": where, "summary": feed.summary, "messages": messages}


def in_channel(feed: Feed, kind: type[msgspec.Struct]) -> Schema:
    """Return a reference to a frame as a channel's message."""
    return {"$ref": f"#/channels/{feed.name}/messages/{kind.__name__}"}


def tag(kind: type[msgspec.Struct]) -> str:
    """Return the `type` of a frame."""
    return str(kind.__struct_config__.tag)


def summary(kind: type[msgspec.Struct]) -> str:
    """Return what a frame is for."""
    return inspect.getdoc(kind) or ""


def message(kind: type[msgspec.Struct], examples: list[Any]) -> Schema:
    """Return a frame as the message that it is."""
    shown = {"examples": [{"payload": example} for example in examples]} if examples else {}
    return {"name": tag(kind), "summary": summary(kind), "payload": ref(kind.__name__), **shown}


def as_draft_7(schema: Any) -> Any:
    """Return schemas in the words of AsyncAPI: a tuple's items in `items`, and unions told apart by tags alone."""
    if isinstance(schema, list):
        return [as_draft_7(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    if "prefixItems" in schema:
        rest = {key: value for key, value in schema.items() if key not in {"prefixItems", "items"}}
        return as_draft_7({**rest, "items": schema["prefixItems"], "additionalItems": False})
    return {key: as_draft_7(value) for key, value in schema.items() if key != "discriminator"}
