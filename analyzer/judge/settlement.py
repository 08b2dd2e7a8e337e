"""Who pays whom, how much and why. Amounts are whole thousandths of the currency's unit."""

from __future__ import annotations

from typing import Any

from analyzer.cards import THREE_OF_SPADES, TWOS, told_of
from analyzer.combinations import FOUR
from analyzer.judge.amounts import UNIT, exact
from analyzer.judge.debts import Link
from analyzer.judge.forfeits import Forfeit
from analyzer.judge.replayed import Replay
from analyzer.judge.seats import ROUND
from analyzer.judge.table import Table
from analyzer.judge.transfers import Chop, Left, Links, Reason, Settlement, Transfer
from analyzer.rules.house import House
from analyzer.rules.instant_wins import is_six_consecutive_pairs
from analyzer.rules.plays import PAIR_OF_TWOS, TWO_TARGETS, Play

STAKE = 1000
"""One stake, in thousandths of a stake."""


class Ledger:
    """Transfers in the order in which they bind, and the running net that a cap is measured on."""

    def __init__(self, house: House, stake: int, seats: int) -> None:
        cap = house.loss_cap
        self.stake = stake
        self.floor = -cap * stake if cap is not None else None
        self.net = [0] * seats
        self.transfers: list[Transfer] = []

    def pay(
        self,
        from_: int | None,
        to: int | None,
        stakes: int,
        reason: Reason,
        rule: str,
        event: int | None = None,
        cause: Left | Links | int | None = None,
        for_seat: int | None = None,
    ) -> None:
        """A transfer of so many thousandths of a stake; nothing is written for nothing."""
        if stakes:
            self.move(from_, to, stakes * self.stake, reason, rule, event, cause, for_seat)

    def move(
        self,
        from_: int | None,
        to: int | None,
        amount: int,
        reason: Reason,
        rule: str,
        event: int | None = None,
        cause: Left | Links | int | None = None,
        for_seat: int | None = None,
    ) -> None:
        """A transfer of so many thousandths of the currency."""
        if not amount or from_ == to:
            return
        self.transfers.append(Transfer(from_, to, amount, reason, event, rule, cause, for_seat))
        if to is not None:
            self.net[to] += amount
        if from_ is None:
            return
        self.net[from_] -= amount
        if self.floor is not None and self.net[from_] < self.floor:
            excess = min(self.floor - self.net[from_], amount)
            self.move(to, from_, excess, "cap", "finish.loss_cap", event)


def find_places(replay: Replay) -> list[int] | None:
    """The seats from first to last; None while undecided and where the deal ended the hand."""
    table = replay.table
    if not table.hand_over or replay.winners or replay.redeal:
        return None
    out, live = table.out, table.live
    order = ROUND[table.seats, table.house.step][out[0] if out else 0]
    holders = [seat for seat in order if live >> seat & 1]
    if len(holders) > 1:
        holders.sort(key=table.counts.__getitem__)
    if not (table.frozen or table.left or table.bad_finishes):
        return out + holders  # as in most hands
    put_last = [seat for _, seat, _ in table.bad_finishes] if table.house.finish == "last_place" else []
    finishers = [seat for seat in out if seat not in put_last]
    gone = [
        seat for seat in reversed(table.left) if not table.frozen >> seat & 1 and seat not in table.exposed
    ]
    frozen = [seat for seat in order if table.frozen >> seat & 1]
    return [*finishers, *holders, *gone, *frozen, *put_last, *reversed(table.exposed)]


def settle(replay: Replay, places: list[int] | None, forfeit: Forfeit | None) -> Settlement:
    """The settlement of a hand as played; of an unfinished one, what is settled so far."""
    ledger = Ledger(replay.house, replay.hand.stake, replay.table.seats)
    chops: list[Chop] = []
    if replay.winners:
        _instant_win(replay, ledger)
    else:
        chops = _events(replay, ledger)
        if places is not None:
            _end(
                replay,
                ledger,
                places,
                forfeit if forfeit is not None and forfeit.certainty == "certain" else None,
            )
    return Settlement(ledger.transfers, chops, ledger.net)


# -- during play ---------------------------------------------------------------------------------


def _events(replay: Replay, ledger: Ledger) -> list[Chop]:
    """Chains and event payments, in the order in which they fell due."""
    table, house = replay.table, replay.house
    chops: list[Chop] = []
    if not (table.settled or table.chains or table.bad_finishes or table.sweeps_broken):
        return chops  # as of most hands
    due: list[tuple[int, int, Any]] = [(chain[-1].event, 0, chain) for chain in table.settled]
    if house.finish == "pay_each":
        due += [(event, 1, seat) for event, seat, play in table.bad_finishes if play.kind != FOUR]
    due += [(event, 2, seat) for seat, event in table.sweeps_broken]
    due.sort(key=lambda item: item[:2])
    for event, what, item in due:
        if what == 0:
            chops += _chain(replay, ledger, item)
            continue
        for other in range(table.seats):
            if what == 1:
                ledger.pay(item, other, house.two_stakes, "finish_with_two", "finish.with_two", event)
            else:
                ledger.pay(item, other, STAKE, "sweep_broken", "finish.sweep_broken", event)
    for chain in table.chains:
        chops += [Chop(link, _link_price(house, chain, link) * replay.hand.stake, False) for link in chain]
    return chops


def _on_twos(play: Play) -> bool:
    return bool(play.target & (TWO_TARGETS | PAIR_OF_TWOS))


def _link_price(house: House, chain: list[Link], link: Link) -> int:
    """A link's own price, in thousandths of a stake."""
    money = house.knobs.chop_money
    if money.begins_on_twos_only and not _on_twos(chain[0].beaten):
        return 0
    if money.chain == "kth_multiple":
        return link.number * house.price(chain[0].beaten)
    return house.price(link.beaten)


def _chain(replay: Replay, ledger: Ledger, chain: list[Link]) -> list[Chop]:
    """Settles one chain and tells of each link whether its victim pays."""
    house = replay.house
    money = house.knobs.chop_money
    prices = [_link_price(house, chain, link) for link in chain]
    last = chain[-1]
    each = money.chain in ("kth_multiple", "each_link")
    void = last.victim_out and money.final_chop != "stands"
    if each:
        owed = list(zip(chain, prices, strict=True))
    else:
        owed = [(last, prices[-1] if money.chain == "last_link" else sum(prices))]
    if money.charge_uncut_twos and chain[0].uncut:
        owed[-1] = (last, owed[-1][1] + chain[0].uncut)
    if not (void and money.final_chop == "void"):
        rule = "chop_money.final_chop" if void else "chop_money.chain"
        for link, price in owed:
            counted = [link] if each or money.chain == "last_link" else chain
            uncut = chain[0].uncut if money.charge_uncut_twos and link is last else 0
            cause = Links(chain, counted, uncut)
            ledger.pay(None if void else link.victim, link.seat, price, "chop", rule, link.event, cause)
    return [
        Chop(link, price * ledger.stake, not void and price > 0 and (each or link is last))
        for link, price in zip(chain, prices, strict=True)
    ]


# -- before the first play -----------------------------------------------------------------------


def _instant_win(replay: Replay, ledger: Ledger) -> None:
    house, table = replay.house, replay.table
    wins = house.knobs.instant_wins
    paid = paid_winners(replay)
    receivers = [seat for seat, _ in paid]
    amount = house.win_stakes * ledger.stake
    for seat in range(table.seats):
        if seat in receivers:
            continue
        for receiver, share in zip(receivers, split(amount, len(receivers)), strict=True):
            ledger.move(seat, receiver, share, "instant_win", "instant_wins.stakes")
        first, name = paid[0]
        if wins.counts_twos and name == "six_pairs" and is_six_consecutive_pairs(replay.dealt.dealt[first]):
            value, left = _left(house, table.holdings[seat])
            ledger.pay(seat, first, value, "rotten", "instant_wins.counts_twos", None, left)


def paid_winners(replay: Replay) -> list[tuple[int, str]]:
    """The instant winners who are paid: the one nearest to the leader, or all that share."""
    shared = replay.house.knobs.instant_wins.several == "shared"
    return replay.winners if shared else replay.winners[:1]


def split(amount: int, ways: int) -> list[int]:
    """An amount in equal parts of whole units; the rest goes to the first ones, one unit each.

    An amount that is no whole number of units is split in thousandths in the same way.
    """
    unit = UNIT if amount % UNIT == 0 else 1
    share, rest = divmod(amount // unit, ways)
    return [(share + (1 if k < rest else 0)) * unit for k in range(ways)]


# -- at the end ----------------------------------------------------------------------------------


def _end(replay: Replay, ledger: Ledger, places: list[int], forfeit: Forfeit | None) -> None:
    table, house = replay.table, replay.house
    village = house.frozen == "village" and table.frozen
    if not village:
        _places(table, ledger, places, forfeit)
        _card_counts(table, ledger, places)
    _frozen(table, ledger, places, forfeit)
    if not village:
        _rotten(table, ledger, places)


def _places(table: Table, ledger: Ledger, places: list[int], forfeit: Forfeit | None) -> None:
    finish = table.house.knobs.finish
    if finish.three_of_spades == "others_last" and table.three_first:
        winner = table.out[0]
        for seat in range(table.seats):
            if not table.frozen >> seat & 1:
                ledger.pay(seat, winner, STAKE, "three_of_spades", "finish.three_of_spades")
        return
    taker = forfeit if forfeit is not None and forfeit.kind != "all_frozen" else None
    for from_, to, stakes, rule in table.house.place_rows[table.seats]:
        payer, payee = places[from_ - 1], places[to - 1]
        if table.frozen >> payer & 1 or table.frozen >> payee & 1:
            continue
        if taker is None or payer == taker.seat:
            ledger.pay(payer, payee, stakes, "place", rule, None, from_)
        else:
            ledger.pay(taker.seat, payee, stakes, "forfeit", taker.rule, taker.event, from_, payer)


def _card_counts(table: Table, ledger: Ledger, places: list[int]) -> None:
    """Losers pay by the cards they have left, each with its rotten cards right after."""
    rows = table.house.card_rows
    if not rows:
        return
    for seat in places[1:]:
        left = table.counts[seat]
        _, stakes, rule = next((row for row in rows if left <= row[0]), rows[-1])
        if left > 0 and not table.frozen >> seat & 1:
            ledger.pay(seat, places[0], stakes, "card_count", rule, None, left)
        if table.house.knobs.rotten.payer == "all_losers":
            _pay_rotten(table, ledger, seat, places[0])


def _frozen(table: Table, ledger: Ledger, places: list[int], forfeit: Forfeit | None) -> None:
    """Each frozen seat pays the first; a forfeiter pays the debts of all of them."""
    if not table.frozen:
        return
    house = table.house
    frozen = [seat for seat in places if table.frozen >> seat & 1]
    first = places[0]
    if house.frozen == "village":
        total = house.win_stakes * (table.seats - 1) * ledger.stake
        for seat, share in zip(frozen, split(total, len(frozen)), strict=True):
            ledger.move(seat, first, share, "frozen", "frozen.mode", None, len(frozen))
        return
    base = house.frozen_stakes
    for seat in frozen:
        value, left = _left(house, table.holdings[seat])
        if forfeit is None or forfeit.kind != "all_frozen" or seat == forfeit.seat:
            ledger.pay(seat, first, base + value, "frozen", "frozen.stakes", None, left)
        else:
            ledger.pay(forfeit.seat, first, base + value, "forfeit", forfeit.rule, forfeit.event, left, seat)


def _rotten(table: Table, ledger: Ledger, places: list[int]) -> None:
    """The lowest unfrozen seat that still holds cards pays the seat just above it."""
    house = table.house
    finish = house.knobs.finish
    holding = [seat for seat in places if table.counts[seat] > 0 and not table.frozen >> seat & 1]
    if house.knobs.rotten.payer == "all_losers" and not house.knobs.card_count:
        for seat in holding:
            _pay_rotten(table, ledger, seat, places[0])
    if not holding or table.frozen >> places[-1] & 1:
        return
    payer = holding[-1]
    at = places.index(payer)
    if at == 0:
        return
    if house.knobs.rotten.payer == "holder":
        _pay_rotten(table, ledger, payer, places[at - 1])
    if (
        table.holdings[payer] == THREE_OF_SPADES
        and table.counts[payer] == 1
        and finish.left_with_three_of_spades
    ):
        receivers = [places[at - 1]] if finish.left_with_three_of_spades == "above" else range(table.seats)
        for seat in receivers:
            ledger.pay(payer, seat, STAKE, "three_of_spades", "finish.left_with_three_of_spades")


def _pay_rotten(table: Table, ledger: Ledger, payer: int, payee: int) -> None:
    house, holding = table.house, table.holdings[payer]
    flat = house.twos_flat
    if table.frozen >> payer & 1:
        return
    if flat is not None:
        if holding & TWOS:
            ledger.pay(
                payer, payee, flat, "rotten", "rotten.twos_flat", None, Left([("", holding & TWOS, flat)])
            )
        return
    value, left = _left(house, holding)
    ledger.pay(payer, payee, value, "rotten", "rotten.payer", None, left)


def _left(house: House, holding: int) -> tuple[int, Left]:
    """The price of the twos and bombs in what is left, and the parts it is made of."""
    parts = house.left.parts(holding)
    return sum([price for _, _, price in parts]), Left(parts)


# -- telling -------------------------------------------------------------------------------------


def facts_of(transfer: Transfer, house: House, stake: int, open_: int = 0) -> dict[str, Any]:
    """What a transfer's amount was made of, in plain values; amounts as exact decimal text.

    ``place`` and ``to_place``, ``cards_left``, ``among`` (how many bear it), ``base`` and ``leftovers``
    of a frozen seat, ``links`` of a chain, ``for_seat`` whose debt a forfeiter pays. The cards of the set
    ``open_`` are told by their rank alone.
    """
    facts: dict[str, Any] = {} if transfer.for_seat is None else {"for_seat": transfer.for_seat}
    cause = transfer.cause
    if isinstance(cause, Left):
        if transfer.reason == "frozen" or transfer.rule == "forfeit.all_frozen":
            facts["base"] = exact(house.frozen_stakes * stake)
        if cause.parts:
            facts["leftovers"] = [
                {
                    "cards": told_of(cards, open_),
                    "amount": exact(price * stake),
                    "price": f"rotten_prices.{name}" if name else transfer.rule,
                }
                for name, cards, price in cause.parts
            ]
    elif isinstance(cause, Links):
        facts["links"] = [
            {
                "event": link.event,
                "beaten": told_of(link.beaten.cards, open_),
                "by": told_of(link.play.cards, open_),
                "amount": exact(_link_price(house, cause.chain, link) * stake),
                "prices": house.price_paths(link.beaten),
            }
            for link in cause.paid
        ]
        if cause.uncut:
            facts["uncut_twos"] = exact(cause.uncut * stake)
    elif cause is not None:
        name = {"card_count": "cards_left", "frozen": "among"}.get(transfer.reason, "place")
        facts[name] = cause
    return facts
