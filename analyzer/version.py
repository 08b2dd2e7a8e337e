"""The program's version: it stands in every verdict."""

from typing import Final

VERSION: Final = "0.1.0"
