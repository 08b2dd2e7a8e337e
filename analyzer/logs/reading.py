"""One record's bytes → Hand, or the Fault that says precisely why not.

The fast way decodes straight into the types. A record that it refuses, or that could hide something
it does not see (a repeated key, a key that begins with ``_``), takes the slow way, which accepts the
very same hands and explains the others.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any, Final

import msgspec

from analyzer.cards import OPEN, OPEN_RANKS, SPELLINGS, SUITS, TEXTS, UNKNOWN
from analyzer.locale import N_, Message
from analyzer.logs.canonical import CACHE_LIMIT, canonical_bytes, canonical_cards, canonical_holding
from analyzer.logs.cleaning import cleaned, too_deep
from analyzer.logs.explaining import AMOUNT, NOTHING, fault_of, nearest, suggest
from analyzer.logs.hand import Event, ExchangeEvent, Hand, PassEvent, PlayEvent, SayEvent
from analyzer.logs.refusal import Fault
from analyzer.rules.faults import RulesError
from analyzer.rules.loading import resolve
from analyzer.rules.ruleset import RuleSet

MAX_RECORD: Final = 1024 * 1024
"""Bytes of one record; a longer one is refused unread."""

_decoder: Final = msgspec.json.Decoder(Hand)
_AMOUNT: Final = re.compile(rb"-?\d{1,15}(\.\d{1,3})?")
_NET: Final = re.compile(rb'"net"\s*:\s*\[([^\]]*)\]')
_MOMENT: Final = re.compile(r"\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)")

_WITH_CARDS: Final = frozenset(cls for cls in Event.__args__ if "cards" in cls.__struct_fields__)
_acts: Final[dict[tuple[str, ...], tuple[str, ...]]] = {}
"""The cards of good acts, as written → in canonical form."""


def read(raw: bytes) -> tuple[Hand, RuleSet, bytes]:
    """The hand in one record, its rule set and its canonical bytes; raises Fault.

    The hand's cards are in canonical spelling and order afterwards.
    """
    try:
        hand = _decoder.decode(raw)
        rules = finish(hand, raw)
        canonical = canonical_bytes(hand)
        # A key written twice has one more colon here than in the canonical form, which has each key
        # once. An escaped text could hide one (as `\\u003a`), so texts with escapes go the slow way.
        if raw.count(b":") == canonical.count(b":") and b"\\" not in raw:
            return hand, rules, canonical
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError, Fault):
        pass
    hand, rules = _slowly(raw)
    return hand, rules, canonical_bytes(hand)


def _slowly(raw: bytes) -> tuple[Hand, RuleSet]:
    """The hand and its rules where the fast way sees no hand, or might not see all; raises Fault."""
    record, encoded = cleaned(raw)
    try:
        hand = _decoder.decode(encoded)
        return hand, finish(hand, encoded)
    except RecursionError:
        raise too_deep() from None
    except msgspec.ValidationError as error:
        raise fault_of(str(error), record) from None


def finish(hand: Hand, raw: bytes) -> RuleSet:
    """Checks what types cannot say, puts cards into canonical form, finds the rules; raises Fault."""
    players = hand.players
    count = len(players)
    _check_players(hand)
    if hand.deal is not None:
        _finish_deal(hand, count)
    known = _acts
    for event in hand.events:
        if type(event) is PlayEvent:
            try:
                event.cards = known[event.cards]
            except KeyError:
                event.cards = _act_cards(hand, event, event.cards)
        elif type(event) is not PassEvent:
            _finish_event(hand, event, count)
    # Four seats are all there are, and most logs have no times.
    if count < 4 or b'"at"' in raw:
        _check_acts(hand.events, count)
    if hand.lead is not None:
        _check_lead(hand, count)
    if hand.dealer is not None and hand.dealer >= count:
        raise _no_seat("dealer", hand.dealer, count)
    if hand.played_at is not None:
        check_moment("played_at", hand.played_at)
    if hand.revision is not None and hand.revision.at is not None:
        check_moment("revision.at", hand.revision.at)
    if hand.result is not None:
        _finish_result(hand, raw, count)
    return _rules(hand, raw)


def _check_players(hand: Hand) -> None:
    players = hand.players
    if len({player.id for player in players}) != len(players):
        ids = [player.id for player in players]
        twice = next(i for i, id_ in enumerate(ids) if id_ in ids[:i])
        raise Fault(
            "bad_players",
            f"players[{twice}].id",
            repr(ids[twice]),
            Message(N_("an id that no other player of this hand has")),
        )


def _finish_deal(hand: Hand, count: int) -> None:
    deal = hand.deal
    assert deal is not None
    if len(deal) != count:
        raise Fault(
            "bad_deal",
            "deal",
            str(len(deal)),
            Message(N_("one holding (or null) for each of the {n} players"), n=count),
        )
    for seat, holding in enumerate(deal):
        if holding is not None:
            cards = canonical_holding(holding)
            if cards is None:
                dealt = [text for other in deal if other is not None for text in other]
                raise _bad_cards(f"deal[{seat}]", holding, dealt)
            deal[seat] = cards


def _check_acts(events: list[Event], count: int) -> None:
    """Checks the seats and the times of the events."""
    times = [at for event in events if (at := event.at) is not None]
    if times == sorted(times) and max([event.seat or 0 for event in events], default=0) < count:
        return
    last = 0.0
    for index, event in enumerate(events):
        seat, at = event.seat, event.at
        if seat is not None and seat >= count:
            raise _no_seat(f"events[{index}].seat", seat, count)
        if at is not None:
            if at < last:
                raise Fault(
                    "bad_time",
                    f"events[{index}].at",
                    str(at),
                    Message(N_("no less than {last}, the time of an earlier event"), last=last),
                )
            last = at


def _finish_event(hand: Hand, event: Event, count: int) -> None:
    """Checks an event that is neither a play nor a pass."""
    if type(event) is ExchangeEvent and (event.to >= count or event.to == event.seat):
        raise _no_seat(f"{_path(hand, event)}.to", event.to, count)
    if type(event) not in _WITH_CARDS:
        return
    given: tuple[str, ...] | None = event.cards  # type: ignore[union-attr]
    if given is not None:
        event.cards = _acts.get(given) or _act_cards(hand, event, given)  # type: ignore[union-attr]
    elif type(event) is SayEvent and event.meaning == "play":
        raise Fault(
            "missing_key",
            f"{_path(hand, event)}.cards",
            NOTHING,
            Message(N_("the cards that were named")),
        )


def _path(hand: Hand, event: Event) -> str:
    """Where an event stands in its hand; nobody asks unless something is wrong with it."""
    return f"events[{next(index for index, other in enumerate(hand.events) if other is event)}]"


def _act_cards(hand: Hand, event: Event, given: tuple[str, ...]) -> tuple[str, ...]:
    """The cards of an act in canonical form: all of a known rank, each once; raises Fault."""
    cards = canonical_cards(given)
    if cards is None or UNKNOWN in cards or _repeats(cards):
        raise _bad_cards(f"{_path(hand, event)}.cards", given)
    if len(_acts) >= CACHE_LIMIT:
        _acts.clear()
    _acts[given] = cards
    return cards


def _repeats(cards: tuple[str, ...]) -> bool:
    """Whether a card stands twice in an act, or a rank more often than there are suits."""
    if len(set(cards)) == len(cards) and OPEN not in "".join(cards):
        return False
    known = [text for text in cards if text in SPELLINGS]
    ranks = [text[:-1] for text in cards]
    return len(set(known)) != len(known) or any(ranks.count(rank) > len(SUITS) for rank in ranks)


def _check_lead(hand: Hand, count: int) -> None:
    lead = hand.lead
    assert lead is not None
    if lead.seat is None:
        if lead.reason != "opening":
            raise Fault(
                "missing_key",
                "lead.seat",
                NOTHING,
                Message(N_("the seat that leads, for the reason {reason}"), reason=lead.reason),
            )
    elif lead.seat >= count:
        raise _no_seat("lead.seat", lead.seat, count)


def check_moment(path: str, text: str) -> None:
    """Raises Fault where a text is no date and time with an offset."""
    fix = None
    if _MOMENT.fullmatch(text):
        try:
            moment = datetime.fromisoformat(text.upper().replace(" ", "T"))
            if not 1 < moment.year < 9999:
                moment.astimezone(UTC)  # the offset may lead out of the years there are
            return
        except (ValueError, OverflowError):
            pass
    elif _MOMENT.fullmatch(text + "+07:00"):
        fix = Message(N_("add the offset of the place, such as +07:00"))
    expected = Message(N_("a date and time with an offset, such as 2026-11-29T20:15:00+07:00"))
    raise Fault("bad_time", path, repr(text), expected, fix)


def _finish_result(hand: Hand, raw: bytes, count: int) -> None:
    result = hand.result
    assert result is not None
    if result.places is not None and sorted(result.places) != list(range(count)):
        raise Fault(
            "bad_result",
            "result.places",
            str(list(result.places)),
            Message(N_("each seat from 0 to {last} once, first to last"), last=count - 1),
        )
    if result.net is not None:
        if len(result.net) != count:
            raise Fault(
                "bad_result",
                "result.net",
                str(len(result.net)),
                Message(N_("one amount for each of the {n} players"), n=count),
            )
        written = _NET.search(raw, max(raw.rfind(b'"net"'), 0))
        for index, part in enumerate(written[1].split(b",") if written else []):
            if not _AMOUNT.fullmatch(part.strip()):
                raise Fault(
                    "bad_number",
                    f"result.net[{index}]",
                    part.decode("utf-8", "replace").strip(),
                    Message(AMOUNT),
                )
        result.net = tuple([_shortest(amount) for amount in result.net])


def _shortest(amount: Decimal) -> Decimal:
    whole = amount.to_integral_value()
    return whole if whole == amount else amount.normalize()


def _rules(hand: Hand, raw: bytes) -> RuleSet:
    rules = hand.rules
    changes = {} if isinstance(rules, str) else rules.set
    if any(map(_has_float, changes.values())):
        _exact_json.decode(raw.decode())
    try:
        return resolve(rules if isinstance(rules, str) else {"extends": rules.extends, "set": changes})
    except RulesError as error:
        fault = error.faults[0]
        path = f"rules.set[{fault.key!r}]"
        if fault.key == "extends":
            path = "rules" if isinstance(rules, str) else "rules.extends"
        raise Fault("bad_rules", path, fault.found, fault.allowed, suggest(fault.nearest)) from None


def _has_float(value: Any) -> bool:
    """Whether a value of a log's own agreement was written as a fraction or with an exponent."""
    if isinstance(value, dict):
        return any(map(_has_float, value.values()))
    return isinstance(value, float) or (isinstance(value, list) and any(map(_has_float, value)))


def _amount(text: str) -> Decimal:
    if not _AMOUNT.fullmatch(text.encode()):
        raise Fault("bad_number", "rules.set", text[:60], Message(AMOUNT))
    return Decimal(text)


_exact_json: Final = json.JSONDecoder(parse_float=_amount)
"""Looks at numbers as they are written; raises Fault on one that is no amount."""


def _no_seat(path: str, seat: int, count: int) -> Fault:
    return Fault(
        "bad_seat",
        path,
        str(seat),
        Message(
            N_("another seat from 0 to {last}") if path.endswith("to") else N_("a seat from 0 to {last}"),
            last=count - 1,
        ),
    )


def _bad_cards(path: str, cards: tuple[str, ...], dealt: Sequence[str] = ()) -> Fault:
    """What is wrong with some cards; no card that is there already (of a deal: ``dealt``) is suggested."""
    taken = {SPELLINGS.get(text) for text in (*cards, *dealt)}
    free = [text for text in TEXTS if SPELLINGS[text] not in taken]
    seen: set[int] = set()
    for index, text in enumerate(cards):
        where = f"{path}[{index}]"
        card = SPELLINGS.get(text)
        if text in OPEN_RANKS:
            continue
        if card is None:
            fix = suggest(nearest(text.upper(), free, 0.5))
            if text == UNKNOWN and not path.startswith("deal"):
                return Fault(
                    "bad_card", where, repr(text), Message(N_("a known card; ?? may stand in a deal only"))
                )
            if text != UNKNOWN:
                return Fault(
                    "bad_card",
                    where,
                    repr(text),
                    Message(
                        N_(
                            "a rank (3 to 10, J, Q, K, A, 2) and a suit (S, C, D, H), such as 10H; "
                            "a suit that nobody remembers is a question mark, such as 10?"
                        )
                    ),
                    fix,
                )
        elif card in seen:
            return Fault("repeated_card", where, repr(text), Message(N_("each card once")))
        else:
            seen.add(card)
    return Fault("repeated_card", path, str(list(cards)), Message(N_("at most four cards of one rank")))
