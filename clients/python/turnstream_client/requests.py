"""Requests to a server: how they are sent, and when they are sent again."""

import asyncio
import secrets
from types import TracebackType
from typing import Any, Self

import httpx
import msgspec

from turnstream_client.errors import RefusedError, UnreachableError
from turnstream_client.frames import decode
from turnstream_client.retries import Retries
from turnstream_client.schema import Guest, LetIn, Problem

BUSY = frozenset({429, 502, 503, 504})
"""Statuses after which the same request is sent again."""


class Requests:
    """Sends the requests of one player, or of a spectator without a token. Use it as an async context manager.

    Requests are repeated, commands under one idempotency key, until an answer arrives or `retries.patience` is over.
    Every method raises `RefusedError` for a refusal and `UnreachableError` without an answer.
    """

    def __init__(self, url: str, token: str | None = None, *, retries: Retries | None = None) -> None:
        """Use the server at `url`, such as `http://127.0.0.1:8000`; `token` is that of an earlier guest."""
        self.url = url.rstrip("/")
        self.token = token
        self.retries = retries or Retries()
        self._player: str | None = None
        """The id of the player, once it is known."""
        self._http = httpx.AsyncClient(base_url=self.url)

    async def __aenter__(self) -> Self:
        """Return this client."""
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the connections."""
        await self.close()

    async def close(self) -> None:
        """Close the connections."""
        await self._http.aclose()

    def become(self, player: Guest | LetIn) -> None:
        """Act as this player from now on, with their new token."""
        self.token, self._player = player.token, player.player.id

    async def get(self, path: str, kind: Any, query: dict[str, str] | None = None) -> Any:
        """Return the answer to a GET request, decoded as `kind`."""
        return await self._request(httpx.Request("GET", self.url + path, params=query), kind)

    async def get_lines(self, path: str, kind: Any, query: dict[str, str] | None = None) -> list[Any]:
        """Return the lines of JSON that answer a GET request, each decoded as `kind`."""
        request = httpx.Request("GET", self.url + path, params=query, headers={"Accept": "application/x-ndjson"})
        return [decode(line, kind) for line in (await self._answer(request)).content.splitlines()]

    async def post(self, path: str, body: object, kind: Any, headers: dict[str, str] | None = None) -> Any:
        """Return the answer to a POST request, decoded as `kind`. With a token it is executed once."""
        key = {} if self.token is None else {"Idempotency-Key": new_key()}
        return await self._request(self._bodied("POST", path, body, {**(headers or {}), **key}), kind)

    async def post_without_key(self, path: str, body: object, kind: Any) -> Any:
        """Return the answer to a POST request that returns a secret, which is not kept for a repetition."""
        return await self._request(self._bodied("POST", path, body), kind)

    async def put(self, path: str, body: object, kind: Any) -> Any:
        """Return the answer to a PUT request, decoded as `kind`."""
        return await self._request(self._bodied("PUT", path, body), kind)

    async def patch(self, path: str, body: object, kind: Any) -> Any:
        """Return the answer to a PATCH request, decoded as `kind`."""
        return await self._request(self._bodied("PATCH", path, body), kind)

    async def delete(self, path: str) -> None:
        """Send a DELETE request."""
        await self._request(httpx.Request("DELETE", self.url + path), None)

    def _bodied(self, method: str, path: str, body: object, headers: dict[str, str] | None = None) -> httpx.Request:
        """Return a request with a body in JSON."""
        sent = {"Content-Type": "application/json", **(headers or {})}
        return httpx.Request(method, self.url + path, content=msgspec.json.encode(body), headers=sent)

    async def _request(self, request: httpx.Request, kind: Any) -> Any:
        """Send a request until it is answered. With None as `kind` the answer has no content."""
        response = await self._answer(request)
        return None if kind is None else decode(response.content, kind)

    async def _answer(self, request: httpx.Request) -> httpx.Response:
        """Send a request until it is answered."""
        if self.token is not None:
            request.headers["Authorization"] = f"Bearer {self.token}"
        loop = asyncio.get_running_loop()
        give_up = loop.time() + self.retries.patience
        for pause in self.retries.pauses():
            failure: RefusedError | UnreachableError
            wait = pause
            try:
                response = await self._http.send(request)
            except httpx.TransportError as error:
                failure = UnreachableError(f"{request.url} gave no answer: {error!r}")
            else:
                if response.is_success:
                    return response
                failure = RefusedError(problem_of(response))
                if failure.status not in BUSY:
                    raise failure
                wait = max(pause, failure.problem.retry_after or 0)
            if loop.time() + wait > give_up:
                raise failure
            await asyncio.sleep(wait)
        raise AssertionError("pauses have no end")


def new_key() -> str:
    """Return a new idempotency key."""
    return secrets.token_hex(12)


def problem_of(response: httpx.Response) -> Problem:
    """Return the problem in an error response, which may come from a proxy instead of the service."""
    if response.headers.get("content-type", "").startswith("application/problem+json"):
        problem: Problem = decode(response.content, Problem)
        return problem
    status = response.status_code
    return Problem("about:blank", response.reason_phrase, status, f"http_{status}", response.text[:200])
