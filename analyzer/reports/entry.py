"""What the page on which a hand is entered shows: the table as it stands, what may be done now, the flags so
far, the money so far; and, of a hand tried another way, what that changes."""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import Any, Final

import msgspec

from analyzer.cards import told_of
from analyzer.logs.hand import Hand
from analyzer.reports.account import Account, Flag, lead_text, make_account, outcome_text
from analyzer.reports.choices import Choice, next_choice
from analyzer.reports.drafting import Drafted, following
from analyzer.reports.going_on import key_of, rest_of
from analyzer.reports.money import Amount
from analyzer.reports.pasted import notation_of
from analyzer.reports.suits import hanging_texts
from analyzer.reports.view import clean, event_data, flag_data, frame_data, money_data
from analyzer.rules.house import house_of

FORMAT: Final = "tienlen-entry/1"


def entry_page(draft: Drafted, against: Account | None = None) -> dict[str, Any]:
    """A draft as plain data, ready for JSON. Texts are ``{"vi": …, "en": …}``, cards canonical texts.

    ``against`` is the hand as it was played, where the draft tries another way to play it: both are then
    judged under the rules of that one, and ``tried`` tells what changes.
    """
    if against is not None:
        draft = replace(draft, rules=against.rules)
    hand, rules, cursor = draft.hand, draft.rules, draft.cursor
    account = make_account(hand, rules)
    # What may be done in the middle is asked of the hand that ends there.
    here = account if cursor == len(hand.events) else make_account(_up_to(hand, cursor), rules)
    frame = here.frames[-1]
    choice = next_choice(here.judgement, frame)
    finished = account.verdict.outcome != "unfinished"
    rest = rest_of(draft, against) if against is not None else None
    page = {
        "format": FORMAT,
        "log": draft.log,
        "players": [{"id": player.id, "name": player.name or player.id} for player in hand.players],
        "rules": {"id": rules.id, "title": dict(rules.title)},
        "stake": Amount(hand.stake, hand.currency).both(),
        "direction": rules.knobs.table.direction,
        "hand_size": house_of(rules).hand_size,
        "lead": lead_text(account).both(),
        "cursor": cursor,
        "now": {**frame_data(here, frame), "gone": told_of(frame.on_table, frame.open_table)},
        "next": _next(*choice) if choice is not None else None,
        "events": [{**event_data(account, step), "trick": step.after.trick} for step in account.steps],
        "deal_flags": [flag_data(flag) for flag in account.deal_flags],
        "end_flags": [flag_data(flag) for flag in account.end_flags if finished or not _open_end(flag)],
        "finished": finished,
        **money_data(account),
        "hanging": [text.both() for text in hanging_texts(account)],
        "following": following(hand, account.judgement.next_lead) if finished else None,
        "refused": None,
        "notation": notation_of(draft),
        "tried": tried(against, account) if against is not None else None,
        "rest": rest.events if rest is not None else [],
        "rest_told": rest.told.both() if rest is not None else None,
    }
    if draft.refused is not None:
        page["refused"] = {"step": draft.refused.step, "message": draft.refused.message.both()}
    cleaned: dict[str, Any] = clean({key: value for key, value in page.items() if key not in _EXACT})
    return cleaned | {key: page[key] for key in _EXACT}


def _next(seat: int, choice: Choice) -> dict[str, Any]:
    # Plays that differ only in suits nobody remembers are the same to whoever looks at them.
    plays = [list(cards) for cards in dict.fromkeys(map(tuple, choice.plays))]
    return {"seat": seat, **asdict(choice), "plays": plays}


_EXACT: Final = ("log", "following", "notation", "rest")
"""What goes back into a draft: nothing in it is changed for looking at."""


def tried(original: Account, other: Account) -> dict[str, Any]:
    """What it changes that a hand was played another way: places and money of each player, findings."""
    hand = original.hand
    before, after = original.verdict, other.verdict
    players = []
    for seat, player in enumerate(hand.players):
        places = [verdict.places.index(seat) + 1 if verdict.places else None for verdict in (before, after)]
        change = after.net[seat] - before.net[seat]
        players.append(
            {
                "name": player.name or player.id,
                "places": places,
                "net": [_signed(hand, verdict.net[seat]) for verdict in (before, after)],
                "change": _signed(hand, change),
                "value": str(change),
            }
        )
    told = [_flags(account) for account in (original, other)]
    forfeits = [
        account.forfeit.both() if account.forfeit is not None else None for account in (original, other)
    ]
    return {
        "players": players,
        "outcome": [outcome_text(account).both() for account in (original, other)],
        "forfeit": forfeits if forfeits[0] != forfeits[1] else None,
        "gone": [flag_data(flag) for key, flag in told[0].items() if key not in told[1]],
        "new": [flag_data(flag) for key, flag in told[1].items() if key not in told[0]],
    }


def _flags(account: Account) -> dict[tuple[str, int | None, int | None], Flag]:
    every = [
        *account.deal_flags,
        *(flag for step in account.steps for flag in step.flags),
        *account.end_flags,
    ]
    return {key_of(flag.finding): flag for flag in every if not _open_end(flag)}


def _open_end(flag: Flag) -> bool:
    """Whether it only says that the hand is not over yet."""
    return flag.finding.code == "hand_unfinished"


def _signed(hand: Hand, amount: Any) -> dict[str, str]:
    return Amount(amount, hand.currency, signed=True).both()


def _up_to(hand: Hand, event: int) -> Hand:
    return msgspec.structs.replace(hand, events=hand.events[:event])
