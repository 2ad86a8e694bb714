"""What a release is made to store before its store is recorded: something of every kind, through the public API alone.

Every step waits for what it caused, so that the same steps store the same events in the same order. The last part is
played without a worker: what it leaves to others stays in the outboxes and in the due sets.
"""

from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

from tests.e2e.client import ApiClient, Json, Player, Response
from tests.e2e.endpoint import Endpoint
from tests.e2e.processes import OPERATORS, ServiceProcess
from tests.store_server import StoreServer
from tests.waiting import wait_for

RATED: Json = {"rated": True, "clock": {"type": "per_move", "ms": 600_000}, "start": "full", "restart": None}
BLITZ: Json = {"type": "fischer", "initial_ms": 180_000, "increment_ms": 2_000}
GAMES = {"morris": 2, "ternio": 3, "triboard": 3, "turncoat": 2, "rainbow": 2}
"""The number of seats of each game."""

OPTIONS: dict[str, Json] = {"rainbow": {"dice": True}}
OPPONENTS = 12
"""With so many opponents a player has a place on a leaderboard."""


SETTINGS = {"admin_token": OPERATORS, "webhook_http": "true", "webhook_networks": "127.0.0.0/8", "thinkers": "1"}
"""The settings of the processes besides those of all tests."""


class Stage(NamedTuple):
    """Where the scenario is played."""

    client: ApiClient
    server: StoreServer
    worker: ServiceProcess
    endpoint: Endpoint


class Cast:
    """Who and what takes part: players and other things by the names that the scenario gives them."""

    def __init__(self, stage: Stage) -> None:
        """Create the players."""
        self.stage = stage
        self.players = {
            name: stage.client.guest(name.title())
            for name in ("anna", "ben", "clara", "dora", "emil", *(f"rival {n}" for n in range(OPPONENTS)))
        }
        bot = stage.client.anonymous().post("/v1/players", {"nickname": "Robot", "bot": True}).body
        self.players["robot"] = Player(stage.client, bot["token"], bot["player"]["id"])
        self.operator = Player(stage.client, OPERATORS)
        self.things: dict[str, str] = {}
        """Ids of everything else: rooms' epochs, matches, tournaments, tokens."""

    def __getitem__(self, name: str) -> Player:
        return self.players[name]

    @property
    def names(self) -> dict[str, str]:
        """Return all ids by their names."""
        return {**{f"player {name}": player.id for name, player in self.players.items()}, **self.things}

    @property
    def tokens(self) -> dict[str, str]:
        """Return the players' tokens by their names."""
        return {name: player.token for name, player in self.players.items() if player.token is not None}


def done(answer: Response) -> Any:
    """Return the body of a response that reports success."""
    assert answer.status < 300, (answer.status, answer.body)
    return answer.body


def settle(server: StoreServer) -> None:
    """Wait until everything was delivered that streams have for each other."""
    outboxes = server.execute("KEYS", "*:outbox")
    wait_for(lambda: not any(server.execute("XLEN", key) for key in outboxes))


def play(cast: Cast) -> None:
    """Play the whole scenario; at its end no worker runs."""
    social = (accounts, erasure, rooms, private_rooms, talk)
    for part in (*social, bots, webhooks, challenges, seeks, ratings, tournaments):
        part(cast)
        settle(cast.stage.server)
    finish_erasure(cast)
    undelivered(cast)


def accounts(cast: Cast) -> None:
    """Make tokens, codes and blocks; some are used or revoked, others are not."""
    anna, ben, clara, dora = (cast[name] for name in ("anna", "ben", "clara", "dora"))
    phone = done(anna.post("/v1/players/me/tokens", {"name": "Phone", "scopes": ["read", "play"]}))
    tablet = done(anna.post("/v1/players/me/tokens", {"name": "Tablet", "scopes": ["read"], "expires_days": 30}))
    cast.things |= {"token phone": phone["entry"]["id"], "token tablet": tablet["entry"]["id"]}
    cast.players["anna's phone"] = Player(cast.stage.client, phone["token"], anna.id)
    cast.players["anna's tablet"] = Player(cast.stage.client, tablet["token"], anna.id)
    done(cast["anna's tablet"].get("/v1/players/me"))
    done(anna.send("DELETE", f"/v1/players/me/tokens/{tablet['entry']['id']}"))
    code = done(anna.post("/v1/players/me/link_codes", {}))["code"]
    laptop = done(cast.stage.client.anonymous().post("/v1/link_codes", {"code": code, "name": "Laptop"}))
    cast.players["anna's laptop"] = Player(cast.stage.client, laptop["token"], anna.id)
    cast.things["code to link"] = done(anna.post("/v1/players/me/link_codes", {}))["code"]
    recovery = done(ben.post("/v1/players/me/recovery_code", {}))["code"]
    recovered = done(cast.stage.client.anonymous().post("/v1/recovery", {"code": recovery, "name": "Recovered"}))
    cast.players["ben before"] = ben
    cast.players["ben"] = Player(cast.stage.client, recovered["token"], ben.id)
    cast.things["code to recover"] = done(clara.post("/v1/players/me/recovery_code", {}))["code"]
    done(clara.send("PUT", f"/v1/players/me/blocks/{cast['emil'].id}"))
    done(clara.send("DELETE", f"/v1/players/me/blocks/{cast['emil'].id}"))
    done(clara.send("PUT", f"/v1/players/me/blocks/{dora.id}"))
    done(dora.post("/v1/players/me/tokens", {"name": "Lost", "scopes": ["read"]}))
    done(dora.send("DELETE", "/v1/players/me/tokens"))
    done(dora.send("PUT", "/v1/players/me/profile", json={"hidden": True}))


def erasure(cast: Cast) -> None:
    """Erase a player who has played and chatted."""
    emil, anna = cast["emil"], cast["anna"]
    open_room(cast, "with-emil", "morris", emil, anna)
    moves(cast, "with-emil", (emil, anna), 2)
    done(emil.command("with-emil", "resign"))
    done(emil.post("/v1/rooms/with-emil/chat", {"text": "Goodbye"}))
    settle(cast.stage.server)
    done(emil.send("DELETE", f"/v1/players/{emil.id}"))


def finish_erasure(cast: Cast) -> None:
    """Wait until a worker has deleted everything about the player."""
    key = next(key for key in cast.stage.server.execute("KEYS", f"*:stream:account/{cast['emil'].id}"))
    wait_for(lambda: b"erasure_finished" in str(cast.stage.server.execute("XRANGE", key, "-", "+")).encode())


def open_room(cast: Cast, name: str, game: str, *players: Player, **more: Any) -> Json:
    """Open a room of this name and seat the players, which starts its match."""
    settings = {"start": "full", "restart": None, **more.pop("settings", {})}
    opened: Json = done(players[0].open_room(game, name=name, key=f"open-{name}", settings=settings, **more))
    cast.things |= {f"room {name}": opened["room"], f"epoch of {name}": opened["view"]["epoch"]}
    for number, player in enumerate(players[1:]):
        done(player.command(opened["room"], "join", key=f"join-{number}"))
    return opened


def moves(cast: Cast, room: str, players: tuple[Player, ...], count: int) -> None:
    """Let the players move in turn, each time by another one of the legal moves."""
    for number in range(count):
        match = done(players[0].read_room(room))["match"]
        cast.things[f"match {match['number']} of {room}"] = match["id"]
        if match["status"] != "playing":
            return
        mover = players[match["to_move"][0]]
        legal = done(mover.read_room(room))["match"]["legal_moves"]
        commit = [move for move in legal if move["type"] == "commit"]
        done(mover.play(room, (commit or legal)[number * 5 % len(commit or legal)], key=f"{match['number']}-{number}"))


def rooms(cast: Cast) -> None:
    """Play in a room of each game: offers, a turn taken back, a next match; others end or are closed."""
    anna, ben, clara, dora = (cast[name] for name in ("anna", "ben", "clara", "dora"))
    for game, seats in GAMES.items():
        players = (anna, ben, dora)[:seats]
        clock = {"type": "days", "days": 3}
        open_room(cast, game, game, *players, options=OPTIONS.get(game, {}), settings={"clock": clock})
        moves(cast, game, players, 8)
        take_back(game, players)
        for player in players[1:]:
            done(player.command(game, "resign"))
        for player in players:
            player.command(game, "ready")  # the seat that resigned has to be ready again
        moves(cast, game, players, 3)
        done(anna.command(game, "offer_draw"))
        done(clara.spectate(game))
        settle(cast.stage.server)
    open_room(cast, "to-the-end", "ternio", anna, ben, clara)
    moves(cast, "to-the-end", (anna, ben, clara), 81)
    open_room(cast, "shut", "ternio", anna, ben, dora)
    done(anna.command("shut", "close"))
    open_room(cast, "shut", "morris", ben)
    done(cast.operator.post("/v1/admin/rooms/shut/close", {"reason": "a test"}))


def take_back(room: str, players: tuple[Player, ...]) -> None:
    """Let the first player who can take back a turn do so, if any can; all others agree."""
    able = [player for player in players if done(player.read_room(room))["match"]["can_take_back"]]
    for player in able[:1]:
        offer = done(player.command(room, "request_takeback"))["view"]["offers"][-1]["id"]
        for other in players:
            if other is not player:
                done(other.command(room, "answer", offer=offer, accept=True))


def private_rooms(cast: Cast) -> None:
    """Open a private room with a password and an invitation, and a room for two on one device."""
    anna, ben, clara = (cast[name] for name in ("anna", "ben", "clara"))
    private = {"visibility": "private", "password": "secret-word", "start": "ready", "restart": None, "chat": "apart"}
    name = done(anna.open_room("triboard", name="our-own", key="open-our-own", settings=private))["room"]
    cast.things["room private"] = name
    done(ben.command(name, "join", password=private["password"]))
    code = done(anna.command(name, "invite", uses=3))["invitation"]["code"]  # another one would have the same code
    done(clara.post(f"/v1/invitations/{code}", {}))
    cast.things["invitation open"] = code
    one_device = {"hot_seat": True, "restart": None}
    done(clara.open_room("turncoat", name="sofa", key="open-sofa", settings=one_device, seats=["me", "me"]))
    cast.things["room sofa"] = "sofa"


def talk(cast: Cast) -> None:
    """Say lines in rooms and in the lobby; mute one player, and ban another one."""
    for name in ("anna", "ben", "clara"):
        done(cast[name].post("/v1/lobby/chat", {"text": f"{name} says hello"}, {"idempotency-key": "hello"}))
        done(cast[name].post("/v1/rooms/morris/chat", {"text": "A good move"}))
    muted, banned = cast["rival 0"], cast.stage.client.guest("Unwanted")
    cast.players["banned"] = banned
    for player, action in ((muted, "mute"), (banned, "ban")):
        done(player.post("/v1/lobby/chat", {"text": "Buy this"}))
        done(cast.operator.post(f"/v1/admin/players/{player.id}/{action}", {"on": True, "reason": "a test"}))


def bots(cast: Cast) -> None:
    """Play in a room with the service's bots, and list a bot."""
    seats = ["me", {"bot": "easy"}]
    settings = {"bot_pause": 0, "restart": None}
    done(cast["dora"].open_room("morris", name="solo", key="open-solo", settings=settings, seats=seats))
    cast.things["room solo"] = "solo"
    for number in range(2):
        match = wait_for_turn(cast["dora"], "solo")
        done(cast["dora"].play("solo", placement(match), key=f"solo-{number}"))
    wait_for_turn(cast["dora"], "solo")
    registration = {"games": ["morris", "ternio"], "description": "Plays at random"}
    done(cast["robot"].send("PUT", "/v1/bots/me", json=registration))


def placement(match: Json) -> Json:
    """Return a placement that closes no mill, wherever bots have placed."""
    free = [move["at"] for move in match["legal_moves"]]
    return {"type": "place", "at": next(at for at in ("a1", "b6", "e3", "f4", "d7") if at in free)}


def wait_for_turn(player: Player, room: str) -> Json:
    """Return the match in a room with bots once it is the first seat's turn."""

    def to_move() -> Json:
        match: Json = done(player.read_room(room))["match"]
        return match if match["to_move"] == [0] else {}

    return wait_for(to_move)


def webhooks(cast: Cast) -> None:
    """Register a webhook that sends events and gets another secret, and one that nobody answers."""
    anna, clara = cast["anna"], cast["clara"]
    made = done(anna.post("/v1/players/me/webhooks", {"url": cast.stage.endpoint.url}))
    cast.things["webhook of anna"] = path = made["webhook"]["id"]
    wait_for(lambda: done(anna.get(f"/v1/players/me/webhooks/{path}"))["webhook"]["status"] == "active")
    open_room(cast, "hooked", "morris", anna, cast["rival 1"])
    wait_for(lambda: len(done(anna.get(f"/v1/players/me/webhooks/{path}"))["deliveries"]) >= 2)
    done(anna.post(f"/v1/players/me/webhooks/{path}/rotate", {}))
    closed = done(clara.post("/v1/players/me/webhooks", {"url": "http://127.0.0.1:9/in", "events": ["turn_began"]}))
    cast.things["webhook of clara"] = path = closed["webhook"]["id"]
    wait_for(lambda: done(clara.get(f"/v1/players/me/webhooks/{path}"))["webhook"]["challenge"])


def challenges(cast: Cast) -> None:
    """Make challenges that are accepted, declined, withdrawn, and left open."""
    anna, ben, clara = (cast[name] for name in ("anna", "ben", "clara"))

    def challenge(name: str, *opponents: Any, **more: Any) -> str:
        asked = {"game": "morris", "opponents": opponents, "minutes": 1440, **more}
        made = str(done(anna.post("/v1/challenges", asked))["id"])
        cast.things[f"challenge {name}"] = made
        settle(cast.stage.server)
        return made

    done(ben.post(f"/v1/challenges/{challenge('accepted', ben.id, seat=0)}/accept", {}))
    wait_for(lambda: "challenge_opened" in kinds(anna))
    settle(cast.stage.server)
    done(clara.post(f"/v1/challenges/{challenge('declined', clara.id, seat=0)}/decline", {"reason": "not_now"}))
    done(anna.send("DELETE", f"/v1/challenges/{challenge('withdrawn', clara.id, seat=0)}"))
    settle(cast.stage.server)
    challenge("open", clara.id, {"bot": "easy"}, game="ternio", clock=BLITZ, seat=1)


def kinds(player: Player) -> list[str]:
    """Return the types of the events in a player's own feed."""
    return [event["type"] for event in done(player.get("/v1/players/me/events", limit=1000))["events"]]


def seeks(cast: Cast) -> None:
    """Make seeks that are matched, and one that is withdrawn."""
    ben, clara, dora = (cast[name] for name in ("ben", "clara", "dora"))
    wish = {"game": "turncoat", "clock": BLITZ}
    done(ben.post("/v1/seeks", {**wish, "seat": 0}))
    done(dora.post("/v1/seeks", {**wish, "seat": 1}))
    cast.things["room of seeks"] = room = paired_room(ben)
    settle(cast.stage.server)
    for player in (ben, dora):
        done(player.command(room, "ready"))
        settle(cast.stage.server)
    withdrawn = done(clara.post("/v1/seeks", {"game": "rainbow"}))["id"]
    done(clara.send("DELETE", f"/v1/seeks/{withdrawn}"))


def paired_room(player: Player) -> str:
    """Return the room that was opened for a player's seek and those of others."""

    def room() -> str:
        pairing = done(player.get("/v1/players/me/seeks"))["pairing"] or {}
        return pairing.get("room") or ""

    return wait_for(room)


def ratings(cast: Cast) -> None:
    """Play rated matches of one player against many, two each, for a place on the leaderboard."""
    for number in range(OPPONENTS):
        room, players = f"rated-{number}", (cast["anna"], cast[f"rival {number}"])
        open_room(cast, room, "morris", *players, settings=RATED)
        rated_match(cast, room, players, loser=players[1])
        swapped = [player.id for player in reversed(players)]
        done(players[0].command(room, "assign_seats", seats=swapped))  # they rotate before the next match
        for player in players:
            player.command(room, "ready")  # who won may be ready already
        rated_match(cast, room, players, loser=players[0])


def rated_match(cast: Cast, room: str, players: tuple[Player, Player], loser: Player) -> None:
    """Let both players move, and one of them resign."""
    moves(cast, room, players, 2)
    done(loser.command(room, "resign"))
    settle(cast.stage.server)


def tournaments(cast: Cast) -> None:
    """Create a tournament that finishes, one that goes on, one that has not begun, and one that is cancelled."""
    players = [cast[f"rival {number}"] for number in range(2, 6)]
    finished = new_tournament(cast, "finished", players[:2], format="round_robin")
    enter(cast, finished, "begin")
    while status(cast, finished) == "playing":
        for table in open_tables(cast, finished):
            resign_at(cast, table)
    running = new_tournament(cast, "running", players, format="swiss", rounds=3)
    enter(cast, running, "begin")
    resign_at(cast, open_tables(cast, running)[0])
    settle(cast.stage.server)
    later = {"format": "arena", "duration_ms": 3_600_000, "check_in_ms": 1_800_000}
    waiting = new_tournament(cast, "waiting", players[:2], organiser=cast.operator, **later)
    for _ in range(12):
        for kind in ("withdraw", "register"):
            enter(cast, waiting, kind, by=players[0])
    cancelled = new_tournament(cast, "cancelled", players[:2], organiser=cast.operator, format="swiss", rounds=1)
    enter(cast, cancelled, "cancel", by=cast.operator)


def new_tournament(cast: Cast, name: str, players: list[Player], organiser: Player | None = None, **more: Any) -> str:
    """Create a tournament for which these players register."""
    starts = datetime.now(UTC) + timedelta(hours=2)
    asked = {"title": name.title(), "game": "morris", "clock": BLITZ, "starts": starts.isoformat(), **more}
    made = str(done((organiser or cast["clara"]).post("/v1/tournaments", asked))["tournament"]["id"])
    cast.things[f"tournament {name}"] = made
    for player in players:
        enter(cast, made, "register", by=player)
    settle(cast.stage.server)
    return made


def enter(cast: Cast, tournament: str, kind: str, by: Player | None = None) -> None:
    """Send a command to a tournament."""
    done((by or cast["clara"]).post(f"/v1/tournaments/{tournament}/commands", {"type": kind}))


def status(cast: Cast, tournament: str) -> str:
    """Return the status of a tournament."""
    return str(done(cast["clara"].get(f"/v1/tournaments/{tournament}"))["tournament"]["status"])


def open_tables(cast: Cast, tournament: str) -> list[Json]:
    """Return the tables whose matches are running, once a round has begun; none if the tournament has finished."""

    def found() -> list[Json]:
        tables: list[Json] = done(cast["clara"].get(f"/v1/tournaments/{tournament}/tables", limit=100))["tables"]
        latest = [table for table in tables if table["round"] == tables[0]["round"]]
        return [table for table in latest if table["places"] is None] if all(each["room"] for each in latest) else []

    wait_for(lambda: found() or status(cast, tournament) != "playing")
    settle(cast.stage.server)
    return sorted(found(), key=lambda table: table["number"])


def resign_at(cast: Cast, table: Json) -> None:
    """Let the second player of a table resign."""
    by_id = {player.id: player for player in cast.players.values()}
    players = tuple(by_id[each["player"]] for each in table["players"])
    moves(cast, table["room"], players, 2)
    done(players[1].command(table["room"], "resign"))
    settle(cast.stage.server)


def undelivered(cast: Cast) -> None:
    """Leave something in the outboxes and in the due sets, by going on without a worker."""
    anna, clara, dora = (cast[name] for name in ("anna", "clara", "dora"))
    tables = open_tables(cast, cast.things["tournament running"])
    cast.stage.worker.stop()
    done(clara.post("/v1/seeks", {"game": "rainbow"}))
    done(clara.post(f"/v1/challenges/{cast.things['challenge open']}/accept", {}))
    pair = (anna, cast["rival 3"])
    open_room(cast, "unrated-yet", "morris", *pair, settings=RATED)
    moves(cast, "unrated-yet", pair, 2)
    done(pair[1].command("unrated-yet", "resign"))
    match = done(dora.read_room("solo"))["match"]
    done(dora.play("solo", placement(match), key="solo-last"))
    by_id = {player.id: player for player in cast.players.values()}
    players = tuple(by_id[each["player"]] for each in tables[0]["players"])
    moves(cast, tables[0]["room"], players, 2)
    done(players[1].command(tables[0]["room"], "resign"))
