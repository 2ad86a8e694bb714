"""Whether the matches of a room were drawn from the seeds whose hashes were published before.

The events hold everything that is needed, so clients can make the same check with what they see.
"""

import msgspec

from service.domain.chance import seed_hash
from service.domain.room.model import events
from service.domain.room.model.events import Recorded


class Commitments(msgspec.Struct):
    """What is known about a room's seeds after some of its events, which have to be checked from the first one on."""

    next_hash: str | None = None
    """The published hash of the next match's seed; None during a match, and if an earlier release published none."""
    match_hash: str | None = None
    """The hash of the running match's seed."""
    published: bool = False
    """Whether the room opened, or its latest match ended, under a release that publishes the hash of the next seed."""

    def check(self, recorded: Recorded) -> str | None:
        """Check the next event, and return which commitment it breaks; None if it breaks none."""
        match recorded.event:
            case events.RoomOpened(next_seed_hash=first):
                self.published, self.next_hash = bool(first), first or None
            case events.PlayerReadied(salt=str()) if self.published and self.next_hash is None:
                return "a salt was accepted before the hash of its match's seed was published"
            case events.MatchStarted(seed_hash=repeated):
                committed, self.next_hash, self.match_hash = self.next_hash, None, repeated
                if committed not in {None, repeated}:
                    return "the match's seed is not the one whose hash was published before"
            case events.MatchEnded(seed=seed, next_seed_hash=following):
                self.published, self.next_hash = bool(following), following or None
                if seed_hash(bytes.fromhex(seed)) != self.match_hash:
                    return "the seed shown is not the one whose hash was published"
        return None
