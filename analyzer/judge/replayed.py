"""What a replay gives: the table before each event, and all that was found."""

from __future__ import annotations

from typing import NamedTuple

from analyzer.judge.debts import Link
from analyzer.judge.findings import Finding
from analyzer.judge.holdings import Holdings
from analyzer.judge.passes import Pass
from analyzer.judge.seats import NOBODY
from analyzer.judge.table import Table
from analyzer.logs.hand import Hand
from analyzer.rules.house import House


class Frame(NamedTuple):
    """The table as it stood before an event (the last one: after all of them)."""

    holdings: tuple[int, ...]
    counts: tuple[int, ...]
    top: int
    owner: int
    passed: int
    frozen: int
    live: int
    out: tuple[int, ...]
    left: tuple[int, ...]
    turn: int
    closed: bool
    trick: int
    on_table: int
    hand_over: bool
    open_held: tuple[int, ...]
    """Per seat, the cards of its holding that stand for a suit nobody remembers."""
    open_top: int
    open_table: int


def frame_of(table: Table) -> Frame:
    """The table as it stands."""
    return Frame(
        tuple(table.holdings),
        tuple(table.counts),
        table.top.cards if table.top is not None else 0,
        table.owner,
        table.passed,
        table.frozen,
        table.live,
        tuple(table.out),
        tuple(table.left),
        table.turn,
        table.closed,
        table.trick,
        table.on_table,
        table.hand_over,
        (0,) * table.seats,
        0,
        0,
    )


class Replay:
    """What replayed of a hand. Lists are in the order of the events."""

    # Written out: mypyc makes a native class of this, and of a dataclass one as slow as Python's.
    __slots__ = (
        "dealt",
        "findings",
        "hand",
        "house",
        "leader",
        "missed",
        "opening",
        "opening_card",
        "redeal",
        "table",
        "tricks",
        "unsure",
        "winners",
    )

    def __init__(self, hand: Hand, house: House, dealt: Holdings, table: Table) -> None:
        self.hand = hand
        self.house = house
        self.dealt = dealt
        self.table = table
        self.findings: list[Finding] = []
        self.missed: list[Pass] = []
        self.unsure: list[Pass] = []
        """Passes that only unknown cards could decide."""
        self.winners: list[tuple[int, str]] = []
        """Instant winners in the order in which they are paid first, where the deal ended the hand."""
        self.redeal = False
        self.leader = NOBODY
        self.opening = False
        self.opening_card = 0
        """The card set that the first play must contain; empty where nothing is required."""
        self.tricks: list[int] = []
        """For each event the number of the trick it belongs to, from 1; 0 before the first play."""

    @property
    def chains(self) -> list[list[Link]]:
        """Every chain of chops, unsettled ones included."""
        return self.table.settled + self.table.chains
