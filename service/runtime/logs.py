"""Structured logs: structlog and its configuration."""

import logging
import sys
from typing import TextIO, cast

import structlog

from service.runtime.current_operation import ACCESS_LOG, COMMAND_LOGGING, add_request
from service.runtime.settings import Settings


class StandardError:
    """The current `sys.stderr`, which may be replaced between two lines."""

    def write(self, text: str) -> int:
        """Write a text."""
        return sys.stderr.write(text)

    def flush(self) -> None:
        """Flush."""
        sys.stderr.flush()


class OneLine(logging.Handler):
    """Passes log records of libraries to structlog, one line each."""

    def emit(self, record: logging.LogRecord) -> None:
        """Log a record, with its traceback in the same line."""
        structlog.get_logger().log(
            record.levelno, "library_logged", logger=record.name, message=record.getMessage(), exc_info=record.exc_info
        )


def set_up(settings: Settings) -> None:
    """Configure logging: one line per entry on standard error, as JSON or for a terminal."""
    render: structlog.typing.Processor = structlog.processors.JSONRenderer()
    if settings.log_format == "console":
        render = structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty())
    COMMAND_LOGGING.on, ACCESS_LOG.on = settings.log_level == "debug", settings.access_log
    structlog.configure(
        processors=[
            add_request,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.format_exc_info,
            render,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(logging.getLevelNamesMapping()[settings.log_level.upper()]),
        logger_factory=structlog.WriteLoggerFactory(file=cast("TextIO", StandardError())),
        cache_logger_on_first_use=True,
    )
    logging.basicConfig(handlers=[OneLine()], level=logging.WARNING)
