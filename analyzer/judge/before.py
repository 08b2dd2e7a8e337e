"""Before the first play: the deal, the lead, instant wins, tribute, cards put away, stealing the lead."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from analyzer.cards import RANKS, SPELLINGS, THREES, TWOS, set_of
from analyzer.combinations import PAIRS
from analyzer.judge import checks, conduct
from analyzer.judge.checks import Act
from analyzer.judge.findings import Finding
from analyzer.judge.seats import NOBODY, ROUND
from analyzer.logs.hand import ClaimEvent, DiscardEvent, ExchangeEvent, PlayEvent
from analyzer.rules.instant_wins import first_name, instant_wins
from analyzer.rules.plays import Play

if TYPE_CHECKING:
    from analyzer.judge.replay import Fold

ACES: Final = 0xF << 44


def deal(fold: Fold) -> None:
    """Judges the deal: sizes, doubles, who leads, and whether it ends the hand at once."""
    hand, house, dealt, result = fold.hand, fold.house, fold.dealt, fold.result
    for seat, size in enumerate(dealt.sizes):
        if size != house.hand_size:
            fold.found(
                Finding.of("deal_wrong_size", None, seat, checks.deal_wrong_size(size, house.hand_size))
            )
    for card, seat in dealt.repeated:
        fold.found(Finding.of("deal_duplicate_card", None, seat, checks.deal_duplicate_card(card)))
    result.opening = hand.lead is not None and hand.lead.reason == "opening"
    find_leader(fold)
    played = PlayEvent in map(type, hand.events)
    if house.knobs.instant_wins.four_twos == "redeal":
        for seat, cards in enumerate(dealt.dealt):
            if checks.deal_needs_redeal(cards) is not None:
                if played:
                    fold.found(Finding.of("deal_needs_redeal", None, seat))
                else:
                    result.redeal = True
    if hand.lead is None:
        fold.found(Finding.of("lead_unverified", None, None, checks.lead_unverified()))
    holders = _held_wins(fold)
    if holders and not result.redeal:
        if not played or _claimed_before_play(fold, holders):
            _win(fold, holders)
        else:
            claimants = {event.seat for event in hand.events if type(event) is ClaimEvent}
            for seat, name in holders:
                if seat not in claimants:
                    facts = checks.instant_win_missed(name, result.opening)
                    fold.found(Finding.of("instant_win_missed", None, seat, facts, rule=facts["rule"]))
    if result.redeal:
        fold.table.hand_over = True


def _held_wins(fold: Fold) -> list[tuple[int, str]]:
    """Seats that were dealt an instant win, with its id."""
    wins = fold.house.wins(fold.result.opening)
    if not wins:
        return []
    found = [instant_wins(cards) & wins for cards in fold.dealt.dealt]
    return [(seat, first_name(held)) for seat, held in enumerate(found) if held]


def _claimed_before_play(fold: Fold, holders: list[tuple[int, str]]) -> bool:
    seats = {seat for seat, _ in holders}
    for event in fold.hand.events:
        if type(event) is PlayEvent:
            return False
        if type(event) is ClaimEvent and event.seat in seats:
            return True
    return False


def _win(fold: Fold, holders: list[tuple[int, str]]) -> None:
    """The deal ends in an instant win. Acts before the claim that ends it change nothing."""
    table = fold.table
    start = max(fold.result.leader, 0)
    order = ROUND[table.seats, table.house.step][start]
    fold.result.winners = sorted(holders, key=lambda held: order.index(held[0]))
    table.hand_over = True


def find_leader(fold: Fold) -> None:
    """Whose right it is to lead, and what an opening play must contain."""
    lead, table, result = fold.hand.lead, fold.table, fold.result
    result.opening_card = 0
    if lead is not None and lead.reason == "opening":
        result.leader = _opening_leader(fold)
    elif lead is not None and lead.seat is not None:
        result.leader = lead.seat
    if result.leader != NOBODY:
        table.turn = result.leader
    else:
        table.turn = next((event.seat for event in fold.hand.events if type(event) is PlayEvent), NOBODY)


def _opening_leader(fold: Fold) -> int:
    """The holder of the opening card; where it was not dealt, of the lowest card dealt."""
    rules, table = fold.house.knobs.lead, fold.table
    gives = fold.house.knobs.before.give_threes
    # Threes that are put away still show who leads: as dealt, not as held by now.
    cards = [
        held | (dealt & THREES) if gives else held
        for held, dealt in zip(table.holdings, fold.dealt.dealt, strict=True)
    ]
    if rules.card != "lowest":
        card = 1 << SPELLINGS[rules.card]
        holder = next((seat for seat in range(table.seats) if cards[seat] & card), NOBODY)
        whole_deck = table.seats * fold.house.hand_size == 52
        if holder != NOBODY or whole_deck:
            _require(fold, card)
            return holder
    low = min((held & -held for held in cards if held), default=0)
    if not low or not (fold.dealt.complete or (rules.card == "lowest" and low == 1)):
        return NOBODY
    _require(fold, low)
    return next(seat for seat in range(table.seats) if cards[seat] & low)


def _require(fold: Fold, card: int) -> None:
    """Makes a card the one that the opening play must contain, where the rules want that."""
    must = fold.house.knobs.lead.must_play
    put_away = THREES if fold.house.knobs.before.give_threes else 0
    fold.result.opening_card = card & ~put_away if must else 0


def exchange(fold: Fold, index: int, event: ExchangeEvent) -> None:
    """Tribute: a gift of one two or ace, then one card of the receiver's at or under the limit."""
    table, before = fold.table, fold.house.knobs.before
    cards = set_of(event.cards)
    pair = (event.to, event.seat)
    gift = next((g for g in fold.gifts if (g[0], g[1]) == pair), None)
    rule, fine = "before.tribute_two", False
    if gift is not None:
        rule = gift[2]
        limit = before.tribute_two if rule == "before.tribute_two" else before.tribute_ace
        assert limit is not None
        fine = len(event.cards) == 1 and (cards.bit_length() - 1) >> 2 <= RANKS.index(limit)
        fold.gifts.remove(gift)
    elif len(event.cards) == 1 and cards & TWOS:
        fine = before.tribute_two is not None
    elif len(event.cards) == 1 and cards & ACES:
        rule, fine = "before.tribute_ace", before.tribute_ace is not None
    if table.started:
        fine = False
    missing = cards & ~table.owned[event.seat]
    if missing:
        fold.fault(
            "card_not_held",
            index,
            event.seat,
            checks.card_not_held(table, _showing(fold, index, event.seat, cards)) or {},
        )
    if not fine:
        fold.found(
            Finding.of(
                "exchange_wrong_card",
                index,
                event.seat,
                checks.exchange_wrong_card(cards, rule),
                rule=rule,
            )
        )
    elif gift is None:
        fold.gifts.append((event.seat, event.to, rule))
    table.hand_over_cards(event.seat, event.to, cards)
    if not table.started and table.steal is None:
        find_leader(fold)


def discard(fold: Fold, index: int, event: DiscardEvent) -> None:
    """Cards put away before the first play."""
    table = fold.table
    cards = set_of(event.cards)
    allowed = 0 if table.started else checks.discards_allowed(table, fold.dealt.dealt)
    rule = "before.four_threes" if cards & TWOS else "before.give_threes"
    if cards & ~table.owned[event.seat]:
        fold.fault(
            "card_not_held",
            index,
            event.seat,
            checks.card_not_held(table, _showing(fold, index, event.seat, cards)) or {},
        )
    facts = checks.discard_wrong_card(cards & ~allowed, rule)
    if facts is not None:
        fold.found(Finding.of("discard_wrong_card", index, event.seat, facts, rule=rule))
    table.put_away(event.seat, cards)


def first_play(fold: Fold, index: int) -> None:
    """What had to be put away before the first play, and was kept."""
    table = fold.table
    due = checks.discards_allowed(table, fold.dealt.dealt)
    if due:
        for seat in range(table.seats):
            kept = table.holdings[seat] & due
            rule = "before.four_threes" if kept & TWOS else "before.give_threes"
            facts = checks.discard_wrong_card(kept, rule)
            if facts is not None:
                fold.found(Finding.of("discard_wrong_card", index, seat, facts, rule=rule))


def may_steal(fold: Fold) -> bool:
    """Whether three consecutive pairs may take the lead now."""
    table = fold.table
    return (
        fold.house.knobs.lead.steal and not fold.result.opening and not table.started and not table.hand_over
    )


def steal(fold: Fold, index: int, seat: int, play: Play) -> None:
    """Three consecutive pairs before the first play; only a higher three may answer."""
    table = fold.table
    event = fold.hand.events[index]
    if fold.house.seconds is not None and type(event) is PlayEvent:
        conduct.time(fold, index, event)
    act = Act(index, seat, play, table, fold.result.leader, 0)
    fits = True
    for check in (checks.acted_after_out, *checks.CARDS):
        facts = check(table, act)
        if facts is not None:
            fold.fault(check.__name__, index, seat, facts)
            fits = fits and check is checks.card_not_held
    if play.allowed:
        held = table.steal[1] if table.steal is not None else None
        told = checks.compared(play, held or play)
        if play.kind != PAIRS or play.length != 3:
            fold.fault("wrong_kind", index, seat, told)
            fits = False
        elif held is not None and not play.beats(held):
            fold.fault("does_not_beat", index, seat, told)
            fits = False
    table.steal_lead(seat, play, fits)
    fold.result.leader = table.turn


def _showing(fold: Fold, index: int, seat: int, cards: int) -> Act:
    return Act(index, seat, fold.house.read(cards), fold.table, NOBODY, 0)
