"""What a treasurer enters: payments made, opening balances, evenings closed and reopened.

Pure functions over the journal's entries. A balance above zero is money that a player is still to get;
whoever pays gains by it. The bank's player is "". While an evening is closed, what it comes to is what was
written down at its closing: hands that come later change it only after it was reopened, with a reason.

Players are persons (people.py): what was entered for any id of a person is the person's for as long as the
alias stands, and the id's own again when it is taken back.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from decimal import Decimal
from typing import Annotated, Any, Final, TypeVar
from zoneinfo import ZoneInfo

import msgspec

from analyzer.locale import N_, Message
from analyzer.store.club_days import SETTING, Clock, clocks
from analyzer.store.database import DatabaseError
from analyzer.store.journal import Entry
from analyzer.store.people import ALIAS, UNDONE, persons
from analyzer.store.typed import LABELS, unfit

KINDS: Final = (
    *("payment", "payment_undone", "opening_balance", "evening_closed", "evening_reopened"),
    *(ALIAS, UNDONE, SETTING),
)
"""The kinds of entries that are read here."""

EXACT: Final = re.compile(r"-?[0-9]{1,15}(\.[0-9]{1,3})?")
"""An amount as it is written down: what DECIMAL(18,3) holds."""

NOTE: Final = 200
"""Characters of a note or a reason."""

Id = Annotated[str, msgspec.Meta(max_length=256)]
Note = Annotated[str, msgspec.Meta(max_length=NOTE)]
Reason = Annotated[str, msgspec.Meta(min_length=1, max_length=NOTE)]
Amount = Annotated[str, msgspec.Meta(pattern=f"^{EXACT.pattern}$")]
Nets = dict[Id, dict[Id, Amount]]
Check = Callable[[tuple[Entry, ...]], None]
Data = TypeVar("Data", bound="Decision")


class Refused(Exception):
    """A decision that cannot be entered as things stand; ``message`` says why."""

    def __init__(self, text: str, **values: object) -> None:
        self.message = Message(text, **values)
        super().__init__(self.message.render("en"))


class Decision(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What an entry holds. Keys that a later version may add are passed over."""

    club: Id = ""

    def data(self) -> dict[str, Any]:
        """As the journal takes it. Raises Refused for a text that is not kept, ValueError for what could
        not be read again."""
        for part in msgspec.inspect.type_info(type(self)).fields:  # type: ignore[attr-defined]
            if part.name in LABELS:
                limits = part.type
                told = unfit(part.name, getattr(self, part.name), limits.max_length, limits.min_length or 0)
                if told is not None:
                    raise Refused(told.text, **told.values)
        found: dict[str, Any] = msgspec.to_builtins(self)
        try:
            msgspec.convert(found, type=type(self))
        except msgspec.ValidationError as error:
            raise ValueError(str(error)) from None
        return found


class Paid(Decision, frozen=True, kw_only=True, omit_defaults=True):
    """A payment that was made: of an evening, or on the account of a club."""

    evening: Id | None = None
    currency: Id
    payer: Id = msgspec.field(name="from")
    payee: Id = msgspec.field(name="to")
    amount: Amount
    on: date | None = None
    """The day on which it was made; not given: the day of the entry."""
    note: Note = ""
    seen: int = 0
    """Number of the last entry that its maker had seen: with the rest what tells it from a second click."""

    def __post_init__(self) -> None:
        if self.payer == self.payee or self.exact <= 0:
            raise ValueError("a payment is above zero, from one player to another")

    @property
    def exact(self) -> Decimal:
        return Decimal(self.amount)

    @property
    def what(self) -> tuple[str, str, str, str, Decimal]:
        """What makes two payments the same one, be it entered for its evening or on the account."""
        return self.club, self.currency, self.payer, self.payee, self.exact


class Undoing(Decision, frozen=True, kw_only=True, omit_defaults=True):
    """A payment taken back: the number of its entry, and why."""

    payment: int
    reason: Reason


class Opening(Decision, frozen=True, kw_only=True, omit_defaults=True):
    """What a player had to get (or, below zero, to pay) before the first stored hand. The last one counts."""

    currency: Id
    player: Id
    also: tuple[Id, ...] = ()
    """The other ids that the person had then: of none of them another balance counts any more."""
    amount: Amount
    note: Note = ""
    seen: int = 0

    @property
    def exact(self) -> Decimal:
        return Decimal(self.amount)


class Closing(Decision, frozen=True, kw_only=True, omit_defaults=True):
    """An evening closed: currency → player → net as it was, and the SHA-256 over its hands."""

    evening: Id
    net: Nets
    digest: Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{64}$")]

    def exact(self, currency: str) -> dict[str, Decimal]:
        """The nets of one currency."""
        return {player: Decimal(text) for player, text in self.net.get(currency, {}).items()}


class Reopening(Decision, frozen=True, kw_only=True, omit_defaults=True):
    """A closed evening opened again, and why."""

    evening: Id
    reason: Reason


@dataclass(frozen=True, slots=True)
class Books:
    """What the entries come to. ``seen`` is the number of the last one."""

    payments: dict[int, tuple[Entry, Paid]] = field(default_factory=dict)
    """Those that stand, by the number of their entry."""
    undone: list[tuple[Entry, Paid, Entry, Undoing]] = field(default_factory=list)
    openings: dict[tuple[str, str, str], tuple[Entry, Opening]] = field(default_factory=dict)
    """(club, currency, player) → the one that counts."""
    closings: dict[tuple[str, str], tuple[Entry, Closing]] = field(default_factory=dict)
    """(club, evening) → the closing of an evening that is closed."""
    reopenings: list[tuple[Entry, Reopening]] = field(default_factory=list)
    persons: Mapping[tuple[str, str], str] = field(default_factory=dict)
    """(club, player) → the person, for every player that is not simply a person of the same id."""
    clocks: Mapping[str, Clock] = field(default_factory=dict)
    """Club → its clock, where it has set one."""
    seen: int = 0

    def local(self, club: str, at: datetime) -> datetime:
        """An instant by the clock of a club."""
        return at.astimezone(ZoneInfo(self.clocks.get(club, Clock()).time_zone))

    def day_of(self, entry: Entry, paid: Paid) -> date:
        """The day on which a payment counts: the one given, else the club's at its entry."""
        return paid.on or self.local(paid.club, entry.at).date()

    def paid(self, club: str, currency: str, evening: str | None = None) -> list[tuple[Entry, Paid]]:
        """The payments of a club that stand, or those of one evening, in the order of their entry."""
        return [
            (entry, paid)
            for entry, paid in self.payments.values()
            if (paid.club, paid.currency) == (club, currency) and evening in (None, paid.evening)
        ]

    def opening(self, club: str, currency: str) -> dict[str, Decimal]:
        """The opening balances of a club's players."""
        return {
            player: opening.exact
            for (own, unit, player), (_, opening) in self.openings.items()
            if (own, unit) == (club, currency)
        }

    def currencies(self, club: str) -> list[str]:
        """The currencies of everything that was entered for a club, in alphabetical order."""
        found = {unit for own, unit, _ in self.openings if own == club}
        found |= {paid.currency for _, paid in self.payments.values() if paid.club == club}
        for (own, _), (_, closing) in self.closings.items():
            found |= closing.net.keys() if own == club else set()
        return sorted(found)

    def closed(self, club: str) -> list[dict[str, Any]]:
        """The closed evenings of a club, and when, as the parameter ``closings`` of counted_elsewhere."""
        return [
            {"evening": evening, "closed_at": entry.at}
            for (own, evening), (entry, _) in self.closings.items()
            if own == club
        ]


def books(entries: Iterable[Entry]) -> Books:
    """All decisions about money. Raises DatabaseError, naming the entry, for one that cannot be read."""
    entries = tuple(entries)
    last = entries[-1].number if entries else 0
    found = Books(persons=persons(entries), clocks=clocks(entries), seen=last)
    for entry in entries:
        match entry.kind:
            case "payment":
                found.payments[entry.number] = entry, entered(entry, Paid)
            case "payment_undone":
                undoing = entered(entry, Undoing)
                if undoing.payment in found.payments:
                    found.undone.append((*found.payments.pop(undoing.payment), entry, undoing))
            case "opening_balance":
                opening = entered(entry, Opening)
                for player in opening.also:
                    found.openings.pop((opening.club, opening.currency, player), None)
                found.openings[opening.club, opening.currency, opening.player] = entry, opening
            case "evening_closed":
                closing = entered(entry, Closing)
                found.closings.setdefault((closing.club, closing.evening), (entry, closing))
            case "evening_reopened":
                reopening = entered(entry, Reopening)
                found.closings.pop((reopening.club, reopening.evening), None)
                found.reopenings.append((entry, reopening))
    return _of_persons(found) if found.persons else found


def _of_persons(found: Books) -> Books:
    """The same with persons for players. What one id of a person paid to another one was never a payment."""

    def person(decision: Decision, player: str) -> str:
        return found.persons.get((decision.club, player), player)

    def paid(paid: Paid) -> Paid | None:
        payer, payee = person(paid, paid.payer), person(paid, paid.payee)
        return msgspec.structs.replace(paid, payer=payer, payee=payee) if payer != payee else None

    openings: dict[tuple[str, str, str], tuple[Entry, Opening]] = {}
    for entry, opening in sorted(found.openings.values(), key=lambda row: row[0].number):
        own = person(opening, opening.player)
        key = opening.club, opening.currency, own
        amount = opening.exact + (openings[key][1].exact if key in openings else 0)
        openings[key] = entry, msgspec.structs.replace(opening, player=own, amount=format(amount, "f"))
    closings = {}
    for evening, (entry, closing) in found.closings.items():
        net: dict[str, dict[str, Decimal]] = {}
        for unit in closing.net:
            sums = net.setdefault(unit, {})
            for player, amount in closing.exact(unit).items():
                own = person(closing, player)
                sums[own] = sums.get(own, Decimal(0)) + amount
        closings[evening] = entry, closing_of(*evening, net, closing.digest)
    return replace(
        found,
        payments={
            number: (entry, theirs)
            for number, (entry, one) in found.payments.items()
            if (theirs := paid(one))
        },
        undone=[
            (entry, theirs, back, undoing)
            for entry, one, back, undoing in found.undone
            if (theirs := paid(one))
        ],
        openings=openings,
        closings=closings,
    )


def entered(entry: Entry, type_: type[Data]) -> Data:
    """What an entry holds. Raises DatabaseError, naming the entry, where that cannot be read."""
    try:
        return msgspec.convert(entry.data, type=type_)
    except msgspec.ValidationError as error:
        raise DatabaseError(
            N_(
                "Entry {number} of the journal ({kind}) is not what this program writes: {found}. A later "
                "version may have written it: install that one."
            ),
            number=entry.number,
            kind=entry.kind,
            found=str(error),
        ) from None


# -- what may be entered ---------------------------------------------------------------------------


def may_pay(paid: Paid) -> Check:
    """Refuses what was entered already since its maker looked: a second click, or somebody else's."""

    def check(entries: tuple[Entry, ...]) -> None:
        for number, (entry, other) in books(entries).payments.items():
            if number > paid.seen and other.what == paid.what:
                raise Refused(
                    N_("This payment has just been entered, by {by}. It was not entered a second time."),
                    by=entry.by,
                )

    return check


def may_undo(undoing: Undoing) -> Check:
    """Refuses where there is no such payment of this club (any more)."""

    def check(entries: tuple[Entry, ...]) -> None:
        found = books(entries).payments.get(undoing.payment)
        if found is None or found[1].club != undoing.club:
            raise Refused(N_("This payment has been taken back already."))

    return check


def may_open(opening: Opening) -> Check:
    """Refuses where somebody else entered a balance of this player since its maker looked."""

    def check(entries: tuple[Entry, ...]) -> None:
        found = books(entries).openings.get((opening.club, opening.currency, opening.player))
        if found is not None and found[0].number > opening.seen:
            raise Refused(
                N_("{by} has just entered an opening balance of this player: {amount}. Look again first."),
                by=found[0].by,
                amount=found[1].amount,
            )

    return check


def may_close(closing: Closing) -> Check:
    """Refuses an evening that is closed."""

    def check(entries: tuple[Entry, ...]) -> None:
        found = books(entries).closings.get((closing.club, closing.evening))
        if found is not None:
            raise Refused(N_("This evening has been closed already, by {by}."), by=found[0].by)

    return check


def may_reopen(reopening: Reopening) -> Check:
    """Refuses an evening that is not closed."""

    def check(entries: tuple[Entry, ...]) -> None:
        if (reopening.club, reopening.evening) not in books(entries).closings:
            raise Refused(N_("This evening is not closed (any more)."))

    return check


# -- what it comes to ------------------------------------------------------------------------------


def closing_of(club: str, evening: str, net: Mapping[str, Mapping[str, Decimal]], digest: str) -> Closing:
    """A closing with the nets as they are."""
    told = {
        unit: {player: format(amount, "f") for player, amount in row.items()} for unit, row in net.items()
    }
    return Closing(club=club, evening=evening, net=told, digest=digest)


def differences(closed: Mapping[str, Decimal], now: Mapping[str, Decimal]) -> dict[str, Decimal]:
    """Player → what the stored hands now give more (or, below zero, less) than at the closing."""
    found = {
        player: now.get(player, Decimal(0)) - closed.get(player, Decimal(0)) for player in {*closed, *now}
    }
    return {player: found[player] for player in sorted(found) if found[player]}


def with_bank(net: Mapping[str, Decimal]) -> dict[str, Decimal]:
    """The nets with the bank's, so that they add up to nothing."""
    rest = sum(net.values(), Decimal(0))
    return {**net, "": net.get("", Decimal(0)) - rest} if rest else dict(net)


def after_payments(net: Mapping[str, Decimal], payments: Iterable[Paid]) -> dict[str, Decimal]:
    """What each is still to get (or, below zero, to pay)."""
    left = dict(net)
    for paid in payments:
        left[paid.payer] = left.get(paid.payer, Decimal(0)) + paid.exact
        left[paid.payee] = left.get(paid.payee, Decimal(0)) - paid.exact
    return left
