from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from pytest_webretrieval.cases.case import CaseError
from pytest_webretrieval.cases.yaml_reader import Mapping, Node, Scalar, Sequence, parse_yaml, read_yaml

LOADERS = [yaml.SafeLoader] + ([yaml.CSafeLoader] if yaml.__with_libyaml__ else [])
PLACE = Path("f.yaml")

loader = pytest.mark.parametrize("loader", LOADERS, ids=lambda one: one.__name__)


def plain(node: Node) -> Any:
    if isinstance(node, Scalar):
        return node.text
    if isinstance(node, Sequence):
        return [plain(item) for item in node.items]
    return {key: plain(value) for key, value in node.entries.items()}


@loader
@pytest.mark.parametrize(
    "text",
    ["3.10", "no", "yes", "12:30", "12:30:45", "1_000", "2026-08-21", "0x1f", "1e3", "None", "NaN", "on"],
)
def test_plain_scalars_stay_the_text_they_are(text: str, loader: Any) -> None:
    read = parse_yaml(f"- {text}\n- {text}: {text}\n", PLACE, loader=loader)
    assert plain(read) == [text, {text: text}]


@loader
def test_null_is_told_from_the_text(loader: Any) -> None:
    read = parse_yaml('[null, ~, "null", None, "~", ""]', PLACE, loader=loader)
    assert isinstance(read, Sequence)
    nulls = [item.is_null for item in read.items if isinstance(item, Scalar)]
    assert nulls == [True, True, False, False, False, False]


@loader
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_lines_of_keys_and_values(loader: Any, newline: str, mark: str) -> None:
    text = mark + newline.join(["# a comment", "a: 1", "b:", "  - x", "", "  - {c: y}", ""])
    Path("f.yaml").write_bytes(text.encode())
    read = read_yaml(PLACE)
    assert isinstance(read, Mapping)
    assert read.key_lines == {"a": 2, "b": 3}
    listed = read.entries["b"]
    assert isinstance(listed, Sequence)
    assert [item.line for item in listed.items] == [4, 6]
    assert plain(read) == {"a": "1", "b": ["x", {"c": "y"}]}


BAD = {
    "": "f.yaml:1: the file is empty",
    "# only a comment\n": "f.yaml:1: the file is empty",
    "a: 1\nb: 2\na: 3\n": "f.yaml:3: key `a` is already at line 1",
    "a: &x 1\n": "f.yaml:1: anchor `&x`: anchors are not read; write the value out",
    "a: 1\nb: *x\n": "f.yaml:2: alias `*x`: aliases are not read; write the value out",
    "a:\n  <<: {b: 1}\n": "f.yaml:2: merge key `<<`: merge keys are not read; write the values out",
    "a: !!int 3\n": "f.yaml:1: tag `!!int`: tags are not read; the field decides the type",
    "a: !mine [1]\n": "f.yaml:1: tag `!mine`: tags are not read; the field decides the type",
    "a: 1\n---\nb: 2\n": "f.yaml:2: a second document begins here; a file holds one",
    "a:\n\tb: 1\n": "f.yaml:2: a tab is used for indentation; use spaces",
    "a: @b\n": "f.yaml:1: a text that begins with `@` needs quotes",
    "a: `b`\n": "f.yaml:1: a text that begins with ``` needs quotes",
    "a: 'x\nb: y\n": "f.yaml:1: the quote that opens here is never closed",
    "a: 1\nb: [1, 2\nc: 3\n": "f.yaml:2: the `[` here is not closed, or a comma is missing before line 3",
    "- {a: 1\n- {b: 2}\n": "f.yaml:1: the `{` here is not closed, or a comma is missing before line 2",
    "a: b: c\n": "f.yaml:1: a `:` where none can stand: put the text in quotes, or mend the indentation",
    "a: 1\n  b: 2\n": "f.yaml:2: a `:` where none can stand: put the text in quotes, or mend the indentation",
    "a:\n  - 1\n - 2\n": "f.yaml:3: the indentation is wrong, or a `:` or `-` is missing",
    "a: 1\nb\nc: 2\n": "f.yaml:3: the indentation is wrong, or a `:` or `-` is missing",
    'a: "\\ud83d"\n': "f.yaml:1: an escape in the quoted text is no character; write the character itself",
    "? [a]\n: b\n": "f.yaml:1: a key must be one word, not a list or a mapping",
    "~: b\n": "f.yaml:1: a key is empty or null",
    "a: 1\nb: \x07\n": "f.yaml:2: contains a control character, U+0007",
    "a: 1\nb: x\u2028y\n": "f.yaml:2: contains U+2028, an invisible line break; write a space or \\n instead",
}


@loader
@pytest.mark.parametrize("text", BAD, ids=range(len(BAD)))
def test_bad_files_say_where_and_what(text: str, loader: Any) -> None:
    with pytest.raises(CaseError) as caught:
        parse_yaml(text, PLACE, loader=loader)
    assert str(caught.value) == BAD[text]


@pytest.mark.parametrize(
    ("raw", "message"),
    [
        (b"a: 1\nb: caf\xe9\n", "f.yaml:2: is not UTF-8 (byte 0xe9)"),
        ("a: 1\n".encode("utf-16"), "f.yaml:1: is UTF-16; save it as UTF-8"),
        (None, "f.yaml: no such file"),
    ],
)
def test_files_that_are_no_text(raw: bytes | None, message: str) -> None:
    if raw is not None:
        PLACE.write_bytes(raw)
    with pytest.raises(CaseError) as caught:
        read_yaml(PLACE)
    assert str(caught.value) == message


def test_a_folder_is_no_file(write: Callable[[str, str], Path]) -> None:
    write("f.yaml/x", "")
    with pytest.raises(CaseError, match=r"^f\.yaml: cannot be read: "):
        read_yaml(PLACE)


def test_deep_nesting_needs_no_recursion() -> None:
    read = parse_yaml("[" * 900 + "]" * 900, PLACE)
    assert isinstance(read, Sequence)


SCALARS = st.text(
    st.characters(exclude_categories=["Cs", "Cc", "Cn"], exclude_characters="\u2028\u2029\ufeff")
)


@given(SCALARS)
def test_quoted_scalars_come_back(text: str) -> None:
    written = yaml.dump({"k": text}, allow_unicode=True, default_style='"', width=10**6)
    assert plain(parse_yaml(written, PLACE)) == {"k": text}


@given(st.recursive(SCALARS, lambda inner: st.lists(inner) | st.dictionaries(SCALARS.filter(bool), inner)))
def test_both_parsers_read_the_same(data: Any) -> None:
    written = yaml.dump(data, allow_unicode=True, default_style='"')
    read = [parse_yaml(written, PLACE, loader=one) for one in LOADERS]
    assert all(one == read[0] for one in read)
    assert plain(read[0]) == data
