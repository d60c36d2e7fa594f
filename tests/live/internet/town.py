"""A small web to ask about: hosts with plain facts, a corpus of questions, what is right, and where each is asked.

    town()                                                      # all hosts, a search provider, a model provider
    question("T02").page("21 May 2027")                         # its page with another fact
    shown({"T02": gone(), "T05": denied()})                     # the town with other pages
    town().failing(search.HOST)                                 # a provider that fails for all
    town().closed(question("T05").host)                         # permission withdrawn

Each page says one fact, and its question asks for it.
"""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from . import model, search
from .scenario import Answer, Page, Scenario, Site, page

CORPUS = "town-v1"


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A case and the page that answers it. ``said`` is the fact as the page has it, ``value`` as truth has it; one
    that is asked without a start URL must be searched for."""

    id: str
    stratum: str
    query: str
    url: str
    title: str
    sentence: str
    said: str
    value: str
    match: str = "date"

    @property
    def host(self) -> str:
        return self.url.split("/")[2]

    @property
    def path(self) -> str:
        return self.url.removeprefix(f"https://{self.host}")

    def page(self, said: str | None = None) -> Answer:
        """The page, with another fact where one is given."""
        return page(self.title, self.sentence.format(self.said if said is None else said))


QUESTIONS = (
    Question(
        id="T01",
        stratum="known-url",
        query="When was the notice on pontoon dues published?",
        url="https://www.alder-bay.example/notices/pontoon-dues",
        title="Pontoon dues",
        sentence="This notice on pontoon dues was published on {}.",
        said="12 March 2026",
        value="2026-03-12",
    ),
    Question(
        id="T02",
        stratum="known-url",
        query="When does the summer timetable of the Alder Bay ferry begin?",
        url="https://www.alder-bay.example/ferry/summer",
        title="Alder Bay ferry: summer timetable",
        sentence="The summer timetable of the Alder Bay ferry begins on {}.",
        said="16 May 2027",
        value="2027-05-16",
    ),
    Question(
        id="T03",
        stratum="known-url",
        query="Which version of the sluice controller firmware is current?",
        url="https://firmware.sluice-works.example/controller",
        title="Sluice controller firmware",
        sentence="The current version of the sluice controller firmware is {}.",
        said="v4.7.2",
        value="v4.7.2",
        match="exact",
    ),
    Question(
        id="T04",
        stratum="known-url",
        query="When does the survey of the harbour wall start?",
        url="https://council.cold-spit.example/works/harbour-wall",
        title="Survey of the harbour wall",
        sentence="The survey of the harbour wall starts on {}.",
        said="3 February 2027",
        value="2027-02-03",
    ),
    Question(
        id="T05",
        stratum="known-url",
        query="When does the register of moorings close?",
        url="https://council.cold-spit.example/moorings/register",
        title="Register of moorings",
        sentence="The register of moorings closes on {}.",
        said="28 January 2027",
        value="2027-01-28",
    ),
    Question(
        id="T06",
        stratum="search",
        query="When does the Cold Spit lighthouse open to visitors?",
        url="https://www.cold-spit-lighthouse.example/visit",
        title="Cold Spit lighthouse: your visit",
        sentence="The Cold Spit lighthouse opens to visitors on {}.",
        said="2 April 2027",
        value="2027-04-02",
    ),
    Question(
        id="T07",
        stratum="search",
        query="When does the Merrow tram museum reopen?",
        url="https://www.merrow-trams.example/news/reopening",
        title="Merrow tram museum: reopening",
        sentence="The Merrow tram museum reopens on {}.",
        said="19 June 2027",
        value="2027-06-19",
    ),
    Question(
        id="T08",
        stratum="search",
        query="When does the Quill Street library move to its new building?",
        url="https://library.quill-street.example/moving",
        title="Quill Street library: we are moving",
        sentence="The Quill Street library moves to its new building on {}.",
        said="8 September 2027",
        value="2027-09-08",
    ),
)
HTTP2_HOST = "firmware.sluice-works.example"


def question(id: str) -> Question:
    """A question of the corpus."""
    return next(one for one in QUESTIONS if one.id == id)


def shown(pages: Mapping[str, Page]) -> Scenario:
    """The town with other pages, by the question that each answers."""
    content: dict[str, dict[str, Page]] = {}
    for one in QUESTIONS:
        content.setdefault(one.host, {"/": page(one.host, f"Welcome to {one.host}.")})
        content[one.host][one.path] = pages.get(one.id) or one.page()
    sites = {
        host: Site(pages=found, versions=("h2", "http/1.1") if host == HTTP2_HOST else ("http/1.1",))
        for host, found in content.items()
    }
    providers = {search.HOST: search.search_provider(sites), model.HOST: model.model_provider()}
    return Scenario(sites={**sites, **providers})


def town() -> Scenario:
    """The town when nothing is wrong."""
    return shown({})


def corpus(ids: Sequence[str] = ()) -> str:
    """The corpus file, of these questions or all."""
    rows = [
        f'  - {{ id: {one.id}, stratum: {one.stratum}, query: "{one.query}", fixture: "fixture://known/static", '
        f"live_channel: {_CHANNELS[one.stratum]}, expect: success }}"
        for one in _chosen(ids)
    ]
    return "\n".join((f"version: {CORPUS}", "live_channels:", *_LIVE_CHANNELS, "cases:", *rows, ""))


def truth(ids: Sequence[str] = ()) -> str:
    """What is right on the live web, as one file."""
    return "truths:\n" + "".join(
        textwrap.indent(
            textwrap.dedent(
                f"""\
                - case_id: {one.id}
                  versions:
                    - valid_at: 2026-08-21T00:00:00Z
                      recorded_at: 2026-11-30T00:00:00Z
                      expected_facts: [{{id: fact, value: "{one.value}", match: {one.match}, draw: fixed}}]
                      allowed_sources: ["{one.url}"]
                      forbidden_actions: [egress]
                      freshness_window_s: 86400
                      max_budget: {{requests: 8}}
                      deadline_s: 30
                      reason: first adjudication
                      evidence_url: {one.url}
                      adjudicated_by: human
                """
            ),
            "  ",
        )
        for one in _chosen(ids)
    )


def targets(ids: Sequence[str] = ()) -> str:
    """The file of live targets."""
    return f'corpus = "{CORPUS}"\n' + "".join(
        textwrap.dedent(
            f"""
            [targets.{one.id}]
            {f'start_urls = ["{one.url}"]' if one.stratum == "known-url" else ""}
            permission = "robots.txt of the host lets programs read every page"
            evidence_url = "https://{one.host}/robots.txt"
            checked = "2026-11-30"
            probe = {{ url = "{one.url}", facts = true }}
            """
        )
        for one in _chosen(ids)
    )


_CHANNELS = {"known-url": "direct-fetch", "search": "search-api"}
_LIVE_CHANNELS = (
    "  - { id: direct-fetch, adapter: fetch, required: true }",
    "  - { id: search-api, adapter: search, required: true }",
)


def _chosen(ids: Sequence[str]) -> list[Question]:
    return [one for one in QUESTIONS if not ids or one.id in ids]
