"""Random sequences of commands about invitations: none is used more often than it says, or after its end."""

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from service.domain.game import Rejected
from service.domain.ids import Millis, PlayerId
from service.domain.room.evolve import evolve
from service.domain.room.model import commands
from service.domain.room.model.commands import AnyCommand
from service.domain.room.model.events import InvitationMade
from service.domain.room.model.state import Room
from service.domain.room.process import run
from tests.domain.room.given_when_then import ANNA, BEN, NOON, code_of, context, given, join, new_room
from tests.domain.room.invitation_checks import check_invitations


class InvitationMachine(RuleBasedStateMachine):
    """A room in which nobody plays, and a clock that only moves forward."""

    @initialize()
    def open(self) -> None:
        """Let Anna and Ben be in a room."""
        opened = given(new_room("ternio", start="creator"), join(ANNA, 0), join(BEN))
        self.room, self.history, self.now = opened.room, list(opened.history), NOON
        self.draws = 0
        self.codes: dict[int, str] = {}

    def put(self, command: AnyCommand, by: PlayerId) -> None:
        """Send a command; a rejected one changes nothing."""
        self.draws += 1
        try:
            work = run(self.room, command, context(by, self.now, self.draws.to_bytes(32, "big")))
        except Rejected:
            return
        self.room = work.room
        self.history += work.recorded

    @rule(data=st.data(), uses=st.sampled_from((1, 2)), lasts=st.sampled_from((60_000, 120_000)))
    def invite(self, data: st.DataObject, uses: int, lasts: int) -> None:
        """Let a member make an invitation."""
        self.put(commands.Invite(uses, lasts), data.draw(st.sampled_from(list(self.room.table.members))))
        if isinstance(made := self.history[-1].event, InvitationMade):
            self.codes[made.invitation] = code_of(self.draws.to_bytes(32, "big"))

    @precondition(lambda self: self.codes)
    @rule(newest=st.booleans(), data=st.data())
    def join(self, newest: bool, data: st.DataObject) -> None:  # noqa: FBT001 - drawn by name
        """Let somebody join by an invitation, often by the newest one."""
        codes = list(self.codes.values())
        code = codes[-1] if newest else data.draw(st.sampled_from(codes))
        self.put(commands.Join("spectator", invitation=code), PlayerId(f"p-{self.draws}"))

    @precondition(lambda self: self.codes)
    @rule(by=st.sampled_from((ANNA, BEN)), data=st.data())
    def revoke(self, by: PlayerId, data: st.DataObject) -> None:
        """Let somebody revoke an invitation."""
        self.put(commands.RevokeInvitation(data.draw(st.sampled_from(list(self.codes)))), by)

    @precondition(lambda self: len(self.room.table.members) > 1)
    @rule(data=st.data(), kicked=st.booleans())
    def leave(self, data: st.DataObject, kicked: bool) -> None:  # noqa: FBT001 - drawn by name
        """Let somebody leave, or be removed by Anna."""
        player = data.draw(st.sampled_from([player for player in self.room.table.members if player != ANNA]))
        self.put(commands.Kick(player) if kicked else commands.Leave(), ANNA if kicked else player)

    @rule(seconds=st.sampled_from((1, 30, 60)))
    def wait(self, seconds: int) -> None:
        """Let time pass."""
        self.now = Millis(self.now + 1000 * seconds)

    @invariant()
    def invitations_admit_as_many_as_they_say(self) -> None:
        """And only while they are open."""
        check_invitations(self.history, self.room, self.now)

    @invariant()
    def the_events_are_everything(self) -> None:
        """Folding them from the start gives the same room."""
        room: Room | None = None
        for recorded in self.history:
            room = evolve(room, recorded)
        assert room == self.room


InvitationMachine.TestCase.settings = settings(
    max_examples=150,
    stateful_step_count=30,
    derandomize=True,
    database=None,
)
TestInvitations = InvitationMachine.TestCase
