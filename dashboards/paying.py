"""Who still has to pay whom, and the payments that were made: shown, entered, taken back."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from decimal import Decimal
from typing import Final

import streamlit as st

from analyzer.locale import N_
from analyzer.reports.money import parse_amount
from analyzer.store.debts import EXACT
from analyzer.store.dues import Due
from analyzer.store.treasury import NOTE, Books, Paid, Undoing, may_pay, may_undo
from dashboards import money
from dashboards.access import editor
from dashboards.entering import amount_input, enter, refuse, refuse_amount
from dashboards.words import day, language, number, paid, plain, say

SHOWN: Final = 40
"""Payments shown of a list."""


def show_payments(
    known: Books,
    club: str,
    evening: str | None,
    currency: str,
    names: Mapping[str, str],
    due: Due,
) -> None:
    """Who still has to pay whom, and the payments made: of an evening, or (None) on the account of a club."""
    st.subheader(say(N_("Who pays whom")))
    if evening is None:
        st.caption(say(N_("As of now: all evenings of the club, its opening balances and payments.")))
        if editor():
            st.caption(
                say(
                    N_(
                        "A payment entered here is on the account: it settles the oldest evenings first, as "
                        "far as its payer still has to pay there and its payee is to get."
                    )
                )
            )
    suggested = money.payments(due.left)
    made = known.paid(club, currency, evening)
    people = sum(1 for amount in due.left.values() if amount)
    may_enter = editor() is not None
    if due.set_off:
        text = N_("Over all evenings nobody owes anybody any more: what was left here is set off.")
        st.caption(say(text))
    elif not suggested:
        settled = made or due.parts
        st.caption(say(N_("Everything is paid.") if settled else N_("Nobody owes anybody.")))
    elif people <= EXACT:
        st.caption(say(N_("The fewest payments that make everybody even: {n}"), n=number(len(suggested))))
    else:
        text = N_("{n} payments make all {people} even. Among so many there may be a way with fewer.")
        st.caption(say(text, n=number(len(suggested)), people=number(people)))
    for payment in suggested[:SHOWN]:
        told = Paid(
            club=club,
            evening=evening,
            currency=currency,
            payer=payment.from_player,
            payee=payment.to_player,
            amount=format(payment.amount, "f"),
            on=known.local(club, datetime.now(UTC)).date(),
            seen=known.seen,
        )
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(_line(told, names), width="stretch")
            if may_enter:
                st.button(
                    say(N_("Paid")),
                    key=f"pay-{evening!r}-{told.what!r}-{known.seen}",
                    icon=":material/check:",
                    on_click=enter,
                    args=("payment", told, may_pay(told)),
                )
    if len(suggested) > SHOWN:
        st.caption(say(N_("… and {n} more."), n=number(len(suggested) - SHOWN)))
    _show_parts(known, due, currency, names)
    _show_made(known, club, evening, currency, names)
    if may_enter:
        _other_payment(known, club, evening, currency, names)


def _line(payment: Paid, names: Mapping[str, str]) -> str:
    return _told(payment.payer, payment.payee, payment.exact, payment.currency, names)


def _told(payer: str, payee: str, amount: Decimal, currency: str, names: Mapping[str, str]) -> str:
    return (
        f"{plain(names.get(payer, payer))} → {plain(names.get(payee, payee))}: **{paid(amount, currency)}**"
    )


def _show_parts(known: Books, due: Due, currency: str, names: Mapping[str, str]) -> None:
    """What payments on the account settle of an evening."""
    if not due.parts:
        return
    with st.expander(
        say(N_("Settled by payments on the account: {n}"), n=number(len(due.parts))), expanded=True
    ):
        for entry, payment, settles in due.parts[::-1][:SHOWN]:
            about = [day(known.day_of(entry, payment))]
            if (payment.payer, payment.payee, payment.exact) != settles:
                of = N_("part of {payment}")
                told = _told(payment.payer, payment.payee, payment.exact, currency, names).replace("**", "")
                about.append(say(of, payment=told))
            about += [plain(say(N_("entered by {by}"), by=entry.by)), plain(payment.note)]
            line = _told(*settles, currency, names)
            st.markdown(f"✓ {line} · {' · '.join(filter(None, about))}")
        if len(due.parts) > SHOWN:
            st.caption(say(N_("… and {n} more."), n=number(len(due.parts) - SHOWN)))
        link = {"view": "days", "club": due.parts[0].paid.club}
        st.page_link("views/money.py", label=say(N_("The accounts of the club")), query_params=link)


def _show_made(known: Books, club: str, evening: str | None, currency: str, names: Mapping[str, str]) -> None:
    made = known.paid(club, currency, evening)
    undone = [
        row
        for row in known.undone
        if (row[1].club, row[1].currency) == (club, currency) and evening in (None, row[1].evening)
    ]
    if not made and not undone:
        return
    may_undo_here = editor() is not None
    with st.expander(say(N_("Payments made: {n}"), n=number(len(made))), expanded=evening is not None):
        for entry, payment in made[::-1][:SHOWN]:
            with st.container(horizontal=True, vertical_alignment="center"):
                about = [
                    day(known.day_of(entry, payment)),
                    say(N_("entered by {by}"), by=entry.by),
                    payment.note,
                ]
                if evening is None:
                    about.insert(1, _what_for(payment))
                st.markdown(
                    f"✓ {_line(payment, names)} · {plain(' · '.join(filter(None, about)))}", width="stretch"
                )
                if may_undo_here:
                    _undo(club, entry.number)
        for _, payment, back, undoing in undone[::-1][:SHOWN]:
            why = say(N_("taken back by {by}: {reason}"), by=back.by, reason=undoing.reason)
            st.markdown(f"~~{_line(payment, names)}~~ · {plain(why)}")
        if (more := len(made) + len(undone) - min(len(made), SHOWN) - min(len(undone), SHOWN)) > 0:
            st.caption(say(N_("… and {n} more."), n=number(more)))


def _what_for(payment: Paid) -> str:
    if payment.evening is None:
        return say(N_("on the account"))
    return say(N_("for the evening {evening}"), evening=payment.evening.split(" ", 1)[-1])


def _undo(club: str, entry: int) -> None:
    with st.popover(say(N_("Take back")), type="tertiary"):
        key = f"undo-{entry}"
        st.text_input(say(N_("Why?")), key=key, max_chars=NOTE)

        def take_back() -> None:
            reason = str(st.session_state.get(key, "")).strip()
            if not reason:
                refuse(N_("Say why: a payment is taken back with a reason only."))
                return
            undoing = Undoing(club=club, payment=entry, reason=reason)
            enter("payment_undone", undoing, may_undo(undoing))

        st.button(say(N_("Take the payment back")), key=f"{key}-button", on_click=take_back)


def _other_payment(
    known: Books, club: str, evening: str | None, currency: str, names: Mapping[str, str]
) -> None:
    """A form for any payment: in part, in advance, or to somebody else than was proposed."""
    key = f"other-{club}-{evening}-{currency}-{known.seen}"
    with st.expander(say(N_("Enter another payment"))), st.form(key, border=False):
        everybody = sorted(names, key=lambda player: names[player])
        for side, label in (("from", N_("From")), ("to", N_("To"))):
            st.selectbox(
                say(label),
                everybody,
                format_func=names.__getitem__,
                index=None,
                placeholder="",
                key=f"{key}-{side}",
            )
        amount_input(key, currency)
        today = known.local(club, datetime.now(UTC)).date()
        st.date_input(say(N_("Day")), today, format="DD/MM/YYYY", key=f"{key}-on")
        st.text_input(say(N_("Note")), key=f"{key}-note", max_chars=NOTE)

        def pay() -> None:
            told = {
                part: st.session_state.get(f"{key}-{part}") for part in ("from", "to", "amount", "on", "note")
            }
            amount = parse_amount(str(told["amount"] or ""), language())
            if told["from"] is None or told["to"] is None or told["from"] == told["to"]:
                refuse(N_("Choose who paid and who was paid: two different people."))
            elif amount is None:
                refuse_amount(str(told["amount"] or ""))
            else:
                payment = Paid(
                    club=club,
                    evening=evening,
                    currency=currency,
                    payer=told["from"],
                    payee=told["to"],
                    amount=format(amount, "f"),
                    on=told["on"],
                    note=str(told["note"] or "").strip(),
                    seen=known.seen,
                )
                enter("payment", payment, may_pay(payment))

        st.form_submit_button(say(N_("Enter the payment")), on_click=pay)
