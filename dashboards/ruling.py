"""One hand's case on a page: what is found, claimed and decided, and the forms for whoever may decide."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final
from zoneinfo import ZoneInfo

import streamlit as st

from analyzer.judge.rulings import FORFEIT, OUTCOMES, Case, NotRulable, Outcome, findings_of, forfeit_moves
from analyzer.locale import N_, Joined
from analyzer.reports.account import Account
from analyzer.reports.cases import (
    CLOSED_EARLIER,
    FindingTold,
    closed_earlier,
    decision_text,
    findings_told,
    gone_text,
    moved_text,
    step_text,
)
from analyzer.reports.money import parse_amount
from analyzer.store.database import DatabaseError
from analyzer.store.deciding import Judged, ruling_on
from analyzer.store.rulings import (
    ADJUSTMENTS,
    CLAIMED,
    CLOSED,
    REOPENED,
    RULED,
    TEXT,
    Claimed,
    Closed,
    Reopened,
    may_claim,
    may_close,
    may_reopen,
    may_rule,
)
from dashboards import data
from dashboards.access import editor
from dashboards.data import Row, Version
from dashboards.entering import amount_input, enter, refuse, refuse_amount
from dashboards.people import known
from dashboards.words import distinct, language, moment, plain, say, signed

SHOWN: Final = 60
"""Findings of a hand that are shown; those with a decision to make come first."""


class Desk:
    """A hand and its case, as they are before the one who looks."""

    def __init__(self, version: Version, hand: Row, case: Case, account: Account) -> None:
        self.version = version
        self.hand = hand
        self.case = case
        self.account = account
        last = case.steps[-1].number if case.steps else 0
        self.key = f"{hand['hand_key']}-{hand['content_sha256'][:12]}-{last}"
        """Before the names of all fields: after an entry they are other ones, and empty."""
        self.about: Mapping[str, Any] = {"club": hand["club_id"], "hand": hand["hand_id"]}


def show_case(desk: Desk) -> None:
    """The whole case; forms only for whoever may decide."""
    case, account = desk.case, desk.account
    _show_state(desk)
    st.subheader(say(N_("Findings")))
    told = findings_told(account, case)
    for finding in sorted(told[:-1], key=lambda one: not one.fault)[:SHOWN]:
        _show_finding(desk, finding)
    if len(told) == 1:
        st.caption(say(N_("The engine found nothing.")))
    _show_finding(desk, told[-1])
    _show_claims(desk)
    _show_money(account)
    if case.steps:
        zone = known(desk.version.path).clock(case.club_id).time_zone
        with st.expander(say(N_("Everything entered, in order"))):
            for step in case.steps:
                line = plain(step_text(account, case, step).render(language()))
                at = moment(step.at.astimezone(ZoneInfo(zone)).isoformat())
                st.markdown(f"{step.number} · {plain(at)} · {line}")
    if editor() is not None:
        _close_or_reopen(desk)


def _show_state(desk: Desk) -> None:
    case, sha256 = desk.case, desk.hand["content_sha256"]
    if closed_earlier(desk.account, case):
        st.info(":material/lock: " + plain(say(CLOSED_EARLIER)))
    elif case.closed:
        last = case.steps[-1]
        reason = getattr(last, "reason", "")
        text = N_("Closed by {by}: {reason}") if reason else N_("Closed by {by}.")
        st.markdown(":material/lock: " + plain(say(text, by=last.by, reason=reason)))
    if case.unconfirmed(sha256, findings_of(desk.account.judgement)):
        st.warning(
            say(
                N_(
                    "There are decisions on an earlier revision of this hand. They count no money until "
                    "somebody decides again on the revision in force."
                )
            )
        )
    for decision in case.earlier(sha256):
        gone = gone_text(desk.account, decision)
        if gone is not None:
            st.warning(plain(Joined([decision_text(desk.account, decision), gone], " — ").render(language())))


def _show_finding(desk: Desk, finding: FindingTold) -> None:
    account, lang = desk.account, language()
    with st.container(border=True, gap="xsmall"):
        label = plain(finding.text.render(lang))
        mark = ":red[✗] " if finding.fault else ""
        if finding.about.event is not None:
            address = data.address(desk.hand, finding.about.event)
            st.page_link("views/replay.py", label=mark + label, query_params=address)
        else:
            st.markdown(mark + label)
        if finding.ground is not None:
            st.caption(f"{plain(finding.ground.cite(lang))} · `{finding.ground.rule}`")
        if finding.decision is not None:
            st.markdown(":green[✓] " + plain(decision_text(account, finding.decision).render(lang)))
        elif finding.fault:
            st.markdown(":orange[" + say(N_("not decided yet")) + "]")
        binding = desk.case.binding(finding.about, desk.hand["content_sha256"])
        if editor() is not None and not desk.case.closed and binding is None:
            with st.expander(say(N_("Decide"))):
                _decision_form(desk, finding)


def _decision_form(desk: Desk, finding: FindingTold) -> None:
    key = f"case-{desk.key}-{finding.name}"
    every: tuple[Outcome, ...] = ("upheld", "dismissed", "adjusted")
    outcomes = {one: say(OUTCOMES[one]) for one in every if finding.about.code or one != "upheld"}
    chosen: Outcome | None = st.segmented_control(
        say(N_("Decision")), list(outcomes), format_func=outcomes.__getitem__, key=f"{key}-outcome"
    )
    if finding.about.code == FORFEIT and chosen in ("upheld", "dismissed"):
        moves = forfeit_moves(desk.account.judgement, charged=chosen == "upheld")
        text = Joined([moved_text(desk.account, moved) for moved in moves], "; ").render(language())
        st.caption(plain(text) if moves else say(N_("The money stays as the engine settled it.")))
    rows = 0
    if chosen == "adjusted":
        rows = min(st.session_state.get(f"{key}-rows", 1), ADJUSTMENTS)
        _adjustments(desk, key, rows)
    st.text_input(say(N_("Reason")), key=f"{key}-reason", max_chars=TEXT)
    st.button(
        say(N_("Enter the decision")),
        key=f"{key}-enter",
        on_click=_rule,
        args=(desk, finding, key, chosen, rows),
    )


def _adjustments(desk: Desk, key: str, rows: int) -> None:
    hand = desk.account.hand
    names = distinct({seat: desk.account.name(seat) for seat in range(len(hand.players))}, str)
    for row in range(rows):
        with st.container(horizontal=True, vertical_alignment="bottom"):
            for side, label in (("from", N_("From")), ("to", N_("To"))):
                st.selectbox(
                    say(label), list(names), format_func=names.__getitem__, index=None, placeholder="",
                    key=f"{key}-{row}-{side}", width=160,
                )  # fmt: skip
            amount_input(f"{key}-{row}", hand.currency)
    if rows < ADJUSTMENTS:

        def another() -> None:
            st.session_state[f"{key}-rows"] = rows + 1

        st.button(say(N_("Another amount")), key=f"{key}-another", type="tertiary", on_click=another)


def _rule(desk: Desk, finding: FindingTold, key: str, chosen: Outcome | None, rows: int) -> None:
    """Enters what the form says, as the hand was when it was drawn."""
    if chosen is None:
        refuse(N_("Choose a decision."))
        return
    adjustments = []
    for row in range(rows):
        payer, payee, typed = (
            st.session_state.get(f"{key}-{row}-{part}") for part in ("from", "to", "amount")
        )
        amount = parse_amount(str(typed or ""), language())
        if payer is None or payee is None or payer == payee:
            refuse(N_("Choose who pays and who is paid: two different people."))
            return
        if amount is None:
            refuse_amount(str(typed or ""))
            return
        adjustments.append((payer, payee, amount))
    reason = str(st.session_state.get(f"{key}-reason", "")).strip()
    account = desk.account
    found = Judged(desk.hand, account.hand, account.rules, account.judgement)
    try:
        reader = data.reader_of(desk.version)
        ruled = ruling_on(reader, found, finding.about, chosen, reason, adjustments)
    except (NotRulable, DatabaseError) as error:
        refuse(error.message.render(language()))
        return
    enter(RULED, ruled, may_rule(ruled))


def _show_claims(desk: Desk) -> None:
    claims = desk.case.claims
    may_add = editor() is not None and not desk.case.closed
    if not claims and not may_add:
        return
    st.subheader(say(N_("Claims")))
    for claim in claims:
        told = step_text(desk.account, desk.case, claim)
        st.markdown(plain(told.render(language())))
    if not may_add:
        return
    key = f"claim-{desk.key}"
    with st.expander(say(N_("Enter a claim"))):
        st.text_input(say(N_("Who claims it")), key=f"{key}-who", max_chars=100)
        st.text_area(say(N_("What is claimed")), key=f"{key}-text", max_chars=TEXT)

        def add() -> None:
            who, text = (str(st.session_state.get(f"{key}-{part}", "")).strip() for part in ("who", "text"))
            if not who or not text:
                refuse(N_("Say who claims what."))
                return
            claimed = Claimed(
                **desk.about, content_sha256=desk.hand["content_sha256"], claimant=who, text=text
            )
            enter(CLAIMED, claimed, may_claim(claimed))

        st.button(say(N_("Enter the claim")), key=f"{key}-enter", on_click=add)


def _show_money(account: Account) -> None:
    st.subheader(say(N_("Money, after the rulings")))
    for seat, (before, after) in enumerate(zip(account.before, account.verdict.net, strict=True)):
        told = f"{plain(account.name(seat))}: **{signed(after, account.hand.currency)}**"
        if before != after:
            was = signed(before, account.hand.currency)
            told += " · " + say(N_("before the rulings {before}"), before=was)
        st.markdown(told)


def _close_or_reopen(desk: Desk) -> None:
    key = f"turn-{desk.key}"
    case = desk.case
    decided = any(decision.number > case.reopened for decision in case.decisions)

    def reason() -> str:
        return str(st.session_state.get(f"{key}-reason", "")).strip()

    def close() -> None:
        closed = Closed(**desk.about, reason=reason())
        enter(CLOSED, closed, may_close(closed))

    def reopen() -> None:
        if not reason():
            refuse(N_("Say why: a case is reopened with a reason only."))
            return
        reopened = Reopened(**desk.about, reason=reason())
        enter(REOPENED, reopened, may_reopen(reopened))

    if not case.steps:
        return
    with st.expander(say(N_("Close or reopen the case")), icon=":material/lock:"):
        st.text_input(say(N_("Reason")), key=f"{key}-reason", max_chars=TEXT)
        with st.container(horizontal=True):
            if not case.closed:
                st.button(say(N_("Close the case")), key=f"{key}-close", on_click=close)
            if case.closed or decided:
                st.button(
                    say(N_("Reopen the case")),
                    key=f"{key}-reopen",
                    on_click=reopen,
                    help=say(N_("What was decided stands until it is decided anew.")),
                )
