"""The application's only entry to challenges: making and answering them, and opening rooms for accepted ones."""

import asyncio
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Literal

import structlog

from service.domain.challenges import decide
from service.domain.challenges.decide import ChallengeContext, ChallengeRequest
from service.domain.challenges.kind import CHALLENGES
from service.domain.challenges.model import (
    Challenge,
    ChallengeId,
    ChallengeMade,
    Challenges,
    DeclineReason,
    Seated,
    SeatedBot,
    SeatedPlayer,
)
from service.domain.game import Event, Rejected
from service.domain.ids import Millis, Player, PlayerId
from service.domain.room.model.settings import BotSeat, OpenRoom
from service.people.matchmaking.arranged_rooms import ArrangedRooms, CannotEnter, agreed_settings
from service.people.matchmaking.blocks import Asking
from service.rooms.commands.requests import Environment
from service.rooms.service import RoomService
from service.store.contract import Store
from service.store.stream_keys import KindKey
from service.streams.processor import StreamProcessor
from service.streams.repository import StreamRepository

log = structlog.get_logger()

Standing = Literal["met", "stranger"]
"""As whom a player challenges another: they have played a match with each other, or not."""


class ChallengeService:
    """The challenges of a store, as one process serves them."""

    def __init__(
        self,
        store: Store,
        environment: Environment,
        rooms: RoomService,
        asking: Asking,
        new_id: Callable[[], str],
        size: int = 10_000,
    ) -> None:
        """Keep the challenges of up to `size` players in memory; `new_id` returns an unused id.

        `asking` decides who may be challenged.
        """
        self._names = store.player_names
        self._environment = environment
        self._rooms = ArrangedRooms(rooms)
        self._asking = asking
        self._new_id = new_id
        self._repository: StreamRepository[Challenges] = StreamRepository(store, CHALLENGES, size)
        self._processor = StreamProcessor(self._repository, environment.now)
        self._execute = self._processor.decide
        self.close = self._processor.close

    async def challenge(self, request: ChallengeRequest, by: Player) -> Challenge:
        """Ask others to play. Raises `Rejected`, `Invalid` and `ServiceError` (`busy`)."""
        seated = await self._as_seated(by)
        standings = {player: await self._standing(by.id, player) for player in set(request.asked)}
        unavailable = {player for player, standing in standings.items() if standing is None}
        strangers = {player for player, standing in standings.items() if standing == "stranger"}
        new_id, seed = self._new_id(), self._environment.seed()

        def decision(state: Challenges, now: Millis) -> list[Event]:
            context = ChallengeContext(seated, now, new_id, seed, unavailable, strangers)
            return decide.challenge(state, request, context)

        *_, record = await self._execute(key_of(by.id), decision)  # a summary may precede it
        if not isinstance(record.event, ChallengeMade):
            raise TypeError(type(record.event))
        return await self._names.named(record.event.challenge)

    async def _as_seated(self, player: Player) -> SeatedPlayer:
        """Return a player who takes part."""
        return SeatedPlayer(player.id, "", player.bot, await self._names.refer(player.id, player.nickname))

    async def _standing(self, by: PlayerId, player: PlayerId) -> Standing | None:
        """Return as whom a player challenges another; None if they cannot, whatever the reason is.

        One has blocked the other, the other does not admit them, or has received too many challenges.
        """
        have_met, is_blocked, challengers = await asyncio.gather(
            self._asking.have_met(player, by),
            self._asking.block_lists.is_blocked(by, player),
            self._asking.block_lists.challengers_of(player),
        )
        is_admitted = challengers == "everybody" or (challengers == "met" and have_met)
        has_room = await self._asking.can_be_asked(player, by_stranger=not have_met)
        if is_blocked or not is_admitted or not has_room:
            return None
        return "met" if have_met else "stranger"

    async def accept(self, challenge: ChallengeId, by: Player) -> None:
        """Accept a challenge. Raises `Rejected` (`no_such_challenge`), also if one of the two has blocked the other."""
        seated, key = await self._as_seated(by), key_in(challenge)
        if await self._asking.block_lists.is_blocked(by.id, PlayerId(key.id)):
            raise Rejected("no_such_challenge")
        await self._execute(key, lambda state, now: decide.accept(state, challenge, seated, now))

    async def decline(self, challenge: ChallengeId, by: PlayerId, reason: DeclineReason | None) -> None:
        """Decline a challenge. Raises `Rejected` (`no_such_challenge`)."""
        await self._execute(key_in(challenge), lambda state, now: decide.decline(state, challenge, by, reason, now))

    async def decline_all(self, received: Iterable[Challenge], by: PlayerId, reason: DeclineReason | None) -> None:
        """Decline those of these challenges that the player has neither made nor accepted."""
        for challenge in received:
            if challenge.by != by and not challenge.is_accepted_by(by):
                with suppress(Rejected):  # it has ended meanwhile
                    await self.decline(challenge.id, by, reason)

    async def withdraw(self, challenge: ChallengeId, by: PlayerId) -> None:
        """Withdraw a challenge of the player. Raises `Rejected` (`no_such_challenge`)."""
        await self._execute(key_of(by), lambda state, _: decide.withdraw(state, challenge))

    async def end_between(self, blocker: PlayerId, other: PlayerId) -> None:
        """End the open challenges of two players: those that the blocker made, and those in which they were asked."""
        for challenge in await self.made_by(blocker):
            if other in challenge.players:
                with suppress(Rejected):  # it has just ended
                    await self.withdraw(challenge.id, blocker)
        for challenge in await self.made_by(other):
            if blocker in challenge.players:
                with suppress(Rejected):  # it has just ended
                    await self.decline(challenge.id, blocker, None)

    async def discard(self, player: PlayerId) -> None:
        """Withdraw all challenges that a player made, decline those of others, and delete what is stored of them."""
        for challenge in await self.made_by(player):
            with suppress(Rejected):  # it has ended meanwhile
                await self.withdraw(challenge.id, player)
        await self._processor.discard(key_of(player))

    async def made_by(self, player: PlayerId) -> list[Challenge]:
        """Return the open challenges that a player made, the oldest first."""
        made = (await self._repository.current(key_of(player))).state.open.values()
        return [await self._names.named(challenge) for challenge in made]

    # Serve as a worker

    async def proceed(self, key: KindKey) -> None:
        """End a player's challenges that expired, and open the rooms of those that were accepted."""
        await self._execute(key, decide.expire)
        for challenge in decide.accepted((await self._repository.current(key)).state):
            await self._open(key, challenge)
        await self._processor.proceed(key)

    async def _open(self, key: KindKey, challenge: Challenge) -> None:
        """Open the room of a challenge; the same room if that was interrupted before."""
        settings = agreed_settings(challenge.clock, rated=challenge.rated, visibility="unlisted")
        request = OpenRoom(challenge.game, options=challenge.options, settings=settings)
        try:
            seats = (await self._names.named(challenge)).seats
            room = await self._rooms.open(f"challenge {challenge.id}", request, list(players_of(seats)))
        except CannotEnter as refused:
            player, code = refused.player, refused.code
            log.info("challenge_refused", challenge=challenge.id, player=player, code=code)
            await self._execute(key, lambda state, _: decide.refuse(state, challenge.id, player, code))
        else:
            await self._execute(key, lambda state, _: decide.opened(state, challenge.id, room.name, room.epoch))


def key_of(player: PlayerId) -> KindKey:
    """Return the key of the stream of a player's challenges."""
    return KindKey("challenges", player)


def key_in(challenge: ChallengeId) -> KindKey:
    """Return the key of the stream in which a challenge is. Raises `Rejected` (`no_such_challenge`)."""
    _, dot, by = challenge.partition(".")
    if not dot or not by:
        raise Rejected("no_such_challenge")
    return key_of(PlayerId(by))


def players_of(seats: Iterable[Seated]) -> Iterable[Player | BotSeat]:
    """Yield who gets which seat of the room."""
    for each in seats:
        if isinstance(each, SeatedBot):
            yield BotSeat(each.level)
        elif each.nickname is not None:
            yield Player(each.player, each.nickname, each.bot)
