"""Whether one player lets another off more often than chance allows: the arithmetic, on counts alone.

A plain test of two shares takes seating and luck for guilt: over a million simulated hands of players who
spare nobody it named more than a hundred pairs. Who sits right behind the owner of the cards passes less
often than who sits before him, and the turns of one hand hang together. So a pair is compared with the
player's other turns in the same situation, and the variance is what the hands themselves show. Then the
test is even over those hands, and names nobody.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import erfc, sqrt
from typing import Final

import polars as pl

ENOUGH: Final = 30
"""Turns over the other's cards, and over everybody else's alike, below which a pair is not compared."""

LEVEL: Final = 0.05
"""The chance of naming any pair at all where nobody lets anybody off."""

COUNTS: Final = ("turns", "let_stand", "turns_turns", "turns_let", "let_let")
PLAYER: Final = ("club_id", "player_id")
PAIR: Final = (*PLAYER, "owner_id")
SITUATION: Final = ("rules_id", "players", "distance")

_Z: Final = 1.959963984540054
"""The normal deviate of a 95 % interval."""


def together(counts: Iterable[pl.DataFrame]) -> pl.DataFrame:
    """Many results of the query ``turns`` in one, without holding them all."""
    whole: pl.DataFrame | None = None
    for some in counts:
        both = some if whole is None else pl.concat([whole, some])
        whole = both.group_by(*PAIR, *SITUATION).agg(pl.col(*COUNTS).sum())
    return _nothing() if whole is None else whole


def compare_pairs(counts: pl.DataFrame) -> pl.DataFrame:
    """Every pair with enough turns, the least likely first.

    ``counts`` is what the query ``turns`` gives, any number of rows a pair and situation. Of each pair come
    ``turns`` and ``let_stand``; ``share`` of turns let stand, with its 95 % interval ``low`` to ``high``;
    ``expected``, the share in the same situations against everybody else; ``chance``, how likely so many
    or more would be for anybody among all these pairs if nobody were spared.
    """
    if counts.is_empty():
        return _nothing()
    here = counts.group_by(*PAIR, *SITUATION).agg(pl.col(*COUNTS).sum().cast(pl.Float64))
    whole = pl.col("turns", "let_stand").sum().over(*PLAYER, *SITUATION).name.suffix("_all")
    here = here.with_columns(whole).filter(pl.col("turns_all") > pl.col("turns"))
    if here.is_empty():
        return _nothing()
    turns, let_stand = pl.col("turns"), pl.col("let_stand")
    every, every_let = pl.col("turns_all"), pl.col("let_stand_all")
    rate = every_let / every
    here = here.with_columns(
        others=every - turns,
        elsewhere=turns * (every_let - let_stand) / (every - turns),
        # Mean and variance where the turns let stand fall on the pair by chance (Mantel and Haenszel).
        mean=turns * rate,
        variance=turns * (every - turns) * rate * (1 - rate) / (every - 1),
        plain=turns * rate * (1 - rate),
        shown=pl.col("let_let") - 2 * rate * pl.col("turns_let") + rate * rate * pl.col("turns_turns"),
    )
    plain, shown = here.select(pl.col("plain", "shown").sum()).row(0)
    effect = float(max(1.0, shown / plain)) if plain else 1.0
    """How much wider the counts of whole hands scatter than single turns would (the design effect)."""
    sums = ("turns", "let_stand", "others", "elsewhere", "mean", "variance")
    pairs = here.group_by(*PAIR).agg(pl.col(*sums).sum())
    pairs = pairs.filter((pl.col("turns") >= ENOUGH) & (pl.col("others") >= ENOUGH))
    pairs = pairs.filter(pl.col("variance") > 0)
    if pairs.is_empty():
        return _nothing()
    # Half a step less, as is usual where a count is held against a continuous curve.
    deviate = (let_stand - pl.col("mean") - effect / 2) / (pl.col("variance") * effect).sqrt()
    share, expected = let_stand / turns, pl.col("elsewhere") / turns
    pairs = pairs.with_columns(deviate=deviate, share=share, expected=expected).sort(
        pl.col("deviate").neg(), *PAIR
    )
    bounds = [interval(row[0], row[1] / effect) for row in pairs.select("share", "turns").iter_rows()]
    return pairs.select(
        *PAIR,
        pl.col("turns", "let_stand").cast(pl.Int64),
        "share",
        pl.Series("low", [low for low, _ in bounds], pl.Float64),
        pl.Series("high", [high for _, high in bounds], pl.Float64),
        "expected",
        pl.Series("chance", corrected([erfc(z / sqrt(2)) / 2 for z in pairs["deviate"]]), pl.Float64),
    )


def interval(share: float, turns: float) -> tuple[float, float]:
    """Wilson's 95 % interval of a share over so many independent turns."""
    middle = share + _Z * _Z / (2 * turns)
    reach = _Z * sqrt(share * (1 - share) / turns + _Z * _Z / (4 * turns * turns))
    scale = 1 + _Z * _Z / turns
    return max(0.0, (middle - reach) / scale), min(1.0, (middle + reach) / scale)


def corrected(chances: list[float]) -> list[float]:
    """Chances, smallest first, with Holm's correction for their number."""
    told: list[float] = []
    for rank, chance in enumerate(chances):
        told.append(max(told[-1] if told else 0.0, min(1.0, chance * (len(chances) - rank))))
    return told


def _nothing() -> pl.DataFrame:
    numbers = dict.fromkeys(("share", "low", "high", "expected", "chance"), pl.Float64)
    return pl.DataFrame(
        schema={**dict.fromkeys(PAIR, pl.String), "turns": pl.Int64, "let_stand": pl.Int64, **numbers}
    )
