"""TOML as nodes: the data that ``tomllib`` reads, and the line at which each piece begins."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_webretrieval.cases.case import CaseError
from pytest_webretrieval.cases.toml_reader import parse_toml, read_toml
from pytest_webretrieval.cases.yaml_reader import Mapping, Node, Scalar, Sequence

TEXT = '''\
# a comment with [brackets] and = signs
top = 1  # [not.a.table]

[a."b.c".d]
text = """
[not.a.table]
key = "no \\""" still no"
"""
literal = \'\'\'
x = 1\'\'\'
after = 1_000.50
when = 2026-11-30 10:00:00
day = 2026-11-30
dotted.'key'.last = true
list = [
  "one", # ]
  [2,
   3],
  {in = "line", other.x = 4},
]
behind = {p = {q = 1}, r = [1]}
[[many]]
n = 1
[many.sub]
m = 2
[[many]]
n = 3
[a]
late = "x"
'''


def lines_of(node: Node, way: str = "") -> dict[str, int]:
    """The line of each scalar, by the way to it."""
    if isinstance(node, Scalar):
        return {way: node.line}
    if isinstance(node, Sequence):
        inner = [lines_of(item, f"{way}[{at}]") for at, item in enumerate(node.items)]
    else:
        inner = [lines_of(value, f"{way}/{key}") for key, value in node.entries.items()]
    return {key: line for part in inner for key, line in part.items()}


def plain(node: Node) -> Any:
    """The data, every scalar as text."""
    if isinstance(node, Scalar):
        return node.text
    if isinstance(node, Sequence):
        return [plain(item) for item in node.items]
    return {key: plain(value) for key, value in node.entries.items()}


def test_each_key_has_its_line() -> None:
    root = parse_toml(TEXT, Path("x.toml"))
    assert lines_of(root) == {
        "/top": 2,
        "/a/b.c/d/text": 5,
        "/a/b.c/d/literal": 9,
        "/a/b.c/d/after": 11,
        "/a/b.c/d/when": 12,
        "/a/b.c/d/day": 13,
        "/a/b.c/d/dotted/key/last": 14,
        "/a/b.c/d/list[0]": 16,
        "/a/b.c/d/list[1][0]": 17,
        "/a/b.c/d/list[1][1]": 18,
        "/a/b.c/d/list[2]/in": 19,
        "/a/b.c/d/list[2]/other/x": 19,
        "/a/b.c/d/behind/p/q": 21,
        "/a/b.c/d/behind/r[0]": 21,
        "/many[0]/n": 23,
        "/many[0]/sub/m": 25,
        "/many[1]/n": 27,
        "/a/late": 29,
    }
    assert root.key_lines == {"top": 2, "a": 28, "many": 22}


def test_numbers_stay_as_they_are_written() -> None:
    root = parse_toml(TEXT, Path("x.toml"))
    inner = plain(root)["a"]["b.c"]["d"]
    assert (inner["after"], inner["day"], inner["dotted"]) == (
        "1000.50",
        "2026-11-30",
        {"key": {"last": "true"}},
    )
    assert inner["text"] == '[not.a.table]\nkey = "no """ still no"\n'
    table = root.entries["a"]
    assert isinstance(table, Mapping)
    assert table.entries["late"] == Scalar("x", 29, plain=False)


@given(
    st.recursive(
        st.text(alphabet="ab\"'\\#[]{}=,.\n é", max_size=8),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
        max_leaves=8,
    )
)
def test_whatever_tomllib_reads_is_read(value: Any) -> None:
    text = f"before = 1\nkey = {written(value)}\nafter = 2\n"
    root = parse_toml(text, Path("x.toml"))
    assert plain(root) == {"before": "1", "key": tomllib.loads(text)["key"], "after": "2"}
    assert root.key_lines["after"] == 3


def written(value: Any) -> str:
    if isinstance(value, str):
        escaped = "".join(
            f"\\U{ord(character):08x}"
            if character in '"\\\n' or character < " " or character == "\x7f"
            else character
            for character in value
        )
        return f'"{escaped}"'
    if isinstance(value, list):
        return f"[{', '.join(map(written, value))}]"
    return "{" + ", ".join(f"{written(key)} = {written(item)}" for key, item in value.items()) + "}"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a = 1\nb = \n", "x.toml:2: is no TOML: Invalid value"),
        ("a = 1\na = 2\n", "x.toml:2: is no TOML: Cannot overwrite a value"),
        ('a = 1\nb = "', "x.toml:2: is no TOML: "),
    ],
)
def test_what_is_no_toml(tmp_path: Path, text: str, message: str) -> None:
    Path("x.toml").write_text(text)
    with pytest.raises(CaseError) as caught:
        read_toml(Path("x.toml"))
    assert str(caught.value).startswith(message)


def test_a_file_that_is_not_there() -> None:
    with pytest.raises(CaseError, match=r"^x\.toml: no such file$"):
        read_toml(Path("x.toml"))
