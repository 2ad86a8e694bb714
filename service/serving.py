"""The programs that serve: the API, the worker, and what sends to webhooks.

`python -m service.serving FD` is the fork server of `turnstream up`, which imports no more than these need.
"""

import argparse
import asyncio
import gc
import signal
import sys
from collections.abc import Awaitable, Callable
from functools import partial
from importlib import import_module

import uvicorn
import uvloop
from msgspec import structs

from service import wiring
from service.api.server.command_protocol import command_protocol
from service.api.server.server import Server
from service.api.server.socket_protocol import socket_protocol
from service.programs.store_setup import wait_for_store
from service.programs.supervisor import leave_with_parent
from service.runtime.fork_server import forked
from service.runtime.settings import Settings

FRAME_BYTES = 64 * 1024
"""The largest frame that a socket may send; a larger one closes it with 1009."""

PONG_SECONDS = 10
"""How long a client may take to answer a ping; one is sent every 20 seconds."""

IDLE_SECONDS = 20
"""How long a connection without a request is kept: longer than clients keep theirs (httpx and Node 5 s, aiohttp 15 s),
so that none sends a request on a connection that is just being closed."""

FINISH_SECONDS = 5
"""How long running requests may take to finish at shutdown."""


def api(chosen: Settings, _arguments: argparse.Namespace) -> int:
    """Serve the API. Raises `UnsuitableStore`, or `StoreUnavailable` if the store cannot be reached."""
    leave_with_parent()
    application, store = wiring.api(chosen)
    collect_garbage_rarely()
    config = uvicorn.Config(
        application,
        host=chosen.host,
        port=chosen.port,
        loop="uvloop",
        http=command_protocol(application.context),
        ws=socket_protocol(),
        ws_max_size=FRAME_BYTES,
        ws_per_message_deflate=chosen.compress_sockets,
        timeout_keep_alive=IDLE_SECONDS,
        timeout_graceful_shutdown=FINISH_SECONDS,
        ws_ping_timeout=PONG_SECONDS,
        access_log=False,
        log_config=None,
        log_level="warning",
        server_header=False,
        headers=[("x-content-type-options", "nosniff"), ("referrer-policy", "no-referrer")],
        proxy_headers=False,
    )
    fit = partial(wait_for_store, store, chosen)
    Server(config, application.context.shutdown, chosen.drain, fit).run()
    return 0


def collect_garbage_rarely() -> None:
    """Collect cyclic garbage rarely: moves create no cycles, and collecting took a tenth of the time."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(100_000, 50, 100)


def worker(chosen: Settings, arguments: argparse.Namespace) -> int:
    """Run a worker."""
    leave_with_parent()
    if arguments.metrics_port is not None:
        chosen = structs.replace(chosen, metrics_port=arguments.metrics_port)
    uvloop.run(run_until_signalled(partial(wiring.work, chosen, sends=arguments.webhooks)))
    return 0


def webhooks(chosen: Settings, _arguments: argparse.Namespace) -> int:
    """Send to webhooks."""
    leave_with_parent()
    uvloop.run(run_until_signalled(partial(wiring.send, chosen)))
    return 0


async def run_until_signalled(program: Callable[[asyncio.Event], Awaitable[None]]) -> None:
    """Run a program until SIGINT or SIGTERM."""
    stop, loop = asyncio.Event(), asyncio.get_running_loop()
    for asking in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(asking, stop.set)
    await program(stop)


if __name__ == "__main__":
    verbs = import_module("service.__main__")  # before the processes are forked, which share it
    if (given := forked(int(sys.argv[1]))) is not None:
        sys.exit(verbs.main(given.arguments))
