"""The nicknames of players, stored apart from everything that refers to them, so that they can be erased.

An event, a snapshot or a line of chat has a `name_ref` and an empty `nickname`. The name is looked up when it is read,
so erasing it in one place erases it everywhere, and stored bytes and their digests do not change.
"""

from collections import OrderedDict
from collections.abc import Collection, Iterable, Mapping
from typing import Any, NamedTuple, Protocol, TypeVar

import msgspec

from service.domain.game import Rejected
from service.domain.ids import NameRef, PlayerId

ERASED = "Erased player"
"""The name shown for a player who was erased. Nobody can choose it."""

UNREADABLE = "Unreadable name"
"""The name shown in place of one that is damaged in the store. Nobody can choose it."""

MOST_NAMES = 200
"""How many different nicknames a player can have used."""

T = TypeVar("T", bound=msgspec.Struct)

KEPT_PLAYERS = 10_000
"""The number of players whose nicknames are kept in memory."""

Names = dict[str, str]
"""The nicknames of a player by their numbers, which begin with 1."""


class CheckedNames(NamedTuple):
    """The nicknames of a player that are not damaged, and the numbers of those that are."""

    names: Names
    damaged: tuple[str, ...] = ()


class Signed(NamedTuple):
    """What was done to protected values."""

    signed: int
    """How many got a MAC of the current key."""
    damaged: int
    """How many are damaged and were left unchanged."""


class NameTable(Protocol):
    """Where a store keeps nicknames, each with a MAC. Every method may raise `StoreUnavailable`."""

    async def read(self, players: Collection[PlayerId]) -> list[CheckedNames]:
        """Return the nicknames of each of some players."""

    async def add(self, player: PlayerId, number: str, nickname: str) -> bool:
        """Add a nickname under a number; return whether that was free."""

    async def sign(self, player: PlayerId) -> Signed:
        """Sign the nicknames of a player that have no MAC of the current key, unless they are damaged."""

    async def delete(self, player: PlayerId) -> None:
        """Delete all nicknames of a player."""


class PlayerNames:
    """The nicknames of a store, as one process knows them."""

    def __init__(self, table: NameTable, size: int = KEPT_PLAYERS) -> None:
        """Keep the nicknames of up to `size` players in memory."""
        self.table = table
        self._size = size
        self._known: OrderedDict[PlayerId, Names] = OrderedDict()
        self.erased: set[PlayerId] = set()
        """The erased players, as far as this process knows."""

    async def refer(self, player: PlayerId, nickname: str) -> NameRef:
        """Return the reference to a nickname of a player, which is stored if it is new.

        Raises `Rejected` (`too_many_nicknames`).
        """
        names = self._known.get(player, {})
        if nickname not in names.values():
            [names] = await self._read([player])
        while nickname not in names.values():
            if len(names) >= MOST_NAMES:
                raise Rejected("too_many_nicknames", most=MOST_NAMES)
            free = 1 + max((int(number) for number in names if number.isdecimal()), default=0)
            await self.table.add(player, str(free), nickname)  # another process may have taken the number
            [names] = await self._read([player])
        return ref_of(player, next(number for number, name in names.items() if name == nickname))

    async def find(self, refs: Iterable[NameRef]) -> dict[NameRef, str]:
        """Return the nicknames behind some references; `ERASED` for those that do not exist."""
        wanted = set(refs)
        missing = {player_of(ref) for ref in wanted if self._name(ref) is None}
        if missing:
            await self._read(sorted(missing))
        return {ref: self._name(ref) or ERASED for ref in wanted}

    async def shown(self, player: PlayerId, nickname: str, ref: NameRef | msgspec.UnsetType) -> str:
        """Return what is shown for a stored nickname: the one behind its reference, or itself without one."""
        if player in self.erased:
            return ERASED
        return nickname if ref is msgspec.UNSET else (await self.find([ref]))[ref]

    def shown_now(self, player: PlayerId, nickname: str, ref: NameRef | msgspec.UnsetType) -> str | None:
        """Return the same if the store is not needed for it, else None."""
        if player in self.erased:
            return ERASED
        return nickname if ref is msgspec.UNSET else self._name(ref)

    async def named(self, value: T) -> T:
        """Return a struct with the nicknames in it for which it has references."""
        data = msgspec.json.encode(value)
        return msgspec.json.decode(await self._fill(data), type=type(value)) if has_refs(data) else value

    async def _fill(self, data: bytes) -> bytes:
        document = msgspec.json.decode(data)
        named = list(objects_with_ref(document))
        names = await self.find(each["name_ref"] for each in named)
        for each in named:
            each["nickname"] = names[each["name_ref"]]
        return msgspec.json.encode(document)

    async def erase(self, player: PlayerId) -> None:
        """Delete all nicknames of a player; this process does not show them from now on."""
        self.hide(player)
        await self.table.delete(player)

    def hide(self, player: PlayerId) -> None:
        """Do not show the nicknames of a player from now on, including those that are stored without a reference."""
        self.erased.add(player)
        self._known.pop(player, None)

    def _name(self, ref: NameRef) -> str | None:
        player = player_of(ref)
        if player in self.erased:
            return ERASED
        return self._known.get(player, {}).get(ref.rpartition("/")[2])

    async def _read(self, players: list[PlayerId]) -> list[Names]:
        found = [names | dict.fromkeys(damaged, UNREADABLE) for names, damaged in await self.table.read(players)]
        for player, names in zip(players, found, strict=True):
            self._known[player] = names
            self._known.move_to_end(player)
        while len(self._known) > max(self._size, len(players)):
            self._known.popitem(last=False)
        return found

    async def stored(self, player: PlayerId) -> CheckedNames:
        """Return the nicknames of a player as the store has them now; an erased player has none."""
        return CheckedNames({}) if player in self.erased else (await self.table.read([player]))[0]

    async def sign(self, player: PlayerId) -> Signed:
        """Sign the nicknames of a player, and delete what an older release has left of those of an erased player."""
        if player not in self.erased:
            return await self.table.sign(player)
        await self.table.delete(player)
        return Signed(0, 0)


def checked_names(values: Mapping[bytes, bytes], damaged: Iterable[bytes]) -> CheckedNames:
    """Return nicknames from their stored form; those that are no text are damaged, too."""
    found = {number.decode(errors="backslashreplace"): name for number, name in values.items() if is_text(name)}
    wrong = (*damaged, *(number for number, name in values.items() if not is_text(name)))
    return CheckedNames(
        {number: name.decode() for number, name in found.items()},
        tuple(number.decode(errors="backslashreplace") for number in wrong),
    )


def is_text(name: bytes) -> bool:
    """Return whether a nickname is text, which one without a MAC may not be."""
    try:
        name.decode()
    except UnicodeDecodeError:
        return False
    return True


def has_refs(data: bytes) -> bool:
    """Return whether there is a reference to a nickname in a JSON document."""
    return b'"name_ref":"' in data


def ref_of(player: PlayerId, number: str) -> NameRef:
    """Return the reference to a nickname of a player."""
    return NameRef(f"{player}/{number}")


def player_of(ref: NameRef) -> PlayerId:
    """Return the player whose nickname a reference is for."""
    return PlayerId(ref.rpartition("/")[0])


def objects_with_ref(document: Any) -> Iterable[dict[str, Any]]:
    """Yield all objects of a JSON document that have a `name_ref`."""
    if isinstance(document, dict):
        if isinstance(document.get("name_ref"), str):
            yield document
        for each in document.values():
            yield from objects_with_ref(each)
    elif isinstance(document, list):
        for each in document:
            yield from objects_with_ref(each)
