"""A bot of your own: joins a room and plays in it until it closes. Only `choose` has to become cleverer.

Run it with `python bot.py http://127.0.0.1:8000 friday-night "Deep Thought"`.
"""

import json
import random
import sys
import time
import uuid
from urllib.error import HTTPError
from urllib.request import Request, urlopen

server, room, nickname = sys.argv[1:]
headers = {"Content-Type": "application/json"}


def choose(view, moves):
    """Return one of the legal moves; all that this seat may know is in the view."""
    return random.choice([move for move in moves if move["type"] == "commit"] or moves)  # Turncoat: stand by it


def post(path, body, key=None):
    """Return the answer to a request, or None where the rules refuse it; what got no answer is sent again."""
    keyed = {**headers, "Idempotency-Key": key or str(uuid.uuid4())}
    while True:
        try:
            return json.load(urlopen(Request(f"{server}/v1{path}", json.dumps(body).encode(), keyed), timeout=30))
        except HTTPError as refusal:
            if refusal.code < 500 and refusal.code != 429:
                return print(refusal.read().decode())
        except OSError:
            pass  # the connection broke: the key makes it safe to ask again
        time.sleep(1)


def views():
    """Yield the room as this bot may see it, whenever something has happened."""
    while True:
        try:
            for line in urlopen(Request(f"{server}/v1/rooms/{room}/feed", headers=headers), timeout=60):
                if line.startswith(b"data: ") and "view" in (frame := json.loads(line[6:])):
                    yield frame["view"]
        except OSError:
            time.sleep(1)  # the stream broke: the next one begins with the whole view


guest = post("/players", {"nickname": nickname, "bot": True})
headers["Authorization"] = f"Bearer {guest['token']}"
post(f"/rooms/{room}/commands", {"type": "join"})
post(f"/rooms/{room}/commands", {"type": "ready"})
moved = 0  # the version after its latest move: what is told from before that is out of date
for view in views():
    if view["status"] == "closed":
        break
    match = view["match"] if view["version"] >= moved else None
    if match and any(view["seats"][seat]["player"] == guest["player"]["id"] for seat in match["to_move"]):
        play = {"type": "play", "move": choose(view, match["legal_moves"])}
        moved = (post(f"/rooms/{room}/commands", play, key=f"{match['id']}-{view['version']}") or view)["version"]
