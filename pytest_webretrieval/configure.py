"""From pytest's configuration to the two objects that live as long as the run."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from pathlib import Path

import pytest

from pytest_webretrieval.cases.case import CaseError
from pytest_webretrieval.ledger import Ledger
from pytest_webretrieval.records.folder import FolderError, find_folder, new_path
from pytest_webretrieval.session import RunSession
from pytest_webretrieval.settings import OPTIONS, Settings, SettingsError, read_settings
from pytest_webretrieval.systems import ways

FOLDER_KEY, CARRIER_KEY = "webretrieval_folder", "webretrieval_carrier"
_EXPECTED = "expected text as for --webretrieval-system: objects cannot cross into a slot"


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
        ways.parse(settings.system)
        workerinput = getattr(config, "workerinput", None)
        if workerinput:
            settings = replace(settings, carrier=workerinput[CARRIER_KEY])
        folder = Path(workerinput[FOLDER_KEY]) if workerinput else _folder(settings, config)
        run_session = RunSession(settings, config.rootpath, folder, _repeated(config))
        run_session.check_cases()
        if settings.resume is not None:
            run_session.resume()
    except (SettingsError, FolderError, CaseError, ways.SystemUnusable) as error:
        raise pytest.UsageError(str(error)) from None
    # Without paths the benchmark alone is run; xdist's workers read the same command line.
    if config.args_source is not config.ArgsSource.ARGS:
        config.args = [str(path) for path in run_session.corpus_files]
    return run_session, None if workerinput else Ledger(settings, folder)


def _with_corpora_of_arguments(settings: Settings, config: pytest.Config) -> Settings:
    """A corpus file that is named as an argument is a corpus too."""
    if config.args_source is not config.ArgsSource.ARGS:
        return settings
    named = [str(config.invocation_params.dir / file) for file in _corpus_arguments(config)]
    return replace(settings, corpora=tuple(dict.fromkeys((*settings.corpora, *named))))


def _corpus_arguments(config: pytest.Config) -> list[Path]:
    files = (Path(argument.partition("::")[0]) for argument in config.args)
    return [file for file in files if file.suffix in (".yaml", ".yml")]


def _repeated(config: pytest.Config) -> list[str]:
    """What was said on the command line that decides how one case runs."""
    words = []
    if config.args_source is config.ArgsSource.ARGS:
        words += [f"--webretrieval-corpus={file}" for file in dict.fromkeys(_corpus_arguments(config))]
    for option in OPTIONS:
        if option.name in ("corpus", "system", "capabilities", "isolation", "carrier", "allow"):
            said = config.getoption(option.dest) or ()
            words += [f"{option.flag}={value}" for value in (said if option.repeatable else (said,)) if value]
    return words


def _folder(settings: Settings, config: pytest.Config) -> Path:
    output = config.rootpath / settings.output
    if settings.resume is not None:
        return find_folder(output, settings.resume)
    return new_path(output, datetime.now())
