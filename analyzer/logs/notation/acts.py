"""A line about what somebody did → an event of the log, as plain values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final
from unicodedata import normalize

from analyzer.cards import UNKNOWN
from analyzer.locale import N_, Message
from analyzer.logs.explaining import nearest
from analyzer.logs.notation.card_words import EXPECTED, read_cards
from analyzer.logs.notation.people import People
from analyzer.logs.notation.problems import CARD, Trouble, asks
from analyzer.logs.notation.suits import Held, fixed, settled
from analyzer.logs.notation.texts import Word, fold, misspelt, telex, value_of
from analyzer.logs.notation.words import (
    ACTS,
    DONE,
    DOUBTFUL,
    LEFT,
    MANNERS,
    NO_ACTS,
    WINS,
    WRITTEN_ACTS,
    WRITTEN_MANNERS,
)

_LONGEST: Final = max(len(act.split()) for act in ACTS)
_PLAIN_ACTS: Final = tuple(act for act, kind in ACTS.items() if not kind.startswith("?"))
_WIN_NAMES: Final = (
    {fold(name): id_ for id_, name in WINS.items()}
    | {id_.replace("_", " "): id_ for id_ in WINS}
    | {id_: id_ for id_ in WINS}
)


@dataclass(slots=True)
class Act:
    """An event as read, and where each of its cards stands (columns, from 1)."""

    event: dict[str, Any]
    columns: list[int] = field(default_factory=list)


class ActReader:
    """Reads acts one after the other; what is known of the holdings grows with them."""

    def __init__(self, people: People, held: Held) -> None:
        self.people = people
        self.held = held

    def read(self, seat: int, words: Sequence[Word], body: str) -> Act:
        """The act of a seat; ``words`` are those after the player's name in ``body``. Raises Trouble."""
        if not words:
            raise Trouble(
                len(body) + 1,
                "—",
                Message(N_("what {player} does: cards, or bỏ"), player=self.people.labels[seat]),
            )
        if words[0].plain == "con" and words[0].text.isascii() and len(words) > 1 and words[1].plain != "lai":
            label = self.people.labels[seat]
            told = " ".join(word.text for word in words[1:6])
            raise asks(words[0].column, words[0].text, [f"{label} còn {told}", f"{label} đánh {told}"])
        kind, length = self._kind(words)
        rest = words[length:]
        if kind == "play":
            self._beaten_by(seat, rest)
        if kind.startswith("?"):
            label = self.people.labels[seat]
            told = " ".join(word.text for word in rest[:5])
            raise asks(
                words[0].column,
                " ".join(word.text for word in words[:length]),
                [f"{label} {meaning} {told}".strip() for meaning in DOUBTFUL[kind]],
            )
        if kind == "note":
            after = words[length - 1].column + len(words[length - 1].text) - 1
            text = body[after:].lstrip(" \t:")
            column = len(body) - len(text) + 1
            return Act({"type": "note", "text": value_of(text, column), "seat": seat})
        if kind == "say":
            colon = body[words[length - 1].column - 1 + len(words[length - 1].text) :][:1] == ":"
            return self._say(seat, rest, words[:length], colon)
        return self._act(kind, seat, rest, words)

    def _is_player(self, trouble: Trouble, words: Sequence[Word]) -> None:
        """Tells that a line has one player, where what is no card is the name of another."""
        word = next((one for one in words if one.column == trouble.column), None)
        if trouble.reason != CARD or word is None or len(word.text) < 2:
            return
        try:
            found = self.people.find([word])
        except Trouble:
            return
        if found is not None:
            expected = Message(N_("one player on a line, and then what that player does"))
            raise Trouble(word.column, word.text, expected) from None

    def _beaten_by(self, seat: int, words: Sequence[Word]) -> None:
        """``chặt heo bằng tứ quý 8``: a play tells what is played, not what it lies on."""
        at = next((i for i, word in enumerate(words) if word.plain == "bang"), None)
        if at is not None:
            played = " ".join(word.text for word in words[at + 1 : at + 16])
            raise Trouble(
                words[0].column,
                " ".join(word.text for word in words[:6]),
                Message(N_("only the cards that are played, not what they beat")),
                [f"{self.people.labels[seat]} {played}"],
            )

    def _kind(self, words: Sequence[Word]) -> tuple[str, int]:
        """What the first words call an act, and how many words that takes."""
        try:
            return _act(words)
        except Trouble as trouble:
            self._is_player(trouble, words[:1])
            raise

    def _act(self, kind: str, seat: int, rest: Sequence[Word], words: Sequence[Word]) -> Act:
        end = words[-1].column + len(words[-1].text)
        if kind in ("play", "steal"):
            act = self._with_cards("play", seat, rest, end)
            if kind == "steal":
                act.event["as"] = "steal_lead"
            self.held.spend(seat, act.event["cards"])
            return act
        if kind == "pass":
            return self._pass(seat, rest)
        if kind.startswith("show"):
            act = self._with_cards("show", seat, rest, end)
            act.event["why"] = kind.partition(" ")[2]
            return act
        if kind == "discard":
            act = self._with_cards("discard", seat, rest, end)
            self.held.spend(seat, act.event["cards"])
            return act
        if kind == "exchange":
            return self._exchange(seat, rest, end)
        if kind == "claim":
            return self._claim(seat, rest)
        if kind == "call":
            return self._call(seat, rest, end)
        if rest:
            raise Trouble(rest[0].column, rest[0].text, Message(N_("the end of the line")))
        if kind == "take_back":
            self.held.take_back(seat)
        return Act({"type": kind, "seat": seat})

    # -- acts ------------------------------------------------------------------------------------

    def _pass(self, seat: int, rest: Sequence[Word]) -> Act:
        rest = [word for word in rest if normalize("NFC", word.text.lower()) not in (DONE, fold(DONE))]
        if not rest:
            return Act({"type": "pass", "seat": seat})
        how = MANNERS.get(" ".join(word.plain for word in rest))
        if how is not None:
            return Act({"type": "pass", "seat": seat, "how": how})
        label = self.people.labels[seat]
        told = " ".join(word.text for word in rest[:5])
        try:
            read_cards(rest)
        except Trouble:
            near = misspelt(rest[0].plain[:40], MANNERS)
            raise Trouble(
                rest[0].column,
                told,
                Message(N_("nothing after the pass, or how it was made: nói, nút, hết giờ")),
                [f"{label} bỏ ({WRITTEN_MANNERS[MANNERS[near]]})"] if near else [f"{label} bỏ"],
            ) from None
        raise asks(rest[0].column, told, [f"{label} đánh {told}", f"{label} góp {told}", f"{label} bỏ"])

    def _exchange(self, seat: int, rest: Sequence[Word], end: int) -> Act:
        found = self.people.find(rest)
        if found is None:
            near = self.people.nearest(rest[0].text) if rest else None
            raise Trouble(
                rest[0].column if rest else end,
                rest[0].text if rest else "—",
                Message(N_("the player who gets the cards")),
                [near] if near else [],
            )
        to, length = found
        act = self._with_cards("exchange", seat, rest[length:], end)
        act.event["to"] = to
        self.held.spend(seat, act.event["cards"], to)
        return act

    def _say(self, seat: int, rest: Sequence[Word], words: Sequence[Word], colon: bool) -> Act:
        label = self.people.labels[seat]
        if not rest:
            raise Trouble(
                words[-1].column,
                words[-1].text,
                Message(N_("what was said: bỏ, or đánh and the cards")),
                [f"{label} nói: bỏ"],
            )
        kind, length = _act(rest)
        cards = rest[length:]
        end = rest[-1].column + len(rest[-1].text)
        if kind == "pass":
            if not colon:
                raise asks(
                    words[0].column,
                    " ".join(word.text for word in (*words, *rest)[:4]),
                    [f"{label} nói: bỏ", f"{label} bỏ (nói)"],
                )
            if not cards:
                return Act({"type": "say", "seat": seat, "meaning": "pass"})
        elif kind != "play":
            raise Trouble(
                rest[0].column, rest[0].text, Message(N_("what was said: bỏ, or đánh and the cards"))
            )
        act = self._with_cards("say", seat, cards, end)
        act.event["meaning"] = kind
        return act

    def _claim(self, seat: int, rest: Sequence[Word]) -> Act:
        event: dict[str, Any] = {"type": "claim", "seat": seat}
        at = next((i for i, word in enumerate(rest) if word.plain in ("voi", "with")), len(rest))
        name, cards = rest[:at], rest[at + 1 :]
        if name:
            event["hand"] = _win(name)
        if at == len(rest):
            return Act(event)
        act = self._with_cards("claim", seat, cards, rest[at].column + len(rest[at].text))
        return Act({**act.event, **event}, act.columns)

    def _call(self, seat: int, rest: Sequence[Word], end: int) -> Act:
        left = LEFT.get(" ".join(word.plain for word in rest))
        if left is None:
            label = self.people.labels[seat]
            raise Trouble(
                rest[0].column if rest else end,
                " ".join(word.text for word in rest) or "—",
                Message(N_("how many cards are left: 1, or hết")),
                [f"{label} báo 1", f"{label} báo hết"],
            )
        return Act({"type": "call", "seat": seat, "remaining": left})

    def _with_cards(self, type_: str, seat: int, words: Sequence[Word], end: int) -> Act:
        if not words:
            raise Trouble(end, "—", Message(EXPECTED), reason=CARD)
        told, unknown = apart(words)
        try:
            cards = read_cards(told)
        except Trouble as trouble:
            self._is_player(trouble, told)
            raise
        if not cards and not unknown:
            raise Trouble(words[0].column, words[0].text, Message(EXPECTED), reason=CARD)
        loose = {rank for other, rank in self.held.loose if other == seat}
        listed = 0 if -1 in loose else self.held.listed.get(seat, 0)
        whole = -1 not in loose and seat in self.held.whole
        texts = settled(cards, listed, whole, self.held.elsewhere(seat), loose)
        columns = [card.column for card in cards] + [word.column for word in unknown]
        return Act({"type": type_, "seat": seat, "cards": texts + [UNKNOWN] * len(unknown)}, columns)


def apart(words: Sequence[Word]) -> tuple[list[Word], list[Word]]:
    """The words for cards, and the ``??`` among them."""
    return [w for w in words if w.text != UNKNOWN], [w for w in words if w.text == UNKNOWN]


def _act(words: Sequence[Word]) -> tuple[str, int]:
    """What the first words call an act, and how many words that takes; cards alone are a play."""
    for length in range(min(_LONGEST, len(words)), 0, -1):
        kind = ACTS.get(" ".join(word.plain for word in words[:length]))
        if kind is not None:
            return kind, length
    return _mistyped(words)


def _mistyped(words: Sequence[Word]) -> tuple[str, int]:
    mended = telex(words[0].plain)
    if mended != words[0].plain and mended in ACTS and not ACTS[mended].startswith("?"):
        return ACTS[mended], 1
    try:
        read_cards(words[:1])
    except Trouble as trouble:
        known = words[0].plain in NO_ACTS
        near = None if known else misspelt(words[0].plain[:40], _PLAIN_ACTS)
        if trouble.reason == CARD and (known or near is not None) and words[0].plain.isalpha():
            spoken = None if near is None else WRITTEN_ACTS.get(ACTS[near], "đánh")
            raise Trouble(
                words[0].column,
                words[0].text,
                Message(N_("cards, or what the player does: bỏ, đánh, chặt, báo …")),
                [] if spoken is None else [spoken],
                CARD,
            ) from None
    return "play", 0


def _win(words: Sequence[Word]) -> str:
    """The instant win that these words name."""
    plain = " ".join(word.plain for word in words)
    if plain in _WIN_NAMES:
        return _WIN_NAMES[plain]
    text = " ".join(word.text for word in words)
    if text.startswith('"'):
        return value_of(text, words[0].column)
    near = nearest(plain[:60], sorted(_WIN_NAMES), 0.6)
    raise Trouble(
        words[0].column,
        text,
        Message(N_("an instant win, such as {names}"), names=", ".join(WINS.values())),
        [WINS[_WIN_NAMES[near]]] if near else [],
    )


def fixed_cards(words: Sequence[Word]) -> int:
    """The card set of those cards on a line whose suit is told; none where it cannot be read."""
    try:
        return fixed(read_cards(apart(words)[0]))
    except Trouble:
        return 0
