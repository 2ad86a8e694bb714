"""One connection's way out: in order, at once while the peer keeps up, bounded when it doesn't."""

import asyncio
import gc

import pytest

from service.rooms.feeds.frames import OutgoingFrame
from service.rooms.feeds.send_queue import QUEUE, SendQueue
from tests.rooms.processes import settle


class Peer:
    """A socket that takes frames, at once or when told to."""

    def __init__(self) -> None:
        """Keep up, for now."""
        self.took: list[str] = []
        self.fell_behind: list[set[str]] = []
        self.overruns = 0
        self.ready = asyncio.Event()
        self.ready.set()
        self.failure: Exception | None = None
        self.outbox = SendQueue(self, self._behind, self._overrun)

    @property
    def is_clear(self) -> bool:
        """Be a line that stops when told to."""
        return self.ready.is_set()

    def write(self, frame: bytes) -> None:
        """Take a frame, unless the peer has gone."""
        if self.failure is not None:
            raise self.failure
        self.took.append(frame.decode())

    async def cleared(self) -> None:
        """Wait like a transport whose buffer is full."""
        await self.ready.wait()

    def _behind(self, rooms: set[str]) -> None:
        self.fell_behind.append(rooms)
        for room in sorted(rooms):
            self.outbox.offer(OutgoingFrame(f"snapshot of {room}".encode(), room))

    async def _overrun(self) -> None:
        self.overruns += 1
        if self.failure is not None:
            raise self.failure

    def offer(self, *frames: str, room: str | None = "room") -> None:
        """Offer frames of a room."""
        for frame in frames:
            self.outbox.offer(OutgoingFrame(frame.encode(), room))


def numbered(count: int, start: int = 0) -> list[str]:
    """Return so many frames."""
    return [str(number) for number in range(start, start + count)]


async def test_a_peer_that_keeps_up_has_each_frame_at_once() -> None:
    """Before `offer` returns, so nothing is ever queued."""
    peer = Peer()
    for frame in numbered(QUEUE * 3):
        peer.offer(frame)
        assert peer.took[-1] == frame
    assert peer.took == numbered(QUEUE * 3)


async def test_frames_stay_in_order_when_the_peer_stops_and_goes_on() -> None:
    """The one before, those that waited, and those after."""
    peer = Peer()
    peer.offer("0")
    peer.ready.clear()
    peer.offer(*numbered(100, 1))
    assert peer.took == ["0"]
    peer.ready.set()
    await settle()
    peer.offer("101")
    assert peer.took == numbered(102)
    assert peer.fell_behind == []


async def test_a_peer_that_stops_again_and_again_loses_nothing() -> None:
    """Each time fewer frames wait than may."""
    peer = Peer()
    for turn in range(20):
        peer.ready.clear()
        peer.offer(*numbered(50, turn * 50))
        peer.ready.set()
        await settle()
    assert peer.took == numbered(1000)


async def test_frames_offered_while_waiting_ones_are_sent_come_after_them() -> None:
    """The queue is being emptied, one frame a turn, when more comes."""
    peer = Peer()
    peer.ready.clear()
    peer.offer(*numbered(5))
    peer.ready.set()
    for number in range(5, 40):
        await asyncio.sleep(0)
        peer.offer(str(number))
    await peer.outbox.drained()
    assert peer.took == numbered(40)


async def test_drained_waits_for_what_was_offered() -> None:
    """And for nothing where nothing waits."""
    peer = Peer()
    await peer.outbox.drained()
    peer.ready.clear()
    peer.offer("0", "1")
    waiting = asyncio.create_task(peer.outbox.drained())
    await settle()
    assert not waiting.done()
    peer.ready.set()
    await waiting
    assert peer.took == ["0", "1"]


async def test_a_peer_that_is_too_slow_is_told_afresh() -> None:
    """Of each room once, instead of everything that waited for these rooms; the rest is kept, in order."""
    peer = Peer()
    peer.offer("sent")
    peer.ready.clear()
    peer.offer("reply 1", room=None)
    peer.offer(*numbered(QUEUE - 2), room="red")
    peer.offer("blue news", room="blue")
    assert peer.fell_behind == []
    peer.offer("one too many", room="red")
    assert peer.fell_behind == [{"red", "blue"}]
    peer.offer("reply 2", room=None)
    peer.ready.set()
    await peer.outbox.drained()
    assert peer.took == ["sent", "reply 1", "snapshot of blue", "snapshot of red", "reply 2"]
    assert peer.overruns == 0


async def test_a_peer_that_is_too_slow_twice_is_let_go() -> None:
    """It had not caught up on the fresh snapshots when as much waited again."""
    peer = Peer()
    peer.ready.clear()
    peer.offer(*numbered(QUEUE * 2 + 1))
    await settle()
    assert (len(peer.fell_behind), peer.overruns, peer.outbox.gone) == (1, 1, True)
    peer.offer("after that")
    peer.ready.set()
    await settle()
    assert "after that" not in peer.took


async def test_a_peer_that_has_caught_up_may_be_slow_again() -> None:
    """Being told afresh is forgotten then."""
    peer = Peer()
    for _ in range(3):
        peer.ready.clear()
        peer.offer(*numbered(QUEUE + 1))
        peer.ready.set()
        await settle()
        await peer.outbox.drained()
    assert (len(peer.fell_behind), peer.overruns) == (3, 0)


async def test_replies_alone_can_be_too_many() -> None:
    """They can't be told afresh, so the peer is let go."""
    peer = Peer()
    peer.ready.clear()
    peer.offer(*numbered(QUEUE + 1), room=None)
    await settle()
    assert (peer.fell_behind, peer.overruns, peer.outbox.gone) == ([], 1, True)


@pytest.mark.parametrize("failure", [RuntimeError("closed"), OSError("reset")], ids=repr)
async def test_a_peer_that_has_gone_is_left_alone(failure: Exception) -> None:
    """Whatever the server raises stays here: the next peer gets its frame."""
    peer = Peer()
    peer.offer("0")
    peer.failure = failure
    peer.offer("1", "2")
    assert peer.outbox.gone
    assert peer.took == ["0"]
    await peer.outbox.drained()


async def test_a_peer_that_goes_while_frames_wait_is_left_alone() -> None:
    """The waiting ones are dropped."""
    peer = Peer()
    peer.ready.clear()
    peer.offer(*numbered(10))
    peer.failure = RuntimeError("closed")
    peer.ready.set()
    await settle()
    assert peer.outbox.gone
    assert peer.took == []
    await peer.outbox.drained()


async def test_a_connection_that_is_closed_sends_nothing_more() -> None:
    """Neither what waits nor what is offered."""
    peer = Peer()
    peer.ready.clear()
    peer.offer(*numbered(10))
    peer.outbox.close()
    peer.ready.set()
    peer.offer("late")
    await settle()
    assert peer.took == []


async def test_closing_a_connection_whose_peer_is_stuck_ends_it() -> None:
    """In the same breath, before the sending has had a turn of its own."""
    peer = Peer()
    peer.ready.clear()
    peer.offer("0", "1")
    peer.outbox.close()
    await settle()
    assert peer.took == []
    assert [task for task in asyncio.all_tasks() if task is not asyncio.current_task()] == []


async def test_a_peer_that_has_gone_when_it_is_let_go_harms_nobody() -> None:
    """Closing its socket fails, and nothing is left unheard in the loop."""
    reported: list[object] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: reported.append(context))
    peer = Peer()
    peer.ready.clear()
    peer.offer("0")
    peer.failure = RuntimeError("closed")
    peer.offer(*numbered(QUEUE * 2 + 2))
    await settle()
    peer.ready.set()
    await settle()
    del peer
    gc.collect()
    await settle()
    assert reported == []
