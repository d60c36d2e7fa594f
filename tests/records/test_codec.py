from __future__ import annotations

import json
from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from pytest_webretrieval.records.codec import from_json, to_json
from pytest_webretrieval.systems import contract
from pytest_webretrieval.wire.attempt import Attempt, Egress, Lookup, Trace

texts = st.text(max_size=20)
attempts = st.builds(
    Attempt,
    number=st.integers(0, 99),
    step=st.integers(0, 3),
    started_s=st.floats(0, 100),
    duration_s=st.floats(0, 100),
    method=texts,
    url=texts,
    role=texts,
    channel=texts,
    status=st.none() | st.integers(100, 599),
    error_type=st.none() | texts,
    request_headers=st.dictionaries(texts, texts, max_size=3),
    request_body=st.binary(max_size=20),
    body=st.none() | texts,
)
traces = st.builds(
    Trace,
    attempts=st.lists(attempts, max_size=3).map(tuple),
    lookups=st.lists(
        st.builds(
            Lookup, step=st.just(0), started_s=st.just(0.5), name=texts, kind=texts, known=st.booleans()
        ),
        max_size=2,
    ).map(tuple),
    egress=st.lists(
        st.builds(
            Egress,
            step=st.just(0),
            started_s=st.just(0.5),
            protocol=texts,
            address=texts,
            port=st.integers(0, 9),
        ),
        max_size=2,
    ).map(tuple),
)


@given(traces)
def test_a_trace_survives_the_way_through_json(trace: Trace) -> None:
    assert from_json(Trace, json.loads(json.dumps(to_json(trace)))) == trace


def test_fields_that_are_absent_keep_their_default() -> None:
    assert from_json(contract.Testimony, {"ending": "answered", "duration_s": 1.5}) == contract.Testimony(
        ending="answered", duration_s=1.5
    )


def test_times_become_text_with_their_offset() -> None:
    assert to_json(datetime(2026, 8, 21, tzinfo=UTC)) == "2026-08-21T00:00:00+00:00"
