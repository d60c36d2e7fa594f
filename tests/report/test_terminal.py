"""The end of a run as text, from rows and gates alone."""

from __future__ import annotations

from dataclasses import replace

from pytest_webretrieval.gates.gate import GateResult
from pytest_webretrieval.records.row import Row
from pytest_webretrieval.report.junit import suite_properties
from pytest_webretrieval.report.terminal import summary

ROW = Row(
    node="corpus/c.yaml::K01", case="K01", stratum="known-url", trial=0, expect="success", label="success", tags=(),
    reason="", required=1, matched=1, cited_facts=1, checked=2, supported=1, unknown=0, extra_unsupported=0,
    max_extra_claims=3, fresh=True, duration_s=0.25, requests=3, browser=0, over=(), served=4, fetched=3, cited=2,
    said=1,
)  # fmt: skip
GATES = (
    GateResult(name="policy_violation", verdict="pass", line="0 of 2"),
    GateResult(name="labels_match", verdict="fail", line="1 of 2: S01"),
    GateResult(name="citation_support", verdict="skipped", line="nothing to judge"),
)


def lines(rows: list[Row], gates: tuple[GateResult, ...] = ()) -> list[str]:
    return list(summary(rows, gates, [("system", "own:System"), ("run", "here")]))


def table(rows: list[Row]) -> dict[str, dict[str, str]]:
    """Stratum to column to text; columns are set apart by two spaces or more."""
    text = lines(rows)
    first = next(number for number, line in enumerate(text) if line.startswith("stratum"))
    heads = [head.strip() for head in text[first].split("  ") if head.strip()]
    found = {}
    for line in text[first + 1 :]:
        if not line:
            break
        cells = [cell.strip() for cell in line.split("  ") if cell.strip()]
        found[cells[0]] = dict(zip(heads[1:], cells[1:], strict=True))
    return found


def test_each_stratum_has_its_figures_with_their_n() -> None:
    other = replace(
        ROW, case="S01", stratum="search", label="no_answer", matched=0, cited_facts=0, requests=5, browser=1
    )
    found = table([ROW, replace(ROW, case="K02", duration_s=0.75), other])
    assert list(found) == ["known-url", "search"]
    known = found["known-url"]
    assert (known["cases"], known["as expected"], known["facts"], known["supported"]) == (
        "2",
        "2",
        "2/2",
        "2/4",
    )
    assert (known["p50"], known["max"], known["requests"], known["browser"]) == ("0.25 s", "0.75 s", "6", "0")
    assert (found["search"]["as expected"], found["search"]["facts"], found["search"]["browser"]) == (
        "0",
        "0/1",
        "1",
    )


def test_what_was_not_measured_is_not_nought() -> None:
    found = table([replace(ROW, required=0, matched=0, cited_facts=0, checked=0, supported=0, fresh=None)])
    assert {found["known-url"][head] for head in ("facts", "cited", "supported", "fresh")} == {"n/a"}


def test_there_is_no_p95_under_59_runs() -> None:
    rows = [replace(ROW, case=f"C{number}", duration_s=number / 10) for number in range(59)]
    assert "p95" not in table(rows[:58])["known-url"]
    assert table(rows)["known-url"]["p95"] == "5.60 s"  # the 57th of 59, by nearest rank


def test_a_stratum_with_fewer_runs_has_no_p95_beside_one_that_has() -> None:
    rows = [replace(ROW, case=f"C{number}") for number in range(59)]
    assert table([*rows, replace(ROW, stratum="search")])["search"]["p95"] == "n/a"


def test_columns_line_up_and_the_page_is_a_hundred_wide() -> None:
    rows = [replace(ROW, case=f"C{number}", duration_s=12.5, requests=99) for number in range(60)]
    text = lines([*rows, replace(ROW, stratum="search")])
    first = next(number for number, line in enumerate(text) if line.startswith("stratum"))
    ends = {line.index("  ", 12) for line in text[first : first + 1]}
    assert ends
    assert max(map(len, text)) <= 110
    head, one, two = text[first : first + 3]
    for column in ("requests", "browser", "supported"):
        end = head.index(column) + len(column)
        assert one[end - 1] != " " or column == "none"
        assert two[end - 1] != " "


def test_the_funnel_and_the_tags_are_counted() -> None:
    rows = [replace(ROW, tags=("soft-404", "cited-mirror")), replace(ROW, case="K02", tags=("soft-404",))]
    text = lines(rows)
    assert "funnel   served 8, fetched 6, cited 4, said 2   (n = 2 runs)" in text
    assert "tags     soft-404 2: K01, K02" in text
    assert "         cited-mirror 1: K01" in text


def test_many_cases_of_a_tag_are_cut_with_an_ellipsis() -> None:
    rows = [replace(ROW, case=f"C{number}", tags=("deadline",)) for number in range(9)]
    (line,) = [line for line in lines(rows) if "deadline" in line]
    assert line == "tags     deadline 9: C0, C1, C2, C3, C4, C5, C6, C7, …"


def test_gates_have_one_line_each_and_only_failure_shouts() -> None:
    text = lines([ROW], GATES)
    assert text[-3:] == [
        "gates    policy_violation  pass     0 of 2",
        "         labels_match      FAIL     1 of 2: S01",
        "         citation_support  skipped  nothing to judge",
    ]


def test_a_gate_that_says_nothing_yet_is_printed_by_its_own_name() -> None:
    calibrating = GateResult(
        name="success", verdict="calibrating", line="2 of 5 accepted runs to compare with"
    )
    open_ = GateResult(name="latency", verdict="inconclusive", line="+22.0 %")
    assert lines([ROW], (*GATES[1:2], calibrating, open_))[-3:] == [
        "gates    labels_match      FAIL          1 of 2: S01",
        "         success           calibrating   2 of 5 accepted runs to compare with",
        "         latency           inconclusive  +22.0 %",
    ]


def test_without_rows_there_is_no_table() -> None:
    text = lines([], GATES)
    assert not [line for line in text if line.startswith(("stratum", "funnel"))]
    assert text[:2] == ["system   own:System", "run      here"]


def test_no_line_ranks_by_one_number() -> None:
    text = "\n".join(lines([ROW, replace(ROW, case="S01", stratum="search")], GATES)).lower()
    assert not [word for word in ("score", "total", "average", "overall") if word in text]


def test_properties_for_junit_name_each_trial() -> None:
    rows = [replace(ROW, tags=("soft-404", "deadline")), replace(ROW, trial=1, label="timeout")]
    assert list(suite_properties(rows, GATES[:1])) == [
        ("webretrieval.label.K01", "success"),
        ("webretrieval.tags.K01", "soft-404 deadline"),
        ("webretrieval.label.K01.1", "timeout"),
        ("webretrieval.gate.policy_violation", "pass: 0 of 2"),
    ]
