"""A hand → its text in the notation, in the one canonical form."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any, Final

import msgspec

from analyzer.cards import SPELLINGS, symbol_of
from analyzer.locale import N_, Message
from analyzer.logs.hand import (
    CallEvent,
    ClaimEvent,
    Event,
    ExchangeEvent,
    Hand,
    NoteEvent,
    PassEvent,
    PlayEvent,
    RulesSpec,
    SayEvent,
    ShowEvent,
)
from analyzer.logs.notation.header import grouped
from analyzer.logs.notation.lines import COMMENTS, END
from analyzer.logs.notation.people import default_ids, labels
from analyzer.logs.notation.reading import hand_size
from analyzer.logs.notation.texts import fold, hidden, json_text, quoted
from analyzer.logs.notation.words import (
    CANONICAL,
    WHOLE,
    WINS,
    WRITTEN_ACTS,
    WRITTEN_MANNERS,
    WRITTEN_MONEY,
    WRITTEN_REASONS,
)
from analyzer.logs.refusal import Fault
from analyzer.rules.loading import preset_ids

_NAME: Final = re.compile(r'[^,;()"#@:]+')
_KNOB: Final = re.compile(r"[a-z_][a-z_.]*")
_OWN: Final = re.compile(r"_[\w-]+")
_CURRENCY: Final = next(field.default for field in msgspec.structs.fields(Hand) if field.name == "currency")
_WHOLE: Final = "hết"
assert fold(_WHOLE) == WHOLE

Line = tuple[str, str]
"""The path of what a line tells, and the line."""


def write(hand: Hand, log: Mapping[str, Any] | None = None) -> str:
    """The text of a hand, with a line end at its end.

    ``log`` is the plain log that the hand was read from: its keys that begin with ``_``, which a hand does
    not hold, are written too, and the comments among them as comments.
    """
    people = labels([(player.id, player.name) for player in hand.players])
    own = [(path, value) for path, value in _own_keys(log or {}, [])]
    comments = next((value for path, value in own if path == [COMMENTS]), None)
    acts = [(f"events[{i}]", _act(event, people)) for i, event in enumerate(hand.events)]
    lines = [*_head(hand, people, own), *acts, *_tail(hand, people, own)]
    woven = _with_comments(lines, comments)
    if woven is None:
        at = 1 + sum(
            len(path) == 1 and _OWN.fullmatch(path[0]) is not None for path, _ in own if path != [COMMENTS]
        )
        lines.insert(at, (COMMENTS, f"{COMMENTS}: {json_text(comments)}"))
        woven = _with_comments(lines, [])
        assert woven is not None
    return woven


def own_log(raw: bytes) -> Mapping[str, Any]:
    """A record of a log as plain values, for what in it begins with ``_``. Raises Fault."""
    return plain_log(raw) if b'"_' in raw or b"\\u005" in raw else {}


def plain_log(raw: bytes) -> dict[str, Any]:
    """A record of a log as plain values, fractions exact. Raises Fault."""
    try:
        log = json.loads(raw, parse_float=Decimal)
        return log if isinstance(log, dict) else {}
    except (ValueError, ArithmeticError, RecursionError) as error:
        raise Fault("bad_json", "", str(error), Message(N_("one JSON object, a hand"))) from None


# -- lines about the hand ------------------------------------------------------------------------


def _head(hand: Hand, people: Sequence[str], own: Sequence[tuple[list[Any], Any]]) -> Iterator[Line]:
    def line(path: str, value: str) -> Line:
        return path, f"{CANONICAL[path]}: {value}"

    yield line("hand_id", quoted(hand.hand_id))
    for path, value in own:
        if len(path) == 1 and path != [COMMENTS] and _OWN.fullmatch(path[0]):
            yield path[0], f"{path[0]}: {json_text(value)}"
    rules = hand.rules
    id_ = rules.extends if isinstance(rules, RulesSpec) else rules
    yield line("rules", id_ if id_ in preset_ids() else quoted(id_))
    if isinstance(rules, RulesSpec):
        for knob, value in rules.set.items():
            name = knob if _KNOB.fullmatch(knob) else json_text(knob)
            yield f"rules.set[{knob!r}]", f"{CANONICAL['set']}: {name} = {json_text(value)}"
        if not rules.set:
            yield "rules.set", f"{CANONICAL['set']}: không"
    # A log that says POINT and one that says nothing differ: only the latter has the default itself.
    money = "" if hand.currency is _CURRENCY else " " + WRITTEN_MONEY.get(hand.currency, hand.currency)
    yield line("stake", grouped(hand.stake) + money)
    for key, told in (
        ("club_id", hand.club_id or None),
        ("session_id", hand.session_id),
        ("table_id", hand.table_id),
    ):
        if told is not None:
            yield line(key, quoted(told))
    if hand.hand_no is not None:
        yield line("hand_no", str(hand.hand_no))
    if hand.played_at is not None:
        yield line("played_at", quoted(hand.played_at))
    if hand.revision is not None:
        yield line("revision.number", str(hand.revision.number))
        for part in ("by", "at", "reason"):
            told = getattr(hand.revision, part)
            if told is not None:
                yield line(f"revision.{part}", quoted(told))
    yield line("players", ", ".join(_players(hand)))
    if hand.dealer is not None:
        yield line("dealer", people[hand.dealer])
    if hand.lead is not None:
        why = WRITTEN_REASONS[hand.lead.reason]
        yield line("lead", why if hand.lead.seat is None else f"{people[hand.lead.seat]} ({why})")
    if hand.deal is not None:
        size = hand_size({"extends": id_, "set": rules.set} if isinstance(rules, RulesSpec) else id_)
        # A holding that nobody knows needs no line, unless no other says that there was a deal to tell of.
        for seat in [seat for seat, holding in enumerate(hand.deal) if holding is not None] or [0]:
            holding = hand.deal[seat]
            yield f"deal[{seat}]", f"{CANONICAL['deal']} {people[seat]}: {_holding(holding, size)}"


def _players(hand: Hand) -> Iterator[str]:
    made = default_ids([player.name or "" for player in hand.players])
    for player, id_ in zip(hand.players, made, strict=True):
        name = player.name
        plain = name is not None and _NAME.fullmatch(name) and quoted(name) == name
        shown = [] if name is None else [name if plain else json_text(name)]
        if name is None or player.id != id_:
            plain_id = _NAME.fullmatch(player.id) and quoted(player.id) == player.id
            shown.append(f"({player.id if plain_id else json_text(player.id)})")
        yield " ".join(shown)


def _holding(holding: Sequence[str] | None, size: int) -> str:
    if holding is None:
        return "không rõ"
    return " ".join([*map(_card, holding), *([_WHOLE] if len(holding) < size else [])])


def _card(text: str) -> str:
    card = SPELLINGS.get(text)
    return text if card is None else symbol_of(card)


def _tail(hand: Hand, people: Sequence[str], own: Sequence[tuple[list[Any], Any]]) -> Iterator[Line]:
    result = hand.result
    if result is not None:
        if result.places is not None:
            yield (
                "result.places",
                f"{CANONICAL['result.places']}: {', '.join(people[s] for s in result.places)}",
            )
        if result.net is not None:
            told = [f"{people[seat]} {_amount(amount)}" for seat, amount in enumerate(result.net)]
            yield "result.net", f"{CANONICAL['result.net']}: {'; '.join(told)}"
        if result.places is None and result.net is None:
            yield "result", f"{CANONICAL['result']}: không ghi"
    for path, value in sorted(own, key=lambda one: json_text(one[0])):
        if len(path) > 1 or (path != [COMMENTS] and not _OWN.fullmatch(path[0])):
            yield json_text(path), f"_ {json_text(path)} {json_text(value)}"


def _amount(amount: Decimal) -> str:
    sign, _, told = ("-", "", format(-amount, "f")) if amount < 0 else ("", "", format(amount, "f"))
    number, _, part = told.partition(".")
    if len(part) == 3 and len(number) <= 3 and number != "0":
        part += "0"  # three digits after a comma could be thousands
    return sign + grouped(int(number)) + (f",{part}" if part else "")


# -- acts ----------------------------------------------------------------------------------------


def _act(event: Event, people: Sequence[str]) -> str:
    who = "" if event.seat is None else people[event.seat] + " "
    return who + _did(event, people) + (f" @{_seconds(event.at)}" if event.at is not None else "")


def _did(event: Event, people: Sequence[str]) -> str:
    cards = " ".join(map(_card, getattr(event, "cards", None) or ()))
    match event:
        case PlayEvent():
            return f"{WRITTEN_ACTS['steal']} {cards}" if event.as_ else cards
        case PassEvent():
            how = f" ({WRITTEN_MANNERS[event.how]})" if event.how else ""
            return WRITTEN_ACTS["pass"] + how
        case ClaimEvent():
            name = "" if event.hand is None else " " + WINS.get(event.hand, json_text(event.hand))
            return WRITTEN_ACTS["claim"] + name + (f" với {cards}" if cards else "")
        case SayEvent():
            said = "bỏ" if event.meaning == "pass" else "đánh"
            return f"{WRITTEN_ACTS['say']}: {said}" + (f" {cards}" if cards else "")
        case ShowEvent():
            return f"{WRITTEN_ACTS['show ' + event.why]} {cards}"
        case CallEvent():
            return f"{WRITTEN_ACTS['call']} {event.remaining or 'hết'}"
        case ExchangeEvent():
            return f"{WRITTEN_ACTS['exchange']} {people[event.to]} {cards}"
        case NoteEvent():
            return f"{WRITTEN_ACTS['note']}: {quoted(event.text)}"
    kind = WRITTEN_ACTS[str(event.__struct_config__.tag)]
    return f"{kind} {cards}" if cards else kind


def _seconds(at: float) -> str:
    told = format(Decimal(repr(at)), "f")
    return told.removesuffix(".0")


# -- keys of the log's own -----------------------------------------------------------------------


def _own_keys(value: Any, path: list[Any]) -> Iterator[tuple[list[Any], Any]]:
    """Every key that begins with ``_``, by its path, and its value."""
    if isinstance(value, Mapping):
        for key, item in value.items():
            if str(key).startswith("_"):
                yield [*path, key], item
            else:
                yield from _own_keys(item, [*path, key])
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _own_keys(item, [*path, index])


def _with_comments(lines: Sequence[Line], comments: Any) -> str | None:
    """The text of the lines with their comments; None where these are no comments of these lines."""
    before: dict[str, list[str]] = {}
    beside: dict[str, str] = {}
    known = {path for path, _ in lines}
    for comment in comments if isinstance(comments, list) else [comments] if comments is not None else []:
        told = _comment(comment)
        if told is None:
            return None
        kind, path, text = told
        if path not in known and (path, kind) != (END, "before"):
            return None
        if kind == "before":
            before.setdefault(path, []).append(text)
        elif path in beside:
            return None
        else:
            beside[path] = text
    written: list[str] = []
    for number, (path, line) in enumerate(lines):
        if path == "events[0]" and number:
            written.append("")
        written += [_hash(text) for text in before.get(path, ())]
        written.append(f"{line} {_hash(beside[path])}" if path in beside else line)
    written += [_hash(text) for text in before.get(END, ())]
    return "\n".join(written) + "\n"


def _comment(comment: Any) -> tuple[str, str, str] | None:
    """Where a comment stands, the path of its line, its text; None where it does not fit on a line."""
    if not isinstance(comment, dict) or len(comment) != 2 or not isinstance(comment.get("text"), str):
        return None
    text = comment["text"]
    kind = next(iter(comment.keys() - {"text"}))
    if kind not in ("before", "beside") or not isinstance(comment[kind], str):
        return None
    if text != text.strip() or hidden(text) is not None:
        return None
    return kind, comment[kind], text


def _hash(text: str) -> str:
    return f"# {text}".rstrip()
