"""The dashboards' queries: one SQL file each, with named parameters, described at its top."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from analyzer.store.reader import Reader

if TYPE_CHECKING:
    import polars as pl

FOLDER: Final = Path(__file__).with_name("queries")
_COMMENT: Final = re.compile(r"--.*")
_PARAMETER: Final = re.compile(r"\$([a-z_]+)")


def names() -> list[str]:
    """The names of all queries."""
    return sorted(path.stem for path in FOLDER.glob("*.sql"))


@cache
def text_of(name: str) -> str:
    """The SQL text of a query."""
    return (FOLDER / f"{name}.sql").read_text("utf-8")


@cache
def parameters_of(name: str) -> frozenset[str]:
    """The names of a query's parameters."""
    return frozenset(_PARAMETER.findall(_COMMENT.sub("", text_of(name))))


def run(reader: Reader, name: str, **parameters: Any) -> pl.DataFrame:
    """The rows of a query as a frame. A parameter not given is null.

    Raises TypeError for a parameter that the query has not.
    """
    known = parameters_of(name)
    if unknown := parameters.keys() - known:
        raise TypeError(f"query {name} has no parameter {min(unknown)}; it has {', '.join(sorted(known))}")
    return reader.frame(text_of(name), {parameter: parameters.get(parameter) for parameter in known})
