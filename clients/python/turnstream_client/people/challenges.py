"""Challenges: asking particular players to play."""

from typing import Literal
from urllib.parse import quote

from turnstream_client.requests import Requests
from turnstream_client.schema import Challenge, ChallengeRequest, ChallengeSettings, Decline, OpenChallenges

CHALLENGERS = "/v1/players/me/challengers"

Challengers = Literal["everybody", "met", "nobody"]
"""Who may challenge a player."""


class Challenges:
    """`client.challenges`. Every method raises `RefusedError` and `UnreachableError`.

    Challenges and answers arrive in the own feed: `ChallengeMadeEvent`, `ChallengeOpenedEvent` with the room, ...
    """

    def __init__(self, requests: Requests) -> None:
        """Send requests as this player; `Client` does this."""
        self._requests = requests

    async def make(self, request: ChallengeRequest) -> Challenge:
        """Ask others to play, such as `ChallengeRequest("morris", ["p-aaaaaaaaaaaaaaaa"])`."""
        made: Challenge = await self._requests.post("/v1/challenges", request, Challenge)
        return made

    async def open(self) -> OpenChallenges:
        """Return the open challenges that this player made, and those that others made."""
        found: OpenChallenges = await self._requests.get("/v1/players/me/challenges", OpenChallenges)
        return found

    async def accept(self, challenge: str) -> None:
        """Accept a challenge. When all have, `ChallengeOpenedEvent` names the room in which to be `ready`."""
        await self._requests.post(f"{path_of(challenge)}/accept", {}, None)

    async def decline(self, challenge: str, decline: Decline | None = None) -> None:
        """Decline a challenge, which ends it for everybody; `Decline("not_now")` gives a reason."""
        await self._requests.post(f"{path_of(challenge)}/decline", decline or Decline(), None)

    async def decline_all(self, decline: Decline | None = None) -> None:
        """Decline all challenges that this player has received and not accepted."""
        await self._requests.post("/v1/players/me/challenges/decline", decline or Decline(), None)

    async def challengers(self) -> Challengers:
        """Return who may challenge this player: everybody, those whom they have met, or nobody."""
        found: ChallengeSettings = await self._requests.get(CHALLENGERS, ChallengeSettings)
        return found.challengers

    async def admit(self, challengers: Challengers) -> None:
        """Choose who may challenge this player; others are refused as if this player had blocked them."""
        await self._requests.put(CHALLENGERS, ChallengeSettings(challengers), ChallengeSettings)

    async def withdraw(self, challenge: str) -> None:
        """Withdraw a challenge that this player made."""
        await self._requests.delete(path_of(challenge))


def path_of(challenge: str) -> str:
    """Return the path of a challenge."""
    return f"/v1/challenges/{quote(challenge, safe='')}"
