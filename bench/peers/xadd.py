"""A typed Litestar handler that does one redis-py XADD a request, under the settings that the service serves with."""

import sys

import msgspec
import uvicorn
from litestar import Litestar, post
from litestar.datastructures import State
from redis.asyncio import Redis


class Play(msgspec.Struct, frozen=True):
    """The body, as the service takes it."""

    type: str
    move: dict[str, str]


class Appended(msgspec.Struct, frozen=True):
    """The answer: the entry's id."""

    id: str


@post("/v1/rooms/{room:str}/commands", status_code=200)
async def append(room: str, data: Play, state: State) -> Appended:
    """Append the body to the room's stream."""
    entry: bytes = await state.redis.xadd(f"peer:{room}", {"e": msgspec.json.encode(data)})
    return Appended(entry.decode())


def main(url: str, port: str) -> None:
    """Serve on a port of this machine."""
    app = Litestar([append], state=State({"redis": Redis.from_url(url)}), openapi_config=None, logging_config=None)
    uvicorn.run(
        app,
        port=int(port),
        loop="uvloop",
        http="httptools",
        ws="none",
        access_log=False,
        log_level="warning",
        server_header=False,
    )


if __name__ == "__main__":
    main(*sys.argv[1:])
