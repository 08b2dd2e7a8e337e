"""The characters of a line: comments, quoted texts, what stands where, and what may not stand at all."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterable
from decimal import Decimal
from itertools import islice
from typing import Any, Final, NamedTuple

import msgspec

from analyzer.locale import N_, Message
from analyzer.logs.notation.problems import Trouble

_QUOTED_OR_COMMENT: Final = re.compile(r'"(?:[^"\\]|\\.)*+(?:"|\\?$)|#')
_WORD: Final = re.compile(r'"(?:[^"\\]|\\.)*+(?:"|\\?$)|[^\s,;():"]+')
MOST_WORDS: Final = 400
_HIDDEN: Final = frozenset(("Cc", "Cf", "Cs", "Co", "Zl", "Zp"))
_BLANK: Final = frozenset("\u034f\u115f\u1160\u2800\u3164\uffa0")
"""Letters and signs that show nothing."""

_TIME: Final = re.compile(r"\s@(-?\d{1,12}(?:\.\d{1,400})?)$")
_ENDS: Final = ".!"
_heading: Final = re.compile(r"\s*(?:ván(?!\w)|(?:van|hand)\s*:)", re.IGNORECASE)


class Word(NamedTuple):
    """A word of a line, as typed and as compared, with its column (from 1)."""

    text: str
    plain: str
    column: int


def is_heading(line: str) -> bool:
    """Whether a line begins a hand: ``ván``, with its accent or with a colon."""
    return _heading.match(unicodedata.normalize("NFC", line[:80])) is not None


def without_comment(line: str) -> tuple[str, str | None]:
    """The line up to its comment, and the comment's text; a ``#`` in quotes or inside a word begins none."""
    for match in _QUOTED_OR_COMMENT.finditer(line):
        at = match.start()
        if match[0] == "#" and (at == 0 or line[at - 1].isspace()):
            return line[:at].rstrip(), line[at + 1 :].strip()
    return line.rstrip(), None


def hidden(text: str) -> int | None:
    """Where a character stands that nobody sees (control, direction, surrogate …); None where none does."""
    if text.isascii() and text.isprintable():
        return None
    for at, character in enumerate(text):
        if character != "\t" and (unicodedata.category(character) in _HIDDEN or character in _BLANK):
            return at
    return None


def fold(text: str) -> str:
    """Lower case, without Vietnamese marks, as people type in a hurry."""
    if not text.isascii():
        text = "".join(c for c in unicodedata.normalize("NFD", text) if not unicodedata.combining(c))
        text = text.replace("đ", "d").replace("Đ", "d")
    return text.lower()


def telex(plain: str) -> str:
    """A folded word without what is left of Telex typing: ``bor`` is ``bo``, ``dduwowjc`` is ``duoc``."""
    text = plain[:40]
    for double in ("aa", "ee", "oo", "dd"):
        text = text.replace(double, double[0])
    text = text[:1] + text[1:].replace("w", "")
    vowel = re.search("[aeiouy]", text)
    return text if vowel is None else text[: vowel.end()] + re.sub("[sfrxj]", "", text[vowel.end() :])


def misspelt(word: str, known: Iterable[str]) -> str | None:
    """The known word of which a folded one is a misspelling; None where none is really near.

    One letter too many, missing, wrong or swapped with the next is allowed, two in a word of six letters or
    more; the first letter of a word of up to four has to be right. A wrong suggestion is worse than none.
    """
    found = [
        (slips, len(set(one) - set(word)), one)
        for one in known
        if (len(word) > 4 or one[:1] == word[:1]) and (slips := _slips(word, one)) <= 1 + (len(word) > 5)
    ]
    return min(found)[-1] if found else None


def _slips(word: str, other: str) -> int:
    """How many letters are missed, added, taken for another or swapped with the next, 3 at most."""
    if abs(len(word) - len(other)) > 2:
        return 3
    before: list[int] = []
    row = list(range(len(other) + 1))
    for i, letter in enumerate(word, 1):
        last, before, row = before, row, [i]
        for j, wanted in enumerate(other, 1):
            slips = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (letter != wanted))
            if i > 1 and j > 1 and letter == other[j - 2] and word[i - 2] == wanted:
                slips = min(slips, last[j - 2] + 1)
            row.append(slips)
    return min(row[-1], 3)


def words(line: str, start: int = 0) -> list[Word]:
    """The words of a line from character ``start`` on; commas, colons and brackets only part them.

    No line that means anything has more than :data:`MOST_WORDS`: what comes after them is left out.
    """
    found = []
    for match in islice(_WORD.finditer(line, start), MOST_WORDS):
        text = match[0]
        if not text.startswith(("..", '"')):
            text = text.rstrip(_ENDS) or text
        if not text.strip(_ENDS) and not text.startswith(".."):
            continue
        found.append(Word(text, fold(text), match.start() + 1))
    return found


def and_time(body: str) -> tuple[str, str | None]:
    """A line without the time at its end (``… @12.5``), and the time as written."""
    match = _TIME.search(body[-820:])
    return (body, None) if match is None else (body[: len(body) - len(match[0])].rstrip(), match[1])


def value_of(text: str, column: int) -> str:
    """A text as typed, or as a JSON string where it begins with a quote. Raises Trouble."""
    if not text.startswith('"'):
        return text
    value = json_of(text, column)
    if not isinstance(value, str):
        raise Trouble(column, text, Message(N_("a text")))
    return value


def json_of(text: str, column: int) -> Any:
    """The value of a JSON text, fractions as Decimal. Raises Trouble."""
    value, end = json_at(text, column)
    if end != len(text):
        raise _no_json(text, column)
    return value


def json_at(text: str, column: int) -> tuple[Any, int]:
    """The JSON value that a text begins with, and where it ends. Raises Trouble."""
    try:
        return _decoder.raw_decode(text)
    except (ValueError, ArithmeticError, RecursionError):
        raise _no_json(text, column) from None


def _no_json(text: str, column: int) -> Trouble:
    return Trouble(column, text, Message(N_("JSON: a number, a quoted text, a list or an object")))


def _no_number(text: str) -> Any:
    raise ValueError(text)


_decoder: Final = json.JSONDecoder(parse_float=Decimal, parse_constant=_no_number)
_encoder: Final = msgspec.json.Encoder(decimal_format="number")


def json_text(value: Any) -> str:
    """A value as JSON on one line, without a character that nobody sees."""
    try:
        text = _encoder.encode(value).decode()
    except (UnicodeEncodeError, OverflowError):  # half a character, or a number of more than 64 bits
        text = json.dumps(value, ensure_ascii=False, default=float)
    if hidden(text) is None and "\t" not in text:
        return text
    return "".join(c if hidden(c) is None and c != "\t" else json.dumps(c)[1:-1] for c in text)


def quoted(text: str) -> str:
    """A text as it stands in the notation: plain where that reads back as the same, else as a JSON string."""
    plain = (
        text
        and text == text.strip()
        and text[0] not in '":'
        and hidden(text) is None
        and "\t" not in text
        and without_comment(text) == (text, None)
        and and_time(" " + text)[1] is None
        and '"' not in text
    )
    return text if plain else json_text(text)
