"""Whether the service that `turnstream up` runs is ready, and the message when a person has to decide."""

import http.client
from contextlib import closing

import msgspec

STORE_LOST = "store_lost_data"
"""The code of the problem that a person has to solve."""


def readiness_problem(authority: str) -> str | None:
    """Return None if a service is ready, else the code of the problem, or "" if it does not answer."""
    with closing(http.client.HTTPConnection(authority, timeout=2)) as connection:
        try:
            connection.request("GET", "/health/ready")
            answer = connection.getresponse()
            if answer.status == http.HTTPStatus.OK:
                return None
            return str(msgspec.json.decode(answer.read())["code"])
        except (OSError, http.client.HTTPException, msgspec.DecodeError, KeyError, TypeError):
            return ""


def lost_text(program: str) -> str:
    """Return the message about a store that has lost data; `program` is the command before a verb in a shell."""
    return f"""
The store has lost data, so nothing is written until you decide. Rooms can be read.
This command shows what is missing:

  {program} accept-loss

Stop this program and restore its data folder; or restore a backup into an empty store (the same command with
`restore FILE`); or add --yes to continue with the data that is left. Turnstream then resumes automatically.
"""
