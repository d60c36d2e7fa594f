"""A right answer from a command: the prompt as argument or the task as JSON on standard input, the answer on
standard output, and much else on standard error."""

from __future__ import annotations

import json
import sys

from tests.innocents.ways import by_urllib


def main() -> None:
    prompt = sys.argv[1] if len(sys.argv) > 1 else json.load(sys.stdin)["prompt"]
    print("reading", prompt, file=sys.stderr)
    print(by_urllib(prompt))


if __name__ == "__main__":
    main()
