"""Legal plays by plain enumeration, straight from the knobs: slow, obvious, and sharing no code with the engine."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from itertools import combinations, product

from analyzer.rules.knobs import Knobs

Card = tuple[int, int]
Cards = tuple[Card, ...]
BLACK = {0, 1}


def cards_in(mask: int) -> Cards:
    return tuple((card // 4, card % 4) for card in range(52) if mask >> card & 1)


def mask_of(cards: Cards) -> int:
    return sum(1 << (rank * 4 + suit) for rank, suit in cards)


def by_rank(cards: Cards) -> dict[int, list[Card]]:
    groups: dict[int, list[Card]] = defaultdict(list)
    for card in cards:
        groups[card[0]].append(card)
    return groups


def kind_of(cards: Cards) -> str | None:
    """`single`, `pair`, `triple`, `four`, `sequence`, `pairs`, or None."""
    groups = by_rank(cards)
    ranks = sorted(groups)
    sizes = {len(group) for group in groups.values()}
    if len(ranks) == 1:
        return ["single", "pair", "triple", "four"][len(cards) - 1]
    in_row = ranks == list(range(ranks[0], ranks[0] + len(ranks)))
    if not in_row or 12 in ranks or len(ranks) < 3:
        return None
    return "sequence" if sizes == {1} else "pairs" if sizes == {2} else None


def colours(cards: Cards) -> set[bool]:
    return {suit in BLACK for _, suit in cards}


def allowed(knobs: Knobs, cards: Cards) -> bool:
    """Whether this house knows the set as a combination."""
    kind = kind_of(cards)
    if kind is None:
        return False
    if kind == "pairs":
        runs = knobs.combinations.consecutive_pairs
        if runs == "none" or (runs == "one_colour" and len(colours(cards)) > 1):
            return False
    if knobs.combinations.follow == "any":
        return True
    if kind == "pair":
        return len(colours(cards)) == 1
    if kind == "sequence":
        return len({suit for _, suit in cards}) == 1
    return True


def bomb_name(cards: Cards) -> str | None:
    kind = kind_of(cards)
    if kind == "four":
        return "four_of_a_kind"
    if kind == "pairs":
        return {6: "three_pairs", 8: "four_pairs"}.get(len(cards), "five_pairs")
    return None


def target_name(cards: Cards) -> str | None:
    kind = kind_of(cards)
    if kind in ("single", "pair") and cards[0][0] == 12:
        return "two" if kind == "single" else "pair_of_twos"
    return bomb_name(cards)


def higher(knobs: Knobs, cards: Cards, top: Cards) -> bool:
    if bomb_name(cards) and knobs.combinations.compare_bombs == "rank":
        return max(cards)[0] > max(top)[0]
    return max(cards) > max(top)


def follows(knobs: Knobs, cards: Cards, top: Cards) -> bool:
    if knobs.combinations.follow == "any":
        return True
    kind = kind_of(cards)
    if kind == "single":
        return cards[0][0] == 12 or cards[0][1] == top[0][1]
    if kind == "four":
        return True
    if kind == "pair" or (kind == "pairs" and knobs.combinations.consecutive_pairs == "one_colour"):
        return colours(cards) == colours(top)
    if kind == "pairs":
        return True
    return {suit for _, suit in cards} == {suit for _, suit in top}


def beats(knobs: Knobs, cards: Cards, top: Cards) -> bool:
    """Whether an allowed set may be laid on an allowed top by a seat in turn."""
    if kind_of(cards) == kind_of(top) and len(cards) == len(top):
        return higher(knobs, cards, top) and follows(knobs, cards, top)
    target = target_name(top)
    if target is None:
        return False
    names = {bomb_name(cards)}
    if kind_of(cards) == "sequence" and len({suit for _, suit in cards}) == 1:
        names |= {"one_suit_five"} if len(cards) >= 5 else set()
        names |= {"one_suit_six"} if len(cards) >= 6 else set()
    return any(row.by in names and target in row.over for row in knobs.chops)


def goes_out_badly(knobs: Knobs, cards: Cards) -> bool:
    if knobs.finish.with_two == "allowed":
        return False
    if kind_of(cards) == "four":
        return knobs.finish.with_four_of_a_kind
    return all(rank == 12 for rank, _ in cards)


def combinations_in(holding: Cards) -> Iterator[Cards]:
    """Every subset that some house knows as a combination."""
    groups = by_rank(holding)
    for group in groups.values():
        for size in range(1, len(group) + 1):
            yield from combinations(group, size)
    for each in (1, 2):
        for low in range(12):
            for high in range(low + 2, 12):
                ranks = range(low, high + 1)
                if all(len(groups.get(rank, [])) >= each for rank in ranks):
                    for chosen in product(*(list(combinations(groups[rank], each)) for rank in ranks)):
                        yield tuple(card for part in chosen for card in part)


def answers(knobs: Knobs, holding: Cards, top: Cards) -> set[int]:
    """Every legal play on ``top``, as card sets."""
    return {
        mask_of(cards)
        for cards in combinations_in(holding)
        if allowed(knobs, cards)
        and beats(knobs, cards, top)
        and not (len(cards) == len(holding) and goes_out_badly(knobs, cards))
    }
