"""The metrics on a port of their own, served from a thread."""

import socket
import threading
from collections.abc import Callable, Iterable
from socketserver import ThreadingMixIn
from typing import Any
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer

from service.telemetry import metrics

PATIENCE = 10
"""Seconds for which a client may be silent."""

StartResponse = Callable[[str, list[tuple[str, str]]], object]


class FiguresServer(ThreadingMixIn, WSGIServer):
    """Gives each request a thread, so that a slow reader holds up nobody."""

    daemon_threads = True


class FiguresServer6(FiguresServer):
    """The same at an address of IPv6."""

    address_family = socket.AF_INET6


class Handler(WSGIRequestHandler):
    """Answers a request without a line in the log."""

    timeout = PATIENCE

    def log_message(self, format: str, *_: Any) -> None:  # noqa: A002 - the library's name
        """Log nothing."""


def answer(environ: dict[str, Any], start_response: StartResponse) -> Iterable[bytes]:
    """Answer with the metrics, or only that the process runs, for health checks, at a fraction of the price."""
    if environ["PATH_INFO"] == "/health/live":
        status, media_type, body = "200 OK", "application/json", b'{"status":"live"}'
    elif environ["PATH_INFO"] == "/metrics":
        status, media_type, body = "200 OK", metrics.MEDIA_TYPE, metrics.text()
    else:
        status, media_type, body = "404 Not Found", "text/plain", b"This port has /metrics and /health/live.\n"
    start_response(status, [("Content-Type", media_type), ("Content-Length", str(len(body)))])
    return [body]


def serve(host: str, port: int) -> FiguresServer:
    """Serve the metrics until the process ends. Raises `OSError` for a port that is taken."""
    server = (FiguresServer6 if ":" in host else FiguresServer)((host, port), Handler)
    server.set_app(answer)
    threading.Thread(target=server.serve_forever, name="metrics", daemon=True).start()
    return server
