"""A stream of notation → the texts of its hands, in bounded memory.

A hand begins at its ``ván`` line; ``van:``, without its accent, may be a line of a player of the hand before
who is called so, and is then left to that hand, whose reader asks. Comments that stand right above a ``ván``
line, parted from the hand before by a blank line, belong to it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from analyzer.logs.notation.lines import Lines
from analyzer.logs.notation.texts import fold, is_heading
from analyzer.logs.refusal import RAW_LIMIT

_BOM: Final = b"\xef\xbb\xbf"


class Chunk(NamedTuple):
    """The text of one hand; ``size`` is its full length where ``text`` is only its beginning."""

    line: int
    offset: int
    text: bytes
    size: int


@dataclass(slots=True)
class _Hand:
    """A hand while its lines come in."""

    line: int
    offset: int
    limit: int
    text: bytearray = field(default_factory=bytearray)
    size: int = 0
    told: bool = False
    """Whether it has a line that is neither blank nor a comment."""
    seats: dict[str, bool] = field(default_factory=dict)
    """Word that may begin a hand → whether a player of this one is called so."""

    def add(self, piece: bytes) -> None:
        self.size += len(piece)
        if self.size <= self.limit:
            self.text += piece
        else:
            del self.text[RAW_LIMIT:]

    def may_seat(self, heading: str) -> bool:
        """Whether a line that begins like a hand's may tell what a player of this hand does."""
        word = fold(heading.partition(":")[0]).strip()
        if is_heading(heading.partition(":")[0]):  # with its accent it is no name
            return False
        if word not in self.seats:
            lines = Lines(self.text.decode("utf-8", "replace"), 1)
            lines.take()
            self.seats[word] = lines.people is not None and bool(lines.people.carried(word))
        return self.seats[word]

    def chunk(self) -> Chunk:
        return Chunk(self.line, self.offset, bytes(self.text), self.size)


def cut(more: Callable[[], bytes], limit: int) -> Iterator[Chunk]:
    """The hands of a stream whose next bytes ``more`` gives.

    Of a hand longer than ``limit`` bytes only the beginning is kept.
    """
    hand = _Hand(1, 0, limit)
    tail: list[bytes] = []
    waiting = 0  # bytes in the tail
    line, offset, whole = 0, 0, True
    for piece in _pieces(more, limit):
        begins, whole = whole, piece.endswith(b"\n")
        line += begins
        bare = piece.strip()
        if begins and line == 1 and piece.startswith(_BOM):
            bare = bare[3:]
        head = bare[:200].decode("utf-8", "replace")
        if begins and is_heading(head) and hand.told and not hand.may_seat(head):
            above = _above(tail)
            for one in tail[: len(tail) - above]:
                hand.add(one)
            yield hand.chunk()
            moved = tail[len(tail) - above :]
            hand = _Hand(line - above, offset - sum(map(len, moved)), limit)
            for one in moved:
                hand.add(one)
            tail, waiting = [], 0
        if begins and whole and (not bare or bare.startswith(b"#")) and waiting <= limit:
            tail.append(piece)
            waiting += len(piece)
        else:
            for one in (*tail, piece):
                hand.add(one)
            hand.told = hand.told or bool(bare and not bare.startswith(b"#"))
            tail, waiting = [], 0
        offset += len(piece)
    for one in tail:
        hand.add(one)
    if hand.told or hand.text.strip(_BOM + b" \t\r\n"):
        yield hand.chunk()


def _above(tail: list[bytes]) -> int:
    """How many lines at the end of ``tail`` are comments right above the next hand."""
    blank = next((i for i in range(len(tail) - 1, -1, -1) if not tail[i].strip()), None)
    return 0 if blank is None else len(tail) - 1 - blank


def _pieces(more: Callable[[], bytes], limit: int) -> Iterator[bytes]:
    """Lines with their ends; one that is too long in parts."""
    rest = b""
    while block := more():
        *lines, rest = (rest + block).split(b"\n")
        for line in lines:
            yield line + b"\n"
        if len(rest) > limit:
            yield rest
            rest = b""
    if rest:
        yield rest
