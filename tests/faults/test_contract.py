"""One contract for the embedded server and a real Toxiproxy: what each toxic does to a client, what the API
says."""

from __future__ import annotations

import socket
import ssl
import time
from collections.abc import Iterator
from dataclasses import dataclass

import httpx
import pytest

from .conftest import BODY, UNTIL_THE_END, Origin

# How long a client waits that shall be seen to wait, and any other.
HANGS_S, PATIENCE_S = 1.0, 20.0
# A loaded machine is late; what waits for a toxic is never early.
SLACK_S = 8.0
# Nothing here is TLS, and to read the system's roots for each client takes longer than most tests.
NO_TLS = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)


@dataclass(frozen=True)
class Api:
    """The HTTP API, as it is."""

    url: str
    http: httpx.Client

    def ask(self, method: str, path: str, said: object = None, **options: object) -> httpx.Response:
        return self.http.request(method, self.url + path, json=said, **options)  # type: ignore[arg-type]

    def create(self, upstream: str, name: str = "p") -> str:
        """A proxy; where it listens."""
        answer = self.ask("POST", "/proxies", {"name": name, "upstream": upstream, "listen": "127.0.0.1:0"})
        assert answer.status_code == 201, answer.text
        return str(answer.json()["listen"])

    def toxic(self, kind: str, stream: str, toxicity: float = 1.0, **attributes: int) -> httpx.Response:
        said = {"type": kind, "stream": stream, "toxicity": toxicity, "attributes": attributes}
        answer = self.ask("POST", "/proxies/p/toxics", said)
        assert answer.status_code == 200, answer.text
        return answer


@pytest.fixture
def api(server_url: str) -> Iterator[Api]:
    """An API without proxies."""
    with httpx.Client(trust_env=False, verify=NO_TLS, timeout=30) as http:
        api = Api(server_url, http)
        yield api
        for name in api.ask("GET", "/proxies").json():
            api.ask("DELETE", f"/proxies/{name}")


@dataclass(frozen=True)
class Seen:
    """What a client saw: ``200``, ``closed``, ``reset``, ``cut``, ``hangs`` or ``refused``; when; and what came."""

    what: str
    after_s: float
    body: bytes = b""


def fetch(address: str, method: str, patience_s: float = PATIENCE_S, path: str = "/") -> Seen:
    """One request on a connection of its own."""
    began, body = time.monotonic(), b""
    try:
        with (
            httpx.Client(trust_env=False, verify=NO_TLS, timeout=patience_s) as http,
            http.stream(
                method, f"http://{address}{path}", content=BODY if method == "POST" else None
            ) as answer,
        ):
            for piece in answer.iter_raw():
                body += piece
            what = str(answer.status_code)
    except httpx.ConnectError:
        what = "refused"
    except httpx.RemoteProtocolError:
        what = "cut" if body else "closed"
    except httpx.ReadTimeout:
        what = "hangs"
    except (httpx.ReadError, httpx.WriteError):
        what = "reset"
    return Seen(what, time.monotonic() - began, body)


@dataclass(frozen=True)
class Row:
    """A toxic, and for GET and POST what is seen of it, not before when, and whether the origin handled the request
    (None: partly, or it is not said)."""

    toxic: str
    attributes: dict[str, int]
    stream: str
    get: str
    get_s: float
    post: str
    post_s: float
    reached: bool | None


# A client that is still sending when the connection ends meets the reset, or, having met it, the end.
ENDS = "closed or reset"
ROWS = [
    Row("noop", {}, "downstream", "200", 0, "200", 0, True),
    Row("latency", {"latency": 300}, "downstream", "200", 0.3, "200", 0.3, True),
    Row("latency", {"latency": 300}, "upstream", "200", 0.3, "200", 0.3, True),
    Row("bandwidth", {"rate": 100}, "downstream", "200", 0.9, "200", 0, True),
    Row("bandwidth", {"rate": 100}, "upstream", "200", 0, "200", 0.9, True),
    Row("bandwidth", {"rate": 0}, "downstream", "hangs", 1, "hangs", 1, True),
    Row("slow_close", {"delay": 500}, "downstream", "200", 0, "200", 0, True),
    Row("slow_close", {"delay": 500}, "upstream", "200", 0, "200", 0, True),
    Row("timeout", {"timeout": 500}, "downstream", "closed", 0.5, "closed", 0.5, True),
    Row("timeout", {"timeout": 500}, "upstream", "closed", 0.5, "closed", 0.5, False),
    Row("timeout", {"timeout": 0}, "downstream", "hangs", 1, "hangs", 1, True),
    Row("timeout", {"timeout": 0}, "upstream", "hangs", 1, "hangs", 1, False),
    Row("reset_peer", {"timeout": 0}, "downstream", "reset", 0, "reset", 0, True),
    Row("reset_peer", {"timeout": 0}, "upstream", "reset", 0, ENDS, 0, False),
    Row("reset_peer", {"timeout": 500}, "downstream", "reset", 0.5, "reset", 0.5, True),
    Row("reset_peer", {"timeout": 500}, "upstream", "reset", 0.5, ENDS, 0.5, False),
    Row(
        "slicer",
        {"average_size": 1000, "size_variation": 100, "delay": 1000},
        *("downstream", "200", 0.1, "200", 0, True),
    ),
    Row(
        "slicer",
        {"average_size": 1000, "size_variation": 100, "delay": 1000},
        *("upstream", "200", 0, "200", 0.1, True),
    ),
    Row("limit_data", {"bytes": 5000}, "downstream", "cut", 0, "200", 0, True),
    Row("limit_data", {"bytes": 5000}, "upstream", "200", 0, ENDS, 0, None),
    Row("limit_data", {"bytes": 0}, "downstream", "closed", 0, "closed", 0, True),
    Row("limit_data", {"bytes": 0}, "upstream", "closed", 0, ENDS, 0, False),
]


def _name(row: Row) -> str:
    return "-".join([row.toxic, row.stream, *map(str, row.attributes.values())])


@pytest.mark.parametrize("row", ROWS, ids=_name)
@pytest.mark.parametrize("method", ["GET", "POST"])
def test_toxic(api: Api, origin: Origin, row: Row, method: str) -> None:
    address = api.create(origin.address)
    api.toxic(row.toxic, row.stream, **row.attributes)
    expected, least_s = (row.get, row.get_s) if method == "GET" else (row.post, row.post_s)
    seen = fetch(address, method, HANGS_S if expected == "hangs" else PATIENCE_S)
    assert seen.what in expected.split(" or ")
    assert least_s <= seen.after_s + 0.005 < least_s + SLACK_S
    if expected == "200" and method == "GET":
        assert seen.body == BODY
    if expected == "cut":
        # The answer's head counts too.
        assert 4500 < len(seen.body) < 5000
    if row.reached is not None:
        assert _settled(origin, bool(row.reached)) == ([method] if row.reached else [])


@pytest.mark.parametrize(("delay", "least_s"), [(500, 0.5), (0, 0.0)])
def test_a_slow_close_is_a_late_end_of_what_ends_with_its_connection(
    api: Api, origin: Origin, delay: int, least_s: float
) -> None:
    address = api.create(origin.address)
    api.toxic("slow_close", "downstream", delay=delay)
    seen = fetch(address, "GET", path=UNTIL_THE_END)
    assert (seen.what, seen.body) == ("200", BODY)
    assert least_s <= seen.after_s + 0.005 < least_s + SLACK_S


def _settled(origin: Origin, expected: bool) -> list[str]:
    """What the origin handled; it may be a moment behind what the client saw."""
    until = time.monotonic() + SLACK_S
    while expected and not origin.handled and time.monotonic() < until:
        time.sleep(0.01)
    return origin.handled


def test_a_disabled_proxy_refuses_until_it_is_enabled(api: Api, origin: Origin) -> None:
    address = api.create(origin.address)
    assert api.ask("POST", "/proxies/p", {"enabled": False}).json()["enabled"] is False
    assert fetch(address, "GET").what == "refused"
    assert origin.handled == []
    api.ask("POST", "/proxies/p", {"enabled": True})
    assert fetch(address, "GET").what == "200"


def test_a_dead_upstream_is_an_accepted_connection_that_ends(api: Api) -> None:
    with socket.create_server(("127.0.0.1", 0)) as gone:
        upstream = f"127.0.0.1:{gone.getsockname()[1]}"
    address = api.create(upstream)
    # Whether the request was there already when the connection was closed decides which it is.
    assert fetch(address, "GET").what in ("reset", "closed")


def test_toxicity_is_the_share_of_connections(api: Api, origin: Origin) -> None:
    address = api.create(origin.address)
    api.toxic("reset_peer", "downstream", toxicity=0.5)
    seen = [fetch(address, "GET").what for _ in range(40)]
    assert set(seen) == {"200", "reset"}
    assert 4 <= seen.count("reset") <= 36


def test_toxics_of_a_stream_are_a_chain(api: Api, origin: Origin) -> None:
    address = api.create(origin.address)
    api.toxic("latency", "downstream", latency=200)
    api.toxic("limit_data", "downstream", bytes=3000)
    seen = fetch(address, "GET")
    assert seen.what == "cut"
    assert seen.after_s > 0.19
    assert 2500 < len(seen.body) < 3000


def test_toxics_come_and_go_on_an_open_connection(api: Api, origin: Origin) -> None:
    address = api.create(origin.address)
    with httpx.Client(trust_env=False, verify=NO_TLS, timeout=30, base_url=f"http://{address}") as http:
        assert http.get("/").content == BODY
        api.toxic("latency", "downstream", latency=300)
        began = time.monotonic()
        assert http.get("/").content == BODY
        assert time.monotonic() - began > 0.29
        changed = api.ask("POST", "/proxies/p/toxics/latency_downstream", {"attributes": {"latency": 0}})
        assert changed.json()["attributes"] == {"latency": 0, "jitter": 0}
        assert http.get("/").content == BODY
        assert api.ask("DELETE", "/proxies/p/toxics/latency_downstream").status_code == 204
        assert http.get("/").content == BODY
    assert origin.handled == ["GET"] * 4


def test_a_proxy_and_its_toxics_by_the_api(api: Api) -> None:
    listen = api.create("127.0.0.1:9")
    assert int(listen.rpartition(":")[2]) > 0
    made = api.ask("POST", "/proxies/p/toxics", {"type": "latency", "attributes": {"latency": 7, "other": 1}})
    assert made.status_code == 200
    assert made.json() == {
        "attributes": {"latency": 7, "jitter": 0},
        "name": "latency_downstream",
        "type": "latency",
        "stream": "downstream",
        "toxicity": 1,
    }
    shown = api.ask("GET", "/proxies/p").json()
    assert shown["enabled"] is True
    assert shown["toxics"] == [made.json()]
    assert api.ask("GET", "/proxies").json()["p"]["upstream"] == "127.0.0.1:9"
    assert api.ask("GET", "/proxies/p/toxics").json() == [made.json()]
    assert api.ask("GET", "/proxies/p/toxics/latency_downstream").json() == made.json()
    assert api.ask("DELETE", "/proxies/p/toxics/latency_downstream").status_code == 204
    assert api.ask("DELETE", "/proxies/p/toxics/latency_downstream").status_code == 404
    assert api.ask("DELETE", "/proxies/p").status_code == 204
    assert api.ask("GET", "/proxies/p").status_code == 404


@pytest.mark.parametrize(
    ("method", "path", "said", "status"),
    [
        ("POST", "/proxies", {"name": "p", "upstream": "127.0.0.1:9"}, 409),
        ("POST", "/proxies", {"upstream": "127.0.0.1:9"}, 400),
        ("POST", "/proxies", {"name": "q"}, 400),
        ("POST", "/proxies", None, 400),
        ("GET", "/proxies/q", None, 404),
        ("DELETE", "/proxies/q", None, 404),
        ("GET", "/proxies/q/toxics", None, 404),
        ("POST", "/proxies/q/toxics", {"type": "latency"}, 404),
        ("POST", "/proxies/p/toxics", {"type": "packet_loss"}, 400),
        ("POST", "/proxies/p/toxics", {"type": "latency", "stream": "sideways"}, 400),
        ("POST", "/proxies/p/toxics", {"type": "latency", "attributes": {"latency": "long"}}, 400),
        ("POST", "/proxies/p/toxics", None, 400),
        ("POST", "/proxies/p/toxics", {"type": "noop"}, 409),
        ("GET", "/proxies/p/toxics/none", None, 404),
        ("POST", "/proxies/p/toxics/none", {"toxicity": 1}, 404),
    ],
)
def test_errors_are_json_with_error_and_status(
    api: Api, method: str, path: str, said: object, status: int
) -> None:
    api.create("127.0.0.1:9")
    api.toxic("noop", "downstream")
    answer = api.ask(method, path, said)
    assert answer.status_code == status
    assert answer.json()["status"] == status
    assert answer.json()["error"]


def test_what_is_no_json_is_refused(api: Api) -> None:
    answer = api.http.post(f"{api.url}/proxies", content=b"{")
    assert answer.status_code == 400
    assert answer.json()["error"].startswith("bad request body")


def test_patch_updates_as_post_does(api: Api) -> None:
    api.create("127.0.0.1:9")
    api.toxic("latency", "downstream", latency=5)
    toxic = api.ask("PATCH", "/proxies/p/toxics/latency_downstream", {"toxicity": 0.5})
    if toxic.status_code == 405:
        pytest.skip(f"this server ({api.ask('GET', '/version').text}) is older than 2.6, which brought PATCH")
    assert (toxic.status_code, toxic.json()["toxicity"]) == (200, 0.5)
    assert api.ask("PATCH", "/proxies/p", {"enabled": False}).json()["enabled"] is False


def test_populate_makes_and_replaces(api: Api) -> None:
    said = [
        {"name": "p", "upstream": "127.0.0.1:9", "listen": "127.0.0.1:0"},
        {"name": "q", "upstream": "127.0.0.1:9", "listen": "127.0.0.1:0", "enabled": False},
    ]
    first = api.ask("POST", "/populate", said)
    assert first.status_code == 201
    assert [(one["name"], one["enabled"]) for one in first.json()["proxies"]] == [("p", True), ("q", False)]
    second = api.ask("POST", "/populate", [{**said[0], "upstream": "127.0.0.1:10"}])
    assert second.status_code == 201
    assert api.ask("GET", "/proxies/p").json()["upstream"] == "127.0.0.1:10"
    assert api.ask("POST", "/populate", [{"name": "r"}]).status_code == 400


def test_reset_enables_all_and_takes_toxics_away(api: Api, origin: Origin) -> None:
    address = api.create(origin.address)
    api.toxic("reset_peer", "downstream")
    api.ask("POST", "/proxies/p", {"enabled": False})
    assert api.ask("POST", "/reset").status_code == 204
    assert api.ask("GET", "/proxies/p/toxics").json() == []
    assert fetch(address, "GET").what == "200"


def test_browsers_are_refused(api: Api) -> None:
    answer = api.ask("GET", "/version", headers={"user-agent": "Mozilla/5.0"})
    assert answer.status_code == 403
    assert api.ask("GET", "/version").status_code == 200
