"""What a live run would do, what it lacks and what it may cost, told before anything is sent."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from pytest_webretrieval.cases.case import Corpus
from pytest_webretrieval.cases.data import corpus_path, live_truth, targets_path
from pytest_webretrieval.cases.load import TruthStore, load_corpus
from pytest_webretrieval.cases.targets import load_targets
from pytest_webretrieval.cases.yaml_reader import shown
from pytest_webretrieval.configuration import LiveConfiguration, read_live
from pytest_webretrieval.lanes.cost import Estimate, estimate, refusal
from pytest_webretrieval.lanes.live_grounds import unready
from pytest_webretrieval.lanes.planned import Planned, hosts_of, plan
from pytest_webretrieval.slots.probe import GOOD, LIMITED, MISSING, Finding


@dataclass(frozen=True, slots=True, kw_only=True)
class LivePlan:
    """``lines`` tell which cases go where and which are skipped, ``findings`` what is there, missing and to be paid."""

    lines: tuple[str, ...]
    findings: tuple[Finding, ...]


def live_plan(corpus_name: str, root: Path, environ: Mapping[str, str]) -> LivePlan:
    """The plan of a run in the folder ``root``. Raises ``CaseError`` for a configuration, targets or truth that cannot
    be used."""
    configuration = read_live(root)
    corpus = load_corpus(corpus_path(corpus_name, root))
    place = targets_path(corpus.version, configuration.targets, root)
    targets = load_targets(place, corpus)
    truths = TruthStore(live_truth(corpus.version, root))
    planned = plan(corpus.cases, truths, targets, configuration)
    return LivePlan(
        lines=tuple(_lines(corpus, planned)),
        findings=(
            Finding(
                name="configuration",
                state=GOOD,
                detail=f"{shown(configuration.path)}, region {configuration.region}",
            ),
            Finding(name="targets", state=GOOD, detail=f"{shown(place)}; truth {shown(truths.place)}"),
            *(
                Finding(name="missing", state=MISSING, detail=line)
                for line in unready(configuration, environ)
            ),
            *_permissions(planned, root),
            *_costs(estimate(corpus.cases, truths, targets, configuration), configuration),
        ),
    )


def _lines(corpus: Corpus, planned: Sequence[Planned]) -> Iterator[str]:
    running = [(one.case, one.target) for one in planned if one.why is None]
    yield f"{corpus.version}: {len(running)} of {len(planned)} cases would meet the real web"
    for case, target in running:
        assert target is not None
        checked = f"checked {target.checked}" if target.checked else "checked by nobody yet"
        hosts = ", ".join(hosts_of(target))
        yield f"  {case.id:<5} {case.live_channel:<12} {hosts}: {target.permission} ({target.evidence_url}, {checked})"
    whys = dict.fromkeys(one.why for one in planned if one.why is not None)
    for why in whys:
        its = [one.case.id for one in planned if one.why == why]
        yield f"  skipped: {', '.join(its)}: {why}"
    yield ""


def _permissions(planned: Sequence[Planned], root: Path) -> Iterator[Finding]:
    running = (one.target for one in planned if one.why is None)
    unseen = [target for target in running if target is not None and target.checked is None]
    if unseen:
        file = unseen[0].where.path
        is_theirs = file.absolute().is_relative_to(root.absolute())
        yield Finding(
            name="permission",
            state=LIMITED,
            detail=f"nobody has looked yet whether programs may read {len(unseen)} of the targets",
            mend="look at their evidence_url, then write `checked = <the day>` "
            + (f"in {shown(file)}" if is_theirs else f"in a copy of {file} at corpus/live/{file.name}"),
        )


def _costs(estimated: Estimate, configuration: LiveConfiguration) -> Iterator[Finding]:
    for line in estimated.lines:
        yield Finding(name="cost", state=GOOD, detail=line)
    total = "n/a" if estimated.usd is None else f"{estimated.usd:.2f} USD"
    why = refusal(estimated, configuration)
    mend = "write what is not known" if estimated.usd is None else "raise max_cost_usd"
    yield Finding(
        name="cost",
        state=GOOD if why is None else LIMITED,
        detail=why
        or f"{total} a pass over the cases, if each spends its budget; "
        f"max_cost_usd is {configuration.max_cost_usd:g}",
        mend=None if why is None else f"{mend}, or start with --webretrieval-approve-cost",
    )
