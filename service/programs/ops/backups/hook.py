"""The operator's command that runs after each backup, for example to copy it elsewhere."""

import asyncio
import os
import signal
from collections.abc import Mapping, Sequence
from contextlib import suppress

from service.programs.ops.backups.archive import Backup, manifest_of
from service.runtime.os_errors import reason_of

TIME_LIMIT = 3600.0
"""Seconds that the command may take."""

STANDARD_ERROR = 2


class CommandFailed(Exception):  # noqa: N818 - the failure of another program
    """The command after a backup failed; the backup itself is complete. The message says how it failed."""


async def run_command(command: Sequence[str], backup: Backup, within: float = TIME_LIMIT) -> None:
    """Run a command with the paths of a backup and of its manifest as its last arguments. Raises `CommandFailed`.

    No shell is used. The command has `within` seconds, no input, and none of the service's settings in its environment;
    its output goes to standard error.
    """
    paths = (str(backup.path.absolute()), str(manifest_of(backup.path).absolute()))
    try:
        process = await asyncio.create_subprocess_exec(
            *command,
            *paths,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=STANDARD_ERROR,
            env=without_settings(os.environ),
            start_new_session=True,
        )
    except (OSError, ValueError) as failure:
        raise CommandFailed(f"{command[0]} cannot be started: {reason_of(failure)}") from None
    try:
        async with asyncio.timeout(within):
            code = await process.wait()
    except TimeoutError:
        raise CommandFailed(f"{command[0]} did not end within {within:g} s and was killed") from None
    finally:
        if process.returncode is None:
            await end_group(process)
    if code:
        raise CommandFailed(f"{command[0]} ended with exit code {code}")


async def end_group(process: asyncio.subprocess.Process) -> None:
    """Kill a command and the processes that it started."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    await process.wait()


def without_settings(environment: Mapping[str, str]) -> dict[str, str]:
    """Return an environment without the service's settings, which contain secrets."""
    return {name: value for name, value in environment.items() if not name.startswith("TURNSTREAM_")}
