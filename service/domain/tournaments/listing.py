"""The stream that lists tournaments: it admits new ones, and each tournament reports its changes to it."""

from collections.abc import Sequence

import msgspec
from msgspec.structs import replace

from service.domain.catalog import game_named
from service.domain.game import Event, Rejected
from service.domain.ids import DAY, Millis, NameRef, PlayerId, Version
from service.domain.room.model.clock import time_class
from service.domain.room.model.names import TITLE_LENGTH, room_title
from service.domain.room.subjects.configuration import check_turn_limits
from service.domain.streams import Change, Outgoing, Record, StreamKind, Summary
from service.domain.tournaments.model import (
    MOST_IN_ROUND_ROBIN,
    MOST_PLAYERS,
    NewTournament,
    Status,
    Terms,
    TournamentCreated,
    TournamentId,
)
from service.domain.validation import Invalid, convert

OPEN: frozenset[Status] = frozenset({"registration", "playing"})
"""The statuses of tournaments that have not ended."""

MOST_OPEN = 500
"""How many tournaments can be open at a time."""

MOST_OF_PLAYERS = 400
"""How many of these players can have created; the others are left to operators."""

MOST_OWN = 2
"""How many open tournaments one player can have created; operators can have any number."""

MOST_CLOSED = 500
"""How many ended tournaments are listed, the latest; those that ended earlier can still be read by their ids."""

LONGEST_AHEAD = Millis(90 * DAY)
"""How long before its start a tournament can be created."""

LATEST_PAST = Millis(60_000)
"""How long ago the start of a new tournament may be; it begins at once."""

HOUR = Millis(3_600_000)


class ListedTournament(msgspec.Struct, frozen=True):
    """A tournament in the list."""

    id: TournamentId
    terms: Terms
    organiser: PlayerId
    organiser_ref: NameRef
    status: Status = "registration"
    players: int = 0
    """How many players take part."""
    round: int = 0
    rounds: int | None = None
    until: Millis | None = None
    version: Version = Version(0)
    """The version of the tournament's stream to which this refers."""
    ended: Millis = Millis(0)
    """When the list learned that it had ended; 0 before."""
    organiser_bot: bool | msgspec.UnsetType = msgspec.UNSET

    @property
    def is_open(self) -> bool:
        """Whether it has not ended."""
        return self.status in OPEN


class TournamentMade(Event, frozen=True):
    """A tournament was admitted to the list; its own stream begins with the event that this delivers."""

    id: TournamentId
    created: TournamentCreated


class TournamentChanged(Event, frozen=True):
    """A tournament reported a change."""

    listed: ListedTournament


class TournamentsSummarised(Summary, frozen=True):
    """The state of the stream at this point, so that everything before can be deleted."""

    listed: tuple[ListedTournament, ...]


ListEvent = TournamentMade | TournamentChanged | TournamentsSummarised
"""Every event of the stream of the list."""


class TournamentList(msgspec.Struct, frozen=True):
    """The open tournaments and the latest ended ones, in the order in which they were created."""

    listed: dict[TournamentId, ListedTournament] = {}


def terms_of(asked: NewTournament, now: Millis) -> Terms:
    """Return the terms of a requested tournament. Raises `Invalid`."""
    game = game_named(asked.game, "/game")
    options: msgspec.Struct = convert(asked.options, game.options, at="/options")
    check_turn_limits(asked.options)
    seats = len(game.seats(options))
    if seats not in {2, 3}:
        raise Invalid("Expected options with two or three seats", "/options")
    if time_class(asked.clock) in {None, "correspondence"}:
        raise Invalid("Expected a clock that gives a match less than a day: `per_move` or `fischer`", "/clock")
    duration = only_in(asked, "arena", asked.duration_ms, "/duration_ms")
    return Terms(
        title=title_of(asked),
        game=game.slug,
        options=msgspec.to_builtins(options),
        seats=3 if seats == 3 else 2,
        format=asked.format,
        clock=asked.clock,
        starts=start_of(asked, now),
        rounds=only_in(asked, "swiss", asked.rounds, "/rounds"),
        duration=Millis(duration or HOUR) if asked.format == "arena" else None,
        max_players=most_players(asked, seats),
        check_in=Millis(asked.check_in_ms),
        late_entry=asked.late_entry and asked.format != "round_robin",
        bots=asked.bots,
    )


def title_of(asked: NewTournament) -> str:
    """Return the title, normalised. Raises `Invalid`."""
    try:
        return room_title(asked.title)
    except Rejected:
        message = f"Expected 1 to {TITLE_LENGTH} visible characters, without characters that change the text direction"
        raise Invalid(message, "/title") from None


def start_of(asked: NewTournament, now: Millis) -> Millis:
    """Return when a tournament starts. Raises `Invalid`."""
    starts = Millis(round(asked.starts.timestamp() * 1000))
    if not now - LATEST_PAST <= starts <= now + LONGEST_AHEAD:
        raise Invalid("Expected a time in the next 90 days", "/starts")
    return max(starts, now)


def only_in(asked: NewTournament, format_: str, value: int | None, pointer: str) -> int | None:
    """Return a value that only one format has. Raises `Invalid`."""
    if value is not None and asked.format != format_:
        raise Invalid(f"Expected null, as only the format `{format_}` has it", pointer)
    return value


def most_players(asked: NewTournament, seats: int) -> int:
    """Return how many players a tournament admits. Raises `Invalid`."""
    most = MOST_IN_ROUND_ROBIN if asked.format == "round_robin" else MOST_PLAYERS
    wanted = most if asked.max_players is None else asked.max_players
    if not seats <= wanted <= most:
        raise Invalid(f"Expected {seats} to {most}", "/max_players")
    return wanted


def admit(state: TournamentList, made: TournamentMade, *, operator: bool) -> list[Event]:
    """Admit a tournament to the list; nothing if it is listed. Raises `Rejected` (`too_many_tournaments`)."""
    if made.id in state.listed:
        return []
    running = [each for each in state.listed.values() if each.is_open]
    own = [each for each in running if each.organiser == made.created.organiser]
    if not operator and len(own) >= MOST_OWN:
        raise Rejected("too_many_tournaments", most=MOST_OWN)
    if not operator and sum(bool(each.organiser_ref) for each in running) >= MOST_OF_PLAYERS:
        raise Rejected("too_many_tournaments", most=MOST_OF_PLAYERS)
    if len(running) >= MOST_OPEN:
        raise Rejected("too_many_tournaments", most=MOST_OPEN)
    return [made]


def receive(state: TournamentList, changes: Sequence[Change]) -> list[Change]:
    """Return the latest new report of each tournament."""
    news: dict[TournamentId, Change] = {}
    for change in changes:
        if isinstance(change.event, TournamentChanged) and is_news(state, change.event.listed):
            news[change.event.listed.id] = change
    return list(news.values())


def is_news(state: TournamentList, listed: ListedTournament) -> bool:
    """Return whether a report is new; a repeated one is not."""
    known = state.listed.get(listed.id)
    return known is not None and known.version < listed.version


def evolve(state: TournamentList, record: Record) -> TournamentList:
    """Return the state after an event."""
    match record.event:
        case TournamentMade(id=identity, created=created):
            ref, bot = created.organiser_ref, created.organiser_bot
            listed = ListedTournament(identity, created.terms, created.organiser, ref, organiser_bot=bot)
            return replace(state, listed={**state.listed, identity: listed})
        case TournamentChanged(listed=listed):
            known = state.listed.get(listed.id, listed)
            ended = Millis(0) if listed.is_open else known.ended or record.time
            return replace(state, listed=latest({**state.listed, listed.id: replace(listed, ended=ended)}))
        case TournamentsSummarised(listed=all_listed):
            return TournamentList({each.id: each for each in all_listed})
    raise NotImplementedError(type(record.event))


def latest(listed: dict[TournamentId, ListedTournament]) -> dict[TournamentId, ListedTournament]:
    """Return the tournaments that stay in the list: the open ones, and those that ended last."""
    closed = sorted((each for each in listed.values() if not each.is_open), key=lambda each: each.ended)
    dropped = {each.id for each in closed[: max(0, len(closed) - MOST_CLOSED)]}
    return {known: each for known, each in listed.items() if known not in dropped} if dropped else listed


def deliveries(_: TournamentList, records: Sequence[Record]) -> list[Outgoing]:
    """Return the first events of the tournaments that were created."""
    made = [record.event for record in records]
    return [Outgoing(each.id, each.created, "tournaments") for each in made if isinstance(each, TournamentMade)]


def summary(state: TournamentList, until: Millis) -> TournamentsSummarised:
    """Return the summary of a state."""
    return TournamentsSummarised(until, tuple(state.listed.values()))


TOURNAMENT_LIST: StreamKind[TournamentList] = StreamKind(
    event=ListEvent, start=lambda _: TournamentList(), evolve=evolve, summary=summary, deliveries=deliveries
)
"""The stream of the list of tournaments."""
