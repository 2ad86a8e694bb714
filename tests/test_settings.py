"""The settings: read from the environment, and rejected with a helpful message."""

from pathlib import Path
from typing import Any

import msgspec
import pytest

from service.programs.data_folder import SIGNING_KEY, create_signing_key
from service.runtime.settings import BadSettings, Settings, check, read

LONG = "a key that is long enough to sign with"


def test_an_empty_environment_means_the_defaults() -> None:
    """Variables of other programs are ignored."""
    assert read({}) == read({"PATH": "/bin", "PORT": "1", "TURNSTREAM": "1"}) == Settings()


@pytest.mark.parametrize(
    ("name", "value", "setting"),
    [
        ("TURNSTREAM_HOST", "0.0.0.0", "0.0.0.0"),  # noqa: S104 - what an operator may well write
        ("TURNSTREAM_PORT", "8080", 8080),
        ("TURNSTREAM_DATA", "/var/lib/turnstream", Path("/var/lib/turnstream")),
        ("TURNSTREAM_REDIS_URL", "redis://store:6379/0", "redis://store:6379/0"),
        ("TURNSTREAM_MODE", "production", "production"),
        ("TURNSTREAM_REDIS_PASSWORD_FILE", "/run/secrets/redis", Path("/run/secrets/redis")),
        ("TURNSTREAM_REDIS_CLUSTER", "true", True),
        ("TURNSTREAM_ACKNOWLEDGE", "replicated", "replicated"),
        ("TURNSTREAM_REPLICAS", "2", 2),
        ("TURNSTREAM_ADMIN_TOKEN", LONG, LONG),
        ("TURNSTREAM_ADMIN_TOKEN_FILE", "/run/secrets/admin", Path("/run/secrets/admin")),
        ("TURNSTREAM_HOSTS", "play.example,*.example:8443", ("play.example", "*.example:8443")),
        ("TURNSTREAM_TRUSTED_PROXIES", "10.0.0.0/8", ("10.0.0.0/8",)),
        ("TURNSTREAM_PARTITIONS", "64", 64),
        ("TURNSTREAM_SECRET", LONG, LONG),
        ("TURNSTREAM_SECRET_FILE", "/run/secrets/key", Path("/run/secrets/key")),
        ("TURNSTREAM_ORIGINS", "https://a.example, https://b.example,", ("https://a.example", "https://b.example")),
        ("TURNSTREAM_ROOMS_IN_MEMORY", "10", 10),
        ("TURNSTREAM_HEARTBEAT", "2.5", 2.5),
        ("TURNSTREAM_DRAIN", "0", 0.0),
        ("TURNSTREAM_METRICS_PORT", "9100", 9100),
        ("TURNSTREAM_ACCESS_LOG", "true", True),
        ("TURNSTREAM_TRACES", "http://collector:4318/v1/traces", "http://collector:4318/v1/traces"),
        ("TURNSTREAM_LOG_LEVEL", "debug", "debug"),
        ("TURNSTREAM_LOG_FORMAT", "console", "console"),
        ("TURNSTREAM_LIMIT_SUBSCRIPTIONS", "0", 0),
    ],
)
def test_each_field_is_read_from_its_variable(name: str, value: str, setting: object) -> None:
    """With the same name in capitals."""
    field = name.removeprefix("TURNSTREAM_").lower()
    assert getattr(read({name: value}), field) == setting
    assert field in {each.name for each in msgspec.structs.fields(Settings)}


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("TURNSTREAM_PORT", "0"),
        ("TURNSTREAM_PORT", "65536"),
        ("TURNSTREAM_PORT", "http"),
        ("TURNSTREAM_PORT", ""),
        ("TURNSTREAM_PARTITIONS", "0"),
        ("TURNSTREAM_ROOMS_IN_MEMORY", "9"),
        ("TURNSTREAM_HEARTBEAT", "0"),
        ("TURNSTREAM_HEARTBEAT", "nan"),
        ("TURNSTREAM_LOG_LEVEL", "loud"),
        ("TURNSTREAM_LOG_FORMAT", "xml"),
    ],
)
def test_an_invalid_value_is_rejected_with_the_name_of_its_variable(name: str, value: str) -> None:
    """Before anything starts."""
    with pytest.raises(BadSettings, match=f"^{name}: "):
        read({name: value})


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        ("TURNSTREAM_PORT", "http", "a whole number, at least 1 and at most 65535"),
        ("TURNSTREAM_HEARTBEAT", "0", "a number, more than 0 and at most 300"),
        ("TURNSTREAM_LIMIT_ROOMS", "-1", "a whole number, at least 0"),
        ("TURNSTREAM_REDIS_CLUSTER", "perhaps", "true or false"),
        ("TURNSTREAM_LOG_FORMAT", "xml", "one of: json, console"),
    ],
)
def test_the_message_says_what_is_expected(name: str, value: str, expected: str) -> None:
    """Together with the value that was given."""
    with pytest.raises(BadSettings) as rejected:
        read({name: value})
    assert str(rejected.value) == f"{name}: {value!r} is invalid, expected {expected}"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("TURNSTREAM_REDIS_URL", "store:6379/0?password=tops3cret"),
        ("TURNSTREAM_SECRET", "tops3cret"),
        ("TURNSTREAM_ADMIN_TOKEN", "tops3cret"),
    ],
)
def test_a_message_does_not_repeat_a_secret(name: str, value: str) -> None:
    """It would be in logs."""
    with pytest.raises(BadSettings, match=f"^{name}: expected ") as rejected:
        read({name: value})
    assert "tops3cret" not in str(rejected.value)


def test_everything_that_is_wrong_is_named_at_once() -> None:
    """In lines of their own."""
    wrong = {"TURNSTREAM_PORT": "http", "TURNSTREAM_MODE": "prod", "TURNSTREAM_PROT": "1", "TURNSTREAM_HOSTS": "a/b"}
    with pytest.raises(BadSettings) as rejected:
        read({**wrong, "TURNSTREAM_HEARTBEAT": "10"})
    first, *lines = str(rejected.value).splitlines()
    assert first == "4 settings are wrong:"
    assert [line.partition(":")[0].strip() for line in lines] == sorted(wrong)


def test_everything_that_prevents_a_start_is_named_at_once(tmp_path: Path) -> None:
    """Secrets, the store, and in production mode unsafe defaults."""
    with pytest.raises(BadSettings) as rejected:
        check(Settings(mode="production", secret_file=tmp_path / "none", admin_token_file=tmp_path))
    said = str(rejected.value)
    for part in ("SECRET_FILE", "ADMIN_TOKEN_FILE", "No store is configured", "TURNSTREAM_ORIGINS", "TURNSTREAM_HOSTS"):
        assert part in said
    assert "Errno" not in said


def test_an_unknown_keyword_is_rejected_with_the_allowed_ones() -> None:
    """The message lists them."""
    with pytest.raises(BadSettings, match=r"^TURNSTREAM_MODE: .*'prod'.*one of: development, production"):
        read({"TURNSTREAM_MODE": "prod"})


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("TURNSTREAM_ORIGINS", "play.example"),
        ("TURNSTREAM_ORIGINS", "https://a.example,https://play.example/"),
        ("TURNSTREAM_ORIGINS", "https://Play.example"),
        ("TURNSTREAM_HOSTS", "https://play.example"),
        ("TURNSTREAM_HOSTS", "localhost,play.example/"),
        ("TURNSTREAM_TRUSTED_PROXIES", "proxy"),
        ("TURNSTREAM_TRUSTED_PROXIES", "10.0.0.0/33"),
    ],
)
def test_list_entries_that_can_never_match_are_rejected(name: str, value: str) -> None:
    """Otherwise every page, name or proxy would be refused without a visible reason."""
    with pytest.raises(BadSettings, match=f"^{name}: '{value.rpartition(',')[2]}'"):
        read({name: value})


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("TURNSTREAM_ORIGINS", "*"),
        (
            "TURNSTREAM_ORIGINS",
            "http://localhost:8000,http://[::1]:8000,https://*.play.example,capacitor://localhost,null",
        ),
        ("TURNSTREAM_HOSTS", "*,[::1]:8000,*.play.example,Play.example:8443"),
        ("TURNSTREAM_TRUSTED_PROXIES", "10.0.0.1/8,::1,fd00::/8"),
    ],
)
def test_list_entries_that_can_match_are_accepted(name: str, value: str) -> None:
    """With ports, patterns, and addresses of both kinds."""
    assert ",".join(getattr(read({name: value}), name.removeprefix("TURNSTREAM_").lower())) == value


def test_an_unknown_name_is_rejected() -> None:
    """It is probably a typing error; the message has the nearest known name."""
    with pytest.raises(BadSettings, match=r"^TURNSTREAM_PROT: unknown, did you mean TURNSTREAM_PORT\?$"):
        read({"TURNSTREAM_PROT": "8080"})
    with pytest.raises(BadSettings, match=r"^TURNSTREAM_COLOUR: unknown, see docs/settings\.md$"):
        read({"TURNSTREAM_COLOUR": "red"})


@pytest.mark.parametrize("name", ["TURNSTREAM_TEST_REDIS_URL", "TURNSTREAM_LIFELINE"])
def test_names_of_the_tests_and_the_supervisor_are_not_settings(name: str) -> None:
    """They have the same prefix."""
    assert read({name: "anything"}) == Settings()


def test_the_key_comes_from_its_variable_or_from_a_file(tmp_path: Path) -> None:
    """A line feed at the end of the file is not part of it; the file takes precedence."""
    file = tmp_path / "key"
    file.write_text(f"{LONG}\n")
    assert Settings(secret=LONG).key == LONG.encode()
    assert Settings(secret_file=file).key == LONG.encode()
    assert Settings(secret="x" * 40, secret_file=file).key == LONG.encode()


@pytest.mark.parametrize("secret", ["", "x" * 31])
def test_a_missing_or_short_key_is_rejected(secret: str, tmp_path: Path) -> None:
    """The message says what to do."""
    file = tmp_path / "key"
    file.write_text(secret)
    for settings in (Settings(secret=secret), Settings(secret_file=file)):
        with pytest.raises(BadSettings, match="TURNSTREAM_SECRET"):
            _ = settings.key


def test_a_missing_key_file_is_rejected(tmp_path: Path) -> None:
    """With the name of its variable, without a traceback."""
    with pytest.raises(BadSettings, match="no-such-file"):
        _ = Settings(secret_file=tmp_path / "no-such-file").key


def test_up_creates_a_key_that_only_its_owner_can_read(tmp_path: Path) -> None:
    """The key stays the same; an empty file, as a full disk leaves, is replaced."""
    create_signing_key(tmp_path)
    file = tmp_path / SIGNING_KEY
    assert file.stat().st_mode & 0o777 == 0o600
    made = Settings(secret_file=file).key
    create_signing_key(tmp_path)
    assert Settings(secret_file=file).key == made
    file.write_text("")
    create_signing_key(tmp_path)
    assert Settings(secret_file=file).key != made


def test_keys_can_change(tmp_path: Path) -> None:
    """The first one signs, further ones are accepted; each has to be long enough."""
    file = tmp_path / "key"
    file.write_text(f"{LONG} new\n\n{LONG} old\n")
    assert Settings(secret_file=file).keys == (f"{LONG} new".encode(), f"{LONG} old".encode())
    file.write_text(f"{LONG}\nshort\n")
    with pytest.raises(BadSettings, match="shorter"):
        _ = Settings(secret_file=file).keys


def test_a_password_in_a_file_is_added_to_the_url(tmp_path: Path) -> None:
    """When the store is used, with any characters escaped."""
    file = tmp_path / "password"
    file.write_text("p@ss/word\n")
    settings = Settings(redis_url="redis://api@store:6379/0", redis_password_file=file)
    assert settings.store_url == "redis://api:p%40ss%2Fword@store:6379/0"
    assert "p%40ss" not in repr(settings)


@pytest.mark.parametrize("token", ["short", "x" * 31])
def test_a_short_operator_token_is_rejected(token: str) -> None:
    """Without a token there are no operators' routes."""
    assert Settings().operators is None
    with pytest.raises(BadSettings, match="TURNSTREAM_ADMIN_TOKEN"):
        _ = Settings(admin_token=token).operators


SAFE: dict[str, Any] = {
    "mode": "production",
    "secret": LONG,
    "origins": ("https://play.example",),
    "hosts": ("play.example",),
    "redis_url": "redis://api:password@store",
}


@pytest.mark.parametrize(
    ("setting", "value"),
    [("origins", ("*",)), ("hosts", ("*",)), ("redis_url", "redis://store"), ("log_level", "debug")],
)
def test_production_rejects_unsafe_defaults(setting: str, value: object) -> None:
    """Each is named; without them the settings are accepted, and in development all are."""
    check(Settings(**SAFE))
    check(Settings(**{**SAFE, setting: value, "mode": "development"}))
    with pytest.raises(BadSettings, match=f"TURNSTREAM_{setting.upper()}"):
        check(Settings(**{**SAFE, setting: value}))
