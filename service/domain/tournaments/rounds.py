"""What workers do in a tournament when it is due: its start, its rounds, its results and its end. Pure functions."""

from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet

from service.domain.game import Event
from service.domain.ids import Millis, Outage, RoomKey
from service.domain.room.model.clock import Clock, Fischer, PerMove
from service.domain.streams import Change
from service.domain.structs import copied
from service.domain.tournaments import model
from service.domain.tournaments.model import NewTable, Terms
from service.domain.tournaments.pairings import Entrant, Pairing, PairingRequest, check
from service.domain.tournaments.state import Entry, Table, Tournament

BREAK = Millis(10_000)
"""Milliseconds between the end of a round and the next one."""

PAIR_EVERY = Millis(5_000)
"""Milliseconds between two pairings of an arena, so that there is a choice of opponents."""

LONGEST_WAIT = Millis(60_000)
"""Milliseconds after which a player of an arena is paired with the latest opponent again, if nobody else is free."""

MOVES = 120
"""How many moves per seat a round gives time for; the rules of every game except Nine Men's Morris allow fewer."""

ROUND_LIMITS = (Millis(10 * 60_000), Millis(6 * 3_600_000))
"""The minimum and the maximum time of a round."""

ABSENCES = 2
"""A player who loses this many matches by absence, without being present in between, is withdrawn."""


def advance(state: Tournament, now: Millis) -> list[Event]:
    """Return the events that are due: the start or the end; nothing otherwise."""
    terms = state.terms
    if terms is None:
        return []
    if state.status == "registration":
        return start(state, terms, now) if now >= terms.starts else []
    is_over = state.status == "playing" and not state.running and has_no_more(state, terms, now)
    return [model.TournamentFinished()] if is_over else []


def extend_deadlines(state: Tournament, outages: Sequence[Outage]) -> list[Event]:
    """Give back the time during which the service was down, as rooms do to clocks."""
    begins = running_since(state)
    lost = 0 if begins is None else sum(max(0, until - max(since, begins)) for since, until in outages)
    return [model.DeadlinesExtended(Millis(lost))] if lost else []


def running_since(state: Tournament) -> Millis | None:
    """Return since when time is running that has not been given back: of the check-in, a round or an arena."""
    terms = state.terms
    if terms is not None and state.status == "registration":
        return Millis(max(state.given, terms.starts - terms.check_in))
    if state.status != "playing":
        return None
    if state.until is not None:
        return state.given
    return max(state.given, state.paired) if state.running else None


def start(state: Tournament, terms: Terms, now: Millis) -> list[Event]:
    """Begin a tournament with the players who are present, or cancel it if they are too few."""
    missing = [entry.player for entry in state.active.values() if terms.check_in and not entry.is_checked_in]
    players = len(state.active) - len(missing)
    if players < terms.seats:
        return [model.TournamentCancelled("too_few_players")]
    left: list[Event] = [model.PlayerWithdrawn(player, "not_checked_in") for player in missing]
    return [*left, model.PlayBegan(rounds_of(terms, players), until_of(terms, now))]


def rounds_of(terms: Terms, players: int) -> int | None:
    """Return how many rounds there will be at most; None in an arena.

    In a round robin of two, everybody meets everybody; one of three has the least number of rounds that this needs. A
    Swiss system finds a winner among 2^n players in n rounds, and has no more rounds than a player has opponents,
    unless more players may enter.
    """
    if terms.format == "arena":
        return None
    most = most_rounds(terms, players)
    if terms.format == "round_robin":
        return most
    if terms.rounds is not None and terms.late_entry:
        return terms.rounds
    return min(terms.rounds or max(3, (players - 1).bit_length()), most)


def most_rounds(terms: Terms, players: int) -> int:
    """Return after how many rounds everybody has met everybody."""
    return max(1, players - 1 + players % 2 if terms.seats == 2 else -(-(players - 1) // 2))


def is_last_round(state: Tournament, terms: Terms) -> bool:
    """Return whether no round follows: all were paired, or everybody who has entered has met everybody."""
    return state.round >= min(state.rounds or 0, most_rounds(terms, len(state.entries)))


def until_of(terms: Terms, now: Millis) -> Millis | None:
    """Return until when matches begin in an arena that begins now; None in other formats."""
    return None if terms.duration is None else Millis(now + terms.duration)


def has_no_more(state: Tournament, terms: Terms, now: Millis) -> bool:
    """Return whether no further match will be paired."""
    if state.until is not None:
        return is_too_late(state, now) or (not terms.late_entry and len(state.active) < terms.seats)
    return is_last_round(state, terms) or len(state.active) < terms.seats


def pairing_time(state: Tournament) -> Millis | None:
    """Return from when players can be paired; None if they cannot."""
    terms = state.terms
    if terms is None or state.status != "playing":
        return None
    if state.until is not None:
        waiting = free(state)
        if len(waiting) < terms.seats:
            return None
        time = max(state.paired + PAIR_EVERY, state.began or 0, waiting[terms.seats - 1].free_since)
        return Millis(time) if time < state.until else None
    if state.running or is_last_round(state, terms) or len(state.active) < terms.seats:
        return None
    return Millis(state.changed + BREAK) if state.round else state.changed


def is_too_late(state: Tournament, now: Millis) -> bool:
    """Return whether the time of an arena is up, so that no match begins, though players may wait for one."""
    return state.until is not None and now >= state.until


def free(state: Tournament) -> list[Entry]:
    """Return the players who take part and have no match, the longest waiting first."""
    return sorted((entry for entry in state.active.values() if not entry.table), key=lambda entry: entry.free_since)


def pairing_request(state: Tournament, now: Millis) -> PairingRequest | None:
    """Return the request for the pairing that is due now; None if none is."""
    time, terms = pairing_time(state), state.terms
    if terms is None or time is None or now < time or is_too_late(state, now):
        return None
    if terms.format == "arena":
        waiting = free(state)
        entrants = tuple(entrant(entry, forgets=forgets(state, terms, entry, now)) for entry in waiting)
    elif terms.format == "round_robin" and terms.seats == 2:
        entrants = tuple(entrant(entry) for entry in state.entries.values())
    else:
        entrants = tuple(entrant(entry) for entry in state.active.values())
    return PairingRequest(terms.format, terms.seats, state.round + 1, state.seed, entrants)


def forgets(state: Tournament, terms: Terms, entry: Entry, now: Millis) -> bool:
    """Return whether a player of an arena can meet the latest opponent again because nobody else is available."""
    return len(state.active) <= terms.seats or now - entry.free_since >= LONGEST_WAIT


def entrant(entry: Entry, *, forgets: bool = False) -> Entrant:
    """Return a player as the pairing sees them."""
    return copied(Entrant, entry, opponents=() if forgets else entry.opponents, is_out=not entry.is_active)


def pair(state: Tournament, request: PairingRequest, pairing: Pairing, now: Millis) -> list[Event]:
    """Begin a round, or matches of an arena; nothing if the state has changed since the request.

    Raises `BadPairing` for a pairing that breaks the rules.
    """
    terms = state.terms
    is_awaited = (state.status, state.round + 1) == ("playing", request.round) and not is_too_late(state, now)
    if terms is None or not is_awaited or not is_current(state, request):
        return []
    check(request, pairing)
    if terms.format == "arena" and not pairing.tables:
        return []
    numbered = enumerate(pairing.tables, len(state.tables) + 1)
    tables = tuple(NewTable(number, players) for number, players in numbered)
    byes = tuple(player for player in pairing.byes if player in state.active)
    deadline = Millis(now + round_limit(terms.clock, terms.seats))
    return [model.RoundPaired(request.round, tables, byes, deadline, pairing.repeats)]


def is_current(state: Tournament, request: PairingRequest) -> bool:
    """Return whether the players of a request still take part as they did then, and have no match."""
    return all(
        entrant.player in state.entries
        and state.entries[entrant.player].is_active != entrant.is_out
        and not state.entries[entrant.player].table
        for entrant in request.entrants
    )


def round_limit(clock: Clock, seats: int) -> Millis:
    """Return how many milliseconds a round has: enough for clocks to end every match of ordinary length."""
    shortest, longest = ROUND_LIMITS
    match clock:
        case Fischer(initial_ms=initial, increment_ms=increment):
            needed = seats * (initial + MOVES * increment)
        case PerMove(ms=ms):
            needed = seats * MOVES * ms
        case _:
            needed = longest
    return Millis(min(longest, max(shortest, needed)))


def to_open(state: Tournament, now: Millis) -> list[Table]:
    """Return the tables whose rooms are not open yet."""
    tables = [state.tables[number] for number in state.running]
    return [table for table in tables if table.room is None and table.deadline > now]


def overdue(state: Tournament, now: Millis) -> list[Table]:
    """Return the tables whose matches have taken too long."""
    tables = [state.tables[number] for number in state.running]
    return [table for table in tables if table.deadline <= now]


def opened(state: Tournament, number: int, key: RoomKey) -> list[Event]:
    """Record that the room of a table was opened; nothing if that is known."""
    table = state.tables.get(number)
    return [] if table is None or table.room is not None else [model.TableOpened(number, key.name, key.epoch)]


def receive(state: Tournament, changes: Sequence[Change]) -> list[Change]:
    """Record the reports that are not known yet: the creation from the list, and results from rooms.

    Players who were absent too often are withdrawn.
    """
    beginnings = [change for change in changes if isinstance(change.event, model.TournamentCreated)]
    found = beginnings[:1] if state.terms is None else []
    seen: set[int] = set()
    for change in changes:
        ended = change.event
        table = state.tables.get(ended.table) if isinstance(ended, model.TableEnded) else None
        if not isinstance(ended, model.TableEnded) or table is None or table.has_ended or table.number in seen:
            continue
        seen.add(table.number)
        found += [change, *(Change(event) for event in absentees(state, table, set(ended.absent)))]
    return found


def absentees(state: Tournament, table: Table, absent: AbstractSet[int]) -> Iterable[Event]:
    """Yield the withdrawals of players who were absent too often."""
    for seat in sorted(absent):
        entry = state.active.get(table.players[seat])
        if entry is not None and entry.missed + 1 >= ABSENCES:
            yield model.PlayerWithdrawn(entry.player, "absent")


def due(state: Tournament) -> Millis | None:
    """Return when a worker has to act next."""
    terms = state.terms
    if terms is None or state.status in {"finished", "cancelled"}:
        return None
    if state.status == "registration":
        return terms.starts
    if to_open(state, Millis(0)):
        return Millis(0)
    times = [state.tables[number].deadline for number in state.running]
    if (time := pairing_time(state)) is not None:
        times.append(time)
    if not state.running and time is None:
        times.append(Millis(0) if state.until is None or has_no_more(state, terms, Millis(0)) else state.until)
    return min(times, default=None)
