"""The lines of a hand's text → what each tells: values of the log, and holdings and acts set aside."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final
from unicodedata import normalize

from analyzer.locale import N_, Message
from analyzer.logs.hand import MAX_EVENTS
from analyzer.logs.notation import header
from analyzer.logs.notation.people import People
from analyzer.logs.notation.problems import Problem, Trouble, asks, brief
from analyzer.logs.notation.texts import (
    Word,
    and_time,
    fold,
    hidden,
    is_heading,
    json_at,
    json_of,
    json_text,
    misspelt,
    value_of,
    without_comment,
    words,
)
from analyzer.logs.notation.words import CANONICAL, DEAL, HEADINGS, KEYS, NOTE

COMMENTS: Final = "_comments"
"""The key of a log that holds the comments: each with its text, and the line it stands before or beside."""

END: Final = "end"
MOST_PROBLEMS: Final = 20
PLAYERS: Final = "người chơi: An, Bình, Chi, Dũng"
PLAYERS_FIRST: Final = N_("the players before anything that they do, such as {example}")
_OWN_KEY: Final = re.compile(r"(_[\w-]*)\s*:\s*(.*)", re.DOTALL)
MOST_STEPS: Final = 64
"""Steps of a path into a log."""

_LONGEST_KEY: Final = max(len(key.split()) for key in KEYS)


@dataclass(slots=True)
class Holding:
    """A holding's line before it is read: all of them are needed to tell suits apart."""

    line: int
    body: str
    start: int
    words: list[Word]


@dataclass(slots=True)
class Done:
    """An act's line before it is read."""

    line: int
    body: str
    at: str | None
    seat: int | None
    words: list[Word]


@dataclass(slots=True)
class Draft:
    """What the lines have told so far."""

    log: dict[str, Any] = field(default_factory=dict)
    where: dict[str, tuple[int, int]] = field(default_factory=dict)
    """Path of the log → line and column."""
    own: dict[str, Any] = field(default_factory=dict)
    nested: list[tuple[list[Any], Any, int]] = field(default_factory=list)
    comments: list[dict[str, str]] = field(default_factory=list)
    holdings: dict[int, Holding] = field(default_factory=dict)
    acts: list[Done] = field(default_factory=list)


class Lines:
    """Takes the lines of one hand in, one after the other."""

    def __init__(self, text: str, line: int) -> None:
        self.first = line
        self.lines = text.removeprefix("\ufeff").split("\n")
        self.draft = Draft()
        self.people: People | None = None
        self.missed_people = False
        """Whether it was told that the players are not known; once is enough."""
        self.pending: list[str] = []
        self.problems: list[Problem] = []

    @property
    def last(self) -> int:
        """The number of the last line, which may still be typed at."""
        return self.first + len(self.lines) - 1

    def take(self) -> None:
        """Takes all lines in, as long as there are not too many problems or acts."""
        for number, line in enumerate(self.lines, self.first):
            self.trying(number, self._line, number, line.removesuffix("\r"))
            if len(self.problems) >= MOST_PROBLEMS or len(self.draft.acts) > MAX_EVENTS:
                break
        self.draft.comments += [{"before": END, "text": text} for text in self.pending]

    def trying(self, number: int, work: Callable[..., object], *values: object) -> None:
        """Does a piece of work; what goes wrong belongs to line ``number``."""
        try:
            work(*values)
        except Trouble as trouble:
            if trouble.expected.text == PLAYERS_FIRST:
                if self.missed_people:
                    return
                self.missed_people = True
            self.problems.append(
                Problem(
                    number,
                    trouble.column,
                    trouble.reason,
                    trouble.found,
                    trouble.expected,
                    trouble.readings,
                    unfinished=number == self.last,
                )
            )

    # -- one line --------------------------------------------------------------------------------

    def _line(self, number: int, line: str) -> None:
        unseen = hidden(line)
        if unseen is not None:
            raise Trouble(
                unseen + 1,
                f"U+{ord(line[unseen]):04X}",
                Message(N_("characters that can be seen; delete the hidden one")),
                reason="bad_encoding",
            )
        body, comment = without_comment(line)
        if body.strip():
            anchor = self._content(number, body)
            self.draft.comments += [{"before": anchor, "text": text} for text in self.pending]
            self.pending = []
            if comment is not None:
                self.draft.comments.append({"beside": anchor, "text": comment})
        elif comment is not None:
            self.pending.append(comment)

    def _content(self, number: int, body: str) -> str:
        """Takes a line in; returns the path of what it tells."""
        start = len(body) - len(body.lstrip())
        if body[start] == "_":
            return self._own(number, body, start)
        told = words(body[:200], start)
        colon = body.find(":", start)
        plain = " ".join(fold(body[start:colon][:60]).split()) if colon >= 0 else ""
        if plain in KEYS and not self._is_other_word(plain, told):
            self._no_player(plain, told, body[colon + 1 :])
            return self._key(number, KEYS[plain], body, colon + 1)
        if plain == DEAL or plain.startswith(DEAL + " "):
            return self._holding(number, body, start + len(DEAL), colon)
        if plain == NOTE:
            return self._act(number, None, body, colon + 1)
        if told and normalize("NFC", told[0].text.lower()) in HEADINGS and self._is_van(told):
            return self._key(number, "hand_id", body, told[0].column - 1 + len(told[0].text))
        found = self.people.find(told) if self.people is not None else None
        if found is not None:
            return self._act(number, found, body, start)
        for length in range(min(_LONGEST_KEY, len(told)), 0, -1):
            phrase = " ".join(word.plain for word in told[:length])
            after = told[length - 1].column - 1 + len(told[length - 1].text)
            if phrase in KEYS:
                return self._key(number, KEYS[phrase], body, after)
            if phrase == DEAL:
                return self._holding(number, body, after, colon)
            if phrase == NOTE:
                return self._act(number, None, body, after)
        raise self._unknown(told, body, start)

    def _is_other_word(self, plain: str, told: Sequence[Word]) -> bool:
        """Whether a line that begins like ``ván:`` tells what a player such as Vân does. Raises Trouble where
        it is mistyped."""
        first = normalize("NFC", told[0].text.lower()) if told else ""
        if plain != "van" or first in HEADINGS:
            return False
        if self.people is None or self.people.find(told) is None:
            expected = Message(N_("{key} before the name of the hand"), key="ván:")
            raise Trouble(told[0].column, told[0].text, expected, ["ván:"])
        return True

    def _no_player(self, plain: str, told: Sequence[Word], value: str) -> None:
        """Asks whether ``van:`` begins a hand where a player of this one is called so."""
        if self.people is None or KEYS[plain] != "hand_id" or is_heading(told[0].text):
            return
        if names := self.people.carried(plain):
            rest = brief(value.strip())
            readings = [f"ván: {rest}", *(f"{name} {rest}" for name in names)]
            raise asks(told[0].column, f"{told[0].text}: {rest}", readings)

    def _is_van(self, told: Sequence[Word]) -> bool:
        """Whether ``ván`` begins the hand; without its accent it may be a player named Vân."""
        return normalize("NFC", told[0].text.lower()) == "ván" or (self.people is None and len(told) < 3)

    def _unknown(self, told: Sequence[Word], body: str, start: int) -> Trouble:
        first = told[0].text if told else body[start : start + 20]
        if self.people is None and len(told) > 1:
            return Trouble(
                start + 1,
                first,
                Message(PLAYERS_FIRST, example=PLAYERS),
                [PLAYERS],
            )
        names = [] if self.people is None else self.people.labels
        near = None if self.people is None else self.people.nearest(first)
        if near is None:
            key = misspelt(fold(first[:40]), KEYS)
            near = f"{CANONICAL[KEYS[key]]}:" if key is not None else None
        return Trouble(
            start + 1,
            first,
            Message(
                N_("a player ({names}), or what the line tells: {keys}"),
                names=", ".join(names) or "—",
                keys=", ".join(("ván", "luật", "cược", "người chơi", "đi trước", "bài …")),
            ),
            [near] if near else [],
        )

    # -- lines about the hand --------------------------------------------------------------------

    def _own(self, number: int, body: str, start: int) -> str:
        """A line that holds a key of the log's own, which is carried untouched."""
        match = _OWN_KEY.fullmatch(body, start)
        if match is not None and match[1] != "_":
            name = match[1]
            if name in self.draft.own:
                raise Trouble(start + 1, name, Message(N_("each line of this kind once")))
            self.draft.own[name] = json_of(match[2], match.start(2) + 1)
            if name == COMMENTS:
                self.draft.where[COMMENTS] = number, start + 1
            return name
        at = len(body) - len(body[start + 1 :].lstrip())
        path, length = json_at(body[at:], at + 1) if body[at : at + 1] == "[" else ([], 0)
        own = bool(path) and isinstance(path[-1], str) and path[-1].startswith("_")
        if not own or len(path) > MOST_STEPS:
            raise Trouble(
                start + 1,
                body[start : start + 40],
                Message(
                    N_("a key of your own and its value in JSON, such as {example}"), example='_máy: "cũ"'
                ),
            )
        at += length
        value = body[at:].lstrip()
        self.draft.nested.append((path, json_of(value, len(body) - len(value) + 1), number))
        return json_text(path)

    def _key(self, number: int, key: str, body: str, start: int) -> str:
        """A line that tells ``key``; its value stands in ``body`` from ``start`` on."""
        value = body[start:].lstrip(" \t:").rstrip()
        start = len(body.rstrip()) - len(value)
        column = start + 1
        draft = self.draft
        if key == "set":
            return self._setting(number, value, column)
        if key in draft.where:
            raise Trouble(
                len(body) - len(body.lstrip()) + 1,
                CANONICAL[key],
                Message(N_("this line once; it stands on line {line} already"), line=draft.where[key][0]),
            )
        if not value and key != "hand_id":
            raise Trouble(len(body) + 1, "—", Message(N_("a value after {key}"), key=CANONICAL[key] + ":"))
        self._tell(key, value, column, body, start, number)
        draft.where[key] = number, column
        return key

    def _tell(self, key: str, value: str, column: int, body: str, start: int, number: int) -> None:
        log = self.draft.log
        if key == "players":
            self.missed_people = True  # what is wrong with this line is no fault of those below
            players = header.players(value, column)
            log["players"] = [player for player, _ in players]
            self.people = People([(player["id"], player.get("name")) for player, _ in players])
            for seat, (_, at) in enumerate(players):
                self.draft.where[f"players[{seat}]"] = number, at
        elif key == "rules":
            told = log.get("rules")
            id_ = header.rules(value, column)
            log["rules"] = {"extends": id_, "set": told["set"]} if isinstance(told, dict) else id_
        elif key == "stake":
            log["stake"], currency = header.stake(value, column)
            if currency is not None:
                log["currency"] = currency
                self.draft.where["currency"] = number, column
        elif key in ("hand_no", "revision.number"):
            self._put(key, header.whole(value, column))
        elif key in ("played_at", "revision.at"):
            self._put(key, header.moment(value, column))
        elif key == "result":
            if fold(value) not in ("khong", "khong ghi", "none"):
                raise Trouble(
                    column, value, Message(N_("the lines {keys} for a result"), keys="hạng: …, tiền: …")
                )
            log.setdefault("result", {})
        elif key in ("dealer", "lead", "result.places", "result.net"):
            self._of_players(key, body, start, number)
        elif key == "hand_id" and not value:
            pass
        else:
            self._put(key, value_of(value, column))

    def _put(self, key: str, value: Any) -> None:
        head, _, name = key.rpartition(".")
        (self.draft.log.setdefault(head, {}) if head else self.draft.log)[name] = value

    def _of_players(self, key: str, body: str, start: int, number: int) -> None:
        people = self._known(start + 1)
        if key == "dealer":
            self._put(key, header.named(people, words(body, start), start + 1))
        elif key == "lead":
            self._put(key, header.lead(people, body, start))
        else:
            read = header.places if key == "result.places" else header.net
            values, columns = read(people, body, start)
            self._put(key, values)
            for index, column in enumerate(columns):
                self.draft.where[f"{key}[{index}]"] = number, column

    def _known(self, column: int) -> People:
        if self.people is None:
            raise Trouble(
                column,
                "—",
                Message(PLAYERS_FIRST, example=PLAYERS),
                [PLAYERS],
            )
        return self.people

    def _setting(self, number: int, value: str, column: int) -> str:
        told = self.draft.log.get("rules")
        if not isinstance(told, dict):
            told = self.draft.log["rules"] = {"extends": told, "set": {}}
        found = header.setting(value, column)
        if found is None:
            return "rules.set"
        key, knob = found
        path = f"rules.set[{key!r}]"
        if path in self.draft.where:
            raise Trouble(column, key, Message(N_("each knob once")))
        told["set"][key] = knob
        self.draft.where[path] = number, column
        return path

    def _holding(self, number: int, body: str, start: int, colon: int) -> str:
        people = self._known(start + 1)
        if colon >= 0:
            seat, after = header.named(people, words(body[:colon], start), start + 1), colon + 1
        else:
            told = words(body, start)
            found = people.find(told)
            if found is None:
                seat, after = header.named(people, told[:1], start + 1), start
            else:
                last = told[found[1] - 1]
                seat, after = found[0], last.column - 1 + len(last.text)
        path = f"deal[{seat}]"
        if path in self.draft.where:
            raise Trouble(start + 1, people.labels[seat], Message(N_("each player's holding once")))
        self.draft.where[path] = number, after + 1
        self.draft.holdings[seat] = Holding(number, body, after, words(body, after))
        return path

    def _act(self, number: int, found: tuple[int, int] | None, body: str, start: int) -> str:
        """Sets a line aside that tells what somebody did."""
        bare, at = and_time(body)
        told = words(bare, start)
        if found is None:
            self.draft.acts.append(Done(number, bare, at, None, [Word("", "", start + 1)]))
        else:
            seat, length = found
            self.draft.acts.append(Done(number, bare, at, seat, told[length:]))
        path = f"events[{len(self.draft.acts) - 1}]"
        self.draft.where[path] = number, 1
        return path
