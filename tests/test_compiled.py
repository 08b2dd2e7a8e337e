"""Which modules run: the sources, or all that pyproject.toml names as compiled, never some of each."""

from __future__ import annotations

import os
import tomllib
from importlib import import_module
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

from click.testing import CliRunner

from analyzer.cli import cli
from analyzer.version import VERSION, is_compiled

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
MODULES = PROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]["hooks"]["custom"]["modules"]
EXPECTED = os.environ.get("TIENLEN_EXPECT_COMPILED") == "1"


def test_all_modules_are_compiled_or_none() -> None:
    files = {name: import_module(name[:-3].replace("/", ".")).__file__ or "" for name in MODULES}
    native = {name: file.endswith(tuple(EXTENSION_SUFFIXES)) for name, file in files.items()}
    assert set(native.values()) == {EXPECTED or is_compiled()}, native


def test_the_version_says_whether_it_is_compiled() -> None:
    told = CliRunner().invoke(cli, ["--version"]).output
    assert told == f"tienlen, version {VERSION}{', compiled' if EXPECTED or is_compiled() else ''}\n"
