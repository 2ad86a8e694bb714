"""The words of the project: no text uses those that the glossary rules out, in the sense in which it rules them out."""

import re
import subprocess
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parents[1]
NEWLINE = "\n"


class Rule(NamedTuple):
    """What is not used: a part of it in lower case, by which most files are skipped, and a regular expression."""

    part: str
    pattern: str
    better: str
    """What is used in its place."""


RULES = [
    # Words of the glossary.
    Rule("deed", r"(\b|_)deeds?(\b|_)", "action"),
    Rule("sanction", r"(\b|_)sanctions?(\b|_|Request)", "moderation"),
    Rule("house", r"\bthe house\b|\bhouse('s| commands?)\b", "the service, the application, a system command"),
    Rule("nurser", r"(\b|_)(nursery|nurseries)(\b|_)", "fork server, task group"),
    Rule("think", r"\b(the|a|its|free|\d+) thinkers?\b|\bthinking process(es)?\b", "bot engine, bot process"),
    Rule("thought", r"(?<!Deep )\bthoughts?\b", "move, request, result"),
    Rule("visitor", r"(\b|_)visitors?(\b|_)", "spectator, guest"),
    Rule("watcher", r"\bwatcher\b|\b(the|to|\d+) watchers\b", "spectator, subscriber"),
    Rule("follower", r"\bfollowers?\b", "subscriber"),
    Rule("ear", r"\bears?\b", "subscriber"),
    Rule("shelf", r"(\b|_)shelf(\b|_)", "repository"),
    Rule("judg", r"(\b|_)judg(e|es|ed|ing)(\b|_)", "decide, check, evaluate"),
    Rule("card", r"\b(LobbyCard|lobby[_ ]?cards?)\b", "lobby entry"),
    Rule("listing", r"\b(the|a|lobby|lobby's) listing\b", "lobby"),
    Rule("attendance", r"(\b|_)attendances?(\b|_)", "presence"),
    Rule("company", r"\bcompany\b", "presence"),
    Rule("receipt", r"(\b|_)receipts?(\b|_)", "idempotency record"),
    Rule("stamp", r"(?<![\w.-])stamps?(\b|_)", "idempotency key"),
    Rule("participant", r"\bparticipants?\b", "member, player"),
    Rule("cron", r"\bcron\b", "worker"),
    Rule(" over", r"\bstart(s|ed)? over\b", "resync"),
    Rule(" level", r"\b(is|kept|brought) level\b", "sync, up to date"),
    # English.
    Rule("told", r"(\b|_)told(\b|_)(?! (apart|from)\b)", "sent, reported, or the verb of the field"),
    Rule("tell", r"(\b|_)tells?(\b|_)", "send, report, return, show"),
    Rule("whoever", r"(\b|_)whoever(\b|_)", "the role: player, client, caller"),
    Rule("hear", r"(\b|_)(hears?|heard)[ _](of|nothing)(\b|_)", "receive, be notified of"),
    Rule("st", r"\b(stands|stood) (in|on|behind|beside|there)\b", "is"),
    Rule("lies ", r"\blies (in|on|behind|beside|there)\b", "is"),
    Rule("any", r"(\b|_)any[ _]?more(\b|_)", "no longer"),
    Rule("anew", r"\banew\b", "again"),
    Rule("for nobody", r"\bcounts? for nobody\b", "does not count"),
    Rule(" is no ", r"\b(this|it) is no (?!longer\b)\w+", "is not a"),
    Rule(" none of", r"\b(is|are) none of\b", "is not a, unknown, invalid"),
    Rule("of ours", r"\bof ours\b", "the service's"),
    Rule("refuses `", r"\bRefuses `", "raises `ServiceError`, or the exception's name"),
    Rule("so already", r"\b(is|was) so already\b", "already"),
    Rule("as may", r"\bas many \w+( \w+)* as may\b", "the maximum number"),
    Rule("whose ", r"\bwhose (it|they) (is|are)\b", "the owner, the player"),
    Rule(
        "s a",
        r"(?<!how many )(?<!most )\b(commands|events|requests|rooms|matches|moves|positions|frames|lines) an? "
        r"(second|minute|day|process|match|player)\b",
        "per",
    ),
    Rule("once a", r"\bonce an? (process|audience|room|type)\b(?! (has|is|was))", "once per"),
]

ALLOWED = {
    ("Makefile", "stamp"): "a file of make",
    ("service/web/operate/log.js", "deed"): "a field of the operators' routes",
    ("service/rooms/access/audit_log.py", "deed"): "a field of the operators' routes",
    ("clients/spec/schemas.py", "deed"): "a field of the operators' routes",
    ("service/store/redis/scripts/find_snapshot.lua", "receipts"): "a stored field",
    ("service/store/redis/scripts/save_snapshot.lua", "receipts"): "a stored field",
    ("service/store/redis/scripts/drop_snapshot.lua", "receipts"): "a stored field",
    ("service/store/signing.py", "receipts"): "in MACs",
    ("tests/api/test_admin.py", "deed"): "a field of the operators' routes",
    ("tests/rooms/test_audit_log.py", "deed"): "a field of the operators' routes",
    ("tests/api/test_webhooks.py", "deed"): "a field of the operators' routes",
}
"""Files that may have such a word, with the reason."""

DATA = {".xz", ".jsonl", ".json", ".ndjson", ".gz", ".png", ".svg", ".rdb", ".txt", ".woff2", ".zlib"}
"""Endings of stored data, which keeps its bytes."""

NOT_COVERED = {"LICENSE", "docs/glossary.md", "tests/test_words.py", "bench/RESULTS.md", "tests/e2e/RESULTS.md"}
"""The text of a licence, those that list the words, and tables that earlier releases wrote."""


def ruled_out_words(name: str, text: str) -> list[str]:
    """Return the places of ruled-out words in a text, each with the words to use."""
    lower = text.lower()
    return [
        f"{name}:{text.count(NEWLINE, 0, found.start()) + 1}: {found.group()!r}, use: {rule.better}"
        for rule in RULES
        if rule.part in lower
        for found in re.finditer(rule.pattern, text, re.IGNORECASE)
        if not any(name == file and word in found.group().lower() for file, word in ALLOWED)
    ]


def covered_files() -> list[str]:
    """Return the text files of the project."""
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True)  # noqa: S607 - the developer's own git
    names = [name for name in listed.stdout.splitlines() if Path(name).suffix not in DATA and name not in NOT_COVERED]
    return [name for name in names if (ROOT / name).is_file()]


def test_no_ruled_out_word_is_used() -> None:
    """In names, docstrings, comments, messages and pages."""
    names = covered_files()
    assert {"README.md", "Makefile", "service/wiring.py", "clients/generate.py", "deploy/haproxy.cfg"} <= set(names)
    assert [place for name in names for place in ruled_out_words(name, (ROOT / name).read_text())] == []


@pytest.mark.parametrize(("name", "word"), ALLOWED)
def test_an_exception_is_still_needed(name: str, word: str) -> None:
    """The list has no entries for words that are gone."""
    assert re.search(rf"\b{word}", (ROOT / name).read_text(), re.IGNORECASE)


PLANTED = [
    "a deed",
    "take_sanction",
    "class SanctionRequest",
    "a bot of the house",
    "a nursery",
    "the thinking processes",
    "a thought for each room",
    "visitor",
    "100 watchers",
    "a follower",
    "all ears",
    "the shelf of rooms",
    "judged",
    "can_judge",
    "a lobby card",
    "the lobby's listing",
    "attendance",
    "no company",
    "the receipts of a room",
    "a command's stamp",
    "participants",
    "a cron",
    "starts over",
    "the room is level",
    "is_told_once",
    "Tell whether it is open",
    "Whoever asks",
    "Clara hears of it",
    "it stands in the view",
    "it lies on the table, or lies beside it",
    "not any more",
    "made anew",
    "counts for nobody",
    "This is no request of HTTP/1.1.",
    "it is none of them",
    "a cursor of ours",
    "Open it. Refuses `name_taken`.",
    "It is so already.",
    "As many connections follow this room as may",
    "A socket's conversation: whose it is",
    "60 commands a second",
    "folded once a process",
]


@pytest.mark.parametrize("text", PLANTED)
def test_a_planted_word_is_found(text: str) -> None:
    """With its file and line."""
    assert ruled_out_words("tests/some.py", f"fine\n{text}\n")[0].startswith("tests/some.py:2: ")


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: str(rule.part).strip())
def test_each_rule_finds_a_planted_word(rule: Rule) -> None:
    """A rule that finds nothing would protect nothing."""
    assert [text for text in PLANTED if rule.part in text.lower() and re.search(rule.pattern, text, re.IGNORECASE)]


@pytest.mark.parametrize(
    "text",
    [
        "the nickname Deep Thought",
        "settings.thinkers and TURNSTREAM_THINKERS",
        "unions are told apart by their type",
        "gone for a while, in most rooms a minute",
        "turnstream_followers",
        '"watchers": 1',
        "how many rooms a process keeps in memory",
        "it is no longer possible",
        "retelling",
        "a timestamp",
        "years",
        "a network listener",
        "once a room has two players",
    ],
)
def test_a_legitimate_use_is_not_found(text: str) -> None:
    """Names on the wire, settings, metrics, and the same letters in other words."""
    assert ruled_out_words("tests/some.py", text) == []
