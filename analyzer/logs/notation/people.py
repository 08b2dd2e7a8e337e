"""Players' names: how a line names a player, and which player a name means.

A name may be typed without its marks, or by its first letters, where that means one player only.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from typing import Final

from analyzer.locale import N_, Message
from analyzer.logs.explaining import nearest
from analyzer.logs.notation.problems import Trouble, asks
from analyzer.logs.notation.texts import Word, fold, is_heading, telex
from analyzer.logs.notation.words import DEAL, SEATS

_SIMPLE: Final = re.compile(r"[^\W_](?:[\w.'’-]*\w)?(?: [^\W_](?:[\w.'’-]*\w)?){0,3}")
_SLUG: Final = re.compile(r"[^a-z0-9]+")
_TAKEN: Final = (DEAL, *SEATS)
"""First words of lines that are no acts of a player: no name that begins so is written."""

Names = Sequence[tuple[str, str | None]]
"""Id and name of each player."""

Way = Callable[[Sequence[Word], str], bool]
"""Whether words name the player who is called so."""


def default_ids(names: Sequence[str]) -> list[str]:
    """The ids of players who are given by their names: without marks, and told apart by a number."""
    ids: list[str] = []
    for number, name in enumerate(names, 1):
        slug = _SLUG.sub("-", fold(name)).strip("-")[:100] or f"p{number}"
        ids.append(slug if slug not in ids else f"{slug}-{number}")
    return ids


def labels(players: Names) -> list[str]:
    """How each player is written at the beginning of a line: name, else id, else the seat's number."""
    handles = [{h for h in (name, id_) if h} for id_, name in players]
    chosen = []
    for seat, (id_, name) in enumerate(players):
        others = [_plain(h) for other, hs in enumerate(handles) if other != seat for h in hs]
        # Words after the shorter of a player's two names could be read as the rest of the longer one.
        own = [_plain(h) for h in handles[seat]]
        fitting = (
            h
            for h in (name, id_)
            if h is not None
            and _fits(h, others)
            and not any(longer[: len(_plain(h))] == _plain(h) != longer for longer in own)
        )
        chosen.append(next(fitting, f"nhà {seat + 1}"))
    return chosen


def _plain(name: str) -> tuple[str, ...]:
    return tuple(fold(name).split())


def _fits(name: str, others: Sequence[tuple[str, ...]]) -> bool:
    """Whether a name at the beginning of a line can mean nothing else than its player."""
    if len(name) > 40 or not _SIMPLE.fullmatch(name) or not name[-1].isalnum():
        return False
    plain = _plain(name)
    if not plain or plain[0] in _TAKEN or is_heading(name) or not any(map(str.isalpha, name)):
        return False
    return all(plain[: len(other)] != other[: len(plain)] for other in others)


class People:
    """The players of a hand, found by what somebody typed."""

    def __init__(self, players: Names) -> None:
        self.labels = labels(players)
        made = default_ids([name or "" for _, name in players])
        self.handles = [(seat, name) for seat, (_, name) in enumerate(players) if name]
        # An id that was made of a name is no other name where a name begins so: ``hoa`` may mean
        # another player as well. ``hoa-2`` means one.
        begun = {_plain(name)[:1] for _, name in self.handles}
        self.handles += [
            (seat, id_)
            for seat, (id_, name) in enumerate(players)
            if not name or (id_ != name and not (id_ == made[seat] and _plain(id_) in begun))
        ]
        self.count = len(players)

    def find(self, words: Sequence[Word]) -> tuple[int, int] | None:
        """The seat that the first words name, and how many words that takes; None where they name nobody.

        Raises Trouble where they may name several, or a seat that is not there.
        """
        if not words:
            return None
        if words[0].plain in SEATS and len(words) > 1 and words[1].plain.isdecimal():
            number = words[1].plain
            if number not in ("1", "2", "3", "4")[: self.count]:
                raise Trouble(
                    words[1].column, number, Message(N_("a seat from 1 to {last}"), last=self.count)
                )
            return int(number) - 1, 2
        for alike in self._ways():
            for length in range(min(4, len(words)), 0, -1):
                typed = words[:length]
                seats = self._alike(alike, typed)
                if len(seats) == 1:
                    return seats.pop(), length
                if seats:
                    raise asks(
                        words[0].column,
                        " ".join(word.text for word in typed),
                        [self._told(seat) for seat in sorted(seats)],
                    )
        return None

    def meant(self, typed: Sequence[Word], initials: bool = True) -> set[int]:
        """The seats that all of some words may mean together, by the closest way in which they mean any.

        Without ``initials`` a name's first letters do not mean it.
        """
        ways = list(self._ways()) if typed else []
        found = (self._alike(alike, typed) for alike in (ways if initials else ways[:-1]))
        return next(filter(None, found), set())

    def carried(self, word: str) -> list[str]:
        """What means each player whose name begins with a whole word (folded)."""
        seats = {seat for seat, handle in self.handles if _plain(handle)[:1] == (word,)}
        return [self._told(seat) for seat in sorted(seats)]

    def _alike(self, alike: Way, typed: Sequence[Word]) -> set[int]:
        return {seat for seat, handle in self.handles if alike(typed, handle)}

    def _told(self, seat: int) -> str:
        """What means this player alone: a name that no other has, else the seat's number."""
        others = {handle for other, handle in self.handles if other != seat}
        mine = [*(handle for other, handle in self.handles if other == seat), self.labels[seat]]
        named = [
            one
            for one in mine
            if one not in others
            and not one.startswith("nhà ")
            and _SIMPLE.fullmatch(one)
            and not is_heading(one)
        ]
        return next(iter(named), f"nhà {seat + 1}")

    @staticmethod
    def _ways() -> Iterator[Way]:
        """Ways to be alike, the closest first; the last is by first letters."""

        def nfc(text: str) -> str:
            return unicodedata.normalize("NFC", text)

        yield lambda typed, handle: nfc(" ".join(w.text for w in typed)) == nfc(" ".join(handle.split()))
        yield lambda typed, handle: tuple(w.plain for w in typed) == _plain(handle)
        yield lambda typed, handle: tuple(telex(w.plain) for w in typed) == _plain(handle)
        yield (
            lambda typed, handle: (
                len(typed) == 1 and typed[0].plain.isalpha() and fold(handle).startswith(typed[0].plain)
            )
        )

    def nearest(self, word: str) -> str | None:
        """The player whose name looks most like a word."""
        by_name = {fold(handle): seat for seat, handle in self.handles}
        found = nearest(fold(word[:40]), sorted(by_name), 0.5)
        return None if found is None else self.labels[by_name[found]]
