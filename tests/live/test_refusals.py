"""What the lane refuses before anything is sent, in one line that says how to mend it."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from ..plugin.project import Project, Run
from .internet import town
from .internet.live import KEYS, live_run
from .internet.rig import Rig
from .internet.town import question
from .small import configuration, furnish_some

IDS = ("T01", "T03", "T06")
BROWSER = "[live.channels.browser]\n"
SLUICE = f'[live.hosts]\nallow = ["*.alder-bay.example", "api.tavily.com", "{question("T06").host}"]\n'


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Project:
    return Project(tmp_path_factory.mktemp("refused"))


Refuse = Callable[..., Run]


@pytest.fixture
def refused(project: Project) -> Refuse:
    """Run the lane over files of which some are other ones: a usage error, and no run folder."""

    def refuse(*arguments: str, files: dict[str, str] | None = None, **environment: str) -> Run:
        furnish_some(project, IDS, files=files)
        run = project.pytest("--lane=live", *arguments, f"{town.CORPUS}.yaml", **(KEYS | environment))
        assert (run.code, run.folder) == (4, None), run.output
        assert "Traceback" not in run.output
        return run

    return refuse


def test_two_channels_are_too_few(refused: Refuse) -> None:
    two = configuration((BROWSER, ""))
    run = refused(files={"webretrieval.toml": two})
    assert "--lane=live cannot run:" in run.output
    assert "channel browser is not configured; add [live.channels.browser]" in run.output


def test_a_key_that_is_not_set_is_named(refused: Refuse) -> None:
    run = refused(TAVILY_API_KEY="")
    assert "TAVILY_API_KEY is not set: the key of channel search-api (webretrieval.toml)" in run.output


@pytest.mark.parametrize("place", ["https://10.0.0.7/dues", "https://dues.internal/", "http://[fd00::7]/"])
def test_a_private_address_is_no_target(refused: Refuse, place: str) -> None:
    targets = town.targets(IDS).replace(question("T01").url + '"]', f'{place}"]')
    line = next(number for number, text in enumerate(targets.splitlines(), 1) if place in text)
    run = refused(files={f"{town.CORPUS}.toml": targets})
    (said,) = [text for text in run.lines if place in text]
    assert re.search(rf"{town.CORPUS}\.toml:{line}: ", said), run.output
    assert "case T01" in said


@pytest.mark.parametrize(
    "arguments",
    [
        ("--webretrieval-model=replay",),
        ("--webretrieval-record=once",),
        ("--webretrieval-gateway=api.tavily.com",),
    ],
)
def test_recordings_and_listed_hosts_are_the_fixture_lanes(
    refused: Refuse, arguments: tuple[str, ...]
) -> None:
    run = refused(*arguments)
    assert "--lane=live: goes to the real web and its models" in run.output


def test_without_a_configuration_the_smallest_one_is_shown(tmp_path_factory: pytest.TempPathFactory) -> None:
    project = Project(tmp_path_factory.mktemp("bare"))
    run = project.pytest("--lane=live", **KEYS)
    assert (run.code, run.folder) == (4, None)
    assert "webretrieval.toml: no such file" in run.output
    assert "[live.channels.search-api]" in run.output


def test_a_key_in_the_configuration_is_refused_and_not_shown(refused: Refuse) -> None:
    key = KEYS["TAVILY_API_KEY"]
    planted = configuration(('key_env = "TAVILY_API_KEY"', f'key_env = "{key}"'))
    run = refused(files={"webretrieval.toml": planted})
    line = next(number for number, text in enumerate(planted.splitlines(), 1) if key in text)
    assert f"webretrieval.toml:{line}: " in run.output
    assert key not in run.output
    assert key[5:] not in run.output


def test_what_costs_more_than_allowed_sends_nothing(rig: Rig, project: Project) -> None:
    """3 cases by the model's price, and each may search 8 times: more than 2 cents."""
    dear = configuration(("max_cost_usd = 5", "max_cost_usd = 0.02"))
    furnish_some(project, IDS, files={"webretrieval.toml": dear})
    outcome = live_run(rig, project, town.town())
    assert (outcome.code, outcome.folder, outcome.requests) == (4, None, ()), outcome.out
    assert "the run may cost 0.22 USD, and max_cost_usd is 0.02" in outcome.out
    assert "--webretrieval-approve-cost" in outcome.out
    assert not (project.folder / "history").exists()


def test_doctor_says_what_would_run_and_what_is_missing(project: Project) -> None:
    """The verb has no keys here."""
    lists = configuration(("max_cost_usd = 5", "max_cost_usd = 0.02"), (BROWSER, ""), more=SLUICE)
    furnish_some(project, IDS, files={"webretrieval.toml": lists})
    said = project.verb("doctor", "--lane=live", "--corpus", f"{town.CORPUS}.yaml")
    assert said.code == 1, said.output
    assert f"{town.CORPUS}: 2 of 3 cases would meet the real web" in said.output
    assert f"{question('T01').host}: robots.txt of the host lets programs read every page" in said.output
    assert "skipped: T03: " in said.output
    assert f"does not let {question('T03').host} through ([live.hosts])" in said.output
    missing = [" ".join(line.split()[2:4]) for line in said.starting("missing")]
    assert missing == ["webretrieval.toml: channel", "OPENAI_API_KEY is", "TAVILY_API_KEY is"], said.output
    assert "0.15 USD, and max_cost_usd is 0.02" in said.output
