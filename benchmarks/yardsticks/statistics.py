"""The statistics of the gates beside published figures, every group of them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from pytest_webretrieval.gates import comparison, drift, intervals, looks
from pytest_webretrieval.gates.statistics import wilson

from .measured import Measured, every

RESAMPLES, SEED = 400_000, 1
# Half of the last place to which the tables are printed.
FOUR_PLACES, THREE_PLACES = 5.01e-5, 5.01e-4


def measure(data: Path) -> Iterator[Measured]:
    known = json.loads((data / "stats" / "known-answers.json").read_text(encoding="utf-8"))
    for name, compute in GROUPS.items():
        pairs = list(compute(known[name]))
        wrong = [f"{got} for {want}" for got, want, by in pairs if not _near(got, want, by)]
        yield every(name.replace("_", " "), len(pairs), wrong)
    alerts = known["perfherder_alerts"]
    pairs = [
        (_alerts(data / "perf" / f"perfherder.{name}.json"), alerts[name], 0.0)
        for name in alerts
        if name != "params"
    ]
    wrong = [f"{got} for {want}" for got, want, _ in pairs if got != want]
    yield every("perfherder alerts, series", len(pairs), wrong)
    left = set(known) - set(GROUPS) - {"perfherder_alerts"}
    yield every("groups of known answers that are held", len(known), sorted(left))


# A computed value, the published one, and how far they may be apart.
Pair = tuple[Any, Any, float]


def _near(got: Any, want: Any, by: float) -> bool:
    if isinstance(want, Sequence):
        return len(got) == len(want) and all(
            _near(one, other, by) for one, other in zip(got, want, strict=True)
        )
    return abs(got - want) <= by


def _wilson(group: Mapping[str, Any]) -> Iterator[Pair]:
    for right, n, *bounds in group["cases"]:
        yield wilson(right, n), bounds, FOUR_PLACES


def _corrected(group: Sequence[Any]) -> Iterator[Pair]:
    for right, n, *bounds in group:
        yield intervals.wilson_corrected(right, n), bounds, FOUR_PLACES


def _exact(group: Sequence[Any]) -> Iterator[Pair]:
    for right, n, *bounds in group:
        yield intervals.clopper_pearson(right, n), bounds, FOUR_PLACES


def _differences(group: Mapping[str, Any]) -> Iterator[Pair]:
    for right, n, other_right, other_n, *bounds in group["cases"]:
        yield comparison.difference(right, n, other_right, other_n), bounds, FOUR_PLACES


def _mcnemar(group: Mapping[str, Any]) -> Iterator[Pair]:
    for (_, one_way), (other_way, _), statistic, p in group["chi2_no_cc"]:
        got, chance = comparison.mcnemar_chi2(one_way, other_way)
        yield got, statistic, FOUR_PLACES
        yield chance / p, 1.0, 0.01
    for one_way, other_way, p in group["exact"]:
        yield comparison.mcnemar(one_way, other_way), p, 1e-12


def _many(group: Mapping[str, Any]) -> Iterator[Pair]:
    yield comparison.discoveries(group["p"], group["q"]), group["rejected_bh"], 0
    yield comparison.rejected_by_bonferroni(group["p"], group["q"]), group["rejected_bonferroni"], 0


def _ranks(group: Mapping[str, Any]) -> Iterator[Pair]:
    yield comparison.mann_whitney(group["x"], group["y"]), [group["U"], group["p_two_sided"]], 1e-12


def _flips(group: Mapping[str, Any]) -> Iterator[Pair]:
    differences = group["differences_eighth_inch"]
    extreme, total = comparison.sign_flips(differences)
    yield sum(differences), group["sum"], 0
    yield [extreme, total], [group["extreme"], group["total"]], 0
    yield extreme / total, group["p_two_sided"], 1e-12
    yield comparison.signed_ranks(differences), [group["wilcoxon_W"], group["wilcoxon_p"]], 1e-12


def _wilks(group: Mapping[str, Any]) -> Iterator[Pair]:
    for order, n in enumerate(group["order 1..5 from the top"], 1):
        yield intervals.runs_for_bound(order), n, 0


def _looks(group: Mapping[str, Any]) -> Iterator[Pair]:
    yield looks.pocock(2), group["pocock_K2"], THREE_PLACES
    yield looks.obrien_fleming(2), group["obrien_fleming_K2"], THREE_PLACES
    yield looks.pocock(5)[0], group["pocock_K5"], THREE_PLACES
    yield looks.obrien_fleming(5), group["obrien_fleming_K5"], THREE_PLACES


def _bootstrap(group: Mapping[str, Any]) -> Iterator[Pair]:
    got = intervals.mean_intervals(group["x"], RESAMPLES, SEED)
    for name, bounds in group["expected_95"].items():
        yield [one / other for one, other in zip(got[name], bounds, strict=True)], [1.0, 1.0], group["rtol"]


def _divisive(group: Mapping[str, Any]) -> Iterator[Pair]:
    yield drift.change_points(group["series"]), group["change_points"], 0


GROUPS = {
    "wilson_no_cc": _wilson,
    "wilson_cc": _corrected,
    "clopper_pearson": _exact,
    "newcombe_hybrid_score_difference": _differences,
    "mcnemar": _mcnemar,
    "benjamini_hochberg": _many,
    "mann_whitney_exact": _ranks,
    "paired_randomisation": _flips,
    "wilks_min_n_for_95_95_upper_bound": _wilks,
    "group_sequential_two_sided_alpha_05": _looks,
    "bootstrap_mean_R_boot_sample": _bootstrap,
    "e_divisive": _divisive,
}


def _alerts(path: Path) -> list[int]:
    """The push times at which a stored series of Mozilla's moves."""
    runs = sorted((row[2], row[3]) for row in json.loads(path.read_text(encoding="utf-8"))["test_runs"])
    return [runs[at][0] for at in drift.steps([value for _, value in runs])]
