"""The handshake of a WebSocket: httptools parses the head that uvicorn hands over, for ASGI and for picows.

It negotiates permessage-deflate (RFC 7692), by which the library websockets compresses messages.
"""

import binascii
from typing import Any, Self
from urllib.parse import unquote

import httptools
from picows import WSFrame
from websockets.datastructures import Headers
from websockets.exceptions import InvalidHandshake, PayloadTooBig, ProtocolError
from websockets.extensions import Extension
from websockets.extensions.permessage_deflate import ServerPerMessageDeflateFactory
from websockets.frames import Frame, Opcode
from websockets.server import ServerProtocol

from service.api.server.incoming import PROTOCOL_ERROR, TOO_BIG, BadFrameError

LINE_BYTES = 8190
HEAD_BYTES = 16_000
LINES = 128
"""The longest header, the longest head and the most headers; picows allows a little more."""

REQUEST = b"GET / HTTP/1.1\r\nconnection: upgrade\r\nupgrade: websocket\r\n%b\r\n"
REFUSED = REQUEST % b"sec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
"""A valid request for picows, instead of one that is refused in any case."""

VERSION = b"13"
"""The version of the protocol (RFC 6455)."""
NONCE_BYTES = 16
"""The size of a decoded `Sec-WebSocket-Key`."""

HeaderList = list[tuple[bytes, bytes]]


class HandshakeError(Exception):
    """A request that is not a valid handshake."""

    def __init__(self, status: int, detail: str) -> None:
        super().__init__(detail)
        self.status = status


class Handshake:
    """The URL and the headers of a request."""

    def __init__(self) -> None:
        """Start empty."""
        self.url = b""
        self.headers: HeaderList = []

    def on_url(self, url: bytes) -> None:
        """Append a part of the URL."""
        self.url += url

    def on_header(self, name: bytes, value: bytes) -> None:
        """Append a header."""
        self.headers.append((name.lower(), value))


def read(head: bytes) -> Handshake:
    """Return the parsed head of a request. Raises `HandshakeError`."""
    if len(head) > HEAD_BYTES:
        raise HandshakeError(431, "The headers of the request are too long.")
    handshake = Handshake()
    parser = httptools.HttpRequestParser(handshake)
    try:
        parser.feed_data(head)
    except httptools.HttpParserUpgrade:
        check(parser.get_method(), handshake)
    except httptools.HttpParserError:
        raise HandshakeError(400, "The request is not valid HTTP/1.1.") from None
    try:
        httptools.parse_url(handshake.url)
    except httptools.HttpParserInvalidURLError:
        raise HandshakeError(400, "The path of the request is not valid.") from None
    return handshake


def check(method: bytes, handshake: Handshake) -> None:
    """Raise `HandshakeError` for a request that is not a valid handshake."""
    headers = handshake.headers
    if method != b"GET" or not handshake.url.isascii():
        raise HandshakeError(400, "A request for a WebSocket is a GET of a path in ASCII.")
    if len(headers) > LINES or any(len(name) + len(value) > LINE_BYTES for name, value in headers):
        raise HandshakeError(431, "The headers of the request are too long or too many.")
    names = [name for name, _ in headers]
    if b"transfer-encoding" in names or b"content-length" in names:
        raise HandshakeError(400, "A request for a WebSocket has no body.")
    if [value for name, value in headers if name == b"sec-websocket-version"] != [VERSION]:
        raise HandshakeError(426, "A request for a WebSocket has the header Sec-WebSocket-Version: 13.")
    keys = [value for name, value in headers if name == b"sec-websocket-key"]
    if len(keys) != 1 or not is_nonce(keys[0]):
        raise HandshakeError(400, "A request for a WebSocket has one Sec-WebSocket-Key: 16 bytes in Base64.")


def is_nonce(key: bytes) -> bool:
    """Return whether this is a valid `Sec-WebSocket-Key`."""
    try:
        return len(binascii.a2b_base64(key, strict_mode=True)) == NONCE_BYTES
    except binascii.Error:
        return False


def essence(handshake: Handshake) -> bytes:
    """Return the request for picows, with only the two headers that it needs.

    uvicorn has checked `Connection`, which may name more than the upgrade; picows accepts only `upgrade`. picows 2.0
    fails on any other header that is not UTF-8.
    """
    needed = {b"sec-websocket-key", b"sec-websocket-version"}
    kept = [b"%b: %b\r\n" % header for header in handshake.headers if header[0] in needed]
    return REQUEST % b"".join(kept)


def websocket_scope(handshake: Handshake, root_path: str) -> dict[str, Any]:
    """Return those parts of the ASGI scope that the request determines."""
    target = httptools.parse_url(handshake.url)
    protocols = [value.decode("latin-1") for name, value in handshake.headers if name == b"sec-websocket-protocol"]
    return {
        "type": "websocket",
        "asgi": {"version": "3.0", "spec_version": "2.4"},
        "http_version": "1.1",
        "root_path": root_path,
        "path": root_path + unquote(target.path.decode("ascii")),
        "raw_path": root_path.encode("ascii") + target.path,
        "query_string": target.query or b"",
        "headers": handshake.headers,
        "subprotocols": [token.strip() for value in protocols for token in value.split(",")],
    }


EXTENSIONS = "sec-websocket-extensions"
WINDOW_BITS = 12
"""The window that both sides use: 4 KiB, about one view."""
DEFLATE = ServerPerMessageDeflateFactory(
    server_max_window_bits=WINDOW_BITS, client_max_window_bits=WINDOW_BITS, compress_settings={"memLevel": 5}
)


class InflatedFrame:
    """A frame that was decompressed, with those parts of `WSFrame` that are read."""

    def __init__(self, frame: WSFrame, inflated: Frame) -> None:
        """Combine the payload of `inflated` with everything else of the frame as it arrived."""
        self.msg_type, self.fin, self.rsv2, self.rsv3 = frame.msg_type, frame.fin, frame.rsv2, frame.rsv3
        self.rsv1 = inflated.rsv1
        self._payload = bytes(inflated.data)

    def get_payload_as_utf8_text(self) -> str:
        """Return the payload. Raises `UnicodeDecodeError`."""
        return self._payload.decode()

    def get_payload_as_memoryview(self) -> memoryview:
        """Return the payload."""
        return memoryview(self._payload)


class Compression:
    """The compression of one socket, which remembers earlier messages in both directions."""

    def __init__(self, accepted: str, extension: Extension, most_bytes: int) -> None:
        """Use an extension that was negotiated; a frame may have `most_bytes` when it is decompressed."""
        self.header = (EXTENSIONS, accepted)
        """The answer in the handshake."""
        self._extension = extension
        self._most_bytes = most_bytes

    @classmethod
    def negotiate(cls, headers: HeaderList, most_bytes: int) -> Self | None:
        """Return the compression that a client offers, None if it offers none that is supported."""
        offers = [value.decode("latin-1") for name, value in headers if name.decode("latin-1") == EXTENSIONS]
        try:
            accepted, extensions = ServerProtocol(extensions=[DEFLATE]).process_extensions(
                Headers([(EXTENSIONS, offer) for offer in offers])
            )
        except InvalidHandshake:
            return None
        return cls(accepted, extensions[0], most_bytes) if accepted is not None else None

    def deflate(self, payload: bytes) -> bytes | bytearray | memoryview:
        """Return the payload of a text message compressed."""
        return self._extension.encode(Frame(Opcode.TEXT, payload)).data

    def inflate(self, frame: WSFrame) -> InflatedFrame:
        """Return a data frame decompressed, if it is compressed. Raises `BadFrameError`."""
        received = Frame(Opcode(frame.msg_type.value), frame.get_payload_as_bytes(), frame.fin, frame.rsv1)
        try:
            return InflatedFrame(frame, self._extension.decode(received, max_size=self._most_bytes))
        except PayloadTooBig:
            raise BadFrameError(TOO_BIG, "") from None
        except ProtocolError:
            raise BadFrameError(PROTOCOL_ERROR, "the compressed data are invalid") from None
