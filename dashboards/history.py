"""Every decision of the journal in words: who decided what, with names for ids.

A kind that has no sentence here (one of a later program, or an entry that misses something) is told by its
fields, so that nothing decided is ever hidden.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from decimal import Decimal, InvalidOperation
from typing import Any, Final

from analyzer.access import ROLE_NAMES
from analyzer.judge.rulings import OUTCOMES
from analyzer.locale import N_
from analyzer.reports.codes import CODE_NAMES
from analyzer.reports.text import CERTAINTY_NAMES
from analyzer.store.journal import Entry
from dashboards import data
from dashboards.data import Version
from dashboards.people import known
from dashboards.words import number, paid, say, signed

SHOWN: Final = 300
"""Letters of what is told of one entry."""

SUMS: Final = 12
"""Players whose sums are told of a closed evening."""

FIELDS: Final = {
    "club": N_("club"),
    "clubs": N_("clubs"),
    "email": N_("address"),
    "role": N_("role"),
    "time_zone": N_("time zone"),
    "day_starts": N_("new day at"),
    "evening": N_("evening"),
    "currency": N_("currency"),
    "amount": N_("amount"),
    "from": N_("from"),
    "to": N_("to"),
    "on": N_("day"),
    "note": N_("note"),
    "reason": N_("reason"),
    "player": N_("player"),
    "players": N_("players"),
    "is": N_("is"),
    "hand": N_("hand"),
    "hand_id": N_("hand"),
    "event": N_("act"),
    "code": N_("violation"),
    "certainty": N_("certainty"),
    "decision": N_("decision"),
    "outcome": N_("decision"),
    "claimant": N_("who claims it"),
    "text": N_("what is claimed"),
    "moves": N_("money moved"),
    "seat": N_("seat"),
    "ruling": N_("ruling"),
    "case": N_("case"),
    "title": N_("title"),
    "name": N_("name"),
}
"""What a field is called where it is told by itself."""

KINDS: Final = {
    "alias": N_("two ids are one person"),
    "alias_undone": N_("two ids are two people after all"),
    "evening_closed": N_("evening closed"),
    "evening_reopened": N_("evening opened again"),
    "opening_balance": N_("opening balance"),
    "payment": N_("payment"),
    "payment_undone": N_("payment taken back"),
    "role": N_("role"),
    "ruled": N_("decision on a hand"),
    "case_claimed": N_("claim"),
    "case_closed": N_("case closed"),
    "case_reopened": N_("case reopened"),
    "variation_saved": N_("variation saved"),
    "variation_dropped": N_("variation dropped"),
    "setting": N_("club's settings"),
}

PEOPLE: Final = frozenset({"player", "players", "from", "to", "is"})
"""Fields that name players of the entry's club by their ids."""

BEHIND: Final = frozenset({"seen", "digest", "also"})
"""Fields that only the program needs; and whatever ends so."""


def kind_title(entry: Entry) -> str:
    """What sort of decision it is."""
    return say(KINDS[entry.kind]) if entry.kind in KINDS else entry.kind.replace("_", " ")


def told(version: Version, entry: Entry, others: Mapping[int, Entry]) -> str:
    """What was decided, in a sentence; ``others`` are all entries by their numbers."""
    try:
        text = SENTENCES[entry.kind](version, entry, others)
    except (KeyError, TypeError, AttributeError, InvalidOperation):
        text = by_fields(version, entry)
    return text if len(text) <= SHOWN else text[: SHOWN - 1] + "…"


def by_fields(version: Version, entry: Entry) -> str:
    """What an entry holds, field by field."""
    parts = []
    for key, value in entry.data.items():
        if value in ("", [], {}, None) or key in BEHIND or key.endswith("sha256"):
            continue
        label = say(FIELDS[key]) if key in FIELDS else key.replace("_", " ")
        parts.append(f"{label}: {_shown(version, entry, key, value)}")
    return " · ".join(parts)


def _shown(version: Version, entry: Entry, key: str, value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(_shown(version, entry, key, part) for part in value)
    if isinstance(value, dict):
        return ", ".join(f"{name} {_shown(version, entry, key, part)}" for name, part in value.items())
    if isinstance(value, bool):
        return say(N_("yes") if value else N_("no"))
    if key == "event" and isinstance(value, int):
        return number(value + 1)
    if key in PEOPLE and isinstance(value, str):
        return name_of(version, str(entry.data.get("club", "")), value)
    for fields, names in (("code", CODE_NAMES), ("certainty", CERTAINTY_NAMES), ("role", ROLE_NAMES)):
        if key == fields and value in names:
            return say(names[value])
    return evening_name(value) if key == "evening" else str(value)


def name_of(version: Version, club: str, player: str) -> str:
    """What a player is called; the bank, and whoever played in no hand here, too."""
    if player == "":
        return say(N_("the bank"))
    names = data.people(version)
    return names.get((club, player)) or names.get((club, known(version.path).person(club, player)), player)


def evening_name(evening: object) -> str:
    """The evening's own name, without what sort of name it is."""
    return str(evening).split(" ", 1)[-1]


def _paid(version: Version, entry: Entry) -> str:
    held, club = entry.data, str(entry.data.get("club", ""))
    told = {"payer": name_of(version, club, held["from"]), "payee": name_of(version, club, held["to"])}
    told["amount"] = paid(Decimal(held["amount"]), held["currency"])
    if held.get("evening") is None:
        return say(N_("{payer} paid {payee} {amount}, on the account"), **told)
    evening = evening_name(held["evening"])
    return say(N_("{payer} paid {payee} {amount} for the evening {evening}"), **told, evening=evening)


def _payment(version: Version, entry: Entry, others: Mapping[int, Entry]) -> str:
    note = entry.data.get("note")
    return _paid(version, entry) + (f" · {note}" if note else "")


def _payment_undone(version: Version, entry: Entry, others: Mapping[int, Entry]) -> str:
    payment = _paid(version, others[entry.data["payment"]])
    return say(N_("{what}: taken back, because: {reason}"), what=payment, reason=entry.data["reason"])


def _opening(version: Version, entry: Entry, others: Mapping[int, Entry]) -> str:
    held = entry.data
    amount = Decimal(held["amount"])
    player = name_of(version, str(held.get("club", "")), held["player"])
    if not amount:
        return say(N_("{player} was even before the first hand"), player=player)
    text = N_("{player} was to get {amount} before the first hand")
    if amount < 0:
        text = N_("{player} was to pay {amount} before the first hand")
    return say(text, player=player, amount=paid(abs(amount), held["currency"]))


def _closed(version: Version, entry: Entry, others: Mapping[int, Entry]) -> str:
    club = str(entry.data.get("club", ""))
    sums = [
        f"{name_of(version, club, player)} {signed(Decimal(amount), currency)}"
        for currency, row in entry.data["net"].items()
        for player, amount in sorted(row.items(), key=lambda item: -Decimal(item[1]))
    ]
    told = ", ".join(sums[:SUMS]) + (" …" if len(sums) > SUMS else "")
    return say(N_("The evening {evening} was closed: {sums}"), evening=_evening(entry), sums=told)


def _reopened(version: Version, entry: Entry, others: Mapping[int, Entry]) -> str:
    reason = entry.data["reason"]
    text = N_("The evening {evening} was opened again, because: {reason}")
    return say(text, evening=_evening(entry), reason=reason)


def _evening(entry: Entry) -> str:
    return evening_name(entry.data["evening"])


def _alias(version: Version, entry: Entry, others: Mapping[int, Entry]) -> str:
    held = entry.data
    text = N_("Whoever played as {player} is {person}")
    return say(text, player=held["player"], person=name_of(version, held["club"], held["is"]))


def _alias_undone(version: Version, entry: Entry, others: Mapping[int, Entry]) -> str:
    held = others[entry.data["alias"]].data
    person = name_of(version, held["club"], held["is"])
    return say(N_("{player} and {person} are two people"), player=held["player"], person=person)


def _role(version: Version, entry: Entry, others: Mapping[int, Entry]) -> str:
    held = entry.data
    clubs = ", ".join(club or say(N_("no club")) for club in held.get("clubs", []))
    role = say(ROLE_NAMES[held["role"]]) + (f" ({clubs})" if clubs else "")
    return f"{held['email']}: {role}"


def _setting(version: Version, entry: Entry, others: Mapping[int, Entry]) -> str:
    held = entry.data
    if not {"time_zone", "day_starts"} <= held.keys():
        return by_fields(version, entry)
    told = {"zone": held["time_zone"], "start": held["day_starts"]}
    club = held.get("club") or say(N_("no club"))
    return say(N_("{club}: a new day starts at {start} ({zone})"), club=club, **told)


def _claimed(version: Version, entry: Entry, others: Mapping[int, Entry]) -> str:
    held = entry.data
    text = N_("{claimant} on hand {hand}: {claim}")
    return say(text, claimant=held["claimant"], hand=held["hand"], claim=held["text"])


def _ruled(version: Version, entry: Entry, others: Mapping[int, Entry]) -> str:
    held, club = entry.data, str(entry.data.get("club", ""))
    code = held.get("code")
    finding = say(N_("the hand as a whole") if code is None else CODE_NAMES[str(code)])
    if held.get("event") is not None:
        act = say(N_("act {n}"), n=number(held["event"] + 1))
        finding += f" ({act})"
    told = say(
        N_("Hand {hand}, {finding}: {outcome}"),
        hand=held["hand"],
        finding=finding,
        outcome=say(OUTCOMES[held["outcome"]]),
    )
    moves = [
        say(
            N_("{payer} pays {payee} {amount}"),
            payer=name_of(version, club, move.get("from", "")),
            payee=name_of(version, club, move.get("to", "")),
            amount=paid(Decimal(move["amount"]), held["currency"]),
        )
        for move in held.get("moves", ())
    ]
    return " · ".join(part for part in (told, *moves, held.get("reason")) if part)


def _case_turned(version: Version, entry: Entry, others: Mapping[int, Entry]) -> str:
    return " · ".join(
        part for part in (say(N_("Hand {id}"), id=entry.data["hand"]), entry.data.get("reason")) if part
    )


def _variation(version: Version, entry: Entry, others: Mapping[int, Entry]) -> str:
    kept = entry.data if "name" in entry.data else others[entry.data["variation"]].data
    hand = say(N_("Hand {id}"), id=kept["hand"])
    return f"{hand} · " + say(N_("{name}: from act {n} on"), name=kept["name"], n=number(kept["event"] + 1))


Telling = Callable[[Version, Entry, Mapping[int, Entry]], str]
SENTENCES: Final[dict[str, Telling]] = {
    "payment": _payment,
    "payment_undone": _payment_undone,
    "opening_balance": _opening,
    "evening_closed": _closed,
    "evening_reopened": _reopened,
    "alias": _alias,
    "alias_undone": _alias_undone,
    "role": _role,
    "setting": _setting,
    "case_claimed": _claimed,
    "ruled": _ruled,
    "case_closed": _case_turned,
    "case_reopened": _case_turned,
    "variation_saved": _variation,
    "variation_dropped": _variation,
}
"""Kind → what tells it in a sentence."""
