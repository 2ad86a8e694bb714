"""The fold of everything but the match: members, seats, readiness, offers, plans and the score of a series."""

from typing import assert_never

import msgspec
from msgspec.structs import replace

from service.domain.game import Seat
from service.domain.ids import Millis, PlayerId
from service.domain.room.model import events
from service.domain.room.model.events import (
    MOST_ENDED,
    AnyRoomEvent,
    Invitation,
    InvitationEvent,
    InvitationSecret,
    Recorded,
    Result,
)
from service.domain.room.model.settings import Series
from service.domain.room.model.state import Member, Offer, Plan, Table, all_seated


def apply_to_invitations(table: Table, event: InvitationEvent, time: Millis) -> Table:
    """Return the table after an event of an invitation."""
    match event:
        case events.InvitationMade():
            made = new_invitation(event, time)
            ended = [each.number for each in table.invitations if each.end_reason(time) is not None]  # oldest first
            forgotten = set(ended[: max(0, len(ended) - MOST_ENDED)])
            known = tuple(each for each in table.invitations if each.number not in forgotten)
            return replace(table, invitations=(*known, made), invitations_made=made.number)
        case events.InvitationDeclined(invitation=number, player=player):
            return with_invitation(table, number, declined=player)
        case events.InvitationRevoked(invitation=number):
            return with_invitation(table, number, revoked=True)


def new_invitation(made: events.InvitationMade, time: Millis) -> Invitation:
    """Return an invitation as it was made."""
    secret, expires = InvitationSecret(made.hash or "", made.nonce or ""), Millis(time + made.expires_ms)
    seat = None if made.seat is msgspec.UNSET else made.seat
    return Invitation(made.invitation, made.player, made.uses, expires, secret, seat)


def with_invitation(
    table: Table, number: int | None, *, declined: PlayerId | None = None, used: bool = False, revoked: bool = False
) -> Table:
    """Return the table with one invitation changed; unchanged without one of this number."""
    changed = tuple(
        replace(
            each,
            used=each.used + used,
            revoked=each.revoked or revoked,
            declined=each.declined if declined is None else (*each.declined, declined),
        )
        if each.number == number
        else each
        for each in table.invitations
    )
    return replace(table, invitations=changed)


MemberEvent = (
    events.PlayerJoined
    | events.PlayerLeft
    | events.PlayerKicked
    | events.PlayerMuted
    | events.PlayerReadied
    | events.PlayerUnreadied
    | events.NextVetoed
)
"""The events that change a single member."""


def apply_to_table(table: Table, event: AnyRoomEvent, recorded: Recorded) -> Table:  # noqa: C901, PLR0911, PLR0912 - one arm per event
    """Return the table after an event of the room."""
    if isinstance(event, MemberEvent):
        return apply_to_members(table, event)
    if isinstance(event, InvitationEvent):
        return apply_to_invitations(table, event, recorded.time)
    match event:
        case events.SeatDeserted(seat=seat):
            return replace(table, absent={**table.absent, table.seats[seat] or PlayerId(""): recorded.time})
        case events.SeatReturned(seat=seat):
            return with_present(table, table.seats[seat])
        case events.PositionCopied(position=position):
            return replace(table, position=position)
        case events.CreatorChanged(player=player):
            return replace(table, creator=player)
        case events.SeatTaken(seat=seat, player=player):
            present = with_member(with_present(table, player), player, role="player")
            return with_seats(present, seats_with(table, seat, player), recorded)
        case events.SeatLeft(seat=seat, player=player):
            return with_seats(with_member(table, player, ready=False), seats_with(table, seat, None), recorded)
        case events.SeatsAssigned(seats=seats):
            return with_seats(with_unseated_unready(table, seats), seats, recorded)
        case events.StartCalled(layout_of=layout_of):
            return replace(table, start_called=True, layout_of=layout_of or None)
        case events.OfferMade() as made:
            return with_offer(table, new_offer(made, recorded))
        case events.OfferAccepted(offer=number, player=player):
            return replace(table, offers=tuple(with_acceptance(offer, number, player) for offer in table.offers))
        case events.OfferClosed(offer=number):
            return replace(table, offers=tuple(offer for offer in table.offers if offer.id != number))
        case events.MatchStarted():
            return start_match(table, event, recorded.time)
        case events.MatchEnded(result=result, next_seed_hash=next_hash):
            return end_match(table if next_hash else replace(table, next_seed=None), result)
        case events.NextConfigured(options=options, settings=settings, lock=lock):
            return replace(table, plan=Plan(options, settings, lock or None))
        case events.RoomConfigured() as configured:
            return reconfigure(table, configured, recorded)
        case events.RoomClosed():
            return replace(table, status="closed", offers=())
        case events.ClocksExtended() if table.settings.rated:
            # Nobody could come back during the outage: all absences begin again.
            absent, left = (dict.fromkeys(players, recorded.time) for players in (table.absent, table.left))
            return replace(table, absent=absent, left=left)
        case events.RoomOpened() | events.TakenBack() | events.TimeRanOut() | events.ClocksExtended():
            return table
        case _:
            assert_never(event)


def apply_to_members(table: Table, event: MemberEvent) -> Table:
    """Return the table after an event of a single member."""
    match event:
        case events.PlayerJoined() as joined:
            members = {**table.members, joined.player: new_member(table, joined)}
            is_other = joined.player != table.creator and joined.bot in {None, "external"}
            table = replace(table, members=members, others_entered=table.others_entered or is_other)
            return with_invitation(table, joined.invitation or None, used=True)
        case events.PlayerLeft(player=player):
            return without_member(table, player)
        case events.PlayerKicked(player=player):
            return replace(without_member(table, player), kicked=(*table.kicked, player))
        case events.PlayerMuted(player=player, on=on):
            others = tuple(each for each in table.muted if each != player)
            return with_member(replace(table, muted=(*others, player) if on else others), player, muted=on)
        case events.PlayerReadied(player=player, salt=salt):
            ready = with_member(table, player, ready=True)
            return ready if salt is None else with_member(ready, player, salt=salt)
        case events.PlayerUnreadied(player=player) | events.NextVetoed(player=player):
            return with_member(table, player, ready=False)
        case _:
            assert_never(event)


def start_match(table: Table, started: events.MatchStarted, time: Millis) -> Table:
    """Return the table after a match has started, from when absences are counted.

    If it repeats a match that had other options, the table's own options are planned for the match after it.
    """
    repeats_other_options = started.options != table.options
    own = Plan(table.options, table.settings, table.lock) if repeats_other_options else None
    table = replace(
        table,
        status="playing",
        start_called=False,
        layout_of=None,
        options=started.options,
        plan=table.plan or own,
        series=next_series(table),
        matches=table.matches + 1,
        absent=dict.fromkeys(table.absent, time),
        next_seed=bytes.fromhex(started.next_seed) if started.next_seed else None,
    )
    return with_everyone_ready(table, ready=True)


def end_match(table: Table, result: Result) -> Table:
    """Return the table after a match; nobody stays ready unless the next match starts automatically."""
    series = count_match(table, result)
    goes_on = table.settings.restart is not None and not (series is not None and series.is_decided)
    table = replace(table, series=series, status="finished" if all_seated(table) else "open")
    return table if goes_on else with_everyone_ready(table, ready=False)


def next_series(table: Table) -> Series | None:
    """Return the series that the next match belongs to: a new one if the last is decided or its length has changed."""
    series, best_of = table.series, table.settings.best_of
    if not best_of:
        return None
    if series is None or series.is_decided or series.best_of != best_of:
        return Series(best_of, 1 if series is None else series.number + 1)
    return series


def count_match(table: Table, result: Result) -> Series | None:
    """Return the series after a match: one point for a sole winner, half a point for each who shares the first place.

    The points belong to the players, whichever seats they hold. A match without a result does not count.
    """
    series = table.series
    if series is None or not result.places:
        return series
    points = dict(series.points)
    for seat in result.winners:
        holder = table.seats[seat]
        if holder is not None:
            points[holder] = points.get(holder, 0) + (1 if len(result.winners) == 1 else 0.5)
    return replace(series, played=series.played + 1, points=points)


def reconfigure(table: Table, configured: events.RoomConfigured, recorded: Recorded) -> Table:
    """Return the table with other options and settings.

    Nobody stays ready if, after a match, the next one no longer starts automatically.
    """
    stops = table.status == "finished" and configured.settings.restart is None
    options, settings, lock = configured.options, configured.settings, configured.lock or None
    table = replace(table, options=options, settings=settings, lock=lock, plan=None)
    table = with_everyone_ready(table, ready=False) if stops else with_unseated_unready(table, configured.seats)
    return with_seats(table, configured.seats, recorded)


def new_member(table: Table, joined: events.PlayerJoined) -> Member:
    """Return a member as they joined."""
    level = None if joined.bot == "external" else joined.bot
    muted = joined.player in table.muted
    salt = joined.salt or ""
    return Member(
        joined.nickname,
        joined.role,
        salt=salt,
        bot=level,
        muted=muted,
        program=joined.bot == "external",
        name_ref=joined.name_ref,
    )


def new_offer(made: events.OfferMade, recorded: Recorded) -> Offer:
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
    asks_bots = offer.kind == "draw" and offer.abandoned is None and table.members[offer.by].bot is None
    draw_offered = offer.made if asks_bots else table.draw_offered
    return replace(table, offers=(*table.offers, offer), offers_made=offer.id, draw_offered=draw_offered)


def with_acceptance(offer: Offer, number: int, player: PlayerId) -> Offer:
    """Return an offer, accepted by one more player if it has this number."""
    return replace(offer, accepted=(*offer.accepted, player)) if offer.id == number else offer


def without_member(table: Table, player: PlayerId) -> Table:
    """Return the table without a member, whose invitations end."""
    members = {other: member for other, member in table.members.items() if other != player}
    ended = tuple(replace(each, revoked=True) if each.by == player else each for each in table.invitations)
    return replace(with_present(table, player), members=members, invitations=ended)


def with_present(table: Table, player: PlayerId | None) -> Table:
    """Return the table with a player who is no longer listed as absent."""
    return replace(table, absent={other: since for other, since in table.absent.items() if other != player})


def seats_with(table: Table, seat: int, holder: PlayerId | None) -> tuple[PlayerId | None, ...]:
    """Return the holders of all seats, with another holder of this one."""
    return (*table.seats[:seat], holder, *table.seats[seat + 1 :])


def with_member(table: Table, player: PlayerId, **changes: object) -> Table:
    """Return the table with one member changed; unchanged if the player has left."""
    member = table.members.get(player)
    if member is None:
        return table
    return replace(table, members={**table.members, player: replace(member, **changes)})


def with_unseated_unready(table: Table, seats: tuple[PlayerId | None, ...]) -> Table:
    """Return the table with only those members ready who hold one of these seats."""
    members = {
        player: member if player in seats else replace(member, ready=False) for player, member in table.members.items()
    }
    return replace(table, members=members)


def with_everyone_ready(table: Table, *, ready: bool) -> Table:
    """Return the table with all seated players ready, or none; salts are cleared, as each is for one match."""
    seated_players = set(table.seats)
    members = {
        player: replace(member, ready=ready if player in seated_players else member.ready, salt="")
        for player, member in table.members.items()
    }
    return replace(table, members=members)


def with_seats(table: Table, seats: tuple[PlayerId | None, ...], recorded: Recorded) -> Table:
    """Return the table with these holders of its seats; after a match an empty seat opens the room again."""
    opens = table.status == "finished" and None in seats
    return replace(
        table,
        seats=seats,
        status="open" if opens else table.status,
        absent={player: since for player, since in table.absent.items() if player in seats},
        left={Seat(at): table.left.get(Seat(at), recorded.time) for at, holder in enumerate(seats) if holder is None},
    )
