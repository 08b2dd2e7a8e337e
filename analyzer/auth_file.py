"""The file that sets up the login: ``[auth]`` in TOML, as Streamlit's OpenID Connect login reads it.

It holds secrets, so nobody else may read it, and no message ever shows a value of it.
"""

from __future__ import annotations

import os
import stat
import tomllib
from pathlib import Path
from typing import Final, NamedTuple
from urllib.parse import urlsplit

from analyzer.locale import N_, Message

KEYS: Final = ("redirect_uri", "cookie_secret", "client_id", "client_secret", "server_metadata_url")
CALLBACK: Final = "/oauth2callback"
MAX_BYTES: Final = 64 * 1024
MIN_SECRET: Final = 32
"""Characters of the secret that signs cookies: whoever guesses it is anybody."""

LOOPBACK: Final = ("localhost", "127.0.0.1", "::1")


class AuthFault(Exception):
    """What is wrong with the file, and what to do; ``message`` says it."""

    def __init__(self, text: str, **values: object) -> None:
        self.message = Message(text, **values)
        super().__init__(self.message.render("en"))


class Auth(NamedTuple):
    """A login that is set up. ``address`` is where visitors come: the pages' public address."""

    file: Path
    host: str
    address: str


def read_auth(path: Path) -> Auth:
    """Checks a login file. Raises AuthFault."""
    told = _table(_content(path), path)
    for key in KEYS:
        if not isinstance(told.get(key), str) or not told[key]:
            raise AuthFault(
                N_("{path}: [auth] needs {key}, a text. All of {keys} are needed."),
                path=path,
                key=key,
                keys=", ".join(KEYS),
            )
    if unknown := sorted(told.keys() - {*KEYS, "client_kwargs"}):
        raise AuthFault(
            N_("{path}: [auth] has a key {key} that is not known. Known: {keys}"),
            path=path,
            key=unknown[0],
            keys=", ".join((*KEYS, "client_kwargs")),
        )
    if len(str(told["cookie_secret"])) < MIN_SECRET:
        raise AuthFault(
            N_(
                "{path}: cookie_secret is shorter than {n} characters. "
                'Make one with: python3 -c "import secrets; print(secrets.token_hex(32))"'
            ),
            path=path,
            n=MIN_SECRET,
        )
    for key in ("redirect_uri", "server_metadata_url"):
        _check_address(str(told[key]), key, path)
    redirect = str(told["redirect_uri"])
    if not redirect.endswith(CALLBACK):
        raise AuthFault(
            N_("{path}: redirect_uri must be the pages' own address followed by {callback}."),
            path=path,
            callback=CALLBACK,
        )
    return Auth(path.resolve(), urlsplit(redirect).hostname or "", redirect.removesuffix(CALLBACK))


def _content(path: Path) -> bytes:
    """The file's bytes, where nobody but its owner can read them."""
    try:
        with path.open("rb") as file:
            about = os.fstat(file.fileno())
            if not stat.S_ISREG(about.st_mode) or about.st_size > MAX_BYTES:
                raise AuthFault(
                    N_("{path}: expected a TOML file of at most {n} bytes."), path=path, n=MAX_BYTES
                )
            if stat.S_IMODE(about.st_mode) & 0o077 or about.st_uid not in (os.getuid(), 0):
                raise AuthFault(
                    N_("{path} holds secrets and others can read or change it. Run: chmod 600 {path}"),
                    path=path,
                )
            return file.read(MAX_BYTES)
    except OSError as error:
        raise AuthFault(
            N_("{path} cannot be read: {why}."),
            path=path,
            why=Message(error.strerror or type(error).__name__),
        ) from None


def _table(content: bytes, path: Path) -> dict[str, object]:
    try:
        told = tomllib.loads(content.decode())
    except UnicodeDecodeError:
        raise AuthFault(N_("{path} is not UTF-8."), path=path) from None
    except tomllib.TOMLDecodeError as error:
        _, _, place = str(error).rpartition("(")  # the rest may repeat what stands there
        raise AuthFault(
            N_("{path} is not TOML ({place})."), path=path, place=place.rstrip(")") or "?"
        ) from None
    table = told.get("auth")
    if not isinstance(table, dict) or len(told) != 1:
        raise AuthFault(N_("{path}: expected one table, [auth], and nothing beside it."), path=path)
    return table


def _check_address(text: str, key: str, path: Path) -> None:
    try:
        found = urlsplit(text.replace("{port}", "1"))
        good = found.scheme == "https" or (found.scheme == "http" and found.hostname in LOOPBACK)
        good = good and bool(found.hostname) and not (found.username or found.password or found.fragment)
        good = good and (key != "redirect_uri" or not found.query) and (found.port or 1) > 0
    except ValueError:
        good = False
    if not good:
        raise AuthFault(
            N_("{path}: {key} must be an https:// address (http:// only for this machine itself)."),
            path=path,
            key=key,
        )
