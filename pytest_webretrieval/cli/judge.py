"""``webretrieval judge``: ask a model about what proof left open in a finished run, and nothing else."""

from __future__ import annotations

import argparse
import os
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

from pytest_webretrieval.gates.judged import judged_gate
from pytest_webretrieval.grade.answers import CORRECT
from pytest_webretrieval.judges import entailment
from pytest_webretrieval.judges.answering import Answered, judge_answers
from pytest_webretrieval.judges.asking import DEFAULT_RECORDINGS, Bench, JudgeError, live, unrecorded
from pytest_webretrieval.judges.evidence import (
    ANSWERED,
    JUDGE,
    JUDGED,
    SERVED,
    answers,
    judged_by,
    page_texts,
    searches,
)
from pytest_webretrieval.judges.items import judged
from pytest_webretrieval.judges.lock import DEFAULT_LOCK, LockError, lock_for, read_lock, write_lock
from pytest_webretrieval.judges.parsing import UNGRADED
from pytest_webretrieval.judges.serving import Served, judge_results, order_of
from pytest_webretrieval.judges.settling import Settled, settle, with_settled
from pytest_webretrieval.records.folder import FolderError, Writer, find_folder, read_rows
from pytest_webretrieval.records.people import last_sample
from pytest_webretrieval.records.row import row_of
from pytest_webretrieval.settings import DEFAULT_OUTPUT

from .history import configured, history_folder

DEFAULT_BASE_URL = "https://api.openai.com/v1"


def add(subparsers: Any) -> None:
    """Add the verb."""
    parser = subparsers.add_parser("judge", help="ask a model about what nothing could be proven of")
    parser.add_argument("run", nargs="?", help="a run folder, the end of its name, or latest")
    parser.add_argument("--output", type=Path, default=DEFAULT_OUTPUT, help="where run folders are")
    parser.add_argument(
        "--what",
        choices=tuple(ASKED),
        default="support",
        help="claims that are unknown, required facts that are not sure to be said, or results of searches",
    )
    parser.add_argument("--lock", type=Path, default=DEFAULT_LOCK, help="the file that pins the judge")
    parser.add_argument(
        "--lock-model", metavar="MODEL", help="write the lock for this model, and do nothing else"
    )
    parser.add_argument("--temperature", type=float, default=0.0, help="for --lock-model")
    parser.add_argument(
        "--gate",
        action="store_true",
        help="fail where people have judged no sample of this judge, or the rate is below [live.gates.judged]",
    )
    parser.add_argument("--live", action="store_true", help="ask the model what was not recorded")
    parser.add_argument("--base-url", default=DEFAULT_BASE_URL, help="of any OpenAI-compatible API")
    parser.add_argument(
        "--key-env", default="OPENAI_API_KEY", metavar="NAME", help="the variable with its key"
    )
    parser.add_argument(
        "--recordings",
        type=Path,
        default=DEFAULT_RECORDINGS,
        help="what the judge said before, to be committed",
    )
    parser.add_argument(
        "--entailment",
        type=Path,
        metavar="DIR",
        help=f"a local model in place of the one that is asked, for support: {', '.join(entailment.FILES)}",
    )
    parser.add_argument(
        "--sure",
        type=float,
        default=entailment.SURE,
        metavar="P",
        help="from which probability on its word counts",
    )
    parser.set_defaults(verb=judge)


def judge(arguments: argparse.Namespace) -> int:
    """0 where all was asked; 1 where a gate must not rest on it, the judge is not fit or cannot be asked; 2 where the
    call makes no sense."""
    if arguments.lock_model:
        write_lock(arguments.lock, lock_for(arguments.lock_model, arguments.temperature))
        print(
            f"{arguments.lock}: pinned {arguments.lock_model}; adjudicate a fresh sample before a figure counts"
        )
        return 0
    problem = _senseless(arguments)
    if problem is not None:
        print(f"webretrieval: {problem}", file=sys.stderr)
        return 2
    try:
        folder = find_folder(arguments.output, arguments.run)
        return ASKED[arguments.what](folder, list(read_rows(folder)), arguments)
    except FolderError as error:
        print(f"webretrieval: {error}", file=sys.stderr)
        return 2
    except (LockError, JudgeError) as error:
        print(f"webretrieval: {error}", file=sys.stderr)
        return 1


def _senseless(arguments: argparse.Namespace) -> str | None:
    if not arguments.run:
        return "judge needs a RUN, or --lock-model MODEL"
    if arguments.entailment and (arguments.live or arguments.what != "support"):
        return "--entailment is for --what support, and asks nobody: leave out --live"
    if not 0 < arguments.sure <= 1:
        return f"--sure {arguments.sure:g} is no probability; 0.95 is usual"
    return None


def _bench(arguments: argparse.Namespace) -> Bench:
    """The judge that the lock pins, after its probes."""
    lock = read_lock(arguments.lock, arguments.what)
    key = os.environ.get(arguments.key_env, "")
    bench = Bench(
        lock, live(lock, arguments.base_url, key) if arguments.live else unrecorded, arguments.recordings
    )
    bench.probe(arguments.what)
    return bench


def _support(folder: Path, records: list[Any], arguments: argparse.Namespace) -> int:
    if arguments.entailment:
        model = entailment.load(arguments.entailment, arguments.sure)
        model.probe()
        settled = list(settle(records, page_texts(folder), model.opinion))
        identity, how = model.identity, f"by the model in {arguments.entailment}"
    else:
        bench = _bench(arguments)
        settled = list(settle(records, page_texts(folder), partial(bench.judge, "support")))
        identity, how = bench.lock.identity("support"), _asked(bench)
    judged = [with_settled(record, settled) for record in records]
    _keep(folder, JUDGED, judged)
    print(f"{len(settled)} unknown claims judged, {_ungraded(settled)} of them ungraded; {how}")
    _compare(records, judged)
    return _signed(folder, "support", identity, arguments)


def _answer(folder: Path, records: list[Any], arguments: argparse.Namespace) -> int:
    bench = _bench(arguments)
    judged = list(judge_answers(records, answers(folder), partial(bench.judge, "answer")))
    _keep(folder, ANSWERED, map(asdict, judged))
    by_rule = sum(item.by != "judge" for item in judged)
    print(
        f"{len(judged)} required facts were not sure to be said: {by_rule} decided by rules, "
        f"{len(judged) - by_rule} judged, {_ungraded(judged)} of them ungraded; {_asked(bench)}"
    )
    print(_counted(judged))
    rows = [row_of(record, "") for record in records]
    required, said = sum(row.required for row in rows), sum(row.matched for row in rows)
    right = sum(item.verdict == CORRECT for item in judged)
    if required:
        print(
            f"required facts {required}: said and fetched {said}, said as the judge reads it too {said + right}"
        )
    return _signed(folder, "answer", bench.lock.identity("answer"), arguments)


def _relevance(folder: Path, records: list[Any], arguments: argparse.Namespace) -> int:
    bench = _bench(arguments)
    judged = list(judge_results(records, searches(folder), partial(bench.judge, "relevance")))
    _keep(folder, SERVED, map(asdict, judged))
    print(f"{len(judged)} results judged, {_ungraded(judged)} of them ungraded; {_asked(bench)}")
    print(_counted(judged))
    order = order_of(judged)
    if order is not None:
        print(
            f"{order.searches} searches wholly graded: first helps {order.first_helps:.2f}, one of five helps "
            f"{order.one_of_five_helps:.2f}, RR {order.reciprocal_rank:.2f}, nDCG@10 {order.ndcg_at_10:.2f}"
        )
    return _signed(folder, "relevance", bench.lock.identity("relevance"), arguments)


ASKED: Mapping[str, Callable[[Path, list[Any], argparse.Namespace], int]] = {
    "support": _support,
    "answer": _answer,
    "relevance": _relevance,
}


def _keep(folder: Path, name: str, rows: Iterable[Mapping[str, Any]]) -> None:
    writer = Writer(folder)
    writer.write_text(name, "")
    writer.append(name, rows)
    writer.close()


def _signed(folder: Path, what: str, identity: str, arguments: argparse.Namespace) -> int:
    """Write down who judged, and say whether a gate may rest on it, and what it comes to."""
    known = {name: judge for name in ASKED if (judge := judged_by(folder, name)) is not None}
    writer = Writer(folder)
    writer.write(JUDGE, {"schema": "webretrieval.judge/1", **known, what: identity})
    writer.close()
    configuration, said = configured(), judged(folder, what)
    sample = None if said is None else last_sample(history_folder(None), what, said.lock)
    gate = judged_gate(said, sample, None if configuration is None else configuration.judged.get(what))
    print(f"gate {gate.name} {gate.verdict}: {gate.line}")
    return 1 if gate.verdict == "fail" and arguments.gate else 0


def _asked(bench: Bench) -> str:
    return f"the model was asked {bench.asked} times"


def _ungraded(judged: Iterable[Settled | Answered | Served]) -> int:
    return sum(item.verdict == UNGRADED for item in judged)


def _counted(judged: Iterable[Answered | Served]) -> str:
    counts = Counter(item.verdict for item in judged)
    return "verdicts " + (", ".join(f"{verdict} {counts[verdict]}" for verdict in sorted(counts)) or "none")


def _compare(before: list[Any], after: list[Any]) -> None:
    for name, records in (("proof alone", before), ("with the judge", after)):
        rows = [row_of(record, "") for record in records]
        claims = sum(row.claims for row in rows)
        full, unknown = sum(row.claims_full for row in rows), sum(row.claims_unknown for row in rows)
        if claims:
            print(
                f"{name:<14} {claims} cited claims: {full} borne out, "
                f"{sum(row.claims_refuted for row in rows)} refuted, {unknown} unknown; "
                f"borne out at least {full / claims:.2f}"
            )
