"""Whether the service that `turnstream up` runs is ready, and what is said where only a person can help."""

import http.client
import shlex
from collections.abc import Mapping
from contextlib import closing

import msgspec

LOST = "store_lost_data"
"""The code of the problem that a person has to solve."""

NEEDED = ("TURNSTREAM_REDIS_URL", "TURNSTREAM_SECRET_FILE", "TURNSTREAM_WITNESS")
"""What a verb has to know of the service that runs."""


def unready(authority: str) -> str | None:
    """Return the code of the problem for which a service isn't ready, "" where it does not answer, None if it is."""
    with closing(http.client.HTTPConnection(authority, timeout=2)) as connection:
        try:
            connection.request("GET", "/health/ready")
            answer = connection.getresponse()
            if answer.status == http.HTTPStatus.OK:
                return None
            return str(msgspec.json.decode(answer.read())["code"])
        except (OSError, http.client.HTTPException, msgspec.DecodeError, KeyError, TypeError):
            return ""


def lost_text(program: str, environment: Mapping[str, str]) -> str:
    """Return what is said of a store that has lost data; `program` is how verbs are called in a shell."""
    given = " ".join(f"{name}={shlex.quote(environment[name])}" for name in NEEDED if name in environment)
    return f"""
The store has less than it had, so nothing is written until you decide. Rooms can be read.
This shows what is missing:

  {given} {program} accept-loss

Either stop this program and bring its data folder back as it was; or, in an emptied store, bring back a backup (the
same line with `restore FILE`); or add --yes to accept the data that is there. Turnstream then resumes by itself.
"""
