"""The passwords of private rooms: hashed outside the event loop, few at a time, and stored as salted scrypt only.

An unknown name and a private room get the same answer after the same work: see `policy.check_command` and `hash_for`.
"""

import asyncio
import hashlib
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

from service.domain.room.model.commands import AnyCommand, Configure, Join
from service.domain.room.model.state import Table
from service.runtime import metrics
from service.runtime.current_operation import is_client_gone
from service.streams.errors import ServiceError

COST, BLOCK, LANES = 2**14, 8, 1
"""The parameters of scrypt: 16 MB of memory and some hundredths of a second per password."""

CONCURRENT = 2
SALT_BYTES = 16

MAX_WAITING = 64
"""The maximum number of passwords that wait for their turn: 1.5 seconds of work."""


class HashingQueue:
    """Limits how many passwords are hashed at a time, and how many wait."""

    def __init__(self) -> None:
        """Start with an empty queue."""
        self._turns = asyncio.Semaphore(CONCURRENT)
        self._waiting = 0

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[None]:
        """Wait for a turn. Raises `ServiceError` (`passwords_busy`) if too many wait or the client has disconnected."""
        if self._waiting >= MAX_WAITING:
            metrics.PASSWORDS.labels("refused").inc()
            raise ServiceError("passwords_busy")
        self._waiting += 1
        try:
            await self._turns.acquire()
        finally:
            self._waiting -= 1
        try:
            if is_client_gone():
                metrics.PASSWORDS.labels("dropped").inc()
                raise ServiceError("passwords_busy")
            metrics.PASSWORDS.labels("hashed").inc()
            yield
        finally:
            self._turns.release()


_turns = HashingQueue()


def has_password(command: AnyCommand) -> bool:
    """Return whether a password has to be hashed for a command."""
    if type(command) is Join:
        return command.password is not None
    return type(command) is Configure and isinstance((command.settings or {}).get("password"), str)


async def hash_password(password: str, salt: bytes) -> str:
    """Return a password's hash with its salt. Raises `ServiceError` with `passwords_busy`."""
    async with _turns.turn():
        digest = await asyncio.to_thread(
            hashlib.scrypt, password.encode(), salt=salt, n=COST, r=BLOCK, p=LANES, dklen=32, maxmem=64 * 2**20
        )
    return f"scrypt.{salt.hex()}.{digest.hex()}"


async def hash_new_password(password: str | None, seed: bytes) -> str | None:
    """Return the hash of a new password, None without one. Raises what `hash_password` raises."""
    return None if password is None else await hash_password(password, seed[:SALT_BYTES])


async def hash_for(command: AnyCommand, seed: bytes, table: Callable[[], Awaitable[Table]]) -> str | None:
    """Return the hash of a command's password: for a join with the room's salt, otherwise a new one; None without.

    `table` finds the room. A room that does not exist takes as much work as one that does. Raises what `hash_password`
    raises.
    """
    match command:
        case Join(password=str(password)):
            try:
                lock = (await table()).lock
            except ServiceError:
                lock = None
            return await hash_password(password, bytes.fromhex(lock.split(".")[1]) if lock else seed[:SALT_BYTES])
        case Configure(settings={"password": str(password)}):
            return await hash_new_password(password, seed)
    return None
