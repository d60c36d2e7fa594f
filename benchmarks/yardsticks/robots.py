"""The robots grader on Google's cases, and on files that real sites serve."""

from __future__ import annotations

import json
import tarfile
from collections.abc import Iterator
from pathlib import Path

from pytest_webretrieval.grade.robots import allows

from .measured import Measured, every

# RFC 9309, section 2.2.2: octets outside ASCII are escaped in the URL and in the rule before they are compared.
# Google's matcher expects its caller to have done so, and its test pins what comes of a caller that has not.
JUSTIFIED = frozenset((("ID_Encoding", "http://foo.bar/foo/bar/ツ"),))


def measure(data: Path) -> Iterator[Measured]:
    cases = json.loads((data / "robots" / "google-robotstxt.cases.json").read_text(encoding="utf-8"))
    differing = [case for case in cases if allows(*case[1:4]) != case[4]]
    wrong = [f"{case[0]} {case[3]}" for case in differing if (case[0], case[3]) not in JUSTIFIED]
    justified = len(differing) - len(wrong)
    note = f"{len(cases) - len(differing)} alike, {justified} differ by RFC 9309 2.2.2 (unescaped URL)"
    yield every("Google's robots cases", len(cases), wrong, note)
    wrong, n = [], 0
    for name, body in files(data / "robots" / "protego-fetched-robotstxt-4231.tar.gz"):
        n += 1
        try:
            for path in ("/", "/a/b.html?c=d", "/%E3%83%84/"):
                allows(body.decode("utf-8", "replace"), "examplebot", f"https://n.example{path}")
        except Exception as error:  # any exception at all is what is being counted
            wrong.append(f"{name}: {error!r}")
    yield every("real robots.txt files read without exception", n, wrong)


def files(archive: Path) -> Iterator[tuple[str, bytes]]:
    """The files of a tar archive."""
    with tarfile.open(archive) as tar:
        for member in tar:
            opened = tar.extractfile(member)
            if opened is not None:
                yield member.name, opened.read()
