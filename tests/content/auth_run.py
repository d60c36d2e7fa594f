"""One run of a scene without sockets: the world's own answers and log, and the judgement of what the log holds."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from urllib.parse import urljoin

from fixture_server.log import Log
from fixture_server.message import Answer, Asked
from fixture_server.route import answer
from fixture_server.stage import Stage
from fixture_server.users import headers_of
from pytest_webretrieval.cases.draw import draw_truth, show
from pytest_webretrieval.cases.tokens import stands_in
from pytest_webretrieval.cases.truth import Fact, Step, Truth
from pytest_webretrieval.grade.evidence import StepEvidence
from pytest_webretrieval.grade.judge import Judgement, judge_run
from pytest_webretrieval.grade.refusal import documents, is_challenge, is_login_wall, is_soft_404
from pytest_webretrieval.grade.seen import Shelf, look
from pytest_webretrieval.systems.claims import read
from pytest_webretrieval.systems.contract import Testimony
from pytest_webretrieval.wire.archive import Archive
from pytest_webretrieval.wire.attempt import Trace


@dataclass
class Run:
    """One run of a scene by a client that shows the credentials of ``user``, logged as every run is."""

    stage: Stage
    user: str | None = None
    log: Log = field(init=False)
    evidence: list[StepEvidence] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.log = Log(stage=self.stage)

    @property
    def start(self) -> str:
        return self.url(self.stage.scene.start_urls[0])

    def url(self, address: str) -> str:
        return self.stage.edition.url(address)

    def ask(self, url: str, method: str = "GET", body: bytes = b"", **headers: str) -> Answer:
        """One request, redirects not followed."""
        scheme, _, rest = url.partition("://")
        host, slash, target = rest.partition("/")
        shown = headers_of(self.stage.users.get(self.user or "", ()), url)
        asked = Asked(
            method=method, scheme=scheme, host=host, target=slash + target, headers=shown | headers, body=body
        )
        exchange = self.log.open(asked, self.log.began, False)
        given = answer(asked, self.stage)
        self.log.finish(exchange, given, sent=len(given.body), headers=dict(given.headers))
        return given

    def visit(self, url: str) -> Answer:
        """A GET with its redirects, as a client follows them."""
        for _ in range(8):
            given = self.ask(url)
            location = given.header("location")
            if location is None:
                return given
            url = urljoin(url, location)
        raise AssertionError("redirects without end")

    def take(self) -> tuple[Trace, Archive]:
        return self.log.take()

    def end_step(self, step: Step, said: object) -> None:
        """What the system answers, and everything that it is judged by."""
        trace, archive = self.take()
        earlier = Archive(
            representations=tuple(one for past in self.evidence for one in past.archive.representations),
            bodies={sha: body for past in self.evidence for sha, body in past.archive.bodies.items()},
        )
        self.evidence.append(
            StepEvidence(
                step=step,
                testimony=Testimony(ending="answered", duration_s=0.1, payload=said),
                result=read(said),
                invalid=None,
                trace=trace,
                archive=archive,
                earlier=earlier,
                start_urls=(self.start,),
                cheapest=self.stage.scene.cheapest,
            )
        )
        self.stage = replace(self.stage, step=self.stage.step + 1)
        self.log.stage = self.stage


def declined(reason: str | None) -> dict[str, object]:
    refusal = None if reason is None else {"reason": reason}
    return {
        "schema": "webretrieval.result/2",
        "status": "declined",
        "answer": "This could not be read.",
        "refusal": refusal,
    }


def walls(run: Run) -> list[bool]:
    """Of each document that was asked for, whether the grader takes it for a login wall."""
    trace, archive = run.take()
    evidence = StepEvidence(
        step=Step(),
        testimony=Testimony(ending="answered", duration_s=0.1),
        result=None,
        invalid=None,
        trace=trace,
        archive=archive,
        earlier=Archive(),
        start_urls=(run.start,),
        cheapest="direct-fetch",
    )
    found = documents(look(evidence, (), Shelf()))
    assert not any(is_soft_404(document) or is_challenge(document) for document in found)
    return [is_login_wall(document) for document in found]


def judged(run: Run, truth: Truth, said: object) -> Judgement:
    """The run of a case with one step, ended by ``said``."""
    drawn = draw_truth(truth, run.stage.edition.seed)
    run.end_step(drawn.steps[0], said)
    return judge_run(drawn, run.evidence, None)


def says(line: str, fact: Fact) -> bool:
    forms = [fact.value, show(fact.value, "date-long") if fact.match == "date" else fact.value]
    forms.append(show(fact.value, "number-en") if fact.match == "number" else fact.value)
    return any(stands_in(form, line) for form in forms)


def bodies(stage: Stage, user: str | None) -> Iterator[tuple[str, str]]:
    """Every page of the scene, by address, as it is given to ``user``, redirects not followed."""
    for address in stage.scene.pages:
        yield address, Run(stage, user).ask(stage.edition.url(address)).body.decode("utf-8")
