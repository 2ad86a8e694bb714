"""What compression of sockets costs and saves: `python -m bench.compression`.

One match of a game is played before subscribers on sockets with and without permessage-deflate, in turns. It prints the
server's CPU time for a delivery, the bytes of a frame on the wire, and the memory of a socket.
"""

import asyncio
import itertools
from statistics import median

import httpx
import msgspec
import uvloop

from bench.load.play import random_line
from bench.load.senders import PATIENCE, STATE, Follows
from bench.load.tables import Table, open_tables, scripts
from bench.load.wire import SocketLine
from bench.machine import allow_sockets, cores, cpu_seconds, on_core, resident_bytes
from bench.processes import Server, service, store
from service.domain.catalog import GAMES

OFFER = "permessage-deflate; client_max_window_bits"
SUBSCRIBERS = 100
PLAYS = 60
ROUNDS = 5
SEED = 3
MODES: tuple[Follows, ...] = ("view", "patch")
FIRST_FRAMES_SECONDS = 2.0


class Cost(msgspec.Struct, frozen=True):
    """What was measured in one round."""

    micros: float
    """CPU time of a delivery."""
    wire_bytes: float
    """Bytes of a frame's payload."""
    memory: float
    """Bytes of memory that a socket added."""


class Deliveries:
    """Counts the frames that all subscribers receive."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self.size = 0
        self.missing = 0
        self.done = asyncio.Event()

    def receive(self, payload: bytes) -> None:
        """Count a frame."""
        self.size += len(payload)
        self.missing -= 1
        if self.missing == 0:
            self.done.set()


async def measure(served: Server, table: Table, mode: Follows, offer: str) -> Cost:
    """Play before subscribers that offer an extension, or none."""
    loop, deliveries, before = asyncio.get_running_loop(), Deliveries(), resident_bytes(served.pid)
    path = f"/v1/rooms/{table.room}/feed"
    hello = msgspec.json.encode({"type": "subscribe", "room": table.room, "state": STATE[mode]})
    lines = []
    for _ in range(SUBSCRIBERS):
        _, line = await loop.create_connection(
            lambda: SocketLine(path, deliveries.receive, offer), "127.0.0.1", served.port
        )
        await line.opened
        line.say(hello)
        lines.append(line)
    await asyncio.sleep(FIRST_FRAMES_SECONDS)
    memory = (resident_bytes(served.pid) - before) / SUBSCRIBERS
    deliveries.size, began = 0, cpu_seconds(served.pid)
    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{served.port}", trust_env=False) as http:
        for command in itertools.islice(table.commands, PLAYS):
            deliveries.missing, token = SUBSCRIBERS, table.tokens[command.seat]
            deliveries.done.clear()
            headers = {"authorization": f"Bearer {token}", "content-type": "application/json"}
            (await http.post(table.path, content=command.body, headers=headers)).raise_for_status()
            await asyncio.wait_for(deliveries.done.wait(), PATIENCE)
    spent = cpu_seconds(served.pid) - began
    for line in lines:
        line.close()
    await asyncio.sleep(FIRST_FRAMES_SECONDS)
    count = SUBSCRIBERS * PLAYS
    return Cost(1e6 * spent / count, deliveries.size / count, memory)


async def compare(served: Server) -> None:
    """Measure every case in each round, and print the medians."""
    script = scripts([random_line(GAMES["morris"], SEED)])
    found: dict[tuple[Follows, str], list[Cost]] = {}
    for _ in range(ROUNDS):
        for mode, offer in itertools.product(MODES, ("", OFFER)):
            (table,) = await asyncio.to_thread(open_tables, served.port, "morris", 1, script)
            found.setdefault((mode, offer), []).append(await measure(served, table, mode, offer))
    print("update with      compressed   us a delivery   bytes a frame   memory of a socket (first round)")
    for (mode, offer), costs in found.items():
        micros, size = median(cost.micros for cost in costs), median(cost.wire_bytes for cost in costs)
        print(f"{mode:<16} {bool(offer)!s:<12} {micros:>13.1f} {size:>15,.0f} {costs[0].memory:>20,.0f}")


def main() -> None:
    """Measure on this machine."""
    allow_sockets()
    with on_core(cores()[1]), store() as kept, service(kept.url, compress_sockets="true", heartbeat="300") as served:
        uvloop.run(compare(served))


if __name__ == "__main__":
    main()
