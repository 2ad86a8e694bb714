"""What runs beside the service is looked after."""

import asyncio

from structlog.testing import capture_logs

from service.wiring import running


async def fails() -> None:
    """Be a loop with a fault."""
    raise ZeroDivisionError


async def test_the_fault_that_ends_a_loop_is_logged() -> None:
    """At once, and not when the service ends; a loop that is cancelled then has none."""
    with capture_logs() as logs:
        async with running(fails(), asyncio.sleep(60)):
            await asyncio.sleep(0.01)
            assert [(line["event"], type(line["exc_info"])) for line in logs] == [("loop_failed", ZeroDivisionError)]
    assert len(logs) == 1
