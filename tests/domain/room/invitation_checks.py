"""What is true of the invitations in every history of a room."""

from collections import Counter
from collections.abc import Sequence

from service.domain.ids import Millis
from service.domain.room.model import events
from service.domain.room.model.events import MOST_ENDED, MOST_OPEN, InvitationMade, InvitationRevoked, Recorded
from service.domain.room.model.state import Room


def check_invitations(history: Sequence[Recorded], room: Room, now: Millis) -> None:
    """Check that no invitation admitted more than its uses, or anybody after it ended, and that few are known."""
    made: dict[int, Recorded] = {}
    used: Counter[int] = Counter()
    ended: set[int] = set()
    for recorded in history:
        event = recorded.event
        if isinstance(event, InvitationMade):
            made[event.invitation] = recorded
        elif isinstance(event, InvitationRevoked):
            ended.add(event.invitation)
        elif isinstance(event, events.PlayerLeft | events.PlayerKicked):
            ended |= {number for number, each in made.items() if each.by == event.player}
        elif isinstance(event, events.PlayerJoined) and event.invitation:
            invitation = made[event.invitation].event
            assert isinstance(invitation, InvitationMade)
            used[event.invitation] += 1
            assert event.invitation not in ended
            assert used[event.invitation] <= invitation.uses
            assert recorded.time < made[event.invitation].time + invitation.expires_ms
    known = room.table.invitations
    assert sum(each.end_reason(now) is None for each in known) <= MOST_OPEN
    assert len(known) <= MOST_OPEN + MOST_ENDED + 1
    assert all(each.used == used[each.number] for each in known)
