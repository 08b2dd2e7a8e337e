"""What findings are called where a list names them: a code is for programs."""

from __future__ import annotations

from typing import Final

from analyzer.judge.rulings import FORFEIT
from analyzer.locale import N_

CODE_NAMES: Final = {
    FORFEIT: N_("pays for the table"),
    "deal_wrong_size": N_("dealt too many or too few cards"),
    "deal_duplicate_card": N_("a card dealt twice"),
    "deal_needs_redeal": N_("no new deal where one was due"),
    "lead_unverified": N_("not recorded who should lead"),
    "wrong_leader": N_("the wrong player led"),
    "opening_card_missing": N_("opened without the required card"),
    "instant_win_missed": N_("an instant win not claimed"),
    "instant_win_false": N_("a false claim of an instant win"),
    "out_of_turn": N_("acted out of turn"),
    "played_after_pass": N_("played after passing"),
    "pass_on_lead": N_("passed when leading"),
    "acted_after_out": N_("acted when out of the hand"),
    "event_after_end": N_("went on after the end"),
    "card_not_held": N_("played a card not held"),
    "card_already_played": N_("played a card already on the table"),
    "not_a_combination": N_("played cards that form no combination"),
    "combination_not_allowed": N_("played a combination not allowed here"),
    "wrong_kind": N_("answered with another kind or length"),
    "wrong_suit": N_("did not follow suit or colour"),
    "does_not_beat": N_("played what does not beat"),
    "chop_not_allowed": N_("chopped what may not be chopped"),
    "finished_with_two": N_("went out on a two or a bomb"),
    "said_pass_then_played": N_("said pass, then played"),
    "said_play_then_changed": N_("named cards, then did otherwise"),
    "took_back": N_("took cards back"),
    "exposed_cards": N_("showed cards too early"),
    "counted_played_cards": N_("looked through the played cards"),
    "last_card_not_called": N_("did not announce the last card"),
    "over_time": N_("took too long"),
    "exchange_wrong_card": N_("gave the wrong tribute"),
    "discard_wrong_card": N_("put away the wrong cards"),
    "hand_unfinished": N_("the log ends before the hand"),
    "places_mismatch": N_("recorded places differ"),
    "net_mismatch": N_("recorded amounts differ"),
}
"""Code → what it is called in a list."""
