"""Every value that a rule file can give a knob has a word in both languages."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from typing import Any, Literal, get_args, get_origin

import msgspec
import pytest

from analyzer.cards import RANKS
from analyzer.locale import LANGUAGES, translate
from analyzer.reports.rule_sheet import path_value, paths_of
from analyzer.reports.values import WORDS, value_message
from analyzer.rules.knobs import KNOB_TYPES, ROW_TABLES
from analyzer.rules.loading import preset, preset_ids


def literals(type_: Any) -> Iterator[Any]:
    if get_origin(type_) is Literal:
        yield from get_args(type_)
    else:
        for part in get_args(type_):
            yield from literals(part)


def places() -> Iterator[tuple[str, Any]]:
    for path, type_ in KNOB_TYPES.items():
        if path in ROW_TABLES:
            row: Any = ROW_TABLES[path]
            for field in msgspec.structs.fields(row):
                yield f"{path}.{field.encode_name}", field.type
        else:
            yield path, type_


VALUES = [(path, value) for path, type_ in places() for value in literals(type_) if isinstance(value, str)]


@pytest.mark.parametrize(("path", "value"), VALUES)
def test_every_word_of_a_knob_is_told_in_both_languages(path: str, value: str) -> None:
    if path.startswith("before.tribute"):
        assert value in RANKS  # a card's rank is written the same
        return
    vi, en = (value_message(value, path).render(lang) for lang in ("vi", "en"))
    assert vi != en
    assert "_" not in vi + en
    assert en != value or value in ("allowed", "forbidden", "none", "clockwise")


def test_there_is_no_word_for_a_value_that_no_knob_has() -> None:
    every = {*VALUES, ("lead.card", "lowest")}
    assert {(path, value) for path, words in WORDS.items() for value in words} <= every


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("id_", preset_ids())
def test_no_value_of_a_preset_is_told_as_it_is_written(id_: str, lang: str) -> None:
    rules = preset(id_)
    for path in paths_of(rules):
        told = path_value(rules, path, lang)
        assert "_" not in told
        assert "{" not in told
        if lang == "vi":
            assert told not in {value for _, value in VALUES if value not in RANKS}
    chops = path_value(preset("mien-nam"), "chops.four_pairs", lang)
    assert translate("four consecutive pairs", lang) in chops


@pytest.mark.parametrize(
    ("lang", "place", "half"),
    [
        ("vi", "bàn 4 người: hạng bét trả hạng nhất 0,5 cược", "0,5"),
        ("en", "at a table of 4, the fourth pays the first 0.5 stakes", "0.5"),
    ],
)
def test_numbers_and_places_are_told_as_the_language_does(lang: str, place: str, half: str) -> None:
    row = {"players": 4, "from": 4, "to": 1, "stakes": Decimal("0.5")}
    assert value_message([row], "places").render(lang) == place
    assert value_message(Decimal("0.5"), "prices.two_black").render(lang) == half
