"""The configuration of the live lane: what is read, and every error with file and line."""

from __future__ import annotations

import json
import re
import tomllib
from dataclasses import fields
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from pytest_webretrieval.cases.typed import schema
from pytest_webretrieval.configuration import (
    SMALLEST,
    Account,
    Channel,
    ConfigurationError,
    LiveConfiguration,
    Threshold,
    read_live,
)

KEY = "tvly-dev-4f9aB7c2D8e1F6a3"
WHOLE = """\
[live]
region = "eu-central"
user_agent = "example-bot/1.0 (+https://example.org/bot)"
max_cost_usd = 5
max_requests = 400
schedule = "17 3 * * *"
history = "nights"

[live.channels.direct-fetch]
[live.channels.search-api]
provider = "tavily"
key_env = "TAVILY_API_KEY"
usd_per_request = 0.008
[live.channels.browser]
[live.channels.model]
provider = "openai"
key_env = "OPENAI_API_KEY"
usd_per_case = 1

[live.accounts.reader]
kind = "cookie"
credential_name = "sid"
value_env = "READER_SID"
url = "https://www.example.org/"

[live.hosts]
allow = ["*.example.org", "api.tavily.com"]
deny = ["tracker.example.org"]

[live.targets]
web-retrieval-v1 = "mine/targets.toml"

[live.gates]
min_runs = 7
window = 30
success = {drop = 0.04}
latency = {rise = 0.3}

[live.quarantine]
days = 3
"""


@pytest.fixture(autouse=True)
def in_own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def read(text: str, name: str = "webretrieval.toml") -> LiveConfiguration:
    Path(name).write_text(text, encoding="utf-8")
    return read_live(Path.cwd())


def refused(text: str, name: str = "webretrieval.toml") -> str:
    with pytest.raises(ConfigurationError) as caught:
        read(text, name)
    return str(caught.value)


def test_all_that_can_be_said(tmp_path: Path) -> None:
    live = read(WHOLE)
    assert live.path == tmp_path / "webretrieval.toml"
    assert live.channel("search-api") == Channel(
        id="search-api", provider="tavily", key_env="TAVILY_API_KEY", usd_per_request=0.008
    )
    assert live.channel("extract-api") is None
    assert live.account("reader") == Account(
        name="reader",
        kind="cookie",
        credential_name="sid",
        value_env="READER_SID",
        url="https://www.example.org/",
    )
    assert (live.allow, live.deny) == (("*.example.org", "api.tavily.com"), ("tracker.example.org",))
    assert live.targets == {"web-retrieval-v1": tmp_path / "mine/targets.toml"}
    assert (live.max_cost_usd, live.max_requests, live.history) == (5.0, 400, tmp_path / "nights")
    assert (live.min_runs, live.window, live.quarantine_days, live.schedule) == (7, 30, 3, "17 3 * * *")
    assert live.success == Threshold(change=0.04, example=False)
    assert live.latency == Threshold(change=0.3, example=False)


@pytest.mark.parametrize("text", [WHOLE, SMALLEST])
def test_editors_are_told_the_same_by_the_schema(text: str) -> None:
    validator = Draft202012Validator(schema("live"))
    assert validator.is_valid(tomllib.loads(text))
    assert not validator.is_valid(tomllib.loads(text.replace("max_cost_usd", "max_cost")))
    assert not validator.is_valid(tomllib.loads(text.replace("TAVILY_API_KEY", KEY)))


def test_what_nobody_set_is_an_example() -> None:
    live = read(SMALLEST)
    assert [live.success, live.citation_support, live.latency, live.cost] == [
        Threshold(change=change, example=True) for change in (0.05, 0.05, 0.20, 0.15)
    ]
    assert (live.min_runs, live.window, live.quarantine_days, live.max_requests) == (5, 20, 7, None)


def test_the_same_in_a_pyproject_file() -> None:
    there = read(WHOLE.replace("[live", "[tool.webretrieval.live"), "pyproject.toml")
    Path("pyproject.toml").unlink()
    here = read(WHOLE)
    differing = [
        field.name for field in fields(here) if getattr(here, field.name) != getattr(there, field.name)
    ]
    assert differing == ["path"]


def test_both_are_one_too_many() -> None:
    Path("webretrieval.toml").write_text(SMALLEST)
    assert refused("[project]\n[tool.webretrieval]\n", "pyproject.toml") == (
        "pyproject.toml:2: [tool.webretrieval] stands beside webretrieval.toml; keep one of them"
    )


def test_without_a_file_the_smallest_one_that_works_is_shown() -> None:
    with pytest.raises(ConfigurationError) as caught:
        read_live(Path.cwd())
    first, _, shown = str(caught.value).partition("\n\n")
    assert first == (
        "webretrieval.toml: no such file, and no [tool.webretrieval] in pyproject.toml; the smallest one that works:"
    )
    assert read(shown).missing({"TAVILY_API_KEY": "x"}) == ()


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            "success =",
            "sucess =",
            "webretrieval.toml:36: live.gates.sucess: unknown key; did you mean `success`?",
        ),
        (
            "min_runs = 7",
            "min_runs = 1.5",
            "webretrieval.toml:34: live.gates.min_runs: must be a whole number",
        ),
        (
            "max_cost_usd = 5",
            'max_cost_usd = "5"',
            "webretrieval.toml:4: live.max_cost_usd: must be a number",
        ),
        (
            "drop = 0.04",
            "drop = 5",
            "webretrieval.toml:36: live.gates.success.drop: is 5, more than all of it; write ",
        ),
        (
            "window = 30",
            "window = 6",
            "webretrieval.toml:35: live.gates.window: is 6, shorter than the 7 runs that",
        ),
        ('region = "eu-central"\n', "", "webretrieval.toml:1: live: missing key `region`"),
        (
            'provider = "tavily"\n',
            "",
            "webretrieval.toml:10: live.channels.search-api: missing key `provider`",
        ),
        (
            "live.channels.browser",
            "live.channels.brwser",
            "webretrieval.toml:14: live.channels.brwser: unknown key;",
        ),
        (
            'kind = "cookie"',
            'kind = "token"',
            "webretrieval.toml:21: live.accounts.reader.kind: unknown value `token`",
        ),
        (
            '"*.example.org"',
            '"https://x.org"',
            "webretrieval.toml:27: live.hosts.allow[0]: is `https://x.org`: write",
        ),
        (
            'provider = "tavily"',
            'provider = "tavilly"',
            "webretrieval.toml:11: live.channels.search-api.provider: unknown provider `tavilly`; did you mean",
        ),
        (
            'provider = "openai"',
            'provider = "nobody"',
            "webretrieval.toml:16: live.channels.model.provider: unknown provider `nobody`; known: openai, ",
        ),
        (
            '"17 3 * * *"',
            '"99 99 a b c"',
            "webretrieval.toml:6: live.schedule: `99` is no minute (0-59, ",
        ),
        ("[live]", "[live", "webretrieval.toml:1: is no TOML: "),
        (
            "[live.quarantine]",
            "[lve.quarantine]",
            "webretrieval.toml:39: lve: unknown key; did you mean `live`?",
        ),
    ],
)
def test_every_error_has_its_line(old: str, new: str, message: str) -> None:
    assert refused(WHOLE.replace(old, new, 1)).startswith(message)


def test_a_secret_is_refused_wherever_it_stands_and_never_shown() -> None:
    texts = list(re.finditer(r'"([^"]+)"', WHOLE))
    assert len(texts) > 15
    for found in texts:
        said = refused(WHOLE[: found.start(1)] + KEY + WHOLE[found.end(1) :])
        line = WHOLE[: found.start()].count("\n") + 1
        assert said.startswith(f"webretrieval.toml:{line}: live."), said
        assert "not shown" in said, said
        assert KEY not in said, said


@pytest.mark.parametrize("old", ["accounts.reader", "live.quarantine", "web-retrieval-v1"])
def test_nor_is_one_shown_that_stands_for_a_key(old: str) -> None:
    said = refused(WHOLE.replace(old, f'"{KEY}"').replace("days = 3\n", ""))
    assert KEY not in said
    assert "(not shown): looks like a secret" in said


@pytest.mark.parametrize(
    "value", ["A1B2C3D4E5F6A7B8C9D0", "0a9f8e7d6c5b4a39", "hunter2", "AKIAABCDEFGHIJKLMNOP", ""]
)
def test_what_is_no_variable_s_name_is_never_shown(value: str) -> None:
    said = refused(WHOLE.replace("TAVILY_API_KEY", value))
    assert said.startswith("webretrieval.toml:12: live.channels.search-api.key_env: is no name of a variable")
    assert not value or value not in said


@pytest.mark.parametrize("name", ["TAVILY_API_KEY_2", "KEY", "OAUTH2_CLIENT_2026_TOKEN", "S3_SECRET"])
def test_names_of_variables(name: str) -> None:
    channel = read(WHOLE.replace("TAVILY_API_KEY", name)).channel("search-api")
    assert channel is not None
    assert channel.key_env == name


def test_what_is_missing_is_named() -> None:
    live = read(WHOLE.replace("[live.channels.browser]\n", ""))
    assert live.missing({"OPENAI_API_KEY": "x", "READER_SID": ""}) == (
        "webretrieval.toml: channel browser is not configured; add [live.channels.browser]",
        "TAVILY_API_KEY is not set: the key of channel search-api (webretrieval.toml)",
        "READER_SID is not set: the credential of account reader (webretrieval.toml)",
    )


def test_what_is_pinned_is_json_and_does_not_hang_on_how_a_number_is_written() -> None:
    pinned = read(WHOLE).pinned()
    assert json.loads(json.dumps(pinned)) == pinned
    assert pinned == read(WHOLE.replace("usd_per_case = 1", "usd_per_case = 1.0")).pinned()
    assert json.dumps(pinned) == json.dumps(
        read(WHOLE.replace("usd_per_case = 1", "usd_per_case = 1.0")).pinned()
    )
    assert pinned["channels"][2]["key_env"] == "OPENAI_API_KEY"
    assert pinned != read(WHOLE.replace("0.008", "0.009")).pinned()
    assert pinned != read(WHOLE.replace("eu-central", "us-east")).pinned()
    assert pinned != read(WHOLE.replace("max_requests = 400", "max_requests = 4")).pinned()
