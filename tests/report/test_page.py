"""The page of one run, from a record and its attempts alone."""

from __future__ import annotations

from typing import Any

from _pytest._io import TerminalWriter

from pytest_webretrieval.report.failure import CaseFailed, FailurePage
from pytest_webretrieval.report.page import headline, page

COMMANDS = {"again": "pytest --lane=fixture", "story": "webretrieval explain 7f3a S06"}


def record(**changes: Any) -> dict[str, Any]:
    found: dict[str, Any] = {
        "case": "S06",
        "stratum": "search",
        "query": "Cite the origin",
        "expect": "success",
        "label": "unsupported",
        "tags": ["cited-mirror"],
        "reason": "cites a mirror, not an allowed source",
        "trouble": None,
        "duration_s": 0.42,
        "verdicts": [verdicts()],
        "efficiency": {"requests": 2, "retries": 0, "escalations": 0, "over": []},
        "budget": {"requests": 6, "retries": 2, "duration_s": 10},
        "allowed_sources": ["fixture://observer/news/*"],
        "reported_attempts": None,
        "where": "corpus/web-retrieval-v1.yaml:31",
        "truth": "truth/web-retrieval-v1/S06.yaml:9",
        "truth_valid_at": "2026-08-21T00:00:00+00:00",
    }
    return found | changes


def verdicts(**changes: Any) -> dict[str, Any]:
    pair = {
        "claim": "The tariff rises to 19.90 EUR on 1 October",
        "facts": ["tariff"],
        "url": "https://daily-ledger.example/economy/4f1c",
        "fetched": True,
        "support": "full",
        "provenance": "known-copy",
    }
    found: dict[str, Any] = {
        "outcome": {
            "status": "answered",
            "duration_s": 0.42,
            "error_type": None,
            "refusal_reason": None,
            "refusal_proven": None,
        },
        "content": {
            "facts": [{"fact": "tariff", "state": "matched", "value": "19.90", "ground": {"detail": ""}}]
        },
        "citation": {
            "facts_with_citation": 1,
            "matched_facts": 1,
            "supported": 0,
            "checked": 1,
            "extra_unsupported": 0,
            "findings": [pair],
        },
        "freshness": {"state": "fresh", "age_s": 310, "window_s": 86400, "validated": None},
        "funnel": {"served": 3, "fetched": 1, "cited": 1, "said": 1},
    }
    return found | changes


def attempt(number: int, **changes: Any) -> dict[str, Any]:
    return {
        "webretrieval.number": number,
        "webretrieval.started_s": number / 10,
        "webretrieval.channel": "direct-fetch",
        "http.request.method": "GET",
        "http.response.status_code": 200,
        "http.response.body.size": 8400,
        "url.full": "https://daily-ledger.example/economy/4f1c",
    } | changes


def lines(found: dict[str, Any], attempts: list[dict[str, Any]] | None = None, said: str = "") -> list[str]:
    return page(found, attempts or [], COMMANDS, said).splitlines()


def row(text: list[str], name: str) -> str:
    (line,) = [line for line in text if line.startswith(f"     {name} ")]
    return line[18:].strip()


def test_the_headline_is_one_line_with_label_expectation_and_reason() -> None:
    assert headline(record()) == "S06 unsupported, expected success: cites a mirror, not an allowed source"
    assert headline(record(reason="")) == "S06 unsupported, expected success"
    long = headline(record(reason="a reason\nof two lines " * 20))
    assert (len(long), long[-1], "\n" in long) == (160, "…", False)


def test_a_page_has_a_line_for_each_verdict() -> None:
    text = lines(record())
    assert text[0] == "S06  search  Cite the origin"
    assert text[1] == "     expected success    got unsupported    tags cited-mirror"
    assert row(text, "outcome") == "answered after 0.42 s"
    assert row(text, "content") == "1 of 1 facts"
    assert row(text, "citation") == "1/1 facts cited, 0/1 claims supported"
    assert row(text, "freshness") == "fresh: age 310 s of 86 400 s"
    assert row(text, "efficiency") == "2 requests of 6, 0 retries of 2, no browser, 0.42 s of 10 s"
    assert row(text, "funnel") == "served 3, fetched 1, cited 1, said 1"
    assert row(text, "case").startswith(
        "corpus/web-retrieval-v1.yaml:31     truth  truth/web-retrieval-v1/S06.yaml:9"
    )
    assert text[-2:] == [
        "     again        pytest --lane=fixture",
        "     story        webretrieval explain 7f3a S06",
    ]


def test_a_citation_that_does_not_count_is_shown_with_why() -> None:
    text = "\n".join(lines(record()))
    assert "1  “The tariff rises to 19.90 EUR on 1 October”" in text
    assert "cites   daily-ledger.example/economy/4f1c    fetched, says so, a known copy" in text
    assert "allowed observer/news/*" in text


def test_what_is_missing_is_named() -> None:
    facts = [{"fact": "tariff", "state": "missing", "value": "19.90", "ground": {"detail": ""}}]
    text = lines(record(verdicts=[verdicts(content={"facts": facts})]))
    assert row(text, "content") == "0 of 1 facts"
    assert "                  tariff: 19.90 is not in the answer" in text


def test_what_was_not_measured_is_not_nought() -> None:
    nothing = {
        "facts_with_citation": 0,
        "matched_facts": 0,
        "supported": 0,
        "checked": 0,
        "extra_unsupported": 0,
    }
    found = record(
        verdicts=[
            verdicts(
                content={"facts": []},
                citation=nothing | {"findings": []},
                freshness={"state": "n/a", "age_s": None, "window_s": None, "validated": None},
            )
        ],
        budget={"requests": None, "retries": None, "duration_s": None},
    )
    text = lines(found)
    assert row(text, "content") == "n/a, no fact is due"
    assert row(text, "citation") == "n/a facts cited, n/a claims supported"
    assert row(text, "freshness") == "n/a"
    assert row(text, "efficiency") == "2 requests, 0 retries, no browser, 0.42 s"


def test_the_wire_is_a_table_that_fits() -> None:
    long = "https://a-very-long-host-name.example/a/very/long/path/to/a/page/that/goes/on?and=on"
    shown = lines(record(), [attempt(1), attempt(2, **{"url.full": long, "http.response.status_code": 503})])
    first = next(number for number, line in enumerate(shown) if line.startswith("     wire"))
    said = "#1 0.10 s GET daily-ledger.example/economy/4f1c 200 8.4 kB direct-fetch"
    assert " ".join(shown[first].split()[1:]) == said
    assert "…" in shown[first + 1]
    assert shown[first].index("200") == shown[first + 1].index("503")
    assert max(len(line) for line in shown[first : first + 2]) <= 100


def test_an_attempt_without_a_response_shows_its_error_and_lateness() -> None:
    broken = attempt(1, **{"error.type": "connection_reset", "webretrieval.late": True})
    del broken["http.response.status_code"]
    line = row(lines(record(), [broken]), "wire")
    assert "connection_reset" in line
    assert line.endswith("direct-fetch  late")


def test_a_long_wire_is_cut_with_its_rest_counted() -> None:
    text = lines(record(), [attempt(number) for number in range(25)])
    assert len([line for line in text if " #" in line]) == 20
    assert "                  … and 5 more in attempts.jsonl" in text


def test_no_request_at_all_is_said() -> None:
    assert row(lines(record()), "wire") == "nothing: the system sent no request"


def test_a_false_account_is_held_against_the_wire() -> None:
    assert row(lines(record(reported_attempts=1)), "says") == "the system reported 1 requests; the wire saw 2"
    assert not [line for line in lines(record(reported_attempts=2)) if line.startswith("     says")]


def test_the_last_words_of_a_system_are_shown_in_part() -> None:
    text = lines(record(), said="\n".join(f"line {number}" for number in range(9)))
    first = text.index("     said         line 4")
    assert [line.strip() for line in text[first + 1 : first + 5]] == ["line 5", "line 6", "line 7", "line 8"]


def test_trouble_of_ours_comes_first() -> None:
    text = lines(record(trouble={"where": "world", "message": "it died"}))
    assert row(text, "trouble") == "world: it died"
    assert text.index("     trouble      world: it died") < text.index(
        "     outcome      answered after 0.42 s"
    )


def test_steps_are_numbered_where_there_are_several() -> None:
    assert [line.strip() for line in lines(record(verdicts=[verdicts(), verdicts()])) if "step" in line] == [
        "step 1",
        "step 2",
    ]
    assert not [line for line in lines(record()) if "step" in line]


def test_a_failure_page_is_the_same_text_with_and_without_a_worker() -> None:
    failed = CaseFailed(record(), [attempt(1)], COMMANDS)
    shown = FailurePage(failed.text, "corpus/c.yaml", 31)
    again = FailurePage(str(shown), "corpus/c.yaml", 31)  # what xdist sends is the text
    assert str(again) == str(shown)
    assert again.reprcrash == shown.reprcrash
    assert shown.reprcrash.message == headline(record())
    assert (shown.reprcrash.path, shown.reprcrash.lineno) == ("corpus/c.yaml", 31)


def test_a_failure_page_on_the_terminal_is_its_text(capsys: Any) -> None:
    shown = FailurePage(CaseFailed(record(), [], COMMANDS).text, "corpus/c.yaml", 31)
    shown.toterminal(TerminalWriter())
    assert capsys.readouterr().out == f"{shown}\n"


def test_the_home_of_a_fault_is_shown_whole_with_its_evidence() -> None:
    why = "the page that was fetched says release-version, and what the model was given of it does not"
    home = {"where": "your code", "why": why, "evidence": ["#4 says “v3.2”", "#5 was given 20 characters"]}
    text = lines(record(home=home))
    at = next(index for index, line in enumerate(text) if line.strip().startswith("home"))
    assert " ".join(" ".join(text[at : at + 2]).split()) == f"home your code: {why}"
    assert [line.strip() for line in text[at + 2 : at + 4]] == home["evidence"]
    assert all(len(line) <= 100 for line in text[at : at + 4])
    assert not any(line.strip().startswith("home") for line in lines(record(home=None)))


def test_what_a_system_tells_of_itself_is_not_on_the_wires_table() -> None:
    told = attempt(9, **{"url.full": "https://otlp.webretrieval.example/v1/traces"})
    told["server.address"] = "otlp.webretrieval.example"
    assert not [line for line in lines(record(), [attempt(1), told]) if "otlp" in line]
