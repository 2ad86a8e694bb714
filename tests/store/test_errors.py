"""Error replies of different servers, inside and outside of scripts."""

import hiredis
import pytest

from service.store.contract import CounterDamaged, StoreDamaged, StoreFull, StoreUnavailable
from service.store.redis.client.resp import Moved, NotPermitted, ScriptMissing, error_of

SCRIPT_62 = "ERR Error running script (call to f_0123): @user_script:20: @user_script: 20: -"


def meant(reply: str) -> Exception:
    """Return what an error reply means."""
    return error_of(hiredis.ReplyError(reply))


@pytest.mark.parametrize(
    "reply",
    [
        "READONLY You can't write against a read only replica.",
        f"{SCRIPT_62}READONLY You can't write against a read only replica.",
        "READONLY You can't write against a read only replica. script: 0123, on @user_script:20.",
        "LOADING Redis is loading the dataset in memory",
        "LOADING Valkey is loading the dataset in memory",
        "BUSY Redis is busy running a script. You can only call SCRIPT KILL or SHUTDOWN NOSAVE.",
        "NOREPLICAS Not enough good replicas to write.",
        "UNBLOCKED force unblock from blocking operation, instance state changed (master -> replica?)",
        "ERR WAIT cannot be used with replica instances.",
        "MASTERDOWN Pipeline with MASTER is down and replica-serve-stale-data is set to 'no'.",
        "CLUSTERDOWN The cluster is down",
        "CLUSTERDOWN Hash slot not served",
        "TRYAGAIN Multiple keys request during rehashing of slot",
        "ASK 3999 127.0.0.1:6381",
        "NOAUTH Authentication required.",
    ],
)
def test_a_server_out_of_service_is_an_unavailable_store(reply: str) -> None:
    """It did nothing, and the error has the reason."""
    meaning = meant(reply)
    assert type(meaning) is StoreUnavailable
    assert str(meaning)


@pytest.mark.parametrize(
    "reply",
    [
        "MISCONF Errors writing to the AOF file: No space left on device",
        f"{SCRIPT_62}MISCONF Redis is configured to save RDB snapshots, but it's currently unable to persist to disk.",
        "OOM command not allowed when used memory > 'maxmemory'.",
        f"{SCRIPT_62}OOM command not allowed when used memory > 'maxmemory'.",
        "OOM command not allowed when used memory > 'maxmemory'. script: 0123, on @user_script:20.",
    ],
)
def test_a_server_without_disk_or_memory_is_a_full_store(reply: str) -> None:
    """It did nothing, and an operator can make room."""
    assert type(meant(reply)) is StoreFull


@pytest.mark.parametrize(
    "reply",
    [
        "NOPERM this user has no permissions to run the 'config' command or its subcommand",
        "NOPERM User narrow has no permissions to run the 'config|get' command",
        "ERR ACL failure in script: User narrow has no permissions to run the 'xadd' command",
        "NOPERM No permissions to access a channel",
    ],
)
def test_missing_rights_are_reported_as_such(reply: str) -> None:
    """So that the start-up check can say what is missing."""
    assert type(meant(reply)) is NotPermitted


@pytest.mark.parametrize("reply", ["NOSCRIPT No matching script. Please use EVAL.", "NOSCRIPT No matching script."])
def test_a_missing_script_is_reported_as_such(reply: str) -> None:
    """The caller sends the script along then."""
    assert type(meant(reply)) is ScriptMissing


def test_a_moved_partition_is_reported_as_such() -> None:
    """The command is then sent to the right node."""
    assert type(meant("MOVED 3999 127.0.0.1:6381")) is Moved


@pytest.mark.parametrize(
    ("reply", "meaning"),
    [
        ("WRONGTYPE Operation against a key holding the wrong kind of value", StoreDamaged),
        ("ERR value is not an integer or out of range script: 0123, on @user_script:20.", CounterDamaged),
    ],
)
def test_damaged_data_is_reported_as_such(reply: str, meaning: type[Exception]) -> None:
    """A key of another type, and a counter that is not a number."""
    assert type(meant(reply)) is meaning


def test_any_other_error_is_a_bug_and_stays_itself() -> None:
    """It isn't hidden behind an unavailable store."""
    reply = "ERR unknown command 'FOO'"
    assert str(meant(reply)) == reply
    assert not isinstance(meant(reply), StoreUnavailable)
