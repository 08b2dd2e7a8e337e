"""One function a violation: its name is the stable code, its docstring the documentation.

A check on an act looks at the table *before* the act and returns the facts of the violation, or None.
Facts are plain values (seats, card texts, numbers); ``rule`` among them names a closer knob.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from analyzer.cards import TEXTS, THREES, TWOS, texts_of
from analyzer.combinations import FOUR, KIND_NAMES, PAIRS
from analyzer.judge.amounts import exact
from analyzer.judge.findings import Facts, violation
from analyzer.judge.table import Table
from analyzer.locale import N_
from analyzer.rules.plays import Play


class Act:
    """One play or pass (``play`` is None) as the log has it, with what the table makes of it."""

    __slots__ = ("event", "free", "lead", "leader", "opening_card", "play", "seat")

    def __init__(
        self, event: int, seat: int, play: Play | None, table: Table, leader: int, opening_card: int
    ) -> None:
        self.event = event
        self.seat = seat
        self.play = play
        self.leader = leader
        """The seat whose right it is to lead the hand, or -1."""
        self.opening_card = opening_card
        """The card set that the first play must contain; empty where nothing is required."""
        self.free = play is not None and table.is_free_chop(seat, play)
        self.lead = play is not None and table.is_lead(seat, play)


Check = Callable[[Table, Act], Facts | None]


# -- turn: exclusive, the most specific one is reported ------------------------------------------


@violation("error", "law.end", N_("{player} played {cards} after the hand had ended."))
def event_after_end(table: Table, act: Act) -> Facts | None:
    """Play went on after the hand had ended.

    The one exception is the last holder's chop of the play that ended it (never called for that).
    """
    if table.hand_over and act.play is not None:
        return {"cards": texts_of(act.play.cards)}
    return None


@violation("error", "law.turn", N_("{player} is out of this hand and may not act."))
def acted_after_out(table: Table, act: Act) -> Facts | None:
    """A seat with no cards, a frozen seat, or one that left, acted."""
    if table.live >> act.seat & 1:
        return None
    why = "frozen" if table.frozen >> act.seat & 1 else "left" if act.seat in table.left else "no_cards"
    return {"why": why}


@violation("error", "lead.card", N_("{player} led; the lead belonged to {leader}."))
def wrong_leader(table: Table, act: Act) -> Facts | None:
    """The first play is not by the seat whose right it was."""
    leader = act.leader if act.leader >= 0 and table.live >> act.leader & 1 else table.turn
    if table.started or act.play is None or leader in (-1, act.seat):
        return None
    return {"leader": leader}


@violation("error", "tricks.pass_lock", N_("{player} played {cards} in a trick that {player} had passed."))
def played_after_pass(table: Table, act: Act) -> Facts | None:
    """Played in a trick it had passed, with no right to (a free chop is one)."""
    if (
        not table.house.pass_lock
        or act.play is None
        or act.free
        or table.closed
        or not table.passed >> act.seat & 1
    ):
        return None
    return {"cards": texts_of(act.play.cards)}


@violation("error", "law.turn", N_("{player} passed, but had to lead."))
def pass_on_lead(table: Table, act: Act) -> Facts | None:
    """The leader of a trick passed."""
    if act.play is not None or act.seat != table.turn or not (table.top is None or table.closed):
        return None
    return {}


@violation("error", "law.turn", N_("{player} acted out of turn; it was {turn}'s turn."))
def out_of_turn(table: Table, act: Act) -> Facts | None:
    """Acted when it was another seat's turn."""
    if act.seat == table.turn or act.free or table.turn == -1:
        return None
    return {"turn": table.turn}


TURN: Final[tuple[Check, ...]] = (
    event_after_end,
    acted_after_out,
    wrong_leader,
    played_after_pass,
    pass_on_lead,
    out_of_turn,
)


# -- opening -------------------------------------------------------------------------------------


@violation("error", "lead.must_play", N_("The opening play of {player} must contain {card}."))
def opening_card_missing(table: Table, act: Act) -> Facts | None:
    """The opening play lacks the required card (or, where it was not dealt, the lowest card dealt)."""
    if table.started or act.play is None or not act.opening_card or act.play.cards & act.opening_card:
        return None
    if any(table.holdings[seat] & act.opening_card for seat in table.left):
        return None
    return {"card": texts_of(act.opening_card)[0]}


# -- cards ---------------------------------------------------------------------------------------


@violation("error", "law.cards", N_("{player} does not hold {cards}."))
def card_not_held(table: Table, act: Act) -> Facts | None:
    """A card the seat was not dealt, or gave away.

    Certain where another seat is known to have it or the whole holding is known; possible where the
    seat has more unlisted cards on the table than its holding had unknown ones.
    """
    assert act.play is not None
    missing = act.play.cards & ~table.owned[act.seat]
    return {"cards": texts_of(missing)} if missing else None


@violation("error", "law.cards", N_("{cards} had already been played."))
def card_already_played(table: Table, act: Act) -> Facts | None:
    """A card that is already on the table."""
    assert act.play is not None
    again = act.play.cards & table.on_table
    return {"cards": texts_of(again)} if again else None


@violation("error", "law.combination", N_("{cards} is no combination."))
def not_a_combination(table: Table, act: Act) -> Facts | None:
    """The cards form no combination of these rules, nor of any other house."""
    assert act.play is not None
    return None if act.play.kind else {"cards": texts_of(act.play.cards)}


@violation("error", "combinations.follow", N_("{cards} is no combination under these rules."))
def combination_not_allowed(table: Table, act: Act) -> Facts | None:
    """A combination that other houses know, and this one does not."""
    assert act.play is not None
    if act.play.allowed or not act.play.kind:
        return None
    rule = "combinations.consecutive_pairs" if act.play.kind == PAIRS else "combinations.follow"
    return {"cards": texts_of(act.play.cards), "rule": rule}


CARDS: Final[tuple[Check, ...]] = (
    card_not_held,
    card_already_played,
    not_a_combination,
    combination_not_allowed,
)


# -- beating: exclusive --------------------------------------------------------------------------


def _misfit(table: Table, act: Act) -> Play | None:
    """The top that the act's combination should have beaten and does not, or None."""
    top, play = table.top, act.play
    assert play is not None
    if top is None or act.lead or not play.allowed or play.beats(top):
        return None
    return top


def _same_kind(play: Play, top: Play) -> bool:
    return play.kind == top.kind and play.length == top.length


def compared(play: Play, top: Play) -> Facts:
    """The facts of a play that does not fit a top."""
    return {"cards": texts_of(play.cards), "top": texts_of(top.cards), "kind": KIND_NAMES[top.kind]}


@violation("error", "law.beating", N_("{cards} is of another kind or length than {top}, and no chop."))
def wrong_kind(table: Table, act: Act) -> Facts | None:
    """Another kind or length than the trick's, and no chop."""
    top, play = _misfit(table, act), act.play
    if top is None or play is None or _same_kind(play, top) or play.kind in (FOUR, PAIRS):
        return None
    return compared(play, top)


@violation("error", "combinations.follow", N_("{cards} does not follow the suit or colour of {top}."))
def wrong_suit(table: Table, act: Act) -> Facts | None:
    """The suit or colour does not follow (the North). Twos on twos are judged by height alone."""
    top, play = _misfit(table, act), act.play
    if top is None or play is None or not _same_kind(play, top) or play.shape == top.shape:
        return None
    if play.cards & TWOS and top.cards & TWOS and play.size == 1:
        return None
    return compared(play, top)


@violation("error", "law.beating", N_("{cards} does not beat {top}."))
def does_not_beat(table: Table, act: Act) -> Facts | None:
    """Same kind and length, not higher."""
    top, play = _misfit(table, act), act.play
    if top is None or play is None or not _same_kind(play, top) or wrong_suit(table, act) is not None:
        return None
    return compared(play, top)


@violation("error", "chops", N_("{cards} may not chop {top}."))
def chop_not_allowed(table: Table, act: Act) -> Facts | None:
    """A bomb on something it may not chop."""
    top, play = _misfit(table, act), act.play
    if top is None or play is None or _same_kind(play, top) or play.kind not in (FOUR, PAIRS):
        return None
    return compared(play, top)


BEATING: Final[tuple[Check, ...]] = (wrong_kind, wrong_suit, does_not_beat, chop_not_allowed)


# -- going out, words ----------------------------------------------------------------------------


@violation("error", "finish.with_two", N_("{player} went out on {cards}."))
def finished_with_two(table: Table, act: Act) -> Facts | None:
    """Went out on a two (or on four of a kind, where that counts) where the rules forbid it.

    A warning where the rules price it; under ``forbidden`` an error, except that a seat whose only
    cards are twos may lead them.
    """
    play = act.play
    assert play is not None
    if play.size < table.counts[act.seat] or not table.house.finishes_badly(play):
        return None
    if table.house.finish == "forbidden" and act.lead and not play.cards & ~TWOS:
        return None
    rule = "finish.with_four_of_a_kind" if play.kind == FOUR else "finish.with_two"
    return {"cards": texts_of(play.cards), "rule": rule}


@violation("error", "conduct.words_bind", N_("{player} said pass, then played {cards}."))
def said_pass_then_played(table: Table, act: Act) -> Facts | None:
    """Passed by word or gesture in its own turn, then played in that trick.

    Once the pass has been made as announced, what a pass does not prevent stays allowed: a free chop,
    and at a table without a pass lock the next turn.
    """
    if act.play is None or not table.said_pass >> act.seat & 1:
        return None
    if table.kept_word >> act.seat & 1 and (act.free or not table.house.pass_lock):
        return None
    return {"cards": texts_of(act.play.cards)}


@violation("error", "conduct.words_bind", N_("{player} named {named}, then did otherwise."))
def said_play_then_changed(table: Table, act: Act) -> Facts | None:
    """Named cards in its own turn, then did otherwise at its next act."""
    named = table.named.get(act.seat)
    if named is None or (act.play is not None and act.play.cards == named):
        return None
    return {"named": texts_of(named)}


WORDS: Final[tuple[Check, ...]] = (said_pass_then_played, said_play_then_changed)


# -- what is not asked of an act: registered here, found where its stage of the replay is ---------


@violation("error", "law.deal", N_("{player} was dealt {found} cards instead of {expected}."))
def deal_wrong_size(size: int, hand_size: int) -> Facts | None:
    """A dealt holding is not of the size the rules say."""
    return {"found": size, "expected": hand_size} if size != hand_size else None


@violation("error", "law.deal", N_("{card} was dealt twice."))
def deal_duplicate_card(card: int) -> Facts:
    """The same card dealt twice; told of the later seat."""
    return {"card": TEXTS[card]}


@violation(
    "error", "instant_wins.four_twos", N_("{player} held four twos: a new deal was due, and play went on.")
)
def deal_needs_redeal(holding: int) -> Facts | None:
    """The rules call for a new deal (four twos, where so agreed) and play went on."""
    return {} if holding & TWOS == TWOS else None


@violation("info", "law.record", N_("The log does not say who should lead."))
def lead_unverified() -> Facts:
    """The log does not say who should lead; the first leader is taken as found."""
    return {}


@violation("info", "instant_wins.other", N_("{player} held an instant win and nobody claimed it: {hand}."))
def instant_win_missed(hand: str, opening: bool) -> Facts:
    """A holding was an instant win and its holder did not claim it."""
    return {"hand": hand, "rule": "instant_wins.opening" if opening else "instant_wins.other"}


@violation("error", "instant_wins.other", N_("{player} claimed an instant win; the holding is none."))
def instant_win_false(holding_wins: str | None, opening: bool) -> Facts | None:
    """Claimed, and the holding is none."""
    if holding_wins is not None:
        return None
    return {"rule": "instant_wins.opening" if opening else "instant_wins.other"}


@violation("error", "law.cards", N_("{player} took back cards that stood."))
def took_back() -> Facts:
    """Picked cards up after they stood."""
    return {}


@violation("warning", "conduct.exposed", N_("{player} showed cards too early: {cards}."))
def exposed_cards(cards: int) -> Facts:
    """Showed cards too early."""
    return {"cards": texts_of(cards)}


@violation("warning", "conduct.counting", N_("{player} counted or inspected the played cards."))
def counted_played_cards() -> Facts:
    """Counted or inspected the played cards."""
    return {}


@violation("warning", "conduct.call_going_out", N_("{player} did not announce going out."))
def last_card_not_called() -> Facts:
    """Did not announce going out, in a log that records calls."""
    return {}


@violation("warning", "conduct.seconds_per_turn", N_("{player} took {seconds} seconds; {limit} are allowed."))
def over_time(at: float | None, before: float | None, limit: int | None) -> Facts | None:
    """More than the rules' seconds for one act, since the previous play or pass."""
    if at is None or before is None or limit is None or at - before <= limit + 1e-6:
        return None
    return {"seconds": f"{at - before:g}", "limit": limit}


@violation(
    "error", "before.tribute_two", N_("{player} gave {cards}, which these rules do not allow as tribute.")
)
def exchange_wrong_card(cards: int, rule: str) -> Facts:
    """Tribute given or returned against the rules."""
    return {"cards": texts_of(cards), "rule": rule}


@violation("error", "before.give_threes", N_("{player} put away or kept cards against the rules: {cards}."))
def discard_wrong_card(cards: int, rule: str) -> Facts | None:
    """Put away what the rules do not allow, or kept what they require to be put away."""
    return {"cards": texts_of(cards), "rule": rule} if cards else None


@violation("info", "law.record", N_("The log ends before the hand does."))
def hand_unfinished() -> Facts:
    """The log ends before the hand does."""
    return {}


@violation("error", "law.record", N_("The recorded places are {recorded}; the rules give {replayed}."))
def places_mismatch(recorded: list[int], replayed: list[int] | None) -> Facts | None:
    """The recorded places differ from the replay's."""
    return {"recorded": recorded, "replayed": replayed} if recorded != replayed else None


@violation("error", "law.record", N_("The recorded amounts are {recorded}; the rules give {replayed}."))
def net_mismatch(recorded: list[int], replayed: list[int]) -> Facts | None:
    """The recorded amounts (in thousandths) differ from the replay's."""
    if recorded == replayed:
        return None
    return {"recorded": list(map(exact, recorded)), "replayed": list(map(exact, replayed))}


def discards_allowed(table: Table, dealt: list[int]) -> int:
    """The cards that these rules have put away before the first play, after this deal."""
    before = table.house.knobs.before
    allowed = THREES if before.give_threes else 0
    if before.four_threes and any(cards & THREES == THREES for cards in dealt):
        allowed |= TWOS
    return allowed
