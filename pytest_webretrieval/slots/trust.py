"""Whom a slot trusts: the roots of this system and ours, wherever clients look for them."""

from __future__ import annotations

import hashlib
import os
import shlex
import shutil
import ssl
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

# Where distributions keep the roots: Debian and Alpine, Fedora and RHEL, openSUSE, Alpine's LibreSSL, FreeBSD's habit.
SYSTEM_BUNDLES = (
    "/etc/ssl/certs/ca-certificates.crt",
    "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem",
    "/etc/pki/tls/certs/ca-bundle.crt",
    "/etc/ssl/ca-bundle.pem",
    "/var/lib/ca-certificates/ca-bundle.pem",
    "/etc/ssl/cert.pem",
    "/etc/pki/tls/cert.pem",
)
HASHED_FOLDER = "/etc/ssl/certs"

# Copies that packages bring along, below a site-packages folder.
_COPIES = (
    "certifi/cacert.pem",
    "pip/_vendor/certifi/cacert.pem",
    "botocore/cacert.pem",
    "grpc/_cython/_credentials/roots.pem",
    "httplib2/cacerts.txt",
    "stripe/data/ca-certificates.crt",
)


def write_trust(folder: Path, ca_pem: bytes) -> tuple[str, tuple[tuple[str, str], ...]]:
    """Write the bundle, and a folder to lay over the system's hashed one; returns the bundle's path and the
    overlays.

    OpenSSL finds a root in a hashed folder by the name ``SUBJECT-HASH.0``.
    """
    bundle = write_bundle(folder, ca_pem)
    if not Path(HASHED_FOLDER).is_dir():
        return bundle, ()
    added = folder / "certs"
    added.mkdir()
    added.chmod(0o755)
    (added / f"{subject_hash(ca_pem):08x}.0").write_bytes(ca_pem)
    return bundle, ((str(added), os.path.realpath(HASHED_FOLDER)),)


def write_bundle(folder: Path, ca_pem: bytes) -> str:
    """The path of a file with this machine's roots, those of its user, and ours."""
    bundle = folder / "roots.pem"
    bundle.write_bytes(b"\n".join((system_roots(), own_roots(), ca_pem)))
    return str(bundle)


def system_roots() -> bytes:
    """The roots of this machine; certifi's where it has none."""
    for path in SYSTEM_BUNDLES:
        try:
            return Path(path).read_bytes()
        except OSError:
            continue
    import certifi

    return Path(certifi.where()).read_bytes()


def own_roots() -> bytes:
    """What OpenSSL's variable names beside them: clients outside a slot trust those too."""
    try:
        return Path(os.environ.get("SSL_CERT_FILE", "")).read_bytes()
    except OSError:
        return b""


def bundles_to_hide(system: str | None, folder: Path) -> list[str]:
    """Every file of roots that a client here may read, without links and repetitions."""
    places = [*SYSTEM_BUNDLES, *_of_openssl(Path(sys.prefix)), *_of_openssl(Path(sys.base_prefix))]
    if default := ssl.get_default_verify_paths().openssl_cafile:
        places.append(default)
    packages = [path for path in sys.path if path]
    for environment in environments_of(system, folder):
        packages += [str(path) for path in environment.glob("lib*/python*/site-packages")]
        packages += [str(path) for path in environment.glob("lib/python3/dist-packages")]
        places += _of_openssl(environment)
    places += [f"{package}/{copy}" for package in packages for copy in _COPIES]
    return _existing(places)


def _of_openssl(prefix: Path) -> list[str]:
    """conda's own roots."""
    return [f"{prefix}/ssl/cacert.pem", f"{prefix}/ssl/cert.pem"]


def _existing(places: Iterable[str]) -> list[str]:
    real = (os.path.realpath(place) for place in places)
    return list(dict.fromkeys(place for place in real if os.path.isfile(place)))


def environments_of(system: str | None, folder: Path) -> Iterator[Path]:
    """Environments in which a command may run: those that lie in the folder, and those its words lead to."""
    yield from (folder / name for name in (".venv", "venv", "env"))
    if virtual := os.environ.get("VIRTUAL_ENV"):
        yield Path(virtual)
    if system is None or not system.strip().startswith(("cmd:", "serve:")):
        return
    try:
        words = shlex.split(system.strip().partition(":")[2])
    except ValueError:
        return  # whoever loads the system says so
    for word in words:
        found = folder / word if "/" in word else Path(shutil.which(word) or "")
        if not found.is_file():
            continue
        # Both the place of a link and what it leads to: a venv's python is a link into the base environment.
        for program in dict.fromkeys((found.absolute(), found.resolve())):
            yield program.parent.parent
            if program.parent.parent == Path("/usr"):
                yield Path("/usr/local")


def subject_hash(ca_pem: bytes) -> int:
    """OpenSSL's ``X509_NAME_hash``: the first four bytes, little-endian, of SHA-1 over the canonical
    subject, which is each RDN as a SET with its strings in UTF-8, lower case, single spaces
    (crypto/x509/x_name.c)."""
    from cryptography import x509

    name = x509.load_pem_x509_certificate(ca_pem).subject
    encoded = b"".join(
        _der(0x31, b"".join(sorted(_attribute(item.oid.dotted_string, item.value) for item in rdn)))
        for rdn in name.rdns
    )
    return int.from_bytes(hashlib.sha1(encoded, usedforsecurity=False).digest()[:4], "little")


def _attribute(oid: str, value: str | bytes) -> bytes:
    text = value if isinstance(value, str) else value.decode("utf-8", "replace")
    canonical = " ".join(text.split()).lower()
    return _der(0x30, _der(0x06, _oid(oid)) + _der(0x0C, canonical.encode()))


def _der(tag: int, content: bytes) -> bytes:
    size = len(content)
    if size < 0x80:
        return bytes((tag, size)) + content
    length = size.to_bytes((size.bit_length() + 7) // 8, "big")
    return bytes((tag, 0x80 | len(length))) + length + content


def _oid(dotted: str) -> bytes:
    first, second, *rest = (int(part) for part in dotted.split("."))
    encoded = bytearray((40 * first + second,))
    for part in rest:
        groups = [part & 0x7F]
        while part := part >> 7:
            groups.append(0x80 | (part & 0x7F))
        encoded += bytes(reversed(groups))
    return bytes(encoded)
