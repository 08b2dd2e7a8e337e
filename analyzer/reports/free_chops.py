"""Why a chop was allowed though it was another's turn, or its maker had passed: some rules let it come so."""

from __future__ import annotations

from typing import Final

from analyzer.judge.debts import Link
from analyzer.judge.replayed import Frame
from analyzer.judge.seats import NOBODY
from analyzer.judge.verdict import player_name
from analyzer.locale import N_, Message
from analyzer.logs.hand import Hand
from analyzer.reports.grounds import value_text
from analyzer.rules.house import TARGET_BITS
from analyzer.rules.plays import Play
from analyzer.rules.ruleset import RuleSet

_SUITED: Final = ("one_suit_six", "one_suit_five")


def free_chop_text(hand: Hand, rules: RuleSet, link: Link, before: Frame) -> Message | None:
    """Which rule allows a chop that came before or beside its turn; None where it came in its turn, or no
    rule allows it. ``before`` is the table before the chop."""
    if before.hand_over or not link.play.chops_freely(link.beaten):
        return None
    passed = rules.knobs.tricks.pass_lock and before.passed >> link.seat & 1
    if passed and before.closed:
        text = N_("Allowed though {player} had passed, for nobody has led since: rule {rule} ({value})")
    elif passed:
        text = N_("Allowed though {player} had passed: rule {rule} ({value})")
    elif before.closed:
        text = N_("Allowed though the trick was over, for nobody has led since: rule {rule} ({value})")
    elif before.turn not in (NOBODY, link.seat):
        text = N_("Allowed though it was {turn}'s turn: rule {rule} ({value})")
    else:
        return None
    rule = f"chops.{_bomb(rules, link.play)}"
    return Message(
        text,
        player=player_name(hand, link.seat),
        turn=player_name(hand, before.turn),
        rule=rule,
        value=value_text(rules, rule),
    )


def _bomb(rules: RuleSet, play: Play) -> str:
    """What a bomb that chops at any time is called in the rules."""
    names = [name for name, bit in TARGET_BITS.items() if bit == play.target] or _SUITED
    free = {row.by for row in rules.knobs.chops if row.free}
    return next(name for name in names if name in free)
