"""The exceptions of this library."""

from turnstream_client.schema import Code, Problem


class TurnstreamError(Exception):
    """The base class of all exceptions of this library."""


class RefusedError(TurnstreamError):
    """The server refused a request; `code` is stable, and `GET /v1/codes` lists all codes."""

    def __init__(self, problem: Problem) -> None:
        """Raise with the server's answer."""
        super().__init__(f"{problem.code}: {problem.detail}")
        self.problem = problem

    @property
    def code(self) -> Code | str:
        """Why it was refused, such as `not_your_turn`."""
        return self.problem.code

    @property
    def status(self) -> int:
        """The HTTP status, also for requests over a socket."""
        return self.problem.status


class UnreachableError(TurnstreamError):
    """No answer came within the client's patience, so whether the request was executed is unknown."""


class FeedClosedError(TurnstreamError):
    """The server closed the socket with a code that prevents resuming, such as 4100 for an invalid token."""

    def __init__(self, code: int, reason: str) -> None:
        """Raise with the contents of the close frame."""
        super().__init__(f"the server closed the socket: {code} {reason}")
        self.code = code
        self.reason = reason


class RoomReplacedError(TurnstreamError):
    """The room was closed, and another one has its name."""


class EventsMissedError(TurnstreamError):
    """Events are missing, because history changed or the client was too slow. Start again from the room's view."""

    def __init__(self, reason: str) -> None:
        """Raise with the reason of the snapshot: `history_changed` or `too_slow`."""
        super().__init__(f"events are missing: {reason}")
        self.reason = reason


class GapError(TurnstreamError):
    """Something between two frames did not arrive; resuming after the last event brings it."""


class UnreadableError(TurnstreamError):
    """The server sent something that this release cannot read, such as the view of a game that it does not know."""
