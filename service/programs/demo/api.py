"""The API over HTTP: requests and responses are JSON, problems are exceptions, and a busy server is asked again."""

import asyncio
import json
import time
from contextlib import closing
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPSConnection
from typing import Any
from urllib.parse import quote, urlsplit

Json = dict[str, Any]

PATIENCE = 20.0  # seconds: for one response, and for a server that remains busy
BUSY = (429, 503)
"""Nothing was done, or the outcome is unknown: the same request with the same key can be sent again."""


class Problem(Exception):  # noqa: N818 - an answer
    """An error answer of the server: `code` is for programs, `detail` for people."""

    def __init__(self, problem: Json) -> None:
        super().__init__(f"{problem.get('code')}: {problem.get('detail')}")
        self.status: int = problem.get("status", 0)
        self.version: int = problem.get("version", 0)
        self.legal_moves: list[Json] = problem.get("legal_moves", [])
        self.retry_after: float = problem.get("retry_after", 1)


@dataclass(frozen=True)
class Api:
    """A server's API, for one player, or without a token for the public."""

    url: str
    token: str = ""

    async def get(self, path: str) -> Any:
        """Return the response to a GET request. Raises `Problem`."""
        return await asyncio.to_thread(self._retry, "GET", path, None, "")

    async def post(self, path: str, body: Json, key: str = "") -> Any:
        """Send a POST request; with the same key it takes effect once, however often it is sent. Raises `Problem`."""
        return await asyncio.to_thread(self._retry, "POST", path, body, key)

    def _retry(self, method: str, path: str, body: Json | None, key: str) -> Any:
        give_up = time.monotonic() + PATIENCE
        while True:
            try:
                return self._exchange(method, path, body, key)
            except Problem as problem:
                if problem.status not in BUSY or time.monotonic() > give_up:
                    raise
                time.sleep(problem.retry_after)

    def _exchange(self, method: str, path: str, body: Json | None, key: str) -> Any:
        parts = urlsplit(self.url)
        kind = HTTPSConnection if parts.scheme == "https" else HTTPConnection
        headers = {"Content-Type": "application/json"}
        headers |= {"Authorization": f"Bearer {self.token}"} if self.token else {}
        headers |= {"Idempotency-Key": key} if key else {}
        with closing(kind(parts.netloc, timeout=PATIENCE)) as connection:
            connection.request(method, parts.path + path, None if body is None else json.dumps(body), headers)
            answer = connection.getresponse()
            return decode(answer.status, answer.headers.get_content_type(), answer.read())


def decode(status: int, media_type: str, data: bytes) -> Any:
    """Return a response's JSON value, for NDJSON the list of values. Raises `Problem`."""
    if media_type == "application/x-ndjson":
        return [json.loads(line) for line in data.splitlines()]
    if status < 400:
        return json.loads(data)
    if media_type.endswith("json"):
        raise Problem(json.loads(data))
    raise Problem({"status": status, "code": f"http_{status}", "detail": data[:200].decode(errors="replace")})


def room_path(room: str, rest: str = "") -> str:
    """Return the path of a room, or of a resource of it."""
    return f"/v1/rooms/{quote(room)}{rest}"


async def history(api: Api, room: str) -> list[Json]:
    """Return all events of a room that the caller may know, read page by page."""
    events: list[Json] = []
    since = 0
    while True:
        page = await api.get(room_path(room, f"/events?since={since}"))
        events += page["events"]
        if page["next"] is None:
            return events
        since = page["next"]
