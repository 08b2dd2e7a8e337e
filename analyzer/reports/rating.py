"""How strong players are, from the places of hands: a statistic, so what it gives are floats."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from openskill.models import PlackettLuce

RATED: Final = 50_000
"""Hands that a rating is made of: the latest of a club. Some 60 µs each."""


class Rating(NamedTuple):
    """A player's strength: a mean and a standard deviation, after so many hands."""

    mu: float
    sigma: float
    hands: int


def rate(placings: Sequence[Sequence[str]]) -> dict[str, Rating]:
    """Person → rating after hands of which each tells its persons, first to last."""
    model = PlackettLuce()
    known: dict[str, Any] = {}
    hands: Counter[str] = Counter()
    for persons in placings:
        if len(set(persons)) != len(persons):
            continue  # two ids of one person at one table: nobody is better than himself
        seats = [[known.get(person) or model.rating()] for person in persons]
        for person, (rating,) in zip(persons, model.rate(seats), strict=True):
            known[person] = rating
            hands[person] += 1
    return {person: Rating(one.mu, one.sigma, hands[person]) for person, one in known.items()}
