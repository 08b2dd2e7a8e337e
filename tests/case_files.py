"""Reading and running the readable case files under ``tests/cases`` (``README.md`` there is the form).

A case is one small hand in a TOML file: who plays by which rules, the deal, the acts one a line, and
what the judge must say. It runs through the real reading path: the hand is written as a log, read,
judged, and its public verdict is compared. Everything wrong with a case file is told with file and line.
"""

from __future__ import annotations

import hashlib
import json
import re
import tomllib
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path
from typing import Any, Final

import msgspec

from analyzer.cards import TEXTS, card_of
from analyzer.judge.findings import CODES
from analyzer.judge.judging import judge
from analyzer.judge.verdict import make_verdict, verdict_json
from analyzer.logs.reading import read
from analyzer.rules.house import house_of
from analyzer.rules.knobs import KNOB_TYPES
from analyzer.rules.loading import SOURCE, preset_ids, sources

FOLDER: Final = Path(__file__).with_name("cases")

Verdict = dict[str, Any]
Check = Callable[[Verdict], str | None]
"""Asks one thing of a verdict; answers with what is wrong, or None."""

_encoder: Final = msgspec.json.Encoder(decimal_format="number")
_COMMENT: Final = re.compile(r"\s*#.*")
_NUMBER: Final = re.compile(r"[+-]?\d+(\.\d{1,3})?")
KEYS: Final = (
    *("title", "title_vi", "proves", "knob", "fault", "rules", "stake", "players", "lead"),
    *("deal", "acts", "set", "result", "expect", "otherwise"),
)
_REQUIRED: Final = ("title", "title_vi", "proves", "rules", "stake", "players", "acts", "expect")


class CaseError(ValueError):
    """Something in a case file that cannot be read; the text begins with file and line."""


@dataclass(frozen=True, slots=True)
class Otherwise:
    """The same hand with one knob set otherwise."""

    knob: str
    value: Any
    checks: tuple[Check, ...] | None


@dataclass(frozen=True, slots=True)
class Case:
    """One case file, read."""

    name: str
    title: str
    title_vi: str
    proves: tuple[str, ...]
    knob: str | None
    fault: str | None
    hand: Mapping[str, Any]
    rules: str
    set: Mapping[str, Any]
    expected: Mapping[str, Any]
    checks: tuple[Check, ...]
    otherwise: tuple[Otherwise, ...] = field(default=())

    @property
    def fires(self) -> bool:
        """Whether the violation that this case is about is expected here."""
        return any(item.split()[0] == self.fault for item in self.expected.get("violations", ()))

    def verdict(self, change: Otherwise | None = None) -> Verdict:
        """The verdict on this hand, read and judged as any log; with ``change``, that one knob otherwise."""
        rules = {**self.set, **({change.knob: change.value} if change else {})}
        log = {**self.hand, "rules": {"extends": self.rules, "set": rules} if rules else self.rules}
        hand, resolved, canonical = read(_encoder.encode(log))
        judged = judge(hand, house_of(resolved))
        told = verdict_json(make_verdict(judged, resolved, hashlib.sha256(canonical).hexdigest()))
        found: Verdict = json.loads(told, parse_float=Decimal)
        return found


def case_paths() -> list[Path]:
    """Every case file, in the order of their names."""
    return sorted(FOLDER.rglob("*.toml"))


def load(path: Path) -> Case:
    """The case in a file; raises CaseError."""
    name = path.relative_to(FOLDER).with_suffix("").as_posix() if path.is_relative_to(FOLDER) else path.stem
    return parse(path.read_text("utf-8"), name, str(path))


def parse(text: str, name: str, file: str) -> Case:
    """The case in TOML text; ``file`` is what errors call it."""
    return _Reader(unicodedata.normalize("NFC", text), file).case(name)


def mismatches(checks: Sequence[Check], verdict: Verdict) -> list[str]:
    """What a verdict does not show; its amounts must also be what its transfers add up to."""
    found = [told for check in checks if (told := check(verdict)) is not None]
    net = [Decimal(0)] * len(verdict["net"])
    for move in verdict["transfers"]:
        for seat, amount in ((move["from"], -move["amount"]), (move["to"], move["amount"])):
            if seat is not None:
                net[seat] += amount
    if net != [Decimal(amount) for amount in verdict["net"]]:
        found.append(f"net {verdict['net']} is not what the transfers add up to, {net}")
    return found


def without_pin(verdict: Verdict) -> Verdict:
    """A verdict without what names the rules it was made under."""
    return {key: value for key, value in verdict.items() if key not in ("rules", "content_sha256")}


class _Reader:
    """One case file being read: finds faults and the lines they stand on."""

    def __init__(self, text: str, file: str) -> None:
        self.file = file
        self.lines = text.split("\n")
        try:
            self.toml = tomllib.loads(text, parse_float=Decimal)
        except tomllib.TOMLDecodeError as error:
            at = re.search(r"at line (\d+)", str(error))
            raise self.fault(int(at[1]) if at else len(self.lines), f"not TOML: {error}") from None
        self.section = (1, len(self.lines))
        self.players: list[str] = []
        self.events = 0

    def fault(self, line: int, told: str) -> CaseError:
        return CaseError(f"{self.file}:{line}: {told}")

    def line(self, key: str, within: str = "") -> int:
        """The line on which a key of this section stands (and, after it, the text ``within``)."""
        first, last = self.section
        key_at = re.compile(rf'(^|[\s{{,."]){re.escape(key)}"?(\s*=|\.)')
        for number in range(first, last + 1):
            if key_at.search(self.lines[number - 1]):
                break
        else:
            return first
        if within:
            for inner in range(number, last + 1):
                if within in self.lines[inner - 1]:
                    return inner
        return number

    def wrong(self, key: str, item: object, expected: str) -> CaseError:
        shown = item if isinstance(item, str) else repr(item)
        found = self.line(key, shown if isinstance(item, str) else "")
        return self.fault(found, f"{key}: found {shown!r}; expected {expected}")

    def texts(self, key: str, value: object) -> list[str]:
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            raise self.wrong(key, value, "a list of texts")
        return list(value)

    def word(self, key: str, known: Sequence[str] | Mapping[str, Any]) -> str | None:
        value = self.toml.get(key)
        if value is not None and (not isinstance(value, str) or value not in known):
            raise self.wrong(key, value, "one of " + ", ".join(known))
        return value

    def seat(self, key: str, name: str) -> int:
        if name not in self.players:
            raise self.wrong(key, name, "one of " + ", ".join(self.players))
        return self.players.index(name)

    # -- the case --------------------------------------------------------------------------------

    def case(self, name: str) -> Case:
        for key in self.toml:
            if key not in KEYS:
                raise self.fault(self.line(key), f"{key}: an unknown key; expected one of {', '.join(KEYS)}")
        for key in _REQUIRED:
            if key not in self.toml:
                raise self.fault(1, f"{key} is missing")
        for key in ("title", "title_vi", "acts"):
            if not isinstance(self.toml[key], str):
                raise self.wrong(key, self.toml[key], "a text")
        rules = self.word("rules", preset_ids())
        assert rules is not None
        hand = self.hand(name)
        changes = self.knobs("set", self.toml.get("set", {}))
        knob = self.word("knob", KNOB_TYPES)
        fault = self.word("fault", CODES)
        expected, checks = self.expectations("expect", self.toml["expect"])
        if fault and not any(
            item.split()[0] == fault
            for key in ("violations", "no_violations")
            for item in expected.get(key, ())
        ):
            raise self.fault(
                self.line("fault"), f"fault: {fault} is expected neither to occur nor not to occur"
            )
        return Case(
            name,
            self.toml["title"],
            self.toml["title_vi"],
            tuple(self.proofs()),
            knob,
            fault,
            hand,
            rules,
            changes,
            expected,
            checks,
            tuple(self.otherwise(knob)),
        )

    def proofs(self) -> Iterator[str]:
        """References into the source documents, or the proved sentence itself."""
        for item in self.texts("proves", self.toml["proves"]):
            match = SOURCE.fullmatch(item)
            if match:
                source = sources().get(match[1])
                last = int(match[3] or match[2] or 1)
                if source is None or not 1 <= int(match[2] or 1) <= last <= source.lines:
                    raise self.wrong("proves", item, "a line that the document has")
            elif len(item.split()) < 3 or re.match(r"\d{3}\b", item):
                raise self.wrong("proves", item, "a reference such as '002 L90', or a short sentence")
            yield item

    def otherwise(self, knob: str | None) -> Iterator[Otherwise]:
        given = self.toml.get("otherwise", [])
        for number, entry in enumerate(given if isinstance(given, list) else [given]):
            self.section = self.find_section(r"\[\[?otherwise\]\]?", number)
            if knob is None:
                raise self.fault(self.section[0], "otherwise: only in a case that names its `knob`")
            for key in entry:
                if key not in ("set", "expect"):
                    raise self.wrong(key, entry[key], "no key but `set` and `expect`")
            changes = self.knobs("set", entry.get("set", {}))
            if list(changes) != [knob]:
                raise self.fault(self.line("set"), f"otherwise: set must change {knob} and nothing else")
            checks = self.expectations("expect", entry["expect"])[1] if "expect" in entry else None
            yield Otherwise(knob, changes[knob], checks)

    def find_section(self, header: str, number: int) -> tuple[int, int]:
        """First and last line of the nth table with this header, its own subtables included."""
        starts = [n for n, line in enumerate(self.lines, 1) if re.match(rf"\s*{header}", line)]
        if number >= len(starts):
            return 1, len(self.lines)
        return starts[number], starts[number + 1] - 1 if number + 1 < len(starts) else len(self.lines)

    def knobs(self, key: str, given: object) -> dict[str, Any]:
        """Knob path → value, from a table written flat or nested."""
        if not isinstance(given, dict):
            raise self.wrong(key, given, "a table of knobs")
        flat: dict[str, Any] = {}
        for name, value in given.items():
            if isinstance(value, dict):
                flat |= {f"{name}.{inner}": item for inner, item in value.items()}
            else:
                flat[name] = value
        for path in flat:
            if path not in KNOB_TYPES:
                raise self.fault(self.line(path.rpartition(".")[2]), f"{key}: there is no knob {path}")
        return flat

    # -- the hand --------------------------------------------------------------------------------

    def hand(self, name: str) -> dict[str, Any]:
        self.players = self.texts("players", self.toml["players"])
        if not 2 <= len(set(self.players)) == len(self.players) <= 4:
            raise self.wrong("players", self.players, "two to four different names")
        for player in self.players:
            if len(player.split()) != 1:
                raise self.wrong("players", player, "a name of one word")
        hand: dict[str, Any] = {
            "format": "tienlen-hand/1",
            "hand_id": name,
            "stake": self.toml["stake"],
            "players": [{"id": f"p{n}", "name": player} for n, player in enumerate(self.players)],
            "events": [self.act(n, number, line) for n, (number, line) in enumerate(self.block("acts"))],
        }
        self.events = len(hand["events"])
        if "deal" in self.toml:
            hand["deal"] = self.deal()
        if "lead" in self.toml:
            hand["lead"] = self.lead(self.toml["lead"])
        if "result" in self.toml:
            hand["result"] = self.result(self.toml["result"])
        return hand

    def block(self, key: str) -> Iterator[tuple[int, str]]:
        """The lines of a multi-line text that are not empty, with their numbers in the file."""
        if not isinstance(self.toml[key], str):
            raise self.wrong(key, self.toml[key], 'a text of several lines, between """ and """')
        start = self.line(key)
        if re.search(r"=\s*(\"\"\"|''')\s*$", self.lines[start - 1]):
            start += 1
        for number, line in enumerate(self.toml[key].split("\n"), start):
            stripped = _COMMENT.sub("", line).strip()
            if stripped:
                yield number, stripped

    def cards(self, words: Sequence[str], number: int) -> list[str]:
        found = []
        for word in words:
            card = card_of(word)
            if card is None:
                raise self.fault(number, f"{word!r} is no card; expected a rank and a suit such as 10♥")
            found.append(TEXTS[card])
        return found

    def deal(self) -> list[list[str] | None]:
        holdings: list[list[str] | None] = [None] * len(self.players)
        for number, line in self.block("deal"):
            name, *words = line.split()
            if name not in self.players:
                raise self.fault(number, f"deal: found {name!r}; expected one of {', '.join(self.players)}")
            if words == ["?"]:
                continue
            unknown = 0
            while words and re.fullmatch(r"(\d+×)?\?\?", words[-1]):
                unknown += int(words.pop().removesuffix("??").removesuffix("×") or 1)
            holdings[self.players.index(name)] = [*self.cards(words, number), *["??"] * unknown]
        return holdings

    def lead(self, value: object) -> dict[str, Any]:
        words = value.split() if isinstance(value, str) else []
        if words == ["opening"]:
            return {"reason": "opening"}
        if len(words) == 1:
            return {"reason": "won_previous", "seat": self.seat("lead", words[0])}
        if len(words) == 2 and words[0] in ("agreed", "forfeited"):
            reason = "agreed" if words[0] == "agreed" else "forfeited_previous"
            return {"reason": reason, "seat": self.seat("lead", words[1])}
        raise self.wrong("lead", value, "'opening', a name, 'agreed' or 'forfeited' and a name")

    def result(self, value: object) -> dict[str, Any]:
        if not isinstance(value, dict) or not {"places", "net"} >= set(value):
            raise self.wrong("result", value, "a table with `places`, `net` or both")
        told: dict[str, Any] = {}
        if "places" in value:
            told["places"] = [self.seat("places", name) for name in self.texts("places", value["places"])]
        if "net" in value:
            told["net"] = self.amounts("net", value["net"])
        return told

    def amounts(self, key: str, value: object) -> list[Any]:
        """One amount a player, from a list in the order of the seats or a table by name."""
        if isinstance(value, dict):
            if set(value) != set(self.players):
                raise self.wrong(key, value, "one amount for each of " + ", ".join(self.players))
            value = [value[name] for name in self.players]
        if not isinstance(value, list) or len(value) != len(self.players):
            raise self.wrong(key, value, "one amount for each of " + ", ".join(self.players))
        return value

    def act(self, count: int, number: int, line: str) -> dict[str, Any]:
        """One line of `acts` as an event; where it begins with its number (``3:``), that must be right."""
        numbered = re.match(r"(\d+):\s+", line)
        if numbered:
            if int(numbered[1]) != count:
                raise self.fault(
                    number, f"act {numbered[1]} stands where act {count} is due; acts count from 0"
                )
            line = line[numbered.end() :]
        *words, last = line.split()
        at: dict[str, Any] = {}
        if re.fullmatch(r"@\d+(\.\d+)?", last):
            at = {"at": Decimal(last[1:])}
        else:
            words.append(last)
        name, *rest = words
        if name not in self.players:
            raise self.fault(number, f"found {name!r}; expected an act of one of {', '.join(self.players)}")
        event = self.what(rest, number)
        return {"type": event.pop("type"), "seat": self.players.index(name), **event, **at}

    def what(self, words: list[str], number: int) -> dict[str, Any]:
        """What was done, from the words after the name."""
        match words:
            case ["bỏ"]:
                return {"type": "pass"}
            case ["nói", "bỏ"]:
                return {"type": "say", "meaning": "pass"}
            case ["nói", "đánh", *cards]:
                return {"type": "say", "meaning": "play", "cards": self.cards(cards, number)}
            case ["rút", "lại"]:
                return {"type": "take_back"}
            case ["lộ", *cards]:
                return {"type": "show", "why": "early", "cards": self.cards(cards, number)}
            case ["ngửa", *cards]:
                return {"type": "show", "why": "end", "cards": self.cards(cards, number)}
            case ["đếm", "bài"]:
                return {"type": "count"}
            case ["báo", "1" | "hết" as left]:
                return {"type": "call", "remaining": 1 if left == "1" else 0}
            case ["cúng", to, *cards] if to in self.players:
                seat = self.players.index(to)
                return {"type": "exchange", "to": seat, "cards": self.cards(cards, number)}
            case ["góp", *cards]:
                return {"type": "discard", "cards": self.cards(cards, number)}
            case ["rời", "bàn"]:
                return {"type": "leave"}
            case ["tới", "trắng"]:
                return {"type": "claim"}
            case ["tới", "trắng", hand]:
                return {"type": "claim", "hand": hand}
            case ["cướp", "cái", *cards]:
                return {"type": "play", "as": "steal_lead", "cards": self.cards(cards, number)}
            case [_, *_] if card_of(words[0]) is not None:
                return {"type": "play", "cards": self.cards(words, number)}
        raise self.fault(
            number, f"{' '.join(words)!r} is no act; expected cards, bỏ, or one of the words of README.md"
        )

    # -- what is expected ------------------------------------------------------------------------

    def expectations(self, key: str, given: object) -> tuple[dict[str, Any], tuple[Check, ...]]:
        """The checks of an `expect` table; no `violations` in it means that there are none."""
        if not isinstance(given, dict):
            raise self.wrong(key, given, "a table")
        expected = dict(given)
        if "violations_contain" not in expected:
            expected.setdefault("violations", [])
        checks = []
        for name, value in expected.items():
            make = EXPECTATIONS.get(name)
            if make is None:
                raise self.fault(
                    self.line(name), f"{name}: unknown; expected one of {', '.join(EXPECTATIONS)}"
                )
            checks.append(make(self, name, value))
        return expected, tuple(checks)

    def event(self, key: str, item: str, word: str) -> int:
        if not word.isdigit() or int(word) >= self.events:
            raise self.wrong(key, item, f"an act from 0 to {self.events - 1}")
        return int(word)

    def amount(self, key: str, item: str, word: str) -> Decimal:
        if not _NUMBER.fullmatch(word):
            raise self.wrong(key, item, "an amount with at most three decimals")
        return Decimal(word)


Make = Callable[[_Reader, str, Any], Check]
EXPECTATIONS: Final[dict[str, Make]] = {}


def _expectation(make: Make) -> Make:
    EXPECTATIONS[make.__name__.strip("_")] = make
    return make


def _equal(key: str, want: object, find: Callable[[Verdict], object]) -> Check:
    def check(verdict: Verdict) -> str | None:
        found = find(verdict)
        return None if found == want else f"{key}: expected {want!r}, found {found!r}"

    return check


@_expectation
def _outcome(reader: _Reader, key: str, value: Any) -> Check:
    if value not in ("finished", "instant_win", "redeal", "unfinished"):
        raise reader.wrong(key, value, "finished, instant_win, redeal or unfinished")
    return _equal(key, value, lambda verdict: verdict["outcome"])


@_expectation
def _places(reader: _Reader, key: str, value: Any) -> Check:
    want = None if value == "none" else [reader.seat(key, name) for name in reader.texts(key, value)]
    if want is not None and len(set(want)) != len(reader.players):
        raise reader.wrong(key, value, "every player once, first to last, or 'none'")
    return _equal(key, want, lambda verdict: verdict["places"])


@_expectation
def _instant_winners(reader: _Reader, key: str, value: Any) -> Check:
    want = []
    for item in reader.texts(key, value):
        name, _, hand = item.partition(" ")
        want.append((reader.seat(key, name), hand))
    return _equal(key, want, lambda verdict: [(w["seat"], w["hand"]) for w in verdict["instant_winners"]])


@_expectation
def _frozen(reader: _Reader, key: str, value: Any) -> Check:
    want = {reader.seat(key, name) for name in reader.texts(key, value)}
    return _equal(key, want, lambda verdict: set(verdict["frozen"]))


@_expectation
def _net(reader: _Reader, key: str, value: Any) -> Check:
    want = [Decimal(amount) for amount in reader.amounts(key, value)]
    return _equal(key, want, lambda verdict: [Decimal(amount) for amount in verdict["net"]])


@_expectation
def _next_lead(reader: _Reader, key: str, value: Any) -> Check:
    want: object = None
    if value != "none":
        lead = reader.lead(value)
        want = (lead["reason"], lead.get("seat"))

    def find(verdict: Verdict) -> object:
        lead = verdict["next_lead"]
        return lead and (lead["reason"], lead.get("seat"))

    return _equal(key, want, find)


@_expectation
def _forfeit(reader: _Reader, key: str, value: Any) -> Check:
    if value == "none":
        return _equal(key, None, lambda verdict: verdict["forfeit"])
    allowed = ("player", "kind", "event", "certainty", "options")
    if not isinstance(value, dict) or not set(allowed) >= set(value) or "player" not in value:
        raise reader.wrong(key, value, "'none', or a table of " + ", ".join(allowed))
    want: dict[str, Any] = {**value, "seat": reader.seat(key, value["player"])}
    del want["player"]
    if "options" in want:
        want["options"] = [reader.cards(play.split(), reader.line(key)) for play in want["options"]]
    want.setdefault("certainty", "certain")
    return _equal(
        key, want, lambda verdict: verdict["forfeit"] and {name: verdict["forfeit"][name] for name in want}
    )


def _violation_of(reader: _Reader, key: str, item: str) -> tuple[str, int | None, int | None, str, str]:
    """``does_not_beat 3 Bình``: code, act and player where it has them, then certainty, severity."""
    code, *words = item.split()
    if code not in CODES:
        near = [c for c in CODES if c[:4] == code[:4]] or list(CODES)
        raise reader.wrong(key, item, "a violation code such as " + ", ".join(near))
    event = reader.event(key, item, words.pop(0)) if words and words[0].isdigit() else None
    seat = reader.seat(key, words.pop(0)) if words and words[0] in reader.players else None
    certainty, severity = "certain", ""
    for word in words:
        if word in ("certain", "possible", "undecidable"):
            certainty = word
        elif word in ("error", "warning", "info"):
            severity = word
        else:
            raise reader.wrong(key, item, "a code, then act, player, certainty or severity")
    return code, event, seat, certainty, severity


def _meets(want: tuple[str, int | None, int | None, str, str], found: Mapping[str, Any]) -> bool:
    told = (found["code"], found["event"], found["seat"], found["certainty"])
    return want[:4] == told and want[4] in ("", found["severity"])


def _violations_told(verdict: Verdict) -> list[str]:
    return [
        f"{v['code']} {v['event']} {v['seat']} {v['certainty']} {v['severity']}"
        for v in verdict["violations"]
    ]


@_expectation
def _violations(reader: _Reader, key: str, value: Any) -> Check:
    """Every error and warning, in order; infos only where they are named."""
    want = [_violation_of(reader, key, item) for item in reader.texts(key, value)]
    named = {item[0] for item in want}

    def check(verdict: Verdict) -> str | None:
        found = [v for v in verdict["violations"] if v["severity"] != "info" or v["code"] in named]
        if len(found) == len(want) and all(map(_meets, want, found)):
            return None
        return f"{key}: expected {value!r}, found {_violations_told(verdict)!r}"

    return check


@_expectation
def _violations_contain(reader: _Reader, key: str, value: Any) -> Check:
    want = [_violation_of(reader, key, item) for item in reader.texts(key, value)]

    def check(verdict: Verdict) -> str | None:
        if all(any(_meets(item, v) for v in verdict["violations"]) for item in want):
            return None
        return f"{key}: expected {value!r}, found {_violations_told(verdict)!r}"

    return check


@_expectation
def _no_violations(reader: _Reader, key: str, value: Any) -> Check:
    codes = {_violation_of(reader, key, item)[0] for item in reader.texts(key, value)}
    return _equal(key, [], lambda verdict: [v["code"] for v in verdict["violations"] if v["code"] in codes])


def _passes(reader: _Reader, key: str, value: Any) -> list[tuple[int, int]]:
    found = []
    for item in reader.texts(key, value):
        event, _, name = item.partition(" ")
        found.append((reader.event(key, item, event), reader.seat(key, name)))
    return found


@_expectation
def _missed_blocks(reader: _Reader, key: str, value: Any) -> Check:
    """``3 Bình: 9♠, 9♦ 9♥ of 12``: after the colon the listed options, then their full number."""
    want: list[tuple[int, int, list[list[str]] | None, int | None]] = []
    for item in reader.texts(key, value):
        who, _, plays = item.partition(":")
        (event, seat), *_ = _passes(reader, key, [who.strip()])
        plays, _, count = plays.partition(" of ")
        options = [_play(play, reader, key) for play in plays.split(",") if play.strip()] or None
        total = int(count) if count else len(options) if options is not None else None
        want.append((event, seat, options, total))

    def check(verdict: Verdict) -> str | None:
        for item, (event, seat, options, total) in zip(value, want, strict=True):
            found = [m for m in verdict["missed_blocks"] if (m["event"], m["seat"]) == (event, seat)]
            told = [", ".join(" ".join(play) for play in m["options"]) for m in found]
            if (
                len(found) != 1
                or (options is not None and found[0]["options"] != options)
                or (total is not None and found[0]["option_count"] != total)
            ):
                return f"{key}: expected {item!r}, found {told!r}"
        return None

    return check


def _play(play: str, reader: _Reader, key: str) -> list[str]:
    """The cards of one play, in the order of the verdict."""
    return sorted(reader.cards(play.split(), reader.line(key, play.strip())), key=TEXTS.index)


@_expectation
def _no_missed_blocks(reader: _Reader, key: str, value: Any) -> Check:
    if value == "all":
        return _equal(key, [], lambda v: [(m["event"], m["seat"]) for m in v["missed_blocks"]])
    unwanted = set(_passes(reader, key, value))
    return _equal(
        key,
        set(),
        lambda verdict: unwanted & {(m["event"], m["seat"]) for m in verdict["missed_blocks"]},
    )


@_expectation
def _undecided_passes(reader: _Reader, key: str, value: Any) -> Check:
    want = _passes(reader, key, value)
    return _equal(key, want, lambda v: [(p["event"], p["seat"]) for p in v["undecided_passes"]])


@_expectation
def _chops(reader: _Reader, key: str, value: Any) -> Check:
    """``1 Bình chops An 1000 paid``: all of them, in order; `unpaid` where this victim does not pay."""
    want = []
    for item in reader.texts(key, value):
        match item.split():
            case [event, name, "chops", victim, amount, "paid" | "unpaid" as paid]:
                want.append(
                    (
                        reader.event(key, item, event),
                        reader.seat(key, name),
                        reader.seat(key, victim),
                        reader.amount(key, item, amount),
                        paid == "paid",
                    )
                )
            case _:
                raise reader.wrong(key, item, "such as '1 Bình chops An 1000 paid' (or unpaid)")
    return _equal(
        key,
        want,
        lambda verdict: [
            (c["event"], c["seat"], c["victim"], Decimal(c["amount"]), c["paid"]) for c in verdict["chops"]
        ],
    )


@_expectation
def _transfers(reader: _Reader, key: str, value: Any) -> Check:
    """``Chi -> An 4000 rotten``: all of them; after it `@5` (the act) or `for Dũng` (whose debt)."""
    want = []
    for item in reader.texts(key, value):
        words = item.split()
        if len(words) < 5 or words[1] != "->":
            raise reader.wrong(key, item, "such as 'Chi -> An 4000 rotten'")
        payer, payee = (None if name == "bank" else reader.seat(key, name) for name in (words[0], words[2]))
        event = next((reader.event(key, item, w[1:]) for w in words[5:] if w.startswith("@")), None)
        of = reader.seat(key, words[words.index("for") + 1]) if "for" in words[5:-1] else None
        want.append((payer, payee, reader.amount(key, item, words[3]), words[4], event, of))

    def check(verdict: Verdict) -> str | None:
        open_ = list(verdict["transfers"])
        for payer, payee, amount, reason, event, of in want:
            found = next(
                (
                    t
                    for t in open_
                    if (t["from"], t["to"], Decimal(t["amount"]), t["reason"])
                    == (payer, payee, amount, reason)
                    and (event is None or t["event"] == event)
                    and (of is None or t["facts"].get("for_seat") == of)
                ),
                None,
            )
            if found is None:
                break
            open_.remove(found)
        else:
            if not open_:
                return None
        told = [
            f"{t['from']} -> {t['to']} {t['amount']} {t['reason']} @{t['event']}"
            for t in verdict["transfers"]
        ]
        return f"{key}: expected {value!r}, found {told!r}"

    return check


@_expectation
def _disputed_from(reader: _Reader, key: str, value: Any) -> Check:
    want = None if value == "none" else reader.event(key, str(value), str(value))
    return _equal(key, want, lambda verdict: verdict["disputed_from"])


@_expectation
def _result_check(reader: _Reader, key: str, value: Any) -> Check:
    if not isinstance(value, dict) or set(value) != {"places", "net"}:
        raise reader.wrong(key, value, "a table with `places` and `net`: agrees, differs or absent")
    return _equal(key, value, lambda verdict: verdict["result_check"])
