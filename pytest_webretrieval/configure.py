"""From pytest's configuration to the two objects that live as long as the run."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from fnmatch import fnmatch
from pathlib import Path

import pytest

from fixture_server.models import HOSTS
from pytest_webretrieval.cases.case import CaseError
from pytest_webretrieval.cases.own_files import case_files_below
from pytest_webretrieval.faults import toxiproxy
from pytest_webretrieval.gates.baseline import Baseline, read_baseline
from pytest_webretrieval.lanes.live_grounds import unready
from pytest_webretrieval.ledger import Ledger
from pytest_webretrieval.option_values import SettingsError, read_settings, with_live
from pytest_webretrieval.options import OPTIONS
from pytest_webretrieval.records.folder import FolderError, find_folder, new_path
from pytest_webretrieval.session import RunSession
from pytest_webretrieval.settings import DEFAULT_BASELINE, Settings
from pytest_webretrieval.systems import ways
from pytest_webretrieval.wire.secrets import SECRETS

FOLDER_KEY, CARRIER_KEY = "webretrieval_folder", "webretrieval_carrier"
_EXPECTED = "expected text as for --webretrieval-system: objects cannot cross into a slot"

# What decides how one case runs and what it comes to.
_REPEATED = (
    "corpus",
    "system",
    "capabilities",
    "isolation",
    "carrier",
    "allow",
    "gateway",
    "cassettes",
    "trials",
    "confirm",
    "baseline",
    "model",
    "model-skill",
)


def configured(config: pytest.Config) -> tuple[RunSession, Ledger | None]:
    """The run session of this process, and the ledger where this process is the one that writes.

    Raises pytest.UsageError for whatever a user can mend.
    """
    try:
        settings = read_settings(config.getoption("--lane"), config.getoption, config.getini)
        if config.getoption("webretrieval_system") is None and not config.getini("webretrieval_system"):
            named = config.hook.pytest_webretrieval_system(config=config)
            if not isinstance(named, str | None):
                raise SettingsError(f"pytest_webretrieval_system returned {named!r}; {_EXPECTED}")
            settings = replace(settings, system=named) if named else settings
        settings = _with_corpora_of_arguments(settings, config)
        settings = with_live(settings, config.rootpath, config.getoption)
        _check(settings)
        workerinput = getattr(config, "workerinput", None)
        if workerinput is None:
            toxiproxy.check(settings.toxiproxy)
        if workerinput:
            settings = replace(settings, carrier=workerinput[CARRIER_KEY])
        folder = Path(workerinput[FOLDER_KEY]) if workerinput else _folder(settings, config)
        baseline = _baseline(settings, config.rootpath)
        run_session = RunSession(settings, config.rootpath, folder, _repeated(config), baseline)
        run_session.corpora.check_wanted()
        unfit = run_session.fit_baseline()
        if unfit is not None and settings.baseline is not None:
            advice = "`webretrieval baseline accept RUN` makes a new one"
            raise SettingsError(f"--webretrieval-baseline: {settings.baseline}: {unfit}; {advice}")
        if settings.resume is not None:
            run_session.resume()
    except (SettingsError, FolderError, CaseError, ways.SystemUnusable, toxiproxy.ToxiproxyFailure) as error:
        raise pytest.UsageError(str(error)) from None
    # Without paths the benchmark alone is run; xdist's workers read the same command line.
    if config.args_source is not config.ArgsSource.ARGS:
        config.args = [str(path) for path in run_session.corpora.files]
    cassettes = config.rootpath / settings.cassettes
    return run_session, None if workerinput else Ledger(
        settings, folder, cassettes, run_session.trials.baseline
    )


def _check(settings: Settings) -> None:
    """What the lane asks of the settings. Raises SettingsError, SystemUnusable."""
    if settings.live is None:
        ways.local_only(settings.system)
        _check_model(settings)
        return
    ways.parse(settings.system)
    if settings.model == "replay" or settings.record != "none" or settings.gateway:
        raise SettingsError(
            "--lane=live: goes to the real web and its models; recordings and listed hosts are the fixture lane's"
        )
    if lines := unready(settings.live, os.environ):
        raise SettingsError("\n".join(("--lane=live cannot run:", *lines)))
    # Their values are secrets whatever they are called.
    os.environ[SECRETS] = ",".join((os.environ.get(SECRETS, ""), *settings.live.variables()))


def _check_model(settings: Settings) -> None:
    """Raises SettingsError where a live model has no host."""
    hosts = [entry.partition("=")[0] for entry in settings.gateway]
    if settings.model == "live" and not any(host in HOSTS for host in hosts):
        raise SettingsError(
            f"--webretrieval-gateway: {', '.join(hosts)}: no host of a model, which --webretrieval-model=live needs; "
            f"known are {', '.join(sorted(HOSTS))}"
        )


def _with_corpora_of_arguments(settings: Settings, config: pytest.Config) -> Settings:
    """A corpus file that is named as an argument is a corpus too, and so is a case file in a folder that is."""
    if config.args_source is not config.ArgsSource.ARGS:
        return settings
    here = config.invocation_params.dir
    named = [str(here / file) for file in _corpus_arguments(config)]
    for folder in _folder_arguments(config):
        named += map(str, case_files_below((here / folder).resolve(), _is_passed_over(config)))
    return replace(settings, corpora=tuple(dict.fromkeys((*settings.corpora, *named))))


def _corpus_arguments(config: pytest.Config) -> list[Path]:
    files = (Path(argument.partition("::")[0]) for argument in config.args)
    return [file for file in files if file.suffix in (".yaml", ".yml")]


def _folder_arguments(config: pytest.Config) -> list[Path]:
    folders = (Path(argument.partition("::")[0]) for argument in config.args)
    return [folder for folder in folders if (config.invocation_params.dir / folder).is_dir()]


def _is_passed_over(config: pytest.Config) -> Callable[[str], bool]:
    """Whether pytest itself does not look into folders of a name."""
    patterns = config.getini("norecursedirs")
    return lambda name: any(fnmatch(name, pattern) for pattern in patterns)


def _repeated(config: pytest.Config) -> list[str]:
    """What was said on the command line that decides how one case runs."""
    words = []
    if config.args_source is config.ArgsSource.ARGS:
        here, passed_over = config.invocation_params.dir, _is_passed_over(config)
        folders = [one for one in _folder_arguments(config) if case_files_below(here / one, passed_over)]
        named = dict.fromkeys([*_corpus_arguments(config), *folders])
        words += [f"--webretrieval-corpus={path}{'/' if path in folders else ''}" for path in named]
    for option in OPTIONS:
        if option.name in _REPEATED:
            said = config.getoption(option.dest) or ()
            words += [f"{option.flag}={value}" for value in (said if option.repeatable else (said,)) if value]
    return words


def _baseline(settings: Settings, root: Path) -> Baseline | None:
    """The baseline that is named, which must be there, or the usual one where it is. Raises CaseError."""
    path = root / (settings.baseline or DEFAULT_BASELINE)
    return None if settings.baseline is None and not path.exists() else read_baseline(path)


def _folder(settings: Settings, config: pytest.Config) -> Path:
    output = config.rootpath / settings.output
    if settings.resume is not None:
        return find_folder(output, settings.resume)
    return new_path(output, datetime.now())
