"""An endpoint for webhooks in a thread of the test: it checks signatures, echoes challenges, and records events."""

import errno
import queue
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import NamedTuple

import msgspec
from standardwebhooks import Webhook as Verifier

from tests.e2e.client import Json
from tests.waiting import wait_for

PATIENCE = 30.0
"""Seconds to wait for a message."""


class Message(NamedTuple):
    """A message as it arrived."""

    id: str
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Json:
        """The body as a value."""
        decoded: Json = msgspec.json.decode(self.body)
        return decoded

    def is_signed_with(self, *secrets: str) -> bool:
        """Verify that the message has a signature by each of these secrets. Raises `WebhookVerificationError`."""
        for secret in secrets:
            Verifier(secret).verify(self.body, self.headers)
        return True


class Endpoint(ThreadingHTTPServer):
    """A server that accepts all events, and puts them into a queue."""

    daemon_threads = True

    def __init__(self, port: int = 0) -> None:
        """Listen on a port, by default on a free one."""
        super().__init__(("127.0.0.1", port), Handler)
        self.messages: queue.Queue[Message] = queue.Queue()
        self.accepts = threading.Event()
        """While it is not set, events are received but not answered."""
        self.accepts.set()

    @property
    def url(self) -> str:
        """The URL of the endpoint."""
        return f"http://127.0.0.1:{self.server_address[1]}/in"

    def next(self) -> Message:
        """Return the next message. Raises `queue.Empty`."""
        return self.messages.get(timeout=PATIENCE)


class Handler(BaseHTTPRequestHandler):
    """Serves one connection."""

    server: Endpoint

    def do_POST(self) -> None:
        """Answer a message."""
        body = self.rfile.read(length := int(self.headers["content-length"]))
        if len(body) < length:  # the sender was killed
            return
        headers = {name.lower(): value for name, value in self.headers.items()}
        message = Message(headers["webhook-id"], headers, body)
        self.server.messages.put(message)
        answer = b""
        if message.json["type"] == "webhook_challenge":
            answer = message.json["data"]["challenge"].encode()
        else:
            self.server.accepts.wait()
        self.send_response(200)
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, *_: object) -> None:
        """Log nothing."""


def listening_endpoints(port: int) -> list[Endpoint]:
    """Return an endpoint on a port; nothing while another test or connection has it."""
    try:
        return [Endpoint(port)]
    except OSError as failure:
        if failure.errno != errno.EADDRINUSE:
            raise
        return []


@contextmanager
def run_endpoint(port: int = 0) -> Iterator[Endpoint]:
    """Run an endpoint during a block, by default on a free port."""
    [listening] = wait_for(partial(listening_endpoints, port))
    with listening as endpoint:
        thread = threading.Thread(target=endpoint.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        try:
            yield endpoint
        finally:
            endpoint.accepts.set()
            endpoint.shutdown()
            thread.join()
