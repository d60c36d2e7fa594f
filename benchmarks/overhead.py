"""What a case costs, beside plain pytest: whole processes, both in one run, as ratios.

    python benchmarks/overhead.py [--cases 500] [--long 10000]

- `session`: our cases through their whole life (task, wire, archive, verdicts, record, item, gates), with one process a
  slot and one shared client, beside as many parametrised tests with one shared httpx.Client.
- `run`: the same with one process a case, beside tests that each fork and make a new TLS client.
- growth: the time and memory of ten thousand cases beside five hundred, and the time to collect them.

The peer's server is a process of its own that serves the same bytes over TLS on loopback, each response in one write.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import textwrap
import time
from dataclasses import dataclass
from pathlib import Path

SYSTEM = """
import re
import httpx

class System:
    def start(self):
        self.client = httpx.Client(follow_redirects=True)

    def retrieve(self, task):
        url = task.start_urls[0]
        page = self.client.get(url).text
        date = re.search(r"(?:Published|published)[^0-9]*(\\d{1,2} \\w+ \\d{4})", re.sub(r"<[^>]+>", " ", page))
        return f"Published on {date[1] if date else 'unknown'} ([source]({url}))."

    def close(self):
        self.client.close()
"""

PEER_SERVER = """
import asyncio, ssl, sys
import trustme
from aiohttp import web

page = open(sys.argv[1], "rb").read()
folder = sys.argv[2]

async def main():
    authority = trustme.CA()
    authority.cert_pem.write_to_path(f"{folder}/ca.pem")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert("127.0.0.1").configure_cert(context)
    async def serve(request):
        return web.Response(body=page, content_type="text/html")
    runner = web.ServerRunner(web.Server(serve))
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0, ssl_context=context)
    await site.start()
    print(site._server.sockets[0].getsockname()[1], flush=True)
    await asyncio.Event().wait()

asyncio.run(main())
"""

PEER_SHARED = """
import ssl
import httpx
import pytest

URL, CA, CASES = {url!r}, {ca!r}, {cases}

@pytest.fixture(scope="session")
def client():
    with httpx.Client(verify=ssl.create_default_context(cafile=CA)) as one:
        yield one

@pytest.mark.parametrize("number", range(CASES))
def test_page(client, number):
    response = client.get(URL)
    assert response.status_code == 200
    assert "ublished" in response.text
"""

PEER_FORK = """
import os
import ssl
import httpx
import pytest

URL, CA, CASES = {url!r}, {ca!r}, {cases}

@pytest.mark.parametrize("number", range(CASES))
def test_page(number):
    pid = os.fork()
    if not pid:
        try:
            with httpx.Client(verify=ssl.create_default_context(cafile=CA)) as client:
                response = client.get(URL)
            os._exit(0 if response.status_code == 200 and "ublished" in response.text else 1)
        finally:
            os._exit(2)
    assert os.waitpid(pid, 0)[1] == 0
"""


@dataclass(frozen=True, slots=True)
class Measured:
    """Seconds of the wall, and the largest resident size of the pytest process in MiB."""

    seconds: float
    memory: float


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--cases", type=int, default=500)
    parser.add_argument("--long", type=int, default=10_000, help="0 leaves the growth part out")
    parser.add_argument("--times", type=int, default=3, help="how often each is run; the fastest counts")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        _compare(Path(folder), arguments.cases, arguments.times)
        if arguments.long:
            _growth(Path(folder), arguments.cases, arguments.long)
    return 0


def _compare(folder: Path, cases: int, times: int) -> None:
    ours = project(folder / "ours", cases)
    peer, server = peers(folder / "peer", cases)
    try:
        for isolation, test in (("session", "test_shared.py"), ("run", "test_fork.py")):
            pairs = [
                (_run(ours, "--lane=fixture", f"--webretrieval-isolation={isolation}"), _run(peer, test))
                for _ in range(times)
            ]
            own, plain = (min(side, key=lambda one: one.seconds) for side in zip(*pairs, strict=True))
            print(
                f"{isolation:<8} {cases} cases {own.seconds:6.2f} s   peer {plain.seconds:6.2f} s   "
                f"ratio {own.seconds / plain.seconds:.2f}  (fastest of {times})",
                flush=True,
            )
    finally:
        server.kill()
        server.wait()


def _growth(folder: Path, few: int, many: int) -> None:
    small, large = project(folder / "few", few), project(folder / "many", many)
    collected = _run(large, "--lane=fixture", "--collect-only", "-q")
    print(f"collect  {many} cases {collected.seconds:6.2f} s", flush=True)
    options = ("--lane=fixture", "--webretrieval-isolation=session")
    short, long = _run(small, *options), _run(large, *options)
    print(
        f"growth   {few}: {short.seconds:.2f} s, {short.memory:.0f} MiB   "
        f"{many}: {long.seconds:.2f} s, {long.memory:.0f} MiB   "
        f"a case {1000 * short.seconds / few:.2f} ms -> {1000 * long.seconds / many:.2f} ms",
        flush=True,
    )


def _run(folder: Path, *options: str) -> Measured:
    """One whole pytest process; its own figures, not those of the processes that it starts."""
    began = time.perf_counter()
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:randomly", *options]
    # Byte code is kept, as it is by default: else each process of either side compiles what it imports again.
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    process = subprocess.Popen(
        command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment
    )
    assert process.stdout is not None
    output = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - began
    if os.waitstatus_to_exitcode(status):
        sys.exit(f"{' '.join(command)} failed in {folder}:\n{output[-3000:]}")
    return Measured(seconds, _mebibytes(usage))


def _mebibytes(usage: resource.struct_rusage) -> float:
    return usage.ru_maxrss / 1024


def project(folder: Path, cases: int) -> Path:
    """A folder with a corpus of ``cases`` known-url cases, their truth, and a small system."""
    (folder / "truth").mkdir(parents=True)
    lines = ["version: bench-v1", "live_channels: []", "cases:"]
    truths = ["truths:"]
    for number in range(cases):
        name = f"N{number:05}"
        lines.append(
            f'  - {{ id: {name}, stratum: known-url, query: "Extract the published date", '
            'fixture: "fixture://known/static", live_channel: direct-fetch, expect: success }'
        )
        truths.append(_truth(name))
    (folder / "bench-v1.yaml").write_text("\n".join(lines) + "\n", encoding="utf-8")
    (folder / "truth" / "bench-v1.yaml").write_text("\n".join(truths) + "\n", encoding="utf-8")
    (folder / "bench_system.py").write_text(textwrap.dedent(SYSTEM), encoding="utf-8")
    (folder / "pytest.ini").write_text(
        "[pytest]\nwebretrieval_corpus = bench-v1.yaml\nwebretrieval_system = bench_system:System\n",
        encoding="utf-8",
    )
    return folder


def _truth(name: str) -> str:
    return textwrap.indent(
        textwrap.dedent(
            f"""\
            - case_id: {name}
              versions:
                - valid_at: 2026-08-21T00:00:00Z
                  recorded_at: 2026-11-30T00:00:00Z
                  expected_facts: [{{id: published, value: {PUBLISHED}, match: date}}]
                  allowed_sources: ["{SOURCE}"]
                  forbidden_actions: [egress]
                  freshness_window_s: 86400
                  max_budget: {{requests: 2}}
                  reason: generated
                  adjudicated_by: human
            """
        ),
        "  ",
    )


def peers(folder: Path, cases: int) -> tuple[Path, subprocess.Popen[str]]:
    """A folder with the peer's tests, and the server that they meet."""
    folder.mkdir()
    page = Path(__file__).parents[1] / "fixture_server" / "pages" / "https" / PAGE
    (folder / "server.py").write_text(PEER_SERVER, encoding="utf-8")
    server = subprocess.Popen(
        [sys.executable, str(folder / "server.py"), str(page), str(folder)], stdout=subprocess.PIPE, text=True
    )
    assert server.stdout is not None
    values = {
        "url": f"https://127.0.0.1:{server.stdout.readline().strip()}/",
        "ca": str(folder / "ca.pem"),
        "cases": cases,
    }
    (folder / "test_shared.py").write_text(PEER_SHARED.format(**values), encoding="utf-8")
    (folder / "test_fork.py").write_text(PEER_FORK.format(**values), encoding="utf-8")
    (folder / "pytest.ini").write_text("[pytest]\n", encoding="utf-8")
    return folder, server


# The static page of the fixture world that every generated case asks for, and its fact at seed 0.
PAGE = "harbour/notices/pontoon-dues.html"
SOURCE = "fixture://harbour/notices/pontoon-dues"
PUBLISHED = "2026-03-12"

if __name__ == "__main__":
    sys.exit(main())
