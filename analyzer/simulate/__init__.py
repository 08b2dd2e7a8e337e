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

from analyzer.cards import TEXTS, THREES, TWOS, cards_of
from analyzer.judge.judging import Judgement, judge
from analyzer.logs.hand import Hand
from analyzer.rules.house import House, house_of
from analyzer.rules.loading import preset_ids
from analyzer.rules.ruleset import RuleSet
from analyzer.simulate.deals import BOMBS, deal
from analyzer.simulate.faults import DEAL_FAULTS, PLANTERS, RECORD_FAULTS, Plan, plantable, spoil_deal
from analyzer.simulate.game import Game
from analyzer.simulate.players import CARELESS, TIMID

__all__ = ["EVENING", "plantable", "simulate", "simulate_range"]

Log = dict[str, object]

EVENING: Final = 50
"""Hands of one session."""

RECORDED: Final = 0.35
"""Share of the finished hands whose log records places and amounts."""

WITHOUT_PLAY: Final = (None, "instant_win_false", "event_after_end", *RECORD_FAULTS)
"""What a hand without a play may be dealt for: no fault, or these."""

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
        game, fault = self._play(rng, len(setting.players), lead)
        rules = self.house.rules
        log: Log = {"format": "tienlen-hand/1", "hand_id": f"{rules.id}-{self.seed}-{number:06}"}
        log |= setting.more
        log |= {"rules": self.rules, "stake": setting.stake, "played_at": setting.moment.isoformat()}
        if setting.stake >= 1_000:
            log["currency"] = "VND"
        log["players"] = [{"id": player} for player in setting.players]
        log |= {"lead": game.lead, "deal": self._dealt(game), "events": game.events}
        code = fault["code"] if fault else None
        judgement = None
        if code in RECORD_FAULTS or (game.done and rng.random() < RECORDED) or lead is not None:
            judgement = judge(msgspec.convert(log, Hand), self.house)
        if judgement is not None and game.done and (code in RECORD_FAULTS or rng.random() < 0.7):
            log["result"] = _record(judgement, code, rng)
        if fault:
            log["_fault"] = fault
        return log, judgement

    @staticmethod
    def _dealt(game: Game) -> list[list[str]]:
        return [[TEXTS[card] for card in cards_of(cards)] for cards in game.dealt]

    # -- playing ---------------------------------------------------------------------------------

    def _play(
        self, rng: Random, seats: int, lead: dict[str, Any] | None
    ) -> tuple[Game, dict[str, Any] | None]:
        """A hand played out, with a fault in so many of all; (the game, its label)."""
        if rng.random() < self.faults:
            for code in rng.sample(self.codes, len(self.codes)):
                game, seat = self._begin(rng, seats, lead, code)
                if code in PLANTERS:
                    found = _plant(game, code)
                    if found is not None:
                        return found
                elif code in RECORD_FAULTS or seat is not None:
                    _play_on(game)
                    return game, {"code": code, "event": None, "seat": seat}
        game, _ = self._begin(rng, seats, lead, None)
        _play_on(game)
        return game, None

    def _begin(
        self, rng: Random, seats: int, lead: dict[str, Any] | None, code: str | None
    ) -> tuple[Game, int | None]:
        """A hand about to be played, fit for this fault; with the seat of a fault of the deal."""
        house = self.house
        if lead is None:
            lead = {"reason": "opening"}
            if code != "opening_card_missing" and rng.random() < 0.6:
                reason = rng.choice(("won_previous", "won_previous", "forfeited_previous", "agreed"))
                lead = {"reason": reason, "seat": rng.randrange(seats)}
        victim = rng.randrange(seats)
        seat = None
        for _ in range(40):
            holdings = deal(house, rng, seats, self._wishes(code, victim, seats, rng))
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

    def _wishes(self, code: str | None, victim: int, seats: int, rng: Random) -> list[tuple[int, int]]:
        """Cards without which there would seldom be an occasion for this fault."""
        house = self.house
        two = 1 << (48 + rng.randrange(4))
        if code == "finished_with_two":
            return [(victim, rng.choice(BOMBS)(rng, house) if rng.random() < 0.2 else two)]
        if code == "chop_not_allowed":
            return [
                (victim, rng.choice(BOMBS)(rng, house)),
                ((victim + 1) % seats, 0xF << (4 * rng.randrange(12))),
            ]
        if code == "deal_needs_redeal":
            return [(victim, TWOS)]
        if code == "discard_wrong_card" and house.knobs.before.four_threes and rng.random() < 0.6:
            return [(victim, THREES), ((victim + 1) % seats, two)]
        return []


def _play_on(game: Game) -> None:
    while game.step():
        pass


def _plant(game: Game, code: str) -> tuple[Game, dict[str, Any]] | None:
    """Plays a hand, and from one of its moments that lend themselves to the fault plays it once more.

    The moment is drawn evenly among them all as they come, so that one pass is enough.
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
        if not game.step():
            break
    if chosen is None:
        return None
    game, plan = chosen
    event, seat = plan(game)
    if rng.random() < 0.5:
        for _ in range(rng.randrange(8)):
            game.step()
    else:
        _play_on(game)
    return game, {"code": code, "event": event, "seat": seat}


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
