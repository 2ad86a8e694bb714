"""The bytes of commands, and replies that arrive in any pieces."""

import random
from typing import Any

import hiredis
import pytest

from service.store.redis.client.resp import NOT_COMPLETE, new_parser, pack_command

EVERYTHING = [
    (b"+OK\r\n", b"OK"),
    (b"+\r\n", b""),
    (b":0\r\n", 0),
    (b":-9223372036854775808\r\n", -(2**63)),
    (b"$5\r\nhello\r\n", b"hello"),
    (b"$0\r\n\r\n", b""),
    (b"$-1\r\n", None),
    (b"$8\r\n\r\n:1\r\n$9\r\n", b"\r\n:1\r\n$9"),
    (b"*0\r\n", []),
    (b"*-1\r\n", None),
    (b"*3\r\n$7\r\nmessage\r\n$1\r\nc\r\n$2\r\n17\r\n", [b"message", b"c", b"17"]),
    (b"*4\r\n:1\r\n*2\r\n$1\r\na\r\n$-1\r\n*0\r\n*-1\r\n", [1, [b"a", None], [], None]),
    (b"*1\r\n*1\r\n*1\r\n*1\r\n+deep\r\n", [[[[b"deep"]]]]),
    (b"*2\r\n*0\r\n*0\r\n", [[], []]),
    (b"*3\r\n$0\r\n\r\n$0\r\n\r\n$0\r\n\r\n", [b"", b"", b""]),
    (b"*3\r\n$1\r\n\r\r\n$1\r\n\n\r\n$3\r\n*3\n\r\n", [b"\r", b"\n", b"*3\n"]),
    (b"*3\r\n$8\r\na\r\n$1\r\nb\r\n$1\r\nc\r\n$1\r\nd\r\n", [b"a\r\n$1\r\nb", b"c", b"d"]),
    (b"*3\r\n$1\r\na\r\n$-1\r\n:3\r\n", [b"a", None, 3]),
    (b"*3\r\n$1\r\na\r\n*2\r\n:1\r\n$1\r\nb\r\n$1\r\nc\r\n", [b"a", [1, b"b"], b"c"]),
]
"""Each kind of reply: its bytes and its value."""


def completed(parser: hiredis.Reader, data: bytes) -> list[Any]:
    """Return the replies that these bytes complete."""
    parser.feed(data)
    return list(iter(parser.gets, NOT_COMPLETE))


def read(pieces: list[bytes]) -> list[Any]:
    """Return the replies in bytes that arrive in pieces."""
    parser = new_parser()
    return [reply for piece in pieces for reply in completed(parser, piece)]


@pytest.mark.parametrize(("travels", "expected"), EVERYTHING)
def test_each_reply_is_read_wherever_it_is_cut_in_two(travels: bytes, expected: object) -> None:
    """It is complete with its last byte and not before."""
    for cut in range(len(travels)):
        parser = new_parser()
        assert completed(parser, travels[:cut]) == []
        assert completed(parser, travels[cut:]) == [expected]
        assert completed(parser, b":1\r\n") == [1]


def message(number: int) -> tuple[bytes, object]:
    """Return a room's notification: its bytes and its value."""
    channel, version = b"{p07}:room:quiet-otter-%d:e1" % number, b"%d" % (number * number)
    travels = b"*3\r\n$7\r\nmessage\r\n$%d\r\n%b\r\n$%d\r\n%b\r\n" % (len(channel), channel, len(version), version)
    return travels, [b"message", channel, version]


def test_messages_that_come_together_are_read_wherever_they_are_cut() -> None:
    """Alone, after the rest of another reply, and with each kind of reply among them."""
    for odd in EVERYTHING:
        messages = [message(2), message(3), odd, message(40), message(5)]
        travels, expected = b"".join(travels for travels, _ in messages), [expected for _, expected in messages]
        for cut in range(len(travels)):
            assert read([travels[:cut], travels[cut:]]) == expected


def test_an_array_may_hold_what_looks_like_a_message() -> None:
    """It is a part of the array, also at the beginning of a piece."""
    travels, expected = message(7)
    assert read([b"*2\r\n", travels * 2, travels]) == [[expected, expected], expected]


@pytest.mark.parametrize("longest", [1, 2, 3, 7, 50, 1000])
def test_a_stream_of_replies_is_read_in_order_whatever_the_pieces(longest: int) -> None:
    """Pieces that end between replies, within one, or several replies later."""
    dice = random.Random(longest)  # noqa: S311 - the same cuts every time
    messages = dice.choices(EVERYTHING, k=200)
    travels = b"".join(travels for travels, _ in messages)
    pieces = []
    while travels:
        size = dice.randint(1, longest)
        pieces.append(travels[:size])
        travels = travels[size:]
    assert read(pieces) == [expected for _, expected in messages]


def test_an_error_is_a_value_until_its_caller_is_found() -> None:
    """It begins with its code, also inside an array."""
    lone, (first, second) = read([b"-MOVED 1 host:2\r\n*2\r\n-ERR caf\xe9\r\n:1\r\n"])
    assert isinstance(lone, hiredis.ReplyError)
    assert isinstance(first, hiredis.ReplyError)
    assert (str(lone), str(first), second) == ("MOVED 1 host:2", "ERR caf\N{REPLACEMENT CHARACTER}", 1)


def test_a_large_string_comes_in_as_many_pieces_as_it_likes() -> None:
    """A reply after it in the same piece is read as well."""
    large = bytes(range(256)) * 4096
    travels = b"*2\r\n$%d\r\n%b\r\n$1\r\na\r\n:1\r\n" % (len(large), large)
    pieces = [travels[at : at + 1000] for at in range(0, len(travels), 1000)]
    assert read(pieces) == [[large, b"a"], 1]


@pytest.mark.parametrize(
    "nonsense",
    [b"hello\r\n", b"\r\n", b":one\r\n", b"$many\r\n", b"*\r\n", b"*3\r\n$1\r\na\r\nb\r\n"],
)
def test_bytes_that_are_no_reply_break_the_connection(nonsense: bytes) -> None:
    """All callers get an error; nothing is guessed."""
    with pytest.raises(hiredis.ProtocolError):
        read([b":1\r\n", nonsense])


@pytest.mark.parametrize(
    ("parts", "expected"),
    [
        ((b"PING",), b"*1\r\n$4\r\nPING\r\n"),
        ((b"SET", b"", b"\x00\r\n\xff"), b"*3\r\n$3\r\nSET\r\n$0\r\n\r\n$4\r\n\x00\r\n\xff\r\n"),
    ],
)
def test_a_command_is_packed_with_the_size_of_each_part(parts: tuple[bytes, ...], expected: bytes) -> None:
    """Any bytes may be in a part, also none."""
    assert pack_command(parts) == expected
