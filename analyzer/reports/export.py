"""A hand as one file: the replay table with its data, which opens anywhere and asks no network.

The page's policy allows this very script and this very style, by their hashes, and nothing else.
"""

from __future__ import annotations

import base64
import hashlib
import html
import re
from collections.abc import Sequence
from typing import Any, Final

import msgspec

from analyzer.judge.rulings import Decision
from analyzer.locale import LANGUAGES, N_, translate
from analyzer.logs.hand import Hand
from analyzer.reports.account import make_account
from analyzer.reports.anonymise import Pseudonyms, anonymise
from analyzer.reports.table_view import file_assets, labels
from analyzer.reports.view import view_of
from analyzer.rules.ruleset import RuleSet

NO_SCRIPT: Final = N_("This replay needs JavaScript: open the file in a browser that allows it.")
NAMES: Final = {"vi": "Tiếng Việt", "en": "English"}

PAGE: Final = """<!doctype html>
<html lang="{lang}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,">
<title>{title}</title>
<style>{css}</style>
</head>
<body>
<nav class="tl-languages" aria-label="Ngôn ngữ · Language">{languages}</nav>
{table}
<noscript>{no_script}</noscript>
<script type="application/json" id="data">{data}</script>
<script type="module">{js}</script>
</body>
</html>
"""


def replay_file(
    hand: Hand, rules: RuleSet, lang: str, *, names: bool = True, ruled: Sequence[Decision] = ()
) -> str:
    """The HTML text of a hand's replay, opened in ``lang``, both languages inside; its money after rulings.

    Without ``names`` pseudonyms stand for the players, and nothing tells where the hand was played.
    """
    if names:
        view = view_of(make_account(hand, rules, ruled))
        title = f"{view['hand']['hand_id']} · Tiến Lên"
    else:
        people = Pseudonyms()
        told = [view_of(make_account(anonymise(hand, people, one), rules, ruled)) for one in LANGUAGES]
        view = _by_language(told)
        title = "Tiến Lên"
    table, style, script = file_assets()
    policy = (
        f"default-src 'none'; script-src {_hash(script)}; style-src {_hash(style)}; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )
    return PAGE.format(
        lang=lang,
        policy=policy,
        title=html.escape(title),
        css=style,
        languages="".join(
            f'<button type="button" lang="{one}" data-lang="{one}">{NAMES[one]}</button>' for one in LANGUAGES
        ),
        table=table,
        no_script="<br>".join(html.escape(translate(NO_SCRIPT, one)) for one in LANGUAGES),
        data=_data({"view": view, "labels": labels(), "lang": lang}),
        js=script,
    )


def file_name(hand_id: str) -> str:
    """A name for a hand's replay that every system takes."""
    return f"{file_stem(hand_id)}.html"


def file_stem(hand_id: str) -> str:
    """What such a name begins with."""
    told = re.sub(r"[^A-Za-z0-9]+", "-", hand_id).strip("-")[:60]
    return f"van-{told}" if told else "van"


def _hash(text: str) -> str:
    digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
    return f"'sha256-{digest}'"


def _data(value: Any) -> str:
    """JSON that no reader of HTML or JavaScript takes for anything else, whatever a name holds."""
    told = msgspec.json.encode(value).decode()
    for sign in "<>&\u2028\u2029":
        told = told.replace(sign, f"\\u{ord(sign):04x}")
    return told


def _by_language(told: Sequence[Any]) -> Any:
    """Views made once a language, in the order of LANGUAGES, as one: what differs is told by language."""
    first = told[0]
    if isinstance(first, dict):
        if first.keys() == set(LANGUAGES):
            return {lang: each[lang] for lang, each in zip(LANGUAGES, told, strict=True)}
        return {key: _by_language([each[key] for each in told]) for key in first}
    if isinstance(first, list):
        return [_by_language(parts) for parts in zip(*told, strict=True)]
    return first if all(each == first for each in told) else dict(zip(LANGUAGES, told, strict=True))
