"""Every text that a person reads, in Vietnamese and English.

The message ids are the English texts; ``vi/LC_MESSAGES/tienlen.po`` holds the Vietnamese. A text that
depends on data is a :class:`Message`: an id with named values, formatted only when somebody reads it.
"""

from __future__ import annotations

import gettext
import os
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final

LANGUAGES: Final = ("vi", "en")
DOMAIN: Final = "tienlen"


def N_(text: str) -> str:
    """Marks a text for the catalogue without translating it yet."""
    return text


@cache
def _catalogue(lang: str) -> gettext.NullTranslations:
    if lang == "en":
        return gettext.NullTranslations()
    return gettext.translation(DOMAIN, Path(__file__).parent, languages=[lang], fallback=True)


def translate(text: str, lang: str) -> str:
    """The text in a language; English where the catalogue has no entry."""
    return _catalogue(lang).gettext(text) if text else ""


def default_language() -> str:
    """``TIENLEN_LANG``, else the locale's language where it is English, else Vietnamese."""
    chosen = os.environ.get("TIENLEN_LANG", "")
    if chosen in LANGUAGES:
        return chosen
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        value = os.environ.get(name, "")
        if value:
            return "en" if value.startswith("en") else "vi"
    return "vi"


class Message:
    """A text of the catalogue with the values to put into it.

    A value may itself be a Message; it is rendered in the same language.
    """

    __slots__ = ("text", "values")

    def __init__(self, text: str, /, **values: Any) -> None:
        self.text = text
        self.values: Mapping[str, Any] = values

    def render(self, lang: str) -> str:
        """The finished text in a language."""
        filled = {
            name: value.render(lang) if isinstance(value, Message) else value
            for name, value in self.values.items()
        }
        return translate(self.text, lang).format_map(filled) if filled else translate(self.text, lang)

    def both(self) -> dict[str, str]:
        """The text in every language: ``{"vi": …, "en": …}``."""
        return {lang: self.render(lang) for lang in LANGUAGES}

    def __repr__(self) -> str:
        return f"Message({self.render('en')!r})"


class Joined(Message):
    """Several messages one after the other."""

    __slots__ = ("between", "parts")

    def __init__(self, parts: list[Message], between: str = " + ") -> None:
        super().__init__("")
        self.parts = parts
        self.between = between

    def render(self, lang: str) -> str:
        """The parts in a language, joined."""
        return self.between.join(part.render(lang) for part in self.parts)
