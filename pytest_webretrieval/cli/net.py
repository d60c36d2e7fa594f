"""``webretrieval net``: any command in a slot, against the world, with the wire printed after it."""

from __future__ import annotations

import argparse
import asyncio
import sys
from pathlib import Path
from typing import Any

from pytest_webretrieval.cases.data import truth_folder
from pytest_webretrieval.lanes.camp import LaneFailure
from pytest_webretrieval.lanes.net import run_in_world
from pytest_webretrieval.option_values import SettingsError, allowed_endpoints
from pytest_webretrieval.report.figures import address, size
from pytest_webretrieval.settings import DEFAULT_CORPUS
from pytest_webretrieval.slots.carrier import NoCarrier
from pytest_webretrieval.wire.addresses import endpoint
from pytest_webretrieval.wire.attempt import Egress, Trace


def add(subparsers: Any) -> None:
    """Add the verb."""
    parser = subparsers.add_parser("net", help="run a command in a slot against the world and print the wire")
    parser.add_argument("--seed", type=int, default=0, help="seed of hosts, paths and facts")
    parser.add_argument("--scene", help="the scene that the command meets, as in known/etag")
    parser.add_argument(
        "--allow",
        action="append",
        default=[],
        metavar="HOST:PORT",
        help="let the command reach this port of the real machine or its network (repeatable)",
    )
    parser.add_argument("command", nargs=argparse.REMAINDER, help="-- COMMAND …")
    parser.set_defaults(verb=net)


def net(arguments: argparse.Namespace) -> int:
    """The command's own exit code; 2 for a call without a command, 1 where no slot can be made."""
    command = arguments.command[1:] if arguments.command[:1] == ["--"] else arguments.command
    if not command:
        print("webretrieval: net: no command; expected `webretrieval net -- COMMAND …`", file=sys.stderr)
        return 2
    try:
        root = Path.cwd()
        truths = [truth_folder(DEFAULT_CORPUS, root)]
        allow = allowed_endpoints(arguments.allow)
        code, trace = asyncio.run(run_in_world(command, arguments.seed, arguments.scene, root, truths, allow))
    except SettingsError as error:
        print(f"webretrieval: net: {str(error).replace('--webretrieval-allow', '--allow')}", file=sys.stderr)
        return 2
    except (NoCarrier, LaneFailure) as error:
        print(f"webretrieval: {error}", file=sys.stderr)
        return 1
    _print_wire(trace)
    return code


def _print_wire(trace: Trace) -> None:
    """On standard error, so that the command's own output can be piped."""
    for attempt in trace.attempts:
        status = attempt.status or attempt.error_type or "-"
        print(
            f"wire #{attempt.number:<3} {attempt.started_s:6.2f} s  {attempt.method:<5} {address(attempt.url)}  "
            f"{status}  {size(attempt.bytes_received)}  {attempt.role}, {attempt.channel}",
            file=sys.stderr,
        )
    unknown = dict.fromkeys(lookup.name for lookup in trace.lookups if not lookup.known)
    for name in unknown:
        print(f"wire DNS   {name}  no such name in the world", file=sys.stderr)
    for one in trace.egress:
        print(f"wire egress  {_try_to_leave(one)}", file=sys.stderr)


def _try_to_leave(egress: Egress) -> str:
    if egress.protocol == "dns":
        return f"asked DNS for {egress.address}, a name outside the world"
    where = endpoint(egress.address, egress.port)
    if egress.protocol in ("http", "https"):
        return f"asked a host of the world for {egress.protocol}://{egress.address}/, which is outside it"
    return f"{egress.protocol} to {where}, where nothing of the world is"
