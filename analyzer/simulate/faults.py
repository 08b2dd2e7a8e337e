"""The faults that can be planted: which a rule set can meet, and how a hand comes to have exactly one."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any, Final

from analyzer.cards import DECK, SPELLINGS, THREES, TWOS, cards_of
from analyzer.rules.house import House
from analyzer.simulate import misconduct, misplays
from analyzer.simulate.deals import BOMBS, deal
from analyzer.simulate.game import Game
from analyzer.simulate.misplays import Plan, Planter
from analyzer.simulate.players import CARELESS, TIMID
from analyzer.simulate.playing import play_on, step

Label = dict[str, Any]
"""What was planted: ``{"code": …, "event": index or None, "seat": seat or None}``."""

DEAL_FAULTS: Final = ("deal_wrong_size", "deal_duplicate_card", "deal_needs_redeal")
RECORD_FAULTS: Final = ("places_mismatch", "net_mismatch")
"""Faults of the recorded result: the hand is played by the rules, and whoever writes it down errs."""

PLANTERS: Final[dict[str, Planter]] = {
    planter.__name__: planter for planter in (*misplays.PLANTERS, *misconduct.PLANTERS)
}
"""Violation code → its planter, for every fault that is an act at the table."""

RARE: Final = ("finished_with_two", "chop_not_allowed")
"""These need a rare moment and are tried again with another deal before they are given up."""

WITHOUT_PLAY: Final = (None, "instant_win_false", "event_after_end", *RECORD_FAULTS)
"""What may be planted (None: nothing) in a hand that ends with the deal."""


def plantable(house: House) -> list[str]:
    """The violation codes of severity error or warning that a hand under these rules can meet."""
    impossible = set(_impossible(house))
    return [code for code in (*DEAL_FAULTS, *PLANTERS, *RECORD_FAULTS) if code not in impossible]


def _impossible(house: House) -> Iterator[str]:
    knobs, conduct = house.knobs, house.knobs.conduct
    if knobs.instant_wins.four_twos != "redeal":
        yield "deal_needs_redeal"
    if not knobs.lead.must_play:
        yield "opening_card_missing"
    if not house.pass_lock:
        yield "played_after_pass"
    if not house.by_suit:
        yield "wrong_suit"
        if house.runs == "any":
            yield "combination_not_allowed"
    if house.finish == "allowed":
        yield "finished_with_two"
    if not house.words_bind:
        yield from ("said_pass_then_played", "said_play_then_changed")
    if conduct.exposed == "allowed":
        yield "exposed_cards"
    if not conduct.counting:
        yield "counted_played_cards"
    if not conduct.call_going_out:
        yield "last_card_not_called"
    if house.seconds is None:
        yield "over_time"


def spoil_deal(code: str, house: House, holdings: list[int], rng: Random) -> int | None:
    """Makes a deal wrong in place; the seat that a judge names, or None where it cannot be done."""
    seats = len(holdings)
    every = 0
    for cards in holdings:
        every |= cards
    lead = house.knobs.lead.card
    first = every & -every | (0 if lead == "lowest" else 1 << SPELLINGS[lead])
    if code == "deal_duplicate_card":
        later = rng.randrange(1, seats)
        given = list(cards_of(holdings[rng.randrange(later)] & ~first))
        lost = list(cards_of(holdings[later] & ~first))
        if not given or not lost:
            return None
        holdings[later] = holdings[later] & ~(1 << rng.choice(lost)) | 1 << rng.choice(given)
        return later
    seat = rng.randrange(seats)
    if code == "deal_needs_redeal":
        return next((seat for seat, cards in enumerate(holdings) if cards & TWOS == TWOS), None)
    pool = list(cards_of(DECK & ~every))
    if pool and rng.random() < 0.5:
        holdings[seat] |= 1 << rng.choice(pool)
    else:
        held = list(cards_of(holdings[seat] & ~first))
        if not held:
            return None
        for card in rng.sample(held, min(len(held), rng.randrange(1, 3))):
            holdings[seat] &= ~(1 << card)
    return seat


def begin(
    house: House, rng: Random, seats: int, lead: dict[str, Any] | None, code: str | None
) -> tuple[Game, int | None]:
    """A hand about to be played, fit for the fault ``code``; with the seat of a fault of the deal.

    ``lead`` is the log's own object, drawn here where it is None.
    """
    if lead is None:
        lead = {"reason": "opening"}
        if code != "opening_card_missing" and rng.random() < 0.6:
            reason = rng.choice(("won_previous", "won_previous", "forfeited_previous", "agreed"))
            lead = {"reason": reason, "seat": rng.randrange(seats)}
    victim = rng.randrange(seats)
    seat = None
    for _ in range(40):
        holdings = deal(house, rng, seats, _wishes(code, victim, house, seats, rng))
        if code in DEAL_FAULTS:
            seat = spoil_deal(code, house, holdings, rng)
        game = Game(house, rng, holdings, lead)
        if code == "deal_needs_redeal":
            game.redeal = False
        over = game.winners or game.redeal
        if not over or (code in WITHOUT_PLAY and rng.random() < 0.5):
            break
    if code == "finished_with_two":
        game.careless = victim
        game.styles = [TIMID] * seats
        game.styles[victim] = CARELESS
    elif code == "last_card_not_called":
        game.calls = True
    elif code == "over_time":
        game.timed = True
    elif code == "acted_after_out" and (house.first_out or rng.random() < 0.3):
        game.leaves_at = rng.randrange(2, 20)
    return game, seat


def _wishes(code: str | None, victim: int, house: House, seats: int, rng: Random) -> list[tuple[int, int]]:
    """Cards (of a seat) without which there would seldom be an occasion for this fault."""
    two = 1 << (48 + rng.randrange(4))
    four = 0xF << (4 * rng.randrange(12))
    other = (victim + 1) % seats
    if code == "finished_with_two":
        by_four = house.knobs.finish.with_four_of_a_kind and rng.random() < 0.3
        return [(victim, four if by_four else two)]
    if code == "chop_not_allowed":
        return [(victim, rng.choice(BOMBS)(rng, house)), (other, four)]
    if code == "deal_needs_redeal":
        return [(victim, TWOS)]
    if code == "discard_wrong_card" and house.knobs.before.four_threes and rng.random() < 0.6:
        return [(victim, THREES), (other, two)]
    return []


def play_with_fault(
    house: House, rng: Random, seats: int, lead: dict[str, Any] | None, codes: list[str]
) -> tuple[Game, Label] | None:
    """A hand with one fault, drawn evenly from those of ``codes`` that it lends itself to.

    None where there is no such fault. A fault of the record is only announced by its label.
    """
    for code in rng.sample(codes, len(codes)):
        for _ in range(3 if code in RARE else 1):
            game, seat = begin(house, rng, seats, lead, code)
            if code in PLANTERS:
                found = _plant(game, code)
                if found is not None:
                    return found
            elif code in RECORD_FAULTS or seat is not None:
                play_on(game)
                return game, {"code": code, "event": None, "seat": seat}
    return None


def _plant(game: Game, code: str) -> tuple[Game, Label] | None:
    """Plays a hand, and from one of its moments that lend themselves to the fault plays it once more.

    The moment is drawn evenly among them all as they come, so that one pass is enough. After the fault
    the hand goes on to its end, or the log stops a few acts later.
    """
    planter, rng = PLANTERS[code], game.rng
    chosen: tuple[Game, Plan] | None = None
    moments = 0
    while True:
        plan = planter(game)
        if plan is not None:
            moments += 1
            if rng.random() * moments < 1:
                chosen = game.copy(), plan
        if not step(game):
            break
    if chosen is None:
        return None
    game, plan = chosen
    event, seat = plan(game)
    if rng.random() < 0.5:
        for _ in range(rng.randrange(8)):
            step(game)
    else:
        play_on(game)
    return game, {"code": code, "event": event, "seat": seat}
