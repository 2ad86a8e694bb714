"""A metrics server on its own port, in its own thread."""

import socket
import threading
from collections.abc import Callable, Iterable
from socketserver import ThreadingMixIn
from typing import Any
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer

from service.runtime import metrics
from service.runtime.settings import release

LIVE = b'{"status":"live","version":"%s"}'
"""The answer to a health check."""
TIMEOUT_SECONDS = 10
"""Seconds until a client that sends nothing is disconnected."""

StartResponse = Callable[[str, list[tuple[str, str]]], object]


class MetricsServer(ThreadingMixIn, WSGIServer):
    """Handles each request in a thread, so that a slow client does not delay others."""

    daemon_threads = True


class MetricsServerIPv6(MetricsServer):
    """The same on an IPv6 address."""

    address_family = socket.AF_INET6


class Handler(WSGIRequestHandler):
    """Handles a request without logging it."""

    timeout = TIMEOUT_SECONDS

    def log_message(self, format: str, *_: Any) -> None:  # noqa: A002 - the library's name
        """Log nothing."""


def answer(environ: dict[str, Any], start_response: StartResponse) -> Iterable[bytes]:
    """Return the metrics, or for health checks only that the process is live, which is cheaper."""
    if environ["PATH_INFO"] == "/health/live":
        status, media_type, body = (
            "200 OK",
            "application/json",
            LIVE % release().encode(),
        )
    elif environ["PATH_INFO"] == "/metrics":
        status, media_type, body = "200 OK", metrics.MEDIA_TYPE, metrics.text()
    else:
        status, media_type, body = "404 Not Found", "text/plain", b"This port has /metrics and /health/live.\n"
    start_response(status, [("Content-Type", media_type), ("Content-Length", str(len(body)))])
    return [body]


def serve(host: str, port: int) -> MetricsServer:
    """Serve the metrics until the process ends. Raises `OSError` if the port is in use."""
    server = (MetricsServerIPv6 if ":" in host else MetricsServer)((host, port), Handler)
    server.set_app(answer)
    threading.Thread(target=server.serve_forever, name="metrics", daemon=True).start()
    return server
