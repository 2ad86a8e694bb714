"""A bot of your own: it joins a room and plays in it until it closes. Replace `choose` with your own strategy.

Run it with `python bot.py http://127.0.0.1:8000 friday-night "Deep Thought"`.
"""

import asyncio
import random
import sys

from turnstream_client import Client, RefusedError, TurnstreamError


def choose(match):
    """Return one of the legal moves; `match.state` has what this seat may know."""
    commits = [move for move in match.legal_moves if move.type == "commit"]  # Turncoat: keep the selection
    return random.choice(commits or match.legal_moves)


async def play(server, name, nickname):
    """Play until the room is closed."""
    async with Client(server) as client:
        await client.create_guest(nickname, bot=True)
        async with client.join(name) as room:
            print(f"{nickname} has joined {room.view.title}.")
            await room.ready()
            async for match in room.turns():
                try:
                    move = choose(match)
                    await room.play(move)
                    print(f"Match {match.number}: {move}")
                except RefusedError as refused:  # the room has changed meanwhile; the next turn shows how
                    print(f"Refused: {refused}")
            print("The room is closed.")


if len(sys.argv) != 4:
    sys.exit(__doc__)
try:
    asyncio.run(play(*sys.argv[1:]))
except TurnstreamError as error:
    sys.exit(str(error))
