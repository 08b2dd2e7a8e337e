"""The catalogue: complete, with the same placeholders, and what the code's texts give today."""

from __future__ import annotations

import ast
import io
import typing
from decimal import Decimal
from pathlib import Path
from string import Formatter
from typing import Any, Final

import pytest
from babel.messages.catalog import Catalog
from babel.messages.mofile import read_mo
from babel.messages.pofile import read_po

from analyzer.judge.findings import CODES, KINDS, Finding
from analyzer.judge.transfers import Reason
from analyzer.judge.verdict import INSTANT_WIN_NAMES, TransferTold, message_of
from analyzer.locale import LANGUAGES, Message, translate
from analyzer.locale.__main__ import MO, PO, collected, po_text
from analyzer.logs.hand import Hand
from analyzer.logs.reading import read
from analyzer.logs.refusal import REASONS, Fault, Place, Refusal
from analyzer.reports.causes import cause_of
from analyzer.rules.knobs import InstantWin
from analyzer.terms import TERMS

ROOT: Final = Path(__file__).parents[1]
COLLECT: Final = "run: python -m analyzer.locale"


def _committed() -> Catalog:
    with PO.open("rb") as file:
        return read_po(file, locale="vi")


def _texts(catalogue: Catalog) -> dict[str, str]:
    return {str(message.id): str(message.string) for message in catalogue if message.id}


TEXTS: Final = _texts(collected())
"""Every text that the code has today, with its translation in the committed file."""

TRANSLATED: Final = {text: translation for text, translation in TEXTS.items() if translation}


def _placeholders(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


# -- the catalogue -------------------------------------------------------------------------------


def test_every_text_is_translated() -> None:
    missing = [text for text, translation in TEXTS.items() if not translation]
    assert not missing, f"translate in {PO.name} after you {COLLECT}"


def test_no_text_is_marked_inside_an_f_string_where_the_collector_does_not_see_it() -> None:
    hidden = [
        f"{path.name}:{node.lineno}"
        for path in [*ROOT.glob("analyzer/**/*.py"), *ROOT.glob("dashboards/**/*.py")]
        for text in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(text, ast.JoinedStr)
        for node in ast.walk(text)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "N_"
    ]
    assert not hidden


def test_every_translation_has_the_placeholders_of_its_text() -> None:
    for text, translation in TRANSLATED.items():
        assert _placeholders(translation) == _placeholders(text), text


def test_a_term_is_called_the_same_everywhere() -> None:
    told = {
        (text, translation, word)
        for term, word in TERMS.items()
        for text, translation in TRANSLATED.items()
        if text.lower() in (term, f"{term}s")
    }
    assert len(told) > 30
    assert [one for one in told if one[2] not in one[1].lower()] == []


def test_a_sentence_ends_as_its_translation_does() -> None:
    for text, translation in TRANSLATED.items():
        assert translation.endswith(".") == text.endswith("."), text


def test_the_committed_texts_are_todays() -> None:
    """Compared without the header, which names the version of Babel that wrote it."""
    _, _, committed = PO.read_text("utf-8").partition("\n\n")
    _, _, today = po_text(collected()).decode("utf-8").partition("\n\n")
    stale = committed != today
    assert not stale, f"{PO.name} is stale; {COLLECT}"


def test_the_compiled_catalogue_is_that_of_the_committed_texts() -> None:
    compiled = _texts(read_mo(io.BytesIO(MO.read_bytes())))
    translated = {text: translation for text, translation in _texts(_committed()).items() if translation}
    stale = compiled != translated
    assert not stale, f"{MO.name} is stale; {COLLECT}"


# -- messages ------------------------------------------------------------------------------------


def test_a_message_is_rendered_in_each_language() -> None:
    message = Message("{player} plays {cards}", player="Bình", cards="3♠ 3♣")
    assert message.both() == {"vi": "Bình đánh 3♠ 3♣", "en": "Bình plays 3♠ 3♣"}
    assert repr(message) == "Message('Bình plays 3♠ 3♣')"


def test_a_message_without_values_is_rendered() -> None:
    assert Message("four twos").both() == {"vi": "tứ quý heo", "en": "four twos"}
    assert Message("").both() == {"vi": "", "en": ""}


def test_messages_within_a_message_are_rendered_in_its_language() -> None:
    won = Message("{player}: {hand}", player="An", hand=Message("a dragon"))
    message = Message("Instant win ({winners})", winners=won)
    assert message.render("vi") == "Tới trắng (An: sảnh rồng)"
    assert message.render("en") == "Instant win (An: a dragon)"


def test_braces_in_a_value_are_left_alone() -> None:
    message = Message("{player} passes", player="{cards} {0}")
    assert message.both() == {"vi": "{cards} {0} bỏ lượt", "en": "{cards} {0} passes"}


def test_a_text_that_is_not_in_the_catalogue_stays_as_it_is() -> None:
    assert translate("Nobody ever wrote this.", "vi") == "Nobody ever wrote this."


# -- whatever the program may say ------------------------------------------------------------------

HAND: Final[Hand] = read(
    b'{"format": "tienlen-hand/1", "hand_id": "h", "rules": "mien-nam", "stake": 1, "events": [],'
    b'"players": [{"id": "an"}, {"id": "chi"}]}'
)[0]

SAME: Final = {"UTF-8"}
"""Texts that are the same in every language."""


def _finished(message: Message) -> None:
    """Both languages say something, not the same thing, and every placeholder is filled."""
    told = message.both()
    assert set(told) == set(LANGUAGES)
    for text in told.values():
        assert text.strip()
        assert not set("{}") & set(text), text
    assert told["vi"] != told["en"]


FACTS: Final[dict[str, Any]] = {
    "cards": ["3S", "3C"],
    "top": ["4S"],
    "named": ["5S", "5C"],
    "card": "3S",
    "leader": 1,
    "turn": 1,
    "hand": "dragon",
    "found": 12,
    "expected": 13,
    "seconds": "31.5",
    "limit": 30,
    "recorded": ["1500", "-1500"],
    "replayed": ["-0.5", "0.5"],
}


@pytest.mark.parametrize("code", CODES)
def test_every_violation_is_told(code: str) -> None:
    needed = _placeholders(KINDS[code].text) - {"player"}
    facts = {name: FACTS[name] for name in needed}
    if code == "places_mismatch":
        facts = {"recorded": [0, 1], "replayed": None}
    _finished(message_of(Finding.of(code, 0, 0, facts), HAND))


@pytest.mark.parametrize("path", ["", "events[0].cards"])
@pytest.mark.parametrize("fix", [None, Message("write {nearest}", nearest="10H")])
@pytest.mark.parametrize("reason", REASONS)
def test_every_reason_of_a_refusal_is_told(reason: str, fix: Message | None, path: str) -> None:
    _finished(Message(REASONS[reason]))
    fault = Fault(reason, path, "'1H'", Message("each card once"), fix)
    _finished(Refusal.of(Place("a.ndjson", 1, None, 0), fault, b"").message())


LEFTOVERS: Final = [
    {"price": "rotten_prices.two_hearts", "cards": ["2H"], "amount": "1"},
    {"price": "prices.four_of_a_kind", "cards": ["7S", "7C", "7D", "7H"], "amount": "1.5"},
]

LINKS: Final = [
    {"prices": ["prices.two_spades", "prices.two_hearts"], "beaten": ["2S", "2H"], "amount": "1.5"},
    {"prices": ["prices.three_pairs"], "beaten": ["3S", "3C", "4S", "4C", "5S", "5C"], "amount": "1"},
]

CAUSES: Final[dict[str, list[dict[str, Any]]]] = {
    "place": [{"place": place} for place in (1, 2, 3, 4)],
    "chop": [{"links": LINKS}, {"links": LINKS, "uncut_twos": "0.5"}],
    "rotten": [{"leftovers": LEFTOVERS}, {"leftovers": [{**LEFTOVERS[0], "price": "rotten.twos_flat"}]}],
    "frozen": [{"base": "2"}, {"base": "2", "leftovers": LEFTOVERS}, {"among": 3}],
    "instant_win": [{}],
    "forfeit": [{"for_seat": 1}, {"for_seat": 1, "base": "2", "leftovers": LEFTOVERS}],
    "card_count": [{"cards_left": 7}],
    "finish_with_two": [{}],
    "sweep_broken": [{}],
    "three_of_spades": [{}],
    "cap": [{}],
    "ruling": [{"entry": 3, "decision": "dismissed", "by": "Tổ", "reason": "x"}],
}


@pytest.mark.parametrize("reason", typing.get_args(Reason))
def test_every_reason_of_a_transfer_is_told(reason: Reason) -> None:
    for facts in CAUSES[reason]:
        _finished(cause_of(HAND, TransferTold(0, 1, Decimal(1), reason, None, "rotten.payer", facts)))


@pytest.mark.parametrize("win", typing.get_args(InstantWin))
def test_every_instant_win_has_a_name(win: str) -> None:
    _finished(Message(INSTANT_WIN_NAMES[win]))


def test_only_names_and_placeholders_stay_the_same_in_vietnamese() -> None:
    for text, translation in TRANSLATED.items():
        if translation == text:
            letters = "".join(literal for literal, *_ in Formatter().parse(text))
            assert text in SAME or not any(map(str.isalpha, letters)), text
