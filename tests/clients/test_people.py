"""Accounts, challenges, bots and webhooks in both libraries, against a real service with a worker."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from typing import TypeVar, get_args

import pytest
from turnstream_client import Client, OwnFeed, RefusedError
from turnstream_client.people.players import WantedMatches
from turnstream_client.schema import (
    BotRegistration,
    ChallengeDeclinedEvent,
    ChallengeEndedEvent,
    ChallengeMadeEvent,
    ChallengeOpenedEvent,
    ChallengeRequest,
    Decline,
    FischerClock,
    MadeWebhook,
    MorrisOpenRoomRequest,
    MorrisPlaceMove,
    NewTournament,
    PerMoveClock,
    PlayCommand,
    PlayerEvent,
    ReportRequest,
    RequestedSettings,
    ResignCommand,
    TokenRequest,
    WebhookChange,
    WebhookRequest,
)

from service.domain.game import Level
from tests.clients.node import needs_node
from tests.clients.test_javascript import PROGRAMS, printed, start
from tests.clients.test_python import QUICK, guest
from tests.e2e.endpoint import Endpoint, Message, run_endpoint
from tests.e2e.processes import ApiProcess, ServiceProcess, run_processes
from tests.store_server import StoreServer

E = TypeVar("E", bound=PlayerEvent)
LOCAL = {"webhook_http": "true", "webhook_networks": "127.0.0.0/8"}


@pytest.fixture(scope="module")
def url(shared_server: StoreServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Return the address of a service that also sends webhooks, to endpoints on this machine."""
    shared_server.execute("FLUSHDB")
    folder = tmp_path_factory.mktemp("service")
    api = ApiProcess(shared_server.url, folder / "api", webhook_http="true")
    worker = ServiceProcess("service worker --webhooks", shared_server.url, folder / "worker", **LOCAL)
    with run_processes(api, worker):
        yield api.url


async def test_a_token_is_made_for_a_program_and_revoked(url: str) -> None:
    """It can do what its scopes say, and the list has it without its secret."""
    async with await guest(url, "Ada") as ada:
        made = await ada.account.make_token(TokenRequest("My bot", ["read"], expires_days=1))
        async with Client(url, made.token, retries=QUICK) as bot:
            assert await bot.player() == await ada.player()
            with pytest.raises(RefusedError, match="scope_missing"):
                await bot.open_room(MorrisOpenRoomRequest())
        [entry] = (await ada.account.tokens()).tokens
        assert (entry.id, entry.name, entry.scopes, entry.current) == (made.entry.id, "My bot", ["read"], False)
        await ada.account.revoke_token(entry.id)
        assert (await ada.account.tokens()).tokens == []


async def test_codes_let_a_player_in_on_another_device(url: str) -> None:
    """A link code beside the first device, a recovery code in its place."""
    async with await guest(url, "Ada") as ada, Client(url, retries=QUICK) as phone, Client(url, retries=QUICK) as found:
        code = (await ada.account.make_link_code()).code
        assert (await phone.account.use_link_code(code, "Phone")).entry.name == "Phone"
        assert await phone.player() == await ada.player()
        await phone.account.sign_out_elsewhere()
        assert [entry.name for entry in (await phone.account.tokens()).tokens] == ["Phone"]
        kept = (await phone.account.make_recovery_code()).code
        assert (await found.account.use_recovery_code(kept)).player.id == await ada.player()
        assert [(entry.name, entry.current) for entry in (await found.account.tokens()).tokens] == [("Recovered", True)]
        with pytest.raises(RefusedError, match="no_such_code"):
            await phone.account.use_recovery_code(kept)


async def test_a_blocked_player_cannot_challenge(url: str) -> None:
    """Until the block ends."""
    async with await guest(url, "Ada") as ada, await guest(url, "Ben") as ben:
        request = ChallengeRequest("morris", [await id_of(ada)])
        await ada.account.block(await id_of(ben))
        assert [block.player for block in (await ada.account.blocks()).blocks] == [await ben.player()]
        with pytest.raises(RefusedError, match="opponent_unavailable"):
            await ben.challenges.make(request)
        await ben.open_room(MorrisOpenRoomRequest())
        await ada.account.report(ReportRequest(await id_of(ben), "asks too often"))
        with pytest.raises(RefusedError, match="unknown_player"):
            await ada.account.report(ReportRequest("p-nobody", "asks too often"))
        await ada.account.unblock(await id_of(ben))
        assert (await ada.account.blocks()).blocks == []
        made = await ben.challenges.make(request)
        assert (await ben.challenges.open()).made == [made]


async def test_a_player_chooses_who_may_challenge_them(url: str) -> None:
    """Others are refused as by a block; those who have asked are declined together."""
    async with following(url, "Ada") as (ada, mine), following(url, "Ben") as (ben, his):
        request, events, answers = ChallengeRequest("morris", [await id_of(ada)]), mine.events(), his.events()
        await ada.challenges.admit("met")
        assert await ada.challenges.challengers() == "met"
        with pytest.raises(RefusedError, match="opponent_unavailable"):
            await ben.challenges.make(request)
        await ada.challenges.admit("everybody")
        made = await ben.challenges.make(request)
        assert made.strangers == [await ada.player()]
        await next_of(events, ChallengeMadeEvent)
        await ada.challenges.decline_all(Decline("other_game"))
        declined = await next_of(answers, ChallengeDeclinedEvent)
        assert (declined.challenge, declined.reason) == (made.id, "other_game")


async def test_an_erased_player_is_gone(url: str) -> None:
    """By their own id only."""
    async with await guest(url, "Ada") as ada, await guest(url, "Ben") as ben:
        with pytest.raises(RefusedError, match="not_you"):
            await ada.account.erase(await id_of(ben))
        await ada.account.erase(await id_of(ada))
        with pytest.raises(RefusedError, match="unauthenticated"):
            await ada.account.tokens()


async def test_a_challenge_is_accepted_declined_or_withdrawn(url: str) -> None:
    """Both players learn it from their own feeds; after acceptance a match begins."""
    async with following(url, "Ada") as (ada, mine), following(url, "Ben") as (ben, his):
        events, answers = mine.events(), his.events()
        request = ChallengeRequest("morris", [await id_of(ben)], clock=PerMoveClock(60_000), seat=1)
        for decline in (None, Decline("not_now")):
            made = await ada.challenges.make(request)
            assert (await next_of(answers, ChallengeMadeEvent)).challenge == made
            await ben.challenges.decline(made.id, decline)
            declined = await next_of(events, ChallengeDeclinedEvent)
            assert (declined.challenge, declined.reason) == (made.id, decline and decline.reason)
        withdrawn = await ada.challenges.make(request)
        await ada.challenges.withdraw(withdrawn.id)
        assert (await next_of(answers, ChallengeEndedEvent)).reason == "withdrawn"
        accepted = await ada.challenges.make(request)
        assert (await ada.challenges.open()).made == [accepted]
        await ben.challenges.accept(accepted.id)
        opened = await next_of(events, ChallengeOpenedEvent)
        assert opened.seats == {await ada.player(): 1, await ben.player(): 0}
        for client in (ada, ben):
            async with client.follow(opened.room) as room:
                await room.ready()
        assert (await ada.view(opened.room)).status == "playing"


async def test_a_bot_is_listed(url: str) -> None:
    """By its games, until it leaves the list."""
    async with Client(url, retries=QUICK) as bot:
        await bot.create_guest("Deep Mill", bot=True)
        listed = await bot.bots.register(BotRegistration(["morris"], "Looks three mills ahead."))
        found = await bot.bots.list("morris")
        assert listed in found.listed
        assert {level.level for level in found.house} == set(get_args(Level))
        assert listed not in (await bot.bots.list("ternio")).listed
        await bot.bots.leave()
        assert listed not in (await bot.bots.list()).listed


async def test_a_webhook_gets_events_and_is_changed(url: str) -> None:
    """It is verified first; an event can be sent again; a new secret signs beside the one before."""
    async with await guest(url, "Ada") as ada, await guest(url, "Ben") as ben:
        with run_endpoint() as endpoint:
            made = await register(ada, endpoint)
            hook = made.webhook.id
            assert [entry.id for entry in (await ada.webhooks.list()).webhooks] == [hook]
            rotated = await ada.webhooks.rotate(hook)
            await ben.challenges.make(ChallengeRequest("morris", [await id_of(ada)]))
            sent = await next_message(endpoint)
            assert sent.json["type"] == "challenge_made"
            assert sent.is_signed_with(made.secret, rotated.secret)
            while not (deliveries := (await ada.webhooks.details(hook)).deliveries):
                pass
            await ada.webhooks.replay(hook, deliveries[0].event)
            again = await next_message(endpoint)
            assert (again.id, again.body) == (sent.id, sent.body)
            changed = await ada.webhooks.change(hook, WebhookChange(events=["turn_began"]))
            assert (changed.status, changed.events) == ("active", ["turn_began"])
            assert (await ada.webhooks.verify(hook)).id == hook
        await ada.webhooks.delete(hook)
        assert (await ada.webhooks.list()).webhooks == []


RATED = RequestedSettings(rated=True, clock=PerMoveClock(10_000), start="full", restart=None)


async def rated_match(ada: Client, ben: Client) -> str:
    """Play a rated match that Ada wins, and return its id when it is in all lists."""
    opened = await ada.open_room(MorrisOpenRoomRequest(settings=RATED))
    async with ben.join(opened.room) as room:
        match = room.match
        assert match is not None
        for client, at in ((ada, "a1"), (ben, "d1")):
            await client.send(opened.room, PlayCommand(MorrisPlaceMove(at)))
    await ben.send(opened.room, ResignCommand())
    while (await ada.ratings.of_match(match.id)).rating_class is None:
        pass
    while match.id not in [each.id for each in (await ada.players.profile(await id_of(ada))).latest]:
        pass
    return match.id


async def test_players_and_ratings_are_read(url: str) -> None:
    """Profiles, matches in pages and one after another, results, and everything about ratings."""
    async with await guest(url, "Ada") as ada, await guest(url, "Ben") as ben:
        played = [await rated_match(ada, ben) for _ in range(2)]
        player, other = await id_of(ada), await id_of(ben)
        profile = await ben.players.profile(player)
        assert (profile.nickname, profile.results[0].wins) == ("Ada", 2)
        page = await ben.players.matches(player, WantedMatches(rated=True, opponent=other), limit=1)
        assert [match.id for match in page.matches] == played[1:]
        rest = await ben.players.matches(player, cursor=page.next)
        assert [match.id for match in rest.matches] == played[:1]
        assert [match.id async for match in ben.players.all_matches(player)] == played
        since = WantedMatches(since=rest.matches[0].cursor)
        assert [match.id async for match in ben.players.all_matches(player, since)] == played[1:]
        assert (await ben.players.against(other, player)).results[0].losses == 2
        assert len((await ben.players.rating_history(player, "morris", "blitz")).points) == 2
        [rating] = (await ben.ratings.of_player(player)).ratings
        board = await ben.ratings.leaderboard("morris", "blitz")
        assert (board.provisional, board.place_needs.opponents) == (True, 10)
        assert (rating.matches, rating.place) == (2, next(row.place for row in board.places if row.player == player))
        assert "morris" in {each.game for each in (await ben.ratings.lists()).lists}
        entries = [entry.match_id async for entry in ben.ratings.entries("morris", "blitz")]
        assert [entry for entry in entries if entry in played] == played
        assert (await ben.players.notable_matches("morris", 3)).matches == []
        assert (await ada.players.hide(hidden=True)).hidden
        with pytest.raises(RefusedError, match="profile_hidden"):
            await ben.players.profile(player)


async def test_tournaments_are_made_entered_and_followed(url: str) -> None:
    """By all commands; the followed view is what the routes return."""
    starts = datetime.now(UTC) + timedelta(hours=1)
    clock = FischerClock(initial_ms=180_000, increment_ms=2_000)
    wanted = NewTournament("Friday", "morris", "swiss", clock, starts, check_in_ms=7_200_000)
    async with await guest(url, "Ada") as ada, await guest(url, "Ben") as ben:
        made = (await ada.tournaments.make(wanted)).tournament
        assert made.id in [each.id for each in (await ben.tournaments.list(status="registration")).tournaments]
        async with ben.follow_tournament(made.id) as followed:
            await ada.tournaments.register(made.id)
            await ben.tournaments.register(made.id)
            async for view in followed.changes():
                if len(view.standings) == 2:
                    break
            standings = (await ada.tournaments.standings(made.id, limit=1, around=await id_of(ben))).standings
            assert standings[0] == followed.view.standings[await id_of(ben)]
            assert {row.player for row in await ben.tournaments.all_standings(made.id)} == set(followed.view.standings)
            assert await ben.tournaments.all_tables(made.id, round_number=1) == ()
            own = (await ben.tournaments.check_in(made.id)).own
            assert own is not None
            assert own.checked_in
            assert (await ben.tournaments.withdraw(made.id)).tournament.players == 1
            await ben.tournaments.register(made.id)
            assert (await ada.tournaments.remove(made.id, await id_of(ben))).tournament.players == 1
            with pytest.raises(RefusedError, match="too_few_players"):
                await ada.tournaments.begin(made.id)
            own_page = await ben.tournaments.list(organiser=await id_of(ada), limit=1)
            assert [each.id for each in own_page.tournaments] == [made.id]
            assert (await ben.tournaments.list(player=await id_of(ben))).tournaments == []
            assert (await ada.tournaments.tables(made.id, round_number=1)).tables == []
            assert (await ada.tournaments.cancel(made.id)).tournament.reason == "by_organiser"
            async for view in followed.changes():
                if view.tournament.status == "cancelled":
                    break
        own = (await ben.tournaments.read(made.id)).own
        assert own is not None
        assert own.left == "removed"


@needs_node
async def test_javascript_knows_all_of_it(url: str) -> None:
    """By the same names."""
    with run_endpoint() as endpoint:
        done = await printed(await start(PROGRAMS / "people.js", url, endpoint.url))
    assert done == {
        "token": ["My bot", False, "scope_missing", 0],
        "link": ["Phone", True, ["Phone"]],
        "recovery": ["Recovered", True, True],
        "blocks": [1, "opponent_unavailable", 0],
        "admitted": ["everybody", "nobody", "opponent_unavailable", "other_game"],
        "erased": ["not_you", "unauthenticated"],
        "challenges": ["not_now", "withdrawn", 1, 1, "playing"],
        "bots": [True, False, True],
        "webhooks": ["active", True, "challenge_made", ["turn_began"], 0],
        "players": ["Ada", 1, 1, 1, 1, 1, 0, "profile_hidden"],
        "ratings": [1, 10, True, True],
        "tournaments": [1, 1, True, "too_few_players", "by_organiser", "cancelled"],
    }


@asynccontextmanager
async def following(url: str, nickname: str) -> AsyncIterator[tuple[Client, OwnFeed]]:
    """Yield a new guest and their own feed."""
    async with await guest(url, nickname) as client, client.follow_me() as feed:
        yield client, feed


async def id_of(client: Client) -> str:
    """Return the id of a client's player."""
    player = await client.player()
    assert player is not None
    return player


async def next_of(events: AsyncIterator[object], kind: type[E]) -> E:
    """Return the next event of a kind."""
    async for event in events:
        if isinstance(event, kind):
            return event
    raise AssertionError("a feed has no end")


async def register(client: Client, endpoint: Endpoint) -> MadeWebhook:
    """Return a webhook whose endpoint has echoed its challenge."""
    made = await client.webhooks.make(WebhookRequest(endpoint.url))
    assert (await next_message(endpoint)).json["type"] == "webhook_challenge"
    while (await client.webhooks.details(made.webhook.id)).webhook.status != "active":
        pass
    return made


async def next_message(endpoint: Endpoint) -> Message:
    """Return the next message that an endpoint receives."""
    return await asyncio.to_thread(endpoint.next)
