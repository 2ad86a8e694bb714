"""The environment of the domain: the clock, entropy, and generated names and ids."""

import base64
import hashlib
import secrets
from collections.abc import Sequence
from typing import Protocol

from service.domain.ids import Epoch, Millis, Outage, PlayerId, RoomName
from service.runtime.settings import Settings


def purpose_key(settings: Settings, purpose: str) -> bytes:
    """Return the key for one purpose, derived from the settings' signing key."""
    return derive_key(settings.key, purpose)


def derive_key(key: bytes, purpose: str) -> bytes:
    """Derive the key for one purpose from a signing key."""
    return hashlib.blake2b(key, person=purpose.encode()).digest()


FIRST = "amber brisk calm clear coral dusky early fern gold green hazel ivory jade keen lilac lucky merry misty "
FIRST += "noble olive pearl plain quick quiet rosy ruby sage silver sunny swift teal warm"
SECOND = "badger beacon bridge brook cedar comet corner falcon forest garden harbour heron island lantern maple "
SECOND += "meadow mill moon orchard otter pebble pine raven reef river rook sparrow summit table tower valley willow"
FIRST_WORDS, SECOND_WORDS = FIRST.split(), SECOND.split()

GENERATED_NAMES = 8
"""The number of names that are tried for a room that is opened without one."""

SEED_BYTES = 32
SEEDS_AT_ONCE = 64
ID_BYTES = 10
EPOCH_BYTES = 5
LONGEST_NAME = 40


class Clock(Protocol):
    """The service's time and its down times."""

    def now(self) -> Millis:
        """Return the time."""

    def outages(self, now: Millis) -> tuple[Outage, ...]:
        """Return the latest times in which the service was down, including one that has not ended at `now`."""

    def is_stale(self) -> bool:
        """Return whether this process was delayed, so that its knowledge of down times is outdated."""

    async def refreshed(self) -> None:
        """Wait for a short time until that knowledge is up to date."""


class SystemEnvironment:
    """The service's clock and the operating system's entropy."""

    def __init__(self, clock: Clock) -> None:
        self.now = clock.now
        self.outages = clock.outages
        self.is_stale = clock.is_stale
        self.refreshed = clock.refreshed
        self._seeds: list[bytes] = []

    def seed(self) -> bytes:
        """Return 32 random bytes, which are used once; they are read from the system in blocks."""
        if not self._seeds:
            fresh = secrets.token_bytes(SEED_BYTES * SEEDS_AT_ONCE)
            self._seeds = [fresh[start : start + SEED_BYTES] for start in range(0, len(fresh), SEED_BYTES)]
        return self._seeds.pop()


class HashedNames:
    """Generates epochs and names of rooms; the same idempotency key of a player leads to the same ones."""

    def __init__(self, key: bytes = b"") -> None:
        """`key` makes names unguessable; it is the same for all processes."""
        self._key = key

    def epoch(self, player: PlayerId, key: str | None) -> Epoch:
        """Return eight letters and digits, random without an idempotency key."""
        material = secrets.token_bytes(16) if key is None else f"{player}\n{key}".encode()
        return Epoch(lower(hashlib.blake2b(material, digest_size=EPOCH_BYTES).digest()))

    def names(self, epoch: Epoch) -> Sequence[RoomName]:
        """Return names like `quiet-otter-417`, in the order in which they are tried."""
        return [generated_name(f"{epoch} {attempt}") for attempt in range(GENERATED_NAMES)]

    def unguessable(self, name: RoomName, epoch: Epoch) -> RoomName:
        """Return the name followed by eight letters and digits that depend on the epoch."""
        suffix = lower(hashlib.blake2b(f"{epoch} {name}".encode(), key=self._key, digest_size=EPOCH_BYTES).digest())
        return RoomName(f"{name[: LONGEST_NAME - len(suffix) - 1].rstrip('-')}-{suffix}")


def generated_name(material: str) -> RoomName:
    """Return the name derived from a text."""
    number = int.from_bytes(hashlib.blake2b(material.encode(), digest_size=8).digest(), "big")
    number, first = divmod(number, len(FIRST_WORDS))
    number, second = divmod(number, len(SECOND_WORDS))
    return RoomName(f"{FIRST_WORDS[first]}-{SECOND_WORDS[second]}-{100 + number % 900}")


def new_player() -> PlayerId:
    """Return a new player's id."""
    return PlayerId("p-" + lower(secrets.token_bytes(ID_BYTES)))


def new_process() -> str:
    """Return a new process's id."""
    return lower(secrets.token_bytes(ID_BYTES))


def new_webhook() -> str:
    """Return a new webhook's id."""
    return "w-" + lower(secrets.token_bytes(ID_BYTES))


def lower(data: bytes) -> str:
    """Return bytes in base 32, lower case, without padding."""
    return base64.b32encode(data).decode().rstrip("=").lower()
