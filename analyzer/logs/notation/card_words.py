"""Words → cards with the suits that each may have: ``9♠``, ``9 bích``, ``44 55 66``, ``sảnh 3 đến 7``.

Spelling is forgiven, meaning is not: where words can be read two ways this asks.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from analyzer.cards import RANKS, SPELLINGS, SYMBOLS
from analyzer.locale import N_, Message
from analyzer.logs.notation.named_sets import ACE, ANY, Card, Part, whole
from analyzer.logs.notation.problems import CARD, Trouble, asks
from analyzer.logs.notation.texts import Word, fold, misspelt, telex
from analyzer.logs.notation.words import (
    CLUB,
    COMBINATIONS,
    COUNTS,
    FILLERS,
    HEART,
    MARKED,
    NO_ACTS,
    RANK_OF,
    SUITS_OF,
    TO,
    UP_FROM,
)

MOST: Final = 60
"""Cards of one line; more than a deck has are no line that somebody typed."""

_SYMBOLS: Final = frozenset("♠♣♦♥♤♧♢♡❤")
_PIECE: Final = re.compile(
    r"(?P<suit>bich|chuong|chuon|tep|ro|co|ch|[♠♣♦♥♤♧♢♡❤bschdr?])|(?P<rank>10|[2-9akqjt])|(?P<dash>-)"
)
_VARIANTS: Final = {ord("\ufe0f"): None, ord("\ufe0e"): None}
_KNOWN: Final = frozenset(
    word
    for table in (RANK_OF, SUITS_OF, COMBINATIONS)
    for phrase in table
    for word in phrase.split()
    if len(word) > 1
) | {"rong", "thong"}
EXPECTED: Final = N_("a card, such as 9♠, 9 bích, 10 cơ, K♦, or 9 alone where nobody remembers the suit")


def read_cards(words: Sequence[Word]) -> list[Card]:
    """The cards that these words tell. Raises Trouble."""
    return _Reader(words).run()


class _Reader:
    def __init__(self, words: Sequence[Word]) -> None:
        self.words = [_spelled(word) for word in words]
        self.at = 0
        self.parts: list[Part] = []
        self.clubs = False
        """Whether clubs are written with two letters on this line, so that ``c`` means hearts."""
        self.hearts = False

    def run(self) -> list[Card]:
        while self.at < len(self.words):
            self._next()
            if sum(len(part.cards) for part in self.parts) > MOST:
                raise Trouble(
                    self.words[self.at - 1].column,
                    f"{MOST + 1} …",
                    Message(N_("at most {n} cards on a line"), n=MOST),
                )
        self._counted_by_word()
        cards = [card for part in self.parts for card in whole(part)]
        settled = CLUB if self.hearts else HEART if self.clubs else None
        if settled is not None and self.hearts != self.clubs:
            cards = [replace(c, suits=settled) if c.suits == CLUB | HEART else c for c in cards]
        return cards

    # -- one word --------------------------------------------------------------------------------

    def _next(self) -> None:
        word = self.words[self.at]
        plain = word.plain
        if self._combination():
            return
        self.at += 1
        card = SPELLINGS.get(word.text)
        if card is not None and word.text[-1] not in "cC":
            if word.text[-1] in "hH":
                self.hearts = True
            self._put(Card(card >> 2, 1 << (card & 3), word.column, word.text))
        elif self._is_range(word):
            self._range(word)
        elif plain in UP_FROM and self._rank_at(self.at) is not None and _accented(word) != "tư":
            pass
        elif plain in FILLERS:
            self._filler(word)
        elif plain == "t" and self._last() is not None and self._last().bare:  # type: ignore[union-attr]
            before = self.words[self.at - 2].text
            raise asks(word.column, word.text, [f"{before}♣", f"{before} 10"])
        elif plain in SUITS_OF and _accented(word) != "đ":
            self._suit(word)
        elif plain == "ach" and _accented(word) != "ách":
            raise asks(word.column, word.text, ["A", "A♣"])
        elif plain in RANK_OF:
            self._put(Card(RANK_OF[plain], ANY, word.column, word.text))
        else:
            self._compound(word)

    def _combination(self) -> bool:
        """Begins a part at the name of a combination."""
        plains = [word.plain for word in self.words[self.at : self.at + 3]]
        column = self.words[self.at].column
        if len(plains) == 3 and plains[0] in COUNTS and plains[1:] == ["doi", "thong"]:
            self.parts.append(Part("pairs", COUNTS[plains[0]], column))
            self.at += 3
            return True
        for length in (2, 1):
            kind = COMBINATIONS.get(" ".join(plains[:length])) if len(plains) >= length else None
            if kind is not None:
                self.parts.append(Part(kind, None, column))
                self.at += length
                return True
        return False

    def _put(self, card: Card) -> None:
        if not self.parts:
            self.parts.append(Part(None, None, card.column))
        self.parts[-1].cards.append(card)

    def _last(self) -> Card | None:
        return self.parts[-1].cards[-1] if self.parts and self.parts[-1].cards else None

    def _rank_at(self, at: int) -> int | None:
        """The rank that the word there begins with, if it is a card."""
        if at >= len(self.words):
            return None
        plain = self.words[at].plain
        match = re.match("10|[2-9akqjt]", plain)
        if plain in RANK_OF:
            return RANK_OF[plain]
        return RANK_OF[match[0]] if match and len(plain) <= 3 else None

    def _is_range(self, word: Word) -> bool:
        if word.plain not in TO or self._last() is None or self._rank_at(self.at) is None:
            return False
        return _accented(word) not in ("đen", "tôi")

    def _range(self, word: Word) -> None:
        """Fills in what lies between the last card and the next."""
        first = self._last()
        last = self._rank_at(self.at)
        assert first is not None
        assert last is not None
        if not first.rank < last <= ACE:
            raise Trouble(
                word.column,
                f"{RANKS[first.rank]} {word.text} {RANKS[last]}",
                Message(N_("a run that goes up, from 3 to A at most")),
            )
        for rank in range(first.rank + 1, last):
            self._put(Card(rank, ANY, word.column, word.text))

    def _filler(self, word: Word) -> None:
        """``con``, ``lá``: nothing, but ``3 con 8`` may be three eights or a three and an eight."""
        before = self._last()
        after = self._rank_at(self.at)
        counted = self.at >= 2 and self.words[self.at - 2].text in ("2", "3", "4")
        if (
            word.plain in ("con", "la", "cay", "quan")
            and before
            and before.bare
            and counted
            and after is not None
        ):
            number, rank = int(RANKS[before.rank]), RANKS[after]
            raise asks(
                before.column,
                f"{number} {word.text} {self.words[self.at].text}",
                [" ".join([rank] * number), f"{number} {rank}"],
            )

    def _counted_by_word(self) -> None:
        """``ba 8`` may be three eights, or a three and an eight."""
        if len(self.parts) != 1 or self.parts[0].kind is not None or len(self.parts[0].cards) != 2:
            return
        number, card = self.parts[0].cards
        if number.bare and fold(number.typed) in ("hai", "ba", "bon", "tu") and card.rank != number.rank:
            count, rank = int(RANKS[number.rank]), RANKS[card.rank]
            raise asks(
                number.column,
                f"{number.typed} {card.typed}",
                [" ".join([rank] * count), f"{RANKS[number.rank]} {rank}"],
            )

    # -- suits -----------------------------------------------------------------------------------

    def _suit(self, word: Word) -> None:
        """A suit by itself belongs to the card before it."""
        self._note_style(word.plain)
        if self._last() is None:
            raise Trouble(
                word.column, word.text, Message(N_("the rank before the suit, such as 9♠ or 9 bích"))
            )
        run: list[Card] = []
        for card in reversed(self.parts[-1].cards):
            if not card.bare:
                break
            run.append(card)
        if len({card.rank for card in run}) > 1 and SUITS_OF[word.plain].bit_count() == 1:
            suit = SYMBOLS[SUITS_OF[word.plain].bit_length() - 1]
            ranks = [RANKS[card.rank] for card in reversed(run)]
            raise asks(
                word.column,
                word.text,
                [" ".join(rank + suit for rank in ranks), " ".join(ranks) + suit],
            )
        self._give(SUITS_OF[word.plain], word, word.plain == "?")

    def _give(self, suits: int, word: Word, unknown: bool) -> None:
        """Gives a suit to the first card of the last rank that has none, or adds a card of that rank."""
        cards = self.parts[-1].cards
        rank = cards[-1].rank
        suits = 0 if unknown else suits
        first = next((i for i in range(len(cards)) if cards[i].rank == rank and cards[i].bare), None)
        if first is None:
            cards.append(Card(rank, suits, word.column, word.text))
        else:
            card = cards[first]
            typed = card.typed if word.text == card.typed else f"{card.typed} {word.text}"
            cards[first] = replace(card, suits=suits, typed=typed)

    def _note_style(self, suit: str) -> None:
        self.clubs = self.clubs or suit == "ch"
        self.hearts = self.hearts or suit in ("h", "co")

    # -- several cards in one word ---------------------------------------------------------------

    def _compound(self, word: Word) -> None:
        text = word.plain.translate(_VARIANTS)
        pieces: list[tuple[str, str]] = []
        at = 0
        while at < len(text) and len(pieces) <= 2 * MOST:
            match = _PIECE.match(text, at)
            if match is None:
                raise self._no_card(word)
            pieces.append((match.lastgroup or "", match[0]))
            at = match.end()
        if "đ" in unicodedata.normalize("NFC", word.text).lower() or pieces[0] == ("suit", "?"):
            raise self._no_card(word)
        kinds = [kind for kind, _ in pieces]
        if pieces[0][1] in _SYMBOLS:
            if len(kinds) % 2 or kinds != ["suit", "rank"] * (len(kinds) // 2):
                raise self._no_card(word)
            for (_, suit), (_, rank) in zip(pieces[::2], pieces[1::2], strict=True):
                self._put(Card(RANK_OF[rank], SUITS_OF[suit], word.column, word.text))
            return
        if "dash" in kinds:
            self._dashed(word, pieces)
            return
        if kinds[0] != "rank":
            raise self._no_card(word)
        for place, (kind, piece) in enumerate(pieces):
            if kind == "suit":
                self._note_style(piece)
                self._give(SUITS_OF[piece], word, piece == "?")
                continue
            if piece == "t" and place and kinds[place - 1] == "rank" and text[-1:] == "t":
                before = text[:-1].upper()
                raise asks(word.column, word.text, [f"{before}♣", f"{before} 10"])
            self._put(Card(RANK_OF[piece], ANY, word.column, word.text))

    def _dashed(self, word: Word, pieces: list[tuple[str, str]]) -> None:
        """``3-7`` in a sequence, or ``3-4-5``."""
        kinds = [kind for kind, _ in pieces]
        ranks = [RANK_OF[piece] for kind, piece in pieces if kind == "rank"]
        if kinds != (["rank", "dash"] * len(ranks))[:-1]:
            raise self._no_card(word)
        if len(ranks) > 2:
            for rank in ranks:
                self._put(Card(rank, ANY, word.column, word.text))
            return
        first, last = ranks
        run = bool(self.parts) and self.parts[-1].kind in ("sequence", "pairs")
        if not run or not first < last <= ACE:
            low, high = RANKS[first], RANKS[last]
            raise asks(word.column, word.text, [f"sảnh {low} đến {high}", f"{low} {high}"])
        for rank in range(first, last + 1):
            self._put(Card(rank, ANY, word.column, word.text))

    def _no_card(self, word: Word) -> Trouble:
        doubtful = len(word.plain) > 2 and word.plain not in NO_ACTS
        near = misspelt(word.plain[:40], _KNOWN) if doubtful else None
        return Trouble(
            word.column, word.text, Message(EXPECTED), [MARKED.get(near, near)] if near else [], CARD
        )


def _accented(word: Word) -> str:
    return unicodedata.normalize("NFC", word.text).lower()


def _spelled(word: Word) -> Word:
    """The word with its Telex leftovers taken out where only that makes it a word for cards."""
    plain = word.plain.translate(_VARIANTS)
    if plain not in _KNOWN and plain.isalpha() and len(plain) > 2:
        mended = telex(plain)
        if mended in _KNOWN:
            plain = mended
    return word._replace(plain=plain)
