"""Faults of words and conduct, and of what is done before the first play; see :mod:`.misplays`."""

from __future__ import annotations

from typing import Final

from analyzer.cards import DECK, cards_of, texts_of
from analyzer.judge.seats import NOBODY
from analyzer.simulate.game import Event, Game
from analyzer.simulate.misplays import Plan, Planter, adding, unfree
from analyzer.simulate.players import choose_lead, some_leads

# -- words and conduct ---------------------------------------------------------------------------


def said_pass_then_played(game: Game) -> Plan | None:
    """In its turn a seat says pass, and then plays."""
    seat = game.turn
    if seat == NOBODY or game.leading:
        return None
    plays = unfree(game, seat)
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
    return adding(seat, {"type": "count", "seat": seat})


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
    return adding(seat, event)


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


PLANTERS: Final[tuple[Planter, ...]] = (
    said_pass_then_played,
    said_play_then_changed,
    took_back,
    exposed_cards,
    counted_played_cards,
    last_card_not_called,
    over_time,
    instant_win_false,
    exchange_wrong_card,
    discard_wrong_card,
)
