"""The players of other issuers, as the claims of their tokens describe them."""

import base64
import hashlib

import msgspec

from service.domain.accounts.model import ALL_SCOPES, Scope
from service.domain.game import Rejected
from service.domain.ids import Millis, PlayerId
from service.domain.room.model.names import NICKNAME_LENGTH, is_visible, new_nickname, normalize

DEFAULT_SCOPES: frozenset[Scope] = frozenset(("read", "play", "chat"))
"""The scopes of a token without the claim `scope`."""

ID_BYTES = 10

LONGEST_NAME = 200
"""How many characters of a name are read."""


class UnusableToken(Exception):  # noqa: N818 - the front end's error, which the text explains to its author
    """The signature of a token is valid, but a claim cannot be used."""


class ForeignPlayer(msgspec.Struct, frozen=True):
    """A player as the token of an issuer describes them."""

    id: PlayerId
    nickname: str
    scopes: frozenset[Scope]
    expires: Millis
    """When the token ends, including the leeway."""


def player_id(issuer: str, subject: str) -> PlayerId:
    """Return the id of a player of an issuer, in the form of other players' ids. It never changes."""
    material = msgspec.json.encode((issuer, subject))
    digest = hashlib.blake2b(material, digest_size=ID_BYTES, person=b"foreign player").digest()
    return PlayerId("p-" + base64.b32encode(digest).decode().lower())


def nickname(name: object, player: PlayerId) -> str:
    """Return a nickname by the rules of this service that is as close as possible to a name."""
    letters = normalize(name[:LONGEST_NAME]) if isinstance(name, str) else ""
    visible = "".join(letter for letter in letters if is_visible(letter))
    try:
        return new_nickname(visible[:NICKNAME_LENGTH])
    except Rejected:
        return f"Player {player[2:6]}"


def scopes(claim: object) -> frozenset[Scope]:
    """Return the scopes that the claim `scope` names, separated by spaces; the default ones without the claim."""
    if claim is None:
        return DEFAULT_SCOPES
    named = claim.split() if isinstance(claim, str) else []
    return frozenset(scope for scope in ALL_SCOPES if scope in named)
