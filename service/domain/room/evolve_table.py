"""The fold of the table: who is here, who sits where, who is ready."""

from typing import assert_never

from msgspec.structs import replace

from service.domain.game import Seat
from service.domain.room.model import events as happened
from service.domain.room.model.events import AnyRoomEvent, Recorded, Result
from service.domain.room.model.ids import PlayerId
from service.domain.room.model.state import Member, Offer, Plan, Table, all_seated
from service.domain.room.subjects.series import continued, counted


def around_the_table(table: Table, event: AnyRoomEvent, recorded: Recorded) -> Table:  # noqa: C901, PLR0911, PLR0912 - one arm an event
    """Return the table after an event of the house."""
    match event:
        case happened.PlayerJoined() as joined:
            return replace(table, members={**table.members, joined.player: newcomer(table, joined)})
        case happened.PlayerLeft(player=player):
            return without(table, player)
        case happened.PlayerKicked(player=player):
            return replace(without(table, player), kicked=(*table.kicked, player))
        case happened.PlayerMuted(player=player, on=on):
            others = tuple(each for each in table.muted if each != player)
            return with_member(replace(table, muted=(*others, player) if on else others), player, muted=on)
        case happened.SeatDeserted(seat=seat):
            return replace(table, absent={**table.absent, table.seats[seat] or PlayerId(""): recorded.time})
        case happened.SeatReturned(seat=seat):
            return there(table, table.seats[seat])
        case happened.CreatorChanged(player=player):
            return replace(table, creator=player)
        case happened.SeatTaken(seat=seat, player=player):
            return seated(
                with_member(there(table, player), player, role="player"), with_seat(table, seat, player), recorded
            )
        case happened.SeatLeft(seat=seat, player=player):
            return seated(with_member(table, player, ready=False), with_seat(table, seat, None), recorded)
        case happened.SeatsAssigned(seats=seats):
            return seated(with_unseated_unready(table, seats), seats, recorded)
        case happened.PlayerReadied(player=player, salt=salt):
            ready = with_member(table, player, ready=True)
            return ready if salt is None else with_member(ready, player, salt=salt)
        case happened.PlayerUnreadied(player=player) | happened.NextVetoed(player=player):
            return with_member(table, player, ready=False)
        case happened.StartCalled(layout_of=layout_of):
            return replace(table, start_called=True, layout_of=layout_of or None)
        case happened.OfferMade() as made:
            return with_offer(table, offered(made, recorded))
        case happened.OfferAccepted(offer=number, player=player):
            return replace(table, offers=tuple(accepted(offer, number, player) for offer in table.offers))
        case happened.OfferClosed(offer=number):
            return replace(table, offers=tuple(offer for offer in table.offers if offer.id != number))
        case happened.MatchStarted():
            return begun(table, event)
        case happened.MatchEnded(result=result, next_seed_hash=committed):
            return ended(table if committed else replace(table, next_seed=None), result)
        case happened.NextConfigured(options=options, settings=settings, lock=lock):
            return replace(table, plan=Plan(options, settings, lock or None))
        case happened.RoomConfigured() as configured:
            return reconfigured(table, configured, recorded)
        case happened.RoomClosed():
            return replace(table, status="closed", offers=())
        case happened.RoomOpened() | happened.TakenBack() | happened.TimeRanOut() | happened.ClocksExtended():
            return table
        case _:
            assert_never(event)


def begun(table: Table, started: happened.MatchStarted) -> Table:
    """Return the table after a match has begun; one that was restarted holds other options up."""
    held_up = started.options != table.options
    table = replace(
        table,
        status="playing",
        start_called=False,
        layout_of=None,
        options=started.options,
        plan=table.plan or (Plan(table.options, table.settings, table.lock) if held_up else None),
        series=continued(table),
        matches=table.matches + 1,
        next_seed=bytes.fromhex(started.next_seed) if started.next_seed else None,
    )
    return everyone(table, ready=True)


def ended(table: Table, result: Result) -> Table:
    """Return the table after a match; where none follows by itself, everybody has to get ready anew."""
    series = counted(table, result)
    goes_on = table.settings.restart is not None and not (series is not None and series.is_decided)
    table = replace(table, series=series, status="finished" if all_seated(table) else "open")
    return table if goes_on else everyone(table, ready=False)


def reconfigured(table: Table, told: happened.RoomConfigured, recorded: Recorded) -> Table:
    """Return the table under other options and settings; where no match follows by itself now, nobody is ready."""
    stops = table.status == "finished" and told.settings.restart is None
    table = replace(table, options=told.options, settings=told.settings, lock=told.lock or None, plan=None)
    table = everyone(table, ready=False) if stops else with_unseated_unready(table, told.seats)
    return seated(table, told.seats, recorded)


def newcomer(table: Table, joined: happened.PlayerJoined) -> Member:
    """Return somebody as they come in."""
    level = None if joined.bot == "external" else joined.bot
    muted = joined.player in table.muted
    program = joined.bot == "external"
    return Member(joined.nickname, joined.role, salt=joined.salt or "", bot=level, muted=muted, program=program)


def offered(made: happened.OfferMade, recorded: Recorded) -> Offer:
    """Return an offer as it was made."""
    return Offer(
        id=made.offer,
        kind=made.kind,
        by=made.player,
        made=recorded.version,
        to_version=made.to_version,
        target=made.target,
        abandoned=made.abandoned,
    )


def with_offer(table: Table, offer: Offer) -> Table:
    """Return the table with one more open offer."""
    judged = offer.kind == "draw" and offer.abandoned is None
    draw_offered = offer.made if judged else table.draw_offered
    return replace(table, offers=(*table.offers, offer), offers_made=offer.id, draw_offered=draw_offered)


def accepted(offer: Offer, number: int, player: PlayerId) -> Offer:
    """Return an offer, accepted by one more player if it has this number."""
    return replace(offer, accepted=(*offer.accepted, player)) if offer.id == number else offer


def without(table: Table, player: PlayerId) -> Table:
    """Return the table after somebody has gone."""
    return replace(there(table, player), members={who: each for who, each in table.members.items() if who != player})


def there(table: Table, player: PlayerId | None) -> Table:
    """Return the table with a player who is not away, or not awaited any more."""
    return replace(table, absent={who: since for who, since in table.absent.items() if who != player})


def with_seat(table: Table, seat: int, holder: PlayerId | None) -> tuple[PlayerId | None, ...]:
    """Return the seats with another holder of one of them."""
    return (*table.seats[:seat], holder, *table.seats[seat + 1 :])


def with_member(table: Table, player: PlayerId, **changes: object) -> Table:
    """Return the table with one member changed; a player who has gone stays gone."""
    member = table.members.get(player)
    if member is None:
        return table
    return replace(table, members={**table.members, player: replace(member, **changes)})


def with_unseated_unready(table: Table, seats: tuple[PlayerId | None, ...]) -> Table:
    """Return the table with nobody ready who has no seat among these."""
    members = {
        player: member if player in seats else replace(member, ready=False) for player, member in table.members.items()
    }
    return replace(table, members=members)


def everyone(table: Table, *, ready: bool) -> Table:
    """Return the table with every seated player ready or not; a salt, sent by whomever, serves one match."""
    seated_players = set(table.seats)
    members = {
        player: replace(member, ready=ready if player in seated_players else member.ready, salt="")
        for player, member in table.members.items()
    }
    return replace(table, members=members)


def seated(table: Table, seats: tuple[PlayerId | None, ...], recorded: Recorded) -> Table:
    """Return the table with these holders; an empty seat after a match opens the room again."""
    opens = table.status == "finished" and None in seats
    return replace(
        table,
        seats=seats,
        status="open" if opens else table.status,
        absent={player: since for player, since in table.absent.items() if player in seats},
        left={Seat(at): table.left.get(Seat(at), recorded.time) for at, holder in enumerate(seats) if holder is None},
    )
