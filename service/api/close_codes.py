"""Why a socket is closed: the service's own close codes (4000 to 4299), their meanings, and what a client does next.

4000-4099: reconnect and resume. 4100-4199: authenticate again. 4200-4299: the same request would fail again.
"""

TOO_SLOW = 4000
LEAVING = 4001
TRY_AGAIN = 4002
BAD_TOKEN = 4100
OTHER_TOKEN = 4101
NO_FIRST_FRAME = 4200
NO_FRAMES = 4201
NO_SUCH_ROOM = 4202
ORIGIN_REFUSED = 4203
TOO_MANY_SOCKETS = 4204
FLOODED = 4205
BANNED = 4210

MEANINGS = {
    TOO_SLOW: "The client reads too slowly, or did not answer a ping, for example because a phone was suspended.",
    LEAVING: "This process is shutting down; another one, or its successor, continues.",
    TRY_AGAIN: "The store cannot be read, so a token cannot be checked, or a feed cannot continue.",
    BAD_TOKEN: "The token is invalid, or it is no longer accepted: it was revoked or has expired.",
    OTHER_TOKEN: "A socket acts for one player, and this token belongs to another.",
    NO_FIRST_FRAME: "No first frame arrived in time.",
    NO_FRAMES: "Too many messages were not valid frames.",
    BANNED: "An operator has banned this player.",
    NO_SUCH_ROOM: "The room's name is not valid.",
    ORIGIN_REFUSED: "Pages of this origin may not connect.",
    TOO_MANY_SOCKETS: "Too many sockets and streams are open from this address or for this player.",
    FLOODED: "The client sent frames far faster than allowed, or too many invalid tokens came from this address.",
    1001: "The server is going away.",
    1002: "The client violated the WebSocket protocol.",
    1006: "The connection broke, or the device was suspended; no close frame arrived.",
    1007: "A text frame was not UTF-8.",
    1009: "The frame was larger than 64 KiB.",
    1011: "An internal error occurred and was logged.",
    1012: "The server is restarting.",
}
"""Every code that a client may see, including the protocol's own."""

REMEDIES = (
    (range(4000, 4100), "reconnect now and resume with `since` and `mark`"),
    (range(4100, 4200), "authenticate again, with another token or on another socket"),
    (range(4200, 4300), "do not repeat the same request"),
    (range(1002, 1003), "correct the client; do not send that frame again"),
    (range(1007, 1008), "correct the client; do not send that frame again"),
    (range(1009, 1010), "do not send that frame again"),
    (range(1000, 1016), "reconnect and resume"),
)
"""What a client does about a code; the first matching range counts."""


def remedy(code: int) -> str:
    """Return what a client does about a close code."""
    return next(action for codes, action in REMEDIES if code in codes)
