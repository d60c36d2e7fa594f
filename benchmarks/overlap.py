"""How well runs overlap: trials of a system that does nothing but wait, in many slots, against the lower bound.

    python benchmarks/overlap.py [--wait 20] [--trials 3] [--slots 16] [--most 1.15]

Runs the benchmark's cases in a real pytest process. The bound is what no schedule can beat: ceil(runs / slots) waits.
Exit code 1 where the whole process, its start and end included, took more than ``--most`` times as long.
"""

from __future__ import annotations

import argparse
import json
import math
import subprocess
import sys
import tempfile
import time
from pathlib import Path

SYSTEM = """
import time


class System:
    waited = False

    def retrieve(self, task):
        if not self.waited:
            self.waited = True
            time.sleep({wait})
        return "I do not know."
"""


def measure(wait_s: float, trials: int, slots: int) -> tuple[int, float]:
    """How many runs there were, and how many seconds the whole process took."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "pytest.ini").write_text("[pytest]\n", encoding="utf-8")
        (folder / "waiting.py").write_text(SYSTEM.format(wait=wait_s), encoding="utf-8")
        began = time.monotonic()
        done = subprocess.run(
            [
                *(
                    sys.executable,
                    "-m",
                    "pytest",
                    "--lane=fixture",
                    "-q",
                    "--tb=no",
                    "-p",
                    "no:cacheprovider",
                ),
                *("--webretrieval-system=waiting:System", f"--webretrieval-trials={trials}"),
                f"--webretrieval-slots={slots}",
            ],
            cwd=folder,
            capture_output=True,
            text=True,
            check=False,
        )
        took = time.monotonic() - began
        folders = list(folder.glob(".webretrieval/*/results.jsonl"))
        if len(folders) != 1:
            raise SystemExit(done.stdout + done.stderr)
        rows = [json.loads(line) for line in folders[0].read_text(encoding="utf-8").splitlines()]
        waited = [row for row in rows if row["duration_s"] >= wait_s]
        if len(waited) < len(rows):
            raise SystemExit(f"{len(rows) - len(waited)} of {len(rows)} runs did not wait\n{done.stdout}")
        return len(rows), took


def main() -> int:
    parser = argparse.ArgumentParser(description="Runs that wait, in many slots, against the lower bound.")
    parser.add_argument("--wait", type=float, default=20.0, help="seconds that each run waits (default: 20)")
    parser.add_argument("--trials", type=int, default=3, help="trials of each case (default: 3)")
    parser.add_argument("--slots", type=int, default=16, help="slots (default: 16)")
    parser.add_argument("--most", type=float, default=1.15, help="the highest ratio allowed (default: 1.15)")
    arguments = parser.parse_args()
    runs, took = measure(arguments.wait, arguments.trials, arguments.slots)
    bound = math.ceil(runs / arguments.slots) * arguments.wait
    ratio = took / bound
    print(
        f"{runs} runs of {arguments.wait:g} s in {arguments.slots} slots: {took:.1f} s, "
        f"lower bound {bound:g} s, ratio {ratio:.3f} (at most {arguments.most:g})"
    )
    return 0 if ratio <= arguments.most else 1


if __name__ == "__main__":
    sys.exit(main())
