"""The URLs that can be fetched. They are parsed here only: the HTTP library gets the parts, not the text."""

import re

import msgspec

LONGEST_URL = 500

URL = re.compile(
    r"(?P<scheme>https?)://"
    r"(?P<host>(?!-)[a-z0-9_-]{1,63}(?<!-)(?:\.(?!-)[a-z0-9_-]{1,63}(?<!-))*|\[[0-9a-f:.]{2,45}\])"
    r"(?::(?P<port>[0-9]{1,5}))?"
    r"(?P<target>/[A-Za-z0-9._~:/?@!$&'()*+,;=%-]*)?"
)


class BadUrl(Exception):  # noqa: N818 - an answer, not an error
    """A text is not a URL that can be fetched; the message says what is expected."""


class HttpUrl(msgspec.Struct, frozen=True):
    """The parts of a URL."""

    scheme: str
    host: str
    """The name or address of the host in lower case; an IPv6 address without brackets."""
    port: int
    target: str
    """The path and the query."""

    @property
    def authority(self) -> str:
        """The host as in the header `Host`, with the port if it is not the scheme's."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == default_port(self.scheme) else f"{host}:{self.port}"


def default_port(scheme: str) -> int:
    """Return the port of a scheme."""
    return 443 if scheme == "https" else 80


def parse_url(text: str, *, allows_http: bool = False) -> HttpUrl:
    """Return the parts of a URL. Raises `BadUrl`."""
    if len(text) > LONGEST_URL:
        raise BadUrl(f"Expected at most {LONGEST_URL} characters")
    head, slashes, rest = text.partition("://")
    host, slash, target = rest.partition("/")
    found = URL.fullmatch(f"{head.lower()}{slashes}{host.lower()}{slash}{target}")
    if found is None:
        raise BadUrl("Expected an https:// URL in ASCII, without a user name and without a fragment")
    if found["scheme"] == "http" and not allows_http:
        raise BadUrl("Expected an https:// URL")
    port = int(found["port"] or default_port(found["scheme"]))
    if not 0 < port < 65536 or len(found["host"]) > 253:
        raise BadUrl("Expected an https:// URL with a valid host and port")
    return HttpUrl(found["scheme"], found["host"].strip("[]"), port, found["target"] or "/")
