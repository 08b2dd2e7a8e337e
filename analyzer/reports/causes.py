"""What a transfer is for, in words: its place, the cards that were chopped or left, who bears it."""

from __future__ import annotations

from decimal import Decimal
from typing import Any, Final

from analyzer.cards import symbols_of_texts
from analyzer.judge.rulings import OUTCOMES
from analyzer.judge.verdict import TransferTold, player_name
from analyzer.locale import N_, Joined, Message
from analyzer.logs.hand import Hand
from analyzer.reports.money import Amount
from analyzer.reports.values import PLACES

PLACE_NAMES: Final = dict(enumerate(PLACES, 1))

PRICE_NAMES: Final = {
    "two_spades": N_("black two"),
    "two_clubs": N_("black two"),
    "two_diamonds": N_("red two"),
    "two_hearts": N_("red two"),
    "three_pairs": N_("three consecutive pairs"),
    "four_of_a_kind": N_("four of a kind"),
    "four_pairs": N_("four consecutive pairs or more"),
    "twos_flat": N_("twos"),
}


def cause_of(hand: Hand, transfer: TransferTold, dismissed: bool = False) -> Message:
    """What a transfer is for; ``dismissed`` tells that a forfeit does not stand."""
    facts = transfer.facts
    match transfer.reason:
        case "place":
            return Message(N_("{place} place"), place=Message(PLACE_NAMES[facts["place"]]))
        case "chop":
            return Message(N_("chop of {links}"), links=_links(hand, facts))
        case "rotten":
            return Message(N_("rotten {parts}"), parts=_leftovers(hand, facts))
        case "frozen":
            return _frozen_text(hand, facts)
        case "instant_win":
            return Message(N_("instant win"))
        case "forfeit":
            debt = _frozen_text(hand, facts) if "base" in facts else Message(N_("place debt"))
            text = N_("pays for the table, in place of {player}: {debt}")
            if dismissed:
                text = N_("in place of {player}: {debt}")
            return Message(text, player=player_name(hand, facts["for_seat"]), debt=debt)
        case "card_count":
            return Message(N_("{n} cards left"), n=facts["cards_left"])
        case "finish_with_two":
            return Message(N_("went out on a two"))
        case "sweep_broken":
            return Message(N_("sweep broken"))
        case "three_of_spades":
            return Message(N_("the three of spades"))
        case "cap":
            return Message(N_("beyond the most that can be lost"))
        case "ruling":
            return Message(
                N_("ruling {entry}: {outcome}"),
                entry=facts["entry"],
                outcome=Message(OUTCOMES[facts["decision"]]),
            )


def _frozen_text(hand: Hand, facts: dict[str, Any]) -> Message:
    if "base" not in facts:
        return Message(N_("frozen, borne by {n}"), n=facts.get("among", 1))
    base = Message(N_("frozen {amount}"), amount=Amount(Decimal(facts["base"]), hand.currency))
    return Joined([base, _leftovers(hand, facts)]) if facts.get("leftovers") else base


def _leftovers(hand: Hand, facts: dict[str, Any]) -> Message:
    return Joined(
        [
            Message(
                N_("{what} {cards} {amount}"),
                what=_priced(part["price"], part["cards"]),
                cards=symbols_of_texts(part["cards"]),
                amount=Amount(Decimal(part["amount"]), hand.currency),
            )
            for part in facts.get("leftovers", [])
        ]
    )


def _priced(price: str, cards: list[str]) -> Message:
    """What a price is for; of a two whose suit nobody remembers, not the suit that was reckoned with."""
    name = price.rpartition(".")[2]
    if name.startswith("two_") and "2?" in cards:
        return Message(PRICE_NAMES["twos_flat"])
    return Message(PRICE_NAMES[name])


def _links(hand: Hand, facts: dict[str, Any]) -> Message:
    parts: list[Message] = []
    for link in facts["links"]:
        names = list(dict.fromkeys(_priced(price, link["beaten"]).text for price in link["prices"]))
        parts.append(
            Message(
                N_("{what} {cards} {amount}"),
                what=Joined([Message(name) for name in names], ", "),
                cards=symbols_of_texts(link["beaten"]),
                amount=Amount(Decimal(link["amount"]), hand.currency),
            )
        )
    if "uncut_twos" in facts:
        uncut = Amount(Decimal(facts["uncut_twos"]), hand.currency)
        parts.append(Message(N_("twos under it {amount}"), amount=uncut))
    return Joined(parts)
