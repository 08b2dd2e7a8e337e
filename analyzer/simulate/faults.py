"""Faults, planted by construction: one function a violation code, named as the code.

A planter looks at a game and says how its fault could be made at this very moment: a *plan*, which does
it and returns (index of the faulty event, seat), or None where the moment does not lend itself. A plan
is run on a copy of the game, so it holds seats and cards, and nothing of the game it was made for. The
label is what was done; nobody asks the judge.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from typing import Final

from analyzer.cards import DECK, SPELLINGS, TWOS, cards_of, texts_of
from analyzer.combinations import FOUR, PAIRS, SINGLE, choices
from analyzer.judge.table import NOBODY
from analyzer.rules.house import House, Play
from analyzer.simulate.game import Event, Game
from analyzer.simulate.players import choose_lead, some_leads, some_sets

Plan = Callable[[Game], tuple[int, int]]
Planter = Callable[[Game], "Plan | None"]


# -- plans ---------------------------------------------------------------------------------------


def _playing(seat: int, play: Play, stands: bool = True, fits: bool = True) -> Plan:
    return lambda game: (game.put(seat, play, stands, fits), seat)


def _passing(seat: int) -> Plan:
    return lambda game: (game.give_up(seat), seat)


def _adding(seat: int, event: Event) -> Plan:
    return lambda game: (game.add({**event}), seat)


def _plan_of(
    plays: list[Play], seat: int, rng: Random, stands: bool = True, fits: bool = True
) -> Plan | None:
    return _playing(seat, rng.choice(plays), stands, fits) if plays else None


def _safe(game: Game, seat: int, plays: list[Play]) -> list[Play]:
    """The plays that are not `finished_with_two` besides."""
    most = game.table.counts[seat]
    return [play for play in plays if play.size < most or not game.house.finishes_badly(play)]


def _stealing(game: Game) -> bool:
    """Whether the lead was stolen and not yet taken: passes mean nothing now."""
    return game.table.steal is not None and not game.table.started


# -- the turn ------------------------------------------------------------------------------------


def wrong_leader(game: Game) -> Plan | None:
    """Another seat makes the first play."""
    if game.turn == NOBODY or game.table.started:
        return None
    seat = game.rng.choice([seat for seat in game.free_seats if seat != game.turn])
    return _plan_of(some_leads(game.house, game.held(seat), 0, game.rng), seat, game.rng)


def opening_card_missing(game: Game) -> Plan | None:
    """The leader leads, but not the card that the opening play must contain."""
    seat = game.turn
    if seat == NOBODY or not game.required:
        return None
    others = game.held(seat) & ~game.required
    return _plan_of(some_leads(game.house, others, 0, game.rng), seat, game.rng)


def out_of_turn(game: Game) -> Plan | None:
    """A seat that is still in the trick plays or passes before its turn."""
    table, rng = game.table, game.rng
    if game.turn == NOBODY:
        return None
    waiting = [seat for seat in game.free_seats if seat != game.turn]
    if rng.random() < 0.3:
        if _stealing(game) or table.auto_closed:
            return None
        return _passing(rng.choice(waiting))
    seat = rng.choice(waiting)
    if not table.started or (not table.closed and table.house.pass_lock and table.passed >> seat & 1):
        return None
    return _plan_of(_unfree(game, seat), seat, rng)


def played_after_pass(game: Game) -> Plan | None:
    """A seat that passed in this trick plays a set that would beat the top."""
    table = game.table
    if game.turn == NOBODY or game.leading:
        return None
    seats = [seat for seat in game.free_seats if table.passed >> seat & 1 and seat != table.owner]
    if not seats:
        return None
    seat = game.rng.choice(seats)
    return _plan_of(_unfree(game, seat), seat, game.rng)


def _unfree(game: Game, seat: int) -> list[Play]:
    """What would be legal for this seat were it in turn, and is no chop that it may make anyway."""
    plays = game.leads(seat) if game.leading else game.answers(seat)
    return [play for play in plays if not game.table.is_free_chop(seat, play)]


def pass_on_lead(game: Game) -> Plan | None:
    """The leader of a trick passes."""
    table = game.table
    if game.turn == NOBODY or not game.leading or _stealing(game):
        return None
    if table.auto_closed and game.turn != table.owner:
        return None
    return _passing(game.turn)


def acted_after_out(game: Game) -> Plan | None:
    """A seat that has no cards, is frozen or left the hand, acts."""
    table = game.table
    seats = [seat for seat in range(table.seats) if not table.live >> seat & 1]
    if game.turn == NOBODY or not seats:
        return None
    seat = game.rng.choice(seats)
    if game.held(seat) and game.rng.random() < 0.7:
        return _plan_of(game.leads(seat) if game.leading else game.answers(seat), seat, game.rng)
    return _passing(seat)


def event_after_end(game: Game) -> Plan | None:
    """Cards are played after the hand had ended, and they are no chop of the play that ended it."""
    table = game.table
    if not table.hand_over or game.redeal or (game.winners and not game.claimed):
        return None
    seat = game.rng.choice([seat for seat in range(table.seats) if game.held(seat)])
    plays = some_leads(game.house, game.held(seat), 0, game.rng)
    if seat == table.end_chopper:
        chops = game.end_chops(seat)
        plays = [play for play in plays if play not in chops]
    if not plays:
        return None
    cards = texts_of(game.rng.choice(plays).cards)

    def plan(game: Game) -> tuple[int, int]:
        game.table.end_chopper = NOBODY
        return game.add({"type": "play", "seat": seat, "cards": cards}, act=True), seat

    return plan


# -- the cards -----------------------------------------------------------------------------------


def card_not_held(game: Game) -> Plan | None:
    """A legal play, were it not for one card that the seat was not dealt."""
    table, seat = game.table, game.turn
    if seat == NOBODY or game.required:
        return None
    foreign = list(cards_of(DECK & ~table.owned[seat] & ~table.on_table))
    for card in game.rng.sample(foreign, min(3, len(foreign))):
        held = game.held(seat) | 1 << card
        if game.leading:
            plays = some_leads(game.house, held, 1 << card, game.rng)
        else:
            assert table.top is not None
            plays = [play for play in game.house.answers(held, table.top) if play.cards >> card & 1]
        plays = _safe(game, seat, plays)
        if plays:
            return _plan_of(plays, seat, game.rng)
    return None


def card_already_played(game: Game) -> Plan | None:
    """A card of one's own goes on the table for the second time."""
    table, seat = game.table, game.turn
    if seat == NOBODY or game.required:
        return None
    gone = list(cards_of(table.owned[seat] & table.on_table))
    if not gone:
        return None
    again = 1 << game.rng.choice(gone)
    plays = some_leads(game.house, game.held(seat) | again, again, game.rng)
    return _plan_of(plays, seat, game.rng, stands=False)


def not_a_combination(game: Game) -> Plan | None:
    """Cards that no house knows as a set."""
    seat = game.turn
    if seat == NOBODY:
        return None
    held = list(cards_of(game.held(seat) & ~game.required))
    for _ in range(4):
        size = game.rng.randrange(2, 6)
        if size <= len(held):
            cards = game.required | sum(1 << card for card in game.rng.sample(held, size))
            if not game.house.read(cards).kind:
                return _playing(seat, game.house.read(cards), stands=False)
    return None


def combination_not_allowed(game: Game) -> Plan | None:
    """A set that other houses know: of mixed suits, or consecutive pairs, in the North."""
    seat = game.turn
    if seat == NOBODY:
        return None
    sets = some_sets(game.held(seat), game.required, game.rng, by_suit=False, runs="any")
    plays = [play for play in map(game.house.read, sets) if play.kind and not play.allowed]
    return _plan_of(plays, seat, game.rng, stands=False)


def misfit(play: Play, top: Play) -> str | None:
    """Which fault laying ``play`` on ``top`` would be, or None where it may be laid."""
    if play.beats(top):
        return None
    if (play.kind, play.length) != (top.kind, top.length):
        return "chop_not_allowed" if play.kind in (FOUR, PAIRS) else "wrong_kind"
    twos = play.kind == SINGLE and play.cards & TWOS and top.cards & TWOS
    return "wrong_suit" if play.shape != top.shape and not twos else "does_not_beat"


def _misfit_planter(code: str) -> Planter:
    def planter(game: Game) -> Plan | None:
        seat, top = game.turn, game.table.top
        if seat == NOBODY or top is None or game.leading:
            return None
        held = game.held(seat)
        if code in ("wrong_suit", "does_not_beat"):
            plays = [game.house.read(cards) for cards in choices(held, top.kind, top.length)]
        else:
            plays = some_leads(game.house, held, 0, game.rng)
        plays = [play for play in plays if play.allowed and misfit(play, top) == code]
        return _plan_of(_safe(game, seat, plays), seat, game.rng, fits=False)

    planter.__name__ = code
    planter.__doc__ = "A set of this house's own that may not be laid on the top."
    return planter


def finished_with_two(game: Game) -> Plan | None:
    """A seat goes out on twos, or on four of a kind where that counts."""
    table, house, seat = game.table, game.house, game.turn
    if seat == NOBODY or game.required:
        return None
    held = game.held(seat)
    play = house.read(held)
    if play.size != table.counts[seat] or not play.allowed or not house.finishes_badly(play):
        return None
    if game.leading:
        excused = house.finish == "forbidden" and not held & ~TWOS
        return None if excused else _playing(seat, play)
    return _playing(seat, play) if table.top is not None and play.beats(table.top) else None


# -- words and conduct ---------------------------------------------------------------------------


def said_pass_then_played(game: Game) -> Plan | None:
    """In its turn a seat says pass, and then plays."""
    seat = game.turn
    if seat == NOBODY or game.leading:
        return None
    plays = _unfree(game, seat)
    if not plays:
        return None
    play = game.rng.choice(plays)

    def plan(game: Game) -> tuple[int, int]:
        game.say(seat, None)
        return game.put(seat, play), seat

    return plan


def said_play_then_changed(game: Game) -> Plan | None:
    """In its turn a seat names cards, and then plays others or passes."""
    seat = game.turn
    if seat == NOBODY:
        return None
    plays = game.leads(seat) if game.leading else game.answers(seat)
    if len(plays) < 2:
        return None
    named, other = game.rng.sample(plays, 2)
    if named is other:
        return None
    passes = not game.leading and game.rng.random() < 0.3

    def plan(game: Game) -> tuple[int, int]:
        game.say(seat, named)
        return game.give_up(seat) if passes else game.put(seat, other), seat

    return plan


def took_back(game: Game) -> Plan | None:
    """The owner of the top picks it up again."""
    table = game.table
    seat = table.owner
    if game.turn == NOBODY or not game.events or seat == NOBODY:
        return None
    if game.events[-1]["type"] != "play" or game.events[-1]["seat"] != seat:
        return None

    def plan(game: Game) -> tuple[int, int]:
        index = game.add({"type": "take_back", "seat": seat})
        game.table.take_back(seat)
        return index, seat

    return plan


def exposed_cards(game: Game) -> Plan | None:
    """A seat shows cards while the hand is on."""
    if game.turn == NOBODY:
        return None
    seat = game.rng.choice(game.free_seats)
    held = texts_of(game.held(seat))
    if not held:
        return None
    shown = held[: game.rng.randrange(1, len(held) + 1)]

    def plan(game: Game) -> tuple[int, int]:
        index = game.add({"type": "show", "seat": seat, "cards": shown, "why": "early"})
        if game.house.knobs.conduct.exposed == "forfeit":
            game.table.exposed.append(seat)
            game.table.depart(seat)
        return index, seat

    return plan


def counted_played_cards(game: Game) -> Plan | None:
    """A seat looks through the cards already played."""
    if game.turn == NOBODY or not game.table.started:
        return None
    seat = game.rng.randrange(game.table.seats)
    return _adding(seat, {"type": "count", "seat": seat})


def last_card_not_called(game: Game) -> Plan | None:
    """A seat goes out without a word, in a log that records calls."""
    table, seat = game.table, game.turn
    if seat == NOBODY or not game.calls or game.required:
        return None
    play = game.house.read(game.held(seat))
    if not play.allowed or play.size != table.counts[seat] or not game.sound(seat, play):
        return None
    if not game.leading and (table.top is None or not play.beats(table.top)):
        return None
    recorded = any(event["type"] == "call" for event in game.events)
    if not recorded and play.size != 1:
        return None

    def plan(game: Game) -> tuple[int, int]:
        if not recorded:
            game.add({"type": "call", "seat": seat, "remaining": 1})
        return game.put(seat, play, called=False), seat

    return plan


def over_time(game: Game) -> Plan | None:
    """An act within the rules, made too late."""
    seat, rng = game.turn, game.rng
    if seat == NOBODY or not game.timed:
        return None
    plays = game.leads(seat) if game.leading else game.answers(seat)
    play = choose_lead(game.styles[seat], plays, game.held(seat), rng) if plays else None
    if play is None and game.leading:
        return None
    if play is None or (not game.leading and rng.random() < 0.5):
        return lambda game: (game.give_up(seat, late=True), seat)
    return lambda game: (game.put(seat, play, late=True), seat)


# -- before the first play -----------------------------------------------------------------------


def instant_win_false(game: Game) -> Plan | None:
    """A seat claims an instant win that its holding is not; mostly at once, sometimes later."""
    if game.table.started and game.rng.random() < 0.9:
        return None
    holders = [seat for seat, _ in game.winners]
    seats = [seat for seat in range(game.table.seats) if seat not in holders]
    if not seats:
        return None
    seat = game.rng.choice(seats)
    event: Event = {"type": "claim", "seat": seat}
    wins = game.house.knobs.instant_wins
    listed = wins.opening if game.opening else wins.other
    if listed and game.rng.random() < 0.6:
        event["hand"] = game.rng.choice(listed)
    return _adding(seat, event)


def exchange_wrong_card(game: Game) -> Plan | None:
    """Tribute that is none: a gift or a return that the rules do not allow, or one too late."""
    table, rng = game.table, game.rng
    if table.hand_over or game.winners or game.redeal or (table.started and rng.random() < 0.9):
        return None
    giver = rng.choice(game.free_seats)
    receiver = rng.choice([seat for seat in range(table.seats) if seat != giver])
    held = list(cards_of(game.held(giver)))
    gifts = game.gifts()
    if gifts and not table.started and rng.random() < 0.5:
        giver, gift = rng.choice(gifts)
        receiver = rng.choice([seat for seat in range(table.seats) if seat != giver])
        back = list(cards_of(game.held(receiver) & ~game.returns(receiver, gift)))
        card = 1 << rng.choice(back) if back else 0

        def plan(game: Game) -> tuple[int, int]:
            game.exchange(giver, receiver, gift)
            return game.exchange(receiver, giver, card), receiver

        return plan if card else None
    count = 2 if rng.random() < 0.3 else 1
    if len(held) < count:
        return None
    cards = sum(1 << card for card in rng.sample(held, count))
    if count == 1 and not table.started and any(cards & gift for _, gift in gifts):
        return None
    return lambda game: (game.exchange(giver, receiver, cards), giver)


def discard_wrong_card(game: Game) -> Plan | None:
    """A card is put away that may not be, or one is kept that must go."""
    table, rng = game.table, game.rng
    if table.hand_over or game.winners or game.redeal:
        return None
    due = game.due()
    if due and not game.ready:
        keepers = [seat for seat in range(table.seats) if game.held(seat) & due]
        if not keepers:
            return None
        keeper = rng.choice(keepers)
        kept = 1 << rng.choice(list(cards_of(game.held(keeper) & due)))
        return lambda game: _lead_keeping(game, keeper, kept)
    if table.started and rng.random() < 0.9:
        return None
    seat = rng.choice(game.free_seats)
    held = list(cards_of(game.held(seat) & (DECK if table.started else ~due)))
    if not held:
        return None
    cards = 1 << rng.choice(held)
    return lambda game: (game.discard(seat, cards), seat)


def _lead_keeping(game: Game, keeper: int, kept: int) -> tuple[int, int]:
    game.ready = True
    game.put_away(kept)
    leader = game.turn
    plays = game.leads(leader) or some_leads(game.house, game.held(leader), 0, game.rng)
    return game.put(leader, game.rng.choice(plays)), keeper


# -- the deal and the record: nothing is done at the table ---------------------------------------


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
        given = rng.choice(list(cards_of(holdings[rng.randrange(later)] & ~first)))
        lost = rng.choice(list(cards_of(holdings[later] & ~first)))
        holdings[later] = holdings[later] & ~(1 << lost) | 1 << given
        return later
    seat = rng.randrange(seats)
    if code == "deal_needs_redeal":
        return next((seat for seat, cards in enumerate(holdings) if cards & TWOS == TWOS), None)
    pool = list(cards_of(DECK & ~every))
    if pool and rng.random() < 0.5:
        holdings[seat] |= 1 << rng.choice(pool)
    else:
        held = list(cards_of(holdings[seat] & ~first))
        for card in rng.sample(held, min(len(held), rng.randrange(1, 3))):
            holdings[seat] &= ~(1 << card)
    return seat


DEAL_FAULTS: Final = ("deal_wrong_size", "deal_duplicate_card", "deal_needs_redeal")
RECORD_FAULTS: Final = ("places_mismatch", "net_mismatch")
MISFITS: Final = ("wrong_kind", "wrong_suit", "does_not_beat", "chop_not_allowed")

PLANTERS: Final[dict[str, Planter]] = {
    planter.__name__: planter
    for planter in (
        wrong_leader,
        opening_card_missing,
        instant_win_false,
        out_of_turn,
        played_after_pass,
        pass_on_lead,
        acted_after_out,
        event_after_end,
        card_not_held,
        card_already_played,
        not_a_combination,
        combination_not_allowed,
        *map(_misfit_planter, MISFITS),
        finished_with_two,
        said_pass_then_played,
        said_play_then_changed,
        took_back,
        exposed_cards,
        counted_played_cards,
        last_card_not_called,
        over_time,
        exchange_wrong_card,
        discard_wrong_card,
    )
}
"""Violation code → its planter, for every fault that is an act at the table."""


def plantable(house: House) -> list[str]:
    """The violation codes of severity error or warning that a hand under these rules can meet."""
    return [code for code in (*DEAL_FAULTS, *PLANTERS, *RECORD_FAULTS) if code not in set(_impossible(house))]


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
