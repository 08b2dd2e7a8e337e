"""The text of a hand → its log, read as any other log, or what is wrong with it and where."""

from __future__ import annotations

import hashlib
import io
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import msgspec

from analyzer.cards import UNKNOWN
from analyzer.locale import N_, Message
from analyzer.logs.hand import Hand
from analyzer.logs.notation.acts import ActReader, apart, fixed_cards
from analyzer.logs.notation.card_words import read_cards
from analyzer.logs.notation.hands import cut
from analyzer.logs.notation.lines import COMMENTS, MOST_PROBLEMS, PLAYERS, Done, Holding, Lines
from analyzer.logs.notation.problems import MISSING, Problem, Trouble
from analyzer.logs.notation.suits import Held, settled
from analyzer.logs.notation.texts import Word, value_of
from analyzer.logs.notation.words import UNKNOWN_HOLDING, WHOLE
from analyzer.logs.reading import MAX_RECORD
from analyzer.logs.reading import read as read_log
from analyzer.logs.refusal import Fault
from analyzer.rules.faults import RulesError
from analyzer.rules.loading import resolve
from analyzer.rules.ruleset import RuleSet

_encoder: Final = msgspec.json.Encoder(decimal_format="number")
NEEDED: Final = {
    "players": PLAYERS,
    "rules": "luật: mien-nam",
    "stake": "cược: 10.000",
}
"""What a hand cannot do without → a line that tells it."""


@dataclass(frozen=True, slots=True)
class Reading:
    """One hand of a text, as far as it could be read.

    ``log`` is the log as plain values (amounts ``int`` or ``Decimal``), ``raw`` the same as JSON; both and
    ``hand`` and ``rules`` are None where there are ``problems``. ``line`` is where the hand begins.
    """

    line: int
    problems: tuple[Problem, ...] = ()
    log: dict[str, Any] | None = None
    raw: bytes | None = None
    hand: Hand | None = None
    rules: RuleSet | None = None

    @property
    def in_progress(self) -> bool:
        """Whether nothing is wrong so far but that something is missing, which may yet be typed."""
        return bool(self.problems) and all(problem.unfinished for problem in self.problems)


def read(text: str) -> list[Reading]:
    """Every hand of a text, in order. A hand begins at its ``ván`` line; the first may do without."""
    stream = io.BytesIO(text.encode("utf-8", "surrogatepass"))
    return [read_chunk(*chunk) for chunk in cut(lambda: stream.read(1 << 18), MAX_RECORD)]


def read_chunk(line: int, offset: int, text: bytes, size: int) -> Reading:
    """The one hand of a text that begins on line ``line`` of its file, as :func:`cut` gives it."""
    if size > MAX_RECORD:
        expected = Message(N_("at most {n} bytes in one hand"), n=MAX_RECORD)
        return Reading(line, (Problem(line, 1, "record_too_large", f"{size} B", expected),))
    try:
        typed = text.decode()
    except UnicodeDecodeError as error:
        before = text[: error.start]
        column = error.start - (before.rfind(b"\n") + 1) + 1
        found = f"byte 0x{text[error.start]:02x}"
        number = line + before.count(b"\n")
        return Reading(line, (Problem(number, column, "bad_encoding", found, Message(N_("UTF-8"))),))
    return _Reader(Lines(typed, line)).run()


class _Reader:
    """Makes a log of the lines of a hand."""

    def __init__(self, lines: Lines) -> None:
        self.lines = lines

    def run(self) -> Reading:
        lines = self.lines
        lines.take()
        if lines.people is not None:
            self._acts(ActReader(lines.people, self._deal()))
        if not lines.problems:
            self._complete()
        if lines.problems:
            problems = sorted(lines.problems, key=lambda problem: (problem.line, problem.column))
            return Reading(lines.first, tuple(problems))
        return self._checked()

    # -- holdings and acts -----------------------------------------------------------------------

    def _deal(self) -> Held:
        """Reads the holdings, all together."""
        held = Held()
        if not self.lines.draft.holdings:
            return held
        assert self.lines.people is not None
        size = hand_size(self.lines.draft.log.get("rules"))
        told = {seat: fixed_cards(_to_cards(h.words)[0]) for seat, h in self.lines.draft.holdings.items()}
        deal: list[list[str] | None] = [None] * self.lines.people.count
        for seat, holding in self.lines.draft.holdings.items():
            elsewhere = 0
            for other, cards in told.items():
                elsewhere |= cards if other != seat else 0
            self.lines.trying(holding.line, self._one_holding, deal, seat, holding, elsewhere, size)
        self.lines.draft.log["deal"] = deal
        for seat, cards_ in enumerate(deal):
            if cards_ is not None:
                held.deal(seat, cards_, size)
        return held

    def _one_holding(
        self, deal: list[list[str] | None], seat: int, holding: Holding, elsewhere: int, size: int
    ) -> None:
        plain = " ".join(word.plain for word in holding.words)
        if plain in UNKNOWN_HOLDING:
            return
        told, whole, open_ = _to_cards(holding.words)
        known, unknown = apart(told)
        cards = read_cards(known)
        texts = settled(cards, 0, False, elsewhere, set()) + [UNKNOWN] * len(unknown)
        columns = [card.column for card in cards] + [word.column for word in unknown]
        if open_:
            texts += [UNKNOWN] * (size - len(texts))
        elif len(texts) < size and not whole:
            end = len(holding.body) + 1
            line = holding.body.strip()
            raise Trouble(
                end,
                str(len(texts)),
                Message(
                    N_("{n} cards; fewer end in … where the rest is not known, or in hết where that was all"),
                    n=size,
                ),
                [f"{line} …", f"{line} hết"],
                "two_readings",
            )
        for index, column in enumerate(columns):
            self.lines.draft.where[f"deal[{seat}][{index}]"] = holding.line, column
        deal[seat] = texts

    def _acts(self, reader: ActReader) -> None:
        events: list[dict[str, Any]] = []
        for index, done in enumerate(self.lines.draft.acts):
            if len(self.lines.problems) >= MOST_PROBLEMS:
                break
            self.lines.trying(done.line, self._one_act, reader, events, index, done)
        self.lines.draft.log["events"] = events

    def _one_act(self, reader: ActReader, events: list[dict[str, Any]], index: int, done: Done) -> None:
        if done.seat is None:
            text = done.body[done.words[0].column - 1 :].lstrip(" \t:")
            event: dict[str, Any] = {"type": "note", "text": value_of(text, len(done.body) - len(text) + 1)}
        else:
            act = reader.read(done.seat, done.words, done.body)
            event = act.event
            for number, column in enumerate(act.columns):
                self.lines.draft.where[f"events[{index}].cards[{number}]"] = done.line, column
        if done.at is not None:
            seconds = float(done.at)
            event["at"] = int(seconds) if seconds.is_integer() and done.at != "-0" else seconds
        events.append(event)

    # -- the whole -------------------------------------------------------------------------------

    def _complete(self) -> None:
        """Tells the first thing that a hand needs and that no line has told."""
        log = self.lines.draft.log
        rules = log.get("rules")
        for key, example in NEEDED.items():
            if log.get(key) is None or (
                key == "rules" and isinstance(rules, dict) and rules["extends"] is None
            ):
                self.lines.problems.append(
                    Problem(
                        self.lines.first,
                        1,
                        MISSING,
                        "—",
                        Message(N_("a line such as {example}"), example=example),
                        (example,),
                        unfinished=True,
                    )
                )
                return
        if COMMENTS in self.lines.draft.own and self.lines.draft.comments:
            line, column = self.lines.draft.where[COMMENTS]
            expected = Message(N_("either this line or comments, not both"))
            self.lines.problems.append(Problem(line, column, "bad_line", COMMENTS, expected))

    def _checked(self) -> Reading:
        """The log, read by the reader of logs."""
        draft = self.lines.draft
        told = draft.log
        told.setdefault("events", [])
        if "hand_id" not in told:
            plain = _encoder.encode(told)
            told["hand_id"] = "van-" + hashlib.sha256(plain).hexdigest()[:12]
        log = {"format": "tienlen-hand/1", "hand_id": told["hand_id"], **draft.own}
        if draft.comments:
            log[COMMENTS] = draft.comments
        log |= told
        try:
            for path, value, line in draft.nested:
                _set_nested(log, path, value, line)
            raw = encoded(log)
            hand, rules, _ = read_log(raw)
        except Fault as fault:
            return Reading(self.lines.first, (self._placed(fault),))
        except Trouble as trouble:
            line = int(trouble.found.partition(":")[0])
            return Reading(self.lines.first, (Problem(line, 1, "bad_line", "_", trouble.expected),))
        return Reading(self.lines.first, (), log, raw, hand, rules)

    def _placed(self, fault: Fault) -> Problem:
        """A fault of the log at the line and column that told what is wrong."""
        path = fault.path
        while path and path not in self.lines.draft.where:
            path = (
                re.sub(r"(\.[^.\[\]]*|\[[^\[\]]*\]|^[^.\[\]]+)$", "", path) if path[-1] != "." else path[:-1]
            )
        line, column = self.lines.draft.where.get(path, (self.lines.first, 1))
        unfinished = line == self.lines.last
        return Problem(line, column, fault.reason, fault.found, fault.expected, (), unfinished, fault.fix)


def encoded(log: dict[str, Any]) -> bytes:
    """A log as JSON; a key of its own may hold numbers and texts that only slower ways can write."""
    try:
        return _encoder.encode(log)
    except (OverflowError, UnicodeEncodeError):
        return json.dumps(log, default=float).encode()


def _to_cards(told: Sequence[Word]) -> tuple[list[Word], bool, bool]:
    """The words for cards of a holding; whether it says that these are all, or leaves the rest open."""
    told = list(told)
    whole = bool(told) and told[-1].plain == WHOLE
    open_ = bool(told) and told[-1].text in ("…", "...", "..")
    cards = told[:-1] if whole or open_ else told
    return [w._replace(text=UNKNOWN) if w.text == "?" else w for w in cards], whole, open_


def hand_size(rules: Any) -> int:
    """How many cards are dealt to each under the rules that a log names; 13 where they cannot be used."""
    try:
        return int(resolve(rules).knobs.table.hand_size)
    except (RulesError, TypeError, KeyError, AttributeError):
        return 13


def _set_nested(log: dict[str, Any], path: list[Any], value: Any, line: int) -> None:
    """Puts a key of the log's own where it belongs, inside a part of the log."""
    place: Any = log
    try:
        for step in path[:-1]:
            place = place[step]
        if not isinstance(place, dict):
            raise TypeError
    except (KeyError, IndexError, TypeError):
        expected = Message(N_("the path of a part that the log has"))
        raise Trouble(1, f"{line}:", expected) from None
    place[path[-1]] = value
