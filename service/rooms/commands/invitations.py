"""The codes of invitations, and the way from a code to its room.

A code is 128 bits of a keyed hash (HMAC-SHA-256) of the random bytes in its `invitation_made`. So neither the store nor
the key alone reveals a code, and its creator can receive it again, although only its hash is stored.
"""

import hmac
import re
from base64 import urlsafe_b64encode
from collections.abc import Sequence
from typing import NamedTuple

from service.domain.game import Rejected
from service.domain.ids import DAY, Millis, RoomKey
from service.domain.room.model.events import (
    CODE_BYTES,
    Invitation,
    InvitationMade,
    InvitationSecret,
    Recorded,
    code_hash,
)
from service.domain.room.subjects.invitations import find_invitation
from service.rooms.commands.requests import CommandResult, Environment
from service.rooms.repository import LoadedRoom, RoomRepository
from service.store.side_channels import SideChannels

REMEMBERED = Millis(DAY)
"""How long after its expiry the room of a code is still found, so that its holder learns that it has expired."""

CODE = re.compile(r"[A-Za-z0-9_-]{22}", re.ASCII)
"""The form of codes; nothing else is looked up."""


class InvitationCodes:
    """Derives codes."""

    def __init__(self, keys: Sequence[bytes]) -> None:
        """Derive new codes with the first key; codes that were derived with the others are known, too."""
        self._keys = keys

    def secret(self, entropy: bytes) -> InvitationSecret:
        """Return what is stored of a new invitation's code, derived from random bytes."""
        nonce = entropy[:CODE_BYTES]
        return InvitationSecret(code_hash(derive(self._keys[0], nonce)), nonce.hex())

    def code(self, secret: InvitationSecret) -> str | None:
        """Return the code of an invitation; None if it was derived with a key that is no longer known."""
        codes = (derive(key, bytes.fromhex(secret.nonce)) for key in self._keys)
        return next((code for code in codes if code_hash(code) == secret.hash), None)


def derive(key: bytes, nonce: bytes) -> str:
    """Return the code of an invitation with these random bytes: 22 characters that need no escape in an address."""
    return urlsafe_b64encode(hmac.digest(key, nonce, "sha256")[:CODE_BYTES]).rstrip(b"=").decode()


async def remember_invitations(side_channels: SideChannels, key: RoomKey, recorded: Sequence[Recorded]) -> None:
    """Record which room the codes of new invitations lead to. Written before their events, so that no code is lost."""
    for made in (each.event for each in recorded):
        if isinstance(made, InvitationMade):
            await side_channels.record_invitation(made.hash or "", key, Millis(made.expires_ms + REMEMBERED))


class Invited(NamedTuple):
    """An invitation and its room."""

    live: LoadedRoom
    invitation: Invitation


class Invitations:
    """Finds invitations by their codes."""

    def __init__(self, repository: RoomRepository, environment: Environment, codes: InvitationCodes) -> None:
        self._repository = repository
        self._side_channels = repository.store.side_channels
        self._environment = environment
        self._codes = codes

    def new_secret(self) -> InvitationSecret:
        """Return what is stored of a new invitation's code."""
        return self._codes.secret(self._environment.seed())

    def code(self, invitation: Invitation) -> str | None:
        """Return the code of an invitation, only for its creator."""
        return self._codes.code(invitation.secret)

    def made_by(self, answer: CommandResult) -> tuple[int, str] | None:
        """Return the number and the code of the invitation that a command created, None if it created none."""
        for recorded in answer.recorded:
            made = recorded.event
            if isinstance(made, InvitationMade):
                code = self._codes.code(InvitationSecret(made.hash or "", made.nonce or ""))
                return None if code is None else (made.invitation, code)
        return None

    async def find(self, code: str) -> Invited:
        """Return the invitation with this code, open or ended, and change nothing.

        Raises `Rejected` (`no_such_invitation`).
        """
        key = await self._side_channels.find_invitation(code_hash(code)) if CODE.fullmatch(code) else None
        live = None if key is None else await self._repository.find(key)
        found = None if live is None else find_invitation(live.state.table, code)
        if live is None or found is None:
            raise Rejected("no_such_invitation")
        return Invited(live, found)
