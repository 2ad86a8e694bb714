"""Whether the humans are present whom a room needs to go on: by their feeds of it and their requests for it.

The next match begins only while all of its players are present: each has a feed of the room open, or sent a request for
it with their token within the last minute. The worker checks that when it is due, and records who is missing as absent
(`absence.py`); the match begins when they come back. Who has closed the last feed is absent until their next request.

Bots do not play among themselves while nobody watches on the room's own feed and nobody has sent a request with a token
within ten minutes. The worker then releases the room. A request first records the visit and then makes the room due.
The worker releases a room only if its claim is still the latest change of the due time. So the room continues, no
matter which of the two is faster. Their next match needs somebody on the room's own feed.

A room that no player but its creator has entered closes an hour after the creator's last request, or after the creator
has left its feed. Requests do not change the room, so each process records once a minute until when they keep it open.
"""

import asyncio
from collections.abc import Awaitable, Callable, Collection, Coroutine
from typing import Any

import structlog

from service.domain.ids import Millis, PlayerId, RoomKey
from service.domain.room.due import Why
from service.domain.room.model.state import bots_only
from service.domain.room.subjects.lifecycle import attended_until
from service.domain.room.subjects.matches import needs_presence
from service.rooms.access.policy import counts_as_present
from service.rooms.commands.requests import Environment
from service.rooms.presence_counts import PresenceCounts, decode_shares
from service.rooms.repository import LoadedRoom
from service.store.contract import StoreFailed
from service.store.side_channels import SideChannels
from service.streams.background import BackgroundTasks
from service.streams.errors import ServiceError

log = structlog.get_logger()

NEVER = Millis(0)
MINUTE = 60_000
RECORD_INTERVAL = Millis(MINUTE)
"""The interval in which a visit is recorded once, per room and process."""

STAY = Millis(10 * MINUTE)
"""How long bots play on among themselves after a request."""

SEATED_STAY = Millis(MINUTE)
"""How long a seated player counts as present after a request."""

SEATED_INTERVAL = Millis(5_000)
"""The interval in which a visit of a seated player is recorded once, per process."""

Report = Callable[[LoadedRoom, Collection[PlayerId]], Awaitable[None]]
"""Reports something about these players to a room."""


class ActivityTracker:
    """Records requests of players in rooms, and finds out whether those are present whom a room needs."""

    def __init__(
        self,
        side_channels: SideChannels,
        environment: Environment,
        wake: Callable[[LoadedRoom], Awaitable[None]],
        report_back: Report,
        report_gone: Report,
    ) -> None:
        """Record visits in the side channels; `wake` makes a room due again that waits for a human.

        The others report to a room which seated players have come back, and which are missing.
        """
        self._side_channels = side_channels
        self._environment = environment
        self._wake = wake
        self._report_back, self._report_gone = report_back, report_gone
        self._background = BackgroundTasks("visit_not_noted")
        self.close = self._background.close

    async def begin(self, key: RoomKey, *seated: PlayerId) -> None:
        """Record that somebody opens a room, in which these players have seats and sent the request."""
        visits = [self._side_channels.record_visit(key, SEATED_STAY, player) for player in seated]
        await asyncio.gather(self._side_channels.record_visit(key, Millis(STAY + RECORD_INTERVAL)), *visits)

    def note(self, live: LoadedRoom, player: PlayerId | None) -> None:
        """Record in the background that a player sent a request for a room that they may see."""
        if player is None:
            return
        now, table = self._environment.now(), live.state.table
        if player == table.creator and not table.others_entered:
            self._keep_open(live, now)
        if now >= live.noted.get(player, NEVER) or (table.status != "playing" and player in table.absent):
            self._note_now(live, player, now)

    def _note_now(self, live: LoadedRoom, player: PlayerId, now: Millis) -> None:
        """Record a visit in the background, if one of this room or seat has not been recorded just before."""
        table = live.state.table
        if player in table.seats:
            live.noted[player] = Millis(now + SEATED_INTERVAL)
            if not is_connected(live, player):
                self._background.start(self._record(live, self._note_player(live, player)))
        if now >= live.visited + RECORD_INTERVAL and counts_as_present(table, player):
            live.visited = now
            self._background.start(self._record(live, self._note_room(live)))

    def note_feed(self, live: LoadedRoom) -> None:
        """Record in the background that the creator of a room that no other player has entered follows its feed."""
        table = live.state.table
        if not table.others_entered and is_connected(live, table.creator):
            self._keep_open(live, self._environment.now())

    def _keep_open(self, live: LoadedRoom, now: Millis) -> None:
        """Record until when a room is kept open, once a minute."""
        if (until := attended_until(now)) != live.kept_until:
            live.kept_until = until
            self._background.start(self._record_kept(live, Millis(until - now)))

    async def _record_kept(self, live: LoadedRoom, lasts: Millis) -> None:
        try:
            await self._side_channels.keep_open(live.key, lasts)
        except StoreFailed as failure:
            live.kept_until = Millis(0)
            log.warning("visit_not_noted", room=live.key.name, error=str(failure))

    async def _record(self, live: LoadedRoom, recording: Coroutine[Any, Any, None]) -> None:
        """Record a visit; if that fails, the next request does it."""
        try:
            await recording
        except (StoreFailed, ServiceError) as failure:
            live.visited = NEVER
            live.noted.clear()
            log.warning("visit_not_noted", room=live.key.name, error=str(failure))

    async def _note_room(self, live: LoadedRoom) -> None:
        await self.begin(live.key)
        await self._wake(live)

    async def _note_player(self, live: LoadedRoom, player: PlayerId) -> None:
        await self._side_channels.record_visit(live.key, SEATED_STAY, player)
        if live.state.table.status != "playing" and needs_presence(live.state.table):
            await self._report_back(live, (player,))

    async def are_present(self, live: LoadedRoom, why: Why) -> bool:
        """Return whether the humans are present without whom something that is due does not happen.

        Players who are missing for the next match are recorded as absent. Raises `ServiceError`.
        """
        if why == "restart" and not bots_only(live.state.table):
            missing = await self.missing(live)
            await self._report_gone(live, missing)
            return not missing
        shares = decode_shares(await self._side_channels.read_presence(live.key)).values()
        if any(share.watched for share in shares):
            return True
        return why == "bot" and await self._side_channels.was_visited(live.key)

    async def missing(self, live: LoadedRoom) -> Collection[PlayerId]:
        """Return which seated people are not present."""
        table = live.state.table
        people = [holder for holder in dict.fromkeys(table.seats) if holder and table.members[holder].bot is None]
        shares, visited = await asyncio.gather(
            self._side_channels.read_presence(live.key), self._side_channels.who_visited(live.key, people)
        )
        connections = PresenceCounts(decode_shares(shares).values()).devices
        return [player for player in people if not connections.get(player) and player not in visited]

    async def kept_until(self, key: RoomKey) -> Millis:
        """Return until when its creator's requests keep a room open; a time in the past if they do not."""
        return Millis(self._environment.now() + await self._side_channels.kept_open_for(key))


def is_connected(live: LoadedRoom, player: PlayerId) -> bool:
    """Return whether a player is known in this process to have a feed of the room open."""
    return live.presence is not None and bool(live.presence.devices.get(player))
