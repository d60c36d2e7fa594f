"""From a run to a figure that people stand behind: judge, adjudicate, correct; calibrate for any grader."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest
import yaml

from pytest_webretrieval.cli import main
from pytest_webretrieval.gates.judged import judged_gate
from pytest_webretrieval.judges.asking import Bench
from pytest_webretrieval.judges.evidence import page_texts
from pytest_webretrieval.judges.items import judged
from pytest_webretrieval.judges.lock import read_lock
from pytest_webretrieval.judges.probes import PROBES
from pytest_webretrieval.judges.settling import settle
from pytest_webretrieval.records.folder import read_rows
from pytest_webretrieval.records.people import last_sample

from ..judges.loopback import Model, knows, serving
from ..plugin.project import SYSTEM, Project, Run, corpus_of, truth_of

CASES = (("C1", "plain"), ("C2", "wordy"))
CITES = """
class System:
    def retrieve(self, task):
        right(task.start_urls[0])
        if task.query == "plain":
            said = "It was published on 12 March 2026"
        else:
            base = task.channels["search-api"]["dialects"]["plain"]["base_url"]
            urllib.request.urlopen(base + "/search?q=published").read()
            said = "Those who wrote it were glad about spring"
        return f"{said} [1].\\n\\n[1]: {task.start_urls[0]}"
"""


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Project:
    project = Project(tmp_path_factory.mktemp("adjudicate"))
    project.write("own-v1.yaml", corpus_of("own-v1", CASES))
    project.write("truth/own-v1.yaml", truth_of([name for name, _ in CASES]))
    project.write("own.py", SYSTEM + CITES)
    project.pytest("--lane=fixture", "own-v1.yaml", "--webretrieval-system=own:System")
    return project


Verb = Callable[..., Run]


@pytest.fixture
def verb(project: Project, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Verb:
    """Run the ``webretrieval`` command in the project's folder, in this process."""
    monkeypatch.chdir(project.folder)

    def run(*words: str) -> Run:
        code = main(words)
        said = capsys.readouterr()
        return Run(code, said.out + said.err)

    return run


@pytest.fixture
def model() -> Iterator[Model]:
    with serving() as made:
        yield made


def claims(project: Project) -> list[dict[str, object]]:
    (folder,) = project.run_folders()
    rows = [json.loads(line) for line in (folder / "results.jsonl").read_text().splitlines()]
    return [claim for row in rows for step in row["verdicts"] for claim in step["citation"]["claims"]]


def test_every_cited_claim_has_a_verdict_with_its_ground(project: Project) -> None:
    found = claims(project)
    assert len(found) == 2
    assert all(claim["ground"]["rule"] and claim["ground"]["sha256"] for claim in found)
    assert {claim["support"] for claim in found} <= {"full", "partial", "none", "contradicted", "unknown"}
    assert "unknown" in {claim["support"] for claim in found}


def test_a_judge_people_and_the_corrected_rate(project: Project, verb: Verb) -> None:
    assert verb("judge", "latest").code == 1  # no lock
    assert verb("judge", "--lock-model", "some-model").code == 0
    assert "was not recorded" in verb("judge", "latest").output
    record(project)
    asked = verb("judge", "latest")
    assert asked.code == 0, asked.output
    assert "of them ungraded; the model was asked 0 times" in asked.output
    assert "blocked: people have judged no sample of this judge" in asked.output
    assert verb("judge", "latest", "--gate").code == 1

    drawn = verb("adjudicate", "latest")
    assert drawn.code == 0, drawn.output
    path = project.folder / "adjudicate.yaml"
    assert "no reason" in verb("adjudicate", "latest", "--labels", with_labels(path, "")).output
    done = verb("adjudicate", "latest", "--labels", with_labels(path, "The page says it."))
    assert done.code == 0, done.output
    assert "as people correct it" in done.output
    assert "kappa" in done.output
    assert verb("judge", "latest", "--gate").code == 0
    (folder,) = project.run_folders()
    known = judged(folder, "support")
    assert known is not None
    assert (
        judged_gate(known, last_sample(project.folder / "history", "support", known.lock), 0.01).verdict
        == "pass"
    )

    verb("judge", "--lock-model", "another-model")
    record(project)
    changed = verb("judge", "latest", "--gate")
    assert changed.code == 1
    assert "blocked: lock changed since the last sample of people" in changed.output
    known = judged(folder, "support")
    assert known is not None
    result = judged_gate(known, last_sample(project.folder / "history", "support", known.lock), 0.01)
    assert result.line.startswith("blocked: lock changed since the last sample of people")


def test_a_judge_of_answers_and_one_of_results(project: Project, verb: Verb, model: Model) -> None:
    model.say = knows
    verb("judge", "--lock-model", "some-model")
    assert "nothing of this kind was judged" in verb("adjudicate", "latest", "--what", "answer").output
    live = ("--live", "--base-url", model.url, "--key-env", "NO_KEY")
    answers = verb("judge", "latest", "--what", "answer", *live)
    assert answers.code == 0, answers.output
    assert (
        "1 required facts were not sure to be said: 0 decided by rules, 1 judged, 0 of them" in answers.output
    )
    assert "said and fetched 1, said as the judge reads it too 2" in answers.output
    (row,) = rows(project, "judged-answers.jsonl")
    assert (row["case"], row["fact"], row["by"], row["verdict"]) == ("C2", "published", "judge", "CORRECT")

    results = verb("judge", "latest", "--what", "relevance", *live)
    assert results.code == 0, results.output
    assert "1 searches wholly graded: first helps 1.00" in results.output
    assert {row["verdict"] for row in rows(project, "judged-results.jsonl")} == {"4"}

    asked = len(model.requests)
    for what in ("answer", "relevance"):
        again = verb("judge", "latest", "--what", what)
        assert again.code == 0, again.output
        assert "the model was asked 0 times" in again.output
        assert verb("judge", "latest", "--what", what, "--gate").code == 1
    assert len(model.requests) == asked

    for what, label, shown in (("answer", "CORRECT", "right_answer"), ("relevance", "3", "result")):
        path = project.folder / f"{what}.yaml"
        drawn = verb("adjudicate", "latest", "--what", what, "--to", path.name)
        assert drawn.code == 0, drawn.output
        assert all(row[shown] and "verdict" not in row for row in yaml.safe_load(path.read_text("utf-8")))
        filled = with_labels(path, "So it is.", label)
        done = verb("adjudicate", "latest", "--what", what, "--labels", filled)
        assert done.code == 0, done.output
        assert "1.00 as judged; 1.00 [" in done.output
        assert "kappa of the sample" in done.output
        assert verb("judge", "latest", "--what", what, "--gate").code == 0


def test_a_local_model_judges_without_a_key(project: Project, verb: Verb) -> None:
    pytest.importorskip("onnxruntime", reason="the extra entailment is not installed")
    from ..judges.small_model import write_model

    write_model(project.folder / "model", "Those who wrote it were glad about spring")
    asked = verb("judge", "latest", "--entailment", "model")
    assert asked.code == 0, asked.output
    assert "unknown claims judged" in asked.output
    assert "by the model in model" in asked.output
    assert verb("judge", "latest", "--entailment", "model", "--what", "answer").code == 2
    pair = {"claim": "Glad were those about spring", "source": "Those who wrote it were glad about spring."}
    project.write("labels.jsonl", json.dumps(pair | {"label": "full"}) + "\n")
    done = verb("calibrate", "--labels", "labels.jsonl", "--entailment", "model")
    assert done.code == 0, done.output
    assert "entailment at 0.95  checked 1.000  full 1 of 1 right" in done.output


def rows(project: Project, name: str) -> list[dict[str, object]]:
    (folder,) = project.run_folders()
    return list(read_rows(folder, name))


def with_labels(path: Path, reason: str, label: str = "full") -> str:
    rows = yaml.safe_load(path.read_text(encoding="utf-8"))
    filled = path.with_name("filled.yaml")
    filled.write_text(
        yaml.safe_dump([row | {"label": label, "reason": reason} for row in rows]), encoding="utf-8"
    )
    return filled.name


def record(project: Project) -> None:
    """What a good judge says of the probes and of the unknown claim, as if it had been asked."""
    known = {json.dumps(dict(inputs), sort_keys=True): verdict for inputs, verdict in PROBES["support"]}

    def say(messages: list[dict[str, str]]) -> str:
        inputs = json.loads(messages[1]["content"])
        verdict = known.get(json.dumps(inputs, sort_keys=True), "full")
        return json.dumps({"verdict": verdict, "quote": inputs["source"][:16], "reason": "So it stands."})

    bench = Bench(
        read_lock(project.folder / "judge.lock", "support"), say, project.folder / "cassettes" / "judges"
    )
    bench.probe("support")
    (folder,) = project.run_folders()
    list(settle(read_rows(folder), page_texts(folder), partial(bench.judge, "support")))


def test_calibrate_measures_any_grader(project: Project, verb: Verb) -> None:
    rows = [
        {
            "claim": "A crossing costs 12 euros.",
            "source": "A crossing costs 12 euros and takes long.",
            "label": "full",
        },
        {
            "claim": "A crossing costs 13 euros.",
            "source": "A crossing costs 12 euros and takes long.",
            "label": "contradicted",
        },
        {"verdict": "full", "label": "none"},
    ]
    project.write("labels.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
    done = verb("calibrate", "--labels", "labels.jsonl")
    assert done.code == 0, done.output
    assert "full          precision 0.500" in done.output
    assert "contradicted  precision 1.000" in done.output
    project.write("labels.jsonl", '{"claim": "x"}\n')
    assert "line 1" in verb("calibrate", "--labels", "labels.jsonl").output
