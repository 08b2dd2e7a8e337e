"""Cards and their spellings."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analyzer.cards import DECK, SPELLINGS, TEXTS, card_of, cards_of, set_of, symbols_of, texts_of


def test_strength_is_the_order_of_the_numbers() -> None:
    assert card_of("3S") == 0
    assert card_of("2H") == 51
    assert [TEXTS[n] for n in (0, 1, 2, 3, 4)] == ["3S", "3C", "3D", "3H", "4S"]
    assert set_of(["9H"]) < set_of(["10S"])


@pytest.mark.parametrize("text", ["10H", "TH", "10h", "th", "♥10", "10♥", "♥️10", "10♥️", "T♥", "♥t"])
def test_every_spelling_of_one_card(text: str) -> None:
    assert card_of(text) == card_of("10H")


@pytest.mark.parametrize(
    "text", ["1H", "HT10", "10", "H", "", "??", "8?", "10HH", "B3", "3B", " 3S", "11S", "♥"]
)
def test_what_is_no_card(text: str) -> None:
    assert card_of(text) is None


def test_no_spelling_means_two_cards() -> None:
    for text, card in SPELLINGS.items():
        rank = TEXTS[card][:-1]
        assert rank in text.upper() or (rank == "10" and "T" in text.upper())


@given(st.integers(0, DECK))
def test_texts_round_trip(cards: int) -> None:
    assert set_of(texts_of(cards)) == cards
    assert sum(1 << card for card in cards_of(cards)) == cards
    assert set_of(symbols_of(cards).split()) == cards


def test_a_wrong_card_names_itself() -> None:
    with pytest.raises(ValueError, match="'3X' is no card; expected a rank and a suit"):
        set_of(["3S", "3X"])
