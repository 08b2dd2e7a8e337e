"""Lines about the hand (``cược: 10.000 VND``) → values of the log."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal
from typing import Any, Final

from analyzer.locale import N_, Message
from analyzer.logs.notation.people import People, default_ids
from analyzer.logs.notation.problems import Trouble, asks
from analyzer.logs.notation.texts import Word, fold, json_of, value_of, words
from analyzer.logs.notation.words import MONEY, REASONS, THOUSANDS, WRITTEN_MONEY, WRITTEN_REASONS
from analyzer.logs.reading import check_moment
from analyzer.logs.refusal import Fault
from analyzer.rules.loading import preset_ids

_SEPARATOR: Final = re.compile(r'"(?:[^"\\]|\\.)*+(?:"|\\?$)|[,;]')
_PLAYER: Final = re.compile(
    r'(?P<name>"(?:[^"\\]|\\.)*+"|[^"()]*)\s*(?:\((?P<id>"(?:[^"\\]|\\.)*+"|[^"()]*)\)\s*)?'
)
_STAKE: Final = re.compile(
    r"(?P<number>\d[\d.,]*)\s*(?P<times>k|nghin|ngan|trieu|tr)?(?:\s*(?P<money>[a-z]{1,5}))?"
)
_GROUPED: Final = re.compile(r"\d{1,3}(?:[.,]\d{3})+")
_AMOUNT: Final = re.compile(r"([+-]?)(\d{1,3}(?:\.\d{3})+|\d+)(?:,(\d+))?")
_POINTED: Final = re.compile(r"([+-]?)(\d+)\.(\d+)")
_MINUS: Final = str.maketrans("−–", "--")
_MOMENT: Final = re.compile(
    r"(\d{1,2})/(\d{1,2})/(\d{4})[ ,]+(\d{1,2})[:hg](\d\d)(?::(\d\d))?\s*(?:([+-])(\d{1,2}):?(\d\d)?)?"
)
_SETTING: Final = re.compile(r'\s*("(?:[^"\\]|\\.)*+"|[^\s="]+)\s*=\s*(.*)', re.DOTALL)
_SWITCH: Final = {"bat": True, "on": True, "co": True, "tat": False, "off": False, "khong": False}
NOTHING: Final = ("khong", "khong co", "none")


def rules(value: str, column: int) -> str:
    """The id of a rule set; a preset's may be typed with marks and blanks."""
    text = value_of(value, column)
    slug = re.sub(r"[\s_-]+", "-", fold(text))
    return slug if slug in preset_ids() else text


def setting(value: str, column: int) -> tuple[str, Any] | None:
    """One knob of a table's own agreement and its value; None for ``không``: there is no such knob."""
    if fold(value) in NOTHING:
        return None
    match = _SETTING.fullmatch(value)
    if match is None:
        raise Trouble(
            column, value, Message(N_("a knob and its value, such as {example}"), example="frozen.stakes = 3")
        )
    key, told = value_of(match[1], column + match.start(1)), match[2].strip()
    if fold(told) in _SWITCH:
        return key, _SWITCH[fold(told)]
    if re.fullmatch(r"[a-z][\w-]*", told) and told not in ("true", "false", "null"):
        return key, told
    return key, json_of(told, column + match.start(2))


def stake(value: str, column: int) -> tuple[int, str | None]:
    """The stake and its currency, None where the line names none. ``10.000``, ``10,000``, ``10k đ``."""
    match = _STAKE.fullmatch(fold(value)) if len(value) <= 60 else None
    if match is None:
        raise Trouble(column, value, Message(N_("a whole amount, such as {example}"), example="10.000 VND"))
    number, times = match["number"], THOUSANDS.get(match["times"] or "", 0)
    money = match["money"]
    currency = None if money is None else MONEY.get(money, money.upper())
    if money is not None and money not in MONEY and not re.search(r"(?<![A-Za-z])[A-Z]{3}\s*$", value):
        expected = N_("a currency: đ, điểm, chip, or its code in three capitals such as USD")
        raise Trouble(column, value, Message(expected), reason="bad_value")
    units = ["đ", "điểm"] if currency is None else [WRITTEN_MONEY.get(currency, currency)]
    if _GROUPED.fullmatch(number):
        plain = int(re.sub("[.,]", "", number))
        if times:
            amounts = plain * 10**times, plain * 10**times // 1000
            raise asks(column, value, [f"{grouped(amount)} {unit}" for amount in amounts for unit in units])
        return plain, currency
    if times and currency is None:
        raise asks(column, value, [f"{value} {unit}" for unit in units])
    if re.fullmatch(r"\d+", number):
        return int(number) * 10**times, currency
    if times and re.fullmatch(r"\d+[.,]\d{1,2}", number):
        amount = Decimal(number.replace(",", ".")).scaleb(times)
        if amount == amount.to_integral_value():
            return int(amount), currency
    raise Trouble(column, value, Message(N_("a whole amount, such as {example}"), example="10.000 VND"))


def grouped(number: int) -> str:
    """A whole number with dots between the thousands."""
    return f"{number:,}".replace(",", ".")


def amount(word: str, column: int) -> int | Decimal:
    """An amount as written in Việt Nam: dots between thousands, a comma before the decimals."""
    text = word.translate(_MINUS)
    if len(text) > 40:
        raise Trouble(column, word, Message(N_("an amount, such as {example}"), example="-12.500,5"))
    match = _AMOUNT.fullmatch(text)
    if match is not None:
        sign, whole, part = match[1], match[2].replace(".", ""), match[3]
        if part is not None and len(part) == 3 and "." not in match[2] and whole != "0" and len(whole) <= 3:
            fraction = part.rstrip("0") if part.endswith("0") else part + "0"
            raise asks(
                column,
                word,
                [sign + grouped(int(whole + part)), sign + whole + (f",{fraction}" if fraction else "")],
            )
        return _number(sign, whole, part)
    match = _POINTED.fullmatch(text)
    if match is not None:
        return _number(match[1], match[2], match[3])
    raise Trouble(column, word, Message(N_("an amount, such as {example}"), example="-12.500,5"))


def _number(sign: str, whole: str, part: str | None) -> int | Decimal:
    number = Decimal(f"{sign}{whole}.{part or 0}")
    return int(number) if number == number.to_integral_value() else number.normalize()


def whole(value: str, column: int) -> int:
    """A whole number."""
    if not re.fullmatch(r"\d{1,15}", value):
        raise Trouble(column, value, Message(N_("a whole number")))
    return int(value)


def moment(value: str, column: int) -> str:
    """A date and time; ``28/11/2026 19:30 +7`` becomes the form of the log. Raises Trouble."""
    typed = value_of(value, column)
    text = _of_log(typed)
    try:
        check_moment("", text)
    except Fault as fault:
        mended = [typed + offset for offset in (" +7", "+07:00") if _is_moment(_of_log(typed + offset))]
        raise Trouble(column, value, fault.expected, mended[:1], fault.reason) from None
    return text


def _is_moment(text: str) -> bool:
    try:
        check_moment("", text)
    except Fault:
        return False
    return True


def _of_log(text: str) -> str:
    """A date and time as people write it in the form of the log; any other text as it is."""
    match = _MOMENT.fullmatch(text)
    if match is None:
        return text
    day, month, year, hour, minute, second, sign, hours, minutes = match.groups()
    offset = f"{sign}{int(hours):02}:{minutes or '00'}" if sign else ""
    return f"{year}-{int(month):02}-{int(day):02}T{int(hour):02}:{minute}:{second or '00'}{offset}"


# -- players -------------------------------------------------------------------------------------


def players(value: str, column: int) -> list[tuple[dict[str, str], int]]:
    """The players in the order of their seats, each with its column."""
    entries = _entries(value, column)
    found: list[tuple[str | None, str | None, int]] = []
    for text, at in entries:
        match = _PLAYER.fullmatch(text)
        if match is None or not text:
            raise Trouble(
                at, text or "—", Message(N_("a player's name, such as An, or An (an-01) with an id"))
            )
        written = match["name"].strip()
        name = value_of(written, at) if written else None
        id_ = value_of(match["id"].strip(), at) if match["id"] is not None else None
        found.append((name, id_, at))
    if len(found) < 2:
        raise Trouble(
            column,
            value or "—",
            Message(N_("two to four players, such as {example}"), example="An, Bình, Chi, Dũng"),
        )
    made = default_ids([name or "" for name, _, _ in found])
    return [
        ({"id": made[seat] if id_ is None else id_} | ({} if name is None else {"name": name}), at)
        for seat, (name, id_, at) in enumerate(found)
    ]


def _entries(value: str, column: int) -> list[tuple[str, int]]:
    """The players' texts: parted by commas, or by blanks where there is no comma."""
    if not re.search('[,;("]', value):
        found = [(m[0], column + m.start()) for m in re.finditer(r"\S+", value[:4000])]
    else:
        ends = [m.start() for m in _SEPARATOR.finditer(value) if m[0] in ",;"] + [len(value)]
        found, start = [], 0
        for end in ends[:6]:
            part = value[start:end]
            found.append((part.strip(), column + start + len(part) - len(part.lstrip())))
            start = end + 1
    if len(found) > 4:
        raise Trouble(found[4][1], found[4][0], Message(N_("at most four players")))
    return found


def named(people: People, value: Sequence[Word], column: int) -> int:
    """The seat of the one player whom these words name."""
    found = people.find(value)
    if found is None or found[1] != len(value):
        text = " ".join(word.text for word in value)
        near = people.nearest(text) if text else None
        raise Trouble(
            value[0].column if value else column,
            text or "—",
            Message(N_("one of the players: {names}"), names=", ".join(people.labels)),
            [near] if near else [],
        )
    return found[0]


def lead(people: People, body: str, start: int) -> dict[str, Any]:
    """Who leads and why."""
    told = words(body, start)
    phrase = " ".join(word.plain for word in told)
    found = None if phrase in REASONS and len(told) > 1 else people.find(told)
    if found is None:
        reason = REASONS.get(phrase)
        if reason == "opening":
            return {"reason": reason}
        if reason is None:
            named(people, told, start + 1)
        label = people.labels[0]
        raise Trouble(
            start + 1,
            phrase or "—",
            Message(N_("who leads, and why")),
            [f"{label} ({WRITTEN_REASONS[reason]})"] if reason else [],
        )
    seat, length = found
    rest = " ".join(word.plain for word in told[length:])
    if rest not in REASONS:
        label = people.labels[seat]
        readings = [f"{label} ({why})" for why in WRITTEN_REASONS.values()]
        if not rest:
            raise asks(start + 1, label, readings)
        raise Trouble(told[length].column, rest, Message(N_("why {player} leads"), player=label), readings)
    return {"reason": REASONS[rest], "seat": seat}


def places(people: People, body: str, start: int) -> tuple[list[int], list[int]]:
    """Seats from first to last, and their columns."""
    told = [word for word in words(body, start) if word.text not in (">", "-")]
    seats: list[int] = []
    columns: list[int] = []
    while told and len(seats) < 8:
        found = people.find(told)
        if found is None:
            named(people, told[:1], start + 1)
            break
        seats.append(found[0])
        columns.append(told[0].column)
        told = told[found[1] :]
    return seats, columns


def net(people: People, body: str, start: int) -> tuple[list[int | Decimal], list[int]]:
    """What each player won or lost, by seat, and where each amount stands."""
    found: dict[int, tuple[int | Decimal, int]] = {}
    text = body[start:4000]
    parts = (
        re.split(r";|,\s", text) if re.search(r";|,\s", text) else re.split(r"(?<=\d)\s+(?=[^\W\d])", text)
    )
    at = start
    for part in parts:
        at = body.index(part, at)
        match = re.search(r"\S+$", part.rstrip())
        if match is None:
            continue
        column = at + match.start() + 1
        seat = named(people, words(body[: at + match.start()], at), at + 1)
        if seat in found:
            raise Trouble(at + 1, part.strip(), Message(N_("each player once")))
        found[seat] = amount(match[0], column), column
        at += len(part)
    for seat in range(people.count):
        if seat not in found:
            raise Trouble(
                len(body) + 1,
                "—",
                Message(N_("an amount for each player; {player} has none"), player=people.labels[seat]),
            )
    return [found[seat][0] for seat in range(people.count)], [found[seat][1] for seat in range(people.count)]
