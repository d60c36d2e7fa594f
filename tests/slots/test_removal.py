"""Removing our folders never removes what is shown in them from elsewhere."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from pytest_webretrieval.slots.removal import MountedBelow, mounted_in, remove_tree

from .trees import tree_hash

# In a view of the mounts of its own: ours/there shows theirs, and then ours is removed.
WITH_A_MOUNT = """
import sys
from pathlib import Path
from pytest_webretrieval.slots import removal
from pytest_webretrieval.slots.namespace import bind
ours, theirs, blind = Path(sys.argv[1]), sys.argv[2], sys.argv[3]
bind(theirs, str(ours / "deep/there"))
if blind:
    removal.mounted_in = lambda _: []  # as when it was mounted only after the list was read
try:
    removal.remove_tree(ours)
    print("removed")
except removal.MountedBelow as error:
    print(error)
"""


def with_a_mount(ours: Path, theirs: Path, blind: str) -> str:
    enter = ["unshare", "--user", "--map-root-user", "--mount"]
    if shutil.which("unshare") is None or subprocess.run([*enter, "true"], check=False).returncode != 0:
        pytest.skip("this machine gives no view of the mounts of one's own")
    command = [*enter, sys.executable, "-c", WITH_A_MOUNT, str(ours), str(theirs), blind]
    return subprocess.run(command, capture_output=True, text=True, check=True, timeout=60).stdout


@pytest.fixture
def folders(tmp_path: Path) -> tuple[Path, Path]:
    """Ours, with files and a place for a mount; and theirs, on the same file system."""
    ours, theirs = tmp_path / "ours", tmp_path / "theirs"
    (ours / "deep/there").mkdir(parents=True)
    (ours / "deep/file").write_text("ours", encoding="utf-8")
    (theirs / "below").mkdir(parents=True)
    (theirs / "below/file").write_text("theirs", encoding="utf-8")
    return ours, theirs


def test_nothing_is_removed_where_something_is_mounted(folders: tuple[Path, Path]) -> None:
    ours, theirs = folders
    before = tree_hash(ours), tree_hash(theirs)
    said = with_a_mount(ours, theirs, "")
    assert "is not removed" in said
    assert str(ours / "deep/there") in said
    assert (tree_hash(ours), tree_hash(theirs)) == before


def test_a_mount_that_no_list_told_of_is_not_entered(folders: tuple[Path, Path]) -> None:
    ours, theirs = folders
    before = tree_hash(theirs)
    assert with_a_mount(ours, theirs, "blind") == "removed\n"
    assert tree_hash(theirs) == before
    assert not (ours / "deep/file").exists()
    assert (ours / "deep/there").is_dir()


def test_links_are_not_followed(folders: tuple[Path, Path]) -> None:
    ours, theirs = folders
    before = tree_hash(theirs)
    (ours / "link").symlink_to(theirs)
    (ours / "deep/link").symlink_to(theirs / "below/file")
    remove_tree(ours)
    assert not ours.exists()
    ours.symlink_to(theirs)
    remove_tree(ours)
    assert tree_hash(theirs) == before


def test_folders_that_their_owner_has_closed(folders: tuple[Path, Path]) -> None:
    ours, _ = folders
    (ours / "deep").chmod(0o500)
    (ours / "deep/there").chmod(0)
    remove_tree(ours)
    assert not ours.exists()


def test_what_is_not_there(tmp_path: Path) -> None:
    remove_tree(tmp_path / "nothing/there")
    assert mounted_in(tmp_path) == []
    assert issubclass(MountedBelow, Exception)
    assert os.listdir(tmp_path) == []
