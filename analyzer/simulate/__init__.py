"""Hands that nobody played: legal logs in the public format, and logs with one planted fault.

Hand number *k* depends on the seed and on *k* alone (in a session: on the seed and the number of its
evening), so a large sample can be made in parts and in parallel.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from random import Random
from typing import Any, Final

import msgspec

from analyzer.cards import texts_of
from analyzer.judge.judging import Judgement, judge
from analyzer.logs.hand import Hand
from analyzer.rules.house import House, house_of
from analyzer.rules.loading import preset_ids
from analyzer.rules.ruleset import RuleSet
from analyzer.simulate.faults import RECORD_FAULTS, Label, begin, plantable, play_with_fault
from analyzer.simulate.playing import play_on

__all__ = ["EVENING", "plantable", "simulate", "simulate_range"]

Log = dict[str, object]

EVENING: Final = 50
"""Hands of one session."""

RECORDED: Final = 0.3
"""Share of the hands played out whose log records places and amounts."""

PLAYERS: Final = tuple(f"p{number}" for number in range(12))
STAKES: Final = (1, 2, 5, 100, 1_000, 2_000, 5_000, 10_000, 50_000)
FIRST_EVENING: Final = datetime(2026, 1, 2, 19, 0, tzinfo=timezone(timedelta(hours=7)))


@dataclass(frozen=True, slots=True)
class _Setting:
    """What a hand has around the cards: its table, its time, its stake."""

    players: list[str]
    stake: int
    moment: datetime
    more: dict[str, object]


def simulate(
    hands: int,
    seed: int,
    rules: RuleSet,
    players: int | None = None,
    faults: float = 0.0,
    session: bool = False,
) -> Iterator[Log]:
    """So many hand logs (plain values, ready for JSON) under these rules, the same ones for a seed.

    ``players`` is the number of seats, else 2 to 4 by chance. A share ``faults`` of the hands has exactly
    one planted fault and says so: ``"_fault": {"code": …, "event": index or None, "seat": seat or None}``;
    every other hand is played by the rules. With ``session`` the hands are evenings of :data:`EVENING`
    hands by the same players, in which each hand's lead follows from the verdict on the one before.

    Raises ValueError for rules that a log cannot name, or for numbers that make no hand.
    """
    return simulate_range(0, hands, seed, rules, players, faults, session)


def simulate_range(
    first: int,
    last: int,
    seed: int,
    rules: RuleSet,
    players: int | None = None,
    faults: float = 0.0,
    session: bool = False,
) -> Iterator[Log]:
    """Hands number ``first`` to ``last - 1`` of what :func:`simulate` yields for the same arguments."""
    house = house_of(rules)
    if rules.id not in preset_ids():
        raise ValueError(f"rules {rules.id!r}: a log can name a preset only; expected one of {preset_ids()}")
    if not 0 <= first <= last:
        raise ValueError(f"hands {first} to {last}: expected 0 <= first <= last")
    if not 0 <= faults <= 1:
        raise ValueError(f"faults {faults}: expected a share from 0 to 1")
    if players is not None and (not 2 <= players <= 4 or players * house.hand_size > 52):
        raise ValueError(f"players {players}: expected 2 to 4, with {house.hand_size} cards for each")
    maker = _Maker(house, seed, players, faults)
    return maker.evenings(first, last) if session else maker.hands(first, last)


class _Maker:
    """Makes hands under one house's rules."""

    def __init__(self, house: House, seed: int, players: int | None, faults: float) -> None:
        self.house = house
        self.seed = seed
        self.faults = faults
        most = 52 // house.hand_size
        self.tables = (players,) if players else tuple(n for n in (2, 3, 3, 4, 4, 4, 4) if n <= most)
        self.codes = plantable(house)
        rules = house.rules
        self.rules: object = {"extends": rules.id, "set": dict(rules.changed)} if rules.changed else rules.id

    def hands(self, first: int, last: int) -> Iterator[Log]:
        """Hands that have nothing to do with each other."""
        for number in range(first, last):
            rng = Random(f"{self.seed}/{number}")
            moment = FIRST_EVENING + timedelta(minutes=5 * (number % 1_000_000))
            setting = _Setting(self._players(rng), rng.choice(STAKES), moment, {})
            yield self._hand(number, rng, setting, None)[0]

    def evenings(self, first: int, last: int) -> Iterator[Log]:
        """Evenings of hands by the same players, each hand led by whom the one before says."""
        for evening in range(first // EVENING, (last + EVENING - 1) // EVENING):
            rng = Random(f"{self.seed}/evening/{evening}")
            players, stake = self._players(rng), rng.choice(STAKES)
            begin = FIRST_EVENING + timedelta(days=evening % 100_000)
            lead: dict[str, Any] = {"reason": "opening"}
            for hand_no in range(1, EVENING + 1):
                number = evening * EVENING + hand_no - 1
                if number >= last:
                    return
                more: dict[str, object] = {
                    "session_id": f"{self.house.rules.id}-{self.seed}-{evening}",
                    "table_id": "t1",
                    "hand_no": hand_no,
                }
                setting = _Setting(players, stake, begin + timedelta(minutes=6 * hand_no), more)
                log, judgement = self._hand(number, Random(f"{self.seed}/{number}"), setting, lead)
                assert judgement is not None
                following = judgement.next_lead
                # Without one (a new deal, an unfinished hand) the same seat's right to lead stands.
                if following is not None:
                    lead = {"reason": following.reason}
                    if following.seat is not None:
                        lead["seat"] = following.seat
                if number >= first:
                    yield log

    def _players(self, rng: Random) -> list[str]:
        return rng.sample(PLAYERS, rng.choice(self.tables))

    def _hand(
        self, number: int, rng: Random, setting: _Setting, lead: dict[str, Any] | None
    ) -> tuple[Log, Judgement | None]:
        """One log; with its judgement where one was needed (``lead`` given: always)."""
        house, seats = self.house, len(setting.players)
        fault: Label | None = None
        found = play_with_fault(house, rng, seats, lead, self.codes) if rng.random() < self.faults else None
        if found is not None:
            game, fault = found
        else:
            game, _ = begin(house, rng, seats, lead, None)
            play_on(game)
        rules = house.rules
        log: Log = {"format": "tienlen-hand/1", "hand_id": f"{rules.id}-{self.seed}-{number:06}"}
        log |= setting.more
        log |= {"rules": self.rules, "stake": setting.stake, "played_at": setting.moment.isoformat()}
        if setting.stake >= 1_000:
            log["currency"] = "VND"
        log["players"] = [{"id": player} for player in setting.players]
        log |= {"lead": game.lead, "deal": [texts_of(cards) for cards in game.dealt], "events": game.events}
        code = fault["code"] if fault else None
        recorded = code in RECORD_FAULTS or (game.done and rng.random() < RECORDED)
        judgement = None
        if recorded or lead is not None:
            judgement = judge(msgspec.convert(log, Hand), house)
            result = _record(judgement, code, rng) if recorded else None
            if result:
                log["result"] = result
        if fault:
            log["_fault"] = fault
        return log, judgement


def _record(judgement: Judgement, code: str | None, rng: Random) -> dict[str, object]:
    """What somebody wrote down of a hand: as judged, but for the mismatch of this code."""
    net = [amount // 1_000 for amount in judgement.settlement.net]
    whole = all(amount % 1_000 == 0 for amount in judgement.settlement.net)
    places = judgement.places
    result: dict[str, object] = {}
    if code == "places_mismatch":
        wrong = list(places or range(len(net)))
        one, other = rng.sample(range(len(net)), 2)
        wrong[one], wrong[other] = wrong[other], wrong[one]
        result["places"] = wrong
    elif places is not None:
        result["places"] = places
    if code == "net_mismatch":
        if whole:
            one, other = rng.sample(range(len(net)), 2)
            net[one] += 1 + rng.randrange(5)
            net[other] -= rng.randrange(5)
        result["net"] = net
    elif whole:
        result["net"] = net
    return result
