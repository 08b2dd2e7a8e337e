"""A rule set made ready to be asked: what may be played, what beats what, what it costs.

The knobs are read once, here; the judge then works on integers. Prices are *thousandths of a stake*,
so that every amount (price × stake) is a whole number of thousandths of the currency's unit.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from decimal import Decimal
from functools import lru_cache
from itertools import islice
from typing import Final

from analyzer.cards import BLACK, RED, SUIT_SETS, TWOS, set_of
from analyzer.combinations import (
    FOUR,
    M1,
    M3,
    M7,
    NO_TWOS,
    PAIR,
    PAIRS,
    SEQUENCE,
    SINGLE,
    TRIPLE,
    above_same_rank,
    choices,
    classify,
    kinds_in,
    pair_tops,
    ranks_with,
    run_ends,
    triple_tops,
)
from analyzer.rules.instant_wins import INSTANT_WIN_ORDER, first_name, instant_wins
from analyzer.rules.leftovers import TWO_PRICES, Leftovers
from analyzer.rules.plays import (
    BOMB_TARGETS,
    FIVE_PAIRS,
    FOUR_OF_A_KIND,
    FOUR_PAIRS,
    LOOSE,
    PAIR_OF_TWOS,
    THREE_PAIRS,
    TWO_TARGETS,
    Play,
)
from analyzer.rules.ruleset import RuleSet, row_path

TARGET_BITS: Final = {
    "two": TWO_TARGETS,
    "pair_of_twos": PAIR_OF_TWOS,
    "three_pairs": THREE_PAIRS,
    "four_of_a_kind": FOUR_OF_A_KIND,
    "four_pairs": FOUR_PAIRS,
    "five_pairs": FIVE_PAIRS,
}

BOMB_PRICES: Final = {
    THREE_PAIRS: "three_pairs",
    FOUR_OF_A_KIND: "four_of_a_kind",
    FOUR_PAIRS: "four_pairs",
    FIVE_PAIRS: "four_pairs",
}
RUN_LENGTHS: Final = {"three_pairs": 3, "four_pairs": 4, "five_pairs": 5}
RUN_NAMES: Final = {length: name for name, length in RUN_LENGTHS.items()}
SUITED_LENGTHS: Final = {"one_suit_five": 5, "one_suit_six": 6}
_CACHE_LIMIT: Final = 16_384
MOST_ANSWERS: Final = 512
"""So many answers are listed at most: more than any thirteen cards have."""


class House:
    """One rule set, compiled."""

    def __init__(self, rules: RuleSet) -> None:
        knobs = rules.knobs
        self.rules = rules
        self.knobs = knobs
        self.step = 1 if knobs.table.direction == "counterclockwise" else -1
        self.hand_size = knobs.table.hand_size
        self.by_suit = knobs.combinations.follow == "suit"
        self.by_rank = knobs.combinations.compare_bombs == "rank"
        self.runs = knobs.combinations.consecutive_pairs
        self.pass_lock = knobs.tricks.pass_lock
        self.auto_close = knobs.tricks.auto_close
        self.words_bind = knobs.conduct.words_bind
        self.seconds = knobs.conduct.seconds_per_turn
        self.one_card_duty = knobs.forfeit.one_card_duty
        self.hoarded_bomb = knobs.forfeit.hoarded_bomb
        self.sweep_broken = knobs.finish.sweep_broken
        self.finish = knobs.finish.with_two
        self.finish_free = self.finish == "allowed"
        self.first_out = knobs.end.when == "first_out"
        self.frozen = knobs.frozen.mode
        self.two_over_two = knobs.chop_money.two_over_two
        self.prices = [milli(getattr(knobs.prices, name)) for name in TWO_PRICES]
        self.bomb_prices = {bit: milli(getattr(knobs.prices, name)) for bit, name in BOMB_PRICES.items()}
        rotten = {
            name: milli(
                getattr(knobs.rotten_prices, name)
                if getattr(knobs.rotten_prices, name) is not None
                else getattr(knobs.prices, name)
            )
            for name in (*TWO_PRICES, "three_pairs", "four_of_a_kind", "four_pairs")
        }
        self.left = Leftovers(self.runs, rotten)
        self._money()
        self._opening_wins = self._win_bits(knobs.instant_wins.opening)
        self._other_wins = self._win_bits(knobs.instant_wins.other)
        self._rows()
        self.plays: dict[tuple[str, ...], Play] = {}
        """Plays already read, by their canonical card texts."""
        self._by_cards: dict[int, Play] = {}

    def _money(self) -> None:
        """The amounts that settlement reads, in thousandths of a stake."""
        knobs = self.knobs
        self.place_rows = {
            players: [
                (row.from_, row.to, milli(row.stakes), row_path("places", row))
                for row in knobs.places
                if row.players == players
            ]
            for players in (2, 3, 4)
        }
        self.card_rows = [
            (row.up_to, milli(row.stakes), row_path("card_count", row))
            for row in sorted(knobs.card_count, key=lambda row: row.up_to)
        ]
        self.frozen_stakes = milli(knobs.frozen.stakes)
        self.win_stakes = milli(knobs.instant_wins.stakes)
        self.two_stakes = milli(knobs.finish.with_two_stakes)
        self.twos_flat = None if knobs.rotten.twos_flat is None else milli(knobs.rotten.twos_flat)
        self.loss_cap = None if knobs.finish.loss_cap is None else milli(knobs.finish.loss_cap)

    def _win_bits(self, names: Iterable[str]) -> int:
        if self.knobs.instant_wins.four_twos != "win":
            names = [name for name in names if name != "four_twos"]
        return sum(1 << INSTANT_WIN_ORDER.index(name) for name in set(names))

    def _rows(self) -> None:
        """What each bomb lies over, and per target the bombs that chop it."""
        over: dict[str, int] = {}
        free: dict[str, int] = {}
        own: dict[str, bool] = {}
        for row in self.knobs.chops:
            targets = 0
            for target in row.over:
                if target == "own":
                    own[row.by] = row.free
                else:
                    targets |= TARGET_BITS[target]
            over[row.by] = over.get(row.by, 0) | targets
            free[row.by] = free.get(row.by, 0) | (targets if row.free else 0)
        self._over, self._free, self._own = over, free, own
        self._choppers = {
            bit: [by for by, targets in over.items() if targets & bit]
            for bit in (1, 2, 4, 8, PAIR_OF_TWOS, THREE_PAIRS, FOUR_OF_A_KIND, FOUR_PAIRS, FIVE_PAIRS)
        }
        self._free_choppers = {
            bit: [by for by, targets in free.items() if targets & bit] for bit in self._choppers
        }
        self._chop_tests = {bit: self._chop_test(names) for bit, names in self._choppers.items()}
        self._free_chop_tests = {bit: self._chop_test(names) for bit, names in self._free_choppers.items()}
        self._choppable = sum(bit for bit, names in self._choppers.items() if names)

    def _chop_test(self, names: list[str]) -> tuple[bool, int, int]:
        """What a holding needs to chop: four of a kind will do; so long a run of pairs; of one suit."""
        runs = [RUN_LENGTHS[name] for name in names if name in RUN_LENGTHS and self.runs != "none"]
        suited = [SUITED_LENGTHS[name] for name in names if name in SUITED_LENGTHS]
        return "four_of_a_kind" in names, min(runs, default=0), min(suited, default=0)

    # -- reading a set of cards ------------------------------------------------------------------

    def play(self, texts: tuple[str, ...]) -> Play:
        """The play that these card texts (all of them good spellings) make. Raises SuitOpen."""
        found = self.plays.get(texts)
        if found is None:
            found = self.read(set_of(texts))
            if len(self.plays) >= _CACHE_LIMIT:
                self.plays.clear()
            self.plays[texts] = found
        return found

    def read(self, cards: int) -> Play:
        """The play that a card set makes."""
        found = self._by_cards.get(cards)
        if found is None:
            found = self._read(cards)
            if len(self._by_cards) >= _CACHE_LIMIT:
                self._by_cards.clear()
            self._by_cards[cards] = found
        return found

    def _read(self, cards: int) -> Play:
        play = Play(cards)
        combination = classify(cards)
        if combination is None:
            return play
        kind, length, top = combination
        play.kind, play.length = kind, length
        play.base = ((top >> 2) - (length if kind in (SEQUENCE, PAIRS) else 1) + 1) << 2
        suits = self._suits(kind, cards)
        play.allowed = suits >= 0
        play.shape = (kind << 8) | (length << 4) | (suits + 1)
        play.strength = top | 3 if self.by_rank and kind in (FOUR, PAIRS) else top
        bomb = ""
        if kind == FOUR:
            play.target, bomb = FOUR_OF_A_KIND, "four_of_a_kind"
        elif kind == PAIRS:
            bomb = RUN_NAMES.get(length, "five_pairs")
            play.target = TARGET_BITS[bomb]
        elif kind == SINGLE:
            self._read_single(play, top)
        elif kind == PAIR and cards & TWOS:
            play.target = PAIR_OF_TWOS
        elif kind == SEQUENCE and length >= 5 and self._one_suit(cards):
            play.over |= self._over.get("one_suit_five", 0)
            play.free |= self._free.get("one_suit_five", 0)
            if length >= 6:
                play.over |= self._over.get("one_suit_six", 0)
                play.free |= self._free.get("one_suit_six", 0)
            play.links = play.over
        if bomb and play.allowed:
            play.over = play.links = self._over.get(bomb, 0)
            play.free = self._free.get(bomb, 0)
            play.own_link = bomb in self._own
            play.own_free = self._own.get(bomb, False)
        play.may_chop = (
            bool(play.links)
            or play.own_link
            or (self.knobs.chop_money.charge_uncut_twos and bool(play.target & TWO_TARGETS))
        )
        play.closes = self.auto_close and (
            (kind == TRIPLE and bool(cards & TWOS)) or (kind == SEQUENCE and top == 47)
        )
        if play.target == LOOSE and self.finish_free and not self.by_suit:
            play.above = top + 1
        if play.allowed and not play.may_chop and not play.closes:
            play.order = play.shape << 6 | play.strength
            play.limit = (play.shape + 1) << 6
        return play

    def _read_single(self, play: Play, top: int) -> None:
        if top < 48:
            play.target = LOOSE
            return
        suit = top & 3
        play.target = 1 << suit
        lower_twos = (1 << suit) - 1
        if self.by_suit:
            play.over = LOOSE | lower_twos
            play.links = lower_twos if self.two_over_two else 0
        play.own_link = self.two_over_two

    def _suits(self, kind: int, cards: int) -> int:
        """What an answer must follow (0 where nothing), or -1 where the set is not allowed here."""
        if kind == PAIRS:
            if self.runs == "none":
                return -1
            if self.runs == "any":
                return 0
            colour = _colour(cards)
            return colour if self.by_suit or colour < 0 else 0
        if not self.by_suit or kind == FOUR:
            return 0
        if kind == SINGLE:
            return cards.bit_length() - 1 & 3
        if kind == TRIPLE:
            rank = (cards.bit_length() - 1) >> 2
            return (cards >> (rank * 4)) & 0xF
        if kind == SEQUENCE:
            return next((suit for suit in range(4) if not cards & ~SUIT_SETS[suit]), -1)
        return _colour(cards)

    @staticmethod
    def _one_suit(cards: int) -> bool:
        return any(not cards & ~suit for suit in SUIT_SETS)

    # -- what can be played ----------------------------------------------------------------------

    def can_beat(self, holding: int, top: Play, whole: bool = True) -> bool:
        """The pass test: does the holding have a legal play on ``top``, for a seat in turn?

        ``whole`` says that the holding is all the seat has, so that a play of all of it goes out.
        """
        if not self.finish_free and whole and self._could_finish_badly(holding):
            return any(True for _ in self.answers(holding, top))
        # What follows a play has a card above its highest; the smallest bomb has four cards.
        if holding >> (top.top + 1) and self._can_follow(holding, top):
            return True
        return top.target & self._choppable != 0 and holding.bit_count() >= 4 and self.can_chop(holding, top)

    def _could_finish_badly(self, holding: int) -> bool:
        return not holding & ~TWOS or (
            self.knobs.finish.with_four_of_a_kind and holding.bit_count() == 4 and ranks_with(holding, 4) != 0
        )

    def can_chop(self, holding: int, top: Play, free_only: bool = False) -> bool:
        """Whether the holding has a bomb of another kind that chops ``top``."""
        tests = self._free_chop_tests if free_only else self._chop_tests
        test = tests.get(top.target)
        if test is None:
            return False
        four, run, suited = test
        if four and ranks_with(holding, 4):
            return True
        if run and self._has_run(holding, run):
            return True
        return suited > 0 and any(run_ends((holding >> suit) & M1, suited) for suit in range(4))

    def choppers(self, top: Play, free_only: bool = False) -> list[str]:
        """The bombs of another kind that chop ``top``, by the names of the rows."""
        return (self._free_choppers if free_only else self._choppers).get(top.target, [])

    def _pair_ranks(self, holding: int) -> tuple[int, ...]:
        """Rank bits that can stand in a run of pairs, one entry a colour where runs are of one."""
        if self.runs == "any":
            return (ranks_with(holding, 2),)
        if self.runs == "one_colour":
            both = holding & (holding >> 1)
            return both & M1, (both >> 2) & M1
        return ()

    def _can_follow(self, holding: int, top: Play) -> bool:
        """Whether the holding has a higher play of ``top``'s own shape (or, North, a two on a single)."""
        kind = top.kind
        if self.by_suit and kind not in (FOUR, PAIRS):
            return self._follows_suit(holding, top)
        # Cards of ranks that cannot be part of an answer are shifted out: small integers are quicker.
        base = top.base
        above = top.top + 1 - base
        cards = holding >> base
        if kind == SINGLE:
            return cards >> above != 0
        if kind == PAIR:  # as pair_tops has it, without the call
            lower = ((cards & M7) << 1) | ((cards & M3) << 2) | ((cards & M1) << 3)
            return (cards & lower) >> above != 0
        if kind == SEQUENCE:
            cards &= NO_TWOS >> base
            ranks = (cards | (cards >> 1) | (cards >> 2) | (cards >> 3)) & M1
            return (cards & (run_ends(ranks, top.length) * 15)) >> above != 0
        if kind == TRIPLE:
            return triple_tops(cards) >> above != 0
        if kind == PAIRS:
            return self._higher_run(holding, top)
        return (ranks_with(cards, 4) << 3) >> above != 0

    def _higher_run(self, holding: int, top: Play) -> bool:
        colours = self._pair_ranks(holding)
        if self.runs == "one_colour" and self.by_suit:
            colours = (colours[_colour(top.cards)],)
        for index, ranks in enumerate(colours):
            ends = run_ends(ranks, top.length)
            if not ends:
                continue
            if self.by_rank:
                highest = ends << 3
            elif self.runs == "any":
                highest = pair_tops(holding) & (ends * 15)
            else:
                colour = _colour(top.cards) if self.by_suit else index
                highest = ends << (1 + 2 * colour)
            if highest >> (top.strength + 1):
                return True
        return False

    def _follows_suit(self, holding: int, top: Play) -> bool:
        above = top.top + 1
        if top.kind == SINGLE:
            if (holding & SUIT_SETS[top.top & 3]) >> above:
                return True
            return (holding & TWOS) >> above != 0
        if top.kind == PAIR:
            high = SUIT_SETS[1] if _colour(top.cards) == 0 else SUIT_SETS[3]
            return (
                above_same_rank(holding, holding & (BLACK if high == SUIT_SETS[1] else RED)) & high
            ) >> above != 0
        if top.kind == TRIPLE:
            nibble = (top.cards >> ((top.top >> 2) * 4)) & 0xF
            ranks = M1
            for suit in range(4):
                if nibble >> suit & 1:
                    ranks &= holding >> suit
            return (ranks << (top.top & 3)) >> above != 0
        suit = top.top & 3
        return (run_ends((holding >> suit) & M1, top.length) << suit) >> above != 0

    def answers(self, holding: int, top: Play, whole: bool = True) -> Iterator[Play]:
        """Every legal play on ``top`` by a seat in turn, in no set order.

        At most ``MOST_ANSWERS`` of each kind and length: a log may give one seat the whole deck, which
        has millions.
        """
        shapes = {(top.kind, top.length)}
        if top.target and top.target != LOOSE:
            for name in self._choppers[top.target]:
                shapes |= set(self._bomb_shapes(holding, name))
        for kind, length in shapes:
            for cards in islice(self._candidates(holding, kind, length, top), MOST_ANSWERS):
                play = self.read(cards)
                if (
                    play.allowed
                    and play.beats(top)
                    and not (whole and cards == holding and self.finishes_badly(play))
                ):
                    yield play

    def _candidates(self, holding: int, kind: int, length: int, top: Play) -> Iterator[int]:
        """The combinations of this kind and length in a holding that may be answers to ``top``."""
        parts: tuple[int, ...] = (holding,)
        if kind == SEQUENCE and (self.by_suit or top.kind != SEQUENCE):
            parts = tuple([holding & suit for suit in SUIT_SETS])
        elif kind == PAIRS and self.runs == "one_colour":
            parts = (holding & BLACK, holding & RED)
        above = top.strength if (kind, length) == (top.kind, top.length) else -1
        for part in parts:
            yield from choices(part, kind, length, above)

    def chops(
        self, holding: int, top: Play, passed: bool, chained: bool, whole: bool = True
    ) -> Iterator[Play]:
        """Every chop of ``top``; of a seat that has ``passed`` in the trick only the free ones.

        ``chained`` says that the top is itself the last link of a chain: a higher bomb of its own kind
        is then the next link.
        """
        if not top.target & ~LOOSE:
            return
        if not (
            top.target & BOMB_TARGETS or self.two_over_two or self.can_chop(holding, top, free_only=passed)
        ):
            return
        for play in self.answers(holding, top, whole):
            if play.chops_freely(top) if passed else play.links_on(top, chained):
                yield play

    def leads(self, holding: int, whole: bool = True) -> Iterator[Play]:
        """Every legal lead from a holding, in no set order."""
        for kind, length in kinds_in(holding):
            for cards in choices(holding, kind, length):
                play = self.read(cards)
                if not play.allowed:
                    continue
                if whole and cards == holding and self.finishes_badly(play) and holding & ~TWOS:
                    continue
                yield play

    @staticmethod
    def _bomb_shapes(holding: int, name: str) -> list[tuple[int, int]]:
        size = holding.bit_count()
        if name == "four_of_a_kind":
            return [(FOUR, 1)]
        if name.startswith("one_suit"):
            return [(SEQUENCE, n) for n in range(5 if name == "one_suit_five" else 6, size + 1)]
        if name == "five_pairs":
            return [(PAIRS, n) for n in range(5, size // 2 + 1)]
        return [(PAIRS, 3 if name == "three_pairs" else 4)]

    # -- going out -------------------------------------------------------------------------------

    def finishes_badly(self, play: Play) -> bool:
        """Whether going out on this play is `finished_with_two` here."""
        if self.finish == "allowed":
            return False
        if play.kind == FOUR:
            return self.knobs.finish.with_four_of_a_kind
        return not play.cards & ~TWOS

    # -- prices ----------------------------------------------------------------------------------

    def price(self, play: Play) -> int:
        """What a two, a pair of twos or a bomb costs its owner when chopped, in thousandths of a stake."""
        if play.kind in (SINGLE, PAIR):
            return sum(self.prices[suit] for suit in range(4) if play.cards >> (48 + suit) & 1)
        return self.bomb_prices.get(play.target, 0)

    def price_paths(self, play: Play) -> list[str]:
        """The knobs that ``price`` read."""
        if play.kind in (SINGLE, PAIR):
            return [f"prices.{TWO_PRICES[suit]}" for suit in range(4) if play.cards >> (48 + suit) & 1]
        return [f"prices.{BOMB_PRICES[play.target]}"] if play.target in BOMB_PRICES else []

    def _has_run(self, holding: int, length: int) -> bool:
        """Whether a holding has so many consecutive pairs, as pairs may run here."""
        if self.runs == "any":
            return run_ends(ranks_with(holding, 2), length) != 0
        return any(run_ends(ranks, length) for ranks in self._pair_ranks(holding))

    # -- before the first play -------------------------------------------------------------------

    def wins(self, opening: bool) -> int:
        """The instant wins of a hand, as bits in the order of the list of all."""
        return self._opening_wins if opening else self._other_wins

    def instant_win_names(self, opening: bool) -> list[str]:
        """The instant wins of a hand, by their ids."""
        wins = self.wins(opening)
        return [name for bit, name in enumerate(INSTANT_WIN_ORDER) if wins >> bit & 1]

    def instant_win(self, holding: int, opening: bool) -> str | None:
        """The first instant win (in the order of the list of all) that this holding is, or None."""
        wins = instant_wins(holding) & self.wins(opening)
        return first_name(wins) if wins else None


def milli(value: Decimal) -> int:
    """Thousandths of an exact amount."""
    return int(value.scaleb(3))


def _colour(cards: int) -> int:
    """0 where all cards are black, 1 where all are red, else -1."""
    return 0 if not cards & RED else 1 if not cards & BLACK else -1


@lru_cache(maxsize=256)
def house_of(rules: RuleSet) -> House:
    """The compiled form of a rule set, made once."""
    return House(rules)
