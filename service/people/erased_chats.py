"""The lines of chat of a player: their texts are deleted, their places stay."""

import msgspec
from msgspec.structs import replace

from service.domain.room.model.ids import PlayerId
from service.rooms.social.chat import STORED_LINE
from service.store.contract import Store
from service.store.side_channels import Line, Where

PAGE = 200
"""How many lines are read at a time."""


async def erase_lines(store: Store, player: PlayerId) -> int:
    """Delete the texts of a player in all chats; return how many there were."""
    count, cursor = 0, None
    while True:
        page = await store.admin_store.chats(cursor)
        for where in page.places:
            count += await erase_lines_at(store, where, player)
        cursor = page.next
        if cursor is None:
            return count


async def erase_lines_at(store: Store, where: Where, player: PlayerId) -> int:
    """Delete the texts of a player in one chat; return how many there were."""
    changed: dict[str, bytes] = {}
    last = "0-0"
    while lines := await store.side_channels.read_lines(where, PAGE, after=last):
        changed.update({line.id: data for line in lines if (data := erased(line, player)) is not None})
        last = lines[-1].id
    if changed:
        await store.side_channels.replace_lines(where, changed)
    return len(changed)


def erased(line: Line, player: PlayerId) -> bytes | None:
    """Return what replaces a line of a player; None for lines of others, erased ones and damaged ones."""
    try:
        said = STORED_LINE.decode(line.data)
    except ValueError:
        return None
    if said.player != player or (not said.text and not said.nickname):
        return None
    return msgspec.json.encode(replace(said, nickname="", text=""))
