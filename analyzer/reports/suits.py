"""What hangs on suits that nobody remembers, in words."""

from __future__ import annotations

from itertools import combinations
from typing import Any

from analyzer.cards import OPEN, RANKS, symbols_of
from analyzer.judge.hanging import Hanging, Slot
from analyzer.judge.verdict import INSTANT_WIN_NAMES, HangingTold, SuitCase, message_of
from analyzer.locale import N_, Joined, Message
from analyzer.reports.account import Account
from analyzer.reports.money import Amount

LISTED = 4
"""So many ways of giving suits are listed; of more it is told whose suits they are, and their number. So many
places of such cards are named."""


def hanging_texts(account: Account) -> list[Message]:
    """A sentence for each thing that hangs on suits, the money last."""
    told = account.verdict.hanging_on_suits
    found = [_text(account, hanging) for hanging in told if hanging.about != "outcome"]
    if any(hanging.sampled for hanging in told):
        found.append(Message(N_("There are too many ways to give suits: only some were judged.")))
    return found


def hanging_on(account: Account, code: str, event: int | None, seat: int | None) -> Message | None:
    """On which suits a violation, or the forfeit (code ``forfeit``), hangs; None where it does not."""
    for hanging in account.verdict.hanging_on_suits:
        about_it = hanging.about == "violation" and (hanging.code, hanging.event) == (code, event)
        if (about_it or hanging.about == code) and hanging.seat == seat:
            return _text(account, hanging)
    return None


class _Clause(Message):
    """A sentence without its full stop, to stand in another."""

    __slots__ = ("whole",)

    def __init__(self, whole: Message) -> None:
        super().__init__("")
        self.whole = whole

    def render(self, lang: str) -> str:
        """The sentence in a language."""
        return self.whole.render(lang).rstrip(".")


def _text(account: Account, hanging: HangingTold) -> Message:
    player = account.name(hanging.seat)
    if hanging.about in ("places", "next_lead", "net"):
        return Joined([_case(account, hanging, case) for case in hanging.cases], " ")
    yes = [case for case in hanging.cases if case.value]
    no = [case for case in hanging.cases if not case.value]
    ways = {"yes": _suits(account, yes, hanging), "no": _suits(account, no, hanging, first=False)}
    match hanging.about:
        case "violation":
            finding = next(
                f
                for f in account.judgement.findings
                if (f.code, f.event, f.seat) == (hanging.code, hanging.event, hanging.seat)
            )
            what = _Clause(message_of(finding, account.hand))
            if hanging.event is None:
                return Message(N_("{what}: so it is with {yes}, and not with {no}."), what=what, **ways)
            return Message(
                N_("Act {act}: {what}: so it is with {yes}, and not with {no}."),
                act=hanging.event + 1,
                what=what,
                **ways,
            )
        case "missed_block":
            return Message(
                N_("Act {act}: {player} had a legal play with {yes}, and none with {no}."),
                act=(hanging.event or 0) + 1,
                player=player,
                **ways,
            )
        case "forfeit":
            return Message(
                N_("{player} pays for the table with {yes}, and not with {no}."), player=player, **ways
            )
        case _:
            name = Message(INSTANT_WIN_NAMES[hanging.code or ""])
            return Message(
                N_("{player} has {hand} with {yes}, and not with {no}."), player=player, hand=name, **ways
            )


def _case(account: Account, hanging: HangingTold, case: SuitCase) -> Message:
    return Message(
        N_("With {suits}: {result}."),
        suits=_suits(account, [case], hanging),
        result=_result(account, hanging, case.value),
    )


def _result(account: Account, hanging: HangingTold, value: Any) -> Message | str:
    if hanging.about == "places":
        names = " · ".join(account.name(seat) for seat in value)
        return Message(N_("places {names}"), names=names) if value else Message(N_("no places"))
    if hanging.about == "next_lead":
        if value is None or value["seat"] is None:
            return Message(N_("nobody is due to lead the next hand"))
        return Message(N_("{player} leads the next hand"), player=account.name(value["seat"]))
    parts: list[Message] = [
        Message(
            N_("{player} {amount}"),
            player=account.name(seat),
            amount=Amount(amount, account.hand.currency, True),
        )
        for seat, amount in enumerate(value)
    ]
    return Joined(parts, " · ")


def _suits(account: Account, cases: list[SuitCase], hanging: HangingTold, first: bool = True) -> Message:
    """The suits of some cases: those of the fewest places that decide, where they are few; else of which
    cards they are, and how many ways that is. What is not told ``first`` refers to the cards told before."""
    if not cases:
        return Message(N_("no suits"))
    told = _deciding(account, cases, hanging, LISTED)
    if told is not None:
        places, ways = told
        return Joined([_way(account, places, way) for way in ways], " / ")
    others = [case for case in hanging.cases if case not in cases]
    if _deciding(account, others, hanging, LISTED) is not None:
        return Message(N_("any other suits"))
    text = N_("other suits of those cards ({count} of {everything} ways)")
    if first:
        text = N_("some suits of {cards} ({count} of {everything} ways)")
    told, rest = (_deciding(account, some, hanging, None) for some in (cases, others))
    if told is not None and rest is not None:
        cards, count = _open_places(account, hanging, told[0]), len(told[1])
        return Message(text, cards=cards, count=count, everything=count + len(rest[1]))
    count, everything = (sum(case.count for case in some) for some in (cases, hanging.cases))
    return Message(text, cards=_open_places(account, hanging, ()), count=count, everything=everything)


def _way(account: Account, places: tuple[Place, ...], way: tuple[str, ...]) -> Message:
    told = [
        _cards(account, *place, cards, len(places) == 1) for place, cards in zip(places, way, strict=True)
    ]
    return Joined(list(told), " + ")


Place = tuple[int | None, int]
"""An act, or (None) the deal, and a seat: where cards lie whose suits are open."""


def _deciding(
    account: Account, cases: list[SuitCase], hanging: HangingTold, most: int | None
) -> tuple[tuple[Place, ...], list[tuple[str, ...]]] | None:
    """The fewest places whose suits alone decide between these cases and the others, and their suits, where
    those are at most so many."""
    found = _hanging_of(account, hanging)
    chosen = [index for index, case in enumerate(hanging.cases) if case in cases]
    ways: list[tuple[bool, dict[Place, str]]] = [
        (index in chosen, _by_place(way)) for index, case in enumerate(found.cases) for way in case.ways
    ]
    every = list(dict.fromkeys(place for _, way in ways for place in way))
    for count in (1, 2):
        for places in combinations(every, count):
            mine = dict.fromkeys(
                tuple(way.get(place, "") for place in places) for inside, way in ways if inside
            )
            others = {tuple(way.get(place, "") for place in places) for inside, way in ways if not inside}
            if (most is None or len(mine) <= most) and not mine.keys() & others:
                return places, list(mine)
    return None


def _hanging_of(account: Account, told: HangingTold) -> Hanging:
    return next(
        one
        for one in account.judgement.hanging
        if (one.about, one.code, one.event, one.seat) == (told.about, told.code, told.event, told.seat)
    )


def _open_places(account: Account, hanging: HangingTold, places: tuple[Place, ...]) -> Message:
    """The cards of open suit in some places, or in all on which something hangs, by their ranks: ``8? in act
    3, 2? dealt to Bình``."""
    ways = [way for case in _hanging_of(account, hanging).cases for way in case.ways]
    every = places or dict.fromkeys(place for way in ways for place in _by_place(way))
    found: dict[Place, list[str]] = {place: [] for place in every}
    for slot, cards in ways[0]:
        if (slot.event, slot.seat) in found:
            rank = RANKS[(cards.bit_length() - 1) >> 2] + OPEN
            found[slot.event, slot.seat] += [rank] * slot.size
    told: list[Message] = [
        _cards(account, *place, " ".join(cards), False) for place, cards in list(found.items())[:LISTED]
    ]
    if len(found) > LISTED:
        told.append(Message(N_("{n} more places"), n=len(found) - LISTED))
    return Joined(told, ", ")


def _by_place(way: tuple[tuple[Slot, int], ...]) -> dict[Place, str]:
    """The cards of a way, as people write them; of a holding only those that no act of the seat tells."""
    acts: dict[int, int] = {}
    for slot, cards in way:
        if slot.event is not None:
            acts[slot.seat] = acts.get(slot.seat, 0) | cards
    found: dict[Place, int] = {}
    for slot, cards in way:
        if slot.event is not None or cards & ~acts.get(slot.seat, 0):
            place = slot.event, slot.seat
            found[place] = found.get(place, 0) | cards
    return {place: symbols_of(cards) for place, cards in found.items()}


def _cards(account: Account, event: int | None, seat: int, cards: str, alone: bool) -> Message:
    if alone:
        return Message(N_("{listed}"), listed=cards)
    if event is None:
        return Message(N_("{cards} dealt to {player}"), cards=cards, player=account.name(seat))
    return Message(N_("{cards} in act {act}"), cards=cards, act=event + 1)
