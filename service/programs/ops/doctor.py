"""`turnstream doctor`: checks what an installation on this machine needs, and says for each finding what to do."""

import argparse
import asyncio
import json
import os
import socket
import time
from collections.abc import Iterator
from contextlib import closing
from http.client import HTTPConnection, HTTPException
from typing import Literal

import msgspec

from service.programs.data_folder import with_store
from service.programs.ops.data_loss import describe_loss, known_loss
from service.programs.ops.verbs import say
from service.programs.store_setup import check_durability, store_of
from service.runtime.os_errors import reason_of
from service.runtime.settings import BadSettings, Settings, check, release
from service.store.contract import Store, StoreUnavailable
from service.store.free_space import is_full
from service.store.redis.server_checks import UnsuitableStore
from service.store.watch.store_watch import NO_WITNESS

CLOCK_SECONDS = 1.0
"""How far the store's clock may differ from this machine's."""

State = Literal["ok", "warning", "error"]


class Finding(msgspec.Struct, frozen=True):
    """What was found about a part, and what to do about it unless it is good."""

    part: Literal["settings", "store", "clock", "port", "folder"]
    state: State
    text: str


def main(chosen: Settings, arguments: argparse.Namespace) -> int:
    """Print all findings, and return the exit code: 1 if any is an error."""
    found = asyncio.run(examine(chosen))
    for each in found:
        say(json.dumps(msgspec.to_builtins(each)) if arguments.json else f"{each.state:8}{each.part:9} {each.text}")
    return 1 if any(each.state == "error" for each in found) else 0


async def examine(chosen: Settings) -> list[Finding]:
    """Return the findings about settings, store, ports and folders; without valid settings there is no store."""
    try:
        settings = with_store(chosen)
        check(settings)
    except BadSettings as bad:
        return [*(Finding("settings", "error", text) for text in bad.args), *local_findings(chosen)]
    text = f"release {release()}, {settings.mode} mode, signing keys: {len(settings.keys)}"
    return [Finding("settings", "ok", text), *await store_findings(settings), *local_findings(settings)]


async def store_findings(settings: Settings) -> list[Finding]:
    """Return the findings about the store and its clock."""
    store = store_of(settings)
    try:
        warnings = [*await store.check(), *([] if settings.witness else [NO_WITNESS])]
        check_durability(warnings, settings)
        found = [Finding("store", "warning", text) for text in warnings]
        suitable = [] if warnings else [Finding("store", "ok", "its settings are suitable")]
        return [*found, *suitable, *await content_findings(store, settings)]
    except UnsuitableStore as unsuitable:
        return [Finding("store", "error", str(unsuitable))]
    except StoreUnavailable as away:
        return [Finding("store", "error", f"{away}: start it, and check TURNSTREAM_REDIS_URL, its user and password")]
    except OSError as failure:
        return [Finding("folder", "error", f"the witness cannot be read: {reason_of(failure)}")]
    finally:
        await store.close()


async def content_findings(store: Store, settings: Settings) -> list[Finding]:
    """Return the findings about lost data and the store's clock."""
    found: list[Finding] = []
    if (lost := await known_loss(store, settings)) is not None:
        found.append(Finding("store", "error", f"{'; '.join(describe_loss(lost))}; see `turnstream accept-loss`"))
    before = time.time()
    apart = await store.time() / 1000 - (before + time.time()) / 2
    text = f"the store's is {apart:+.3f} s from this machine's"
    if abs(apart) > CLOCK_SECONDS:
        return [*found, Finding("clock", "warning", f"{text}: synchronise both by NTP")]
    return [*found, Finding("clock", "ok", text)]


def local_findings(settings: Settings) -> Iterator[Finding]:
    """Yield whether the ports are free, or used by Turnstream, and whether the folders are writable and have space."""
    for port in filter(None, (settings.port, settings.metrics_port)):
        yield Finding("port", *port_state(settings.host, port))
    for folder in filter(
        None, (settings.witness, settings.store_folder, settings.archive if settings.retention else None)
    ):
        there = next(each for each in (folder.resolve(), *folder.resolve().parents) if each.exists())
        if not (there.is_dir() and os.access(there, os.W_OK | os.X_OK)):
            yield Finding("folder", "error", f"{folder}: {there} is not writable: change its owner")
        elif is_full(there):
            yield Finding("folder", "error", f"{folder}: its disk is full: free some space")
        else:
            yield Finding("folder", "ok", f"{folder} is writable and its disk has space")


def port_state(host: str, port: int) -> tuple[State, str]:
    """Return whether a port is free or used by a Turnstream process of this release."""
    try:
        with socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET):
            return "ok", f"{host}:{port} is free"
    except OSError as failure:
        reason = reason_of(failure)
    with closing(HTTPConnection(host, port, timeout=2)) as connection:
        try:
            connection.request("GET", "/health/live")
            live = json.loads(connection.getresponse().read())["version"]
        except (OSError, HTTPException, ValueError, LookupError, TypeError):
            return "error", f"{host}:{port}: {reason}: end the program that uses it, or set another port"
    if live != release():
        return "warning", f"{host}:{port} serves release {live}, and {release()} is installed: restart the process"
    return "ok", f"{host}:{port} serves release {live}"
