"""A local model of entailment: it settles what proof leaves unknown where it is sure, and overrules nothing."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("onnxruntime", reason="the extra entailment is not installed")
from pytest_webretrieval.judges.asking import JudgeError
from pytest_webretrieval.judges.entailment import Model, load
from pytest_webretrieval.judges.settling import settle, with_settled

from .small_model import write_model

SOURCE = (
    "The fair is in May. It has many stalls. Entry costs nothing there. "
    "Rain does not stop the fair. The last train leaves late. Bring a coat."
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_model(tmp_path_factory.mktemp("model"), SOURCE)


@pytest.fixture(scope="module")
def model(folder: Path) -> Model:
    return load(folder, 0.9)


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [
        ("The fair costs nothing in May.", "full"),
        ("Rain does stop the fair.", "contradicted"),
        ("The mayor is a chemist.", "ungraded"),
    ],
)
def test_it_reads_the_passages_that_are_close(model: Model, claim: str, verdict: str) -> None:
    opinion = model.opinion({"claim": claim, "source": SOURCE})
    assert opinion.verdict == verdict
    assert opinion.quote in SOURCE
    assert bool(opinion.quote) == (verdict != "ungraded")


def test_what_it_is_not_sure_of_stays_open(folder: Path) -> None:
    asked = {"claim": "The fair costs nothing in May.", "source": SOURCE}
    verdict, _, score = load(folder).lean(asked["claim"], asked["source"])
    assert (verdict, load(folder, score - 1e-6).opinion(asked).verdict) == ("full", "full")
    assert load(folder, score + 1e-6).opinion(asked).verdict == "ungraded"
    assert load(folder).opinion({"claim": "The fair.", "source": ""}).verdict == "ungraded"


def test_it_settles_what_is_unknown_alone(model: Model) -> None:
    claims = [
        {"claim": "The fair costs nothing in May.", "support": support, "settled": None,
         "ground": {"sha256": "ab", "url": "https://a.test/"}}
        for support in ("unknown", "none", "contradicted")
    ]  # fmt: skip
    record = {"case": "A", "key": {"trial": 0}, "verdicts": [{"citation": {"claims": claims}}]}
    after = with_settled(record, list(settle([record], lambda *_: SOURCE, model.opinion)))
    assert [claim["settled"] for claim in after["verdicts"][0]["citation"]["claims"]] == ["full", None, None]


def test_probes_tell_a_model_whose_labels_are_the_wrong_way_round(model: Model, tmp_path: Path) -> None:
    model.probe()
    swapped = {"0": "entailment", "1": "neutral", "2": "contradiction"}
    with pytest.raises(JudgeError, match="of what is known to be"):
        load(write_model(tmp_path, SOURCE, swapped), 0.5).probe()


def test_who_it_is_are_its_files_and_how_sure_it_must_be(folder: Path, model: Model, tmp_path: Path) -> None:
    assert model.identity == load(folder, 0.9).identity
    assert (
        len({model.identity, load(folder).identity, load(write_model(tmp_path, "other words"), 0.9).identity})
        == 3
    )


def test_a_folder_that_holds_no_such_model_is_an_error_that_says_why(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(JudgeError, match=r"no model\.onnx; a model's folder holds"):
        load(tmp_path)
    write_model(tmp_path, SOURCE, extra_input="pixel_values")
    with pytest.raises(JudgeError, match="it wants pixel_values"):
        load(tmp_path)
    (tmp_path / "config.json").write_text(json.dumps({"id2label": {"0": "LABEL_0"}}))
    with pytest.raises(JudgeError, match="has no entailment; it has label_0"):
        load(tmp_path)
    (tmp_path / "config.json").write_bytes((folder / "config.json").read_bytes())
    (tmp_path / "model.onnx").write_bytes(b"no model")
    with pytest.raises(JudgeError, match=str(tmp_path)):
        load(tmp_path)


def test_nothing_heavy_is_imported_where_no_model_is_named() -> None:
    code = "import sys, pytest_webretrieval.cli.judge, pytest_webretrieval.cli.calibrate as _;"
    code += "sys.exit(bool({'onnxruntime', 'tokenizers', 'numpy'} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0
