"""Compression of a WebSocket's messages, permessage-deflate (RFC 7692), by the library websockets."""

from typing import Self

from picows import WSFrame
from websockets.datastructures import Headers
from websockets.exceptions import InvalidHandshake, PayloadTooBig, ProtocolError
from websockets.extensions import Extension
from websockets.extensions.permessage_deflate import ServerPerMessageDeflateFactory
from websockets.frames import Frame, Opcode
from websockets.server import ServerProtocol

from service.api.server import handshake
from service.api.server.incoming import PROTOCOL_ERROR, TOO_BIG, BadFrameError

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
    def negotiate(cls, headers: handshake.Headers, most_bytes: int) -> Self | None:
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
