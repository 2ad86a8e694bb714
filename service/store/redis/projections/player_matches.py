"""The index of players' matches in Redis: per player a sorted set of matches and a hash of results."""

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any

from service.domain.ids import Millis, PlayerId
from service.store.contract import CountedByOthers, StoreDamaged
from service.store.projections.player_matches import FirstMatches, MatchRow, Tallies, unpacked
from service.store.redis.client.resp import whole
from service.store.redis.parts import ProtectedPart
from service.store.redis.scripts import ADD_MATCHES
from service.store.stream_keys import KindKey

FIRST_PUBLIC = b"."
"""The field of the results with the time of the first public match; no name of results."""

COUNTED = b"#"
"""The field with the number of matches that are counted as by this release; no name of results.

An earlier release, which also counts aborted matches, does not change it when it adds a match.
"""


class RedisPlayerMatches(ProtectedPart):
    """The contract `PlayerMatches` in Redis."""

    async def add(self, player: PlayerId, rows: Sequence[MatchRow]) -> int:
        """Add matches of a player; return how many were new."""
        while True:
            new = list({row.match: row for row in rows if not await self._is_known(player, row)}.values())
            if not new:
                return 0
            before = await self._stored(player, names_in(new))
            if await self._write(player, b"", before, new):
                return len(new)

    async def replace(self, player: PlayerId, count: int, rows: Sequence[MatchRow]) -> bool:
        """Replace all matches and results of a player, if there are so many; return whether that was done."""
        return await self._write(player, b"%d" % count, dict.fromkeys(names_in(rows)), rows)

    async def _is_known(self, player: PlayerId, row: MatchRow) -> bool:
        ended, start = b"%d" % row.ended, b'["%b"' % row.match.encode()
        found = await self._ask(player, b"ZRANGEBYSCORE", self._keys.of("played", player), ended, ended)
        return any(each.startswith(start) for each in found)

    async def _write(
        self, player: PlayerId, count: bytes, before: Mapping[bytes, bytes | None], rows: Sequence[MatchRow]
    ) -> bool:
        after, key = results_after(before, rows), results_key(player)
        arguments = [count, b"%d" % len(after)]
        for name, value in after.items():
            arguments += (name, before[name] or b"", value, self._protection.sign(key, name, value))
        for row in rows:
            arguments += (b"%d" % row.ended, row.data)
        where, keys = (
            self._keys.partition_of(player),
            (self._keys.of("played", player), self._keys.of("results", player)),
        )
        return bool(await self._cluster.run(where, ADD_MATCHES, keys, arguments))

    async def _stored(self, player: PlayerId, names: Sequence[bytes]) -> dict[bytes, bytes | None]:
        """Return results in their stored form. Raises `StoreDamaged`, also if an earlier release has added matches."""
        fields = (*names, *(b"mac:" + name for name in names))
        matches, found = await asyncio.gather(  # in this order: a match that is added meanwhile is counted
            self._ask(player, b"ZCARD", self._keys.of("played", player)),
            self._ask(player, b"HMGET", self._keys.of("results", player), *fields),
        )
        values = dict(zip(names, found, strict=False))
        stored = {name: value for name, value in values.items() if value is not None}
        macs = {name: mac for name, mac in zip(names, found[len(names) :], strict=True) if mac is not None}
        await self._protection.require(results_key(player), stored, macs)
        if not all(is_result(name, value) for name, value in stored.items()):
            raise StoreDamaged(f"the results of {player}")
        if matches > int(values[COUNTED] or b"0"):
            raise CountedByOthers(f"an earlier release has added matches of {player}")
        return values

    async def page(
        self, player: PlayerId, at: Millis | None, start: int, limit: int, *, oldest_first: bool = False
    ) -> list[tuple[Millis, bytes]]:
        """Return matches from a time on, the latest one first, or the oldest."""
        bound = b"%d" % at if at is not None else b"-inf" if oldest_first else b"+inf"
        order = (b"ZRANGEBYSCORE", bound, b"+inf") if oldest_first else (b"ZREVRANGEBYSCORE", bound, b"-inf")
        part = (b"WITHSCORES", b"LIMIT", b"%d" % start, b"%d" % limit)
        found: Any = await self._ask(player, order[0], self._keys.of("played", player), *order[1:], *part)
        return [(time_of(ended), data) for data, ended in zip(found[::2], found[1::2], strict=True)]

    async def results(self, player: PlayerId, names: Sequence[str]) -> list[Tallies]:
        """Return the results of a player under some names."""
        if not names:
            return []
        found = await self._stored(player, [COUNTED, *(name.encode() for name in names)])
        return [unpacked(found[name.encode()]) for name in names]

    async def first(self, player: PlayerId) -> FirstMatches:
        """Return when the first matches of a player ended."""
        oldest = await self.page(player, None, 0, 1, oldest_first=True)
        public = (await self._stored(player, [COUNTED, FIRST_PUBLIC]))[FIRST_PUBLIC]
        return FirstMatches(oldest[0][0] if oldest else None, None if public is None else Millis(int(public)))

    async def discard(self, player: PlayerId) -> None:
        """Delete everything about a player's matches."""
        await self._ask(player, b"DEL", self._keys.of("played", player), self._keys.of("results", player))

    async def _ask(self, player: PlayerId, *parts: bytes) -> Any:
        return await self._cluster.ask(self._keys.partition_of(player), *parts)


def time_of(score: bytes) -> Millis:
    """Return the time of a score; -1, when no match ended, for one that is not a time."""
    time = whole(score)
    return Millis(int(time) if time.isdigit() else -1)


def results_key(player: PlayerId) -> KindKey:
    """Return the key of the results of a player in their MACs."""
    return KindKey("results", player)


def names_in(rows: Sequence[MatchRow]) -> list[bytes]:
    """Return the names of the results that matches change."""
    return [COUNTED, FIRST_PUBLIC, *dict.fromkeys(name.encode() for row in rows for name, _ in row.results)]


def is_result(name: bytes, value: bytes) -> bool:
    """Return whether a stored result is a number, or six of them."""
    numbers = value.split(b" ")
    return len(numbers) == (1 if name in {COUNTED, FIRST_PUBLIC} else 6) and all(number.isdigit() for number in numbers)


def results_after(before: Mapping[bytes, bytes | None], rows: Sequence[MatchRow]) -> dict[bytes, bytes]:
    """Return the results that change when matches are added, in their stored form."""
    counts = {name: [int(each) for each in (before[name] or b"0 0 0 0 0 0").split()] for name in before}
    first = min((row.ended for row in rows if row.is_public), default=None)
    found = {COUNTED: b"%d" % (int(before[COUNTED] or b"0") + len(rows))}
    if first is not None and (before[FIRST_PUBLIC] is None or first < int(before[FIRST_PUBLIC] or b"0")):
        found[FIRST_PUBLIC] = b"%d" % first
    for row in rows:
        for name, outcome in row.results:
            counts[name.encode()][outcome] += 1
            counts[name.encode()][outcome + 3] += row.is_public
            found[name.encode()] = b" ".join(b"%d" % number for number in counts[name.encode()])
    return found
