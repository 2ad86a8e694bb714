# mypy: ignore-errors
"""Play a match of a game with the client that openapi-python-client generates: `python play.py URL GAME`.

Prints how it ended. The types of that client exist only once it is generated.
"""

import random
import sys

from turnstream_client import models
from turnstream_client.api.players import create_player
from turnstream_client.api.rooms import command_room, open_room, read_legal_moves, read_room
from turnstream_client.client import AuthenticatedClient, Client

SEATS = {"ternio": 3, "triboard": 3}
OPTIONS = {"morris": {"quiet_limit": 10}, "turncoat": {"round_limit": 3}, "rainbow": {"quiet_limit": 10}}


def checked(answer: object, kind: str) -> object:
    """Return an answer that has a type of this name."""
    if type(answer) is not getattr(models, kind):
        raise TypeError(f"expected {kind}, got {answer}")
    return answer


def play(url: str, game: str) -> str:
    """Play any legal moves until the match is over; return the reason."""
    begin = game.title()
    guest = checked(create_player.sync(client=Client(url), body=models.NewPlayer("Ada")), "Guest")
    client = AuthenticatedClient(url, guest.token)
    if (problem := checked(read_room.sync("no-such-room", client=client), "Problem")).code != "no_such_room":
        raise TypeError(f"expected a room that is not found, got {problem}")
    request = {"seats": ["me"] * SEATS.get(game, 2), "settings": {"hot_seat": True}, "options": OPTIONS.get(game, {})}
    opening = getattr(models, f"{begin}OpenRoomRequest").from_dict({"game": game, **request})
    room = checked(open_room.sync(client=client, body=opening), "OpenRoomResponse").room
    while True:
        match = checked(read_room.sync(room, client=client), f"{begin}RoomView").match
        if match.status == "finished":
            return match.result.reason
        seat = match.to_move[0]
        legal = checked(read_legal_moves.sync(room, client=client, seat=seat), f"{begin}LegalMoves").legal_moves
        commits = [move for move in legal if move.type_ == "commit"]
        move = random.choice(commits or legal)
        command = models.PlayCommand(models.PlayCommandType.PLAY, move, seat=seat)
        done = checked(command_room.sync(room, client=client, body=command), "CommandResponse")
        for event in done.events:
            if event.to_dict().get("game", game) != game:
                raise TypeError(f"expected an event of {game}, got {event}")


if __name__ == "__main__":
    sys.stdout.write(f"{play(*sys.argv[1:])}\n")
