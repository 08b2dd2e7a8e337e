"""The program's version: it stands in every verdict. And whether it was installed compiled."""

from importlib.machinery import EXTENSION_SUFFIXES
from importlib.util import find_spec
from typing import Final

VERSION: Final = "0.1.0"


def is_compiled() -> bool:
    """Whether the judge is an extension module rather than Python source."""
    found = find_spec("analyzer.judge.replay")
    return found is not None and (found.origin or "").endswith(tuple(EXTENSION_SUFFIXES))
