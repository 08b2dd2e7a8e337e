"""Cards whose suit nobody remembers (``8?``): what their rank alone decides, and what hangs on the suit.

A *way* gives every such card a suit that the rest of the log allows; the hand is judged in each of them.
What holds in all is certain, what holds in some is possible and is told with the suits it hangs on. Money
follows certainty: what is owed in every way is charged, and nothing else. Where the ways are too many, the
ranks whose suits decide nothing are found out first; if those that do are still too many, a fixed sample is
judged, and what would have to hold in all of them is *undecidable*.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from itertools import product
from math import prod
from typing import Any, Final

from analyzer.cards import BITS, OPEN, set_of
from analyzer.judge.certainty import Effort
from analyzer.judge.filling import OpenRank, fill, open_ranks
from analyzer.judge.findings import Certainty, Facts, Finding
from analyzer.judge.forfeits import Forfeit
from analyzer.judge.hanging import About, Case, Hanging, Slot
from analyzer.judge.judging import Judgement
from analyzer.judge.passes import Pass
from analyzer.judge.replay import replay, report_order
from analyzer.judge.replayed import Frame
from analyzer.judge.settlement import settle
from analyzer.judge.transfers import Chop, Settlement, Transfer
from analyzer.logs.hand import Hand
from analyzer.rules.house import House

WAYS: Final = 400
"""Ways that are judged of a hand of ordinary length; of a longer one, fewer."""

ACTS: Final = 12_000
"""Events that are judged in all ways together."""

BASES: Final = 3
"""Ways around which each rank is varied to see whether its suits decide anything."""

Judging = Callable[[Hand, House, "list[Frame] | None", Effort], Judgement]


def judge_open(hand: Hand, house: House, trace: list[Frame] | None, judge: Judging) -> Judgement:
    """Judges a hand with open suits by judging it in every way, or in a sample of them.

    The judgement is that of the first way, with what does not hold in all ways taken out or marked, and
    with what hangs on suits in ``hanging``; its ``open`` are the cards that stand for an open suit.
    """
    ranks = list(open_ranks(hand))
    effort = Effort()
    limit = max(12, min(WAYS, ACTS // (len(hand.events) + 1)))
    judged: dict[tuple[int, ...], Judgement] = {}

    def of(choice: tuple[int, ...]) -> Judgement:
        found = judged.get(choice)
        if found is None:
            filled = fill(hand, [(rank, rank.ways[k]) for rank, k in zip(ranks, choice, strict=True)])
            found = judged[choice] = judge(filled, house, None, effort)
        return found

    complete = _judge_ways(ranks, of, limit)
    shown = (0,) * len(ranks)
    if len({way.outcome for way in (of(shown), *judged.values())}) > 1:
        # The course of play that is shown is that of a hand that was played.
        shown = next((c for c, way in judged.items() if way.outcome in ("finished", "unfinished")), shown)
    if trace is not None:
        trace[:] = _traced(hand, house, ranks, shown, limit)
    return _merged(hand, ranks, {shown: of(shown), **judged}, complete)


# -- ways ------------------------------------------------------------------------------------------


def _judge_ways(ranks: list[OpenRank], of: Callable[[tuple[int, ...]], Judgement], limit: int) -> bool:
    """Judges all ways, or so many of them; whether nothing more could come of the others."""
    counts = [len(rank.ways) for rank in ranks]
    cut = any(rank.cut for rank in ranks)
    if prod(counts) <= limit:
        for choice in product(*map(range, counts)):
            of(choice)
        return not cut
    bases = [_some(counts, number) for number in range(BASES)]
    matter, spent = [], 0
    for place, count in enumerate(counts):
        tried = min(count, max(2, limit // (BASES * len(counts))))
        told = set()
        for number, base in enumerate(bases):
            for way in range(tried):
                values = _values(of((*base[:place], way, *base[place + 1 :])))
                told.add((number, tuple(values.items())))
                spent += 1
        if len(told) > BASES or tried < count:
            matter.append(place)
    if prod(counts[place] for place in matter) > limit:
        for number in range(BASES, BASES + limit - min(spent, limit // 2)):
            of(_some(counts, number))
        return False
    for choice in product(*(range(counts[place]) for place in matter)):
        whole = [0] * len(counts)
        for place, way in zip(matter, choice, strict=True):
            whole[place] = way
        of(tuple(whole))
    return not cut


def _some(counts: list[int], number: int) -> tuple[int, ...]:
    """One choice of a way for each rank, the same one for a number; number 0 is the first way of each."""
    return tuple(
        (number * (2_654_435_761 + 40_503 * place) >> 16) % count for place, count in enumerate(counts)
    )


# -- what it comes to ------------------------------------------------------------------------------


_Key = tuple[About, str | None, int | None, int | None]


def _values(judgement: Judgement) -> dict[_Key, Any]:
    """Everything that may hang on suits, by what it is about. What is absent did not happen."""
    found: dict[_Key, Any] = {}
    for finding in judgement.findings:
        found["violation", finding.code, finding.event, finding.seat] = finding.certainty
    for entry in judgement.replay.missed:
        found["missed_block", None, entry.event, entry.seat] = True
    for entry in judgement.undecided:
        found["missed_block", None, entry.event, entry.seat] = None
    if judgement.forfeit is not None:
        forfeit = judgement.forfeit
        found["forfeit", None, None, forfeit.seat] = forfeit.certainty
    for seat, won in judgement.replay.winners:
        found["instant_win", won, None, seat] = True
    found["outcome", None, None, None] = judgement.outcome
    found["places", None, None, None] = tuple(judgement.places or ())
    lead = judgement.next_lead
    found["next_lead", None, None, None] = (lead.reason, lead.seat) if lead else None
    found["net", None, None, None] = tuple(judgement.settlement.net)
    return found


def _merged(
    hand: Hand, ranks: list[OpenRank], judged: dict[tuple[int, ...], Judgement], complete: bool
) -> Judgement:
    choices, ways = list(judged), list(judged.values())
    values = [_values(way) for way in ways]
    first = ways[0]
    hanging = []
    for key in dict.fromkeys(key for found in values for key in found):
        told = [found.get(key) for found in values]
        if len(set(told)) > 1:
            hanging.append(_hanging(key, told, ways, choices, ranks, not complete))
    hanging.sort(
        key=lambda h: -1 if h.event is None and h.about != "net" else 1 << 30 if h.event is None else h.event
    )
    loose = {(h.about, h.code, h.event, h.seat) for h in hanging}
    open_ = _open_cards(ranks)
    first.findings[:] = _findings(hand, ways, first.replay.house, loose, complete, open_)
    _passes(first, ways, loose, complete)
    first.forfeit = _forfeit(ways, loose, complete)
    first.ways = ways
    charged = first.forfeit is not None and first.forfeit.certainty == "certain"
    first.settlement = settlement_of(ways, charged)
    lead = first.next_lead
    if lead is not None and lead.reason == "forfeited_previous" and not charged:
        first.next_lead = None
    abouts = {h.about for h in hanging}
    if "places" in abouts:
        first.places = None
    if "next_lead" in abouts:
        first.next_lead = None
    if "outcome" in abouts:
        outcomes = [way.outcome for way in ways if way.outcome in ("finished", "unfinished")]
        first.outcome = outcomes[0] if outcomes else first.outcome
    if "instant_win" in abouts:
        sure = [won for won in first.replay.winners if ("instant_win", won[1], None, won[0]) not in loose]
        first.replay.winners = sure
    if any(way.places_check != first.places_check for way in ways):
        first.places_check = "agrees"
    if any(way.net_check != first.net_check for way in ways):
        first.net_check = "agrees"
    first.replay.hand = hand
    first.open = open_
    first.hanging = hanging
    return first


def _traced(
    hand: Hand, house: House, ranks: list[OpenRank], shown: tuple[int, ...], limit: int
) -> list[Frame]:
    """The table before each event in the way that is shown.

    A card is open where not every way of its rank has it in the same place then: one that the log names may
    be elsewhere in some way, and still lie here in all of them. Where the ways of a rank are too many to be
    traced, every card that may stand for an open suit is open.
    """

    def traced(choice: tuple[int, ...]) -> list[Frame]:
        frames: list[Frame] = []
        replay(
            fill(hand, [(rank, rank.ways[k]) for rank, k in zip(ranks, choice, strict=True)]), house, frames
        )
        return frames

    frames = traced(shown)
    for place, rank in enumerate(ranks):
        if not rank.varying:
            continue
        within = 0xF << 4 * rank.rank
        limit -= len(rank.ways)
        if rank.cut or limit < 0:
            cards = _open_cards([rank])
            frames = [_opened(frame, cards, (0,) * len(frame.holdings), 0, 0) for frame in frames]
            continue
        for way in range(len(rank.ways)):
            if way != shown[place]:
                others = traced((*shown[:place], way, *shown[place + 1 :]))
                frames = [
                    _opened(frame, within, other.holdings, other.top, other.on_table)
                    for frame, other in zip(frames, others, strict=True)
                ]
    return frames


def _opened(frame: Frame, within: int, holdings: tuple[int, ...], top: int, on_table: int) -> Frame:
    """The frame with those of its cards ``within`` open that another way has not in the same place."""
    return frame._replace(
        open_held=tuple(
            open_ | held & within & ~other
            for open_, held, other in zip(frame.open_held, frame.holdings, holdings, strict=True)
        ),
        open_top=frame.open_top | frame.top & within & ~top,
        open_table=frame.open_table | frame.on_table & within & ~on_table,
    )


def _open_cards(ranks: list[OpenRank]) -> int:
    """The cards that may stand for an open suit; one that every way gives the same suit is not open."""
    found = 0
    for rank in ranks:
        for slot in rank.varying:
            found |= _union(way[slot] for way in rank.ways)
    return found


def _union(sets: Iterable[int]) -> int:
    found = 0
    for cards in sets:
        found |= cards
    return found


def _hanging(
    key: _Key,
    told: list[Any],
    ways: list[Judgement],
    choices: list[tuple[int, ...]],
    ranks: list[OpenRank],
    sampled: bool,
) -> Hanging:
    about, code, event, seat = key
    finding = next((f for way in ways for f in way.findings if (f.code, f.event, f.seat) == key[1:]), None)
    matter = [place for place in range(len(ranks)) if _matters(place, told, choices)]
    cases: dict[Any, dict[tuple[tuple[Slot, int], ...], None]] = {}
    for value, choice in zip(told, choices, strict=True):
        filled = tuple(
            (ranks[place].slots[slot], ranks[place].ways[choice[place]][slot])
            for place in matter
            for slot in ranks[place].varying
        )
        cases.setdefault(value, {})[filled] = None
    return Hanging(
        about,
        code,
        event,
        seat,
        finding if about == "violation" else None,
        [Case(value, list(filled)) for value, filled in cases.items()],
        sampled,
    )


def _matters(place: int, told: list[Any], choices: list[tuple[int, ...]]) -> bool:
    """Whether another suit of this rank alone ever changes the value."""
    seen: dict[tuple[int, ...], Any] = {}
    for value, choice in zip(told, choices, strict=True):
        rest = (*choice[:place], *choice[place + 1 :])
        if seen.setdefault(rest, value) != value:
            return True
    return False


def _findings(
    hand: Hand, ways: list[Judgement], house: House, loose: set[_Key], complete: bool, open_: int
) -> list[Finding]:
    """The findings of all ways, in the order of reporting; those that some ways have not are possible.

    A card that the act itself names with its suit is told with it, whatever else may be that card.
    """
    found: dict[tuple[str, int | None, int | None], Finding] = {}
    for way in ways:
        for finding in way.findings:
            found.setdefault((finding.code, finding.event, finding.seat), finding)
    merged = []
    for (code, event, seat), finding in found.items():
        certainty: Certainty = finding.certainty
        if ("violation", code, event, seat) in loose:
            certainty = "possible"
        elif not complete and certainty == "certain" and _reads_suits(code, house):
            certainty = "undecidable"
        cards = () if event is None else getattr(hand.events[event], "cards", None) or ()
        named = set_of(text for text in cards if text in BITS)
        facts = told_facts(finding.facts, open_)
        if "cards" in facts:
            facts |= told_facts({"cards": finding.facts["cards"]}, open_ & ~named)
        merged.append(finding._replace(certainty=certainty, facts=facts))
    return sorted(merged, key=report_order)


RANKS_DECIDE: Final = frozenset(
    {
        "deal_wrong_size",
        "out_of_turn",
        "played_after_pass",
        "pass_on_lead",
        "acted_after_out",
        "event_after_end",
        "not_a_combination",
        "combination_not_allowed",
        "wrong_kind",
        "finished_with_two",
        "said_pass_then_played",
        "last_card_not_called",
    }
)
"""Codes that follow from ranks, turns and words, where suits make no combinations. Another suit could undo
any other finding, and one that is added later until it is entered here."""

READS_NOTHING: Final = frozenset(
    {
        "lead_unverified",
        "took_back",
        "exposed_cards",
        "counted_played_cards",
        "over_time",
        "hand_unfinished",
    }
)
"""Codes that no card decides, not even where suits make combinations, and so turns."""


def _reads_suits(code: str, house: House) -> bool:
    if code in READS_NOTHING:
        return False
    return code not in RANKS_DECIDE or house.by_suit or house.runs == "one_colour"


def told_facts(facts: Facts, open_: int) -> Facts:
    """Facts with the cards of open suits told by their rank."""

    def told(value: Any) -> Any:
        if isinstance(value, list):
            return [told(item) for item in value]
        if isinstance(value, str) and BITS.get(value, 0) & open_:
            return value[:-1] + OPEN
        return value

    return {key: told(value) for key, value in facts.items()}


def _passes(first: Judgement, ways: list[Judgement], loose: set[_Key], complete: bool) -> None:
    """Blocks that were missed in every way stay; those of some ways are undecided."""
    seen: dict[int, Pass] = {}
    for way in ways:
        for entry in (*way.replay.missed, *way.undecided):
            seen.setdefault(entry.event, entry)
    certain = {entry.event for entry in first.replay.missed}
    sure: list[Pass] = []
    unsure: list[Pass] = []
    for event, entry in sorted(seen.items()):
        hangs = ("missed_block", None, event, entry.seat) in loose
        (sure if event in certain and complete and not hangs else unsure).append(entry)
    first.replay.missed[:] = sure
    first.replay.unsure = unsure
    first.undecided = unsure


def _forfeit(ways: list[Judgement], loose: set[_Key], complete: bool) -> Forfeit | None:
    found = next((way.forfeit for way in ways if way.forfeit is not None), None)
    if found is None or found.certainty != "certain":
        return found
    if ("forfeit", None, None, found.seat) in loose:
        return replace(found, certainty="possible")
    return found if complete else replace(found, certainty="undecidable")


def settlement_of(ways: Sequence[Judgement], charged: bool) -> Settlement:
    """What is owed in every way, where a forfeit is ``charged`` or not.

    A forfeit that is charged rules out the ways without one. Where all come to the same, it is the first
    way's settlement; else between any two players the least that any way has: then what each ends with may be
    what no way gives, and hangs on suits.
    """
    if charged:  # who charges it says that it is so
        ways = [way for way in ways if way.forfeit is not None] or ways
    settled = [_settled(way, charged) for way in ways]
    first = settled[0]
    if all(settlement.net == first.net for settlement in settled):
        return first
    pairs = [_pairs(settlement.transfers) for settlement in settled]
    transfers: list[Transfer] = []
    for pair in pairs[0]:
        owed = [found.get(pair, ()) for found in pairs]
        transfers += min(owed, key=lambda some: sum(transfer.amount for transfer in some))
    net = [0] * len(first.net)
    for transfer in transfers:
        if transfer.to is not None:
            net[transfer.to] += transfer.amount
        if transfer.from_ is not None:
            net[transfer.from_] -= transfer.amount
    chops = []
    for chop in first.chops:
        links = [next((c for c in s.chops if c.link.event == chop.link.event), None) for s in settled]
        sure = [link for link in links if link is not None]
        if len(sure) == len(links):
            amount = min(link.amount for link in sure)
            chops.append(Chop(chop.link, amount, all(link.paid for link in sure)))
    return Settlement(transfers, chops, net)


def _settled(way: Judgement, charged: bool) -> Settlement:
    forfeit = way.forfeit
    if forfeit is None or (forfeit.certainty == "certain") == charged:
        return way.settlement
    return settle(way.replay, way.places, replace(forfeit, certainty="certain") if charged else None)


def _pairs(transfers: Sequence[Transfer]) -> dict[tuple[int | None, int | None], list[Transfer]]:
    """The transfers by who pays whom, in their order."""
    found: dict[tuple[int | None, int | None], list[Transfer]] = {}
    for transfer in transfers:
        found.setdefault((transfer.from_, transfer.to), []).append(transfer)
    return found
