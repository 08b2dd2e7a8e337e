"""Faults of plays and passes, planted by construction: one function a violation code, named as the code.

A planter looks at a game and says how its fault could be made at this very moment: a *plan*, which does
it and returns (index of the faulty event, seat), or None where the moment does not lend itself. A plan
is run on a copy of the game, so it holds seats and cards, and nothing of the game it was made for. The
label is what was done; nobody asks the judge.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Final

from analyzer.cards import DECK, TWOS, cards_of, texts_of
from analyzer.combinations import FOUR, PAIRS, SINGLE, choices
from analyzer.judge.seats import NOBODY
from analyzer.rules.plays import Play
from analyzer.simulate.game import Event, Game
from analyzer.simulate.players import some_leads, some_sets

Plan = Callable[[Game], tuple[int, int]]
Planter = Callable[[Game], "Plan | None"]


# -- plans ---------------------------------------------------------------------------------------


def _playing(seat: int, play: Play, stands: bool = True, fits: bool = True) -> Plan:
    return lambda game: (game.put(seat, play, stands, fits), seat)


def _passing(seat: int) -> Plan:
    return lambda game: (game.give_up(seat), seat)


def adding(seat: int, event: Event) -> Plan:
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
    return _plan_of(unfree(game, seat), seat, rng)


def played_after_pass(game: Game) -> Plan | None:
    """A seat that passed in this trick plays a set that would beat the top."""
    table = game.table
    if game.turn == NOBODY or game.leading:
        return None
    seats = [seat for seat in game.free_seats if table.passed >> seat & 1 and seat != table.owner]
    if not seats:
        return None
    seat = game.rng.choice(seats)
    return _plan_of(unfree(game, seat), seat, game.rng)


def unfree(game: Game, seat: int) -> list[Play]:
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
    holders = [seat for seat in range(table.seats) if game.held(seat)]
    if not table.hand_over or not holders or game.redeal or (game.winners and not game.claimed):
        return None
    seat = game.rng.choice(holders)
    plays = some_leads(game.house, game.held(seat), 0, game.rng)
    if seat == table.end_chopper:
        top = table.top
        plays = [p for p in plays if top is None or not (table.makes_link(p) or p.chops_freely(top))]
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


PLANTERS: Final[tuple[Planter, ...]] = (
    wrong_leader,
    opening_card_missing,
    out_of_turn,
    played_after_pass,
    pass_on_lead,
    acted_after_out,
    event_after_end,
    card_not_held,
    card_already_played,
    not_a_combination,
    combination_not_allowed,
    *map(_misfit_planter, ("wrong_kind", "wrong_suit", "does_not_beat", "chop_not_allowed")),
    finished_with_two,
)
