"""Chat: plain lines in the rooms and in the lobby, kept beside the rooms' streams and never in them."""

import re
import unicodedata
from typing import Annotated

import msgspec
import structlog

from service.domain.room.model.ids import Millis, PlayerId
from service.domain.room.model.state import Table
from service.domain.room.subjects.guards import require_member
from service.rooms.errors import ServiceError
from service.rooms.player import Player
from service.rooms.views.chat_line import Audience, ChatLine
from service.rooms.views.timestamps import rfc3339
from service.store.side_channels import Line, SideChannels, Where, place_of_line

log = structlog.get_logger()

LONGEST = 500
"""Characters of a line, as it is kept."""

KEPT = 1000
"""About how many lines of a chat are kept, and for how long."""
KEPT_FOR = Millis(30 * 24 * 3600 * 1000)

UNSEEN = frozenset({"Cc", "Cf", "Cs", "Co", "Zl", "Zp"})
"""Categories of characters that show nothing, change the direction of others, or mean something else everywhere."""

JOINERS = frozenset("\u200c\u200d")
"""Invisible ones that scripts and emoji need inside a word."""

SHOWN = re.compile(r"[^\s\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200c\u200d\u2800\u3164\ufe00-\ufe0f\uffa0]")
"""A character that can be seen."""

LineId = Annotated[str, msgspec.Meta(pattern=r"^[1-9][0-9]{0,14}-[0-9]{1,9}$")]


class StoredLine(msgspec.Struct, frozen=True):
    """A line as the store keeps it."""

    player: PlayerId
    nickname: str
    audience: Audience
    text: str


class ChatPage(msgspec.Struct, frozen=True):
    """A page of a chat in the order in which it was said."""

    lines: tuple[ChatLine, ...]
    next: str | None
    """Where the page before this one ends, as `cursor`; with `since`, where the page after it begins, as `since`."""


SAID = msgspec.json.Decoder(StoredLine)


def normalised_line(text: str) -> str:
    """Return a line as it is kept: normalised (NFC), spaces single. Refuses `bad_line`."""
    line = " ".join(unicodedata.normalize("NFC", text).split())
    hidden = [each for each in line if unicodedata.category(each) in UNSEEN and each not in JOINERS]
    if hidden or len(line) > LONGEST or not SHOWN.search(line):
        raise ServiceError("bad_line", params={"longest": LONGEST})
    return line


def line_of(stored: Line) -> ChatLine:
    """Return a line in the shape of the wire."""
    said = SAID.decode(stored.data)
    moment, _ = place_of_line(stored.id)
    return ChatLine(stored.id, rfc3339(moment), Player(said.player, said.nickname), said.audience, said.text)


def readable_line(stored: Line) -> ChatLine | None:
    """Return a line in the shape of the wire, None for a damaged one, which is logged. Lines carry no digest."""
    try:
        return line_of(stored)
    except (ValueError, OverflowError) as failure:
        log.warning("chat_line_damaged", line=stored.id, error=str(failure))
        return None


def is_player(table: Table, player: PlayerId | None) -> bool:
    """Tell whether somebody is in the room to play."""
    return player is not None and player in table.members and table.members[player].role == "player"


def can_hear(table: Table, player: PlayerId | None, audience: Audience) -> bool:
    """Tell whether somebody who may read the room may read a line for this audience."""
    return audience == "all" or is_player(table, player) == (audience == "players")


def line_said_by(table: Table, player: Player, text: str) -> StoredLine:
    """Return what a member of a room says. Raises `Rejected` for who may not speak there."""
    _, member = require_member(table, player.id)
    if member.muted:
        raise ServiceError("muted")
    apart = table.settings.chat == "apart"
    audience: Audience = "all" if not apart else "players" if member.role == "player" else "spectators"
    return StoredLine(player.id, member.nickname, audience, text)


class Chat:
    """All chats of a store."""

    def __init__(self, beside: SideChannels) -> None:
        """Keep the lines in this store."""
        self._beside = beside

    async def add_line(self, where: Where, said: StoredLine) -> ChatLine:
        """Keep a line and tell it to everyone who listens."""
        data = msgspec.json.encode(said)
        return line_of(await self._beside.add_line(where, data, KEPT, KEPT_FOR))

    async def page(
        self, where: Where, limit: int, *, before: str | None = None, after: str | None = None
    ) -> tuple[list[ChatLine], str | None]:
        """Return up to `limit` lines, the latest unless said otherwise, and where the next page goes on.

        Damaged lines are left out.
        """
        found = await self._beside.read_lines(where, limit, before=before, after=after)
        lines = [line for line in map(readable_line, found) if line is not None]
        more = len(found) == limit
        return lines, (found[-1 if after is not None else 0].id if more else None)
