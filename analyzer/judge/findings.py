"""What a judge can find: one entry a violation code, in the order in which several are reported."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, Literal, NamedTuple, TypeVar

Severity = Literal["error", "warning", "info"]
Certainty = Literal["certain", "possible", "undecidable"]
Facts = dict[str, Any]

CODES: Final = (
    "deal_wrong_size",
    "deal_duplicate_card",
    "deal_needs_redeal",
    "lead_unverified",
    "wrong_leader",
    "opening_card_missing",
    "instant_win_missed",
    "instant_win_false",
    "out_of_turn",
    "played_after_pass",
    "pass_on_lead",
    "acted_after_out",
    "event_after_end",
    "card_not_held",
    "card_already_played",
    "not_a_combination",
    "combination_not_allowed",
    "wrong_kind",
    "wrong_suit",
    "does_not_beat",
    "chop_not_allowed",
    "finished_with_two",
    "said_pass_then_played",
    "said_play_then_changed",
    "took_back",
    "exposed_cards",
    "counted_played_cards",
    "last_card_not_called",
    "over_time",
    "exchange_wrong_card",
    "discard_wrong_card",
    "hand_unfinished",
    "places_mismatch",
    "net_mismatch",
)
"""Every violation code, in the order of the public contract."""

ORDER: Final = {code: index for index, code in enumerate(CODES)}


class Kind(NamedTuple):
    """What is known of a violation code before any hand is judged."""

    code: str
    severity: Severity
    rule: str
    text: str


KINDS: Final[dict[str, Kind]] = {}

F = TypeVar("F", bound=Callable[..., Any])


def violation(severity: Severity, rule: str, text: str) -> Callable[[F], F]:
    """Registers a check: its name is the code, its docstring the documentation, ``text`` the message.

    ``rule`` is the knob (or ``law.…``) that it applies; a check may name a closer one in its facts.
    """

    def register(check: F) -> F:
        code = check.__name__
        assert code in ORDER, code
        KINDS[code] = Kind(code, severity, rule, text)
        return check

    return register


class Finding(NamedTuple):
    """One violation found. ``event`` is an index, or None for the deal or the end of the hand."""

    code: str
    event: int | None
    seat: int | None
    certainty: Certainty
    facts: Facts
    severity: Severity
    rule: str

    @classmethod
    def of(
        cls,
        code: str,
        event: int | None,
        seat: int | None,
        facts: Facts | None = None,
        certainty: Certainty = "certain",
        severity: Severity | None = None,
        rule: str | None = None,
    ) -> Finding:
        """A finding with the severity and rule of its code, unless the case has its own."""
        kind = KINDS[code]
        return cls(code, event, seat, certainty, facts or {}, severity or kind.severity, rule or kind.rule)
