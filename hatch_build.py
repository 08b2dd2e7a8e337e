"""Builds the wheel; with ``TIENLEN_COMPILE=1`` its hot modules are compiled with mypyc.

The extension modules lie beside their sources in the wheel and are imported instead of them. Without a
C compiler the wheel is the plain one; so is an editable install, which has to follow its sources.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

if TYPE_CHECKING:
    from setuptools import Extension

MISSING = (
    "TIENLEN_COMPILE: found no C compiler with the headers of this Python, so nothing is compiled and the "
    "program is as slow as ever. Install both (Debian: apt-get install gcc python3-dev) and install again."
)


class Compiling(BuildHookInterface[Any]):
    """``modules`` of its section in pyproject.toml names what is compiled, as paths from the root."""

    scratch = ""

    def wanted(self) -> bool:
        """Whether this build was asked to compile."""
        return os.environ.get("TIENLEN_COMPILE", "") not in ("", "0")

    def dependencies(self) -> list[str]:
        """What a build needs beyond hatchling: the compiler, and the types that the modules use."""
        metadata = self.metadata.core
        stated = [*metadata.dependencies, *metadata.optional_dependencies["test"]]
        needed = ["setuptools", *(one for one in stated if one.startswith(("msgspec", "mypy")))]
        return needed if self.wanted() else []

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Adds the extension modules to a wheel."""
        if not self.wanted() or version == "editable":
            return
        self.scratch = tempfile.mkdtemp()
        scratch = Path(self.scratch)
        if not can_compile(scratch / "probe"):
            self.app.display_warning(MISSING)
            return
        for built in compiled(self.config["modules"], scratch):
            build_data["force_include"][str(built)] = built.relative_to(scratch / "lib").as_posix()
        build_data["pure_python"] = False
        build_data["infer_tag"] = True

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Leaves nothing behind."""
        shutil.rmtree(self.scratch, ignore_errors=True)


def can_compile(folder: Path) -> bool:
    """Whether an extension module can be compiled here."""
    from setuptools import Extension
    from setuptools.errors import BaseError, CCompilerError

    folder.mkdir()
    source = folder / "probe.c"
    source.write_text("#include <Python.h>\nPyMODINIT_FUNC PyInit_probe(void) { return NULL; }\n")
    try:
        build([Extension("probe", [str(source)])], folder)
    except (BaseError, CCompilerError):
        return False
    return True


def compiled(modules: list[str], folder: Path) -> list[Path]:
    """The modules' extension modules, under ``lib`` in the folder as they lie in a wheel."""
    from mypyc.build import mypycify

    options = ["--cache-dir", str(folder / "cache")]
    sources = str(folder / "c")
    build(mypycify([*options, *modules], target_dir=sources, debug_level="0", group_name="tienlen"), folder)
    return [path for path in (folder / "lib").rglob("*") if path.is_file()]


def build(extensions: list[Extension], folder: Path) -> None:
    """Compiles extension modules into ``lib`` in the folder."""
    from setuptools import Distribution
    from setuptools.command.build_ext import build_ext

    command = build_ext(Distribution({"name": "tienlen", "ext_modules": extensions}))
    command.build_lib, command.build_temp = str(folder / "lib"), str(folder / "temp")
    command.ensure_finalized()
    command.run()
