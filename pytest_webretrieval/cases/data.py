"""Where corpora, truth and cassettes lie: the user's own first, then those that come with the package."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from .case import CaseError
from .own_files import case_files, is_case_folder
from .typed import did_you_mean
from .yaml_reader import shown

_PACKAGE = Path(__file__).resolve().parent.parent
_SUFFIXES = (".yaml", ".yml")
# Below `corpus/` the targets of the real web, below `truth/` what is right there: never a corpus' own name.
LIVE = "live"


def own_data() -> Path:
    """The folder with the corpus, truth and cassettes that come with the package: in a wheel inside the
    package, in an editable install or a checkout beside it. Raises ``CaseError`` where neither is there."""
    for folder in (_PACKAGE / "_data", _PACKAGE.parent):
        if (folder / "corpus").is_dir():
            return folder
    raise CaseError(f"{_PACKAGE}: the package came without its corpus folder; install it again")


def built_in_truths(versions: Iterable[str]) -> tuple[Path, ...]:
    """The truth folders that come with the package for the corpora of these names, each once."""
    folders = (own_data() / "truth" / version for version in dict.fromkeys(versions))
    return tuple(folder for folder in folders if folder.is_dir())


def own_truths() -> tuple[Path, ...]:
    """The truth of every corpus that comes with the package. Raises ``CaseError``."""
    folders = (path for path in (own_data() / "truth").iterdir() if path.is_dir() and path.name != LIVE)
    return tuple(sorted(folders))


def data_roots(rootdir: Path | None = None) -> tuple[Path, ...]:
    """Folders that may hold ``corpus/``, ``truth/`` and ``cassettes/``, the first found wins: the user's,
    then ours."""
    own = own_data()
    if rootdir is None or rootdir.resolve() == own:
        return (own,)
    return (rootdir, own)


def refuse_the_package_s(path: Path, rootdir: Path, mend: str) -> None:
    """Raises ``CaseError``, with ``mend`` behind it, for what came with the package: nobody writes there, but those who
    work in its own checkout."""
    if comes_with_the_package(path, rootdir):
        raise CaseError(f"{path}: comes with the package, where nothing is written; {mend}")


def comes_with_the_package(path: Path, rootdir: Path) -> bool:
    """Whether a corpus or truth is the package's, seen from a user's ``rootdir``."""
    own = own_data()
    if own == _PACKAGE.parent and rootdir.resolve() == own:
        return False
    return any(path.resolve().is_relative_to(own / name) for name in ("corpus", "truth"))


def find_corpus(name_or_path: str, roots: Sequence[Path]) -> Path:
    """The file of a corpus, by path (from the working directory, then from the roots) or by name.

    Raises ``CaseError`` that says what is there.
    """
    given = Path(name_or_path)
    is_path = given.suffix in _SUFFIXES or len(given.parts) > 1
    candidates = [given] if is_path else []
    candidates += [root / given for root in roots] if is_path else []
    candidates += [root / "corpus" / f"{name_or_path}{suffix}" for root in roots for suffix in _SUFFIXES]
    for candidate in candidates:
        if candidate.is_file():
            return candidate
    if is_path:
        raise CaseError(f"{given}: no such corpus file")
    names = sorted(
        {path.stem for root in roots for suffix in _SUFFIXES for path in (root / "corpus").glob(f"*{suffix}")}
    )
    raise CaseError(f"no corpus `{name_or_path}`{did_you_mean(name_or_path, names)}")


def find_truth(version: str, corpus: Path, roots: Sequence[Path]) -> Path:
    """The truth of a corpus: the folder ``truth/<version>/`` or the file ``truth/<version>.yaml``, near the
    corpus file first, then below the roots. Raises ``CaseError``."""
    near = corpus.absolute().parent
    looked = list(dict.fromkeys([near.parent / "truth", near / "truth", *(root / "truth" for root in roots)]))
    for folder in looked:
        for candidate in (folder / version, *(folder / f"{version}{suffix}" for suffix in _SUFFIXES)):
            if candidate.exists():
                return candidate
    raise CaseError(
        f"{shown(corpus)}: no truth: neither {shown(looked[0] / version)}/ nor {version}.yaml beside it"
    )


def corpus_path(name_or_path: str, rootdir: Path | None) -> Path:
    """``find_corpus`` below the user's rootdir and our own data."""
    return find_corpus(name_or_path, data_roots(rootdir))


def corpus_paths(name_or_path: str, rootdir: Path | None) -> tuple[Path, ...]:
    """``corpus_path``, or every case file of a folder: from the working directory, else below the rootdir."""
    given = Path(name_or_path)
    for folder in (given, *((rootdir / given,) if rootdir else ())):
        if folder.is_dir() and (len(given.parts) > 1 or name_or_path.endswith("/") or is_case_folder(folder)):
            if files := case_files(folder):
                return files
            raise CaseError(f"{shown(folder)}: no case files; write one (`webretrieval init` shows how)")
    return (corpus_path(name_or_path, rootdir),)


def truth_folder(version: str, rootdir: Path | None, corpus: Path | None = None) -> Path:
    """``find_truth`` near the corpus file if it is given, below the user's rootdir, and in our own data."""
    roots = data_roots(rootdir)
    return find_truth(version, corpus or roots[0] / "corpus" / f"{version}.yaml", roots)


def live_truth(version: str, rootdir: Path | None) -> Path:
    """What is right on the real web for a corpus: ``truth/live/<version>/`` or ``truth/live/<version>.yaml`` below the
    user's rootdir, or in our own data. Raises ``CaseError``."""
    roots = data_roots(rootdir)
    for root in roots:
        for name in (version, *(f"{version}{suffix}" for suffix in _SUFFIXES)):
            if (found := root / "truth" / LIVE / name).exists():
                return found
    wanted = shown(roots[0] / "truth" / LIVE / version)
    raise CaseError(
        f"{wanted}/: no live truth of {version}; write {wanted}/<CASE>.yaml for each case with a target"
    )


def targets_path(version: str, configured: Mapping[str, Path], rootdir: Path | None) -> Path:
    """The file with the live targets of a corpus: the one that is configured, else ``corpus/live/<version>.toml`` below
    the user's rootdir, or in our own data. Raises ``CaseError``."""
    if version in configured:
        return configured[version]
    roots = data_roots(rootdir)
    for root in roots:
        if (found := root / "corpus" / LIVE / f"{version}.toml").is_file():
            return found
    wanted = shown(roots[0] / "corpus" / LIVE / f"{version}.toml")
    raise CaseError(
        f"{wanted}: no live targets of {version}; write it, or name the file under [live.targets]"
    )
