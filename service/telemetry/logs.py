"""Logs as facts: structlog, set up once."""

import logging
import sys
from typing import TextIO, cast

import structlog

from service.settings import Settings
from service.telemetry.current_operation import DETAIL, with_doing


class StandardError:
    """Standard error as it is when a line is written, which need not be what it was when the first one was."""

    def write(self, text: str) -> int:
        """Write."""
        return sys.stderr.write(text)

    def flush(self) -> None:
        """Flush."""
        sys.stderr.flush()


class OneLine(logging.Handler):
    """Writes what libraries log as facts of ours: one line each."""

    def emit(self, record: logging.LogRecord) -> None:
        """Write a record; a traceback stays inside its line."""
        told = structlog.get_logger()
        told.log(
            record.levelno, "library_logged", logger=record.name, message=record.getMessage(), exc_info=record.exc_info
        )


def set_up(settings: Settings) -> None:
    """Write one line an event to standard error, as JSON or for a terminal."""
    render: structlog.typing.Processor = structlog.processors.JSONRenderer()
    if settings.log_format == "console":
        render = structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty())
    DETAIL.on = settings.log_level == "debug"
    structlog.configure(
        processors=[
            with_doing,
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
