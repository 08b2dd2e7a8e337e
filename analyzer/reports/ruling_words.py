"""How a ruling sheet says things: texts, times, money, codes and decisions as HTML in one language."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from decimal import Decimal
from typing import Final
from urllib.parse import urlencode
from zoneinfo import ZoneInfo

from analyzer.judge.amounts import UNIT
from analyzer.judge.rulings import OUTCOMES, Case, Decision
from analyzer.locale import N_, Message
from analyzer.logs.codes import code_of
from analyzer.reports.account import Account
from analyzer.reports.cases import gone_text, moved_text
from analyzer.reports.money import format_signed
from analyzer.reports.paper import escaped, figure, moment_text, said

ON_EARLIER: Final = N_(
    "Ruled on another revision of the log: it moves no money here until it is decided again."
)
REPLACED: Final = N_("replaced by a later decision")
MOST_NOTE: Final = 600
"""Letters of one act's text; a note may be a book."""


class Writer:
    """What one sheet says, and to whom: its hand, what was decided about it, the language, the clock."""

    def __init__(self, account: Account, lang: str, case: Case | None, address: str, zone: str) -> None:
        self.account = account
        self.lang = lang
        self.case = case or Case(account.hand.club_id, account.hand.hand_id)
        self.address = address.rstrip("/")
        self.zone = ZoneInfo(zone)
        self.sha256 = account.verdict.content_sha256
        self.standing = self.case.standing(self.sha256)

    # -- words -------------------------------------------------------------------------------------

    def t(self, text: str, /, **values: object) -> str:
        """A text of the catalogue, filled in; not yet HTML."""
        return Message(text, **values).render(self.lang)

    def e(self, text: str, /, **values: object) -> str:
        """The same as HTML."""
        return escaped(self.t(text, **values))

    def m(self, message: Message) -> str:
        """A message as HTML."""
        return escaped(message.render(self.lang))

    def at(self, at: datetime) -> str:
        """An instant on the club's clock."""
        return escaped(moment_text(at.astimezone(self.zone), self.lang))

    def money(self, amount: int) -> str:
        """Thousandths as a signed amount."""
        exact = Decimal(amount) / UNIT
        return figure(format_signed(exact, self.account.hand.currency, self.lang))

    def code(self, event: int | None) -> str:
        """What opens the replay at an event: a code to type, and a link where the pages have an address."""
        told = f'<span class="code">{escaped(code_of(self.sha256, event))}</span>'
        if not self.address:
            return told
        hand = self.account.hand
        asked = {"hand": hand.hand_id, "club": hand.club_id, "event": event}
        query = urlencode({key: value for key, value in asked.items() if value not in (None, "")})
        return f'<a href="{escaped(f"{self.address}/replay?{query}")}">{told}</a>'

    def facts(self, rows: Iterable[tuple[str, str]]) -> str:
        """Names (texts of the catalogue) and what is to be said of them (HTML)."""
        return "<dl>" + "".join(f"<dt>{said(n, self.lang)}</dt><dd>{v}</dd>\n" for n, v in rows) + "</dl>"

    def decision(self, decision: Decision) -> str:
        """What was decided, by whom, when, and what it moves."""
        told = f"<strong>{said(OUTCOMES[decision.outcome], self.lang)}</strong>"
        if decision.reason:
            told += f": {escaped(decision.reason)}"
        told += "".join(f"<br>{self.m(moved_text(self.account, moved))}" for moved in decision.moves)
        entry = self.e(N_("{by}, entry {number}"), by=decision.by, number=decision.number)
        told += f"<br><small>{entry}, {self.at(decision.at)}</small>"
        if decision.content_sha256 != self.sha256:
            gone = gone_text(self.account, decision)
            told += f"<br><small>{said(ON_EARLIER, self.lang) if gone is None else self.m(gone)}</small>"
        elif self.standing.get(decision.about) != decision:
            told = f'<span class="undone">{told}</span> <small>{said(REPLACED, self.lang)}</small>'
        return told


def cards_text(text: str) -> str:
    """Cards with a space between them, each kept whole, as HTML."""
    return " ".join(f'<span class="c">{escaped(card)}</span>' for card in text.split())
