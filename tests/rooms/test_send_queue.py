"""The send queue of one connection: in order, immediate while the peer keeps up, bounded when it does not."""

import asyncio
import gc

import pytest

from service.rooms.feeds.frames import OutgoingFrame
from service.rooms.feeds.send_queue import QUEUE, SendQueue
from tests.rooms.processes import run_pending


class Peer:
    """A socket that takes frames at once, or only when the test allows it."""

    def __init__(self) -> None:
        """Keep up at first."""
        self.received: list[str] = []
        self.lags: list[set[str]] = []
        self.overruns = 0
        self.ready = asyncio.Event()
        self.ready.set()
        self.failure: Exception | None = None
        self.queue = SendQueue(self, self._behind, self._overrun)

    @property
    def is_clear(self) -> bool:
        """Return whether the connection takes frames."""
        return self.ready.is_set()

    def write(self, frame: bytes) -> None:
        """Receive a frame, unless the peer has disconnected."""
        if self.failure is not None:
            raise self.failure
        self.received.append(frame.decode())

    async def cleared(self) -> None:
        """Wait like a transport whose buffer is full."""
        await self.ready.wait()

    def _behind(self, rooms: set[str]) -> None:
        self.lags.append(rooms)
        for room in sorted(rooms):
            self.queue.offer(OutgoingFrame(f"snapshot of {room}".encode(), room))

    async def _overrun(self) -> None:
        self.overruns += 1
        if self.failure is not None:
            raise self.failure

    def offer(self, *frames: str, room: str | None = "room") -> None:
        """Offer frames of a room."""
        for frame in frames:
            self.queue.offer(OutgoingFrame(frame.encode(), room))


def numbered(count: int, start: int = 0) -> list[str]:
    """Return so many frames."""
    return [str(number) for number in range(start, start + count)]


async def test_a_peer_that_keeps_up_receives_each_frame_at_once() -> None:
    """Before `offer` returns, so nothing is ever queued."""
    peer = Peer()
    for frame in numbered(QUEUE * 3):
        peer.offer(frame)
        assert peer.received[-1] == frame
    assert peer.received == numbered(QUEUE * 3)


async def test_frames_stay_in_order_when_the_peer_stops_and_continues() -> None:
    """The one before, those that waited, and those after."""
    peer = Peer()
    peer.offer("0")
    peer.ready.clear()
    peer.offer(*numbered(100, 1))
    assert peer.received == ["0"]
    peer.ready.set()
    await run_pending()
    peer.offer("101")
    assert peer.received == numbered(102)
    assert peer.lags == []


async def test_a_peer_that_stops_repeatedly_loses_nothing() -> None:
    """This is so as long as no more frames wait than allowed."""
    peer = Peer()
    for turn in range(20):
        peer.ready.clear()
        peer.offer(*numbered(50, turn * 50))
        peer.ready.set()
        await run_pending()
    assert peer.received == numbered(1000)


async def test_frames_offered_while_the_queue_is_sent_come_last() -> None:
    """The queue is sent one frame per turn when more is offered."""
    peer = Peer()
    peer.ready.clear()
    peer.offer(*numbered(5))
    peer.ready.set()
    for number in range(5, 40):
        await asyncio.sleep(0)
        peer.offer(str(number))
    await peer.queue.drained()
    assert peer.received == numbered(40)


async def test_drained_waits_for_offered_frames() -> None:
    """It returns at once where none waits."""
    peer = Peer()
    await peer.queue.drained()
    peer.ready.clear()
    peer.offer("0", "1")
    waiting = asyncio.create_task(peer.queue.drained())
    await run_pending()
    assert not waiting.done()
    peer.ready.set()
    await waiting
    assert peer.received == ["0", "1"]


async def test_a_slow_peer_is_resynced() -> None:
    """Once per room, instead of all frames of these rooms that waited; the others are kept, in order."""
    peer = Peer()
    peer.offer("sent")
    peer.ready.clear()
    peer.offer("reply 1", room=None)
    peer.offer(*numbered(QUEUE - 2), room="red")
    peer.offer("blue news", room="blue")
    assert peer.lags == []
    peer.offer("one too many", room="red")
    assert peer.lags == [{"red", "blue"}]
    peer.offer("reply 2", room=None)
    peer.ready.set()
    await peer.queue.drained()
    assert peer.received == ["sent", "reply 1", "snapshot of blue", "snapshot of red", "reply 2"]
    assert peer.overruns == 0


async def test_a_peer_that_is_too_slow_twice_is_disconnected() -> None:
    """It had not received the new snapshots when as many frames waited again."""
    peer = Peer()
    peer.ready.clear()
    peer.offer(*numbered(QUEUE * 2 + 1))
    await run_pending()
    assert (len(peer.lags), peer.overruns, peer.queue.gone) == (1, 1, True)
    peer.offer("after that")
    peer.ready.set()
    await run_pending()
    assert "after that" not in peer.received


async def test_a_peer_that_has_caught_up_may_be_slow_again() -> None:
    """The earlier resync no longer counts."""
    peer = Peer()
    for _ in range(3):
        peer.ready.clear()
        peer.offer(*numbered(QUEUE + 1))
        peer.ready.set()
        await run_pending()
        await peer.queue.drained()
    assert (len(peer.lags), peer.overruns) == (3, 0)


async def test_too_many_replies_disconnect_a_peer() -> None:
    """They cannot be replaced by a resync."""
    peer = Peer()
    peer.ready.clear()
    peer.offer(*numbered(QUEUE + 1), room=None)
    await run_pending()
    assert (peer.lags, peer.overruns, peer.queue.gone) == ([], 1, True)


@pytest.mark.parametrize("failure", [RuntimeError("closed"), OSError("reset")], ids=repr)
async def test_a_disconnected_peer_harms_no_other(failure: Exception) -> None:
    """An exception of the server is handled: the next peer receives its frame."""
    peer = Peer()
    peer.offer("0")
    peer.failure = failure
    peer.offer("1", "2")
    assert peer.queue.gone
    assert peer.received == ["0"]
    await peer.queue.drained()


async def test_a_peer_that_disconnects_while_frames_wait_harms_no_other() -> None:
    """The waiting frames are dropped."""
    peer = Peer()
    peer.ready.clear()
    peer.offer(*numbered(10))
    peer.failure = RuntimeError("closed")
    peer.ready.set()
    await run_pending()
    assert peer.queue.gone
    assert peer.received == []
    await peer.queue.drained()


async def test_a_closed_connection_sends_nothing_more() -> None:
    """It sends neither waiting frames nor new ones."""
    peer = Peer()
    peer.ready.clear()
    peer.offer(*numbered(10))
    peer.queue.close()
    peer.ready.set()
    peer.offer("late")
    await run_pending()
    assert peer.received == []


async def test_closing_a_connection_whose_peer_is_stuck_ends_it() -> None:
    """At once, before the sending task has run."""
    peer = Peer()
    peer.ready.clear()
    peer.offer("0", "1")
    peer.queue.close()
    await run_pending()
    assert peer.received == []
    assert [task for task in asyncio.all_tasks() if task is not asyncio.current_task()] == []


async def test_a_peer_that_disconnected_before_it_is_closed_harms_no_other() -> None:
    """Closing its socket fails, and the exception is handled."""
    reported: list[object] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: reported.append(context))
    peer = Peer()
    peer.ready.clear()
    peer.offer("0")
    peer.failure = RuntimeError("closed")
    peer.offer(*numbered(QUEUE * 2 + 2))
    await run_pending()
    peer.ready.set()
    await run_pending()
    del peer
    gc.collect()
    await run_pending()
    assert reported == []
