"""Seats around a table, and who comes after whom. Sets of seats are bit sets."""

from __future__ import annotations

from typing import Final

NOBODY: Final = -1


def _after(seats: int, step: int) -> list[list[int]]:
    """``[able][seat]``: the first seat of the bit set ``able`` met going round from after ``seat``."""
    return [
        [
            next((s for k in range(1, seats + 1) if able >> (s := (seat + step * k) % seats) & 1), NOBODY)
            for seat in range(seats)
        ]
        for able in range(1 << seats)
    ]


WITHOUT: Final = tuple(~(1 << seat) for seat in range(4))
"""Per seat, what leaves it out of a bit set of seats."""

_TABLES: Final = [(seats, step) for seats in (2, 3, 4) for step in (1, -1)]
AFTER: Final = {(seats, step): _after(seats, step) for seats, step in _TABLES}

ROUND: Final = {
    (seats, step): [[(seat + step * k) % seats for k in range(seats)] for seat in range(seats)]
    for seats, step in _TABLES
}
"""``[seats, step][seat]``: all seats, going round from ``seat``."""
