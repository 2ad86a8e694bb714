"""A worker whose bots play any legal move at once, in the test's own process."""

from typing import Any

from service.bot_engine.fair_queue import Claimant
from service.bot_engine.messages import Question
from service.bot_engine.pool import stand_in
from service.workers.bots import Bots
from service.workers.worker import Worker
from tests.rooms.processes import Process

KEY = b"a key that no client knows"


class Guessing:
    """A thinker that does not think; it remembers what it was asked."""

    def __init__(self) -> None:
        """Begin without any question."""
        self.asked: list[Question] = []
        self.claimants: list[Claimant] = []

    async def move(self, question: Question, claimant: Claimant) -> dict[str, Any]:
        """Return any legal move."""
        self.claimants.append(claimant)
        self.asked.append(question)
        return stand_in(question)

    async def accepts_draw(self, question: Question, claimant: Claimant) -> bool:
        """Agree to every draw."""
        self.claimants.append(claimant)
        self.asked.append(question)
        return True


def worker_of(process: Process, thinker: Guessing | None = None) -> Worker:
    """Return a worker in this process."""
    return Worker(process.rooms, Bots(process.rooms, thinker or Guessing(), KEY))
