"""Logs as facts: structlog, set up once."""

import logging
import sys

import structlog

from service.settings import Settings


def set_up(settings: Settings) -> None:
    """Write one line an event to standard error, as JSON or for a terminal."""
    render: structlog.typing.Processor = structlog.processors.JSONRenderer()
    if settings.log_format == "console":
        render = structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty())
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.format_exc_info,
            render,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(logging.getLevelNamesMapping()[settings.log_level.upper()]),
        logger_factory=structlog.WriteLoggerFactory(file=sys.stderr),
        cache_logger_on_first_use=True,
    )
