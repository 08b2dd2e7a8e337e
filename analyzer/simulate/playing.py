"""Playing a hand on, one decision at a time: what made-up players decide, all of it by the rules."""

from __future__ import annotations

from typing import Final

from analyzer.cards import cards_of, texts_of
from analyzer.combinations import PAIRS, choices
from analyzer.judge.seats import NOBODY
from analyzer.rules.plays import Play
from analyzer.simulate.game import CHOPPABLE, Event, Game
from analyzer.simulate.players import choose_answer, choose_lead

TALK: Final = ("trà đá", "mưa to quá", "chờ một chút")


def step(game: Game) -> bool:
    """Plays on by one decision; False where the hand is over, or stuck after a fault."""
    if game.done:
        return False
    if game.table.hand_over:
        _end(game)
        game.done = True
    elif not game.ready:
        game.ready = True
        _before(game)
    else:
        return _act(game)
    return True


def _before(game: Game) -> None:
    if game.winners:
        _claim(game)
    if game.winners or game.redeal:
        game.table.hand_over = True
        return
    if game.rng.random() < 0.3:
        _tribute(game)
    game.put_away()
    if game.house.knobs.lead.steal and not game.opening:
        _steal(game)


def _claim(game: Game) -> None:
    for seat, name in game.winners:
        if game.rng.random() < 0.6:
            game.claimed = True
            event: Event = {"type": "claim", "seat": seat}
            if game.rng.random() < 0.7:
                event["hand"] = name
            if game.rng.random() < 0.3:
                event["cards"] = texts_of(game.dealt[seat])
            game.add(event)


def _tribute(game: Game) -> None:
    """One gift, and mostly one card back: the second is no duty at once, nor is the first."""
    gifts = game.gifts()
    if not gifts:
        return
    giver, gift = game.rng.choice(gifts)
    receiver = game.rng.choice([seat for seat in range(game.table.seats) if seat != giver])
    # A three that everybody must put away is nothing to give.
    back = list(cards_of(game.returns(receiver, gift) & ~game.due()))
    game.exchange(giver, receiver, gift)
    if back and game.rng.random() < 0.9:
        game.exchange(receiver, giver, 1 << game.rng.choice(back))


def _steal(game: Game) -> None:
    """Cướp cái: three consecutive pairs, then higher ones; passes meanwhile mean nothing."""
    table, rng, highest = game.table, game.rng, None
    seats = list(range(table.seats))
    rng.shuffle(seats)
    for seat in seats:
        runs = [game.house.read(cards) for cards in choices(game.held(seat), PAIRS, 3)]
        runs = [
            play
            for play in runs
            if play.allowed
            and play.size < table.counts[seat]
            and game.sound(seat, play)
            and (highest is None or play.beats(highest))
        ]
        if runs and rng.random() < 0.6:
            highest = rng.choice(runs)
            event = {"type": "play", "seat": seat, "cards": texts_of(highest.cards), "as": "steal_lead"}
            game.add(event, act=True)
            table.steal_lead(seat, highest, True)
        elif highest is not None and rng.random() < 0.2:
            game.add({"type": "pass", "seat": seat}, act=True)


def _act(game: Game) -> bool:
    table, rng = game.table, game.rng
    seat = table.turn
    if seat == NOBODY:
        return False
    if 0 <= game.leaves_at <= len(game.events) and table.started:
        game.leave(rng.choice(game.free_seats))
        return True
    if rng.random() < 0.01:
        game.add({"type": "note", "text": rng.choice(TALK)})
    if table.auto_closed and game.events[-1]["type"] == "play":
        _idle_passes(game)
    if table.top is not None and table.top.target & CHOPPABLE and _chop_freely(game):
        return True
    aloud = rng.random() < 0.03
    if game.leading:
        plays = game.leads(seat)
        if not plays:
            return False
        play: Play | None = choose_lead(game.styles[seat], plays, game.held(seat), rng)
    else:
        assert table.top is not None
        play = choose_answer(game.styles[seat], game.answers(seat), table.top, game.held(seat), rng)
    if aloud:
        game.say(seat, play)
    if play is None:
        game.give_up(seat)
    else:
        game.put(seat, play)
    return True


def _idle_passes(game: Game) -> None:
    """After a trick that closed by itself the others may still press pass; it means nothing."""
    others = [seat for seat in game.free_seats if seat != game.table.owner]
    for seat in others[: game.rng.randrange(len(others) + 2)]:
        game.give_up(seat)


def _chop_freely(game: Game) -> bool:
    """Somebody chops out of turn or after a pass; many wait for the gap before the next lead."""
    table = game.table
    for seat in game.free_seats:
        plays = game.free_chops(seat) if seat != table.turn else []
        share = game.styles[seat].chops * (1 if table.closed else 0.4)
        if plays and game.rng.random() < share:
            game.put(seat, game.rng.choice(plays))
            return True
    return False


def _end(game: Game) -> None:
    """The last holder chops the last play, passes on it, or neither; then holdings are shown."""
    table, rng = game.table, game.rng
    seat = table.end_chopper
    if seat != NOBODY and table.top is not None:
        plays = [play for play in game.end_chops(seat) if game.sound(seat, play)]
        if plays and rng.random() < 0.7:
            play = rng.choice(plays)
            event = {"type": "play", "seat": seat, "cards": texts_of(play.cards)}
            table.end_chop(game.add(event, act=True), seat, play)
        elif rng.random() < 0.4:
            game.add({"type": "pass", "seat": seat}, act=True)
            table.passed |= 1 << seat
    if rng.random() < 0.3:
        for seat in range(table.seats):
            if game.held(seat):
                game.add({"type": "show", "seat": seat, "cards": texts_of(game.held(seat)), "why": "end"})


def play_on(game: Game) -> None:
    """Plays a hand to its end."""
    while step(game):
        pass
