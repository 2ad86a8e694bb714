"""Chat: lines of plain text in the rooms and in the lobby, which are stored outside the rooms' streams."""

import hashlib
import re
import unicodedata
from typing import Annotated

import msgspec
import structlog
from msgspec.structs import replace

from service.domain.ids import DAY, Millis, NameRef, Player, PlayerId, rfc3339
from service.domain.room.model.state import Table
from service.domain.room.subjects.seats import require_member
from service.domain.streams import IdempotencyKey
from service.rooms.feeds.frames import Audience, ChatLine
from service.store.player_names import ERASED, PlayerNames
from service.store.side_channels import Line, LineKey, SideChannels, Where, place_of_line
from service.streams.errors import ServiceError

log = structlog.get_logger()

LONGEST = 500
"""The maximum number of characters of a stored line."""

KEPT = 1000
"""About how many lines of a chat are kept, and for how many milliseconds."""
KEPT_FOR = Millis(30 * DAY)

KEY_KEPT_FOR = Millis(10 * 60 * 1000)
"""For how many milliseconds the idempotency key of a line is remembered."""
KEY_BYTES = 16

INVISIBLE = frozenset({"Cc", "Cf", "Cs", "Co", "Zl", "Zp"})
"""Categories of characters that are invisible, change the direction of others, or have no standard meaning."""

JOINERS = frozenset("\u200c\u200d")
"""Invisible characters that scripts and emoji need inside a word."""

VISIBLE = re.compile(r"[^\s\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200c\u200d\u2800\u3164\ufe00-\ufe0f\uffa0]")
"""A visible character."""

LineId = Annotated[str, msgspec.Meta(pattern=r"^[1-9][0-9]{0,14}-[0-9]{1,9}$")]


class StoredLine(msgspec.Struct, frozen=True):
    """A stored line."""

    player: PlayerId
    nickname: str
    """Empty in the store if there is a reference to it."""
    audience: Audience
    text: str
    """Empty if the player was erased."""
    name_ref: NameRef | msgspec.UnsetType = msgspec.UNSET
    """Where the nickname is stored; unset in lines of earlier releases."""
    bot: bool | msgspec.UnsetType = msgspec.UNSET
    """Whether the player was declared a bot; unset for people, and in lines of earlier releases."""


class ChatPage(msgspec.Struct, frozen=True):
    """A page of a chat, oldest line first."""

    lines: tuple[ChatLine, ...]
    """The lines, oldest first."""
    next: str | None
    """The `cursor` of the page before this one; with `since`, the `since` of the page after it."""


STORED_LINE = msgspec.json.Decoder(StoredLine)


def normalised_line(text: str) -> str:
    """Return a line normalised (NFC) and with single spaces. Raises `ServiceError` with `bad_line`."""
    line = " ".join(unicodedata.normalize("NFC", text).split())
    hidden = [each for each in line if unicodedata.category(each) in INVISIBLE and each not in JOINERS]
    if hidden or len(line) > LONGEST or not VISIBLE.search(line):
        raise ServiceError("bad_line", params={"longest": LONGEST})
    return line


def line_of(stored: Line, said: StoredLine, nickname: str) -> ChatLine:
    """Return a line in its wire form, with the nickname that is shown."""
    moment, _ = place_of_line(stored.id)
    text = "" if nickname == ERASED else said.text
    return ChatLine(stored.id, rfc3339(moment), Player(said.player, nickname, bool(said.bot)), said.audience, text)


def in_room(line: ChatLine, table: Table) -> ChatLine:
    """Return a line of a room with the room where it was written."""
    return replace(line, room=table.key.name, title=table.title)


def may_read_line(table: Table, player: PlayerId | None, audience: Audience) -> bool:
    """Return whether someone who may read the room may read a line for this audience."""
    member = None if player is None else table.members.get(player)
    return audience == "all" or (member is not None and member.role == "player") == (audience == "players")


def new_line(table: Table, player: Player, text: str) -> StoredLine:
    """Return the line of a member of a room. Raises `Rejected` if they may not write there."""
    _, member = require_member(table, player.id)
    if member.muted:
        raise ServiceError("muted")
    apart = table.settings.chat == "apart"
    audience: Audience = "all" if not apart else "players" if member.role == "player" else "spectators"
    return StoredLine(player.id, member.nickname, audience, text, member.name_ref, member.program or msgspec.UNSET)


def line_key(player: PlayerId, key: IdempotencyKey) -> LineKey:
    """Return the key of a player's line as the store remembers it."""
    named = hashlib.blake2b(f"{player}\n{key.value}".encode(), digest_size=KEY_BYTES).hexdigest()
    return LineKey(named, key.fingerprint, KEY_KEPT_FOR)


class Chat:
    """All chats of a store."""

    def __init__(self, side_channels: SideChannels, names: PlayerNames) -> None:
        self._side_channels = side_channels
        self._names = names

    async def line_of(self, stored: Line) -> ChatLine:
        """Return a line in its wire form. Raises `ValueError` for a damaged one."""
        said = STORED_LINE.decode(stored.data)
        return line_of(stored, said, await self._names.shown(said.player, said.nickname, said.name_ref))

    def line_now(self, stored: Line) -> ChatLine | None:
        """Return the same if the store is not needed for it, else None."""
        said = STORED_LINE.decode(stored.data)
        nickname = self._names.shown_now(said.player, said.nickname, said.name_ref)
        return None if nickname is None else line_of(stored, said, nickname)

    async def lobby_line(self, player: Player, text: str) -> StoredLine:
        """Return the line of a player in the lobby. Raises `Rejected` (`too_many_nicknames`)."""
        ref = await self._names.refer(player.id, player.nickname)
        return StoredLine(player.id, player.nickname, "all", text, ref, player.bot or msgspec.UNSET)

    async def add_line(
        self, where: Where, said: StoredLine, key: IdempotencyKey | None = None
    ) -> tuple[ChatLine, bool]:
        """Store a line, and send it to all subscribers. Return it, and whether it is the earlier one of its key.

        A player's keys are remembered for ten minutes. Raises `ServiceError` with `key_reused`.
        """
        once = None if key is None else line_key(said.player, key)
        stored = said if said.name_ref is msgspec.UNSET else replace(said, nickname="")
        added = await self._side_channels.add_line(where, msgspec.json.encode(stored), KEPT, KEPT_FOR, once)
        if key is not None and added.fingerprint not in {None, key.fingerprint}:
            raise ServiceError("key_reused")
        return await self.line_of(added.line), added.fingerprint is not None

    async def page(
        self, where: Where, limit: int, *, before: str | None = None, after: str | None = None
    ) -> tuple[list[ChatLine], str | None]:
        """Return up to `limit` lines, by default the latest, and the cursor of the next page.

        Damaged lines are left out.
        """
        found = await self._side_channels.read_lines(where, limit, before=before, after=after)
        lines = [line for each in found if (line := await self._readable(each)) is not None]
        more = len(found) == limit
        return lines, (found[-1 if after is not None else 0].id if more else None)

    async def _readable(self, stored: Line) -> ChatLine | None:
        """Return a line in its wire form, None for a damaged one, which is logged. Lines have no digest."""
        try:
            return await self.line_of(stored)
        except (ValueError, OverflowError) as failure:
            log.warning("chat_line_damaged", line=stored.id, error=str(failure))
            return None
