"""From a run to a figure that people stand behind: judge, adjudicate, correct; calibrate for any grader."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml

from pytest_webretrieval.judges.asking import Bench
from pytest_webretrieval.judges.evidence import page_texts
from pytest_webretrieval.judges.lock import read_lock
from pytest_webretrieval.judges.probes import PROBES
from pytest_webretrieval.judges.settling import settle
from pytest_webretrieval.records.folder import read_rows

from ..plugin.project import SYSTEM, Project, corpus_of, truth_of

CASES = (("C1", "plain"), ("C2", "wordy"))
CITES = """
class System:
    def retrieve(self, task):
        right(task.start_urls[0])
        if task.query == "plain":
            said = "It was published on 12 March 2026"
        else:
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


def test_a_judge_people_and_the_corrected_rate(project: Project) -> None:
    assert project.verb("judge", "latest").code == 1  # no lock
    assert project.verb("judge", "--lock-model", "some-model").code == 0
    assert "was not recorded" in project.verb("judge", "latest").output
    record(project)
    judged = project.verb("judge", "latest")
    assert judged.code == 0, judged.output
    assert "of them ungraded; the model was asked 0 times" in judged.output
    assert "not for a gate: no sample" in judged.output
    assert project.verb("judge", "latest", "--gate").code == 1

    drawn = project.verb("adjudicate", "latest")
    assert drawn.code == 0, drawn.output
    path = project.folder / "adjudicate.yaml"
    assert "no reason" in project.verb("adjudicate", "latest", "--labels", with_labels(path, "")).output
    done = project.verb("adjudicate", "latest", "--labels", with_labels(path, "The page says it."))
    assert done.code == 0, done.output
    assert "as people correct it" in done.output
    assert "kappa" in done.output
    assert project.verb("judge", "latest", "--gate").code == 0

    project.verb("judge", "--lock-model", "another-model")
    record(project)
    changed = project.verb("judge", "latest", "--gate")
    assert changed.code == 1
    assert "the judge's lock changed" in changed.output


def with_labels(path: Path, reason: str) -> str:
    rows = yaml.safe_load(path.read_text(encoding="utf-8"))
    filled = path.with_name("filled.yaml")
    filled.write_text(
        yaml.safe_dump([row | {"label": "full", "reason": reason} for row in rows]), encoding="utf-8"
    )
    return filled.name


def record(project: Project) -> None:
    """What a good judge says of the probes and of the unknown claim, as if it had been asked."""
    known = {json.dumps(dict(inputs), sort_keys=True): verdict for inputs, verdict in PROBES["support"]}

    def say(messages: list[dict[str, str]]) -> str:
        inputs = json.loads(messages[1]["content"])
        verdict = known.get(json.dumps(inputs, sort_keys=True), "full")
        return json.dumps({"verdict": verdict, "quote": inputs["source"][:16], "reason": "So it stands."})

    bench = Bench(read_lock(project.folder / "judge.lock"), say, project.folder / "cassettes" / "judges")
    bench.probe("support")
    (folder,) = project.run_folders()
    list(settle(read_rows(folder), page_texts(folder), bench))


def test_calibrate_measures_any_grader(project: Project) -> None:
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
    done = project.verb("calibrate", "--labels", "labels.jsonl")
    assert done.code == 0, done.output
    assert "full          precision 0.500" in done.output
    assert "contradicted  precision 1.000" in done.output
    project.write("labels.jsonl", '{"claim": "x"}\n')
    assert "line 1" in project.verb("calibrate", "--labels", "labels.jsonl").output
