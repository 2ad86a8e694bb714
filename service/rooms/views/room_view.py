"""Rooms in their wire form, as one viewer may see them."""

from typing import Any

import msgspec
from msgspec import UNSET, UnsetType

from service.domain.ids import Millis, Version, rfc3339
from service.domain.room.model.state import Room
from service.domain.room.subjects.lifecycle import NOT_KEPT, expires_at
from service.domain.room.subjects.matches import restart_at
from service.rooms.presence_counts import PresenceCounts
from service.rooms.views.match_view import MatchView, MatchViews, Viewer
from service.rooms.views.patches import Operations, add_field_operations, add_operations, paths_at, replacement
from service.rooms.views.table_view import OfferView, TableView, offer_view, table_json


class RoomView(TableView, frozen=True):
    """A room at one version, as one viewer may see it."""

    version: Version
    match: MatchView | None
    """The running match, or the latest one until the next one starts; null before the first."""
    offers: tuple[OfferView, ...]
    restart_at: str | None
    """When the next match begins by itself; null if it does not, or waits for somebody, see `waiting_for`."""
    server_time: str
    expires_at: str | UnsetType = UNSET
    """When the room closes unless its creator sends another request for it; absent once anybody else has entered."""


class Now(msgspec.Struct, frozen=True):
    """The fields that `RoomView` adds to `TableView`, which are encoded separately."""

    version: Version
    match: MatchView | None
    offers: tuple[OfferView, ...]
    restart_at: str | None
    server_time: str
    expires_at: str | UnsetType = UNSET


NOW_PATHS = paths_at("", "offers", "restart_at", "expires_at")
"""The paths of the fields of `Now` that seldom change."""


class Views:
    """The views of a room at one version and time. Viewers with different knowledge share the public parts."""

    def __init__(self, room: Room, now: Millis, expires: Millis | None) -> None:
        """`expires` is when the room closes if only its creator has entered it."""
        self.room, self.now, self.expires = room, now, expires
        self.match = None if room.match is None else MatchViews(room.match, now)
        restarts, offers = restart_at(room), room.table.offers
        self.version, self.server_time = room.version, rfc3339(now)
        self.fields = (
            tuple([offer_view(room, offer) for offer in offers]) if offers else (),
            None if restarts is None else rfc3339(restarts),
            UNSET if expires is None else rfc3339(expires),
        )
        """Those of `Now` that seldom change."""
        self._json: dict[Viewer, bytes] = {}
        self.changes: tuple[Views | None, Operations] = None, []

    def json(self, viewer: Viewer) -> bytes:
        """Return the fields that `RoomView` adds to `TableView` for a viewer, without the opening brace."""
        known = self._json.get(viewer)
        if known is None:
            match = None if self.match is None else self.match.with_state(viewer)
            offers, restarts, expires = self.fields
            shown = Now(self.version, match, offers, restarts, self.server_time, expires)
            known = self._json[viewer] = msgspec.json.encode(shown)[1:]
        return known

    def changes_since(self, old: "Views", viewer: Viewer) -> Operations:
        """Return the operations of a JSON Patch that turn an earlier `json` of a viewer into this one."""
        changes = self._shared_changes(old).copy()
        before, after = old.match, self.match
        if after is None:
            add_operations(changes, b"/match", before and before.with_state(viewer), None)
        elif before is None or before.match.number != after.match.number:
            changes.append(replacement(b"/match", after.with_state(viewer)))
        else:
            after.add_own_changes(changes, before, viewer)
        return changes

    def _shared_changes(self, old: "Views") -> Operations:
        """Return the changes of the public parts, computed once for the views that were shown before."""
        earlier, changes = self.changes
        if earlier is not old:
            changes = [
                b'{"op":"replace","path":"/version","value":%d}' % self.version,
                b'{"op":"replace","path":"/server_time","value":"%b"}' % self.server_time.encode(),
            ]
            if old.fields != self.fields:
                add_field_operations(changes, NOW_PATHS, old.fields, self.fields)
            before, after = old.match, self.match
            if before is not None and after is not None and before.match.number == after.match.number:
                after.add_shared_changes(changes, before)
            self.changes = old, changes
            old.changes = None, []  # which releases the views before those
        return changes


FRESH = 20
"""For how many milliseconds a view is shown again, as in a reply after the updates of the same command.

It contains the time at which it was made.
"""


class LatestViews:
    """Caches the views of the latest room, because a reply and the updates after it have the same one."""

    def __init__(self) -> None:
        """Start with an empty cache."""
        self._latest: Views | None = None

    def of(self, room: Room, now: Millis, kept_until: Millis) -> Views:
        """Return the views of a room at a time; `kept_until` is that of `expires_at`."""
        latest, expires = self._latest, None if room.table.others_entered else expires_at(room, kept_until)
        if (
            latest is None
            or latest.room is not room
            or latest.expires != expires
            or not latest.now <= now <= latest.now + FRESH
        ):
            latest = self._latest = Views(room, now, expires)
        return latest


latest_views = LatestViews()


class SentView(msgspec.Struct, frozen=True, eq=False):
    """A `RoomView` in its wire form, for one viewer; the next patch is based on the one that was sent."""

    viewer: Viewer
    table: bytes
    """The fields of `TableView`, as `table_json` returns them."""
    views: Views

    @property
    def json(self) -> bytes:
        """A `RoomView` on the wire."""
        return self.table + self.views.json(self.viewer)

    def patch_json(self, old: "SentView") -> bytes:
        """Return the JSON Patch (RFC 6902) that turns an earlier view of the same viewer into this one."""
        changes = self.views.changes_since(old.views, self.viewer)
        if self.table != old.table:
            add_operations(changes, b"", table_fields(old.table), table_fields(self.table))
        return b"[" + b",".join(changes) + b"]"


def view_for(
    viewer: Viewer, room: Room, now: Millis, presence: PresenceCounts | None = None, kept_until: Millis = NOT_KEPT
) -> SentView:
    """Return a room as a viewer may see it; for other viewers the view has the same `table` and `views`."""
    return SentView(viewer, table_json(room.table, presence), latest_views.of(room, now, kept_until))


def table_fields(beginning: bytes) -> dict[str, Any]:
    """Return the fields of a `TableView` from what `table_json` returned."""
    return msgspec.json.decode(beginning[:-1] + b"}", type=dict[str, Any])
