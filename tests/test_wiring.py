"""The background loops of the service."""

import asyncio

from structlog.testing import capture_logs

from service.wiring import running


async def fails() -> None:
    """Fail like a loop with a bug."""
    raise ZeroDivisionError


async def test_an_exception_that_ends_a_loop_is_logged() -> None:
    """Immediately, not when the service ends; a cancelled loop logs nothing."""
    with capture_logs() as logs:
        async with running(fails(), asyncio.sleep(60)):
            await asyncio.sleep(0.01)
            assert [(line["event"], type(line["exc_info"])) for line in logs] == [("loop_failed", ZeroDivisionError)]
    assert len(logs) == 1
