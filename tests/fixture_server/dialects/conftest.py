"""A site with pages of every kind that APIs read, and scripts that ask APIs about it from a slot: public names, real
TLS, the providers' own SDKs as they are installed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import textwrap
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Any

import pytest
import pytest_asyncio

from fixture_server.client import World
from fixture_server.message import Answer, Asked
from fixture_server.stage import Stage
from fixture_server.world import World as Loaded
from fixture_server.world import load
from pytest_webretrieval.slots.carrier import Carrier, open_carrier
from pytest_webretrieval.slots.slot import Slot
from pytest_webretrieval.wire.archive import Archive
from pytest_webretrieval.wire.attempt import Trace

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
SCENE = "known/notes"
TRUTH = """\
case_id: K01
valid_at: 2026-08-21T00:00:00Z
recorded_at: 2026-08-21T00:00:00Z
expected_facts:
  - {id: version, value: "v3.2", match: exact}
allowed_sources: ["fixture://www.vendor.example/notes/current"]
forbidden_actions: [egress]
freshness_window_s: 86400
max_budget: {requests: 6}
reason: first adjudication
adjudicated_by: human
"""
PAGES = {
    "www.vendor.example/notes/current.html": (
        '<!doctype html><html lang="en"><head><title>Release notes</title>'
        '<meta name="description" content="What is new in each release"></head><body>'
        '<nav><a href="/">Home of the vendor</a></nav><main><h1>Release notes</h1>'
        '<p>Version v3.2 shipped on 21 August 2026. See the <a href="/notes/old">older notes</a>.</p>'
        "<table><tr><th>Edition</th><th>Price</th></tr><tr><td>Small</td><td>19.90 EUR</td></tr></table>"
        '<img src="/shots/one.png" alt="A shot"></main></body></html>'
    ),
    "www.vendor.example/notes/current.serve.yaml": "search: {published: 2026-08-21, language: en}\n",
    "www.vendor.example/notes/moved.serve.yaml": (
        "status: 301\nlocation: fixture://www.vendor.example/notes/current\nsearch: false\n"
    ),
    "www.vendor.example/notes/gone.html": "<title>Gone</title><h1>This page is gone</h1>",
    "www.vendor.example/notes/gone.serve.yaml": "status: 404\nsearch: false\n",
    "www.vendor.example/notes/barred.serve.yaml": "status: 403\nsearch: false\n",
    "www.vendor.example/notes/broken.serve.yaml": "fault: reset\nsearch: false\n",
    "www.vendor.example/notes/round.serve.yaml": (
        "status: 302\nlocation: fixture://www.vendor.example/notes/round\nsearch: false\n"
    ),
    "www.vendor.example/notes/tones.bin": "\0\1\2 no text",
    "www.vendor.example/notes/tones.bin.serve.yaml": "search: false\n",
    "www.vendor.example/notes/later.html": "<title>Later</title><p>Here after all.</p>",
    "www.vendor.example/notes/later.serve.yaml": "search: false\nsequence:\n  - {status: 503}\n  - {}\n",
    "www.vendor.example/notes/old.html": (
        "<title>Older release notes</title><p>Version v2.9 shipped in the spring.</p>"
    ),
    "www.vendor.example/notes/old.serve.yaml": "search: {published: 2026-03-02, language: en}\n",
    "press.example/news/tariff.html": (
        "<title>Tariff rises</title><p>The harbour tariff rises to 19.90 EUR, as the release says.</p>"
    ),
    "press.example/news/tariff.serve.yaml": "search: {published: -36h, language: en}\n",
    "weather.example/alerts.html": (
        '<html lang="zh-TW"><title>颱風警報</title><p>中央氣象署發布海上陸上颱風警報,請民眾注意。</p></html>'
    ),
    "weather.example/alerts.serve.yaml": "search: {language: zh-TW}\n",
    "weather.example/plain.txt": "Rain notes\n\nRain from the west.\n",
}
SITE_SCENE = "start_urls: []\ncheapest: search-api\nstates: []\npages: []\n"
CURRENT, GONE = "https://www.vendor.example/notes/current", "https://www.vendor.example/notes/gone"


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The folder of truth and that of the site."""
    root = tmp_path_factory.mktemp("dialects")
    files = {"truth/K01.yaml": TRUTH, f"site/scenes/{SCENE}.yaml": SITE_SCENE}
    files |= {f"site/pages/https/{name}": text for name, text in PAGES.items()}
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")
    return root / "truth", root / "site"


@dataclass(frozen=True)
class Api:
    """The dialects over the site, asked without a network."""

    stage: Stage

    def ask(
        self, dialect: Any, method: str, url: str, given: object = None, **headers: str
    ) -> tuple[Answer, Any]:
        """The answer, and its body as JSON where it is JSON. A header's name is written with underscores."""
        host, _, target = url.removeprefix("https://").partition("/")
        asked = Asked(
            method=method,
            scheme="https",
            host=host,
            target=f"/{target}",
            headers={name.replace("_", "-"): value for name, value in headers.items()},
            body=b"" if given is None else json.dumps(given).encode(),
        )
        answer = dialect.respond(asked, self.stage)
        is_json = (answer.header("content-type") or "").startswith("application/json")
        return answer, json.loads(answer.body) if is_json else answer.body.decode()


@pytest.fixture(scope="module")
def loaded(folders: tuple[Path, Path]) -> Loaded:
    """The site."""
    return load([folders[0]], [folders[1]])


@pytest.fixture
def api(loaded: Loaded) -> Api:
    """A run that begins at NOW."""
    scene = loaded.sites.scenes[SCENE]
    return Api(Stage(edition=loaded.editions(0, NOW.date()), scene=scene, started=NOW))


@pytest.fixture(scope="session")
def sample() -> Callable[[str], bytes]:
    """A real answer of a provider, by its file's name."""

    def read(name: str) -> bytes:
        data = os.environ.get("WEBRETRIEVAL_DATA") or Path(__file__).parents[4] / "shared" / "data"
        file = Path(data) / "provider-samples" / name
        if not file.is_file():
            pytest.skip(f"no sample {name}: set WEBRETRIEVAL_DATA to a folder with provider-samples/")
        return file.read_bytes()

    return read


@dataclass(frozen=True)
class Done:
    """What a script printed as JSON, and what the wire saw of it."""

    told: Any
    trace: Trace
    archive: Archive


@dataclass(frozen=True)
class Inside:
    """A slot in which scripts run one after another, each in a run of its own."""

    world: World
    slot: Slot
    output: tuple[Path, Path]

    async def run(self, script: str, **environment: str) -> Done:
        """Run a script that calls ``tell(value)``, in which an exception's name and text stand for it."""
        await self.world.begin(self.slot.name, seed=0, scene=SCENE)
        await self.world.step(self.slot.name, 1)
        code = PRELUDE.format(environment=environment) + textwrap.dedent(script)
        begin, complaints = (path.stat().st_size for path in self.output)
        status = await self.slot.execute([sys.executable, "-c", code])
        assert status == 0, self.output[1].read_bytes()[complaints:].decode()
        printed = self.output[0].read_bytes()[begin:].decode()
        trace, archive = await self.world.drain(self.slot.name)
        return Done([json.loads(line) for line in printed.splitlines()], trace, archive)


PRELUDE = """\
import asyncio, json, os
os.environ.update({environment})

def tell(value):
    print(json.dumps(value, default=str), flush=True)

def failing(call, *given, **options):
    try:
        return call(*given, **options)
    except Exception as error:
        return [type(error).__name__, str(error)]

async def failing_later(call):
    try:
        return await call
    except Exception as error:
        return [type(error).__name__, str(error)]

"""


@pytest.fixture(scope="session")
def _namespaces() -> None:
    made = subprocess.run(
        ["unshare", "--user", "--map-root-user", "--net", "true"], check=False, capture_output=True
    )
    if made.returncode:
        pytest.skip("this machine makes no namespaces: webretrieval doctor says why")


@pytest.fixture(scope="module")
def output(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[IO[bytes], IO[bytes]]]:
    """Where scripts print, and where they complain."""
    folder = tmp_path_factory.mktemp("output")
    with (folder / "out").open("ab") as out, (folder / "err").open("ab") as err:
        yield out, err


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def inside(
    folders: tuple[Path, Path],
    output: tuple[IO[bytes], IO[bytes]],
    tmp_path_factory: pytest.TempPathFactory,
    _namespaces: None,
) -> AsyncIterator[Inside]:
    """A slot over the site; the world must leave nothing in its log."""
    truth, site = folders
    scratch = tmp_path_factory.mktemp("world")
    world = await World.start(scratch, truths=[truth], sites=[site])
    carrier: Carrier | None = None
    try:
        carrier = await open_carrier(None, ca_pem=world.ca_pem, isolation="run", folder=site)
        await carrier.imported()
        slot = await carrier.open_slot("sdk", terminal=(0, *(file.fileno() for file in output)))
        await world.open_slot(slot.name, slot.doors)
        await slot.ready()
        yield Inside(world, slot, (Path(output[0].name), Path(output[1].name)))
    finally:
        if carrier is not None:
            await carrier.close()
        await world.close()
    assert (scratch / "world.log").read_text(encoding="utf-8") == ""
