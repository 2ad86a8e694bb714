"""The reasons of errors, for people."""

import re

NUMBER = re.compile(r"\[Errno -?\d+\] ")


def reason_of(failure: Exception) -> str:
    """Return why an operation of the system failed, with the file or address if it is known, and without an errno."""
    return NUMBER.sub("", str(failure)) or type(failure).__name__
