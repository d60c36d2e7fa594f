"""Which cases meet the real web, and what that may cost."""

from __future__ import annotations

from pathlib import Path

import pytest

from pytest_webretrieval.cases.case import Case
from pytest_webretrieval.cases.data import corpus_path, live_truth, targets_path
from pytest_webretrieval.cases.load import TruthStore, load_corpus
from pytest_webretrieval.cases.targets import Target, load_targets
from pytest_webretrieval.cli import main
from pytest_webretrieval.configuration import SMALLEST, LiveConfiguration, read_live
from pytest_webretrieval.lanes.cost import Estimate, estimate, refusal
from pytest_webretrieval.lanes.planned import plan

CORPUS = load_corpus(corpus_path("web-retrieval-v1", None))
TARGETS = load_targets(targets_path(CORPUS.version, {}, None), CORPUS)
TRUTHS = TruthStore(live_truth(CORPUS.version, None))
MODEL = '[live.channels.model]\nprovider = "openai"\n'


@pytest.fixture(autouse=True)
def in_own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def configured(text: str) -> LiveConfiguration:
    Path("webretrieval.toml").write_text(text, encoding="utf-8")
    return read_live(Path.cwd())


def cases(*ids: str) -> tuple[Case, ...]:
    return tuple(case for case in CORPUS.cases if case.id in ids)


def of(configuration: LiveConfiguration, *ids: str) -> Estimate:
    return estimate(cases(*ids), TRUTHS, TARGETS, configuration)


def requests_of(*ids: str) -> int:
    return sum(TRUTHS.get(case_id).max_budget.requests or 0 for case_id in ids)


def test_every_request_of_every_case_at_the_dearest_price() -> None:
    """K01 is one of direct fetches, and may search as any other."""
    most = requests_of("S01", "S05", "K01")
    assert most > requests_of("S01", "S05")
    text = SMALLEST + MODEL + "usd_per_case = 0.1\n"
    text += '[live.channels.extract-api]\nprovider = "exa"\nusd_per_request = 0.01\nusd_per_case = 0.2\n'
    found = of(configured(text), "S01", "S05", "K01")
    assert found.usd == pytest.approx(0.01 * most + 3 * 0.2 + 3 * 0.1)
    assert found.lines == (
        f"requests: {0.01 * most:.2f} USD (0.01, the price of extract-api, x {most} requests of 3 cases)",
        "extract-api: 0.60 USD (0.2 a case x 3 cases)",
        "model: 0.30 USD (0.1 a case x 3 cases)",
    )


def test_all_of_it_for_each_trial() -> None:
    live = configured(SMALLEST + MODEL + "usd_per_case = 0.1\n")
    found = estimate(cases("S01"), TRUTHS, TARGETS, live, 3)
    assert found.usd == pytest.approx(3 * (0.008 * requests_of("S01") + 0.1))
    assert found.lines[1] == "model: 0.30 USD (0.1 a case x 1 case x 3 trials)"


def test_a_cap_of_requests_below_the_budget_holds() -> None:
    capped = SMALLEST.replace("max_cost_usd = 5", "max_cost_usd = 5\nmax_requests = 3")
    assert of(configured(capped), "S01", "S05").usd == pytest.approx(0.008 * 3 * 2)


def test_what_does_not_run_costs_nothing() -> None:
    live = configured(SMALLEST + MODEL + "usd_per_case = 0.1\n")
    assert of(live, "S03", "S04").usd == 0
    assert of(configured(SMALLEST + '[live.hosts]\ndeny = ["www.rfc-editor.org"]\n'), "S01", "S05").usd == 0


@pytest.mark.parametrize("price", ["", "usd_per_request = 0.001\n"])
def test_a_model_of_which_nobody_knows_what_a_case_costs(price: str) -> None:
    """How often it is asked no budget says."""
    live = configured(SMALLEST + MODEL + price)
    found = of(live, "S01")
    assert found.usd is None
    assert found.known_usd == pytest.approx(0.008 * requests_of("S01"))
    assert found.lines[1] == "model: n/a (1 case, and no price of a case is known: write usd_per_case)"
    assert refusal(found, live) == (
        "nobody can tell what the run may cost, for a price or a budget is not known, "
        "and max_cost_usd is 5 (webretrieval.toml)"
    )


def test_an_api_without_a_price_may_be_asked_by_any_case() -> None:
    live = configured(SMALLEST + '[live.channels.extract-api]\nprovider = "exa"\n')
    found = of(live, "K01")
    assert found.usd is None
    assert found.lines[1].startswith(
        "extract-api: n/a (1 case, and no price is known: write usd_per_request or"
    )


def test_above_the_most_nothing_starts() -> None:
    live = configured(SMALLEST.replace("max_cost_usd = 5", "max_cost_usd = 0.1"))
    dear = of(live, "S01")
    assert dear.usd is not None
    assert dear.usd > 0.1
    assert (
        refusal(dear, live)
        == f"the run may cost {dear.usd:.2f} USD, and max_cost_usd is 0.1 (webretrieval.toml)"
    )
    assert refusal(dear, configured(SMALLEST)) is None


@pytest.mark.parametrize(
    ("text", "case_id", "why"),
    [
        (SMALLEST, "K02", "no live target"),
        (
            SMALLEST.replace("[live.channels.browser]\n", ""),
            "D01",
            "channel browser is not configured in webretrieval.toml",
        ),
        (
            SMALLEST + '[live.hosts]\nallow = ["*.example.org"]\n',
            "K01",
            "webretrieval.toml does not let www.w3.org through ([live.hosts])",
        ),
        (SMALLEST + '[live.hosts]\nallow = ["*.w3.org"]\n', "K01", None),
    ],
)
def test_why_a_case_is_skipped(text: str, case_id: str, why: str | None) -> None:
    (planned,) = plan(cases(case_id), TRUTHS, TARGETS, configured(text))
    assert planned.why == why


def test_an_account_that_is_not_configured(tmp_path: Path) -> None:
    file = tmp_path / "t.toml"
    file.write_text(
        f'corpus = "{CORPUS.version}"\n[targets.S01]\naccount = "reader"\npermission = "yes"\n'
        'evidence_url = "https://example.org/"\nprobe = {url = "https://example.org/"}\n'
    )
    targets: dict[str, Target] = dict(load_targets(file, CORPUS))
    (planned,) = plan(cases("S01"), TRUTHS, targets, configured(SMALLEST))
    assert planned.why == "account reader of its target (t.toml:2) is not configured in webretrieval.toml"


def test_doctor_tells_before_anything_is_paid(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("TAVILY_API_KEY", raising=False)
    configured(SMALLEST.replace("[live.channels.browser]\n", ""))
    assert main(["doctor", "--lane=live"]) == 1
    told = capsys.readouterr().out
    runs, _, findings = told.partition("\n\n")
    assert runs.splitlines()[0] == "web-retrieval-v1: 8 of 30 cases would meet the real web"
    assert "  K01   direct-fetch www.w3.org: A dated W3C Recommendation" in runs
    assert "channel browser is not configured; add [live.channels.browser]" in findings
    assert "TAVILY_API_KEY is not set" in findings
    assert " USD a pass over the cases, if each spends its budget; max_cost_usd is 5" in findings
    assert "requests of 8 cases)" in findings
    configured(SMALLEST)
    monkeypatch.setenv("TAVILY_API_KEY", "hunter2")
    assert main(["doctor", "--lane=live"]) == 1
    told = capsys.readouterr().out
    assert "TAVILY_API_KEY holds fewer than 8 characters (webretrieval.toml)" in told
    assert "hunter2" not in told
    monkeypatch.setenv("TAVILY_API_KEY", "hunter22")
    assert main(["doctor", "--lane=live"]) == 0


def test_doctor_without_a_configuration_shows_one(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor", "--lane=live"]) == 1
    assert capsys.readouterr().err.endswith(SMALLEST)
