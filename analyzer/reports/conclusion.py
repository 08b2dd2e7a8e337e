"""What comes of a hand, in two or three lines: how it ended, who pays whom in all, and what was found."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from decimal import Decimal
from typing import Final

from analyzer.locale import N_, Joined, Message
from analyzer.reports.account import Account, outcome_text
from analyzer.reports.money import REASONS, Amount

CHARGED: Final = {
    "certain": N_("{player} pays for the table"),
    "possible": N_("{player} may have to pay for the table: unknown cards decide"),
    "undecidable": N_("Whether {player} pays for the table was not worked out"),
}
"""How sure a forfeit is → what is said of it."""


def conclusion_texts(account: Account) -> list[Message]:
    """How the hand ended, who pays whom, and the faults, a line each."""
    payments = list(_payments(account)) or [Message(N_("Nobody pays anything"))]
    return [_ended(account), Joined(payments, "; "), Joined(list(_found(account)), " · ")]


def _ended(account: Account) -> Message:
    verdict, told = account.verdict, outcome_text(account)
    if verdict.outcome != "finished" or not verdict.places:
        return told
    return Message(N_("{player} wins. {places}"), player=account.name(verdict.places[0]), places=told)


def _payments(account: Account) -> Iterator[Message]:
    """What each pair comes to, one way, what for, and what is taken off for; the bank is seat None."""
    sums: dict[tuple[int, int], dict[str, Decimal]] = {}
    for line in account.lines:
        payer, payee = (-1 if seat is None else seat for seat in (line.transfer.from_, line.transfer.to))
        pair = min(payer, payee), max(payer, payee)
        amount = line.transfer.amount if payer == pair[0] else -line.transfer.amount
        undone = line.transfer.reason == "forfeit" and account.dismissed is not None
        reason = REASONS["ruling" if undone else line.transfer.reason]
        causes = sums.setdefault(pair, {})
        causes[reason] = causes.get(reason, Decimal(0)) + amount
    begun = False
    for pair, causes in sums.items():
        total = sum(causes.values())
        payer, payee = pair if total >= 0 else pair[::-1]
        paid, less = (
            [Message(reason) for reason, amount in causes.items() if amount and (amount > 0) is way]
            for way in (total >= 0, total < 0)
        )
        told: Message = Joined(paid, ", ")
        if less:
            told = Message(N_("{causes}, less {others}"), causes=told, others=Joined(less, ", "))
        bank = N_("the bank") if begun else N_("The bank")
        names = {"payer": _name(account, payer, bank), "payee": _name(account, payee)}
        begun = begun or bool(total or paid)
        if total:
            left = Amount(abs(total), account.hand.currency)
            yield Message(N_("{payer} pays {payee} {amount} ({causes})"), **names, amount=left, causes=told)
        elif paid:
            yield Message(N_("{payer} and {payee} are even ({causes})"), **names, causes=told)


def _name(account: Account, seat: int, bank: str = N_("the bank")) -> Message:
    return Message(bank) if seat < 0 else Message("{name}", name=account.name(seat))


def _found(account: Account) -> Iterator[Message]:
    """Who pays for the table, and how many errors and warnings there are."""
    forfeit = account.verdict.forfeit
    errors, warnings = (
        Counter(f.certainty == "certain" for f in account.judgement.findings if f.severity == severity)
        for severity in ("error", "warning")
    )
    if forfeit is not None:
        player = account.name(forfeit.seat)
        if account.dismissed is not None:
            told = N_("(dismissed) {player} would have paid for the table")
            if forfeit.certainty != "certain":
                told = N_("(dismissed) {player} might have had to pay for the table")
            yield Message(told, player=player)
        else:
            yield Message(CHARGED[forfeit.certainty], player=player)
    if errors:
        yield Message(N_("Errors: {n}"), n=_counted(errors))
    if warnings:
        yield Message(N_("Warnings: {n}"), n=_counted(warnings))
    if forfeit is None and not errors and not warnings:
        yield Message(N_("No fault was found"))


def _counted(sure: Counter[bool]) -> Message:
    """How many there are; the certain and the possible ones apart, where any is only possible."""
    if not sure[False]:
        return Message("{n}", n=sure[True])
    told = [Message(N_("{n} certain"), n=sure[True])] if sure[True] else []
    return Joined([*told, Message(N_("{n} possible"), n=sure[False])], ", ")
