"""What a seat did, in words."""

from __future__ import annotations

from typing import Any

from analyzer.cards import symbols_of_texts
from analyzer.judge.verdict import player_name
from analyzer.locale import N_, Message
from analyzer.logs.hand import (
    CallEvent,
    ClaimEvent,
    CountEvent,
    DiscardEvent,
    Event,
    ExchangeEvent,
    Hand,
    LeaveEvent,
    NoteEvent,
    PassEvent,
    PlayEvent,
    SayEvent,
    ShowEvent,
    TakeBackEvent,
)


def act_text(hand: Hand, event: Event) -> Message:
    """What a seat did, as a sentence."""
    told: dict[str, Any] = {"player": player_name(hand, event.seat)}
    match event:
        case PlayEvent():
            told["cards"] = symbols_of_texts(event.cards)
            if event.as_ == "steal_lead":
                return Message(N_("{player} steals the lead with {cards}"), **told)
            return Message(N_("{player} plays {cards}"), **told)
        case PassEvent():
            if event.how == "timeout":
                return Message(N_("{player} passes (time ran out)"), **told)
            return Message(N_("{player} passes"), **told)
        case ClaimEvent():
            return Message(N_("{player} claims an instant win"), **told)
        case SayEvent():
            if event.meaning == "pass":
                return Message(N_("{player} says pass"), **told)
            return Message(N_("{player} names {cards}"), cards=symbols_of_texts(event.cards or ()), **told)
        case TakeBackEvent():
            return Message(N_("{player} takes the last cards back"), **told)
        case ShowEvent():
            told["cards"] = symbols_of_texts(event.cards)
            if event.why == "early":
                return Message(N_("{player} exposes {cards}"), **told)
            return Message(N_("{player} shows {cards}"), **told)
        case CountEvent():
            return Message(N_("{player} counts the played cards"), **told)
        case CallEvent():
            if event.remaining == 0:
                return Message(N_("{player} calls going out"), **told)
            return Message(N_("{player} calls the last card"), **told)
        case ExchangeEvent():
            cards = symbols_of_texts(event.cards)
            return Message(
                N_("{player} gives {to} {cards} as tribute"),
                to=player_name(hand, event.to),
                cards=cards,
                **told,
            )
        case DiscardEvent():
            return Message(N_("{player} puts away {cards}"), cards=symbols_of_texts(event.cards), **told)
        case LeaveEvent():
            return Message(N_("{player} leaves the hand"), **told)
        case NoteEvent():
            return Message(N_("Note: {note}"), note=event.text)
