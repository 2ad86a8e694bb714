"""Time, chance and names as they come from outside the domain."""

import base64
import hashlib
import secrets
from collections.abc import Sequence
from typing import Protocol

from service.domain.room.model.clock import Outage
from service.domain.room.model.ids import Epoch, Millis, PlayerId, RoomName

FIRST = "amber brisk calm clear coral dusky early fern gold green hazel ivory jade keen lilac lucky merry misty "
FIRST += "noble olive pearl plain quick quiet rosy ruby sage silver sunny swift teal warm"
SECOND = "badger beacon bridge brook cedar comet corner falcon forest garden harbour heron island lantern maple "
SECOND += "meadow mill moon orchard otter pebble pine raven reef river rook sparrow summit table tower valley willow"
FIRST_WORDS, SECOND_WORDS = FIRST.split(), SECOND.split()

MADE_UP_NAMES = 8
"""How many names are tried for a room that asks for none."""

SEED_BYTES = 32
SEEDS_AT_ONCE = 64
ID_BYTES = 10
EPOCH_BYTES = 5
LONGEST_NAME = 40


class Clock(Protocol):
    """The service's time, and what is known of down times."""

    def now(self) -> Millis:
        """Return the time."""

    def outages(self, now: Millis) -> tuple[Outage, ...]:
        """Return the latest times in which the service was down; now is one of them if it lasts."""

    @property
    def is_stale(self) -> bool:
        """Whether this process was late itself, so that what is known of down times is."""

    async def refreshed(self) -> None:
        """Wait for a moment until it is known again."""


class Outside:
    """The service's clock and the operating system's chance."""

    def __init__(self, clock: Clock) -> None:
        """Take the time from a clock."""
        self._clock = clock
        self._seeds: list[bytes] = []

    def now(self) -> Millis:
        """Return the service's time."""
        return self._clock.now()

    def outages(self, now: Millis) -> tuple[Outage, ...]:
        """Return the latest times in which the service was down; now is one of them if it lasts."""
        return self._clock.outages(now)

    @property
    def is_stale(self) -> bool:
        """Whether this process was late itself, so that what is known of down times is."""
        return self._clock.is_stale

    async def refreshed(self) -> None:
        """Wait for a moment until it is known again."""
        await self._clock.refreshed()

    def seed(self) -> bytes:
        """Return 32 random bytes; the system is asked for many seeds at once, and none is given twice."""
        if not self._seeds:
            fresh = secrets.token_bytes(SEED_BYTES * SEEDS_AT_ONCE)
            self._seeds = [fresh[start : start + SEED_BYTES] for start in range(0, len(fresh), SEED_BYTES)]
        return self._seeds.pop()


class MadeUpNames:
    """Epochs and names for rooms; a player's key always leads to the same ones."""

    def __init__(self, key: bytes = b"") -> None:
        """Derive what nobody may guess from this key, which all processes share."""
        self._key = key

    def epoch(self, player: PlayerId, key: str | None) -> Epoch:
        """Return eight letters and digits."""
        material = secrets.token_bytes(16) if key is None else f"{player}\n{key}".encode()
        return Epoch(lower(hashlib.blake2b(material, digest_size=EPOCH_BYTES).digest()))

    def names(self, epoch: Epoch) -> Sequence[RoomName]:
        """Return names like `quiet-otter-417`, in the order in which they are tried."""
        return [made_up(f"{epoch} {attempt}") for attempt in range(MADE_UP_NAMES)]

    def unguessable(self, name: RoomName, epoch: Epoch) -> RoomName:
        """Return the name with eight letters and digits behind it, always the same for an epoch."""
        suffix = lower(hashlib.blake2b(f"{epoch} {name}".encode(), key=self._key, digest_size=EPOCH_BYTES).digest())
        return RoomName(f"{name[: LONGEST_NAME - len(suffix) - 1].rstrip('-')}-{suffix}")


def made_up(material: str) -> RoomName:
    """Return the name that a text leads to."""
    number = int.from_bytes(hashlib.blake2b(material.encode(), digest_size=8).digest(), "big")
    number, first = divmod(number, len(FIRST_WORDS))
    number, second = divmod(number, len(SECOND_WORDS))
    return RoomName(f"{FIRST_WORDS[first]}-{SECOND_WORDS[second]}-{100 + number % 900}")


def new_player() -> PlayerId:
    """Return an id that nobody has."""
    return PlayerId("p-" + lower(secrets.token_bytes(ID_BYTES)))


def new_process() -> str:
    """Return an id that no other run of a program has."""
    return lower(secrets.token_bytes(ID_BYTES))


def lower(data: bytes) -> str:
    """Return bytes in base 32, lower case, without padding."""
    return base64.b32encode(data).decode().rstrip("=").lower()
