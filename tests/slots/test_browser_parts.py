"""Which browser is found, how one is brought, and what Playwright and Chromium read of it."""

from __future__ import annotations

import base64
import json
import os
import ssl
from pathlib import Path

import pytest
import trustme

from pytest_webretrieval.slots import bring as bringing
from pytest_webretrieval.slots.bring import bring
from pytest_webretrieval.slots.browser import Browser, BrowserUnusable, find_browser, look
from pytest_webretrieval.slots.database import write_database
from pytest_webretrieval.slots.policy import FILE, write_policy
from pytest_webretrieval.slots.shim import write_shim


class Machine:
    """A machine of scripts: nothing of the real one is on its PATH."""

    def __init__(self, folder: Path) -> None:
        self.programs, self.log = folder / "bin", folder / "log"
        self.packages = folder / "packages"
        self.programs.mkdir()
        self.has("env", 'shift\nexec "$@"')
        # Stands for the package of Playwright, whichever is installed here.
        self.playwright("print('no browsers today'); log('playwright', *sys.argv[1:]); sys.exit(1)")
        self.environment = {
            "PATH": str(self.programs),
            "HOME": str(folder),
            "PYTHONPATH": str(self.packages),
        }

    def has(self, name: str, script: str) -> Path:
        program = self.programs / name
        program.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8", newline="\n")
        program.chmod(0o755)
        return program

    def has_chromium(
        self, name: str = "chromium", version: str = "Chromium 141.0.7390.54 built on X"
    ) -> Path:
        return self.has(name, f"echo '{version}'")

    def manager(self, name: str, brings: str | None, said: str = "") -> None:
        """One that writes down how it was called and, when asked to install, brings a program of this name."""
        place = self.programs / (brings or "")
        brought = f"printf '#!/bin/sh\\necho Chromium 141.0.7390.54\\n' > {place}; /bin/chmod 755 {place}"
        wanted = f'case "$*" in *chromium*) {brought if brings else f"echo {said}; exit 7"} ;; esac'
        self.has(name, f'echo {name} "$@" >> {self.log}\n{wanted}')

    def playwright(self, then: str) -> None:
        package = self.packages / "playwright"
        package.mkdir(parents=True, exist_ok=True)
        (package / "__init__.py").touch()
        head = f"import sys\ndef log(*words):\n    with open({str(self.log)!r}, 'a') as f: print(*words, file=f)\n"
        (package / "__main__.py").write_text(f"{head}{then}\n", encoding="utf-8")

    def called(self) -> list[str]:
        return self.log.read_text(encoding="utf-8").splitlines() if self.log.exists() else []


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Machine:
    """As root, until a test says otherwise."""
    monkeypatch.setattr("os.geteuid", lambda: 0)
    return Machine(tmp_path)


def test_the_systems_own(machine: Machine) -> None:
    program = machine.has_chromium("google-chrome", "Google Chrome 139.0.1.2")
    assert find_browser(None, machine.environment) == Browser(
        path=str(program), kind="chrome", version="139.0.1.2"
    )
    program = machine.has_chromium()
    found = find_browser(None, machine.environment)
    assert found == Browser(path=str(program), kind="chromium", version="141.0.7390.54")
    assert found is not None
    assert found.major == 141


def test_the_newest_of_playwrights(machine: Machine) -> None:
    for revision in ("999", "1181"):
        folder = Path(machine.environment["HOME"], f".cache/ms-playwright/chromium-{revision}/chrome-linux")
        folder.mkdir(parents=True)
        (folder / "chrome").write_text("#!/bin/sh\necho Chromium 140.0.0.1\n", encoding="utf-8")
        (folder / "chrome").chmod(0o755)
    found = find_browser(None, machine.environment)
    assert found is not None
    assert (found.kind, found.path.split("/")[-3]) == ("playwright", "chromium-1181")


def test_none(machine: Machine) -> None:
    assert look(None, machine.environment) == (None, ())


def test_a_snap_is_passed_over(machine: Machine) -> None:
    machine.has("chromium-browser", 'exec /snap/bin/chromium "$@"')
    found, passed_over = look(None, machine.environment)
    assert found is None
    assert "is a snap" in passed_over[0]
    with pytest.raises(BrowserUnusable, match="is a snap"):
        find_browser("chromium-browser", machine.environment)


@pytest.mark.parametrize(
    ("asked", "said"), [("/no/such/browser", "is not there"), ("firefox", "says nothing of Chromium")]
)
def test_an_option_that_leads_to_none(machine: Machine, asked: str, said: str) -> None:
    machine.has("firefox", "echo Mozilla Firefox 140.0")
    machine.has_chromium()
    with pytest.raises(BrowserUnusable, match=said):
        find_browser(asked, machine.environment)


def test_what_is_here_is_not_brought(machine: Machine) -> None:
    machine.has_chromium()
    machine.manager("apt-get", "chromium")
    assert bring(None, machine.environment).how == "was here already"
    assert machine.called() == []


@pytest.mark.parametrize(
    ("name", "calls"),
    [
        ("apt-get", ["apt-get update -qq", "apt-get install -y -qq --no-install-recommends chromium"]),
        ("dnf", ["dnf install -y -q chromium"]),
        ("apk", ["apk add --no-cache --quiet chromium"]),
        ("pacman", ["pacman -Sy --noconfirm --needed --quiet chromium"]),
    ],
)
def test_the_distributions_package(machine: Machine, name: str, calls: list[str]) -> None:
    machine.manager(name, "chromium")
    brought = bring(None, machine.environment)
    assert brought.how == f"was installed by {name}"
    assert brought.browser is not None
    assert brought.browser.version == "141.0.7390.54"
    assert machine.called() == calls


def test_by_sudo_when_it_asks_for_no_password(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.geteuid", lambda: 1000)
    machine.manager("dnf", "chromium")
    machine.has("sudo", f'[ "$1" = -n ] || exit 1\nshift\necho sudo "$@" >> {machine.log}\nexec "$@"')
    machine.has("true", "exit 0")
    assert bring(None, machine.environment).how == "was installed by dnf"
    assert machine.called()[1] == "sudo env DEBIAN_FRONTEND=noninteractive dnf install -y -q chromium"


def test_playwrights_own_when_all_else_fails(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.geteuid", lambda: 1000)
    machine.manager("apt-get", None)
    machine.has("sudo", "echo a password is required; exit 1")
    machine.playwright(
        "log('playwright', *sys.argv[1:])\nimport os, pathlib\n"
        "p = pathlib.Path(os.environ['HOME'], '.cache/ms-playwright/chromium-1200/chrome-linux64/chrome')\n"
        "p.parent.mkdir(parents=True); p.write_text('#!/bin/sh\\necho Chromium 142.0.1.1\\n'); p.chmod(0o755)"
    )
    brought = bring(None, machine.environment)
    assert brought.how == "was installed by playwright install"
    assert brought.browser is not None
    assert brought.browser.kind == "playwright"
    assert machine.called() == ["playwright install chromium"]


def test_nothing_helps(machine: Machine) -> None:
    machine.manager("apt-get", None, "E: Unable to locate package chromium")
    brought = bring(None, machine.environment)
    assert brought.browser is None
    assert brought.how == (
        "apt-get: E: Unable to locate package chromium; playwright install: no browsers today"
    )
    assert machine.called()[-1] == "playwright install --with-deps chromium"


def test_it_does_not_wait_for_ever(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bringing, "_PLAYWRIGHT_S", 0.5)
    machine.playwright("import time; time.sleep(600)")
    assert bring(None, machine.environment).how == "playwright install: it took more than 0.5 s"


def test_playwright_is_led_to_the_browser(machine: Machine, tmp_path: Path) -> None:
    package = tmp_path / "venv/lib/python3.11/site-packages/playwright/driver/package"
    package.mkdir(parents=True)
    rows = [{"name": name, "revision": "7777"} for name in ("chromium", "chromium-headless-shell", "firefox")]
    (package / "browsers.json").write_text(json.dumps({"browsers": rows}), encoding="utf-8")
    installed = tmp_path / ".cache/ms-playwright/firefox-7777"
    installed.mkdir(parents=True)
    browser = Browser(path="/usr/bin/some-chromium", kind="chromium", version="141.0")
    (tmp_path / "shim").mkdir()
    told = write_shim(tmp_path / "shim", browser, (tmp_path / "venv",), machine.environment)
    shim = Path(told["PLAYWRIGHT_BROWSERS_PATH"])
    assert told["PUPPETEER_EXECUTABLE_PATH"] == browser.path
    for place in (
        "chromium-7777/chrome-linux64/chrome",
        "chromium-7777/chrome-linux/chrome",
        "chromium_headless_shell-7777/chrome-headless-shell-linux64/chrome-headless-shell",
    ):
        assert os.readlink(shim / place) == browser.path
    assert (shim / "chromium-7777/INSTALLATION_COMPLETE").is_file()
    assert os.readlink(shim / "firefox-7777") == str(installed)


@pytest.mark.parametrize(("version", "shown"), [("130.0.1.1", 1), ("141.0.1.1", 0)])
def test_an_old_browser_gets_a_copy_of_the_users_database(
    machine: Machine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, version: str, shown: int
) -> None:
    """Where there is certutil; here one that writes down what it was asked."""
    machine.has("certutil", f'echo certutil "$@" >> {machine.log}')
    monkeypatch.setenv("PATH", str(machine.programs))
    users, own = tmp_path / ".pki/nssdb", tmp_path / "own"
    users.mkdir(parents=True)
    own.mkdir()
    (users / "cert9.db").write_bytes(b"the user's")
    browser = Browser(path="/usr/bin/chromium", kind="chromium", version=version)
    binds = write_database(own, b"PEM", machine.environment, browser)
    assert binds == [(str(own / "nssdb"), str(users))][:shown]
    calls = [f"certutil -d sql:{own}/nssdb -A -n pytest-webretrieval -t C,, -i {own}/authority.pem"]
    assert machine.called() == calls[:shown]
    assert (users / "cert9.db").read_bytes() == b"the user's"
    if shown:
        assert (own / "nssdb/cert9.db").read_bytes() == b"the user's"


def test_the_policy_holds_the_authority_and_keeps_the_browser_quiet(tmp_path: Path) -> None:
    authority = trustme.CA().cert_pem.bytes()
    browser = Browser(path="/usr/bin/chromium", kind="chromium", version="141.0")
    overlays = write_policy(tmp_path, authority, browser, ())
    (file,) = {
        path
        for added, target in overlays
        for path in Path(added).rglob(FILE)
        if target.startswith("/etc")
        if "chromium" in f"{target}{path.relative_to(added)}"
    }
    policy = json.loads(file.read_text(encoding="utf-8"))
    (der,) = policy["CACertificates"]
    assert base64.b64decode(der) == ssl.PEM_cert_to_DER_cert(authority.decode())
    assert policy["DnsOverHttpsMode"] == "off"
    assert file.stat().st_mode & 0o444 == 0o444
