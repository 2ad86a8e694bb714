"""The address of a store server, as a URL.

    redis://[[user]:[password]@]host[:port][/database]      plain TCP; port 6379 and database 0 unless given
    rediss://...                                            the same over TLS
    unix://[[user]:[password]@]/path/of/the/socket

Options follow a `?`: with each of them `db` (the database), with `rediss` also those of `TlsOptions`. Characters with
a meaning in URLs are percent-encoded.
"""

import asyncio
import ssl
from collections.abc import Callable
from typing import Annotated, Literal
from urllib.parse import SplitResult, parse_qsl, unquote, urlsplit

import msgspec

from service.store.redis.client.resp import pack_command

CLIENT_NAME = b"turnstream"
"""The name of the service's connections in the server's CLIENT LIST."""

DEFAULT_PORT = 6379


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The options of a URL."""

    db: Annotated[int, msgspec.Meta(ge=0)] | None = None
    """The database; used instead of the one in the URL's path."""


class TlsOptions(Options, frozen=True, forbid_unknown_fields=True):
    """The options of a `rediss` URL. Files are in PEM format."""

    ssl_ca_certs: str | None = None
    """A file of certificates to trust in addition to those of the system."""
    ssl_certfile: str | None = None
    """The client's certificate."""
    ssl_keyfile: str | None = None
    """Its key, unless it is in the same file."""
    ssl_password: str | None = None
    """The key's password."""
    ssl_cert_reqs: Literal["required", "optional", "none"] = "required"
    """Whether the server has to present a valid certificate."""
    ssl_check_hostname: bool = True
    """Whether the certificate has to name the host."""

    def context(self) -> ssl.SSLContext:
        """Return the `SSLContext` of these options. Reads the files. Raises `OSError`."""
        context = ssl.create_default_context()
        context.check_hostname = self.ssl_check_hostname and self.ssl_cert_reqs != "none"
        context.verify_mode = ssl.VerifyMode[f"CERT_{self.ssl_cert_reqs.upper()}"]
        if self.ssl_ca_certs:
            context.load_verify_locations(self.ssl_ca_certs)
        if self.ssl_certfile:
            context.load_cert_chain(self.ssl_certfile, self.ssl_keyfile, self.ssl_password)
        return context


class Address(msgspec.Struct, frozen=True):
    """A server's address, and the commands with which a new connection to it begins."""

    host: str = "localhost"
    port: int = DEFAULT_PORT
    socket: str = ""
    """The path of a Unix socket, which is used instead of host and port."""
    tls: TlsOptions | None = None
    login: tuple[str, ...] = ()
    """The arguments of AUTH: a password, or a user and a password; empty if no login is needed."""
    database: int = 0

    def greeting(self) -> list[bytes]:
        """Return the first commands of a connection, packed. They log in and select the database."""
        login = [(b"AUTH", *(word.encode() for word in self.login))] if self.login else []
        select = [(b"SELECT", b"%d" % self.database)] if self.database else []
        return [pack_command(command) for command in (*login, (b"CLIENT", b"SETNAME", CLIENT_NAME), *select)]

    async def connect(self, protocol: Callable[[], asyncio.Protocol]) -> None:
        """Open a connection. Raises `OSError`. Certificate files are read each time, as they may have been renewed."""
        loop = asyncio.get_running_loop()
        if self.socket:
            await loop.create_unix_connection(protocol, self.socket)
        else:
            context = self.tls.context() if self.tls else None
            await loop.create_connection(protocol, self.host, self.port, ssl=context)


def address_of(url: str) -> Address:
    """Return the address that a URL names. Raises `ValueError` for an invalid one."""
    parts = urlsplit(url)
    options = options_of(parts)
    login = login_of(parts)
    if parts.scheme == "unix":
        if not parts.path:
            raise ValueError("the store's URL has no path of a socket")
        return Address(socket=unquote(parts.path), login=login, database=options.db or 0)
    return Address(
        host=unquote(parts.hostname or "localhost"),
        port=parts.port or DEFAULT_PORT,
        tls=options if isinstance(options, TlsOptions) else None,
        login=login,
        database=int(unquote(parts.path.strip("/")) or 0) if options.db is None else options.db,
    )


def login_of(parts: SplitResult) -> tuple[str, ...]:
    """Return the arguments of AUTH for a URL."""
    user, password = unquote(parts.username or ""), unquote(parts.password or "")
    if user:
        return user, password
    return (password,) if password else ()


def options_of(parts: SplitResult) -> Options:
    """Return the options of a URL. Raises `ValueError` for an unknown scheme or option."""
    kinds: dict[str, type[Options]] = {"redis": Options, "rediss": TlsOptions, "unix": Options}
    if parts.scheme not in kinds:
        raise ValueError("the store's URL must begin with redis://, rediss:// or unix://")
    try:
        options = msgspec.convert(
            dict(parse_qsl(parts.query, keep_blank_values=True)), kinds[parts.scheme], strict=False
        )
        if isinstance(options, TlsOptions):
            options.context()
    except (msgspec.ValidationError, OSError) as fault:
        raise ValueError(f"the store's URL has an invalid option: {fault}") from fault
    return options
